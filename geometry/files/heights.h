// SPDX-License-Identifier: MIT
/// Files of heights: a grid of numbers as text (.csv), or a grey picture (.png).
#ifndef TS_GEOMETRY_HEIGHTS_H
#define TS_GEOMETRY_HEIGHTS_H

#include "base/arena.h"

#include <stdbool.h>

typedef struct ts_heights {
  size_t row_count, column_count;
  double *values;  ///< [row_count * column_count], row by row
  bool is_picture; ///< values are from 0, black, to 1, white
} ts_heights;

/// Reads a file of `count` bytes by the ending of `name`, which messages call it.
///
/// Of text, a line is a row (geometry/files/number_line.h). Of a picture, which has one channel of
/// 8 or 16 bits, rows are from its top down; profiles of colour and gamma are not looked at: a
/// level is a height.
///
/// TS_E_INPUT with the line where there is one: another ending; rows of unequal length; what is not
/// a number, or not finite; no row; more than `limit` heights; a picture with a palette, colours,
/// an alpha channel or fewer bits, or that is cut off or damaged. Memory grows with the heights,
/// not with what a file claims. The arena also gets what is needed on the way.
ts_status ts_heights_parse(ts_heights *out, ts_arena *arena, const char *name, const char *bytes,
                           size_t count, size_t limit);

#endif
