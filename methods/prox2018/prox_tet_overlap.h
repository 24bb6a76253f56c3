// SPDX-License-Identifier: MIT
/// The overlap test of geometry/tet.h in ts_real, without a tolerance.
#ifndef TS_METHODS_PROX_TET_OVERLAP_H
#define TS_METHODS_PROX_TET_OVERLAP_H

#include "methods/prox2018/real3.h"

#include <stdbool.h>

/// False when one of the 44 axes separates two tets by more than rounding
/// (TS_PROX_MOTION_ROUNDING). Vertices in any order. ts_prox_overlap, which makes no allowance for
/// rounding, is another test.
bool ts_prox_tet_overlap(const ts_real3 a[4], const ts_real3 b[4]);

#endif
