// SPDX-License-Identifier: MIT
/// What relate prints, and its rows.
#ifndef TS_HARNESS_RELATE_TEXT_H
#define TS_HARNESS_RELATE_TEXT_H

#include "harness/relations/relate_review.h"
#include "reports/rows/csv.h"

#include <stdio.h>

/// Prints the table of methods and relations; a line for each relation that a method does not keep,
/// with the worst pair and the command to look at it; why those are expected; and what else the
/// exit status comes from. `words`: options to be added to such a command, each after a blank.
ts_status ts_relate_print(FILE *file, ts_arena *arena, const ts_relate_review *review,
                          const ts_relate_reviewed *of, const char *words);

/// Appends relations.csv. TS_E_MEMORY.
ts_status ts_relate_put_rows(ts_csv_buffer *out, const ts_relate_reviewed *of);

#endif
