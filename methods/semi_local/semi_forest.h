// SPDX-License-Identifier: MIT
/// Disjoint sets of the numbers 0 to n - 1. The root of a set is its lowest number.
#ifndef TS_METHODS_SEMI_FOREST_H
#define TS_METHODS_SEMI_FOREST_H

#include "methods/semi_local/semi_scratch.h"

/// Each number alone, in the host's scratch; NULL, with the detail line set, when out of memory.
static inline uint32_t *ts_semi_forest_create(const ts_host *host, size_t count) {
  uint32_t *parents = ts_semi_scratch(host, count, sizeof *parents);
  for (uint32_t i = 0; parents && i < count; i++)
    parents[i] = i;
  return parents;
}

static inline uint32_t ts_semi_forest_root(uint32_t *parents, uint32_t i) {
  while (parents[i] != i) {
    parents[i] = parents[parents[i]];
    i = parents[i];
  }
  return i;
}

static inline void ts_semi_forest_join(uint32_t *parents, uint32_t i, uint32_t k) {
  uint32_t a = ts_semi_forest_root(parents, i), b = ts_semi_forest_root(parents, k);
  parents[a > b ? a : b] = a > b ? b : a;
}

#endif
