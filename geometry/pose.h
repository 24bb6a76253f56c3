// SPDX-License-Identifier: MIT
/// Rigid transforms: unit quaternion and translation.
#ifndef TS_GEOMETRY_POSE_H
#define TS_GEOMETRY_POSE_H

#include "geometry/vec3.h"

static inline ts_quat ts_quat_identity(void) {
  return (ts_quat){1, 0, 0, 0};
}

/// Rotation by `angle_rad` about the unit `axis`.
ts_quat ts_quat_from_axis_angle(ts_vec3 axis, double angle_rad);

/// The rotation that turns the axes of a frame to these, a right-handed orthonormal triple.
ts_quat ts_quat_from_axes(ts_vec3 x, ts_vec3 y, ts_vec3 z);

/// The rotation that does `b` first, then `a`.
ts_quat ts_quat_mul(ts_quat a, ts_quat b);

/// Unit quaternion along q; the identity when q is zero or not finite.
ts_quat ts_quat_unit(ts_quat q);

static inline ts_quat ts_quat_conjugate(ts_quat q) {
  return (ts_quat){q.w, -q.x, -q.y, -q.z};
}

/// A uniformly distributed rotation from three numbers, uniform in [0, 1) (Shoemake 1992).
ts_quat ts_quat_uniform(double u1, double u2, double u3);

static inline ts_vec3 ts_quat_rotate(ts_quat q, ts_vec3 p) {
  ts_vec3 axis = {q.x, q.y, q.z};
  ts_vec3 t = ts_vec3_scale(ts_vec3_cross(axis, p), 2);
  return ts_vec3_add(ts_vec3_add_scaled(p, q.w, t), ts_vec3_cross(axis, t));
}

static inline ts_pose ts_pose_identity(void) {
  return (ts_pose){{1, 0, 0, 0}, {0, 0, 0}};
}

static inline ts_vec3 ts_pose_point(ts_pose pose, ts_vec3 local) {
  return ts_vec3_add(ts_quat_rotate(pose.rotation, local), pose.translation);
}

static inline ts_vec3 ts_pose_direction(ts_pose pose, ts_vec3 local) {
  return ts_quat_rotate(pose.rotation, local);
}

/// The local point at a world point.
static inline ts_vec3 ts_pose_point_local(ts_pose pose, ts_vec3 world) {
  return ts_quat_rotate(ts_quat_conjugate(pose.rotation), ts_vec3_sub(world, pose.translation));
}

/// The transform that does `b` first, then `a`.
ts_pose ts_pose_mul(ts_pose a, ts_pose b);

ts_pose ts_pose_inverse(ts_pose pose);

/// From the frame of `b` to the frame of `a`, both given in the world: inverse(a) b, computed
/// without the cancellation that two far translations would bring.
ts_pose ts_pose_relative(ts_pose a, ts_pose b);

/// World velocity [m/s] of the material point of a body at the world point `p`.
ts_vec3 ts_twist_velocity_at(ts_twist twist, ts_pose pose, ts_vec3 p);

#endif
