// SPDX-License-Identifier: MIT
/// Which pieces of both surfaces are connected.
#ifndef TS_ELASTIC_INSIDE_JOINS_H
#define TS_ELASTIC_INSIDE_JOINS_H

#include "elastic/triangle_cut.h"

#define TS_NO_NODE UINT32_MAX

/// Groups of pieces: of a, of b, and once more of a as it is with its triangles moved inwards, so
/// that faces that are flush are inside b. Those count for nothing, but around a part of the
/// overlap all surfaces are connected by them. Without flush faces there are none.
enum { TS_INSIDE_A, TS_INSIDE_B, TS_INSIDE_FLUSH, TS_INSIDE_GROUPS };

/// What there is to join. Borrowed.
typedef struct ts_inside_joins {
  const ts_elastic_pair *pair;
  ts_arena *scratch;
  ts_cutter *cutters[TS_INSIDE_GROUPS];    ///< with all pieces, by triangle
  uint32_t *first_piece[TS_INSIDE_GROUPS]; ///< [triangle_count + 1] of each cutter's body
} ts_inside_joins;

/// Pieces are nodes, group by group. The root of a set is its lowest node. In the scratch arena.
typedef struct ts_inside_graph {
  const ts_inside_joins *joins;
  size_t node_count, first_node[TS_INSIDE_GROUPS];
  uint32_t *surface; ///< [node_count] sets of pieces connected within a surface
  uint32_t *overlap; ///< [node_count] sets of pieces of one part of the overlap
  double tolerance_m;
} ts_inside_graph;

/// The root of the set that a node is in.
static inline uint32_t ts_inside_root(uint32_t *parents, uint32_t i) {
  while (parents[i] != i) {
    parents[i] = parents[parents[i]];
    i = parents[i];
  }
  return i;
}

/// The piece that is a node, and its group.
static inline const ts_inside_piece *ts_inside_node(const ts_inside_graph *graph, uint32_t node,
                                                    int *group) {
  *group = TS_INSIDE_A;
  while (*group + 1 < TS_INSIDE_GROUPS && node >= graph->first_node[*group + 1])
    ++*group;
  return &graph->joins->cutters[*group]->pieces[node - graph->first_node[*group]];
}

/// Pieces are connected across the edges of their mesh, along the lines in which the surfaces
/// cross, where both pieces of a body lie in each other, and through the solid: from a piece
/// straight inwards to where the overlap ends.
ts_status ts_inside_join(ts_inside_graph *out, const ts_inside_joins *joins);

#endif
