// SPDX-License-Identifier: MIT
/// Sorted normal quality, shared by several plots.
#ifndef TS_REPORTS_PLOT_QUALITY_H
#define TS_REPORTS_PLOT_QUALITY_H

#include "reports/plots/plot_page.h"

/// Adds the curve of one row's contacts with ts_plot_add_sorted(), in column "normal_quality".
ts_status ts_plot_add_quality(ts_plot_page *page, size_t curve, const char *label,
                              const char *style, const ts_plot_contacts *contacts);

/// Adds to the script: axis labels and ranges.
void ts_plot_say_quality_axes(ts_plot_page *page);

#endif
