// SPDX-License-Identifier: MIT
#include "harness/narrow_phase/near_poses.h"

#include "base/random.h"

#include <float.h>
#include <math.h>

#define LEVEL_BITS 10 // per axis

static double largest(double so_far, ts_vec3 v) {
  return fmax(so_far, fmax(fabs(v.x), fmax(fabs(v.y), fabs(v.z))));
}

double ts_near_poses_unit_m(const ts_pair *pairs, size_t count) {
  double size_m = INFINITY, coordinate_m = 0;
  for (size_t i = 0; i < count; i++) {
    size_m = fmin(size_m, pairs[i].size_m);
    coordinate_m = largest(coordinate_m, pairs[i].pose_a.translation);
    coordinate_m = largest(coordinate_m, pairs[i].pose_b.translation);
  }
  // Powers of two, so that most sums are exact.
  return count == 0 ? 0 : exp2(ceil(log2(fmax(0x1p-50 * size_m, DBL_EPSILON * coordinate_m))));
}

/// One of the levels -512 to 511, from the lowest bits.
static double take_level(uint64_t *bits) {
  uint64_t level = *bits & ((1u << LEVEL_BITS) - 1);
  *bits >>= LEVEL_BITS;
  return (double)level - (1 << (LEVEL_BITS - 1));
}

static void move(ts_pose *pose, int32_t body, double unit_m, uint64_t number) {
  ts_random random = ts_random_seed(number, (uint64_t)body);
  uint64_t bits = ts_random_u64(&random);
  pose->translation.x += unit_m * take_level(&bits);
  pose->translation.y += unit_m * take_level(&bits);
  pose->translation.z += unit_m * take_level(&bits);
}

void ts_near_poses(ts_pair *out, const ts_pair *pairs, size_t count, double unit_m,
                   uint64_t number) {
  for (size_t i = 0; i < count; i++) {
    out[i] = pairs[i];
    if (number == 0)
      continue;
    move(&out[i].pose_a, pairs[i].body_a, unit_m, number);
    move(&out[i].pose_b, pairs[i].body_b, unit_m, number);
  }
}
