// SPDX-License-Identifier: MIT
/// Reading where bodies were in each step of a recorded sequence, from CSV: TS_POSE_FIELDS
/// (reports/rows/columns.h). docs/score.md explains the file.
#ifndef TS_HARNESS_POSES_READ_H
#define TS_HARNESS_POSES_READ_H

#include "harness/score/body_words.h"

typedef struct ts_poses ts_poses;

typedef struct ts_poses_source {
  const char *path;
  const ts_scene *scene;
  ts_body_words words;
  bool starts_anywhere; ///< the first step may have other poses than the scene
  /// As of ts_contacts_source: NULL, or what a row must have to be read, of a cell its beginning. A
  /// column that the file does not have selects nothing.
  const char *cell, *case_name, *method;
} ts_poses_source;

/// One step. Valid until the next one is read.
typedef struct ts_recorded_step {
  double step, time_s;   ///< the time is NaN where the file has none
  const ts_body *bodies; ///< [scene->body_count]
  size_t line;           ///< of its first row
} ts_recorded_step;

/// Opens a file and reads its header; `source` is borrowed until it is closed. TS_E_INPUT as
/// ts_csv_table_open().
ts_status ts_poses_open(ts_poses **out, ts_arena *arena, const ts_poses_source *source);
void ts_poses_close(ts_poses *poses);

/// Reads the next step; `*out_found` is false at the end. A body that is fixed and has no row is
/// where the scene has it, and a velocity that is not given is that of the scene. TS_E_INPUT, with
/// file and line: a step or a time that goes back, a body twice in a step or not in it, a body that
/// the scene does not have, a number that is missing, a quaternion whose length is off by more than
/// TS_POSES_UNIT_OFF, a first step that is not as the scene has it, rows of several cells, no row
/// that is selected among those that there are, and what ts_csv_table_read() refuses.
ts_status ts_poses_next(bool *out_found, ts_recorded_step *out, ts_poses *poses);

/// Largest number of a step.
#define TS_POSES_STEP_MAX 1e15

/// Quaternions of single precision, and of six digits, are closer.
#define TS_POSES_UNIT_OFF 1e-3

#endif
