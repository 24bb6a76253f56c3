// SPDX-License-Identifier: MIT
/// What score tells people: the row, what the contacts are, and what they miss.
#ifndef TS_HARNESS_SCORE_PRINT_H
#define TS_HARNESS_SCORE_PRINT_H

#include "harness/run/cell_state.h"

#include <stdio.h>

/// Prints a scored moment. `envelope_source` is where its envelope was told; NULL: nowhere.
ts_status ts_score_print(FILE *file, ts_arena *arena, const ts_cell_state *moment,
                         const char *envelope_source);

#endif
