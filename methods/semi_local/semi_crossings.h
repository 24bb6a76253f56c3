// SPDX-License-Identifier: MIT
/// Where the surfaces of two bodies cut through each other, or lie on each other.
#ifndef TS_METHODS_SEMI_CROSSINGS_H
#define TS_METHODS_SEMI_CROSSINGS_H

#include "methods/semi_local/semi_pair.h"

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
  size_t count, capacity;
  ts_semi_crossing *of;
  uint8_t *is_on[2]; ///< [vertex_count] of each body: on the surface of the other
  size_t touch_count, touch_capacity;
  ts_semi_touch *touches; ///< of each of these, once for each two triangles
} ts_semi_crossings;

/// The crossings by more than the snap length. Where an edge ends within it of the other surface
/// that end is on the surface, and neither inside nor outside.
ts_status ts_semi_find_crossings(ts_semi_crossings *out, ts_semi_pair *pair);

/// For bodies that neither cross nor touch: whether they overlap all the same, their surfaces
/// lying on each other wherever they meet. Then the vertices there become crossings, else there are
/// none.
ts_status ts_semi_find_flush(ts_semi_crossings *at, ts_semi_pair *pair);

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

#endif
