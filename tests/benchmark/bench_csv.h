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
  const char *summary; ///< Its meaning, for help; NULL if the documentation explains it.
} bench_column;

#define BENCH_TEXT(row, member, summary)                                                           \
  { #member, true, offsetof(row, member), summary }
#define BENCH_NUMBER(row, member, summary)                                                         \
  { #member, false, offsetof(row, member), summary }

/// Rows [count] of `size` bytes each and their columns [column_count].
typedef struct bench_csv {
  const bench_column *columns;
  size_t column_count;
  const void *rows;
  size_t count, size;
} bench_csv;

/// TS_E_INPUT when bench_csv_write() could not write there; called before the measurement.
ts_status bench_csv_can_write(const char *path);

/// Writes the whole file or nothing; replaces an older one.
ts_status bench_csv_write(const char *path, const bench_csv *csv);

/// Prints a line for each column [count] with its meaning.
void bench_csv_print_columns(FILE *file, const bench_column *columns, size_t count);

#endif
