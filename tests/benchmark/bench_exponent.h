// SPDX-License-Identifier: MIT
/// The exponent with which one quantity grows with another.
#ifndef TS_TESTS_BENCHMARK_BENCH_EXPONENT_H
#define TS_TESTS_BENCHMARK_BENCH_EXPONENT_H

#include <stddef.h>

/// Exponent e of y ~ x^e through points [count], all above zero: least squares of the logarithms.
/// NaN for fewer than two.
double bench_exponent(const double *x, const double *y, size_t count);

#endif
