/// What a command prints, or puts into the file that --out names: whole or not at all.
#ifndef TS_HARNESS_OUTPUT_H
#define TS_HARNESS_OUTPUT_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdio.h>

/// Text on its way out; it is in memory until it ends.
typedef struct ts_output {
  FILE *file; ///< to print to
  const char *path;
  bool may_replace;
  char *text;
  size_t count;
} ts_output;

/// Begins text for the file `path`, or for standard output where that is NULL. TS_E_INPUT when
/// something is there already and `may_replace` is false, or when it is a folder.
ts_status ts_output_start(ts_output *out, const char *path, bool may_replace);

/// Ends the text and, when `status` is TS_OK, writes it; returns `status`, or why it could not be
/// written. Always call it after a start that went well.
ts_status ts_output_end(ts_output *output, ts_status status);

/// Whether colours are wanted on standard output: it is a terminal that has some, and NO_COLOR is
/// not set.
bool ts_output_has_colour(void);

#endif
