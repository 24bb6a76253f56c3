// SPDX-License-Identifier: MIT
/// Semi-local contacts: normals from the cones of both surfaces around a place instead of from one
/// pair of elements. docs/semi_local.md has the idea, each step, each tolerance and the limits;
/// find_contacts() and generate() below are the list of the stages.
#include "methods/semi_local/semi_beside.h"
#include "methods/semi_local/semi_convex.h"
#include "methods/semi_local/semi_penetration.h"
#include "methods/semi_local/semi_reduce.h"

#include "base/status.h"
#include "methods/contact_batch.h"
#include "methods/patch_feature.h"

/// Where bodies overlap without a contact, how much deeper to look, and how often to look farther
/// around.
#define TS_SEMI_RETRY_DEPTH 2
enum { RETRIES_MAX = 3 };

enum {
  PARAM_GAP,
  PARAM_DEPTH,
  PARAM_SNAP,
  PARAM_FLAT,
  PARAM_ANGLE,
  PARAM_SLACK,
  PARAM_HORIZON,
  PARAM_ALTERNATIVES,
  PARAM_COUNT
};

static const char *const alternatives_names[] = {"one", "all", NULL};

static const ts_param params_of_semi_local[PARAM_COUNT] = {
    [PARAM_GAP] = {.name = "gap_m",
                   .summary = "Largest gap of a contact; positive ones are ahead of a touch.",
                   .is_length = 1,
                   .default_value = 0.02,
                   .minimum = 0,
                   .maximum = 1e6},
    [PARAM_DEPTH] = {.name = "depth_m",
                     .summary = "Largest overlap of a contact.",
                     .is_length = 1,
                     .default_value = 0.05,
                     .minimum = 0,
                     .maximum = 1e6},
    [PARAM_SNAP] = {.name = "snap_relative",
                    .summary = "Length within which points are one, of the pair's size; ten times "
                               "the noise of coordinates.",
                    .default_value = 1e-5,
                    .minimum = 1e-9,
                    .maximum = 1e-2},
    [PARAM_FLAT] = {.name = "flat_relative",
                    .summary = "How far the corners of a flat patch lie from one plane, of the "
                               "shape's size; ten times the noise of coordinates.",
                    .default_value = 1e-5,
                    .minimum = 1e-9,
                    .maximum = 1e-2},
    [PARAM_ANGLE] = {.name = "angle_deg",
                     .summary = "Angle up to which two faces lie on each other.",
                     .default_value = 1,
                     .minimum = 0.01,
                     .maximum = 30},
    [PARAM_SLACK] = {.name = "slack",
                     .summary = "How far around a site features count, in distances of the "
                                "bodies there.",
                     .default_value = 2,
                     .minimum = 0,
                     .maximum = 100},
    [PARAM_HORIZON] = {.name = "horizon_s",
                       .summary = "How far ahead the time of impact is looked for where one of "
                                  "several normals will do.",
                       .default_value = 0.01,
                       .minimum = 0,
                       .maximum = 10},
    [PARAM_ALTERNATIVES] = {.name = "alternatives",
                            .summary = "Where one of several normals will do: the one that the "
                                       "velocity asks for, or all of them, at one point.",
                            .kind = TS_PARAM_CHOICE,
                            .default_value = 0,
                            .choices = alternatives_names},
};

static ts_status envelope(ts_envelope *out, const double *params) {
  *out = (ts_envelope){.kind = TS_ENVELOPE_NONE, .reach_m = params[PARAM_GAP]};
  return TS_OK;
}

static ts_status prepare_shape(void **out, const ts_host *host, const ts_mesh *mesh,
                               const double *params) {
  (void)host;
  ts_semi_shape *shape;
  double flat_m = params[PARAM_FLAT] * ts_aabb_extent(ts_mesh_bounds(mesh));
  double reach_m = ts_max(params[PARAM_GAP], TS_SEMI_RETRY_DEPTH * params[PARAM_DEPTH]);
  TS_TRY(ts_semi_shape_create(&shape, mesh, flat_m, reach_m, params[PARAM_SLACK]));
  *out = shape;
  return TS_OK;
}

static void release_shape(void *shape) {
  ts_semi_shape_destroy(shape);
}

