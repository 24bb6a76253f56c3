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

/// All intersection points of closed tets, within TS_TOUCH_RELATIVE of `size_m`, no point twice.
void ts_tet_points_find(ts_tet_points *out, const ts_tet_pair *pair, double size_m);

/// Drops points within TS_SAME_POINT_RELATIVE of `size_m` of one before.
void ts_tet_points_drop_duplicates(ts_tet_points *points, double size_m);

/// The report step: the extent of the points along the unit normal is the depth; they move to the
/// plane in the middle of it and become contacts, no point twice. `points` is used up.
void ts_tet_points_report(ts_tet_contacts *out, ts_tet_points *points, ts_vec3 normal,
                          double size_m);

/// The same with the plane through the average of the points, and with the gap given.
void ts_tet_points_report_average(ts_tet_contacts *out, ts_tet_points *points, ts_vec3 normal,
                                  double gap_m, double size_m);

#endif
