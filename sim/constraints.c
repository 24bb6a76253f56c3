// SPDX-License-Identifier: MIT
#include "sim/constraints.h"

#include "geometry/tolerances.h"

#include <math.h>

double ts_constraint_mean_area(const ts_contact_set *set, const ts_response_params *params) {
  double sum_m2 = 0;
  for (size_t i = 0; i < set->count; i++)
    sum_m2 += ts_response_area_m2(set, i, params);
  return set->count > 0 ? sum_m2 / (double)set->count : 0;
}

bool ts_constraint_is_too_deep(const ts_contact_set *set, size_t contact, double mean_area_m2,
                               double beyond_m, const ts_response_params *params) {
  double volume_m3 = -set->contacts[contact].gap_m * ts_response_area_m2(set, contact, params);
  return volume_m3 > beyond_m * mean_area_m2;
}

/// The velocity that is asked for along the normal, which parts bodies that overlap; in a position
/// step the displacement that nearly ends the overlap, or that a gap leaves room for.
static double parting_velocity(double overlap_m, const ts_solver_params *params, double dt_s) {
  double left_m = 0.5 * params->corrects_beyond_m;
  if (params->corrects_beyond_m > 0)
    return (overlap_m > left_m ? overlap_m - left_m : fmin(overlap_m, 0)) / dt_s;
  bool is_point = params->response.kind == TS_RESPONSE_POINTS;
  return is_point && overlap_m > 0 ? params->stabilisation * overlap_m / dt_s : 0;
}

void ts_constraint_of_contact(ts_constraint *out, const ts_contact *contact,
                              const ts_solver_body *a, const ts_solver_body *b,
                              const ts_solver_params *params, double dt_s) {
  ts_vec3 normal = ts_vec3_unit(contact->normal);
  ts_vec3 arm_a = ts_vec3_sub(contact->point, a->centre);
  ts_vec3 arm_b = ts_vec3_sub(contact->point, b->centre);
  bool has_spin = params->response.kind == TS_RESPONSE_POINTS;
  *out = (ts_constraint){.normal = normal,
                         .moment_a = ts_vec3_cross(arm_a, normal),
                         .moment_b = ts_vec3_cross(arm_b, normal),
                         .arm_a = arm_a,
                         .arm_b = arm_b,
                         .has_normal = true,
                         .has_friction = true,
                         .spin_length_m = has_spin ? params->spin_length_m : 0,
                         .parting_m_s = parting_velocity(-contact->gap_m, params, dt_s)};
}

double ts_constraint_of_pair(ts_constraint *out, double *shares, const ts_contact_set *set,
                             const ts_solver_body *a, const ts_solver_body *b,
                             const ts_solver_params *params, double dt_s, bool only_overlapping) {
  const ts_vec3 zero = {0, 0, 0};
  ts_vec3 normals = zero, points = zero, moment_a = zero, moment_b = zero;
  double area_m2 = 0, volume_m3 = 0;
  // Points against one of them: far from the origin their mean keeps its digits.
  ts_vec3 origin = set->count > 0 ? set->contacts[0].point : zero;
  for (size_t i = 0; i < set->count; i++) {
    const ts_contact *c = &set->contacts[i];
    double area = ts_response_area_m2(set, i, &params->response);
    shares[i] = 0;
    if (!(area > 0) || (only_overlapping && !(c->gap_m < 0)))
      continue;
    ts_vec3 push = ts_vec3_scale(ts_vec3_unit(c->normal), area);
    normals = ts_vec3_add(normals, push);
    moment_a = ts_vec3_add(moment_a, ts_vec3_cross(ts_vec3_sub(c->point, a->centre), push));
    moment_b = ts_vec3_add(moment_b, ts_vec3_cross(ts_vec3_sub(c->point, b->centre), push));
    points = ts_vec3_add_scaled(points, area, ts_vec3_sub(c->point, origin));
    area_m2 += area;
    volume_m3 -= area * c->gap_m;
    shares[i] = area;
  }
  double length_m2 = ts_vec3_norm(normals);
  if (!(length_m2 > TS_NO_PUSH * area_m2))
    return 0;
  for (size_t i = 0; i < set->count; i++)
    shares[i] /= length_m2;
  ts_vec3 point = ts_vec3_add_scaled(origin, 1 / area_m2, points);
  *out = (ts_constraint){.normal = ts_vec3_scale(normals, 1 / length_m2),
                         .moment_a = ts_vec3_scale(moment_a, 1 / length_m2),
                         .moment_b = ts_vec3_scale(moment_b, 1 / length_m2),
                         .arm_a = ts_vec3_sub(point, a->centre),
                         .arm_b = ts_vec3_sub(point, b->centre),
                         .has_normal = true,
                         .has_friction = true,
                         .parting_m_s = parting_velocity(volume_m3 / length_m2, params, dt_s)};
  return length_m2;
}
