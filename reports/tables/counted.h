// SPDX-License-Identifier: MIT
/// What a row counts in a mean, and the order of means: the same in rankings, studies and plots.
#ifndef TS_REPORTS_COUNTED_H
#define TS_REPORTS_COUNTED_H

#include "reports/rows/record.h"

#include <stdbool.h>

/// Whether a row is ok and has no contact that touches, although bodies touch so that quality or
/// coverage is known.
bool ts_row_found_nothing(const ts_record *record);

/// The value of a column with which a row counts; NaN: it does not. In a failed row, and where no
/// contact was found although bodies touch, the shares that tables show and of which more is
/// better, quality and coverage, count as 0; anything else counts where it was measured.
double ts_row_counted(const ts_field *field, const ts_record *record);

/// The order of two means of which more is better: the best first, NaN last. As in qsort().
int ts_order_of_means(double a, double b);

/// The order of labels whose means are equal: that of their names, with numbers compared as such,
/// whatever the order of the rows.
int ts_order_of_labels(const char *a, const char *b);

#endif
