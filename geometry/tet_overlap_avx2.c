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

static inline void lanes_load(__m256d out[4], const double *const from[4], int at) {
  __m256d row[4];
  for (int i = 0; i < 4; i++)
    row[i] = _mm256_loadu_pd(from[i] + at);
  __m256d even = _mm256_unpacklo_pd(row[0], row[1]), odd = _mm256_unpackhi_pd(row[0], row[1]);
  __m256d even2 = _mm256_unpacklo_pd(row[2], row[3]), odd2 = _mm256_unpackhi_pd(row[2], row[3]);
  out[0] = _mm256_permute2f128_pd(even, even2, 0x20);
  out[1] = _mm256_permute2f128_pd(odd, odd2, 0x20);
  out[2] = _mm256_permute2f128_pd(even, even2, 0x31);
  out[3] = _mm256_permute2f128_pd(odd, odd2, 0x31);
}

#include "geometry/tet_overlap_lanes.inc"

ts_lane_answers ts_tet_overlap_avx2(const ts_tet_nodes_pair *const pairs[LANES], double tolerance_m,
                                    bool tries_edges) {
  return tries_edges ? try_pairs(pairs, tolerance_m, true) : try_pairs(pairs, tolerance_m, false);
}
#endif
