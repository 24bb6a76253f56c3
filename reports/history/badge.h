// SPDX-License-Identifier: MIT
/// A badge for the front page of a project: label and value side by side, as an SVG picture.
#ifndef TS_REPORTS_BADGE_H
#define TS_REPORTS_BADGE_H

#include "base/arena.h"
#include "reports/rows/record.h"

#include <stdio.h>

/// Longest label, in characters.
#define TS_BADGE_LETTERS_MAX ((size_t)60)

/// A value at least as good as `green` is green, one at least as good as `yellow` yellow, any other
/// red; NaN: there is no such colour. Without either, the badge is blue.
typedef struct ts_badge_limits {
  double green, yellow; ///< in the unit of the column
} ts_badge_limits;

/// TS_E_INPUT, naming the options --green and --yellow, when the column has no best value although
/// a limit is given, or when `yellow` is better than `green`.
ts_status ts_badge_check(const ts_badge_limits *limits, const ts_field *field);

/// Writes the badge of a value of the column; NaN: "not measured", in grey. The value and its
/// meaning are the picture's title, for screen readers, so that no colour is needed to read it.
/// TS_E_INPUT when the label is too long; TS_E_MEMORY.
ts_status ts_badge_write(FILE *file, ts_arena *arena, const char *label, const ts_field *field,
                         double value, const ts_badge_limits *limits);

#endif
