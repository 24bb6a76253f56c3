// SPDX-License-Identifier: MIT
/// A layered depth image: for each pixel every crossing of its line of sight with the surfaces of
/// two bodies, sorted (Heidelberger 2003, Faure 2008).
#ifndef TS_LDI_IMAGE_H
#define TS_LDI_IMAGE_H

#include "ldi/pixel_grid.h"

/// Where a line of sight crosses a surface. `id` packs the triangle, the body (0 or 1) and whether
/// the line leaves the body there.
typedef struct ts_ldi_crossing {
  double depth_px; ///< Grid coordinate along the view's axis [px].
  uint32_t id;
  uint32_t place; ///< Where the back end keeps more about it.
} ts_ldi_crossing;

static inline uint32_t ts_ldi_crossing_id(uint32_t triangle, int body, bool is_leaving) {
  return triangle << 2 | (uint32_t)body << 1 | (uint32_t)is_leaving;
}

static inline uint32_t ts_ldi_triangle(uint32_t id) {
  return id >> 2;
}

static inline int ts_ldi_body(uint32_t id) {
  return (int)(id >> 1 & 1);
}

static inline bool ts_ldi_is_leaving(uint32_t id) {
  return id & 1;
}

/// A band of rows of one view. Crossings of pixel i, row * columns + column with the row counted
/// from first_row, are start[i] to start[i + 1], sorted by depth, then id.
typedef struct ts_ldi_image {
  int axis;
  int lower; ///< The body to start a sweep with (ts_ldi_sweep_start).
  int32_t first_row, row_count, column_count;
  const uint32_t *start;            ///< [row_count * column_count + 1]
  const ts_ldi_crossing *crossings; ///< [start[row_count * column_count]]
} ts_ldi_image;

/// A triangle as a view sees it: grid coordinates [px] of its corners, columns, rows and depth, and
/// their places in a total order of the vertices of their mesh. The order makes triangles that
/// share an edge work out its crossings from the same end, so that they get the same bits.
typedef struct ts_ldi_seen {
  double column[3], row[3], depth[3];
  uint32_t vertex[3];
} ts_ldi_seen;

/// Weights of the corners, all at least 0 and of sum 1, at the point where a row and a column line
/// cross a seen triangle: the barycentric coordinates of a crossing. Beside the triangle, where a
/// back end of less precision may find one, those of the nearest point of its rim.
void ts_ldi_barycentric(double out[3], const ts_ldi_seen *seen, int32_t row, int32_t column);

#endif
