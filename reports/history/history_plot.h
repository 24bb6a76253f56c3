// SPDX-License-Identifier: MIT
/// The history of a figure as a plot: a curve for each method, a place for each run.
#ifndef TS_REPORTS_HISTORY_PLOT_H
#define TS_REPORTS_HISTORY_PLOT_H

#include "reports/history/history.h"
#include "reports/plots/plot_page.h"

/// Adds the plot `history-COLUMN` and its look.gp to the folder of the book. `method_names`
/// [method_count] is the order that determines the styles of methods, "" a free slot. Points that
/// are not joined in the history are not joined by a line. `format` (svg, pdf, png or tex) is the
/// default of the script.
ts_status ts_history_plot(ts_plot_book *book, const ts_history *history, const char *what,
                          const char *const *method_names, size_t method_count, const char *format);

#endif
