// SPDX-License-Identifier: MIT
/// Compiled for processors with AVX2: nothing here may run on others.
#include "geometry/tet_overlap_batch.h"

#ifdef __AVX2__
#include "base/types.h"

#include <immintrin.h>

#define LANES            4
#define lanes            __m256d
#define lanes_bits       __m256i
#define LANES_OP(op)     _mm256_##op##_pd
#define LANES_MORE(a, b) ((unsigned)_mm256_movemask_pd(_mm256_cmp_pd(a, b, _CMP_GT_OQ)))

#include "geometry/tet_overlap_lanes.inc"

ts_lane_answers ts_tet_overlap_avx2(const ts_tet_nodes_pair *const pairs[LANES],
                                    double tolerance_m) {
  return try_pairs(pairs, tolerance_m);
}
#endif
