// SPDX-License-Identifier: MIT
/// What the fuzz targets share. A target is one file with LLVMFuzzerTestOneInput(); docs/fuzzing.md
/// tells how they are run.
#ifndef TS_TESTS_FUZZ_H
#define TS_TESTS_FUZZ_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/// Takes one input: whatever it holds, this returns 0, and a wrong result ends the program.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/// What must hold, whatever the input.
#define FUZZ_CHECK(condition)                                                                      \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition);               \
      abort();                                                                                     \
    }                                                                                              \
  } while (0)

/// Checks that a failure is one that a file may cause, with a message of one line. True for TS_OK.
bool fuzz_is_ok(ts_status status);

/// The input as text with a zero behind it, for free().
char *fuzz_text(const uint8_t *data, size_t size);

/// A folder in memory, emptied for each input. The input becomes its file `name`; where a line
/// "==> OTHER" stands, what follows goes to the file OTHER. The path is static.
const char *fuzz_folder(const uint8_t *data, size_t size, const char *name);

/// The path of a file in that folder, in the arena.
const char *fuzz_path(ts_arena *arena, const char *name);

/// Puts a file there.
void fuzz_write(const char *name, const void *bytes, size_t count);

/// Whether a file of that name is there.
bool fuzz_has(const char *name);

#endif
