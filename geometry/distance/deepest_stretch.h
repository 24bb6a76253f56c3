// SPDX-License-Identifier: MIT
/// The longest stretch along a direction inside two solids, from where it enters b to where it
/// leaves a.
///
/// Over a pair of triangles, one of b that faces down and one of a that faces up, every stretch
/// between them is inside both, but where a third triangle is between them. What such hide is cut
/// off as polygons. What is left is convex pieces; the length is linear on each, and largest at a
/// corner: the limit of stretches beside it, so that a wall that runs along the direction is of no
/// account. Pieces narrower than TS_TOUCH_RELATIVE of the smaller solid do not count: they are what
/// rounding leaves where walls lie on each other. Triangles that come that close to an end of the
/// stretch hide nothing: they lie in the other one.
#ifndef TS_GEOMETRY_DEEPEST_STRETCH_H
#define TS_GEOMETRY_DEEPEST_STRETCH_H

#include "geometry/mesh/mesh_columns.h"

/// A pair of triangles that may be the ends of the stretch.
typedef struct ts_stretch_ends {
  double most_m; ///< no stretch between them is longer
  uint32_t triangle_a, triangle_b;
} ts_stretch_ends;

/// The pairs among the patches that were added. Starts as {.columns, .arena}, both borrowed.
typedef struct ts_stretch_search {
  const ts_mesh_columns *columns;
  ts_arena *arena;
  ts_stretch_ends *ends; ///< [count]
  size_t count, capacity;
} ts_stretch_search;

/// Keeps what can be the ends of a stretch. TS_E_MEMORY.
ts_status ts_stretch_search_add(ts_stretch_search *search, const ts_column_patch *patch);

/// The length, 0 where there is none, and the middle in the world; NaN: none. TS_E_MEMORY.
ts_status ts_stretch_search_run(double *out_m, ts_vec3 *out_at, ts_stretch_search *search);

#endif
