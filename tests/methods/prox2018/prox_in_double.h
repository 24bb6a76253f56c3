// SPDX-License-Identifier: MIT
/// methods/prox2018/ compiled with TS_REAL=double: the reference pairs were computed in double
/// precision, and so can only be met in it. A shared library whose only symbols are these, beside
/// the kernels in single precision, which have the same names.
#ifndef TS_TESTS_METHODS_PROX_IN_DOUBLE_H
#define TS_TESTS_METHODS_PROX_IN_DOUBLE_H

#include "methods/tet/tet_pair.h"
#include "methods/tet/tet_points.h"

#include <stdbool.h>

/// The kernel for profile=prox2018 of a row of ts_tet_kernels_of. Its size_m is ignored.
ts_tet_kernel prox_in_double(int row);

/// ts_prox_overlap
bool prox_in_double_overlap(const ts_tet_pair *pair);

/// ts_prox_points_find
void prox_in_double_points(ts_tet_points *out, const ts_tet_pair *pair);

#endif
