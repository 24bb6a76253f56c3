// SPDX-License-Identifier: MIT
/// How far two convex bodies overlap, and along which direction they part soonest.
#ifndef TS_METHODS_SEMI_SEPARATION_H
#define TS_METHODS_SEMI_SEPARATION_H

#include "methods/semi_local/semi_pair.h"

/// The gap [m] between both bodies along a unit normal from body 0 to body 1: how far body 1 begins
/// above where body 0 ends. Convex bodies that overlap do so by the opposite of the largest of all
/// directions; the gap along no direction is larger than the true one.
double ts_semi_gap_along(const ts_semi_pair *pair, ts_vec3 normal);

typedef struct ts_semi_separation {
  ts_vec3 normal; ///< unit, from body 0 to body 1
  double gap_m;   ///< along it; not above the true one
  /// Whether no direction has a larger one. Otherwise the bodies do not overlap by more than the
  /// tolerance, or overlap so deeply, and are so finely meshed, that not all of them was looked at.
  bool is_largest;
} ts_semi_separation;

/// In: two convex bodies; directions [count] to begin with, as those of contacts. Out: the
/// direction of the largest gap where they overlap by more than `touch_m`, else one along which
/// they do not.
ts_status ts_semi_find_separation(ts_semi_separation *out, const ts_semi_pair *pair,
                                  const ts_vec3 *directions, size_t count, double touch_m);

#endif
