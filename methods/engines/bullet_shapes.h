// SPDX-License-Identifier: MIT
/// Bullet's own shapes for the kinds of geometry that it has, which are all; its axis is y and its
/// origin the middle, as ours.
#ifndef TS_METHODS_BULLET_SHAPES_H
#define TS_METHODS_BULLET_SHAPES_H

#include "methods/engines/bullet_convert.h"
#include "methods/engines/engine_shapes.h"

#include <BulletCollision/CollisionShapes/btHeightfieldTerrainShape.h>
#include <BulletCollision/CollisionShapes/btTriangleInfoMap.h>
#include <climits>

namespace {

#define BULLET_TAKES                                                                               \
  (ENGINE_TAKES_ROUND | TS_TAKES(TS_GEOMETRY_CONE) | TS_TAKES(TS_GEOMETRY_BOX) |                   \
   TS_TAKES(TS_GEOMETRY_PLANE) | TS_TAKES(TS_GEOMETRY_HEIGHTFIELD) |                               \
   TS_TAKES(TS_GEOMETRY_SURFACE))

/// Triangles of a mesh, or of an open one, where they are.
template <typename Mesh> btIndexedMesh bullet_view(const Mesh *mesh) {
  btIndexedMesh view;
  view.m_numTriangles = static_cast<int>(mesh->triangle_count);
  view.m_triangleIndexBase = reinterpret_cast<const unsigned char *>(mesh->triangles);
  view.m_triangleIndexStride = sizeof *mesh->triangles;
  view.m_numVertices = static_cast<int>(mesh->vertex_count);
  view.m_vertexBase = reinterpret_cast<const unsigned char *>(mesh->vertices);
  view.m_vertexStride = sizeof *mesh->vertices;
  view.m_indexType = PHY_INTEGER;
  view.m_vertexType = PHY_DOUBLE;
  return view;
}

/// A solid whose margin lies inside it has Bullet's own limit: a tenth of the smallest half length.
template <typename Solid>
void set_inner_margin(Solid *solid, const btVector3 &half, double margin) {
  solid->setMargin(btMin(bullet_scalar(margin), bullet_scalar(0.1) * half[half.minAxis()]));
}

/// A shape and the triangles that it refers to.
struct bullet_shape {
  btCollisionShape *shape = nullptr;
  void (*destroy)(void *) = nullptr;
  btTriangleIndexVertexArray triangles;
  btTriangleInfoMap edges;
  /// Bullet's origin in the body's frame.
  btVector3 origin{0, 0, 0};

  ~bullet_shape() {
    if (shape)
      destroy(shape);
  }

  template <typename T, typename... Values> T *make(const ts_host *host, const Values &...values) {
    T *made = bullet_create<T>(host, values...);
    shape = made;
    destroy = bullet_destroy<T>;
    return made;
  }
};

/// Heights are from the middle between the lowest and the highest.
inline bool make_heightfield(bullet_shape *s, const ts_host *host, const ts_heightfield *field) {
  double low = field->heights_m[0], high = low;
  for (size_t i = 1; i < field->row_count * field->column_count; i++) {
    low = btMin(low, field->heights_m[i]);
    high = btMax(high, field->heights_m[i]);
  }
  int columns = static_cast<int>(field->column_count), rows = static_cast<int>(field->row_count);
  btHeightfieldTerrainShape *shape = s->make<btHeightfieldTerrainShape>(
      host, columns, rows, field->heights_m, bullet_scalar(low), bullet_scalar(high), 1, true);
  if (!shape)
    return false;
  shape->setLocalScaling(
      btVector3(bullet_scalar(field->spacing_x_m), 1, bullet_scalar(field->spacing_z_m)));
  s->origin.setY(bullet_scalar(0.5 * (low + high)));
  return true;
}

/// Quantised, as Bullet advises, while its 21 bits for the number of a triangle suffice.
inline bool make_surface(bullet_shape *s, const ts_host *host, const ts_open_mesh *surface) {
  bool is_quantised = surface->triangle_count < (1 << 21);
  s->triangles.addIndexedMesh(bullet_view(surface), PHY_INTEGER);
  btStridingMeshInterface *triangles = &s->triangles;
  return s->make<btBvhTriangleMeshShape>(host, triangles, is_quantised) != nullptr;
}

inline bool make_native(bullet_shape *s, const ts_host *host, const ts_geometry *g, double margin) {
  btScalar radius = bullet_scalar(g->radius_m), length = bullet_scalar(2 * g->half_length_m);
  btVector3 half = bullet_vector(g->half_size_m);
  switch (g->kind) {
  case TS_GEOMETRY_SPHERE:
    return s->make<btSphereShape>(host, radius) != nullptr;
  case TS_GEOMETRY_CAPSULE:
    return s->make<btCapsuleShape>(host, radius, length) != nullptr;
  case TS_GEOMETRY_CYLINDER:
    half = btVector3(radius, bullet_scalar(g->half_length_m), radius);
    if (btCylinderShape *cylinder = s->make<btCylinderShape>(host, half))
      set_inner_margin(cylinder, half, margin);
    break;
  case TS_GEOMETRY_CONE:
    if (btConeShape *cone = s->make<btConeShape>(host, radius, length))
      cone->setMargin(bullet_scalar(margin));
    break;
  case TS_GEOMETRY_BOX:
    if (btBoxShape *box = s->make<btBoxShape>(host, half))
      set_inner_margin(box, half, margin);
    break;
  case TS_GEOMETRY_PLANE:
    return s->make<btStaticPlaneShape>(host, btVector3(0, 1, 0), bullet_scalar(0)) != nullptr;
  case TS_GEOMETRY_HEIGHTFIELD:
    return make_heightfield(s, host, g->heightfield);
  default:
    return make_surface(s, host, g->surface);
  }
  return s->shape != nullptr;
}

/// The shape of what the engine works on itself.
inline ts_status bullet_native(bullet_shape **out, const ts_host *host, const ts_geometry *g,
                               double margin) {
  const ts_heightfield *field = g->heightfield;
  if ((g->kind == TS_GEOMETRY_SURFACE && g->surface->triangle_count > INT_MAX) ||
      (field && field->row_count > INT_MAX / field->column_count))
    return host->fail(host, TS_E_UNSUPPORTED, "Bullet takes at most 2^31 triangles");
  bullet_shape *s = bullet_create<bullet_shape>(host);
  if (!s)
    return TS_E_MEMORY;
  if (!make_native(s, host, g, margin)) {
    bullet_destroy<bullet_shape>(s);
    return TS_E_MEMORY;
  }
  *out = s;
  return TS_OK;
}

inline bullet_shape *bullet_shape_of(const void *state) {
  // A Bullet object holds its shape as non-const, and does not change it.
  return static_cast<bullet_shape *>(const_cast<void *>(state));
}

} // namespace

#endif
