// SPDX-License-Identifier: MIT
/// Numbers as text: lines of words with commas or blanks between them.
///
/// Empty lines are passed over, so are comment lines, which begin with `#`, and one line of names
/// before the first number, such as `x,y,z`. Line ends may be those of Windows; a byte order mark
/// is understood.
#ifndef TS_GEOMETRY_NUMBER_LINE_H
#define TS_GEOMETRY_NUMBER_LINE_H

#include "geometry/files/mesh_text.h"

/// What is left of a text.
typedef struct ts_number_text {
  const char *name; ///< for messages
  const char *at, *end;
  size_t line; ///< lines so far
  bool may_be_names;
} ts_number_text;

/// What is left of a line.
typedef struct ts_number_line {
  const char *at, *end;
  size_t number;
  bool is_open; ///< a comma was last, so that there is another word, which may be empty
} ts_number_line;

ts_number_text ts_number_text_start(const char *name, const char *text, size_t count);

/// The next line that holds numbers; false at the end of the text.
bool ts_number_text_next(ts_number_line *out, ts_number_text *text);

/// The next number of a line; `*out_found` is false at its end. TS_E_INPUT with the line: what is
/// not a number, followed by `form`, which says what a line is like; what is not finite, which
/// `what` names.
ts_status ts_number_line_next(double *out, bool *out_found, ts_number_line *line,
                              const ts_number_text *text, const char *what, const char *form);

#endif
