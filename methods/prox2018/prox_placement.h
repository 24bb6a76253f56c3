// SPDX-License-Identifier: MIT
/// How PROX places the tets of two bodies in the world, and which pairs it tests.
#ifndef TS_METHODS_PROX_PLACEMENT_H
#define TS_METHODS_PROX_PLACEMENT_H

#include "base/types.h"
#include "methods/prox2018/prox_pair.h"

#include <stdbool.h>

typedef struct ts_prox_pose {
  ts_real w;     ///< of the quaternion
  ts_real3 axis; ///< its vector part
  ts_real3 translation;
} ts_prox_pose;

ts_prox_pose ts_prox_pose_round(ts_pose pose);

/// The world point of a local one, with PROX's rounding.
ts_real3 ts_prox_place(const ts_prox_pose *pose, ts_vec3 local);

/// Whether the extents of two tets along the four diagonals of a cube meet. PROX tests no others,
/// not even where a method wants features that are apart.
bool ts_prox_diagonals_meet(const ts_prox_pair *pair);

#endif
