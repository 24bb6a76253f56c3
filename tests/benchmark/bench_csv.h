// SPDX-License-Identifier: MIT
/// Rows of a benchmark as a CSV file, by a table of columns.
#ifndef TS_TESTS_BENCHMARK_BENCH_CSV_H
#define TS_TESTS_BENCHMARK_BENCH_CSV_H

#include "base/types.h"

#include <stdbool.h>
#include <stdio.h>

/// A member of a row, `const char *` or double, and its column.
typedef struct bench_column {
  const char *name;
  bool is_text;
  size_t offset;
  const char *summary; ///< What it is, for help; NULL where the documentation says it.
} bench_column;

#define BENCH_TEXT(row, member, summary)                                                           \
  { #member, true, offsetof(row, member), summary }
#define BENCH_NUMBER(row, member, summary)                                                         \
  { #member, false, offsetof(row, member), summary }

/// Rows [count] of `size` bytes each and what their columns [column_count] are.
typedef struct bench_csv {
  const bench_column *columns;
  size_t column_count;
  const void *rows;
  size_t count, size;
} bench_csv;

/// TS_E_INPUT when bench_csv_write() could not write there, so that nothing is measured in vain.
ts_status bench_csv_can_write(const char *path);

/// Writes the file whole or not at all; an older one is replaced.
ts_status bench_csv_write(const char *path, const bench_csv *csv);

/// A line for each column [count] and what it is.
void bench_csv_print_columns(FILE *file, const bench_column *columns, size_t count);

#endif
