// SPDX-License-Identifier: MIT
/// The connected parts of an overlap, from the pieces of both surfaces.
#ifndef TS_ELASTIC_INSIDE_JOINS_H
#define TS_ELASTIC_INSIDE_JOINS_H

#include "elastic/triangle_cut.h"

typedef struct ts_inside_joins {
  const ts_elastic_pair *pair;
  ts_arena *scratch;
  ts_cutter *cutters[2];    ///< with all pieces, by triangle
  uint32_t *first_piece[2]; ///< [triangle_count + 1] of each body
} ts_inside_joins;

/// Pieces are connected across the edges of their mesh, along the lines in which the surfaces
/// cross, and through the solid: from a piece straight inwards to where the overlap ends. Moves the
/// pieces to `out`.
ts_status ts_inside_join(ts_inside *out, ts_inside_joins *joins);

#endif
