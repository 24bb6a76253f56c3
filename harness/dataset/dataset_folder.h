// SPDX-License-Identifier: MIT
/// The data set as a folder: written as a whole, and checked against its manifest and this build.
#ifndef TS_HARNESS_DATASET_FOLDER_H
#define TS_HARNESS_DATASET_FOLDER_H

#include "harness/dataset/dataset.h"

#include <stdio.h>

/// Refuses a folder that exists and is not empty (TS_E_INPUT), and what is not a folder.
ts_status ts_dataset_check_empty(const char *folder);

/// Writes all files into a new or empty folder; its parents are made. The manifest comes last, so
/// that a folder with a manifest is complete. On TS_E_IO nothing of it is left. Signals should be
/// held meanwhile (ts_interrupt_hold).
ts_status ts_dataset_write(const ts_dataset *dataset, ts_arena *arena, const char *folder);

/// Compares a folder with its own manifest, and if it is whole with what this build makes; prints
/// what differs, a line each. `*out_is_same` is whether all of it is the same. TS_E_INPUT: the
/// folder is no data set.
ts_status ts_dataset_check(bool *out_is_same, FILE *file, ts_arena *arena,
                           const ts_dataset *dataset, const char *folder);

#endif
