// SPDX-License-Identifier: MIT
#ifdef __x86_64__
#define LANES      16
#define FACE_LANES 8
#define TARGET     __attribute__((target("avx2,avx512f,avx512dq")))
#else
#define LANES      4
#define FACE_LANES LANES
#define TARGET     // no processor of this kind: not used
#endif
#include "methods/surface/block_filter_lanes.inc"

const ts_block_filter *ts_block_filter_avx512(void) {
  return &filter;
}
