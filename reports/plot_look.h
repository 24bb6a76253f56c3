/// The look that all plots share: a gnuplot script, look.gp, that each of theirs loads.
#ifndef TS_REPORTS_PLOT_LOOK_H
#define TS_REPORTS_PLOT_LOOK_H

#include "reports/plot_page.h"

/// Writes look.gp into the folder of the book. `format` (svg, pdf, png or tex) is the one that
/// scripts make when nothing else is asked for.
ts_status ts_plot_write_look(ts_plot_book *book, const ts_plot_source *source, const char *format);

#endif
