// SPDX-License-Identifier: MIT
/// Fingerprints of 64 bits: equal bytes have equal ones. Not cryptographic hashes.
#ifndef TS_BASE_HASH_H
#define TS_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define TS_HASH_START UINT64_C(0xcbf29ce484222325)

/// FNV-1a: continues `hash` (initially TS_HASH_START) over `count` bytes.
static inline uint64_t ts_hash_bytes(uint64_t hash, const void *bytes, size_t count) {
  const unsigned char *p = (const unsigned char *)bytes;
  for (size_t i = 0; i < count; i++)
    hash = (hash ^ p[i]) * UINT64_C(0x100000001b3);
  return hash;
}

/// Continues over eight bytes.
static inline uint64_t ts_hash_word(uint64_t hash, uint64_t word) {
  uint64_t mixed = (hash ^ word) * UINT64_C(0x100000001b3);
  return mixed ^ mixed >> 32; // otherwise the upper bits of a word would be lost
}

/// Another one, of eight bytes at a time, for what this process or one like it compares: much
/// faster, and not the same where the bytes are cut into pieces elsewhere.
static inline uint64_t ts_hash_fast(uint64_t hash, const void *bytes, size_t count) {
  const unsigned char *next = (const unsigned char *)bytes;
  uint64_t words[4];
  if (count >= sizeof words) {
    // Independent lanes, so that multiplications can overlap.
    uint64_t lanes[4] = {hash, hash + 1, hash + 2, hash + 3};
    for (; count >= sizeof words; count -= sizeof words, next += sizeof words) {
      memcpy(words, next, sizeof words);
      for (int i = 0; i < 4; i++)
        lanes[i] = ts_hash_word(lanes[i], words[i]);
    }
    for (int i = 0; i < 4; i++)
      hash = ts_hash_word(hash, lanes[i]);
  }
  for (; count >= sizeof *words; count -= sizeof *words, next += sizeof *words) {
    memcpy(words, next, sizeof *words);
    hash = ts_hash_word(hash, *words);
  }
  return ts_hash_bytes(hash, next, count);
}

#endif
