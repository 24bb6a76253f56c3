// SPDX-License-Identifier: MIT
/// Convex polyhedra against each other as rigid body engines do it: the separating axis test, then
/// the incident face clipped by the reference face, then four points of all. docs/rivals.md.
#include "base/status.h"
#include "geometry/contact_reduce.h"
#include "methods/contact_batch.h"
#include "methods/hull_clip/clip_manifold.h"

enum { PARAM_SPECULATIVE, PARAM_PREFER_FACE, PARAM_MAX_POINTS, PARAM_COUNT };

static const ts_param params_of_hull_clip[PARAM_COUNT] = {
    [PARAM_SPECULATIVE] = {.name = "speculative_m",
                           .summary = "Largest gap of a contact; positive ones are ahead of a "
                                      "touch.",
                           .kind = TS_PARAM_REAL,
                           .is_length = 1,
                           .default_value = 0.02,
                           .minimum = 0,
                           .maximum = 1e6},
    [PARAM_PREFER_FACE] = {.name = "prefer_face_m",
                           .summary = "By how much the gap along a cross product of edges has to "
                                      "be above that along the normal of a face to be used.",
                           .kind = TS_PARAM_REAL,
                           .is_length = 1,
                           .default_value = 0.0025,
                           .minimum = 0,
                           .maximum = 1e6},
    [PARAM_MAX_POINTS] = {.name = "max_points",
                          .summary = "Most contacts of a pair of convex bodies or pieces: the "
                                     "deepest, then those that span the most; 0: all.",
                          .kind = TS_PARAM_INTEGER,
                          .default_value = 4,
                          .minimum = 0,
                          .maximum = 1000},
};

static ts_status envelope(ts_envelope *out, const double *params) {
  *out = (ts_envelope){.kind = TS_ENVELOPE_NONE, .reach_m = params[PARAM_SPECULATIVE]};
  return TS_OK;
}

static ts_status prepare_shape(void **out, const ts_host *host, const ts_mesh *mesh,
                               const double *params) {
  (void)params;
  ts_clip_shape *shape;
  ts_status status = ts_clip_shape_create(&shape, mesh);
  if (status != TS_OK)
    return host->fail(host, status, ts_status_detail());
  *out = shape;
  return TS_OK;
}

static void release_shape(void *shape) {
  ts_clip_shape_destroy(shape);
}

/// The contacts along the best axis. An axis of a face whose clipped face has nothing left, which
/// is possible where one of edges is a little better, gives way to that.
static ts_status find_contacts(ts_clip_contacts *out, const ts_clip_pair *pair,
                               const double *params) {
  double reach_m = params[PARAM_SPECULATIVE];
  ts_clip_face_axis face;
  ts_clip_edge_axis edge;
  bool has_edge;
  *out = (ts_clip_contacts){.count = 0};
  TS_TRY(ts_clip_find_face_axis(&face, pair));
  if (!(face.gap_m <= reach_m + pair->touch_m))
    return TS_OK;
  TS_TRY(ts_clip_find_edge_axis(&edge, &has_edge, pair, &face, params[PARAM_PREFER_FACE]));
  if (!has_edge) {
    TS_TRY(ts_clip_faces(out, pair, &face, reach_m + pair->touch_m));
    if (out->count > 0)
      return TS_OK;
    TS_TRY(ts_clip_find_edge_axis(&edge, &has_edge, pair, &face, 0));
  }
  return has_edge ? ts_clip_edges(out, pair, &edge, reach_m + pair->touch_m) : TS_OK;
}

/// Reduces in the order of the clipped corners, which the world frame has no part in.
static ts_status reduce(ts_clip_contacts *contacts, const ts_pair *pair, const ts_host *host,
                        size_t points) {
  if (points == 0 || contacts->count <= points)
    return TS_OK;
  size_t *chosen = host->scratch(host, points * sizeof *chosen);
  if (!chosen)
    return TS_E_MEMORY;
  size_t count =
      ts_contacts_reduce(chosen, contacts->contacts, contacts->count, points, pair->size_m);
  for (size_t i = 0; i < count; i++) // ascending
    contacts->contacts[i] = contacts->contacts[chosen[i]];
  contacts->count = count;
  return TS_OK;
}

/// From bodies 0 and 1 to a and b.
static ts_contact as_of_pair(const ts_clip_pair *pair, ts_contact contact) {
  ts_feature of_first = contact.feature_a;
  if (pair->is_swapped) {
    contact.normal = ts_vec3_neg(contact.normal);
    contact.feature_a = contact.feature_b;
    contact.feature_b = of_first;
  }
  return contact;
}

static ts_status generate(const ts_host *host, const ts_pair *pair, const void *shape_a,
                          const void *shape_b, void *pair_state, const double *params) {
  (void)pair_state;
  ts_clip_pair bodies;
  ts_clip_contacts found;
  TS_TRY(ts_clip_pair_create(&bodies, host, pair, shape_a, shape_b));
  TS_TRY(find_contacts(&found, &bodies, params));
  TS_TRY(reduce(&found, pair, host, (size_t)params[PARAM_MAX_POINTS]));
  ts_contact_batch batch;
  ts_contact_batch_begin(&batch, host, bodies.frame_to_world);
  for (size_t i = 0; i < found.count; i++) {
    ts_contact contact = as_of_pair(&bodies, found.contacts[i]);
    TS_TRY(ts_contact_batch_push(&batch, &contact));
  }
  return ts_contact_batch_end(&batch);
}

static const ts_taxonomy taxonomy_of_hull_clip = {
    .locality = TS_LOCALITY_GLOBAL,
    .testing = TS_TESTING_SURFACE,
    .exactness = TS_EXACTNESS_EXACT,
    .normals = TS_NORMALS_FEATURES,
    .instant = TS_INSTANT_DISCRETE,
    .exact = TS_SUPPORT_FULL,
    .continuous = TS_SUPPORT_EFFORT,
    .deformable = TS_SUPPORT_NONE,
    .topology = TS_SUPPORT_NONE,
    .limits = "Convex bodies, or convex pieces: seams between them show",
};

extern const ts_method ts_method_hull_clip;
const ts_method ts_method_hull_clip = {
    .abi = TS_METHOD_ABI,
    .struct_size = sizeof(ts_method),
    .name = "hull_clip",
    .summary = "Separating axes of two convex polyhedra, then the incident face clipped by the "
               "reference face, and four points of it: what most rigid body engines do.",
    .source = "Box3D, Jolt, PhysX: manifolds of convex hulls; docs/rivals.md",
    .needs = TS_NEEDS_CLOSED | TS_NEEDS_CONVEX,
    .gives = TS_GIVES_GAP | TS_GIVES_FEATURES,
    .params = params_of_hull_clip,
    .param_count = PARAM_COUNT,
    .envelope = envelope,
    .prepare_shape = prepare_shape,
    .generate = generate,
    .release_shape = release_shape,
    .taxonomy = &taxonomy_of_hull_clip,
};
