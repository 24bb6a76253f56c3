// SPDX-License-Identifier: MIT
/// The points where two tets meet, and the step that makes contacts of them: what several methods
/// of PROX share.
#ifndef TS_METHODS_PROX_POINTS_H
#define TS_METHODS_PROX_POINTS_H

#include "methods/prox2018/prox_planes.h"

/// Each of the 8 nodes and one crossing for each of the 12 edges with each of the 4 planes.
enum { TS_PROX_POINTS_MAX = 56 };

typedef struct ts_prox_points {
  size_t count;
  ts_real3 points[TS_PROX_POINTS_MAX];
} ts_prox_points;

/// Intersection points without any allowance: nodes on or behind all planes of the other tet, and
/// crossings of edges with planes, kept when they are on or behind all planes as computed, the one
/// that made them included. About three in ten are lost to rounding there. Duplicates are kept.
void ts_prox_points_find(ts_prox_points *out, const ts_prox_pair *pair,
                         const ts_prox_pair_planes *planes);

/// Drops points that differ from one that was kept by less than TS_PROX_SMALL in each coordinate.
void ts_prox_points_drop_duplicates(ts_prox_points *points);

/// The report step: the extent of the points along the unit normal is the depth; they move to the
/// plane in the middle of it and become contacts, without those that nearly equal an earlier one.
/// `points` is used up.
void ts_prox_points_report(ts_prox_contacts *out, ts_prox_points *points, ts_real3 normal);

#endif
