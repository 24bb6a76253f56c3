// SPDX-License-Identifier: MIT
/// Where two bodies touch and what each place demands. For cases/truth/derived_truth.c only.
#ifndef TS_CASES_DERIVED_PLACES_H
#define TS_CASES_DERIVED_PLACES_H

#include "cases/truth/derived_surface.h"
#include "geometry/terms.h"

/// A convex place and one of its terms, what one pair of convex runs demands there: any one of its
/// normals is right. The terms of one place follow each other and share `vertices`.
typedef struct ts_derived_demand {
  size_t vertex_count; ///< 1: a point, 2: a segment, more: a convex polygon
  ts_vec3 *vertices;   ///< frame of a; a polygon counter-clockwise about its normal
  ts_term term;        ///< frame of a
} ts_derived_demand;

typedef struct ts_derived_places {
  size_t count, capacity;
  ts_derived_demand *demands;
  bool overlap;       ///< The bodies overlap at `overlap_at`: there is no exact touch.
  ts_vec3 overlap_at; ///< frame of a
} ts_derived_places;

/// Finds all demands, polygons first, then segments, then points, each only where those before do
/// not imply it. In pair->arena. Stops at the first overlap.
ts_status ts_derived_find(ts_derived_places *out, ts_derived_pair *pair);

/// The smallest convex feature of a side that holds a place: a corner, an edge or a flat part, and
/// else the place itself. In the frame of a; borrowed or in pair->arena.
ts_status ts_derived_feature(const ts_vec3 **out, size_t *out_count, ts_derived_pair *pair,
                             int side, const ts_derived_demand *place);

#endif
