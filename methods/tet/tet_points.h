// SPDX-License-Identifier: MIT
/// The points where two tets meet, and the step that makes contacts of them: what several methods
/// share.
///
/// The intersection points of two tets are the nodes of each inside the other and the crossings of
/// the edges of each with the faces of the other.
#ifndef TS_METHODS_TET_POINTS_H
#define TS_METHODS_TET_POINTS_H

#include "methods/tet/tet_pair.h"

/// Each of the 8 nodes and one crossing for each of the 12 edges with each of the 4 planes.
enum { TS_TET_POINTS_MAX = 56 };

typedef struct ts_tet_points {
  size_t count;
  ts_vec3 points[TS_TET_POINTS_MAX];
} ts_tet_points;

/// All intersection points. TS_PROFILE_PAPER: closed tets, within TS_TOUCH_RELATIVE of `size_m`, no
/// point twice. TS_PROFILE_PROX2018: tested without any allowance, a crossing against the very
/// plane that made it too, so that rounding decides whether it is kept; duplicates stay.
void ts_tet_points_find(ts_tet_points *out, const ts_tet_pair *pair, ts_profile profile,
                        double size_m);

/// Drops points that are the same as one before: in the paper's profile within
/// TS_SAME_POINT_RELATIVE of `size_m`, in prox2018 within TS_PROX_SAME_POINT_M.
void ts_tet_points_drop_duplicates(ts_tet_points *points, ts_profile profile, double size_m);

/// The report step: the extent of the points along the unit normal is the depth; they move to the
/// plane in the middle of it and become contacts, no point twice. `points` is used up.
void ts_tet_points_report(ts_tet_contacts *out, ts_tet_points *points, ts_vec3 normal,
                          ts_profile profile, double size_m);

/// The same with the plane through the average of the points, and with the gap given.
void ts_tet_points_report_average(ts_tet_contacts *out, ts_tet_points *points, ts_vec3 normal,
                                  double gap_m, ts_profile profile, double size_m);

#endif
