// SPDX-License-Identifier: MIT
/// Semi-local contacts: normals from the cones of both surfaces around a place instead of from one
/// pair of elements. docs/semi_local.md tells the idea, each step, each tolerance and the limits.
#include "methods/semi_local/semi_choose.h"
#include "methods/semi_local/semi_penetration.h"
#include "methods/semi_local/semi_reduce.h"
#include "methods/semi_local/semi_regions.h"
#include "methods/semi_local/semi_sites.h"

#include "base/status.h"
#include "methods/contact_batch.h"

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
  // ts_semi_find_penetration() looks twice as deep.
  double reach_m = ts_max(params[PARAM_GAP], 2 * params[PARAM_DEPTH]);
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

static ts_status report(const ts_semi_pair *pair) {
  ts_contact_batch batch;
  ts_contact_batch_begin(&batch, pair->host, pair->frame_to_world);
  for (size_t i = 0; i < pair->contact_count; i++) {
    const ts_semi_contact *c = &pair->contacts[i];
    if (c->is_dropped)
      continue;
    int a = pair->is_swapped ? 1 : 0;
    ts_contact contact = {.point = c->at.point,
                          .normal = a ? ts_vec3_neg(c->at.normal) : c->at.normal,
                          .gap_m = c->at.gap_m,
                          .area_m2 = NAN,
                          .feature_a = c->at.features[a],
                          .feature_b = c->at.features[1 - a],
                          .group = c->group};
    TS_TRY(ts_contact_batch_push(&batch, &contact));
  }
  return ts_contact_batch_end(&batch);
}

/// Regions, then sites, then contacts of both, reduced.
static ts_status find_contacts(ts_semi_pair *pair, double slack) {
  pair->region_count = pair->corner_count = 0;
  pair->site_count = pair->candidate_count = pair->contact_count = 0;
  pair->group_count = 0;
  TS_TRY(ts_semi_find_regions(pair, pair->s.angle_rad));
  TS_TRY(ts_semi_find_sites(pair, slack));
  TS_TRY(ts_semi_merge_sites(pair));
  TS_TRY(ts_semi_add_region_contacts(pair));
  TS_TRY(ts_semi_add_site_contacts(pair));
  return ts_semi_reduce(pair);
}

/// Whether there may be overlap that no contact tells of: there is none, or one that overlaps.
static bool shows_overlap(const ts_semi_pair *pair) {
  for (size_t i = 0; i < pair->contact_count; i++)
    if (pair->contacts[i].at.gap_m < -pair->s.snap_m)
      return true;
  return pair->contact_count == 0;
}

static ts_status generate(const ts_host *host, const ts_pair *pair, const void *shape_a,
                          const void *shape_b, void *pair_state, const double *params) {
  (void)pair_state;
  ts_semi_pair p;
  TS_TRY(ts_semi_pair_begin(&p, host, pair, shape_a, shape_b, settings_from(params, pair->size_m)));
  TS_TRY(find_contacts(&p, p.s.slack));
  if (shows_overlap(&p))
    TS_TRY(ts_semi_find_penetration(&p, find_contacts));
  return report(&p);
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
               "pair of convex runs, as the cones of both have it.",
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
