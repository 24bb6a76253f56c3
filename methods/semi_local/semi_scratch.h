// SPDX-License-Identifier: MIT
/// The memory of one call of generate(), in the host's scratch. What a stage returns and its
/// private arrays are in it, until the call returns; and sets in such memory, of what is connected.
#ifndef TS_METHODS_SEMI_SCRATCH_H
#define TS_METHODS_SEMI_SCRATCH_H

#include "base/array.h"
#include "methods/method.h"

/// Begin with the host alone. A pair of boxes takes many small arrays, and asking the host for each
/// would take as long as filling them: small ones are parts of what it gave before.
typedef struct ts_semi_memory {
  const ts_host *host;
  unsigned char *rest; ///< [rest_bytes] zeroed, aligned as the host's
  size_t rest_bytes;
} ts_semi_memory;

/// Zeroed memory; NULL, with the detail line set, when it is out.
void *ts_semi_scratch(ts_semi_memory *memory, size_t count, size_t size);

/// A ts_array_source; `context` is a ts_semi_memory.
void *ts_semi_array_from_scratch(void *context, size_t bytes);

static inline ts_status ts_semi_array_grow(void *items, size_t item_bytes, size_t *capacity,
                                           size_t count, ts_semi_memory *memory) {
  return ts_array_grow(items, item_bytes, capacity, count, 1, ts_semi_array_from_scratch, memory);
}

/// Room for one more item in an array (base/array.h).
#define TS_SEMI_GROW(items, capacity, count, memory)                                               \
  ts_semi_array_grow(&(items), sizeof *(items), &(capacity), (count), (memory))

// Disjoint sets of the numbers 0 to n - 1. The root of a set is its lowest number.

/// Each number alone; NULL, with the detail line set, when out of memory.
static inline uint32_t *ts_semi_forest_create(ts_semi_memory *memory, size_t count) {
  uint32_t *parents = ts_semi_scratch(memory, count, sizeof *parents);
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
