// SPDX-License-Identifier: MIT
/// Bullet's collision of two convex hulls or of its own shapes, as its dispatcher chooses, in
/// double and in single precision: one file, built twice.
///
/// Bullet keeps a pair's manifold from step to step and, with GJK, adds one point a step: a body
/// that moves a little collects four. manifold=kept does the same. By default every call starts
/// with an empty manifold, so that the contacts depend on the poses alone: this measures one step
/// of bodies that have just met. perturbation_iterations and polyhedral_features produce more
/// points in one step.
#include "methods/engines/bullet_pair.h"

#include <BulletCollision/CollisionDispatch/btInternalEdgeUtility.h>
#include <cstring>

namespace {

enum {
  MARGIN_M,
  FEATURES,
  SAT,
  PERTURBATION,
  PERTURBATION_POINTS,
  BREAKING,
  MANIFOLD,
  DILATION_M,
  SHAPES,
  EDGES,
  PARAM_COUNT
};

const char *const no_yes[] = {"no", "yes", nullptr};
const char *const manifold_choices[] = {"renewed", "kept", nullptr};
const char *const edge_choices[] = {"found", "adjusted", nullptr};

const ts_param params[PARAM_COUNT] = {
    {"margin_m",
     "setMargin(): how far hulls and cones are rounded and enlarged; within boxes and cylinders, "
     "where it is a tenth of the smallest half length at most.",
     TS_PARAM_REAL, 1, 0.04, 0, 1, nullptr},
    {"polyhedral_features", "initializePolyhedralFeatures(): faces are clipped against each other.",
     TS_PARAM_CHOICE, 0, 0, 0, 0, no_yes},
    {"sat", "m_enableSatConvex: the separating axis test instead of GJK, with polyhedral_features.",
     TS_PARAM_CHOICE, 0, 0, 0, 0, no_yes},
    {"perturbation_iterations",
     "m_numPerturbationIterations: GJK again with the bodies turned a little, without "
     "polyhedral_features.",
     TS_PARAM_INTEGER, 0, 0, 0, 64, nullptr},
    {"perturbation_points",
     "m_minimumPointsPerturbationThreshold: bodies are turned while the manifold has fewer points.",
     TS_PARAM_INTEGER, 0, 0, 0, MANIFOLD_CACHE_SIZE, nullptr},
    {"breaking_threshold",
     "gContactBreakingThreshold, times the radius of the smaller body: points closer than this are "
     "one, and a distance up to this makes a contact.",
     TS_PARAM_REAL, 0, 0.02, 0, 1, nullptr},
    {"manifold",
     "Built anew for each pose, or kept from one to the next as in Bullet's worlds: its points "
     "move "
     "with the bodies until they are breaking_threshold apart.",
     TS_PARAM_CHOICE, 0, 0, 0, 0, manifold_choices},
    ENGINE_DILATION,
    ENGINE_SHAPES,
    {"internal_edges",
     "Contacts with edges inside a surface or a height field as they are found, or turned by "
     "btAdjustInternalEdgeContacts() to the normals of its triangles.",
     TS_PARAM_CHOICE, 0, 0, 0, 0, edge_choices},
};

/// Bullet also finds contacts of enlarged hulls that are apart, up to its threshold, which is
/// relative to bodies that are unknown here. So the reach covers enlarged hulls that may touch.
ts_status envelope(ts_envelope *out, const double *values) {
  return engine_envelope(out, values[DILATION_M], 2 * values[MARGIN_M]);
}

ts_status make_hull(bullet_shape **out, const ts_host *host, const ts_mesh *mesh, double margin) {
  if (mesh->vertex_count > INT_MAX)
    return host->fail(host, TS_E_UNSUPPORTED, "Bullet takes at most 2^31 vertices");
  bullet_shape *s = bullet_create<bullet_shape>(host);
  btConvexHullShape *hull = s ? s->make<btConvexHullShape>(host) : nullptr;
  if (!hull) {
    bullet_destroy<bullet_shape>(s);
    return TS_E_MEMORY;
  }
  for (size_t i = 0; i < mesh->vertex_count; i++)
    hull->addPoint(bullet_vector(mesh->vertices[i]), false);
  hull->setMargin(bullet_scalar(margin));
  hull->recalcLocalAabb();
  *out = s;
  return TS_OK;
}

/// For shapes of triangles.
void find_edges(bullet_shape *s) {
  int type = s->shape->getShapeType();
  if (type == TRIANGLE_MESH_SHAPE_PROXYTYPE)
    btGenerateInternalEdgeInfo(static_cast<btBvhTriangleMeshShape *>(s->shape), &s->edges);
  if (type == TERRAIN_SHAPE_PROXYTYPE)
    btGenerateInternalEdgeInfo(static_cast<btHeightfieldTerrainShape *>(s->shape), &s->edges);
}

ts_status prepare_shape(void **out, const ts_host *host, const ts_mesh *mesh,
                        const double *values) {
  bullet_shape *s = nullptr;
  ts_status status = mesh->geometry ? bullet_native(&s, host, mesh->geometry, values[MARGIN_M])
                                    : make_hull(&s, host, mesh, values[MARGIN_M]);
  if (status != TS_OK)
    return status;
  if (values[FEATURES] > 0 && s->shape->isPolyhedral())
    static_cast<btPolyhedralConvexShape *>(s->shape)->initializePolyhedralFeatures();
  if (values[EDGES] > 0)
    find_edges(s);
  *out = s;
  return TS_OK;
}

/// Bullet turns contacts in a global callback.
bool turn_at_edges(btManifoldPoint &point, const btCollisionObjectWrapper *a, int part_a,
                   int index_a, const btCollisionObjectWrapper *b, int part_b, int index_b) {
  // Only that of a triangle has an effect.
  btAdjustInternalEdgeContacts(point, a, b, part_a, index_a);
  btAdjustInternalEdgeContacts(point, b, a, part_b, index_b);
  return true;
}

/// The callback, while this lives.
struct edge_callback {
  ContactAddedCallback before = gContactAddedCallback;

