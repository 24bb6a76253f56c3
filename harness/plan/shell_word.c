// SPDX-License-Identifier: MIT
#include "harness/plan/shell_word.h"

#include <stdbool.h>
#include <string.h>

void ts_shell_put_word(FILE *file, const char *word) {
  static const char plain[] =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.,=:/+-";
  bool is_plain = *word && word[strspn(word, plain)] == '\0';
  if (!is_plain)
    fputc('\'', file);
  for (; *word; word++)
    if (*word == '\'')
      fputs("'\\''", file);
    else
      fputc(*word, file);
  if (!is_plain)
    fputc('\'', file);
}
