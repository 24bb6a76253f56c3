// SPDX-License-Identifier: MIT
/// Scoring a recorded sequence: the contacts of each step against the truth at the poses of that
/// step, and against those of the step before.
#ifndef TS_HARNESS_SEQUENCE_H
#define TS_HARNESS_SEQUENCE_H

#include "harness/score/score_input.h"

/// The steps in order. Everything is in the score's arena.
typedef struct ts_sequence {
  size_t count;
  ts_record *records; ///< [count]
  /// The records; and of the first step, of the last one, and of the one with the largest jump the
  /// contacts, regions and poses.
  ts_cell_rows rows;
  int32_t jump_bodies[2]; ///< the pair with the largest jump; -1: there is none
} ts_sequence;

/// Puts the bodies of the scene where `--poses` has them in step `--step`, with the truth there.
/// TS_E_INPUT when it has no such step, and as ts_poses_next().
ts_status ts_sequence_pose_scene(ts_score *score);

/// Scores all steps of `--poses`, and names the method (ts_score_name_method).
///
/// TS_E_INPUT, with file and line: what ts_poses_next() and ts_contacts_take_step() refuse,
/// contacts without a step, of a step that comes before the last one or has no poses, and of more
/// than one cell or method.
ts_status ts_sequence_score(ts_sequence *out, ts_score *score);

/// Prints, for each measure, its mean and its worst value with its step.
ts_status ts_sequence_print(FILE *file, const ts_score *score, const ts_sequence *sequence);

#endif
