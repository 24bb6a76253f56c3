// SPDX-License-Identifier: MIT
// A deformable block on a slope, whose mesh at rest is turned against the world: a response that
// ignores the rotation of the nodes shows at once, and whether the block slides is known from
// Coulomb's law for a rigid one. The bodies lie along the axes and gravity is inclined, as in
// incline.
#include "base/status.h"
#include "cases/case.h"
#include "cases/soft.h"

static const ts_vec3 block_m = {0.2, 0.1, 0.2}, slab_m = {4, 0.4, 1};
// The middle of the slab, so that there is more of it on the way down, towards +x.
static const ts_vec3 slab_middle_m = {1.5, -0.2, 0};
static const double rest_turn_deg = 40;
static const ts_vec3 rest_turn_axis = {1, 2, 3}; // not unit

enum { PARAM_ANGLE = TS_SOFT_PARAM_COUNT, PARAM_COUNT };

static const ts_param params_of_soft_block[PARAM_COUNT] = {
    TS_SOFT_PARAMS(2e5, 0, 0.002),
    [PARAM_ANGLE] = {.name = "angle_deg",
                     .summary = "Angle of the slope: between gravity and the vertical of the slab. "
                                "A rigid block slides towards +x where its tangent is above "
                                "friction.",
                     .kind = TS_PARAM_REAL,
                     .default_value = 25,
                     .minimum = 0,
                     .maximum = 80},
};

static ts_status add_slab(int32_t *out_body, ts_scene *scene) {
  const ts_geometry box = {.kind = TS_GEOMETRY_BOX, .half_size_m = ts_vec3_scale(slab_m, 0.5)};
  const ts_pose below = {{1, 0, 0, 0}, slab_middle_m};
  int32_t shape;
  TS_TRY(ts_scene_add_primitive(&shape, scene, "slab", &box, 0));
  return ts_scene_add_body(out_body, scene, "slab", shape, below, true);
}

/// The top of the slab and the sole of the block, whose mesh is turned by `turn`.
static ts_status join(ts_scene *scene, int32_t slab, int32_t block, ts_quat turn) {
  const ts_vec3 up = {0, 1, 0};
  ts_vec3 s = ts_vec3_scale(slab_m, 0.5), b = ts_vec3_scale(block_m, 0.5);
  ts_vec3 top[4] = {{-s.x, s.y, -s.z}, {-s.x, s.y, s.z}, {s.x, s.y, s.z}, {s.x, s.y, -s.z}};
  ts_vec3 sole[4] = {{-b.x, -b.y, -b.z}, {b.x, -b.y, -b.z}, {b.x, -b.y, b.z}, {-b.x, -b.y, b.z}};
  for (int i = 0; i < 4; i++)
    sole[i] = ts_quat_rotate(turn, sole[i]);
  ts_joint joint = {.body_a = slab,
                    .body_b = block,
                    .count_a = 4,
                    .count_b = 4,
                    .feature_a_local = top,
                    .feature_b_local = sole,
                    .needs_all = true};
  joint.normal_count[TS_REFERENCE_DESIGN] = 1;
  joint.normals_local[TS_REFERENCE_DESIGN] = &up;
  return ts_scene_add_joint(scene, &joint);
}

static ts_status build(ts_scene *scene, const double *params) {
  const double degree_rad = 3.14159265358979323846 / 180;
  ts_quat turn = ts_quat_from_axis_angle(ts_vec3_unit(rest_turn_axis), rest_turn_deg * degree_rad);
  int32_t slab, shape, block;
  TS_TRY(add_slab(&slab, scene));
  TS_TRY(
      ts_soft_add_block(&shape, scene, "block",
                        &(ts_soft_block){.size = block_m, .cells = {4, 2, 4}, .rotation = turn}));
  ts_pose pose = {.rotation = ts_quat_conjugate(turn), .translation = {0, 0.5 * block_m.y, 0}};
  TS_TRY(ts_soft_add_body(&block, scene, "block", shape, pose, params, NULL, 0));
  double angle_rad = params[PARAM_ANGLE] * degree_rad;
  scene->up = ts_vec3_unit(ts_vec3_make(-sin(angle_rad), cos(angle_rad), 0));
  return join(scene, slab, block, turn);
}

static const ts_case_range ranges[] = {
    {"angle_deg", 15, 40},
    {NULL, 0, 0},
};

const ts_case ts_case_soft_block = {
    .name = "soft_block",
    .suite = "soft",
    .summary = "A deformable block on a slope of any angle, at rest turned against the world; one "
               "normal.",
    .source = "touchstone, for the contact model of Saupin 2008",
    .params = params_of_soft_block,
    .param_count = PARAM_COUNT,
    .build = build,
    .ranges = ranges,
    .is_deformable = true,
};
