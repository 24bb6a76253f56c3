// SPDX-License-Identifier: MIT
/// Bullet's GImpact on two triangle meshes, or on one and a shape of Bullet's own, by calling its
/// algorithm (btCollisionWorld's contactPairTest() reports nothing for it). Two shapes of Bullet's
/// own are a pair for its other algorithms.
///
/// GImpact clips each pair of triangles whose enlarged boxes overlap, takes the points of one that
/// are deepest below the other's plane, and reports them as points on b, whichever body they are
/// on: if they are on a, its point on a and its point on b are both off by the depth. The adapter
/// does not correct that.
#include "methods/engines/bullet_pair.h"

#include <BulletCollision/Gimpact/btGImpactCollisionAlgorithm.h>
#include <BulletCollision/Gimpact/btGImpactShape.h>

namespace {

enum { MARGIN_M, CONTACTS, DILATION_M, SHAPES, PARAM_COUNT };

const char *const contacts_choices[] = {"manifold", "all", nullptr};

const ts_param params[PARAM_COUNT] = {
    {"margin_m",
     "setMargin(): how far the triangles of each body, and cones, are thickened; within boxes and "
     "cylinders, where it is a tenth of the smallest half length at most.",
     TS_PARAM_REAL, 1, 0.01, 0, 1, nullptr},
    {"contacts",
     "The manifold of at most four points that Bullet's solver gets, or all that GImpact finds.",
     TS_PARAM_CHOICE, 0, 0, 0, 0, contacts_choices},
    ENGINE_DILATION,
    ENGINE_SHAPES,
};

ts_status envelope(ts_envelope *out, const double *values) {
  return engine_envelope(out, values[DILATION_M], 2 * values[MARGIN_M]);
}

ts_status make_gimpact(bullet_shape **out, const ts_host *host, const ts_mesh *mesh,
                       double margin) {
  if (mesh->vertex_count > INT_MAX || mesh->triangle_count > INT_MAX)
    return host->fail(host, TS_E_UNSUPPORTED, "Bullet takes at most 2^31 triangles");
  bullet_shape *s = bullet_create<bullet_shape>(host);
  if (!s)
    return TS_E_MEMORY;
  s->triangles.addIndexedMesh(bullet_view(mesh), PHY_INTEGER);
  btStridingMeshInterface *triangles = &s->triangles;
  btGImpactMeshShape *shape = s->make<btGImpactMeshShape>(host, triangles);
  if (!shape) {
    bullet_destroy<bullet_shape>(s);
    return TS_E_MEMORY;
  }
  shape->setMargin(bullet_scalar(margin));
  shape->updateBound();
  *out = s;
  return TS_OK;
}

ts_status prepare_shape(void **out, const ts_host *host, const ts_mesh *mesh,
                        const double *values) {
  bullet_shape *s = nullptr;
  ts_status status = mesh->geometry ? bullet_native(&s, host, mesh->geometry, values[MARGIN_M])
                                    : make_gimpact(&s, host, mesh, values[MARGIN_M]);
  *out = s;
  return status;
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
  bullet_shape *a = bullet_shape_of(shape_a), *b = bullet_shape_of(shape_b);
  gimpact_pair *p = bullet_create<gimpact_pair>(host, a, b);
  if (!p)
    return TS_E_MEMORY;
  btGImpactCollisionAlgorithm::registerAlgorithm(&p->dispatcher);
  btCollisionObjectWrapper of_a = bullet_wrapper(&p->a), of_b = bullet_wrapper(&p->b);
  p->algorithm = p->dispatcher.findAlgorithm(&of_a, &of_b, nullptr, BT_CONTACT_POINT_ALGORITHMS);
  *out = p;
  return TS_OK;
}

/// Receives all contacts that are added to the manifold, in its order of the bodies.
struct all_contacts : btManifoldResult {
  gimpact_pair *pair;

  all_contacts(const btCollisionObjectWrapper *a, const btCollisionObjectWrapper *b,
               gimpact_pair *p)
      : btManifoldResult(a, b), pair(p) {}

  void addContactPoint(const btVector3 &normal_on_b, const btVector3 &on_b,
                       btScalar distance) override {
    ts_contact contact = bullet_contact(on_b + normal_on_b * distance, on_b, normal_on_b, distance);
    bool is_turned = getPersistentManifold()->getBody0() == &pair->b;
    pair->found.push_back(is_turned ? bullet_turned(contact) : contact);
  }
};

ts_status generate(const ts_host *host, const ts_pair *pair, const void *, const void *,
                   void *state, const double *values) {
  gimpact_pair *p = static_cast<gimpact_pair *>(state);
  p->place(pair);
  btCollisionObjectWrapper a = bullet_wrapper(&p->a), b = bullet_wrapper(&p->b);
  btDispatcherInfo info;
  btManifoldArray manifolds;
  p->algorithm->getAllContactManifolds(manifolds);
  if (manifolds.size() > 0)
    manifolds[0]->clearManifold();
  if (values[CONTACTS] > 0) {
    p->found.resize(0);
    all_contacts result(&a, &b, p);
    p->algorithm->processCollision(&a, &b, info, &result);
    return host->push(host, p->found.size() > 0 ? &p->found[0] : nullptr,
                      static_cast<size_t>(p->found.size()));
  }
  btManifoldResult result(&a, &b);
  p->algorithm->processCollision(&a, &b, info, &result);
  // GImpact's is a new one in each call.
  manifolds.resize(0);
  p->algorithm->getAllContactManifolds(manifolds);
  return manifolds.size() > 0 ? bullet_push(host, p, manifolds[0]) : TS_OK;
}

const ts_taxonomy taxonomy = {TS_LOCALITY_LOCAL,   TS_TESTING_SURFACE,
                              TS_EXACTNESS_EXACT,  TS_NORMALS_FEATURES,
                              TS_INSTANT_DISCRETE, TS_SUPPORT_FULL,
                              TS_SUPPORT_NONE,     TS_SUPPORT_EFFORT,
                              TS_SUPPORT_EFFORT,   "At most four contacts a pair of bodies"};

const ts_method method = {TS_METHOD_ABI,
                          sizeof(ts_method),
                          "bullet_gimpact",
                          "Bullet's GImpact on triangle meshes, and its own shapes, in double "
                          "precision, in the world frame.",
                          BULLET_BUILD " (" TS_ENGINE_PACKAGE ")",
                          TS_NEEDS_CLOSED,
                          TS_GIVES_GAP,
                          params,
                          PARAM_COUNT,
                          envelope,
                          prepare_shape,
                          prepare_pair,
                          generate,
                          bullet_destroy<bullet_shape>,
                          bullet_destroy<gimpact_pair>,
                          &taxonomy,
                          0, // keeps no state
                          nullptr,
                          BULLET_TAKES,
                          ENGINE_SHAPES_NAME};

const ts_method *const methods[] = {&method, nullptr};

} // namespace

const ts_method *const *touchstone_methods(void) {
  return methods;
}
