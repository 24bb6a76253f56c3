// SPDX-License-Identifier: MIT
#include "base/utf8.h"

#include <stdbool.h>

size_t ts_utf8_length(const char *text) {
  const unsigned char *c = (const unsigned char *)text;
  size_t count = c[0] < 0x80                   ? 1
                 : c[0] >= 0xc2 && c[0] < 0xe0 ? 2
                 : (c[0] & 0xf0) == 0xe0       ? 3
                 : c[0] >= 0xf0 && c[0] < 0xf5 ? 4
                                               : 0;
  for (size_t i = 1; i < count; i++)
    if ((c[i] & 0xc0) != 0x80) // also stops at the NUL
      return 0;
  // Overlong, a surrogate, or beyond the last plane.
  bool is_odd = (c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xed && c[1] > 0x9f) ||
                (c[0] == 0xf0 && c[1] < 0x90) || (c[0] == 0xf4 && c[1] > 0x8f);
  return is_odd ? 0 : count;
}

size_t ts_utf8_control_length(const char *text) {
  const unsigned char *c = (const unsigned char *)text;
  if (c[0] < 0x80)
    return c[0] != '\0' && (c[0] < ' ' || c[0] == 0x7f);
  if (c[0] == 0xc2)
    return c[1] >= 0x80 && c[1] < 0xa0 ? 2 : 0;
  if (c[0] == 0xd8)
    return c[1] == 0x9c ? 2 : 0;
  if (c[0] != 0xe2)
    return 0;
  bool turns_text =
      (c[1] == 0x80 && (c[2] == 0x8e || c[2] == 0x8f || (c[2] >= 0xaa && c[2] <= 0xae))) ||
      (c[1] == 0x81 && c[2] >= 0xa6 && c[2] <= 0xa9);
  return turns_text ? 3 : 0;
}

void ts_utf8_put(FILE *file, const char *text, size_t length) {
  for (const char *end = text + length; text < end;) {
    size_t control = ts_utf8_control_length(text);
    fputc(control > 0 ? ' ' : *text, file);
    text += control > 0 ? control : 1;
  }
}
