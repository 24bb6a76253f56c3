// SPDX-License-Identifier: MIT
/// The pair of bodies in the benchmark of layered depth images: two tori that overlap.
#ifndef TS_TESTS_BENCHMARK_BENCH_TORI_H
#define TS_TESTS_BENCHMARK_BENCH_TORI_H

#include "geometry/mesh/mesh.h"

typedef struct bench_tori {
  const ts_mesh *mesh[2];
  ts_pose pose[2];
  double triangles; ///< Of each: the nearest number that the case can build.
} bench_tori;

/// The valid numbers of triangles: the parameter of the case, in the arena.
ts_status bench_tori_range(ts_param *out, ts_arena *arena);

/// The bodies of the case `tori`, at its poses, with about `triangles` each. Memory is in the
/// arena.
ts_status bench_tori_build(bench_tori *out, ts_arena *arena, double triangles);

/// The same bodies, both moved by one random rigid motion; 0 is none.
bench_tori bench_tori_moved(const bench_tori *tori, uint64_t motion_seed);

#endif
