// SPDX-License-Identifier: MIT
/// Sorting of many items by whole numbers, in linear time.
#ifndef TS_BASE_KEY_SORT_H
#define TS_BASE_KEY_SORT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct ts_key {
  uint64_t key;
  uint32_t index; ///< of the item that it is of
} ts_key;

/// By insertion.
static inline void ts_keys_insert(ts_key *keys, size_t count) {
  for (size_t i = 1; i < count; i++) {
    ts_key own = keys[i];
    size_t at = i;
    for (; at > 0 && keys[at - 1].key > own.key; at--)
      keys[at] = keys[at - 1];
    keys[at] = own;
  }
}

/// Sorts keys [count], ascending; equal ones stay in their order. `other` [count] is overwritten.
/// Bytes of the keys that are the same in all cost little.
static inline void ts_keys_sort(ts_key *keys, ts_key *other, size_t count) {
  enum { FEW = 48, VALUES = 256 }; // up to so few, insertion is faster
  if (count <= FEW) {
    ts_keys_insert(keys, count);
    return;
  }
  uint64_t differ = 0;
  for (size_t i = 1; i < count; i++)
    differ |= keys[i].key ^ keys[0].key;
  ts_key *from = keys, *to = other;
  for (int shift = 0; shift < 64; shift += 8) {
    if (!(differ >> shift & (VALUES - 1)))
      continue;
    size_t start[VALUES + 1] = {0};
    for (size_t i = 0; i < count; i++)
      start[(from[i].key >> shift & (VALUES - 1)) + 1]++;
    for (int value = 0; value < VALUES; value++)
      start[value + 1] += start[value];
    for (size_t i = 0; i < count; i++)
      to[start[from[i].key >> shift & (VALUES - 1)]++] = from[i];
    ts_key *swap = from;
    from = to;
    to = swap;
  }
  if (from != keys)
    memcpy(keys, from, count * sizeof *keys);
}

#endif
