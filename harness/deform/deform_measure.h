// SPDX-License-Identifier: MIT
/// What a pair that has given way leaves, measured on its meshes alone: nothing here knows how they
/// were deformed.
#ifndef TS_HARNESS_DEFORM_MEASURE_H
#define TS_HARNESS_DEFORM_MEASURE_H

#include "harness/deform/deform_pair.h"

/// The volume that two bodies share, twice: exactly, and by layered depth images. Whether there is
/// one is by TS_DEFORM_TOUCH_RELATIVE.
typedef struct ts_shared_volume {
  /// ts_mesh_overlap. A negative one is 0 where the bodies only touch; else NaN: folded surfaces
  /// count more where they are inside out than the bodies share.
  double overlap_m3;
  /// ts_mesh_overlap. NaN where no contact surface lies between the bodies along the direction, and
  /// where they overlap but no stretch ends on both.
  double deepest_m;
  /// NaN where the meshes are none, because of triangles that are degenerate, and where the bodies
  /// overlap but no pixel sees it.
  double ldi_m3;
} ts_shared_volume;

/// Pixels along the longest side of the overlap of the boxes, seen along the direction.
#define TS_DEFORM_LDI_PX 512

/// Before or after, in the frame of the pair, along its direction. TS_E_MEMORY, TS_E_INPUT.
ts_status ts_deform_shared_volume(ts_shared_volume *out, ts_arena *arena,
                                  const ts_deform_pair *pair, bool is_after);

/// How far the zones of both meshes after are from each other, along the direction: NaN where they
/// are nowhere above each other. Pairs of triangles whose corners are all in the zone are compared,
/// unless they are farther apart than the bodies overlapped (`deepest_m`): they do not belong to
/// each other then. The mean square is exact, over the area seen along the direction.
typedef struct ts_zone_mismatch {
  double max_m, rms_m;
} ts_zone_mismatch;

ts_status ts_deform_mismatch(ts_zone_mismatch *out, ts_arena *arena, const ts_deform_pair *pair,
                             double deepest_m);

/// Change of the volume of a side over the volume, by its vertices before and after.
double ts_deform_volume_error(const ts_deform_side *side);

/// Triangles of a side whose normal has turned by more than 90 degrees.
size_t ts_deform_turned_over(const ts_deform_side *side);

/// Area of the zone on the mesh of a side after [m2], cut at its crossings. TS_E_MEMORY.
ts_status ts_deform_zone_area(double *out_m2, ts_arena *arena, const ts_deform_side *side);

#endif
