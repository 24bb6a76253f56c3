// SPDX-License-Identifier: MIT
/// Text in columns, and numbers formatted for people.
#ifndef TS_REPORTS_TABLE_TEXT_H
#define TS_REPORTS_TABLE_TEXT_H

#include "base/number.h"

#include <stdbool.h>
#include <stdio.h>

#define TS_BOLD "\033[1m"
#define TS_DIM  "\033[2m"
#define TS_RED  "\033[31m"

/// Writes text without trailing blanks, and without control characters, which names and reasons
/// from files may contain.
typedef struct ts_pen {
  FILE *file;
  bool colour;
  size_t pending; ///< blanks to write before the next text
} ts_pen;

/// `style` is one of the above or NULL; it is used only if the pen has colour.
void ts_pen_put(ts_pen *pen, const char *style, const char *text);
void ts_pen_put_left(ts_pen *pen, const char *style, const char *text, size_t width);
void ts_pen_put_right(ts_pen *pen, const char *style, const char *text, size_t width);
void ts_pen_put_centred(ts_pen *pen, const char *style, const char *text, size_t width);

/// Draws a thin rule.
void ts_pen_put_rule(ts_pen *pen, size_t width);
void ts_pen_end_line(ts_pen *pen);

/// A number with 0 to 2 decimals and a decimal point in any locale; huge ones in the shortest form.
void ts_text_fixed(char out[TS_NUMBER_BYTES], double value, int decimals);

/// One decimal, but 100 as "100". "100" and "0.0" are exact: values in between are not rounded to
/// them.
void ts_text_percent(char out[TS_NUMBER_BYTES], double value);

/// Three significant digits and a suitable unit: "1.23 us".
void ts_text_time(char out[TS_NUMBER_BYTES], double time_ns);

#endif
