// SPDX-License-Identifier: MIT
/// The motion of an export: a series of frames as VTK files, and one glTF file with an animation.
#ifndef TS_HARNESS_EXPORT_MOTION_H
#define TS_HARNESS_EXPORT_MOTION_H

#include "harness/picture/cell_snapshot.h"
#include "harness/run/kept_files.h"

typedef struct ts_export_motion {
  const ts_snapshot_request *request; ///< its step is the last one, from 2
  int64_t every;                      ///< from 1: which steps are frames, as ts_cell_frames()
  bool has_vtk, has_gltf;
  const char *out; ///< folder, for what is printed
} ts_export_motion;

/// Refuses what the request names wrongly, and a motion whose frames would be too large: TS_E_INPUT
/// with the `--every` that does. Runs nothing.
ts_status ts_export_motion_check(ts_arena *arena, const ts_export_motion *motion);

/// Runs the method in this process and makes the files, in the arena, and last the text to print.
ts_status ts_export_motion_make(ts_made_files *out, ts_arena *arena,
                                const ts_export_motion *motion);

#endif
