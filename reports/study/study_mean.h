// SPDX-License-Identifier: MIT
/// The mean of what rows count (ts_row_counted): the same in studies and in plots.
#ifndef TS_REPORTS_STUDY_MEAN_H
#define TS_REPORTS_STUDY_MEAN_H

#include "reports/rows/record.h"
#include "reports/study/bootstrap.h"

/// The mean of values [count] of a column and its interval by ts_bootstrap_mean(), without what the
/// mean cannot be: below 0 where no value is, or more than 100 percent. The mean of a time, whose
/// values are positive, is the geometric one. The values are overwritten.
ts_status ts_study_mean(ts_interval *out, ts_arena *arena, const ts_field *field, double *values,
                        const size_t *strata, size_t count);

#endif
