// SPDX-License-Identifier: MIT
/// Judging the contacts of one file, and the results folder of what was judged.
#ifndef TS_HARNESS_SCORE_JUDGE_H
#define TS_HARNESS_SCORE_JUDGE_H

#include "harness/dataset/dataset_source.h"
#include "harness/score/score_input.h"
#include "reports/rows/results.h"

/// What the contacts of the score are judged by.
ts_scoring ts_score_scoring(const ts_score *score);

/// Reads the contacts of one state, names their method and judges them: `state` of the score. The
/// scene has been read and rows are selected.
ts_status ts_score_judge(ts_score *score);

/// Makes the results folder; `arguments` [count] of the command go to its context, and which
/// version of the data set the scenes of `source` are of, which ends with it. TS_E_INPUT when the
/// folder has results already.
ts_status ts_score_results_begin(ts_results **out, ts_arena *arena, const char *folder, int count,
                                 char *const *arguments, ts_dataset_source *source);

/// Closes the results. Unless `status`, that of all work on them, is TS_OK they are removed:
/// nothing goes on with them, unlike with those of a run. What else is in the folder stays.
ts_status ts_score_results_end(ts_results *results, const char *folder, ts_status status);

#endif
