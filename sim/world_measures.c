// SPDX-License-Identifier: MIT
#include "sim/world_measures.h"

#include <math.h>

ts_world_energy ts_world_get_energy(const ts_world *world) {
  ts_world_energy sum = {0, 0, 0};
  ts_vec3 gravity = ts_world_get_params(world)->gravity_m_s2;
  for (size_t i = 0; i < ts_world_body_count(world); i++) {
    if (ts_world_bodies(world)[i].is_fixed)
      continue;
    ts_world_motion m = ts_world_get_motion(world, i);
    sum.linear_j += 0.5 * m.mass_kg * ts_vec3_norm2(m.velocity_m_s);
    sum.angular_j += 0.5 * ts_vec3_dot(m.angular_rad_s, m.spin_kg_m2_s);
    sum.potential_j -= m.mass_kg * ts_vec3_dot(gravity, m.centre);
  }
  return sum;
}

ts_world_momentum ts_world_get_momentum(const ts_world *world) {
  ts_world_momentum sum = {{0, 0, 0}, {0, 0, 0}};
  for (size_t i = 0; i < ts_world_body_count(world); i++) {
    if (ts_world_bodies(world)[i].is_fixed)
      continue;
    ts_world_motion m = ts_world_get_motion(world, i);
    ts_vec3 linear = ts_vec3_scale(m.velocity_m_s, m.mass_kg);
    sum.linear_kg_m_s = ts_vec3_add(sum.linear_kg_m_s, linear);
    sum.angular_kg_m2_s = ts_vec3_add(sum.angular_kg_m2_s,
                                      ts_vec3_add(ts_vec3_cross(m.centre, linear), m.spin_kg_m2_s));
  }
  return sum;
}

double ts_world_drift_m(const ts_world *world, size_t body) {
  const ts_mesh *mesh = ts_world_shape(world, body)->mesh;
  ts_pose now = ts_world_bodies(world)[body].pose, rest = ts_world_rest_pose(world, body);
  // Displacement by the difference of the two motions: far from the world's origin that of two
  // world points would be rounding.
  ts_vec3 moved = ts_vec3_sub(now.translation, rest.translation);
  double largest2 = 0;
  for (size_t i = 0; i < mesh->vertex_count; i++) {
    ts_vec3 p = mesh->vertices[i];
    ts_vec3 turned = ts_vec3_sub(ts_quat_rotate(now.rotation, p), ts_quat_rotate(rest.rotation, p));
    double distance2 = ts_vec3_norm2(ts_vec3_add(moved, turned));
    largest2 = distance2 > largest2 ? distance2 : largest2;
  }
  return sqrt(largest2);
}

double ts_world_largest_drift_m(const ts_world *world) {
  double largest_m = 0;
  for (size_t i = 0; i < ts_world_body_count(world); i++) {
    double drift_m = ts_world_drift_m(world, i);
    largest_m = drift_m > largest_m ? drift_m : largest_m;
  }
  return largest_m;
}

double ts_world_largest_tilt_deg(const ts_world *world, ts_vec3 up) {
  double largest_rad = 0;
  for (size_t i = 0; i < ts_world_body_count(world); i++) {
    ts_quat now = ts_world_bodies(world)[i].pose.rotation;
    ts_quat rest = ts_world_rest_pose(world, i).rotation;
    ts_vec3 local = ts_quat_rotate(ts_quat_conjugate(rest), up);
    ts_vec3 turned = ts_quat_rotate(now, local);
    double sine = ts_vec3_norm(ts_vec3_cross(up, turned));
    largest_rad = fmax(largest_rad, atan2(sine, ts_vec3_dot(up, turned)));
  }
  return largest_rad * (180 / 3.14159265358979323846);
}
