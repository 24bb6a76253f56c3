// SPDX-License-Identifier: MIT
// covers: base/hash.h
#include "base/hash.h"

#include <criterion/criterion.h>

enum { MOST = 100 };

Test(base_hash, equal_bytes_have_equal_hashes_wherever_they_lie) {
  unsigned char bytes[MOST + 8];
  for (size_t shift = 0; shift < 8; shift++) {
    for (size_t i = 0; i < MOST; i++)
      bytes[shift + i] = (unsigned char)(7 * i);
    static uint64_t first[MOST + 1];
    for (size_t count = 0; count <= MOST; count++) {
      uint64_t hash = ts_hash_fast(TS_HASH_START, bytes + shift, count);
      if (shift == 0)
        first[count] = hash;
      cr_expect_eq(hash, first[count], "%zu bytes, %zu on", count, shift);
    }
  }
}

// Each step takes different words to different hashes, so that this holds for any bytes.
Test(base_hash, every_bit_and_what_came_before_count) {
  for (size_t count = 1; count <= MOST; count++) {
    unsigned char bytes[MOST] = {0};
    uint64_t hash = ts_hash_fast(TS_HASH_START, bytes, count);
    cr_expect_neq(ts_hash_fast(TS_HASH_START + 1, bytes, count), hash, "%zu bytes", count);
    for (size_t bit = 0; bit < 8 * count; bit++) {
      bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
      cr_expect_neq(ts_hash_fast(TS_HASH_START, bytes, count), hash, "%zu bytes, bit %zu", count,
                    bit);
      bytes[bit / 8] = 0;
    }
  }
}
