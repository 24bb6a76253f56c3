// SPDX-License-Identifier: MIT
/// The least time that the cpu back end could take on this machine: what it must do, times what
/// that takes at best.
///
/// Counted are vertices and triangles of both bodies, the spans (rows of a triangle) and crossings
/// that are left when what bounds no overlap is left out, and the bounds of intervals. The time of
/// one of each is measured here by a loop that does nothing else, over as much memory: a vertex is
/// transformed and written; of a triangle three corners are looked up; a span takes three
/// divisions, for the rows of two edges and the slope between them; a crossing is written to its
/// place and read again; at a bound three corners are read and three sums are added to. What lies
/// between (bounds of bodies, sorting, tiles, spans that cover no pixel) counts as avoidable.
#ifndef TS_TESTS_BENCHMARK_BENCH_LDI_FLOOR_H
#define TS_TESTS_BENCHMARK_BENCH_LDI_FLOOR_H

#include "tests/benchmark/bench_tori.h"

#include "ldi/ldi.h"

enum {
  BENCH_LDI_VERTICES,
  BENCH_LDI_TRIANGLES,
  BENCH_LDI_SPANS,
  BENCH_LDI_CROSSINGS,
  BENCH_LDI_BOUNDS,
  BENCH_LDI_WORKS
};

extern const char *const bench_ldi_work_names[BENCH_LDI_WORKS];

typedef struct bench_ldi_floor {
  double count[BENCH_LDI_WORKS];
  double each_ns[BENCH_LDI_WORKS];
  double total_ns;
} bench_ldi_floor;

/// Of placing and measuring two tori with one thread.
ts_status bench_ldi_floor_measure(bench_ldi_floor *out, ts_arena *arena, const bench_tori *tori,
                                  int resolution_px);

#endif
