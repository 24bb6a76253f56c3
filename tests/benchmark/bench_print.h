// SPDX-License-Identifier: MIT
/// The printed tables of the benchmark.
#ifndef TS_TESTS_BENCHMARK_BENCH_PRINT_H
#define TS_TESTS_BENCHMARK_BENCH_PRINT_H

#include "tests/benchmark/bench_rows.h"

#include <stdbool.h>
#include <stdio.h>

/// The rows, then the geometric means, then sources, build and machine.
void bench_print_rows(FILE *file, const bench_rows *rows);

/// The changes from `old`, read from the file `old_name`: for each kernel the ratio to the baseline
/// and the time, and a mark if the number of contacts differs, which means different work. Then the
/// geometric mean of the ratios' changes over the methods that both have, and differences in build
/// and machine. Rows that only one of them has are named; those of `old` only if `is_whole`, that
/// is, if nothing was left out of `rows` on purpose.
void bench_print_changes(FILE *file, const bench_rows *rows, const bench_rows *old,
                         const char *old_name, bool is_whole);

#endif
