// SPDX-License-Identifier: MIT
/// The baseline of the benchmark: a plain overlap test of two tetrahedra.
///
/// Frozen. Times of two commits are compared through their ratio to this function, so changing it,
/// what it calls or how it is compiled invalidates every older figure. It therefore uses nothing
/// from geometry/ and is not optimised or shortened. If it must change, say so in
/// docs/benchmarks.md and give it another name.
#ifndef TS_TESTS_BENCHMARK_BASELINE_OVERLAP_H
#define TS_TESTS_BENCHMARK_BASELINE_OVERLAP_H

#include "base/types.h"

/// Nonzero when no separating axis is found: boxes first, then the 8 face normals, then, unless a
/// node of one is inside the other, the 36 edge cross products; returns at the first that
/// separates. No allowance for rounding: for tets within rounding of touching either result is
/// possible.
int baseline_overlap(const ts_vec3 a[4], const ts_vec3 b[4]);

#endif
