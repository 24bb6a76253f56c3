// SPDX-License-Identifier: MIT
/// Compiled for processors with AVX-512: nothing here may run on others.
#include "geometry/tet_overlap_batch.h"

#ifdef __AVX512F__
#include "base/types.h"

#include <immintrin.h>

#define LANES            8
#define lanes            __m512d
#define lanes_bits       __m512i
#define LANES_OP(op)     _mm512_##op##_pd
#define LANES_MORE(a, b) ((unsigned)_mm512_cmp_pd_mask(a, b, _CMP_GT_OQ))

static inline void load_four(__m256d out[4], const double *const from[4], int at) {
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

static inline void lanes_load(__m512d out[4], const double *const from[8], int at) {
  __m256d low[4], high[4];
  load_four(low, from, at);
  load_four(high, from + 4, at);
  for (int i = 0; i < 4; i++)
    out[i] = _mm512_insertf64x4(_mm512_castpd256_pd512(low[i]), high[i], 1);
}

#include "geometry/tet_overlap_lanes.inc"

ts_lane_answers ts_tet_overlap_avx512(const ts_tet_nodes_pair *const pairs[LANES],
                                      double tolerance_m, bool tries_edges) {
  return tries_edges ? try_pairs(pairs, tolerance_m, true) : try_pairs(pairs, tolerance_m, false);
}
#endif
