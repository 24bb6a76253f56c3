// SPDX-License-Identifier: MIT
/// All cases in one plot: drift and kinetic energy over time, a panel for each case.
#ifndef TS_REPORTS_PLOT_OVERVIEW_H
#define TS_REPORTS_PLOT_OVERVIEW_H

#include "reports/plots/plot_page.h"

/// Makes a page for each of the two, with a curve for each method; several pages if there are many
/// cases. None if fewer than two cases move, or if one of them has several simulations, whose
/// curves the plot of that case tells apart.
ts_status ts_plot_make_overviews(ts_plot_book *book, const ts_plot_source *source);

#endif
