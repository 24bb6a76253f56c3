// SPDX-License-Identifier: MIT
// A tip or a ridge that slides over a flat slab, far from the slab's edges.
#include "base/status.h"
#include "cases/case.h"
#include "cases/scene/shapes.h"

static const double slab_width_m = 20, slab_height_m = 2;
static const double start_m = 2.4, speed_m_s = 2.4;

// The upper body starts at x = `side` * start_m and slides towards x = 0.
static ts_status build_on_slab(ts_scene *scene, int32_t shape_above, const ts_corners *feature,
                               double side) {
  int32_t shape, slab, above;
  TS_TRY(ts_shape_box(&shape, scene, "slab", slab_width_m, slab_height_m, slab_width_m));
  ts_pose pose = {{1, 0, 0, 0}, {0, -0.5 * slab_height_m, 0}};
  TS_TRY(ts_scene_add_body(&slab, scene, "slab", shape, pose, true));
  TS_TRY(ts_scene_add_body(&above, scene, "upper", shape_above, ts_spike_pose_down(side * start_m),
                           false));
  scene->bodies[above].twist.linear_m_s = ts_vec3_make(-side * speed_m_s, 0, 0);
  return ts_shape_join_faces(scene, slab, &ts_hexahedron_faces[TS_FACE_TOP], above, feature,
                             ts_vec3_make(0, 1, 0));
}

static ts_status build_sliding_spike(ts_scene *scene, const double *params) {
  (void)params;
  int32_t shape;
  TS_TRY(ts_shape_spike(&shape, scene));
  return build_on_slab(scene, shape, &ts_spike_tip, 1);
}

static ts_status build_sliding_wedge(ts_scene *scene, const double *params) {
  (void)params;
  int32_t shape;
  TS_TRY(ts_shape_wedge(&shape, scene));
  return build_on_slab(scene, shape, &ts_wedge_ridge, -1);
}

static const ts_case_range ranges_of_spike[] = {
    TS_SPIKE_RANGES, {"perturb_m", 0, 0.5}, {"perturb_seed", 1, 999999}, {NULL, 0, 0}};

static const ts_case_range ranges_of_wedge[] = {
    {"perturb_m", 0, 0.5}, {"perturb_seed", 1, 999999}, {NULL, 0, 0}};

const ts_case ts_case_sliding_spike = {
    .name = "sliding_spike",
    .suite = "erleben",
    .summary = "The tip of a spike slides over a flat slab; one normal.",
    .source = "Erleben 2018, Table 4, sliding point",
    .build = build_sliding_spike,
    .ranges = ranges_of_spike,
};

const ts_case ts_case_sliding_wedge = {
    .name = "sliding_wedge",
    .suite = "erleben",
    .summary = "The ridge of a wedge slides sideways over a flat slab; one normal.",
    .source = "Erleben 2018, Table 4, sliding point",
    .build = build_sliding_wedge,
    .ranges = ranges_of_wedge,
};
