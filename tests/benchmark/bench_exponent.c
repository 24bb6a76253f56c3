// SPDX-License-Identifier: MIT
#include "tests/benchmark/bench_exponent.h"

#include <math.h>

double bench_exponent(const double *x, const double *y, size_t count) {
  double mean_x = 0, mean_y = 0, xx = 0, xy = 0;
  for (size_t i = 0; i < count; i++) {
    mean_x += log(x[i]) / (double)count;
    mean_y += log(y[i]) / (double)count;
  }
  for (size_t i = 0; i < count; i++) {
    xx += (log(x[i]) - mean_x) * (log(x[i]) - mean_x);
    xy += (log(x[i]) - mean_x) * (log(y[i]) - mean_y);
  }
  return count > 1 ? xy / xx : (double)NAN;
}
