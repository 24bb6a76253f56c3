// SPDX-License-Identifier: MIT
/// The sources, build and machine of a benchmark.
#ifndef TS_TESTS_BENCHMARK_BENCH_CONTEXT_H
#define TS_TESTS_BENCHMARK_BENCH_CONTEXT_H

#include "base/arena.h"

/// As in ts_context_create(); "unknown" where that is unknown.
typedef struct bench_context {
  const char *commit, *compiler, *build_type, *flags, *cpu;
} bench_context;

/// The texts are in the arena.
ts_status bench_context_read(bench_context *out, ts_arena *arena);

#endif
