// SPDX-License-Identifier: MIT
#define LANES      4 // what nearly all processors have
#define FACE_LANES LANES
#define TARGET
#include "methods/surface/block_filter_lanes.inc"

const ts_block_filter *ts_block_filter_plain(void) {
  return &filter;
}

const ts_block_filter *ts_block_filter_fastest(void) {
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq"))
    return ts_block_filter_avx512();
  if (__builtin_cpu_supports("avx2"))
    return ts_block_filter_avx2();
#endif
  return &filter;
}
