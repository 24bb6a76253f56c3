// SPDX-License-Identifier: MIT
/// Scoring a whole data set: one contacts file for each scene.
#ifndef TS_HARNESS_SCORE_DATASET_H
#define TS_HARNESS_SCORE_DATASET_H

#include "harness/score/score_judge.h"

typedef struct ts_score_all {
  ts_record *records; ///< [count], of the scenes that have a file, sorted by name
  size_t count;
  const char **missing; ///< [missing_count], names of the scenes that have none
  size_t missing_count;
  ts_manifest manifest; ///< of the data set
} ts_score_all;

/// Scores FOLDER/NAME.csv for each scene NAME of the data set, by the options of `values`, in which
/// `dataset` and `contacts` are set; writes the rows to the results folder, if one is asked for,
/// with `arguments` [count] in its context. The method is that of --name, else of the column
/// method, else the name of the folder. Everything is in the arena.
///
/// TS_E_INPUT: the data set or one of its scenes is not as its manifest says, the folder has a CSV
/// file that no scene is called like, or none at all, the files are of several methods, and what
/// scoring one of them refuses, with its name. Then no results are left.
ts_status ts_score_dataset(ts_score_all *out, ts_arena *arena, const ts_score_values *values,
                           int count, char *const *arguments);

#endif
