// SPDX-License-Identifier: MIT
// covers: base/key_sort.h
#include "base/key_sort.h"
#include "base/random.h"

#include <criterion/criterion.h>

enum { MOST = 1000 };

/// Keys that differ only in the bits of a mask, some of them equal.
static void check(size_t count, uint64_t mask, uint64_t seed) {
  ts_key keys[MOST], other[MOST];
  bool is_there[MOST] = {false};
  ts_random random = ts_random_seed(seed, 1);
  for (uint32_t i = 0; i < count; i++)
    keys[i] = (ts_key){(ts_random_u64(&random) & mask) | UINT64_C(0x0100000000000000), i};
  ts_keys_sort(keys, other, count);
  for (size_t i = 0; i < count; i++) {
    cr_assert(keys[i].index < count && !is_there[keys[i].index]);
    is_there[keys[i].index] = true;
    cr_assert(i == 0 || keys[i - 1].key < keys[i].key ||
                  (keys[i - 1].key == keys[i].key && keys[i - 1].index < keys[i].index),
              "%zu of %zu under %llx", i, count, (unsigned long long)mask);
  }
}

Test(base_key_sort, keys_ascend_and_equal_ones_keep_their_order) {
  const uint64_t masks[] = {0, 1, 0xff, 0xff00, 0x0f0000000000000f, 0xff000000ff000000, UINT64_MAX};
  const size_t counts[] = {0, 1, 2, 3, 47, 48, 49, 50, 255, 256, 257, MOST};
  for (size_t m = 0; m < sizeof masks / sizeof *masks; m++)
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
      check(counts[c], masks[m], 10 * m + c);
}
