// SPDX-License-Identifier: MIT
/// Random convex bodies placed so that features of theirs that were chosen touch, and overlap
/// nowhere.
#ifndef TS_TESTS_METHODS_CONVEX_MEETING_H
#define TS_TESTS_METHODS_CONVEX_MEETING_H

#include "tests/methods/semi_local/convex_oracle.h"

typedef struct convex_meeting {
  fixture_pair pair;
  ts_vec3 place;      ///< world [m]: a point of both features
  ts_vec3 normal;     ///< unit, from mesh 0 to mesh 1: a normal of both features
  int dimensions[2];  ///< of each feature: 0 a vertex, 1 an edge, 2 a triangle
  bool is_one_normal; ///< no other direction is a normal of both
} convex_meeting;

/// Bodies of a kind that is turned meet in any two features. The others are not turned, so that
/// their coordinates stay on their grid: any feature of one meets a vertex of the other, or two
/// edges cross.
convex_meeting convex_random_meeting(method_fixture *f, ts_random *random, const convex_kind *kind);

#endif
