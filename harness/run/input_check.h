// SPDX-License-Identifier: MIT
/// Whether a method left alone what it was given to read: a fingerprint before, another after.
#ifndef TS_HARNESS_INPUT_CHECK_H
#define TS_HARNESS_INPUT_CHECK_H

#include "base/types.h"

/// Continues `hash` (TS_HASH_START at first) over `count` bytes, eight at a time: for what is large
/// and looked at often. Not the hash of base/hash.h.
uint64_t ts_input_hash(uint64_t hash, const void *bytes, size_t count);

/// Fingerprint of a mesh and all its arrays.
uint64_t ts_input_hash_mesh(const ts_mesh *mesh);

#endif
