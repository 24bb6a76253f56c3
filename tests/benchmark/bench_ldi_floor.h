// SPDX-License-Identifier: MIT
/// A lower bound for the time of the three views of two bodies on one core of this machine: the
/// work that any implementation has to do, at the best rate of each kind of work.
///
/// Counted are the triangles whose boxes reach into the box of the overlap, and their vertices: all
/// of them have to be looked at, since none is known to matter. From then on it is only what the
/// intervals need: crossings on lines of sight that have an interval, without those of the lower
/// body below all of the upper one and those of the upper one above all of the lower (ldi/view.h);
/// spans, rows of a triangle, that have such crossings; sights of a triangle, in a view where it
/// has such spans; and the bounds of intervals. None of it depends on how the back end tells these
/// from the others.
///
/// The time of one of each is measured here by a loop that does nothing else, in the same precision
/// and by the same compiler: a vertex is read, transformed and written; of a triangle three corners
/// are looked up; at a sight its edges are worked out; a span takes the columns and depths of two
/// edges and the slope in between, three divisions; a crossing is written to its place and read
/// again; at a bound the weights of three corners are worked out, a division, and added to three
/// sums. These loops find everything in order and guess no branch wrong.
///
/// Not in it, though never nothing: finding out what is needed and what is not (boxes, tiles,
/// bands), spans between two pixel centres, the order of corners and of crossings. So it can be
/// neared, not reached.
///
/// The bytes are those that these must read and write if nothing else does, at the rate at which
/// one core copies.
#ifndef TS_TESTS_BENCHMARK_BENCH_LDI_FLOOR_H
#define TS_TESTS_BENCHMARK_BENCH_LDI_FLOOR_H

#include "tests/benchmark/bench_tori.h"

#include "ldi/ldi.h"

enum {
  BENCH_LDI_VERTICES,
  BENCH_LDI_TRIANGLES,
  BENCH_LDI_SIGHTS,
  BENCH_LDI_SPANS,
  BENCH_LDI_CROSSINGS,
  BENCH_LDI_BOUNDS,
  BENCH_LDI_WORKS
};

typedef struct bench_ldi_work {
  const char *name; ///< Plural.
  double bytes;     ///< Of one, read and written.
} bench_ldi_work;

extern const bench_ldi_work bench_ldi_works[BENCH_LDI_WORKS];

typedef struct bench_ldi_floor {
  double count[BENCH_LDI_WORKS];
  double each_ns[BENCH_LDI_WORKS];
  double total_ns;
  double bytes, byte_ns; ///< In all; of copying, a byte read or written.
} bench_ldi_floor;

/// Of placing and measuring two tori with one thread.
ts_status bench_ldi_floor_measure(bench_ldi_floor *out, ts_arena *arena, const bench_tori *tori,
                                  int resolution_px);

#endif
