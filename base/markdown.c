// SPDX-License-Identifier: MIT
#include "base/markdown.h"

#include "base/utf8.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

/// Between letters or digits "_" begins and ends nothing; names stay readable without "\".
static bool is_within_word(const char *text, size_t i) {
  return text[i] == '_' && i > 0 && isalnum((unsigned char)text[i - 1]) &&
         isalnum((unsigned char)text[i + 1]);
}

void ts_markdown_put(FILE *file, const char *text) {
  for (size_t i = 0, control; text[i]; i += control > 0 ? control : 1) {
    control = ts_utf8_control_length(text + i);
    if (strchr("\\`*_{}[]<>|#~&", text[i]) && !is_within_word(text, i))
      fputc('\\', file);
    fputc(control > 0 ? ' ' : text[i], file);
  }
}
