// SPDX-License-Identifier: MIT
/// The data set as a folder, checked against its own manifest and against this build.
#ifndef TS_HARNESS_DATASET_CHECK_H
#define TS_HARNESS_DATASET_CHECK_H

#include "harness/dataset/dataset_make.h"

#include <stdio.h>

/// Compares a folder with its own manifest, and if it is whole with what this build makes; prints
/// what differs, a line each. `*out_is_same` is whether all of it is the same. TS_E_INPUT: the
/// folder is no data set, or has something that may not be read.
ts_status ts_dataset_check(bool *out_is_same, FILE *file, ts_arena *arena,
                           const ts_dataset *dataset, const char *folder);

#endif
