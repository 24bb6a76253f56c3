// SPDX-License-Identifier: MIT
/// Rows to plot, and what was made of them.
#ifndef TS_TESTS_REPORTS_PLOT_FIXTURE_H
#define TS_TESTS_REPORTS_PLOT_FIXTURE_H

#include "reports/plots/plot_page.h"

/// closest_points, growth, opposing: the order that determines their styles.
extern const char *const plot_method_names[];

/// Adds a row of the case `wall` that is ok. The texts are borrowed.
ts_record *plot_add_record(const char *case_parameters, const char *method, double step);

/// The rows added so far, and the source that is made of them.
const ts_record *plot_records(size_t *count);
ts_plot_source plot_make_source(void);

/// A book that writes to a folder of the test.
ts_plot_book plot_make_book(void);

const char *plot_read_script(const char *name);

/// Rows of a data file as numbers: column `wanted` of the rows whose column `where` is `value`.
size_t plot_read_column(double *out, size_t room, const char *name, int where, double value,
                        int wanted);

/// results_open(), without rows: .init of a test.
void plot_open(void);

#endif
