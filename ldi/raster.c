// SPDX-License-Identifier: MIT
#include "ldi/raster.h"

#include "base/array.h"

#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

void ts_ldi_canvas_free(ts_ldi_canvas *canvas) {
  free(canvas->spans);
  free(canvas->cuts);
  ts_ldi_buffer_free(&canvas->start);
  ts_ldi_buffer_free(&canvas->crossings);
  *canvas = (ts_ldi_canvas){0};
}

/// Two doubles at once. Which of two numbers is larger cannot be predicted here: no branches.
typedef double lanes __attribute__((vector_size(16)));
typedef int64_t masks __attribute__((vector_size(16)));

static inline lanes both(double x) {
  return (lanes){x, x};
}

#ifdef __SSE2__
static inline lanes smaller(lanes a, lanes b) {
  return _mm_min_pd(a, b); // a < b ? a : b
}

static inline lanes larger(lanes a, lanes b) {
  return _mm_max_pd(a, b); // a > b ? a : b
}
#else
static inline lanes smaller(lanes a, lanes b) {
  return (lanes){a[0] < b[0] ? a[0] : b[0], a[1] < b[1] ? a[1] : b[1]};
}

static inline lanes larger(lanes a, lanes b) {
  return (lanes){a[0] > b[0] ? a[0] : b[0], a[1] > b[1] ? a[1] : b[1]};
}
#endif

/// Two edges that cross the same rows, each from the corner that comes first in the order of its
/// mesh, which both of its triangles know, to the other.
typedef struct edges {
  lanes row, rows, column, columns, depth, depths; ///< of the first, and on to the other
  lanes low_column, high_column;
} edges;

/// Coordinates of a vertex in the order in which a view has them.
typedef struct axes {
  int column, row, depth;
} axes;

/// The ends of an edge, first and last in the order of the mesh.
typedef struct ends {
  const double *first, *last;
} ends;

static inline ends order_ends(const ts_ldi_vertex *vertices, uint32_t i, uint32_t k) {
  uint32_t swapped = (i ^ k) & (0 - (uint32_t)(i > k));
  return (ends){vertices[i ^ swapped].position_px, vertices[k ^ swapped].position_px};
}

static inline edges edges_of(ends a, ends b, axes at) {
  lanes from = {a.first[at.column], b.first[at.column]},
        to = {a.last[at.column], b.last[at.column]};
  lanes row = {a.first[at.row], b.first[at.row]}, last_row = {a.last[at.row], b.last[at.row]};
  lanes depth = {a.first[at.depth], b.first[at.depth]},
        last_depth = {a.last[at.depth], b.last[at.depth]};
  return (edges){.row = row,
                 .rows = last_row - row,
                 .column = from,
                 .columns = to - from,
                 .depth = depth,
                 .depths = last_depth - depth,
                 .low_column = smaller(from, to),
                 .high_column = larger(from, to)};
}

/// A triangle between its lowest and its highest corner in a view. The edge between them crosses
/// every row; with it goes the edge below the middle corner, or the one above.
typedef struct shape {
  edges below, above;
  int32_t low, middle, high; ///< rows from low on are crossed below, from middle on above
  int lowest, highest;       ///< the corners
  /// Whether the middle corner follows the lowest, counter-clockwise.
  bool is_upwards;
} shape;

/// The corners in the order of their first rows, each as 4 row + corner.
static inline void order_corners(int32_t out[3], const ts_ldi_vertex *vertices,
                                 const uint32_t corners[3], int row_axis) {
  int32_t a = (vertices[corners[0]].first_quarter[row_axis] + 3) & ~3;
  int32_t b = ((vertices[corners[1]].first_quarter[row_axis] + 3) & ~3) + 1;
  int32_t c = ((vertices[corners[2]].first_quarter[row_axis] + 3) & ~3) + 2;
  int32_t low = a < b ? a : b, high = a < b ? b : a;
  out[0] = low < c ? low : c;
  int32_t rest = low < c ? c : low;
  out[1] = rest < high ? rest : high;
  out[2] = rest < high ? high : rest;
}

static inline shape shape_of(const ts_ldi_placed_mesh *mesh, uint32_t triangle, axes at) {
  const uint32_t *corners = mesh->shape->corners[triangle];
  const ts_ldi_vertex *vertices = mesh->vertices;
  int32_t order[3];
  order_corners(order, vertices, corners, at.row);
  int lowest = order[0] & 3, middle = order[1] & 3;
  uint32_t i = corners[lowest], k = corners[middle], j = corners[order[2] & 3];
  ends along = order_ends(vertices, i, j);
  static const bool follows[3][3] = {
      {false, true, false}, {false, false, true}, {true, false, false}};
  return (shape){.below = edges_of(along, order_ends(vertices, i, k), at),
                 .above = edges_of(along, order_ends(vertices, k, j), at),
                 .low = order[0] >> 2,
                 .middle = order[1] >> 2,
                 .high = order[2] >> 2,
                 .lowest = lowest,
                 .highest = order[2] & 3,
                 .is_upwards = follows[lowest][middle]};
}

/// The first whole numbers at or above x, from 0 to `limit`.
static inline lanes first_at_or_above(lanes x, double limit) {
  x = larger(x, both(0));
  x = smaller(x, both(limit));
  // A number this large has no fraction: adding it rounds to a whole number.
  lanes whole = (x + both(0x1p52)) - both(0x1p52);
  return whole + (lanes)((whole < x) & (masks)both(1));
}

