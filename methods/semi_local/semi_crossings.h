// SPDX-License-Identifier: MIT
/// Where the surfaces of two bodies cut through each other, or lie on each other.
#ifndef TS_METHODS_SEMI_CROSSINGS_H
#define TS_METHODS_SEMI_CROSSINGS_H

#include "methods/semi_local/semi_close.h"

#define TS_SEMI_NO_VERTEX UINT32_MAX

/// An edge of one body that goes through a triangle of the other.
typedef struct ts_semi_crossing {
  ts_vec3 point;
  int body;           ///< whose edge
  uint32_t half_edge; ///< the id of the edge
  uint32_t inside;    ///< the end of the edge, a vertex, behind the triangle; or TS_SEMI_NO_VERTEX
  uint32_t triangle;  ///< of the other body
} ts_semi_crossing;

/// A corner of a triangle of one body that lies on a triangle of the other.
typedef struct ts_semi_touch {
  int body;           ///< whose corner
  uint32_t half_edge; ///< that begins in it
  uint32_t triangle;  ///< of the other body
} ts_semi_touch;

typedef struct ts_semi_crossings {
  size_t count;
  const ts_semi_crossing *crossings; ///< [count] by body, edge and triangle
  size_t touch_count;
  const ts_semi_touch *touches; ///< [touch_count] each once for each two triangles, as sorted
  const bool *is_on[2]; ///< [vertex_count] of each body: whether it is on the surface of the other
} ts_semi_crossings;

/// In: the close pairs. Out: the crossings by more than the snap length. Where an edge ends within
/// it of the other surface that end is on the surface, and neither inside nor outside.
ts_status ts_semi_find_crossings(ts_semi_crossings *out, const ts_semi_pair *pair,
                                 const ts_semi_close_pairs *close);

/// Whether that what follows, whose time is that of the touches times the triangles, is soon done:
/// TS_SEMI_FLUSH_LOOKS. Otherwise it is for bodies without any contact only.
bool ts_semi_may_look_for_flush(const ts_semi_pair *pair, const ts_semi_crossings *touching);

/// For bodies that touch and do not cross, whose surfaces may lie on each other wherever they meet.
/// In: `touching`, with their touches. Out: where they overlap all the same, the vertices there as
/// crossings, else none; touches and vertices on the surface are those of `touching`.
ts_status ts_semi_find_flush(ts_semi_crossings *out, const ts_semi_pair *pair,
                             const ts_semi_crossings *touching);

/// Whether surfaces that do not cross lie one inside the other.
bool ts_semi_is_inside(const ts_semi_pair *pair);

/// The box of a body in the frame.
ts_aabb ts_semi_box(const ts_semi_side *side);

/// The vertex that a half edge begins in.
static inline uint32_t ts_semi_start(const ts_mesh *mesh, uint32_t half_edge) {
  return mesh->triangles[half_edge / 3][half_edge % 3];
}

/// The next half edge of a triangle.
static inline uint32_t ts_semi_next(uint32_t half_edge) {
  return half_edge % 3 == 2 ? half_edge - 2 : half_edge + 1;
}

/// The next half edge around the vertex that a half edge begins in.
static inline uint32_t ts_semi_around(const ts_mesh *mesh, uint32_t half_edge) {
  return mesh->edge_twin[ts_semi_next(ts_semi_next(half_edge))];
}

#endif