static ts_semi_settings settings_from(const double *params, double size_m) {
  return (ts_semi_settings){.gap_m = params[PARAM_GAP],
                            .depth_m = params[PARAM_DEPTH],
                            .snap_m = params[PARAM_SNAP] * size_m,
                            .angle_rad = params[PARAM_ANGLE] * (3.14159265358979323846 / 180),
                            .slack = params[PARAM_SLACK],
                            .horizon_s = params[PARAM_HORIZON],
                            .all_alternatives = params[PARAM_ALTERNATIVES] != 0};
}

/// The contacts of a pair.
typedef struct findings {
  ts_semi_regions regions;
  ts_semi_contacts all;     ///< of regions and choices
  ts_semi_contacts reduced; ///< those of them that the others do not imply
  ts_semi_contacts deep;    ///< of parts of the overlap that have none of `all`
} findings;

static ts_status find_contacts(findings *out, const ts_semi_pair *pair,
                               const ts_semi_close_pairs *close) {
  const ts_semi_regions *regions = &out->regions;
  ts_semi_sites sites;
  ts_semi_choices choices;
  TS_TRY(ts_semi_find_regions(&out->regions, pair, close));
  TS_TRY(ts_semi_find_sites(&sites, pair, close, regions));
  TS_TRY(ts_semi_find_choices(&choices, pair, regions, &sites));
  TS_TRY(ts_semi_find_contacts(&out->all, pair, regions, &choices));
  if (!ts_semi_are_convex(pair))
    TS_TRY(ts_semi_leave_out_beside(&out->all, pair, &out->all));
  return ts_semi_reduce(&out->reduced, pair, regions, &choices, &out->all);
}

static bool has_deep(const ts_semi_pair *pair, const ts_semi_contacts *contacts) {
  for (size_t i = 0; i < contacts->count; i++)
    if (contacts->contacts[i].at.gap_m < -pair->s.snap_m)
      return true;
  return false;
}

/// Whether a contact overlaps.
static bool has_overlap(const ts_semi_pair *pair, const findings *found) {
  return has_deep(pair, &found->reduced) || has_deep(pair, &found->deep);
}

/// Where the bodies overlap and there is no contact, looks again, deeper and ever farther around.
/// What has no contact then gets a way out. Where they do not overlap no contact does.
static ts_status resolve_overlap(findings *found, const ts_semi_pair *pair,
                                 const ts_semi_close_pairs *close) {
  ts_semi_penetration penetration;
  TS_TRY(ts_semi_find_penetration(&penetration, pair, close, &found->all));
  if (penetration.is_inside)
    return ts_semi_leave(&found->deep, pair);
  if (penetration.is_apart && has_deep(pair, &found->reduced))
    return ts_semi_lift(&found->reduced, pair, &found->reduced, 0, pair->s.snap_m);
  if (penetration.crossings.count == 0)
    return TS_OK;
  ts_semi_pair wider = *pair;
  wider.s.depth_m *= TS_SEMI_RETRY_DEPTH;
  for (int i = 0; i < RETRIES_MAX && found->all.count == 0; i++) {
    wider.s.slack *= 2;
    TS_TRY(find_contacts(found, &wider, close));
  }
  return ts_semi_find_ways_out(&found->deep, pair, &penetration, &found->regions, &found->all);
}

/// The feature of a body that a contact is named after: one that has its normal. A normal that may
/// be a mean may be of none; else one that no feature has is that of a part of the solid at a
/// corner with valleys, and the name stays.
static ts_feature feature_of(const ts_semi_pair *pair, const ts_semi_candidate *at, int body,
                             bool may_be_mean) {
  double away = body == 0 ? -0.5 : 0.5;
  ts_vec3 place = ts_vec3_add_scaled(at->point, away * at->gap_m, at->normal);
  ts_vec3 outward = at->normal;
  if (body == 1) {
    place = ts_pose_point_local(pair->other_to_frame, place);
    outward =
        ts_quat_rotate(ts_quat_conjugate(pair->other_to_frame.rotation), ts_vec3_neg(outward));
  }
  const ts_patches *patches = pair->side[body].patches;
  // Bodies that are apart or overlap by so much may be as far along each other.
  ts_feature feature = ts_patch_feature(patches, at->features[body], place, outward,
                                        ts_max(pair->s.gap_m, fabs(at->gap_m)), pair->s.snap_m);
  return feature.kind != TS_FEATURE_NONE || may_be_mean
             ? feature
             : ts_patch_feature_steady(patches, at->features[body]);
}