/// The span of a triangle in one row, whose count may be 0, and all of its cut but the triangle.
/// `first_pixel` is that of the row in the band.
static inline void cross_row(ts_ldi_span *out, ts_ldi_cut *out_cut, const shape *s, int32_t row,
                             const ts_ldi_image *image, int32_t first_pixel, uint32_t entering_id) {
  bool is_below = row < s->middle;
  const edges *e = is_below ? &s->below : &s->above;
  lanes share = (both(row) - e->row) / e->rows;
  lanes column = e->column + share * e->columns, depth = e->depth + share * e->depths;
  memcpy(out_cut->share, &share, sizeof share);
  memcpy(out_cut->column, &column, sizeof column);
  out_cut->odd = (uint8_t)(is_below ? s->lowest : s->highest);
  // Below, the long edge goes to the corner before the lowest one where the middle one is after it.
  out_cut->next = is_below == s->is_upwards;
  // Rounding must not carry it into a column that no vertex reaches: candidates are found by those.
  column = smaller(larger(column, e->low_column), e->high_column);
  lanes whole = first_at_or_above(column, image->column_count);
  double columns[2], depths[2];
  int32_t wholes[2] = {(int32_t)whole[0], (int32_t)whole[1]};
  memcpy(columns, &column, sizeof column);
  memcpy(depths, &depth, sizeof depth);
  int right = columns[0] > columns[1] ? 0 : 1, left = 1 - right;
  out->left = columns[left];
  out->depth = depths[left];
  out->per_column = (depths[right] - depths[left]) / (columns[right] - columns[left]);
  // Counter-clockwise, the edge that goes up is on the right where the outside is further along the
  // line of sight, which then leaves.
  out->id = entering_id | ((uint32_t)left ^ s->is_upwards);
  out->pixel = (uint32_t)(first_pixel + wholes[left]);
  out->column = (int16_t)wholes[left];
  out->count = (int16_t)(wholes[right] - wholes[left]);
}

/// Finds the spans of a band; `*out_count` of them.
static ts_status find_spans(size_t *out_count, ts_ldi_canvas *canvas, const ts_ldi_image *image,
                            const ts_ldi_placed_mesh meshes[2], const uint32_t *items,
                            size_t item_count) {
  axes at = {(image->axis + 1) % 3, (image->axis + 2) % 3, image->axis};
  int32_t end_row = image->first_row + image->row_count;
  size_t count = 0;
  for (size_t i = 0; i < item_count; i++) {
    uint32_t triangle = items[i] >> 1;
    int body = (int)(items[i] & 1);
    TS_TRY(TS_HEAP_GROW(canvas->spans, canvas->span_capacity, count, (size_t)image->row_count));
    TS_TRY(TS_HEAP_GROW(canvas->cuts, canvas->cut_capacity, count, (size_t)image->row_count));
    shape s = shape_of(&meshes[body], triangle, at);
    int32_t row = s.low > image->first_row ? s.low : image->first_row;
    int32_t end = s.high < end_row ? s.high : end_row;
    uint32_t entering_id = ts_ldi_crossing_id(meshes[body].shape->triangles[triangle], body, false);
    int32_t first_pixel = (row - image->first_row) * image->column_count;
    for (; row < end; row++, first_pixel += image->column_count) {
      ts_ldi_span *span = &canvas->spans[count];
      cross_row(span, &canvas->cuts[count], &s, row, image, first_pixel, entering_id);
      canvas->cuts[count].triangle = triangle;
      count += span->count > 0;
    }
  }
  *out_count = count;
  return TS_OK;
}

void ts_ldi_sort_pixel(ts_ldi_crossing *crossings, uint32_t count) {
  // By insertion: a pixel holds few, and neighbours in a mesh come nearly in order.
  for (uint32_t i = 1; i < count; i++) {
    ts_ldi_crossing c = crossings[i];
    uint32_t at = i;
    for (; at > 0 && (c.depth_px < crossings[at - 1].depth_px ||
                      (c.depth_px == crossings[at - 1].depth_px && c.id < crossings[at - 1].id));
         at--)
      crossings[at] = crossings[at - 1];
    crossings[at] = c;
  }
}

ts_status ts_ldi_raster_band(ts_ldi_image *image, ts_ldi_canvas *canvas,
                             const ts_ldi_placed_mesh meshes[2], const uint32_t *items,
                             size_t item_count) {
  size_t span_count, pixels = (size_t)image->row_count * (size_t)image->column_count;
  TS_TRY(find_spans(&span_count, canvas, image, meshes, items, item_count));
  uint32_t *start = ts_ldi_buffer_reserve(&canvas->start, pixels + 2, sizeof *start);
  if (!start)
    return TS_E_MEMORY;
  memset(start, 0, (pixels + 2) * sizeof *start);
  // Counts are two places up; summed, pixel i starts at [i + 1], which filling moves to its end.
  for (const ts_ldi_span *s = canvas->spans; s < canvas->spans + span_count; s++)
    for (int32_t i = 0; i < s->count; i++)
      start[s->pixel + (uint32_t)i + 2]++;
  for (size_t i = 2; i < pixels + 2; i++)
    start[i] += start[i - 1];
  ts_ldi_crossing *crossings =
      ts_ldi_buffer_reserve(&canvas->crossings, start[pixels + 1], sizeof *crossings);
  if (!crossings)
    return TS_E_MEMORY;
  for (uint32_t place = 0; place < span_count; place++) {
    const ts_ldi_span *s = &canvas->spans[place];
    for (int32_t i = 0; i < s->count; i++)
      crossings[start[s->pixel + (uint32_t)i + 1]++] =
          (ts_ldi_crossing){s->depth + (s->column + i - s->left) * s->per_column, s->id, place};
  }
  image->start = start;
  image->crossings = crossings;
  return TS_OK;
}
