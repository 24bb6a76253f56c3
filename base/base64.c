// SPDX-License-Identifier: MIT
#include "base/base64.h"

#include <string.h>

static void put_group(ts_base64 *encoder) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const uint8_t *h = encoder->held;
  unsigned group = (unsigned)h[0] << 16 | (unsigned)h[1] << 8 | h[2];
  char text[4];
  for (size_t i = 0; i < 4; i++)
    text[i] = i <= encoder->held_count ? digits[group >> (18 - 6 * i) & 63] : '=';
  fwrite(text, 1, sizeof text, encoder->file);
  memset(encoder->held, 0, sizeof encoder->held);
  encoder->held_count = 0;
}

void ts_base64_add(ts_base64 *encoder, const void *bytes, size_t count) {
  const uint8_t *from = bytes;
  for (size_t i = 0; i < count; i++) {
    encoder->held[encoder->held_count++] = from[i];
    if (encoder->held_count == 3)
      put_group(encoder);
  }
}

void ts_base64_end(ts_base64 *encoder) {
  if (encoder->held_count > 0)
    put_group(encoder);
}

void ts_little_endian(uint8_t *out, uint64_t bits, size_t count) {
  for (size_t i = 0; i < count; i++)
    out[i] = (uint8_t)(bits >> (8 * i));
}

uint64_t ts_bits_of_double(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

uint32_t ts_bits_of_float(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}
