// SPDX-License-Identifier: MIT
// Tips and ridges that meet in one place: each flank's normal alone is right, and the velocity of
// the upper body singles one out.
#include "base/status.h"
#include "cases/case.h"
#include "cases/scene/shapes.h"

typedef struct pointed_body {
  const char *name;
  ts_status (*add_shape)(int32_t *out, ts_scene *scene);
  const ts_corners *feature;
} pointed_body;

static const pointed_body spike = {"spike", ts_shape_spike, &ts_spike_tip};
static const pointed_body wedge = {"wedge", ts_shape_wedge, &ts_wedge_ridge};

// The upper body falls more steeply (4 : 1) than the flanks (3 : 1), to the side that `slide`
// gives the sign of, and so meets the flank on that side. Table 8 of the paper scores the one on
// the other side.
static ts_status build_pair(ts_scene *scene, const pointed_body *lower, const pointed_body *upper,
                            double slide, size_t flank_count) {
  const double speed_across_m_s = 1.2, speed_down_m_s = 4.8;
  int32_t shape, a, b;
  TS_TRY(lower->add_shape(&shape, scene));
  TS_TRY(ts_scene_add_body(&a, scene, "lower", shape, ts_pose_identity(), true));
  if (upper != lower)
    TS_TRY(upper->add_shape(&shape, scene));
  TS_TRY(ts_scene_add_body(&b, scene, "upper", shape, ts_spike_pose_down(0), false));
  scene->bodies[b].twist.linear_m_s = ts_vec3_make(slide * speed_across_m_s, -speed_down_m_s, 0);

  ts_vec3 flanks[4];
  ts_spike_flanks(flanks);
  ts_joint joint = {.body_a = a, .body_b = b, .needs_all = false};
  joint.normal_count[TS_REFERENCE_DESIGN] = 1;
  joint.normals_local[TS_REFERENCE_DESIGN] = slide > 0 ? &flanks[0] : &flanks[1];
  joint.normal_count[TS_REFERENCE_PUBLISHED] = 1;
  joint.normals_local[TS_REFERENCE_PUBLISHED] = slide > 0 ? &flanks[1] : &flanks[0];
  joint.normal_count[TS_REFERENCE_FEASIBLE] = flank_count;
  joint.normals_local[TS_REFERENCE_FEASIBLE] = flanks;
  return ts_shape_join(scene, &joint, lower->feature, upper->feature);
}

static ts_status build_spikes(ts_scene *scene, const double *params) {
  (void)params;
  return build_pair(scene, &spike, &spike, -1, 4);
}

static ts_status build_spike_and_wedge(ts_scene *scene, const double *params) {
  (void)params;
  return build_pair(scene, &wedge, &spike, -1, 2);
}

static ts_status build_wedges(ts_scene *scene, const double *params) {
  (void)params;
  return build_pair(scene, &wedge, &wedge, 1, 2);
}

// The flanks across may not be steeper than designed: motions close to the given one would meet
// them, and that one would single out no normal for its neighbours (blocked_wrongly_given_percent).
static const ts_case_range ranges_of_spikes[] = {
    TS_SPIKE_RANGES, {"stretch_y", 0.7, 1}, {NULL, 0, 0}};

static const ts_case_range ranges_of_spike_and_wedge[] = {TS_SPIKE_RANGES, {NULL, 0, 0}};

const ts_case ts_case_spikes = {
    .name = "spikes",
    .suite = "erleben",
    .summary = "A spike falls on the tip of a spike; any one of four normals is right.",
    .source = "Erleben 2018, Table 4, two points",
    .build = build_spikes,
    .ranges = ranges_of_spikes,
};

const ts_case ts_case_spike_and_wedge = {
    .name = "spike_and_wedge",
    .suite = "erleben",
    .summary = "A spike falls on the ridge of a wedge; either of two normals is right.",
    .source = "Erleben 2018, Table 4, two points",
    .build = build_spike_and_wedge,
    .ranges = ranges_of_spike_and_wedge,
};

const ts_case ts_case_wedges = {
    .name = "wedges",
    .suite = "erleben",
    .summary = "A wedge falls with its ridge along the ridge of a wedge; either of two normals is "
               "right.",
    .source = "Erleben 2018, Table 4, two points",
    .build = build_wedges,
};
