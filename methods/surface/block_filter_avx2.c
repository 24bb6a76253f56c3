// SPDX-License-Identifier: MIT
#ifdef __x86_64__
#define LANES  8
#define TARGET __attribute__((target("avx2")))
#else
#define LANES  4
#define TARGET // no processor of this kind: not used
#endif
#define FACE_LANES LANES
#include "methods/surface/block_filter_lanes.inc"

const ts_block_filter *ts_block_filter_avx2(void) {
  return &filter;
}
