// SPDX-License-Identifier: MIT
/// How far two exact convex solids are apart, or overlap, and along which direction.
///
/// Along a unit direction n from a to b the gap of both is s(n) = -(reach of a along n + reach of b
/// along -n). The distance of solids that are apart, and the opposite of the least translation that
/// parts those that overlap, is its largest value over all directions. s is smooth but where a
/// reach passes from one feature to another; a largest value is at
///
/// - the normal of a flat face;
/// - the one direction at right angles to a straight edge (or to a generator of a side: at the
///   slope of a cone's) of each;
/// - a largest value on the circle of directions at right angles to one straight edge, or of the
///   normals of a side, against a point or a disc of the other: in closed form, or by bisection of
///   the derivative;
/// - the direction between two points, or between a point and the nearest one of a disc's rim;
/// - a smooth largest value for two discs, by Newton steps from many directions.
///
/// All these are tried. s of each is evaluated for the whole solids, so that one that is not the
/// largest does no harm.
#ifndef TS_GEOMETRY_SOLID_SEPARATION_H
#define TS_GEOMETRY_SOLID_SEPARATION_H

#include "geometry/solid/solid.h"

typedef struct ts_solid_way {
  ts_vec3 normal; ///< unit, from a to b
  double gap_m;   ///< along it; below 0: the solids overlap
} ts_solid_way;

typedef struct ts_solid_separation {
  ts_solid_way way; ///< the largest gap of all directions
  /// Another direction that would be the best if the solids moved by the slack against each other:
  /// of solids that overlap the way out is then not determined.
  bool has_other;
  ts_solid_way other;
} ts_solid_separation;

/// s(n); -INFINITY for a direction in which a half-space has no end.
double ts_solid_gap_along(const ts_solid *a, const ts_solid *b, ts_vec3 normal);

/// `slack_m`: as above. At most one of both is a half-space. Cost grows with the edges of a mesh,
/// and with its points times those directions that are nearly best.
void ts_solid_separate(ts_solid_separation *out, const ts_solid *a, const ts_solid *b,
                       double slack_m);

#endif
