// SPDX-License-Identifier: MIT
/// The rasteriser of the reference back end: which lines of sight of a band cross a triangle, and
/// in what depth.
///
/// Each edge crosses a row in a column that both of its triangles work out from the same end, and
/// spans are half open, so that over every pixel each edge of a closed mesh is counted once on its
/// left and once on its right: entries and exits match, whatever goes through pixel centres.
#ifndef TS_LDI_RASTER_H
#define TS_LDI_RASTER_H

#include "ldi/buffer.h"
#include "ldi/image.h"
#include "ldi/view.h"

/// The pixels of one row that a triangle covers.
typedef struct ts_ldi_span {
  double left, depth; ///< Where it begins: column and depth [px].
  double per_column;  ///< Slope of the depth.
  uint32_t id;        ///< As of its crossings.
  uint32_t pixel;     ///< The first, in the band.
  int16_t column;     ///< Of the first pixel.
  int16_t count;
} ts_ldi_span;

/// How a row cuts the triangle of a span: through two edges that have one corner in common, odd,
/// which is alone on its side of the row.
typedef struct ts_ldi_cut {
  /// Of each of the edges: how far along it the row is, as a share of it, from the end that comes
  /// first in the order of the vertices; and the column there [px].
  double share[2], column[2];
  uint32_t triangle; ///< of the shape
  uint8_t odd, next; ///< the corner; which edge goes to the corner after it
} ts_ldi_cut;

/// Memory that a band is rendered in. All zero at first.
typedef struct ts_ldi_canvas {
  ts_ldi_span *spans; ///< [span_capacity]
  ts_ldi_cut *cuts;   ///< [cut_capacity], of the spans
  size_t span_capacity, cut_capacity;
  ts_ldi_buffer start, crossings;
} ts_ldi_canvas;

void ts_ldi_canvas_free(ts_ldi_canvas *canvas);

/// Sets `start` and `crossings` of an image (whose other members are given) to the crossings of
/// `items` [item_count], each triangle of the shape << 1 | body, pixel by pixel, in any order
/// within each. Their place is that of their span.
ts_status ts_ldi_raster_band(ts_ldi_image *image, ts_ldi_canvas *canvas,
                             const ts_ldi_placed_mesh meshes[2], const uint32_t *items,
                             size_t item_count);

/// Sorts the crossings of one pixel by depth, then id.
void ts_ldi_sort_pixel(ts_ldi_crossing *crossings, uint32_t count);

/// A triangle of the shape as a view along `axis` sees it; its vertices are those of the shape.
static inline void ts_ldi_see(ts_ldi_seen *out, const ts_ldi_placed_mesh *mesh, uint32_t triangle,
                              int axis) {
  const uint32_t *vertices = mesh->shape->corners[triangle];
  int column_axis = (axis + 1) % 3, row_axis = (axis + 2) % 3;
  for (int i = 0; i < 3; i++) {
    const double *p = mesh->vertices[vertices[i]].position_px;
    out->vertex[i] = vertices[i];
    out->column[i] = p[column_axis];
    out->row[i] = p[row_axis];
    out->depth[i] = p[axis];
  }
}

/// The weights of the corners of a triangle in a column of a span of `cut`: ts_ldi_barycentric's,
/// to the last bit, from what the rasteriser has worked out.
static inline void ts_ldi_cut_weights(double out[3], const ts_ldi_cut *cut,
                                      const ts_ldi_placed_mesh *mesh, int axis, int32_t row,
                                      int32_t column) {
  static const int after[3] = {1, 2, 0}, before[3] = {2, 0, 1};
  double to_next = cut->share[cut->next], to_previous = cut->share[1 - cut->next];
  double from = cut->column[cut->next], to = cut->column[1 - cut->next];
  double t = (column - from) / (to - from);
  if (!(t >= 0 && t <= 1)) {
    ts_ldi_seen seen;
    ts_ldi_see(&seen, mesh, cut->triangle, axis);
    ts_ldi_barycentric(out, &seen, row, column);
    return;
  }
  const uint32_t *corners = mesh->shape->corners[cut->triangle];
  int odd = cut->odd, next = after[odd], previous = before[odd];
  // Weights where the row cuts the edges.
  bool is_last = corners[odd] > corners[next], is_after = corners[odd] > corners[previous];
  out[odd] =
      (1 - t) * (is_last ? to_next : 1 - to_next) + t * (is_after ? to_previous : 1 - to_previous);
  out[next] = (1 - t) * (is_last ? 1 - to_next : to_next);
  out[previous] = t * (is_after ? 1 - to_previous : to_previous);
}

#endif
