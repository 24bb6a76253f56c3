// SPDX-License-Identifier: MIT
#include "methods/prox2018/prox_placement.h"

static ts_real3 round_vector(double x, double y, double z) {
  return (ts_real3){(ts_real)x, (ts_real)y, (ts_real)z};
}

ts_prox_pose ts_prox_pose_round(ts_pose pose) {
  ts_quat q = pose.rotation;
  ts_vec3 t = pose.translation;
  return (ts_prox_pose){(ts_real)q.w, round_vector(q.x, q.y, q.z), round_vector(t.x, t.y, t.z)};
}

// The vector part of (q p) conjugate(q), product by product, then the translation.
ts_real3 ts_prox_place(const ts_prox_pose *pose, ts_vec3 local) {
  ts_real3 q = pose->axis, p = round_vector(local.x, local.y, local.z);
  ts_real real = -ts_real3_dot(q, p);
  ts_real3 half = ts_real3_add(ts_real3_cross(q, p), ts_real3_scale(p, pose->w));
  ts_real3 back = ts_real3_neg(q);
  ts_real3 turned =
      ts_real3_add(ts_real3_add(ts_real3_scale(back, real), ts_real3_scale(half, pose->w)),
                   ts_real3_cross(half, back));
  return ts_real3_add(turned, pose->translation);
}

bool ts_prox_diagonals_meet(const ts_prox_pair *pair) {
  const ts_real c = (ts_real)0.57735026; // 1 / sqrt 3
  const ts_real3 diagonals[4] = {{c, c, c}, {c, c, -c}, {c, -c, c}, {c, -c, -c}};
  for (int d = 0; d < 4; d++) {
    ts_real low[2], high[2];
    for (int side = 0; side < 2; side++)
      for (int i = 0; i < 4; i++) {
        ts_real at = ts_real3_dot(diagonals[d], pair->corners[side][i]);
        low[side] = i == 0 || at < low[side] ? at : low[side];
        high[side] = i == 0 || at > high[side] ? at : high[side];
      }
    if (high[0] < low[1] || high[1] < low[0])
      return false;
  }
  return true;
}
