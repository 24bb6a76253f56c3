// SPDX-License-Identifier: MIT
#include "geometry/pose.h"

ts_quat ts_quat_from_axis_angle(ts_vec3 axis, double angle_rad) {
  double s = sin(0.5 * angle_rad);
  return (ts_quat){cos(0.5 * angle_rad), s * axis.x, s * axis.y, s * axis.z};
}

ts_quat ts_quat_from_axes(ts_vec3 x, ts_vec3 y, ts_vec3 z) {
  // Of the four squares of components, times 4, the largest has the digits for the others.
  double squares[4] = {1 + x.x + y.y + z.z, 1 + x.x - y.y - z.z, 1 - x.x + y.y - z.z,
                       1 - x.x - y.y + z.z};
  int largest = 0;
  for (int i = 1; i < 4; i++)
    largest = squares[i] > squares[largest] ? i : largest;
  double wx = y.z - z.y, wy = z.x - x.z, wz = x.y - y.x;
  double xy = x.y + y.x, yz = y.z + z.y, zx = z.x + x.z;
  const ts_quat candidates[4] = {{squares[0], wx, wy, wz},
                                 {wx, squares[1], xy, zx},
                                 {wy, xy, squares[2], yz},
                                 {wz, zx, yz, squares[3]}};
  return ts_quat_unit(candidates[largest]);
}

ts_quat ts_quat_mul(ts_quat a, ts_quat b) {
  return (ts_quat){
      a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

ts_quat ts_quat_unit(ts_quat q) {
  double norm = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  if (!(norm > 0) || !isfinite(norm))
    return ts_quat_identity();
  return (ts_quat){q.w / norm, q.x / norm, q.y / norm, q.z / norm};
}

ts_quat ts_quat_uniform(double u1, double u2, double u3) {
  const double tau = 6.283185307179586476925;
  double r1 = sqrt(1 - u1), r2 = sqrt(u1);
  ts_quat q = {cos(tau * u3) * r2, sin(tau * u2) * r1, cos(tau * u2) * r1, sin(tau * u3) * r2};
  return ts_quat_unit(q);
}

ts_pose ts_pose_mul(ts_pose a, ts_pose b) {
  return (ts_pose){ts_quat_unit(ts_quat_mul(a.rotation, b.rotation)),
                   ts_pose_point(a, b.translation)};
}

ts_pose ts_pose_inverse(ts_pose pose) {
  ts_quat inverse = ts_quat_conjugate(pose.rotation);
  return (ts_pose){inverse, ts_vec3_neg(ts_quat_rotate(inverse, pose.translation))};
}

ts_pose ts_pose_relative(ts_pose a, ts_pose b) {
  ts_quat inverse = ts_quat_conjugate(a.rotation);
  return (ts_pose){ts_quat_unit(ts_quat_mul(inverse, b.rotation)),
                   ts_quat_rotate(inverse, ts_vec3_sub(b.translation, a.translation))};
}

ts_vec3 ts_twist_velocity_at(ts_twist twist, ts_pose pose, ts_vec3 p) {
  return ts_vec3_add(twist.linear_m_s,
                     ts_vec3_cross(twist.angular_rad_s, ts_vec3_sub(p, pose.translation)));
}
