// SPDX-License-Identifier: MIT
/// Bullet's GImpact on two triangle meshes, by calling its algorithm (btCollisionWorld's
/// contactPairTest() reports nothing for it).
///
/// GImpact clips each pair of triangles whose enlarged boxes overlap, takes the points of one that
/// are deepest below the other's plane, and reports them as points on b, whichever body they are
/// on: if they are on a, its point on a and its point on b are both off by the depth. The adapter
/// does not correct that.
#include "methods/engines/bullet_pair.h"

#include <BulletCollision/Gimpact/btGImpactCollisionAlgorithm.h>
#include <BulletCollision/Gimpact/btGImpactShape.h>
#include <climits>

namespace {

enum { MARGIN_M, CONTACTS, DILATION_M, PARAM_COUNT };

const char *const contacts_choices[] = {"manifold", "all", nullptr};

const ts_param params[PARAM_COUNT] = {
    {"margin_m", "setMargin(): how far the triangles of each body are thickened.", TS_PARAM_REAL, 1,
     0.01, 0, 1, nullptr},
    {"contacts",
     "The manifold of at most four points that Bullet's solver gets, or all that GImpact finds.",
     TS_PARAM_CHOICE, 0, 0, 0, 0, contacts_choices},
    ENGINE_DILATION,
};

ts_status envelope(ts_envelope *out, const double *values) {
  return engine_envelope(out, values[DILATION_M], 2 * values[MARGIN_M]);
}

struct mesh_shape {
  btTriangleIndexVertexArray triangles;
  btGImpactMeshShape *shape = nullptr;

  ~mesh_shape() { bullet_destroy<btGImpactMeshShape>(shape); }
};

btIndexedMesh view_of(const ts_mesh *mesh) {
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

ts_status prepare_shape(void **out, const ts_host *host, const ts_mesh *mesh,
                        const double *values) {
  if (mesh->vertex_count > INT_MAX || mesh->triangle_count > INT_MAX)
    return host->fail(host, TS_E_UNSUPPORTED, "Bullet takes at most 2^31 triangles");
  mesh_shape *s = bullet_create<mesh_shape>(host);
  if (!s)
    return TS_E_MEMORY;
  s->triangles.addIndexedMesh(view_of(mesh), PHY_INTEGER);
  btStridingMeshInterface *triangles = &s->triangles;
  s->shape = bullet_create<btGImpactMeshShape>(host, triangles);
  if (!s->shape) {
    bullet_destroy<mesh_shape>(s);
    return TS_E_MEMORY;
  }
  s->shape->setMargin(bullet_scalar(values[MARGIN_M]));
  s->shape->updateBound();
  *out = s;
  return TS_OK;
}

struct gimpact_pair : bullet_pair {
  btCollisionAlgorithm *algorithm = nullptr;
  btAlignedObjectArray<ts_contact> found;

  using bullet_pair::bullet_pair;
  ~gimpact_pair() {
    algorithm->~btCollisionAlgorithm();
    dispatcher.freeCollisionAlgorithm(algorithm);
  }
};

ts_status prepare_pair(void **out, const ts_host *host, const ts_pair *, const void *shape_a,
                       const void *shape_b, const double *) {
  btCollisionShape *a = static_cast<const mesh_shape *>(shape_a)->shape;
  btCollisionShape *b = static_cast<const mesh_shape *>(shape_b)->shape;
  gimpact_pair *p = bullet_create<gimpact_pair>(host, a, b);
  if (!p)
    return TS_E_MEMORY;
  btGImpactCollisionAlgorithm::registerAlgorithm(&p->dispatcher);
  btCollisionObjectWrapper of_a = bullet_wrapper(&p->a), of_b = bullet_wrapper(&p->b);
  p->algorithm = p->dispatcher.findAlgorithm(&of_a, &of_b, nullptr, BT_CONTACT_POINT_ALGORITHMS);
  *out = p;
  return TS_OK;
}

/// Receives all contacts that GImpact adds to the manifold.
struct all_contacts : btManifoldResult {
  btAlignedObjectArray<ts_contact> *found;

  all_contacts(const btCollisionObjectWrapper *a, const btCollisionObjectWrapper *b,
               btAlignedObjectArray<ts_contact> *into)
      : btManifoldResult(a, b), found(into) {}

  void addContactPoint(const btVector3 &normal_on_b, const btVector3 &on_b,
                       btScalar distance) override {
    found->push_back(bullet_contact(on_b + normal_on_b * distance, on_b, normal_on_b, distance));
  }
};

ts_status generate(const ts_host *host, const ts_pair *pair, const void *, const void *,
                   void *state, const double *values) {
  gimpact_pair *p = static_cast<gimpact_pair *>(state);
  p->place(pair);
  btCollisionObjectWrapper a = bullet_wrapper(&p->a), b = bullet_wrapper(&p->b);
  btDispatcherInfo info;
  if (values[CONTACTS] > 0) {
    p->found.resize(0);
    all_contacts result(&a, &b, &p->found);
    p->algorithm->processCollision(&a, &b, info, &result);
    return host->push(host, p->found.size() > 0 ? &p->found[0] : nullptr,
                      static_cast<size_t>(p->found.size()));
  }
  // The algorithm releases its manifold at the start of each call.
  btManifoldResult result(&a, &b);
  p->algorithm->processCollision(&a, &b, info, &result);
  btManifoldArray manifolds;
  p->algorithm->getAllContactManifolds(manifolds);
  return manifolds.size() > 0 ? bullet_push(host, manifolds[0]) : TS_OK;
}

const ts_taxonomy taxonomy = {TS_LOCALITY_LOCAL,   TS_TESTING_SURFACE,
                              TS_EXACTNESS_EXACT,  TS_NORMALS_FEATURES,
                              TS_INSTANT_DISCRETE, TS_SUPPORT_FULL,
                              TS_SUPPORT_NONE,     TS_SUPPORT_EFFORT,
                              TS_SUPPORT_EFFORT,   "At most four contacts a pair of bodies"};

const ts_method method = {TS_METHOD_ABI,
                          sizeof(ts_method),
                          "bullet_gimpact",
                          "Bullet's GImpact on triangle meshes in double precision, in the world "
                          "frame.",
                          BULLET_BUILD " (" TS_ENGINE_PACKAGE ")",
                          TS_NEEDS_CLOSED,
                          TS_GIVES_GAP,
                          params,
                          PARAM_COUNT,
                          envelope,
                          prepare_shape,
                          prepare_pair,
                          generate,
                          bullet_destroy<mesh_shape>,
                          bullet_destroy<gimpact_pair>,
                          &taxonomy,
                          0, // keeps no state
                          nullptr,
                          0};

const ts_method *const methods[] = {&method, nullptr};

} // namespace

const ts_method *const *touchstone_methods(void) {
  return methods;
}