static ts_status report(ts_contact_batch *batch, const ts_semi_pair *pair,
                        const ts_semi_contacts *contacts, bool are_ways_out) {
  int a = pair->is_swapped ? 1 : 0;
  for (size_t i = 0; i < contacts->count; i++) {
    const ts_semi_contact *c = &contacts->contacts[i];
    bool may_be_mean = are_ways_out || c->at.is_of_curve;
    ts_contact contact = {.point = c->at.point,
                          .normal = a ? ts_vec3_neg(c->at.normal) : c->at.normal,
                          .gap_m = c->at.gap_m,
                          .area_m2 = NAN,
                          .feature_a = feature_of(pair, &c->at, a, may_be_mean),
                          .feature_b = feature_of(pair, &c->at, 1 - a, may_be_mean),
                          .group = c->group};
    TS_TRY(ts_contact_batch_push(batch, &contact));
  }
  return TS_OK;
}

static ts_status generate(const ts_host *host, const ts_pair *pair, const void *shape_a,
                          const void *shape_b, void *pair_state, const double *params) {
  (void)pair_state;
  const ts_semi_settings settings = settings_from(params, pair->size_m);
  ts_semi_memory memory = {.host = host};
  ts_semi_pair bodies;
  ts_semi_close_pairs close;
  findings found = {.deep = {.count = 0}};
  TS_TRY(ts_semi_pair_create(&bodies, &memory, pair, shape_a, shape_b, &settings));
  TS_TRY(ts_semi_find_close_pairs(&close, &bodies));
  TS_TRY(find_contacts(&found, &bodies, &close));
  bool are_convex = ts_semi_are_convex(&bodies), are_smooth = ts_semi_are_smooth(&bodies);
  if (!are_convex || are_smooth)
    TS_TRY(resolve_overlap(&found, &bodies, &close));
  if (are_convex && !(are_smooth && has_overlap(&bodies, &found)))
    TS_TRY(ts_semi_settle_convex(&found.reduced, &bodies, &found.reduced));
  ts_semi_contacts enough;
  TS_TRY(ts_semi_reduce_ahead(&enough, &bodies, &found.reduced));
  ts_contact_batch batch;
  ts_contact_batch_begin(&batch, host, bodies.frame_to_world);
  TS_TRY(report(&batch, &bodies, &enough, false));
  TS_TRY(report(&batch, &bodies, &found.deep, true));
  return ts_contact_batch_end(&batch);
}

static const ts_taxonomy taxonomy_of_semi_local = {
    .locality = TS_LOCALITY_SEMI_LOCAL,
    .testing = TS_TESTING_SURFACE,
    .exactness = TS_EXACTNESS_EXACT,
    .normals = TS_NORMALS_FEATURES,
    .instant = TS_INSTANT_DISCRETE,
    .exact = TS_SUPPORT_FULL,
    .continuous = TS_SUPPORT_NONE,
    .deformable = TS_SUPPORT_EFFORT,
    .topology = TS_SUPPORT_EFFORT,
    .limits = "Overlap that is not small against the features",
};

extern const ts_method ts_method_semi_local;
const ts_method ts_method_semi_local = {
    .abi = TS_METHOD_ABI,
    .struct_size = sizeof(ts_method),
    .name = "semi_local",
    .summary = "Patches, ridges and corners of both surfaces around a site: one normal for each "
               "pair of convex runs, from the cones of both.",
    .source = "touchstone, docs/semi_local.md",
    .needs = TS_NEEDS_CLOSED | TS_NEEDS_VELOCITY,
    .gives = TS_GIVES_GAP | TS_GIVES_FEATURES,
    .params = params_of_semi_local,
    .param_count = PARAM_COUNT,
    .envelope = envelope,
    .prepare_shape = prepare_shape,
    .generate = generate,
    .release_shape = release_shape,
    .taxonomy = &taxonomy_of_semi_local,
};
