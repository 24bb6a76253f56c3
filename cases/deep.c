// SPDX-License-Identifier: MIT
// Two bodies, as deep in each other as depth_m says: what one solve of a response takes back of the
// overlap, which closed forms say for simple shapes, and what it does where the shortest way out is
// not the way in. No truth of touch is known for bodies that overlap so.
#include "base/status.h"
#include "cases/ball.h"
#include "cases/case.h"
#include "cases/slab.h"
#include "cases/torus.h"

static const double radius_m = 0.5, small_radius_m = 0.3;
static const double box_m = 1, small_box_m = 0.5;
static const double plate_width_m = 2, plate_height_m = 0.1;

enum { PARAM_SHAPE, PARAM_DEPTH, PARAM_TRIANGLES, PARAM_COUNT };
enum {
  BOX_ON_SLAB,
  SPHERE_ON_SLAB,
  TWO_SPHERES,
  RIDGE,
  TIP,
  TWO_TORI,
  BOX_IN_BOX,
  SPHERE_THROUGH_PLATE,
  SHAPE_COUNT
};
static const char *const shapes[SHAPE_COUNT + 1] = {[BOX_ON_SLAB] = "box_on_slab",
                                                    [SPHERE_ON_SLAB] = "sphere_on_slab",
                                                    [TWO_SPHERES] = "two_spheres",
                                                    [RIDGE] = "ridge",
                                                    [TIP] = "tip",
                                                    [TWO_TORI] = "two_tori",
                                                    [BOX_IN_BOX] = "box_in_box",
                                                    [SPHERE_THROUGH_PLATE] = "sphere_through_plate",
                                                    [SHAPE_COUNT] = NULL};

static const ts_param params_of_deep[PARAM_COUNT] = {
    [PARAM_SHAPE] =
        {.name = "shape",
         .summary =
             "Which two bodies: a block, a sphere of radius 0.5 m, a roof of 90 degrees or a "
             "pyramid of 45 degrees in a slab; two spheres, two tori; a box of 0.5 m in one "
             "of 1 m, through its top; a sphere of radius 0.3 m in a plate of 0.1 m.",
         .kind = TS_PARAM_CHOICE,
         .default_value = BOX_ON_SLAB,
         .choices = shapes},
    [PARAM_DEPTH] = {.name = "depth_m",
                     .summary = "How deep the upper body is in the lower one, at scale 1; 0.375 is "
                                "3/4 of the box in the box. Of sphere_through_plate, how far its "
                                "centre is above the middle of the plate.",
                     .kind = TS_PARAM_REAL,
                     .default_value = 0.1,
                     .minimum = 0,
                     .maximum = 1},
    [PARAM_TRIANGLES] = {.name = "triangles",
                         .summary = "Of a sphere or a torus: the nearest number that 8 n^2 is, or "
                                    "a grid of about square cells has.",
                         .kind = TS_PARAM_INTEGER,
                         .default_value = 8192,
                         .minimum = 72,
                         .maximum = 1e6},
};

/// A roof with its ridge along z in the middle, pointing up; the origin is the middle of the ridge.
static ts_status add_ridge(int32_t *out, ts_scene *scene) {
  const double b = 0.5, y = -0.5, z = 0.5;
  const ts_vec3 vertices[6] = {{0, 0, -z}, {0, 0, z}, {-b, y, -z},
                               {b, y, -z}, {b, y, z}, {-b, y, z}};
  const uint32_t triangles[8][3] = {{0, 3, 2}, {1, 5, 4}, {0, 1, 3}, {1, 4, 3},
                                    {0, 2, 1}, {1, 2, 5}, {2, 3, 4}, {2, 4, 5}};
  return ts_scene_add_shape(out, scene, "ridge", vertices, 6, triangles, 8);
}

/// A square pyramid that points up; the origin is its tip.
static ts_status add_tip(int32_t *out, ts_scene *scene) {
  const double b = 0.5, y = -0.5;
  const ts_vec3 vertices[5] = {{0, 0, 0}, {-b, y, -b}, {b, y, -b}, {b, y, b}, {-b, y, b}};
  const uint32_t triangles[6][3] = {{0, 2, 1}, {0, 3, 2}, {0, 4, 3},
                                    {0, 1, 4}, {1, 2, 3}, {1, 3, 4}};
  return ts_scene_add_shape(out, scene, "tip", vertices, 5, triangles, 6);
}

