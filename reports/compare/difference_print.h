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
  ts_time_limits limits; ///< by which the times were judged
  const char *others;    ///< facts about machine and build that differ: "machine cpu"; NULL or ""
  const char *old_shortfall,
      *new_shortfall;          ///< "1 of 2 cells: the run was cut short"; NULL: complete
  const char *const *explains; ///< [new.count]: the commands that explain its rows; NULL: none
} ts_comparison;

/// Prints the differences, one section for each kind, the worst first; then the times; then one
/// line with the totals. In text and Markdown numbers have six digits, or more if these are equal,
/// and a changed hash is listed only for rows in which nothing else changed.
ts_status ts_comparison_print_text(FILE *file, ts_arena *arena, const ts_comparison *comparison,
                                   bool has_colour);
ts_status ts_comparison_print_markdown(FILE *file, ts_arena *arena,
                                       const ts_comparison *comparison);

/// Prints a row for each change, with all digits and including hashes, and one for the time of each
/// row that both have: kind slower, faster, same_time or untested_time.
ts_status ts_comparison_print_csv(FILE *file, ts_arena *arena, const ts_comparison *comparison);

/// The value of a column for people: "not measured" for NaN, otherwise with `digits` significant
/// digits.
const char *ts_field_text(ts_arena *arena, const ts_field *field, const ts_record *record,
                          int digits);

/// The same for two values that differ, with enough digits to distinguish them.
ts_status ts_field_texts(const char **out_old, const char **out_new, ts_arena *arena,
                         const ts_field *field, const ts_record *old, const ts_record *new);

#endif
