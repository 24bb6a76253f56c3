// SPDX-License-Identifier: MIT
#include "base/quantile.h"

#include <math.h>
#include <stdlib.h>

static int compare_doubles(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

/// Values that were sorted for another fraction are not sorted again.
static void sort(double *values, size_t count) {
  size_t i = 1;
  while (i < count && values[i - 1] <= values[i])
    i++;
  if (i < count)
    qsort(values, count, sizeof *values, compare_doubles);
}

double ts_quantile(double *values, size_t count, double fraction) {
  size_t finite = 0;
  for (size_t i = 0; i < count; i++) {
    double value = values[i];
    if (!isfinite(value))
      continue;
    values[i] = values[finite];
    values[finite++] = value;
  }
  if (finite == 0)
    return NAN;
  sort(values, finite);
  double place = fraction * (double)(finite - 1);
  size_t below = (size_t)place;
  if (below + 1 >= finite)
    return values[finite - 1];
  return values[below] + (place - (double)below) * (values[below + 1] - values[below]);
}
