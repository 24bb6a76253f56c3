// SPDX-License-Identifier: MIT
/// Many twists at once (geometry/twist/twist_cone.h), coordinate by coordinate, so that one
/// instruction can be about several of them. The answers are those that each twist gets by itself.
#ifndef TS_GEOMETRY_TWIST_BLOCK_H
#define TS_GEOMETRY_TWIST_BLOCK_H

#include "geometry/twist/twist_cone.h"

#include <stdint.h>

enum { TS_TWIST_BLOCK = 64 };

typedef struct ts_twist_block {
  double of[6][TS_TWIST_BLOCK];
} ts_twist_block;

/// Some of the twists of a block: bit t is for twist t.
typedef uint64_t ts_twist_mask;

static inline void ts_twist_block_get(double out[6], const ts_twist_block *block, size_t index) {
  for (int i = 0; i < 6; i++)
    out[i] = block->of[i][index];
}

static inline void ts_twist_block_set(ts_twist_block *block, size_t index, const double twist[6]) {
  for (int i = 0; i < 6; i++)
    block->of[i][index] = twist[i];
}

/// Unit twists about a unit one: the directions of `about` + `spread` x each of `block`. The spread
/// is below 1.
void ts_twist_block_spread(ts_twist_block *out, const ts_twist_block *block, const double about[6],
                           double spread);

/// The twists of a block made to slide (ts_twist_make_slide), and those that can be; what the
/// others are made is undefined.
ts_twist_mask ts_twist_block_slide(ts_twist_block *out, const ts_twist_block *block,
                                   const ts_twist_slide *slide);

/// Those whose margin (ts_twist_cone_margin) is above, or below, `speed`.
ts_twist_mask ts_twist_block_above(const ts_twist_cone *cone, const ts_twist_block *block,
                                   double speed);
ts_twist_mask ts_twist_block_below(const ts_twist_cone *cone, const ts_twist_block *block,
                                   double speed);

/// Those that some of `rows` [count] blocks (ts_twist_rows_block), or that all of them do.
ts_twist_mask ts_twist_block_any_blocks(const ts_twist_row *rows, size_t count,
                                        const ts_twist_block *block, double tolerance);
ts_twist_mask ts_twist_block_all_block(const ts_twist_row *rows, size_t count,
                                       const ts_twist_block *block, double tolerance);

#endif
