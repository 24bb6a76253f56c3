// SPDX-License-Identifier: MIT
#include "harness/simulation/body_path.h"

#include "base/random.h"
#include "base/status.h"
#include "geometry/aabb.h"
#include "geometry/pose.h"

#include <math.h>

/// A screw about an axis through a point: a point of the body at `radius_m` from the axis moves as
/// far by the rotation as the body does along the axis.
typedef struct screw {
  ts_vec3 centre; ///< world, as built
  ts_vec3 axis;   ///< unit
  double radius_m;
} screw;

struct ts_body_path {
  const ts_scene *built;
  ts_body_path_params params;
  screw *screws; ///< [body_count]
};

static ts_vec3 random_axis(ts_random *random) {
  double u[3];
  for (int i = 0; i < 3; i++)
    u[i] = ts_random_unit(random);
  return ts_quat_rotate(ts_quat_uniform(u[0], u[1], u[2]), (ts_vec3){1, 0, 0});
}

ts_status ts_body_path_create(ts_body_path **out, ts_arena *arena, const ts_scene *built,
                              const ts_body_path_params *params) {
  ts_body_path *path = ts_arena_alloc(arena, sizeof *path);
  screw *screws = ts_arena_array(arena, built->body_count, sizeof *screws);
  if (!path || !screws)
    return TS_E_MEMORY;
  *path = (ts_body_path){built, *params, screws};
  for (size_t i = 0; i < built->body_count; i++) {
    const ts_body *body = &built->bodies[i];
    ts_aabb bounds = built->shapes[body->shape].bounds_local;
    ts_random random = ts_random_seed(params->seed, i);
    ts_vec3 diagonal = ts_vec3_sub(bounds.high, bounds.low);
    screws[i].centre = ts_pose_point(body->pose, ts_vec3_mid(bounds.low, bounds.high));
    screws[i].axis = random_axis(&random);
    screws[i].radius_m = ts_vec3_norm(diagonal) / 2;
  }
  *out = path;
  return TS_OK;
}

/// Moves a pose along and about the axis of a screw, by `distance_m` each.
static ts_pose move(ts_pose pose, const screw *s, double distance_m) {
  if (distance_m == 0)
    return pose; // to the bit
  ts_quat turn = ts_quat_from_axis_angle(s->axis, distance_m / s->radius_m);
  ts_vec3 from_centre = ts_quat_rotate(turn, ts_vec3_sub(pose.translation, s->centre));
  ts_vec3 centre = ts_vec3_add_scaled(s->centre, distance_m, s->axis);
  return (ts_pose){ts_quat_unit(ts_quat_mul(turn, pose.rotation)),
                   ts_vec3_add(centre, from_centre)};
}

/// The seed of the noise of a step: another stream of it for each body.
static uint64_t noise_seed(uint64_t seed, int64_t k) {
  ts_random random = ts_random_seed(seed, UINT64_MAX - (uint64_t)k);
  return ts_random_u64(&random);
}

void ts_body_path_at(const ts_body_path *path, ts_body *bodies, int64_t k) {
  const double share =
      sqrt(0.5); // of the translation and of the rotation, which are at right angles
  const double turn_rad = 2 * acos(-1);
  const ts_body_path_params *p = &path->params;
  double phase_rad = turn_rad * fmod((double)k, p->steps) / p->steps;
  double distance_m = share * p->length_m * sin(phase_rad);
  uint64_t seed = noise_seed(p->seed, k);
  for (size_t i = 0; i < path->built->body_count; i++) {
    bodies[i] = path->built->bodies[i];
    if (bodies[i].is_fixed || k == 0)
      continue;
    screw s = path->screws[i];
    bodies[i].pose = move(bodies[i].pose, &s, distance_m);
    if (p->noise_m > 0) {
      ts_random random = ts_random_seed(seed, i);
      s.axis = random_axis(&random);
      bodies[i].pose =
          move(bodies[i].pose, &s, share * p->noise_m * ts_random_uniform(&random, -1, 1));
    }
  }
}
