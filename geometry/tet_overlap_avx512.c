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

#include "geometry/tet_overlap_lanes.inc"

ts_lane_answers ts_tet_overlap_avx512(const ts_tet_nodes_pair *const pairs[LANES],
                                      double tolerance_m) {
  return try_pairs(pairs, tolerance_m);
}
#endif
