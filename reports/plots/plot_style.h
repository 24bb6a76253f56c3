// SPDX-License-Identifier: MIT
/// The style shared by all plots: a gnuplot script, look.gp, which the script of every plot loads.
#ifndef TS_REPORTS_PLOT_STYLE_H
#define TS_REPORTS_PLOT_STYLE_H

#include "reports/plots/plot_page.h"

/// Colour (#RRGGBB), dash and point type in gnuplot syntax. All three differ from method to method,
/// so that methods can be distinguished in greyscale too.
typedef struct ts_style {
  const char *colour, *dash;
  int point;
} ts_style;

/// Index of a method in the order [count] that determines the styles; `count` if not found.
size_t ts_style_place(const char *const *order, size_t count, const char *method);

/// The style of the method at that index.
ts_style ts_style_of(size_t place);

/// Writes look.gp to the folder of the book. `format` (svg, pdf, png or tex) is the default output
/// format of the scripts.
ts_status ts_plot_write_style(ts_plot_book *book, const ts_plot_source *source, const char *format);

/// Whether the file `path` is a look.gp that ts_plot_write_style() has written. False when it
/// cannot be read.
bool ts_plot_style_is_ours(const char *path);

#endif
