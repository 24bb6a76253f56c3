// SPDX-License-Identifier: MIT
#include "harness/plan/shell_word.h"

#include <stdbool.h>
#include <stdlib.h>
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

void ts_shell_put_operand(FILE *file, const char *path) {
  fputs(path[0] == '-' ? "./" : "", file);
  ts_shell_put_word(file, path);
}

void ts_shell_put_option(FILE *file, const char *option, const ts_texts *values) {
  for (size_t i = 0; i < values->count; i++) {
    fprintf(file, " %s ", option);
    ts_shell_put_word(file, values->items[i]);
  }
}

const char *ts_shell_word(ts_arena *arena, const char *word) {
  char *text = NULL;
  size_t length;
  FILE *file = open_memstream(&text, &length);
  if (file)
    ts_shell_put_word(file, word);
  bool is_whole = file && fclose(file) == 0;
  const char *kept = is_whole ? ts_arena_string(arena, text) : NULL;
  free(text);
  return kept;
}
