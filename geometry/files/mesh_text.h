// SPDX-License-Identifier: MIT
/// The text of a mesh file, word by word.
#ifndef TS_GEOMETRY_MESH_TEXT_H
#define TS_GEOMETRY_MESH_TEXT_H

#include "base/types.h"

#include <stdbool.h>

typedef struct ts_mesh_text {
  const char *path; ///< for messages
  const char *at, *end;
  size_t line; ///< that `at` is in, from 1
} ts_mesh_text;

/// A word of the text, not terminated.
typedef struct ts_word {
  const char *text;
  size_t length;
} ts_word;

/// How much of a word messages quote, for %.*s.
int ts_word_shown(ts_word word);

bool ts_is_line_end(char c);

/// Steps over a line end of any system, which must be next.
void ts_mesh_text_pass_line_end(ts_mesh_text *text);

/// Steps to the end of the line, or of the text.
void ts_mesh_text_skip_line(ts_mesh_text *text);

/// The next word, in whatever line; false at the end of the text.
bool ts_mesh_text_next(ts_word *out, ts_mesh_text *text);

/// Whether a word is a number, which may be infinite or NaN.
bool ts_word_is_number(double *out, ts_word word);

/// The number that a word is, which may be infinite or NaN. TS_E_INPUT, with path and line: it is
/// none.
ts_status ts_word_number(double *out, const ts_mesh_text *text, ts_word word);

/// The same for a coordinate, which must be finite.
ts_status ts_word_coordinate(double *out, const ts_mesh_text *text, ts_word word);

#endif
