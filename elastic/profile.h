// SPDX-License-Identifier: MIT
/// The profile of a deformed surface (Brunel 2021, section 5.3, Fig. 8): a clamped cubic B-spline
/// of six control points and uniform knots, height H over u from 0 to 1. It starts at -depth with
/// the slope dH/du, bulges, and ends at 0, with curvature 0.
///
/// Control points: (0, -depth), (0.2 cos theta, depth (0.4 sin theta - 1)) with tan theta = slope /
/// (2 depth), (0.4, bulge), (0.6, 0), (0.8, 0), (1, 0). The paper gives the first three; it prints
/// tan theta = slope / depth, which on its ellipse makes the slope twice what it is to be.
#ifndef TS_ELASTIC_PROFILE_H
#define TS_ELASTIC_PROFILE_H

/// The height is base_m + bulge times share.
typedef struct ts_profile_height {
  double base_m; ///< without a bulge
  double share;  ///< of the bulge, 0 to 0.6
} ts_profile_height;

/// At u, 0 to 1 (beyond: as at the end); depth_m 0 or more, slope_m any. O(1), and the same bits
/// for the same numbers.
ts_profile_height ts_profile_at(double u, double depth_m, double slope_m);

#endif
