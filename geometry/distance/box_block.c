// SPDX-License-Identifier: MIT
#include "geometry/distance/box_block.h"

static uint64_t meet_plain(const ts_box_block *a, const ts_box_block *b) {
  uint64_t found = 0;
  for (uint32_t i = 0; i < TS_BOX_BLOCK_MOST; i++) {
    ts_aabb box = ts_box_block_get(a, i);
    for (uint32_t k = 0; k < TS_BOX_BLOCK_MOST; k++)
      if (ts_aabb_overlap(box, ts_box_block_get(b, k)))
        found |= UINT64_C(1) << (TS_BOX_BLOCK_MOST * i + k);
  }
  return found;
}

#ifdef __x86_64__
#include <immintrin.h>

/// Four places of b, from `first` on.
static __attribute__((target("avx2"))) uint64_t meet_four(const ts_box_block *a,
                                                          const ts_box_block *b, int first) {
  __m256d low[3], high[3];
  for (int axis = 0; axis < 3; axis++) {
    low[axis] = _mm256_loadu_pd(&b->low[axis][first]);
    high[axis] = _mm256_loadu_pd(&b->high[axis][first]);
  }
  uint64_t found = 0;
  for (int i = 0; i < TS_BOX_BLOCK_MOST; i++) {
    __m256d meets = _mm256_cmp_pd(low[0], low[0], _CMP_EQ_OQ); // all places
    for (int axis = 0; axis < 3; axis++) {
      __m256d begins = _mm256_cmp_pd(_mm256_set1_pd(a->low[axis][i]), high[axis], _CMP_LE_OQ);
      __m256d ends = _mm256_cmp_pd(low[axis], _mm256_set1_pd(a->high[axis][i]), _CMP_LE_OQ);
      meets = _mm256_and_pd(meets, _mm256_and_pd(begins, ends));
    }
    found |= (uint64_t)(unsigned)_mm256_movemask_pd(meets) << (TS_BOX_BLOCK_MOST * i + first);
  }
  return found;
}

static __attribute__((target("avx2"))) uint64_t meet_avx2(const ts_box_block *a,
                                                          const ts_box_block *b) {
  return meet_four(a, b, 0) | meet_four(a, b, 4);
}

static __attribute__((target("avx512f"))) uint64_t meet_avx512(const ts_box_block *a,
                                                               const ts_box_block *b) {
  __m512d low[3], high[3];
  for (int axis = 0; axis < 3; axis++) {
    low[axis] = _mm512_loadu_pd(b->low[axis]);
    high[axis] = _mm512_loadu_pd(b->high[axis]);
  }
  uint64_t found = 0;
  for (int i = 0; i < TS_BOX_BLOCK_MOST; i++) {
    __mmask8 meets = 0xff;
    for (int axis = 0; axis < 3; axis++) {
      __m512d from = _mm512_set1_pd(a->low[axis][i]), to = _mm512_set1_pd(a->high[axis][i]);
      meets = _mm512_mask_cmp_pd_mask(meets, from, high[axis], _CMP_LE_OQ);
      meets = _mm512_mask_cmp_pd_mask(meets, low[axis], to, _CMP_LE_OQ);
    }
    found |= (uint64_t)meets << (TS_BOX_BLOCK_MOST * i);
  }
  return found;
}

uint64_t ts_box_block_meet_by(int lanes, const ts_box_block *a, const ts_box_block *b) {
  if (lanes >= 8 && __builtin_cpu_supports("avx512f"))
    return meet_avx512(a, b);
  return lanes >= 4 && __builtin_cpu_supports("avx2") ? meet_avx2(a, b) : meet_plain(a, b);
}
#else
uint64_t ts_box_block_meet_by(int lanes, const ts_box_block *a, const ts_box_block *b) {
  (void)lanes;
  return meet_plain(a, b);
}
#endif

uint64_t ts_box_block_meet(const ts_box_block *a, const ts_box_block *b) {
  return ts_box_block_meet_by(TS_BOX_BLOCK_MOST, a, b);
}
