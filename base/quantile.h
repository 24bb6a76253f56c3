// SPDX-License-Identifier: MIT
/// Quantiles of samples.
#ifndef TS_BASE_QUANTILE_H
#define TS_BASE_QUANTILE_H

#include "base/types.h"

/// The value at `fraction` (0 to 1) of the sorted finite values, interpolated linearly between the
/// two neighbours; NaN when none is finite. Reorders the values in place.
double ts_quantile(double *values, size_t count, double fraction);

#endif
