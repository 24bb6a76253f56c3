// SPDX-License-Identifier: MIT
/// Bytes as text (RFC 4648), and numbers as bytes that are the same on every machine.
#ifndef TS_BASE_BASE64_H
#define TS_BASE_BASE64_H

#include "base/types.h"

#include <stdio.h>

/// Encodes to a stream, whose error state says whether writing failed. `held` bytes wait until
/// there are three. Initialise with only `file` set.
typedef struct ts_base64 {
  FILE *file;
  uint8_t held[3];
  size_t held_count;
} ts_base64;

void ts_base64_add(ts_base64 *encoder, const void *bytes, size_t count);

/// Ends the text with its padding; the encoder can be used again.
void ts_base64_end(ts_base64 *encoder);

/// Writes the `count` low bytes of `bits` (at most 8) in little-endian order.
void ts_little_endian(uint8_t *out, uint64_t bits, size_t count);

/// The bits of a number.
uint64_t ts_bits_of_double(double value);
uint32_t ts_bits_of_float(float value);

#endif
