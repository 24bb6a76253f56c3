// SPDX-License-Identifier: MIT
#define LANES 8
#ifdef __x86_64__
#define TARGET __attribute__((target("avx2")))
#else
#define TARGET // no processor of this kind: not used
#endif
#include "methods/surface/block_filter_lanes.inc"

const ts_block_filter *ts_block_filter_avx2(void) {
  return &filter;
}
