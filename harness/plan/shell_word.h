// SPDX-License-Identifier: MIT
/// Words of shell commands that are printed to be executed.
#ifndef TS_HARNESS_SHELL_WORD_H
#define TS_HARNESS_SHELL_WORD_H

#include "harness/plan/options.h"

#include <stdio.h>

/// Writes a word, quoted for a shell if needed.
void ts_shell_put_word(FILE *file, const char *word);

/// A file or folder that stands where an option may: one that begins with a dash is named as in
/// "./".
void ts_shell_put_operand(FILE *file, const char *path);

/// An option with each of some values: " --plugin a.so --plugin b.so".
void ts_shell_put_option(FILE *file, const char *option, const ts_texts *values);

/// A word in the arena; NULL when out of memory.
const char *ts_shell_word(ts_arena *arena, const char *word);

#endif
