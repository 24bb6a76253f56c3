// SPDX-License-Identifier: MIT
// A cube balanced with its tip on the tip of another one: a place smaller than any grid, where a
// response by overlap has next to nothing to push with, and nothing keeps the cube upright.
//
// Whether a normal is right: the lower tip is below every plane through it whose normal n has
// n . e_i >= 0 for the three outward normals e_i of its faces, which are at right angles to each
// other. The same holds of the upper tip and the inward normals g_i of its faces. The normals that
// are right are the cone where all six hold; any one of its extreme ones will do.
#include "base/status.h"
#include "cases/case.h"
#include "cases/scene/shapes.h"
#include "geometry/tolerances.h"

static const double side_m = 1, density_kg_m3 = 1;
static const double degree_rad = 0.01745329251994329577;
enum { SIDES = 6, NORMALS_MAX = SIDES * (SIDES - 1) / 2 };

enum { PARAM_TURN, PARAM_COUNT };

static const ts_param params_of_balanced_tip[PARAM_COUNT] = {
    [PARAM_TURN] = {.name = "turn_deg",
                    .summary = "How far the upper cube is turned about the vertical; at 0 each of "
                               "its lower edges continues one of the lower cube.",
                    .kind = TS_PARAM_REAL,
                    .default_value = 0,
                    .minimum = 0,
                    .maximum = 360},
};

static bool holds(const ts_vec3 sides[SIDES], ts_vec3 normal) {
  for (int i = 0; i < SIDES; i++)
    if (ts_vec3_dot(sides[i], normal) < -TS_PARALLEL_SINE)
      return false;
  return true;
}

/// The extreme directions n of the cone n . sides[i] >= 0, which is about the vertical.
static size_t extreme_normals(ts_vec3 out[NORMALS_MAX], const ts_vec3 sides[SIDES]) {
  size_t count = 0;
  for (int i = 0; i < SIDES; i++)
    for (int k = 0; k < i; k++) {
      ts_vec3 across = ts_vec3_cross(sides[i], sides[k]);
      if (ts_vec3_norm(across) <= TS_PARALLEL_SINE)
        continue;
      ts_vec3 normal = ts_vec3_unit(across.y < 0 ? ts_vec3_neg(across) : across);
      bool is_new = holds(sides, normal);
      for (size_t n = 0; n < count; n++)
        is_new = is_new && ts_vec3_distance(out[n], normal) > 2 * TS_PARALLEL_SINE;
      if (is_new)
        out[count++] = normal;
    }
  return count;
}

/// The shortest turn of the diagonal from corner 0 to corner 7 to the vertical.
static ts_quat upright(void) {
  ts_vec3 diagonal = ts_vec3_unit(ts_vec3_make(1, 1, 1));
  ts_vec3 axis = ts_vec3_cross(diagonal, ts_vec3_make(0, 1, 0));
  return ts_quat_unit((ts_quat){1 + diagonal.y, axis.x, axis.y, axis.z});
}

/// The pose in which a corner is at the origin, exactly.
static ts_pose corner_at_origin(ts_quat rotation, ts_vec3 corner) {
  return (ts_pose){rotation, ts_vec3_neg(ts_quat_rotate(rotation, corner))};
}

static ts_status build(ts_scene *scene, const double *params) {
  static const ts_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const ts_corners lower_tip = {1, {7}}, upper_tip = {1, {0}};
  int32_t shape, lower, upper;
  TS_TRY(ts_shape_box(&shape, scene, "cube", side_m, side_m, side_m));
  const ts_vec3 *corners = scene->shapes[shape].mesh->vertices;
  ts_quat turn = ts_quat_from_axis_angle(axes[1], params[PARAM_TURN] * degree_rad);
  ts_pose below = corner_at_origin(upright(), corners[7]);
  ts_pose above = corner_at_origin(ts_quat_mul(turn, upright()), corners[0]);
  TS_TRY(ts_scene_add_body(&lower, scene, "lower", shape, below, true));
  TS_TRY(ts_scene_add_body(&upper, scene, "upper", shape, above, false));
  scene->bodies[upper].density_kg_m3 = density_kg_m3;

  ts_vec3 sides[SIDES], normals[NORMALS_MAX];
  for (int i = 0; i < 3; i++) {
    sides[i] = ts_pose_direction(below, axes[i]);
    sides[3 + i] = ts_pose_direction(above, axes[i]);
  }
  size_t count = extreme_normals(normals, sides);
  for (size_t i = 0; i < count; i++)
    normals[i] = ts_quat_rotate(ts_quat_conjugate(below.rotation), normals[i]);
  ts_joint joint = {.body_a = lower, .body_b = upper};
  joint.normal_count[TS_REFERENCE_DESIGN] = count;
  joint.normals_local[TS_REFERENCE_DESIGN] = normals;
  return ts_shape_join(scene, &joint, &lower_tip, &upper_tip);
}

static const ts_case_range ranges[] = {
    {"turn_deg", 0, 360},
    {NULL, 0, 0},
};

const ts_case ts_case_balanced_tip = {
    .name = "balanced_tip",
    .suite = "response",
    .summary = "A cube balanced with its tip on the tip of a cube; any one of three to six normals "
               "is right.",
    .source = "Faure 2008, Figure 8",
    .params = params_of_balanced_tip,
    .param_count = PARAM_COUNT,
    .build = build,
    .ranges = ranges,
};
