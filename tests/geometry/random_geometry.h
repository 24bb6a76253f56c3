// SPDX-License-Identifier: MIT
/// Random points and poses for the geometry tests.
#ifndef TS_TESTS_GEOMETRY_RANDOM_GEOMETRY_H
#define TS_TESTS_GEOMETRY_RANDOM_GEOMETRY_H

#include "base/random.h"
#include "geometry/pose.h"

/// Uniform in the cube of half side `limit` around the origin.
static inline ts_vec3 random_point(ts_random *random, double limit) {
  ts_vec3 p;
  p.x = ts_random_uniform(random, -limit, limit);
  p.y = ts_random_uniform(random, -limit, limit);
  p.z = ts_random_uniform(random, -limit, limit);
  return p;
}

static inline ts_quat random_rotation(ts_random *random) {
  double u1 = ts_random_unit(random), u2 = ts_random_unit(random), u3 = ts_random_unit(random);
  return ts_quat_uniform(u1, u2, u3);
}

static inline ts_pose random_pose(ts_random *random, double limit) {
  ts_pose pose;
  pose.rotation = random_rotation(random);
  pose.translation = random_point(random, limit);
  return pose;
}

#endif
