// SPDX-License-Identifier: MIT
/// The axis of minimum overlap of two tets as contact normal: what Volume-SAT and Surface-SAT
/// share.
#ifndef TS_METHODS_TET_SAT_H
#define TS_METHODS_TET_SAT_H

#include "geometry/tet.h"
#include "methods/tet/tet_pair.h"

/// The intersection points of two tets that overlap (ts_tet_pair_overlaps), moved to the plane
/// through their average that is square to the axis of least overlap among `axes`, with that
/// overlap as depth. Overlaps within TS_TOUCH_RELATIVE of `size_m` are equal;
/// ts_tet_tet_least_overlap_among then chooses the axis; if it returns none, there are no contacts.
void ts_tet_sat(ts_tet_contacts *out, const ts_tet_pair *pair, ts_tet_axes axes, double size_m);

#endif
