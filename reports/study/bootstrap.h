// SPDX-License-Identifier: MIT
/// How far a mean over cells may be trusted: its 95 percent interval by the bootstrap, stratified.
#ifndef TS_REPORTS_BOOTSTRAP_H
#define TS_REPORTS_BOOTSTRAP_H

#include "base/arena.h"

/// Number of resamples: the ends of an interval are the 50th from each side.
#define TS_BOOTSTRAP_RESAMPLES 2000

/// A mean with the interval that covers the true mean in 95 of 100 studies, in the unit of the
/// values.
typedef struct ts_interval {
  double mean;      ///< NaN without values
  double low, high; ///< NaN with less than two values
  size_t count;     ///< number of values
  /// Values that differ from the most frequent one of their stratum. Without any, the interval has
  /// no width; with less than TS_EXCEPTIONS_MIN it is too narrow, since what is rare was hardly
  /// seen.
  size_t exceptions;
} ts_interval;

#define TS_EXCEPTIONS_MIN 10

/// The mean of `values` [count], all finite, and its interval.
///
/// What is resampled: within each stratum as many values as it has, with replacement; the strata
/// stay as they are. So the interval is about other draws of the same strata: with the case of a
/// value as its stratum, about other seeds and not about other cases. `strata` [count] are as
/// for ts_strata_make().
///
/// Resampling n values makes the spread of their mean too small by sqrt((n - 1) / n), which is made
/// good in each stratum, and the ends of the interval are moved out as those of Student's t are
/// from the normal ones (Hesterberg 2015, "expanded percentile"), with the degrees of freedom of
/// Welch and Satterthwaite.
///
/// The result does not depend on the order of the values, and has the same bits everywhere. Scratch
/// memory comes from the arena and is returned to it. TS_E_MEMORY.
ts_status ts_bootstrap_mean(ts_interval *out, ts_arena *arena, const double *values,
                            const size_t *strata, size_t count);

#endif
