// SPDX-License-Identifier: MIT
#include "sim/rigid_body.h"

#include "base/status.h"
#include "geometry/tolerances.h"

#include <math.h>

static int is_unit(ts_quat q) {
  double norm = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  return fabs(norm - 1) <= TS_UNIT_NORMAL;
}

ts_status ts_rigid_body_check_state(size_t body, ts_pose pose, ts_twist twist) {
  if (!ts_vec3_is_finite(pose.translation) || !is_unit(pose.rotation))
    return ts_fail(TS_E_INPUT,
                   "body %zu has the rotation (%g, %g, %g, %g) and the translation (%g, %g, %g): "
                   "give a unit quaternion and finite numbers",
                   body, pose.rotation.w, pose.rotation.x, pose.rotation.y, pose.rotation.z,
                   pose.translation.x, pose.translation.y, pose.translation.z);
  if (!ts_vec3_is_finite(twist.linear_m_s) || !ts_vec3_is_finite(twist.angular_rad_s))
    return ts_fail(TS_E_INPUT, "body %zu has a twist that is not finite", body);
  return TS_OK;
}

ts_status ts_rigid_body_make(ts_body_properties *out, const ts_shape *shapes, size_t shape_count,
                             const ts_body *body, size_t index, double damping_kg_m2) {
  if (body->shape < 0 || (size_t)body->shape >= shape_count)
    return ts_fail(TS_E_INPUT, "body %zu has shape %d, but there are %zu, counted from 0", index,
                   (int)body->shape, shape_count);
  TS_TRY(ts_rigid_body_check_state(index, body->pose, body->twist));
  *out = (ts_body_properties){.mass_kg = INFINITY, .rest = body->pose};
  if (body->is_fixed)
    return TS_OK;
  if (!(body->density_kg_m3 > 0) || !isfinite(body->density_kg_m3))
    return ts_fail(TS_E_INPUT, "body %zu has a density of %g kg/m3: give one above 0, or fix it",
                   index, body->density_kg_m3);
  ts_mass_properties mass = ts_shape_mass_properties(&shapes[body->shape], body->density_kg_m3);
  if (!(mass.mass_kg > 0) || !isfinite(1 / mass.mass_kg) || !isfinite(mass.mass_kg) ||
      !ts_inertia_make(&out->inertia, (const double(*)[3])mass.inertia_kg_m2, 0) ||
      !ts_inertia_make(&out->damped, (const double(*)[3])mass.inertia_kg_m2, damping_kg_m2))
    return ts_fail(TS_E_INPUT,
                   "body %zu has a mass of %g kg and moments of inertia of %g, %g and %g kg m2, "
                   "beyond what can be computed with: scale its mesh or its density",
                   index, mass.mass_kg, mass.inertia_kg_m2[0][0], mass.inertia_kg_m2[1][1],
                   mass.inertia_kg_m2[2][2]);
  out->mass_kg = mass.mass_kg;
  out->centre_local = mass.centre_local;
  return TS_OK;
}

ts_vec3 ts_rigid_body_angular(const ts_body_properties *properties, const ts_body_state *state) {
  return ts_inertia_velocity(&properties->inertia, state->rotation, state->spin_kg_m2_s);
}

ts_body_state ts_rigid_body_read(const ts_body_properties *properties, const ts_body *body) {
  ts_body_state s = {.rotation = body->pose.rotation,
                     .centre = ts_pose_point(body->pose, properties->centre_local)};
  if (body->is_fixed)
    return s;
  s.velocity_m_s = ts_twist_velocity_at(body->twist, body->pose, s.centre);
  s.spin_kg_m2_s = ts_inertia_momentum(&properties->inertia, s.rotation, body->twist.angular_rad_s);
  return s;
}

void ts_rigid_body_write(ts_body *body, const ts_body_properties *properties,
                         const ts_body_state *state) {
  if (body->is_fixed)
    return;
  ts_vec3 arm = ts_quat_rotate(state->rotation, properties->centre_local);
  ts_vec3 angular = ts_rigid_body_angular(properties, state);
  body->pose = (ts_pose){state->rotation, ts_vec3_sub(state->centre, arm)};
  body->twist = (ts_twist){ts_vec3_sub(state->velocity_m_s, ts_vec3_cross(angular, arm)), angular};
}

ts_quat ts_rigid_body_turned(ts_quat rotation, ts_vec3 angular_rad_s, double dt_s) {
  double speed = ts_vec3_norm(angular_rad_s);
  ts_quat turn = ts_quat_from_axis_angle(ts_vec3_unit(angular_rad_s), speed * dt_s);
  return ts_quat_unit(ts_quat_mul(turn, rotation));
}
