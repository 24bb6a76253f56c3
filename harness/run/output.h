// SPDX-License-Identifier: MIT
/// What a command prints, or puts into the file that --out names: whole or not at all.
#ifndef TS_HARNESS_OUTPUT_H
#define TS_HARNESS_OUTPUT_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdio.h>

/// Text on its way out; it is in memory, or a temporary file, until it ends.
typedef struct ts_output {
  FILE *file; ///< to print to
  const char *path;
  bool may_replace;
  bool is_large; ///< `file` is temporary, and `text` is not used
  char *text;
  size_t count;
} ts_output;

/// Begins text for the file `path`, or for standard output where that is NULL. TS_E_INPUT when
/// something is there already and `may_replace` is false, or when it is a folder.
ts_status ts_output_start(ts_output *out, const char *path, bool may_replace);

/// The same for text that grows with the samples or the contacts of a run.
ts_status ts_output_start_large(ts_output *out, const char *path, bool may_replace);

/// TS_E_INPUT when the file that an option names, NULL for none, is what the command reads: the
/// file `read`, or a file of the results folder `read`.
ts_status ts_output_spare(const char *option, const char *path, const char *read);

/// Ends the text and, when `status` is TS_OK, writes it; returns `status`, or why it could not be
/// written. Always call it after a start that went well.
ts_status ts_output_end(ts_output *output, ts_status status);

/// Whether colours are wanted on standard output: it is a terminal that has some, and NO_COLOR is
/// not set.
bool ts_output_has_colour(void);

#endif
