// SPDX-License-Identifier: MIT
/// The search for the places where two bodies touch, shared by cases/derived_*.c only.
#ifndef TS_CASES_DERIVED_SEARCH_H
#define TS_CASES_DERIVED_SEARCH_H

#include "cases/truth/derived_places.h"

typedef struct ts_derived_search {
  ts_derived_pair *pair;
  ts_derived_places *out;
  size_t point_count, point_capacity;
  ts_vec3 *points; ///< where corners, crossings and edges that go through lie on the other body
} ts_derived_search;

/// The terms of a place.
typedef struct ts_derived_terms {
  size_t count, capacity;
  ts_term *terms;
} ts_derived_terms;

/// All terms at a point, one for each pair of runs, less those that follow from what was found
/// before, from each other, or from several of both together. Two runs that no normal parts
/// overlap: out->overlap.
ts_status ts_derived_list_terms(ts_derived_terms *out, ts_derived_search *s, ts_vec3 point);

/// Whether what violates all of `term` violates all of `other`.
bool ts_derived_follows(const ts_derived_search *s, const ts_term *term, const ts_term *other);

ts_status ts_derived_add_demand(ts_derived_search *s, ts_vec3 *vertices, size_t vertex_count,
                                ts_term term);

/// Finds the demands of edges of one side that lie on the other body, and notes the points where
/// they cross its edges or go through its faces.
ts_status ts_derived_find_segments(ts_derived_search *s, int side);

ts_status ts_derived_note_point(ts_derived_search *s, ts_vec3 point);

/// Distance of a point from the plane of a part.
static inline double ts_derived_height(const ts_derived_part *part, ts_vec3 normal, ts_vec3 p) {
  return fabs(ts_vec3_dot(normal, ts_vec3_sub(p, part->corners[0])));
}

#endif
