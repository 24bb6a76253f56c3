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
