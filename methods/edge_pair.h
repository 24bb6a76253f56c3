// SPDX-License-Identifier: MIT
/// Two edges and the lines through them.
#ifndef TS_METHODS_EDGE_PAIR_H
#define TS_METHODS_EDGE_PAIR_H

#include "geometry/vec3.h"

#include <stdbool.h>

typedef struct ts_edge_pair {
  ts_vec3 axis;       ///< Unit vector along (end_a - start_a) x (end_b - start_b).
  ts_vec3 on_a, on_b; ///< Closest points of the two lines.
  /// How far inside its edge each point lies [m]: its distance to the nearer end, negative outside.
  double inside_a_m, inside_b_m;
} ts_edge_pair;

/// Closest points of the two infinite lines. False, and nothing written, for edges that are
/// parallel (TS_PARALLEL_SINE) or have no length.
bool ts_edge_pair_cross(ts_edge_pair *out, const ts_vec3 a[2], const ts_vec3 b[2]);

#endif
