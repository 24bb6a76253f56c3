// SPDX-License-Identifier: MIT
/// ODE's geoms for the kinds of geometry that it has, and where they are in a body's frame: its
/// capsules and cylinders are along z, its height fields have y up and cells cut the other way, and
/// a plane has no frame.
#ifndef TS_METHODS_ODE_GEOM_H
#define TS_METHODS_ODE_GEOM_H

#include "geometry/pose.h"
#include "methods/engines/engine_shapes.h"
#include "methods/method.h"

#include <ode/ode.h>

#define ODE_TAKES                                                                                  \
  (ENGINE_TAKES_ROUND | TS_TAKES(TS_GEOMETRY_BOX) | TS_TAKES(TS_GEOMETRY_PLANE) |                  \
   TS_TAKES(TS_GEOMETRY_HEIGHTFIELD) | TS_TAKES(TS_GEOMETRY_SURFACE))

/// What the geoms of a shape share; NULL what its kind does not have.
typedef struct ode_shape {
  const ts_mesh *mesh;
  dTriMeshDataID triangles;
  dHeightfieldDataID heights;
} ode_shape;

static ts_status ode_prepare_triangles(ode_shape *s, const ts_host *host, const ts_vec3 *vertices,
                                       size_t vertex_count, const uint32_t (*triangles)[3],
                                       size_t triangle_count) {
  if (vertex_count > INT32_MAX || triangle_count > INT32_MAX / 3)
    return host->fail(host, TS_E_UNSUPPORTED, "ODE takes at most 2^31 / 3 triangles");
  s->triangles = dGeomTriMeshDataCreate();
  // ODE keeps the pointers; vertices and triangles stay valid until the shape is released.
  dGeomTriMeshDataBuildDouble(s->triangles, vertices, sizeof *vertices, (int)vertex_count,
                              triangles, (int)(3 * triangle_count), sizeof *triangles);
  return TS_OK;
}

/// ODE cuts a cell between the other two corners: turned by 90 degrees it cuts ours. Its x is our
/// -z, and its z our x.
static ts_status ode_prepare_heights(ode_shape *s, const ts_host *host,
                                     const ts_heightfield *field) {
  size_t rows = field->row_count, columns = field->column_count;
  if (rows > INT32_MAX / columns)
    return host->fail(host, TS_E_UNSUPPORTED, "ODE takes at most 2^31 heights");
  double *heights = host->alloc(host, rows * columns * sizeof *heights);
  if (!heights)
    return host->fail(host, TS_E_MEMORY, "out of memory");
  for (size_t row = 0; row < rows; row++)
    for (size_t column = 0; column < columns; column++)
      heights[rows - 1 - row + column * rows] = field->heights_m[row * columns + column];
  double width_m = (double)(rows - 1) * field->spacing_z_m;
  double depth_m = (double)(columns - 1) * field->spacing_x_m;
  s->heights = dGeomHeightfieldDataCreate();
  // All of a body below the surface is in it, however deep.
  dGeomHeightfieldDataBuildDouble(s->heights, heights, 0, width_m, depth_m, (int)rows, (int)columns,
                                  1, 0, width_m + depth_m, 0);
  return TS_OK;
}

static ts_status ode_prepare_data(ode_shape *s, const ts_host *host, const ts_mesh *mesh) {
  s->mesh = mesh;
  switch (engine_kind(mesh)) {
  case TS_GEOMETRY_MESH:
    return ode_prepare_triangles(s, host, mesh->vertices, mesh->vertex_count, mesh->triangles,
                                 mesh->triangle_count);
  case TS_GEOMETRY_SURFACE: {
    const ts_open_mesh *open = mesh->geometry->surface;
    return ode_prepare_triangles(s, host, open->vertices, open->vertex_count, open->triangles,
                                 open->triangle_count);
  }
  case TS_GEOMETRY_HEIGHTFIELD:
    return ode_prepare_heights(s, host, mesh->geometry->heightfield);
  default:
    return TS_OK;
  }
}

static void ode_release_data(ode_shape *s) {
  if (s->triangles)
    dGeomTriMeshDataDestroy(s->triangles);
  if (s->heights)
    dGeomHeightfieldDataDestroy(s->heights);
}

static dGeomID ode_create_geom(const ode_shape *s) {
  const ts_geometry *g = s->mesh->geometry;
  switch (engine_kind(s->mesh)) {
  case TS_GEOMETRY_SPHERE:
    return dCreateSphere(0, g->radius_m);
  case TS_GEOMETRY_CAPSULE:
    return dCreateCapsule(0, g->radius_m, 2 * g->half_length_m);
  case TS_GEOMETRY_CYLINDER:
    return dCreateCylinder(0, g->radius_m, 2 * g->half_length_m);
  case TS_GEOMETRY_BOX:
    return dCreateBox(0, 2 * g->half_size_m.x, 2 * g->half_size_m.y, 2 * g->half_size_m.z);
  case TS_GEOMETRY_PLANE:
    return dCreatePlane(0, 0, 1, 0, 0);
  case TS_GEOMETRY_HEIGHTFIELD:
    return dCreateHeightfield(0, s->heights, 1);
  default:
    return dCreateTriMesh(0, s->triangles, NULL, NULL, NULL);
  }
}

/// Rotation of a geom in the body's frame.
static ts_quat ode_turn(int32_t kind) {
  if (kind == TS_GEOMETRY_CAPSULE || kind == TS_GEOMETRY_CYLINDER)
    return engine_turn_of_z();
  return kind == TS_GEOMETRY_HEIGHTFIELD ? (ts_quat){M_SQRT1_2, 0, M_SQRT1_2, 0}
                                         : (ts_quat){1, 0, 0, 0};
}

static void ode_place(dGeomID geom, int32_t kind, ts_pose pose) {
  if (kind == TS_GEOMETRY_PLANE) {
    ts_vec3 up = ts_quat_rotate(pose.rotation, ts_vec3_make(0, 1, 0));
    dGeomPlaneSetParams(geom, up.x, up.y, up.z, ts_vec3_dot(up, pose.translation));
    return;
  }
  ts_quat q = ts_quat_mul(pose.rotation, ode_turn(kind));
  dGeomSetPosition(geom, pose.translation.x, pose.translation.y, pose.translation.z);
  dGeomSetQuaternion(geom, (const dQuaternion){q.w, q.x, q.y, q.z});
}

#endif
