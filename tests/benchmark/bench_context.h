// SPDX-License-Identifier: MIT
/// What a benchmark was built from and ran on.
#ifndef TS_TESTS_BENCHMARK_BENCH_CONTEXT_H
#define TS_TESTS_BENCHMARK_BENCH_CONTEXT_H

#include "base/arena.h"

/// As ts_context_create() has it; "unknown" for what is not known.
typedef struct bench_context {
  const char *commit, *compiler, *build_type, *flags, *cpu;
} bench_context;

/// The texts are the arena's.
ts_status bench_context_read(bench_context *out, ts_arena *arena);

#endif
