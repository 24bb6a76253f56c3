// SPDX-License-Identifier: MIT
/// Shared by the fuzz targets. A target is one file with LLVMFuzzerTestOneInput(); docs/fuzzing.md
/// explains how to run them.
#ifndef TS_TESTS_FUZZ_H
#define TS_TESTS_FUZZ_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/// Processes one input. Returns 0 for any input; a wrong result ends the program.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/// Ends the program unless the condition holds, which it must for every input.
#define FUZZ_CHECK(condition)                                                                      \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition);               \
      abort();                                                                                     \
    }                                                                                              \
  } while (0)

/// Checks that a failure is one that input may cause, with a one-line message. True for TS_OK.
bool fuzz_is_ok(ts_status status);

/// The input as zero-terminated text, to be freed by the caller.
char *fuzz_text(const uint8_t *data, size_t size);

/// A folder in memory, emptied for each input. The input becomes its file `name`; after a line
/// "==> OTHER", the rest goes to the file OTHER. The path is static.
const char *fuzz_folder(const uint8_t *data, size_t size, const char *name);

/// The path of a file in that folder, in the arena.
const char *fuzz_path(ts_arena *arena, const char *name);

/// Writes a file into that folder.
void fuzz_write(const char *name, const void *bytes, size_t count);

/// Whether that folder has a file of that name.
bool fuzz_has(const char *name);

#endif