/// Adds the upper body, whose origin is at this height and in the middle.
static ts_status add_upper(ts_scene *scene, int32_t shape, ts_quat rotation, double height_m) {
  int32_t body;
  return ts_slab_body(&body, scene, "upper", shape, (ts_pose){rotation, {0, height_m, 0}});
}

static ts_status build_on_slab(ts_scene *scene, int kind, double depth_m, double triangles) {
  int32_t slab, shape;
  TS_TRY(ts_slab_add(&slab, scene));
  if (kind == BOX_ON_SLAB) {
    TS_TRY(ts_slab_block(&shape, scene));
    return add_upper(scene, shape, ts_quat_identity(), 0.5 * TS_BLOCK_HEIGHT_M - depth_m);
  }
  if (kind == SPHERE_ON_SLAB) {
    TS_TRY(ts_shape_ball(&shape, scene, radius_m, triangles));
    return add_upper(scene, shape, ts_quat_identity(), radius_m - depth_m);
  }
  TS_TRY(kind == RIDGE ? add_ridge(&shape, scene) : add_tip(&shape, scene));
  return add_upper(scene, shape, ts_spike_pose_down(0).rotation, -depth_m);
}

/// Two of one shape, the lower one about the origin and fixed, that touch at this distance.
static ts_status build_alike(ts_scene *scene, int32_t shape, double touch_m, double depth_m) {
  int32_t lower;
  TS_TRY(ts_scene_add_body(&lower, scene, "lower", shape, ts_pose_identity(), true));
  return add_upper(scene, shape, ts_quat_identity(), touch_m - depth_m);
}

static ts_status build_in_box(ts_scene *scene, double depth_m) {
  int32_t shape, lower;
  TS_TRY(ts_shape_box(&shape, scene, "box", box_m, box_m, box_m));
  TS_TRY(ts_scene_add_body(&lower, scene, "box", shape, ts_pose_identity(), true));
  TS_TRY(ts_shape_box(&shape, scene, "small_box", small_box_m, small_box_m, small_box_m));
  return add_upper(scene, shape, ts_quat_identity(), 0.5 * (box_m + small_box_m) - depth_m);
}

static ts_status build_in_plate(ts_scene *scene, double height_m, double triangles) {
  int32_t shape, lower;
  TS_TRY(ts_shape_box(&shape, scene, "plate", plate_width_m, plate_height_m, plate_width_m));
  TS_TRY(ts_scene_add_body(&lower, scene, "plate", shape, ts_pose_identity(), true));
  TS_TRY(ts_shape_ball(&shape, scene, small_radius_m, triangles));
  return add_upper(scene, shape, ts_quat_identity(), height_m);
}

static ts_status build(ts_scene *scene, const double *params) {
  int kind = (int)params[PARAM_SHAPE];
  double depth_m = params[PARAM_DEPTH], triangles = params[PARAM_TRIANGLES];
  int32_t shape;
  scene->truth_is_unknown = true;
  switch (kind) {
  case TWO_SPHERES:
    TS_TRY(ts_shape_ball(&shape, scene, radius_m, triangles));
    return build_alike(scene, shape, 2 * radius_m, depth_m);
  case TWO_TORI:
    TS_TRY(ts_shape_torus(&shape, scene, &ts_torus_ring, triangles));
    return build_alike(scene, shape, 2 * ts_torus_ring.tube_radius_m, depth_m);
  case BOX_IN_BOX:
    return build_in_box(scene, depth_m);
  case SPHERE_THROUGH_PLATE:
    return build_in_plate(scene, depth_m, triangles);
  default:
    return build_on_slab(scene, kind, depth_m, triangles);
  }
}

static const ts_case_range ranges[] = {
    {"shape", BOX_ON_SLAB, SPHERE_THROUGH_PLATE},
    {"depth_m", 0.02, 0.15},
    {"triangles", 200, 4000},
    {NULL, 0, 0},
};

const ts_case ts_case_deep = {
    .name = "deep",
    .suite = "response",
    .summary = "Two bodies at any depth in each other: boxes, spheres, a ridge, a tip, "
               "tori, a sphere through a plate.",
    .source = "touchstone, after Allard 2010, Figure 6",
    .params = params_of_deep,
    .param_count = PARAM_COUNT,
    .build = build,
    .ranges = ranges,
};
