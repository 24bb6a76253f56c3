// SPDX-License-Identifier: MIT
/// The text output of `score`: the row, the kinds of contacts, and the regions they miss.
#ifndef TS_HARNESS_SCORE_PRINT_H
#define TS_HARNESS_SCORE_PRINT_H

#include "harness/run/cell_state.h"

#include <stdio.h>

/// Prints the table of records [count], as wide as the terminal.
ts_status ts_score_print_table(FILE *file, ts_arena *arena, const ts_record *records, size_t count);

/// Prints a scored state. `envelope_source` is where its envelope was given; NULL: not given.
/// `explain`: the command that explains it.
ts_status ts_score_print(FILE *file, ts_arena *arena, const ts_cell_state *state,
                         const char *envelope_source, const char *explain);

#endif
