// SPDX-License-Identifier: MIT
#include "ldi/view.h"

#include "geometry/tolerances.h"

#include <string.h>

// Of a tile's sides: small enough to tell the places of a surface apart, large enough that most
// triangles are in one.
#define TILE_SHIFT 4

void ts_ldi_view_free(ts_ldi_view *view) {
  ts_ldi_buffer_free(&view->start_memory);
  ts_ldi_buffer_free(&view->item_memory);
  for (int body = 0; body < 2; body++) {
    ts_ldi_buffer_free(&view->found_memory[body]);
    ts_ldi_buffer_free(&view->reach_memory[body]);
  }
}

static double along(ts_vec3 v, int axis) {
  return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

void ts_ldi_view_begin(ts_ldi_view *view, const ts_ldi_pair *pair, int axis) {
  view->band_shift = ts_ldi_band_shift(&pair->grid, axis);
  view->band_count = ts_ldi_band_count(&pair->grid, axis);
  const ts_aabb *a = &pair->box[0], *b = &pair->box[1];
  view->lower =
      along(a->low, axis) + along(a->high, axis) <= along(b->low, axis) + along(b->high, axis) ? 0
                                                                                               : 1;
  view->tile_row_shift = view->band_shift < TILE_SHIFT ? view->band_shift : TILE_SHIFT;
  view->tile_columns = ((ts_ldi_column_count(&pair->grid, axis) - 1) >> TILE_SHIFT) + 1;
  view->tile_rows = ((ts_ldi_row_count(&pair->grid, axis) - 1) >> view->tile_row_shift) + 1;
}

static int16_t smaller(int16_t a, int16_t b) {
  return a < b ? a : b;
}

static int16_t larger(int16_t a, int16_t b) {
  return a > b ? a : b;
}

/// The first pixels of a vertex along all axes at once.
typedef int16_t pixels __attribute__((vector_size(8)));

static inline pixels pixels_of(const ts_ldi_vertex *vertex) {
  pixels p;
  memcpy(&p, vertex->first_pixel, sizeof p);
  return p;
}

static inline pixels smallest(pixels a, pixels b) {
  pixels is_smaller = a < b;
  return (a & is_smaller) | (b & ~is_smaller);
}

static inline pixels largest(pixels a, pixels b) {
  pixels is_larger = a > b;
  return (a & is_larger) | (b & ~is_larger);
}

/// Finds the triangles of a body that cover pixel centres; a triangle that covers none in two of
/// the three axes is in no view, as are most when they are smaller than a pixel.
static void find_candidates(ts_ldi_view views[3], const ts_ldi_placed_mesh *placed, int body,
                            const ts_ldi_grid *grid) {
  const uint32_t(*triangles)[3] = placed->mesh->triangles;
  const ts_ldi_vertex *vertices = placed->vertices;
  uint32_t count = (uint32_t)placed->mesh->triangle_count;
  size_t counts[3] = {0};
  const pixels size = {(int16_t)grid->size[0], (int16_t)grid->size[1], (int16_t)grid->size[2], 0};
  for (uint32_t t = 0; t < count; t++) {
    pixels p = pixels_of(&vertices[triangles[t][0]]), q = pixels_of(&vertices[triangles[t][1]]),
           r = pixels_of(&vertices[triangles[t][2]]);
    pixels low = smallest(p, smallest(q, r)), high = largest(p, largest(q, r));
    pixels first = largest(low, (pixels){0}), end = smallest(high, size);
    pixels last = end - 1, covers = first < end;
    // Always written, and kept by incrementing the count: a branch here would be unpredictable.
    for (int axis = 0; axis < 3; axis++) {
      int column_axis = (axis + 1) % 3, row_axis = (axis + 2) % 3,
          shift = views[axis].tile_row_shift;
      views[axis].found[body][counts[axis]] =
          (ts_ldi_candidate){.item = t << 1 | (uint32_t)body,
                             .first_row = (int16_t)(first[row_axis] >> shift),
                             .last_row = (int16_t)(last[row_axis] >> shift),
                             .first_column = (uint8_t)(first[column_axis] >> TILE_SHIFT),
                             .last_column = (uint8_t)(last[column_axis] >> TILE_SHIFT),
                             .depth_px = body == views[axis].lower ? high[axis] : low[axis]};
      counts[axis] += (size_t)(covers[column_axis] & covers[row_axis] & 1);
    }
  }
  for (int axis = 0; axis < 3; axis++)
    views[axis].found_count[body] = counts[axis];
}

/// How deep the candidates of a body reach in each tile.
static void find_reach(ts_ldi_view *v, int body) {
  int16_t *reach = v->reach[body];
  bool is_lower = body == v->lower;
  size_t tiles = (size_t)v->tile_rows * (size_t)v->tile_columns;
  for (size_t i = 0; i < tiles; i++)
    reach[i] = is_lower ? INT16_MIN : INT16_MAX;
  for (const ts_ldi_candidate *c = v->found[body]; c < v->found[body] + v->found_count[body]; c++)
    for (int32_t row = c->first_row; row <= c->last_row; row++)
      for (int32_t column = c->first_column; column <= c->last_column; column++) {
        int16_t *tile = &reach[row * v->tile_columns + column];
        *tile = is_lower ? larger(*tile, c->depth_px) : smaller(*tile, c->depth_px);
      }
}

ts_status ts_ldi_views_find(ts_ldi_view views[3], const ts_ldi_placed_mesh *mesh, int body,
                            const ts_ldi_grid *grid) {
  for (int axis = 0; axis < 3; axis++) {
    ts_ldi_view *v = &views[axis];
    v->found[body] = ts_ldi_buffer_reserve(&v->found_memory[body], mesh->mesh->triangle_count + 1,
                                           sizeof *v->found[body]);
    v->reach[body] = ts_ldi_buffer_reserve(&v->reach_memory[body],
                                           (size_t)v->tile_rows * (size_t)v->tile_columns,
                                           sizeof *v->reach[body]);
    if (!v->found[body] || !v->reach[body])
      return TS_E_MEMORY;
  }
  find_candidates(views, mesh, body, grid);
  for (int axis = 0; axis < 3; axis++)
    find_reach(&views[axis], body);
  return TS_OK;
}

/// Whether a candidate is so far from the other body in all of its tiles that it bounds no overlap.
static bool is_out_of_reach(const ts_ldi_view *v, const ts_ldi_candidate *c) {
  int body = (int)(c->item & 1);
  const int16_t *reach = v->reach[1 - body];
  bool is_near = false;
  for (int32_t row = c->first_row; row <= c->last_row; row++)
    for (int32_t column = c->first_column; column <= c->last_column; column++) {
      int16_t other = reach[row * v->tile_columns + column];
      is_near |= body == v->lower ? c->depth_px > other - TS_LDI_REACH_PX
                                  : c->depth_px < other + TS_LDI_REACH_PX;
    }
  return !is_near;
}

ts_status ts_ldi_view_fill(ts_ldi_view *v) {
  size_t slots = 2 * (size_t)v->band_count;
  int shift = v->band_shift - v->tile_row_shift;
  uint32_t *start = ts_ldi_buffer_reserve(&v->start_memory, slots + 2, sizeof *start);
  if (!start)
    return TS_E_MEMORY;
  memset(start, 0, (slots + 2) * sizeof *start);
  // Counts are two places up; summed, place i starts at [i + 1], which filling moves to its end.
  for (int body = 0; body < 2; body++)
    for (ts_ldi_candidate *c = v->found[body]; c < v->found[body] + v->found_count[body]; c++) {
      bool is_out = is_out_of_reach(v, c);
      c->is_left_out = is_out;
      for (int band = c->first_row >> shift; band <= c->last_row >> shift; band++)
        start[2 * band + is_out + 2]++;
    }
  for (size_t i = 2; i < slots + 2; i++)
    start[i] += start[i - 1];
  v->items = ts_ldi_buffer_reserve(&v->item_memory, start[slots + 1], sizeof *v->items);
  if (!v->items)
    return TS_E_MEMORY;
  for (int body = 0; body < 2; body++)
    for (const ts_ldi_candidate *c = v->found[body]; c < v->found[body] + v->found_count[body]; c++)
      for (int band = c->first_row >> shift; band <= c->last_row >> shift; band++)
        v->items[start[2 * band + c->is_left_out + 1]++] = c->item;
  v->start = start;
  return TS_OK;
}
