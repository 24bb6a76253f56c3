// SPDX-License-Identifier: MIT
/// Which pieces of both surfaces are connected.
#ifndef TS_ELASTIC_INSIDE_JOINS_H
#define TS_ELASTIC_INSIDE_JOINS_H

#include "elastic/triangle_cut.h"

#define TS_NO_NODE UINT32_MAX

/// What there is to join. Borrowed.
typedef struct ts_inside_joins {
  const ts_elastic_pair *pair;
  ts_arena *scratch;
  ts_cutter *cutters[2];    ///< with all pieces, by triangle
  uint32_t *first_piece[2]; ///< [triangle_count + 1] of each body
} ts_inside_joins;

/// Pieces are nodes: those of a, then those of b. The root of a set is its lowest node. In the
/// scratch arena.
typedef struct ts_inside_graph {
  const ts_inside_joins *joins;
  size_t node_count, first_node[2];
  uint32_t *surface; ///< [node_count] sets of pieces connected within a surface
  uint32_t *overlap; ///< [node_count] sets of pieces of one part of the overlap
  uint8_t *is_flush; ///< [node_count] 1: inwards of the piece the overlap ends at a flush face
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

/// The piece that is a node, and its body.
static inline const ts_inside_piece *ts_inside_node(const ts_inside_graph *graph, uint32_t node,
                                                    int *body) {
  *body = node >= graph->first_node[1];
  return &graph->joins->cutters[*body]->pieces[node - graph->first_node[*body]];
}

/// Pieces are connected across the edges of their mesh, along the lines in which the surfaces
/// cross, and through the solid: from a piece straight inwards to where the overlap ends.
ts_status ts_inside_join(ts_inside_graph *out, const ts_inside_joins *joins);

#endif
