// SPDX-License-Identifier: MIT
/// PROX's separating axes.
#ifndef TS_METHODS_PROX_OVERLAP_H
#define TS_METHODS_PROX_OVERLAP_H

#include "geometry/tet.h"
#include "methods/prox2018/prox_planes.h"

#include <stdbool.h>

/// The overlap test: separating axes without any allowance, so that rounding decides about tets
/// that only touch, in PROX's order of operations: in double precision the result is the same for
/// all of the 1,923 reference pairs.
bool ts_prox_overlap(const ts_prox_pair *pair);

/// Sets the unit axis, from a to b, of minimum overlap among some of the 44: faces of a and b in
/// turn, then edge crosses, the first of equals. Which tet comes first along an axis, and so which
/// way the overlap is measured, depends on their near ends alone: where the extent of one contains
/// the other's the shorter way out may be the other one. Sets the planes as well. False, with the
/// outputs unset, when ts_prox_overlap finds the tets apart, when they are apart along one of the
/// axes made unit, or when a face without area among them leaves no direction.
bool ts_prox_overlap_axis(ts_real3 *out, ts_prox_pair_planes *out_planes, const ts_prox_pair *pair,
                          ts_tet_axes axes);

#endif
