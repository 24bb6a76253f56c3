// SPDX-License-Identifier: MIT
/// FNV-1a, 64 bits: equal bytes have equal fingerprints. Not a cryptographic hash.
#ifndef TS_BASE_HASH_H
#define TS_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define TS_HASH_START UINT64_C(0xcbf29ce484222325)

/// Continues `hash` (initially TS_HASH_START) over `count` bytes.
static inline uint64_t ts_hash_bytes(uint64_t hash, const void *bytes, size_t count) {
  const unsigned char *p = (const unsigned char *)bytes;
  for (size_t i = 0; i < count; i++)
    hash = (hash ^ p[i]) * UINT64_C(0x100000001b3);
  return hash;
}

#endif
