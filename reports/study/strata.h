// SPDX-License-Identifier: MIT
/// Values in strata, such as those of one case each: what the interval of their mean and the test
/// of their mean have in common.
#ifndef TS_REPORTS_STRATA_H
#define TS_REPORTS_STRATA_H

#include "base/arena.h"

typedef struct ts_stratum {
  const double *values; ///< [count], ascending
  size_t count;
  double sum, variance; ///< of the values; the variance with count - 1, 0 for one value
} ts_stratum;

typedef struct ts_strata {
  size_t count;
  const ts_stratum *strata; ///< [count]
  size_t value_count;
  double mean; ///< of all values; NaN without any
} ts_strata;

/// Sorts `values` [count], all finite, into strata by their numbers `strata` [count]; NULL: they
/// are of one. Strata of a single value, from which nothing can be learned about other draws, are
/// put into one, and if there is only one of them, it joins another. The order of the values does
/// not matter. The result is in the arena. TS_E_MEMORY.
ts_status ts_strata_make(ts_strata *out, ts_arena *arena, const double *values,
                         const size_t *strata, size_t count);

/// The standard error of the mean; 0 for one value.
double ts_strata_error(const ts_strata *strata);

/// Half the 95 percent interval of the mean by Student's t; NaN with less than two values.
double ts_strata_half_width(const ts_strata *strata);

/// The 0.975 quantile of Student's t over the normal one, with the degrees of freedom of the
/// variance of the mean (Welch and Satterthwaite). By the expansion of Cornish and Fisher
/// (Abramowitz and Stegun 1964, 26.7.5): within 0.2 percent from 3 degrees of freedom on, 11
/// percent too little at 1.
double ts_strata_student_factor(const ts_strata *strata);

/// The distance from 0 that is as rare for a normal mean, with the standard error of these values,
/// as `distance` is for one whose error is estimated, as here: shorter, and the more so the farther
/// out it is. By the formula of Wallace (1959), Annals of Mathematical Statistics 30, for Student's
/// t with the degrees of freedom above; `distance` if there is no error.
double ts_strata_normal_distance(const ts_strata *strata, double distance);

/// How many values differ from the most frequent one of their stratum.
size_t ts_strata_exceptions(const ts_strata *strata);

#endif
