// SPDX-License-Identifier: MIT
/// The output of a command, to standard output or to the file given with --out: complete or not at
/// all.
#ifndef TS_HARNESS_OUTPUT_H
#define TS_HARNESS_OUTPUT_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdio.h>

/// Buffered text, in memory or in a temporary file, until ts_output_end().
typedef struct ts_output {
  FILE *file; ///< the stream to print to
  const char *path;
  bool may_replace;
  bool is_large; ///< `file` is a temporary file, and `text` is not used
  char *text;
  size_t count;
} ts_output;

/// Begins text for the file `path`, or for standard output if NULL. TS_E_INPUT when the file exists
/// and `may_replace` is false, or when it is a folder.
ts_status ts_output_start(ts_output *out, const char *path, bool may_replace);

/// The same for text that grows with the samples or the contacts of a run.
ts_status ts_output_start_large(ts_output *out, const char *path, bool may_replace);

/// Fails as ts_output_start() would, for commands that have to work before they write.
ts_status ts_output_check(const char *path, bool may_replace);

/// TS_E_INPUT when the file given with an option (NULL: none) is an input of the command: the file
/// `read`, or a file of the results folder `read`.
ts_status ts_output_spare(const char *option, const char *path, const char *read);

/// TS_E_INPUT when the folder `path` given with an option is the folder `read`, which is an input
/// of the command, or within it. `path` need not exist.
ts_status ts_output_spare_folder(const char *option, const char *path, const char *read);

/// Ends the text and, when `status` is TS_OK, writes it; returns `status` or the write error.
/// Always call it after a successful start.
ts_status ts_output_end(ts_output *output, ts_status status);

/// Whether to use colours on standard output: it is a terminal that supports them, and NO_COLOR is
/// not set.
bool ts_output_has_colour(void);

#endif
