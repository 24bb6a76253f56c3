// SPDX-License-Identifier: MIT
/// What a row counts in a mean, and the mean of such values: the same in studies and in plots.
#ifndef TS_REPORTS_STUDY_MEAN_H
#define TS_REPORTS_STUDY_MEAN_H

#include "reports/rows/record.h"
#include "reports/study/bootstrap.h"

/// Whether no contact was found although bodies touch: there is nothing to take the quality of.
bool ts_row_found_nothing(const ts_record *record);

/// The value of a column with which a row counts; NaN: it does not. In a failed row, and where no
/// contact was found although bodies touch, the shares that tables show and of which more is
/// better, quality and coverage, count as 0; anything else counts where it was measured.
double ts_row_counted(const ts_field *field, const ts_record *record);

/// The mean of values [count] of a column and its interval by ts_bootstrap_mean(), without what the
/// mean cannot be: below 0 where no value is, or more than 100 percent. The mean of a time, whose
/// values are positive, is the geometric one. The values are overwritten.
ts_status ts_study_mean(ts_interval *out, ts_arena *arena, const ts_field *field, double *values,
                        const size_t *strata, size_t count);

#endif
