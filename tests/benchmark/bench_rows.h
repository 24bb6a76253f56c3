// SPDX-License-Identifier: MIT
/// A row of the benchmark, and its file.
#ifndef TS_TESTS_BENCHMARK_BENCH_ROWS_H
#define TS_TESTS_BENCHMARK_BENCH_ROWS_H

#include "base/arena.h"

/// In the column `profile`: the kernel has none.
#define BENCH_NO_PROFILE "none"

/// In the column `kernel`: the row of the geometric means over the methods of one profile.
#define BENCH_MEAN "geometric_mean"

/// Each member is a column of the CSV file; docs/benchmarks.md explains them.
typedef struct bench_row {
  const char *kernel, *profile;
  double pairs, contacts, repeats;
  double ns_per_pair_min, ns_per_pair_median, ns_per_pair_mad;
  double pairs_per_s;
  double ratio, ratio_mad;
  double author_ns_per_pair, share_of_author;
  const char *commit, *compiler, *build_type, *flags, *cpu;
} bench_row;

/// Rows [count], in an arena.
typedef struct bench_rows {
  size_t count;
  bench_row *items;
} bench_rows;

/// The row of a kernel in a profile; NULL if there is none.
const bench_row *bench_rows_find(const bench_rows *rows, const char *kernel, const char *profile);

/// Writes the whole file or nothing; replaces an older one.
ts_status bench_rows_write(const char *path, const bench_rows *rows);

/// TS_E_INPUT, with file and line, for rows that bench_rows_write() cannot have written.
ts_status bench_rows_read(bench_rows *out, ts_arena *arena, const char *path);

#endif
