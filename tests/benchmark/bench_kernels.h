// SPDX-License-Identifier: MIT
/// The kernels of the benchmark, one line each.
#ifndef TS_TESTS_BENCHMARK_BENCH_KERNELS_H
#define TS_TESTS_BENCHMARK_BENCH_KERNELS_H

#include "methods/tet/tet_pair.h"

#include <stdbool.h>

typedef struct bench_kernel {
  const char *name; ///< never renamed: data depends on it
  ts_tet_kernel run;
  bool has_profiles;         ///< Measured in each profile; else once.
  double reach_m;            ///< its ts_tet_pair::reach_m; mostly 0
  double author_ns_per_pair; ///< see bench_kernels.c; NaN when there is none
} bench_kernel;

/// The baseline as a kernel: counts a pair that overlaps as one contact.
extern const bench_kernel bench_baseline;

/// The kernels that are compared with it, in the order of the table.
extern const bench_kernel bench_kernels[];
extern const size_t bench_kernel_count;

#endif
