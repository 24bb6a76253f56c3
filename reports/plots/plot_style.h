// SPDX-License-Identifier: MIT
/// The look that all plots share: a gnuplot script, look.gp, that each of theirs loads.
#ifndef TS_REPORTS_PLOT_STYLE_H
#define TS_REPORTS_PLOT_STYLE_H

#include "reports/plots/plot_page.h"

/// Colour (#RRGGBB), dash and point type, as gnuplot writes them: all three differ from method to
/// method, so that grey paper tells them apart too.
typedef struct ts_style {
  const char *colour, *dash;
  int point;
} ts_style;

/// Place of a method in the order [count] that gives each its look; `count` when it is not there.
size_t ts_style_place(const char *const *order, size_t count, const char *method);

/// The look of the method in that place.
ts_style ts_style_of(size_t place);

/// Writes look.gp into the folder of the book. `format` (svg, pdf, png or tex) is the one that
/// scripts make when nothing else is asked for.
ts_status ts_plot_write_style(ts_plot_book *book, const ts_plot_source *source, const char *format);

#endif