  explicit edge_callback(bool adjusts) {
    if (adjusts)
      gContactAddedCallback = turn_at_edges;
  }
  ~edge_callback() { gContactAddedCallback = before; }
};

struct hull_pair : bullet_pair {
  btPersistentManifold *given = nullptr;
  btCollisionAlgorithm *algorithm = nullptr;
  /// What the algorithm fills: `given`, or its own if it makes one for triangles.
  btPersistentManifold *manifold = nullptr;
  btDispatcherInfo info;
  /// Poses of the last answer, which is the manifold as it is; only while `is_answered`.
  ts_pose answered[2];
  bool is_answered = false;

  using bullet_pair::bullet_pair;
  ~hull_pair() {
    algorithm->~btCollisionAlgorithm();
    dispatcher.freeCollisionAlgorithm(algorithm);
    dispatcher.releaseManifold(given);
  }
};

ts_status prepare_pair(void **out, const ts_host *host, const ts_pair *, const void *shape_a,
                       const void *shape_b, const double *values) {
  bullet_shape *a = bullet_shape_of(shape_a), *b = bullet_shape_of(shape_b);
  hull_pair *p = bullet_create<hull_pair>(host, a, b);
  if (!p)
    return TS_E_MEMORY;
  p->info.m_enableSatConvex = values[SAT] > 0;
  p->a.setCollisionFlags(p->a.getCollisionFlags() | btCollisionObject::CF_CUSTOM_MATERIAL_CALLBACK);
  p->configuration.setConvexConvexMultipointIterations(
      static_cast<int>(values[PERTURBATION]), static_cast<int>(values[PERTURBATION_POINTS]));
  p->configuration.setPlaneConvexMultipointIterations(
      static_cast<int>(values[PERTURBATION]), static_cast<int>(values[PERTURBATION_POINTS]));
  p->given = p->manifold = p->dispatcher.getNewManifold(&p->a, &p->b);
  btCollisionObjectWrapper of_a = bullet_wrapper(&p->a), of_b = bullet_wrapper(&p->b);
  p->algorithm = p->dispatcher.findAlgorithm(&of_a, &of_b, p->given, BT_CONTACT_POINT_ALGORITHMS);
  btManifoldArray own;
  p->algorithm->getAllContactManifolds(own);
  if (own.size() > 0)
    p->manifold = own[0];
  // As in getNewManifold(), without changing the global.
  btScalar breaking = bullet_scalar(values[BREAKING]);
  p->manifold->setContactBreakingThreshold(btMin(a->shape->getContactBreakingThreshold(breaking),
                                                 b->shape->getContactBreakingThreshold(breaking)));
  *out = p;
  return TS_OK;
}

/// Whether the poses are those of the last answer, bit for bit, which they are from now on.
bool is_asked_again(hull_pair *p, const ts_pair *pair) {
  const ts_pose poses[2] = {pair->pose_a, pair->pose_b};
  bool is_again = p->is_answered && std::memcmp(poses, p->answered, sizeof poses) == 0;
  std::memcpy(p->answered, poses, sizeof poses);
  p->is_answered = true;
  return is_again;
}

ts_status generate(const ts_host *host, const ts_pair *pair, const void *, const void *,
                   void *state, const double *values) {
  hull_pair *p = static_cast<hull_pair *>(state);
  bool keeps = values[MANIFOLD] > 0;
  // Another call would add a point, though no time has passed.
  if (keeps && is_asked_again(p, pair))
    return bullet_push(host, p, p->manifold);
  p->place(pair);
  if (!keeps)
    p->manifold->clearManifold();
  btCollisionObjectWrapper a = bullet_wrapper(&p->a), b = bullet_wrapper(&p->b);
  btManifoldResult result(&a, &b);
  result.setPersistentManifold(p->manifold);
  edge_callback callback(values[EDGES] > 0);
  p->algorithm->processCollision(&a, &b, p->info, &result);
  // An algorithm refreshes only a manifold of its own.
  result.refreshContactPoints();
  return bullet_push(host, p, p->manifold);
}

const ts_taxonomy taxonomy = {
    TS_LOCALITY_GLOBAL,       TS_TESTING_SURFACE,
    TS_EXACTNESS_APPROXIMATE, TS_NORMALS_CLOSEST_POINTS | TS_NORMALS_FEATURES,
    TS_INSTANT_DISCRETE,      TS_SUPPORT_EFFORT,
    TS_SUPPORT_FULL,          TS_SUPPORT_NONE,
    TS_SUPPORT_NONE,          "Convex bodies; at most four contacts"};

const ts_method method = {TS_METHOD_ABI,
                          sizeof(ts_method),
#ifdef BT_USE_DOUBLE_PRECISION
                          "bullet_hull",
                          "Bullet's convex hulls and own shapes in double precision, in the world "
                          "frame.",
#else
                          "bullet_hull_f32",
                          "Bullet's convex hulls and own shapes in single precision, in the world "
                          "frame, which rounds bodies far from the origin.",
#endif
                          BULLET_BUILD " (" TS_ENGINE_PACKAGE ")",
                          TS_NEEDS_CONVEX,
                          TS_GIVES_GAP,
                          params,
                          PARAM_COUNT,
                          envelope,
                          prepare_shape,
                          prepare_pair,
                          generate,
                          bullet_destroy<bullet_shape>,
                          bullet_destroy<hull_pair>,
                          &taxonomy,
                          1, // keeps state
                          "manifold",
                          BULLET_TAKES,
                          ENGINE_SHAPES_NAME};

const ts_method *const methods[] = {&method, nullptr};

} // namespace

const ts_method *const *touchstone_methods(void) {
  return methods;
}
