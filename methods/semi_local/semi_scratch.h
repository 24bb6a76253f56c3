// SPDX-License-Identifier: MIT
/// The memory of one call of generate(): the host's scratch, an arena. What a stage returns and its
/// private arrays are in it, until the call returns; and sets in such memory, of what is connected.
#ifndef TS_METHODS_SEMI_SCRATCH_H
#define TS_METHODS_SEMI_SCRATCH_H

#include "base/array.h"
#include "methods/method.h"

/// Zeroed memory; NULL, with the detail line set, when it is out.
void *ts_semi_scratch(const ts_host *host, size_t count, size_t size);

/// A ts_array_source; `context` points to a `const ts_host *`.
void *ts_semi_array_from_scratch(void *context, size_t bytes);

static inline ts_status ts_semi_array_grow(void *items, size_t item_bytes, size_t *capacity,
                                           size_t count, const ts_host *host) {
  return ts_array_grow(items, item_bytes, capacity, count, 1, ts_semi_array_from_scratch, &host);
}

/// Room for one more item in an array (base/array.h).
#define TS_SEMI_GROW(items, capacity, count, host)                                                 \
  ts_semi_array_grow(&(items), sizeof *(items), &(capacity), (count), (host))

// Disjoint sets of the numbers 0 to n - 1. The root of a set is its lowest number.

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
