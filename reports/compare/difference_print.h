// SPDX-License-Identifier: MIT
/// A comparison of two results as text, Markdown and CSV.
#ifndef TS_REPORTS_DIFFERENCE_PRINT_H
#define TS_REPORTS_DIFFERENCE_PRINT_H

#include "reports/compare/time_difference.h"

#include <stdio.h>

typedef struct ts_comparison {
  ts_rows_of old, new;
  ts_difference difference;
  ts_time_difference times;
  ts_time_limits limits; ///< that the times were judged by
  const char *others;    ///< facts of machine and build that differ: "machine cpu"; NULL or ""
  const char *old_shortfall, *new_shortfall; ///< "1 of 2 cells: the run was cut short"; NULL: whole
} ts_comparison;

/// What differs, a section for each kind, the worst first; then the times; then one line that says
/// how much differs in all. In text and Markdown numbers have six digits, more where those are
/// equal, and the changed hash of a row is told only where nothing else of it changed.
ts_status ts_comparison_print_text(FILE *file, ts_arena *arena, const ts_comparison *comparison,
                                   bool has_colour);
ts_status ts_comparison_print_markdown(FILE *file, ts_arena *arena,
                                       const ts_comparison *comparison);

/// A row for each change, all digits, hashes too, and one for the time of each row that both have:
/// kind slower, faster, same_time or untested_time.
ts_status ts_comparison_print_csv(FILE *file, ts_arena *arena, const ts_comparison *comparison);

/// The value of a column as people read it: "not measured" for NaN. `digits` significant ones.
const char *ts_field_text(ts_arena *arena, const ts_field *field, const ts_record *record,
                          int digits);

/// The same of two values that differ, with as many digits as tell them apart.
ts_status ts_field_texts(const char **out_old, const char **out_new, ts_arena *arena,
                         const ts_field *field, const ts_record *old, const ts_record *new);

#endif
