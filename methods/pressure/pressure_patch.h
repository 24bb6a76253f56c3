// SPDX-License-Identifier: MIT
/// All polygons of the contact surface of two bodies.
#ifndef TS_METHODS_PRESSURE_PATCH_H
#define TS_METHODS_PRESSURE_PATCH_H

#include "methods/pressure/pressure_cut.h"

/// Which of two bodies is rigid.
typedef enum ts_pressure_rigid {
  TS_PRESSURE_RIGID_NONE = -1,
  TS_PRESSURE_RIGID_A = 0,
  TS_PRESSURE_RIGID_B = 1
} ts_pressure_rigid;

/// In the local frame of body a.
typedef struct ts_pressure_patch {
  ts_arena *arena; ///< of `cuts`
  size_t count, capacity;
  ts_pressure_cut *cuts; ///< [count]; normals from a to b
} ts_pressure_patch;

/// Appends the polygons of a pair to an empty patch, in an order that depends on the two bodies
/// only. O(n log n) for bodies that overlap little. TS_E_MEMORY.
ts_status ts_pressure_patch_find(ts_pressure_patch *out, const ts_pressure_body *a,
                                 const ts_pressure_body *b, ts_pose b_to_a, ts_pressure_rigid rigid,
                                 double size_m);

/// Drops polygons whose area is less than that of the largest times `relative`.
void ts_pressure_patch_drop_small(ts_pressure_patch *patch, double relative);

/// The centre of the area of a polygon.
ts_vec3 ts_pressure_cut_centre(const ts_pressure_cut *cut);

#endif
