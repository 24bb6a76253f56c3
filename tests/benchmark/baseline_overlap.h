// SPDX-License-Identifier: MIT
/// The ruler of the benchmark: a plain overlap test of two tetrahedra.
///
/// Frozen. Times of two commits are compared through their ratio to this function, so a change of
/// it, of what it calls or of how it is compiled makes every older figure worthless. It therefore
/// uses nothing of geometry/ and is not made faster or shorter. When it has to change, say so in
/// docs/benchmarks.md and give it another name.
#ifndef TS_TESTS_BENCHMARK_BASELINE_OVERLAP_H
#define TS_TESTS_BENCHMARK_BASELINE_OVERLAP_H

#include "base/types.h"

/// Nonzero when no separating axis is found: boxes first, then the 8 face normals, then, unless a
/// node of one is inside the other, the 36 edge crosses; out at the first that separates. No
/// allowance for rounding: for tets within rounding of touching either answer may come.
int baseline_overlap(const ts_vec3 a[4], const ts_vec3 b[4]);

#endif
