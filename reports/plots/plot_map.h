// SPDX-License-Identifier: MIT
/// What heat maps have in common: fields in columns and rows, each with a number on a shade.
///
/// The data of a page have at least these columns: x, y (from 1 on), text, is_measured (0 or 1),
/// shade (0: dark to 1: light), spread (text below the number; "" for none), half_height.
#ifndef TS_REPORTS_PLOT_MAP_H
#define TS_REPORTS_PLOT_MAP_H

#include "reports/plots/plot_page.h"

/// Kinds of plot elements for the fields; a page counts its own.
#define TS_MAP_PARTS 5

/// Letters in a line of a label.
#define TS_MAP_X_LETTERS ((size_t)22)
#define TS_MAP_Y_LETTERS ((size_t)28)

/// Height of a map for ts_plot_shape; a label has at most so many lines.
double ts_plot_map_height(double rows, size_t lines_above, size_t lines_of_row);

/// Counts a field; its shade is NaN when there is no number.
void ts_plot_map_count(size_t counts[TS_MAP_PARTS], double shade, bool has_spread);

/// Adds to the script, in this order: the settings of a map as wide as `columns`, up to `x_end` and
/// `y_end`; the labels [count] of the axis 'x' or 'y' at 1, 2, ..., the last one at `last`
/// (TS_E_MEMORY, also for a label that is NULL); and what draws the fields that were counted.
void ts_plot_map_say_settings(ts_plot_page *page, double columns, double x_end, double y_end);
ts_status ts_plot_map_say_tics(ts_plot_page *page, char axis, size_t count,
                               const char *const *labels, double last);
void ts_plot_map_say_fields(ts_plot_page *page, const size_t counts[TS_MAP_PARTS]);

#endif
