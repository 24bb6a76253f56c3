// SPDX-License-Identifier: MIT
/// The tables of the benchmark as people read them.
#ifndef TS_TESTS_BENCHMARK_BENCH_PRINT_H
#define TS_TESTS_BENCHMARK_BENCH_PRINT_H

#include "tests/benchmark/bench_rows.h"

#include <stdbool.h>
#include <stdio.h>

/// The rows, then the geometric means, then what they were measured with.
void bench_print_rows(FILE *file, const bench_rows *rows);

/// What changed from `old`, read from the file `old_name`: for each kernel the ratio to the
/// baseline and the time, and a mark where the number of contacts is another, so that the kernel
/// did other work. Then the geometric mean of the ratios' changes over the methods that both have,
/// and what differs in how they were measured. Rows that only one of them has are named; those of
/// `old` only when `is_whole`, which is that nothing was left out of `rows` on purpose.
void bench_print_changes(FILE *file, const bench_rows *rows, const bench_rows *old,
                         const char *old_name, bool is_whole);

#endif
