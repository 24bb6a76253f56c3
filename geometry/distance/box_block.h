// SPDX-License-Identifier: MIT
/// The boxes of a block of triangles side by side, so that a processor with wide registers compares
/// one box with all of another block at once.
#ifndef TS_GEOMETRY_BOX_BLOCK_H
#define TS_GEOMETRY_BOX_BLOCK_H

#include "geometry/aabb.h"

#include <stdint.h>

enum { TS_BOX_BLOCK_MOST = 8 };

/// Places without a triangle have the empty box, which meets none.
typedef struct ts_box_block {
  double low[3][TS_BOX_BLOCK_MOST], high[3][TS_BOX_BLOCK_MOST]; ///< [axis][place]
} ts_box_block;

static inline void ts_box_block_set(ts_box_block *out, uint32_t place, ts_aabb box) {
  const double low[3] = {box.low.x, box.low.y, box.low.z};
  const double high[3] = {box.high.x, box.high.y, box.high.z};
  for (int axis = 0; axis < 3; axis++) {
    out->low[axis][place] = low[axis];
    out->high[axis][place] = high[axis];
  }
}

static inline ts_aabb ts_box_block_get(const ts_box_block *boxes, uint32_t place) {
  return (ts_aabb){{boxes->low[0][place], boxes->low[1][place], boxes->low[2][place]},
                   {boxes->high[0][place], boxes->high[1][place], boxes->high[2][place]}};
}

static inline void ts_box_block_clear(ts_box_block *out) {
  for (uint32_t place = 0; place < TS_BOX_BLOCK_MOST; place++)
    ts_box_block_set(out, place, ts_aabb_empty());
}

/// Bit TS_BOX_BLOCK_MOST i + k: box i of `a` and box k of `b` overlap, as of ts_aabb_overlap().
uint64_t ts_box_block_meet(const ts_box_block *a, const ts_box_block *b);

/// The same with registers of at most `lanes` doubles: 1, 4 or 8. For tests.
uint64_t ts_box_block_meet_by(int lanes, const ts_box_block *a, const ts_box_block *b);

#endif
