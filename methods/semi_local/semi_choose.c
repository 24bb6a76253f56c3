// SPDX-License-Identifier: MIT
#include "methods/semi_local/semi_choose.h"

#include "geometry/tolerances.h"

/// The bodies are apart until the largest of gap_i + speed_i t is no more than the tolerance: the
/// first such time up to the horizon, 0 when there is none.
static double time_of_impact(const ts_semi_pair *pair, const ts_semi_candidate *candidates,
                             size_t count) {
  double from = 0, to = pair->s.horizon_s, tolerance = pair->s.snap_m;
  for (size_t i = 0; i < count; i++) {
    double above = candidates[i].gap_m - tolerance;
    double speed = ts_vec3_dot(candidates[i].normal, ts_semi_velocity(pair, candidates[i].point));
    if (speed < 0)
      from = ts_max(from, above / -speed);
    else if (speed > 0)
      to = ts_min(to, -above / speed);
    else if (above > 0)
      return 0;
  }
  return from <= to ? from : 0;
}

/// Symmetric bodies have normals that are violated alike: rounding must not choose.
static double rounding_of_speed(ts_vec3 velocity) {
  return TS_SAME_DIRECTION_RAD * ts_vec3_norm(velocity);
}

size_t ts_semi_choose(const ts_semi_pair *pair, const ts_semi_candidate *candidates, size_t count) {
  if (count == 1)
    return 0;
  double t = time_of_impact(pair, candidates, count), largest = -INFINITY;
  for (size_t i = 0; i < count; i++) {
    ts_vec3 velocity = ts_semi_velocity(pair, candidates[i].point);
    largest =
        ts_max(largest, candidates[i].gap_m + t * ts_vec3_dot(candidates[i].normal, velocity));
  }
  size_t best = 0;
  bool is_first = true;
  double best_speed = -INFINITY;
  for (size_t i = 0; i < count; i++) {
    ts_vec3 velocity = ts_semi_velocity(pair, candidates[i].point);
    double speed = ts_vec3_dot(candidates[i].normal, velocity);
    if (candidates[i].gap_m + t * speed < largest - pair->s.snap_m)
      continue;
    double rounding = rounding_of_speed(velocity);
    bool is_here = !candidates[i].is_elsewhere, best_is_here = !candidates[best].is_elsewhere;
    if (is_first || (is_here && !best_is_here) ||
        (is_here == best_is_here && speed > best_speed + rounding)) {
      is_first = false;
      best_speed = speed;
      best = i;
    }
  }
  return best;
}

bool ts_semi_is_as_good(const ts_semi_pair *pair, const ts_semi_candidate *candidate,
                        const ts_semi_candidate *chosen) {
  double snap = pair->s.snap_m;
  ts_vec3 velocity = ts_semi_velocity(pair, chosen->point);
  return fabs(candidate->gap_m) <= snap && fabs(chosen->gap_m) <= snap &&
         !candidate->is_elsewhere && !ts_semi_is_beside(pair, candidate) &&
         ts_vec3_dot(candidate->normal, velocity) >=
             ts_vec3_dot(chosen->normal, velocity) - rounding_of_speed(velocity);
}
