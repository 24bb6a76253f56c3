// SPDX-License-Identifier: MIT
#include "ldi/view.h"

#include <string.h>

// Of a tile's sides: small enough to tell the places of a surface apart, large enough that most
// triangles are in one.
#define TILE_SHIFT 4

static void free_candidates(ts_ldi_candidates *c) {
  for (int body = 0; body < 2; body++) {
    ts_ldi_buffer_free(&c->found_memory[body]);
    ts_ldi_buffer_free(&c->reach_memory[body]);
  }
}

void ts_ldi_view_free(ts_ldi_view *view) {
  ts_ldi_buffer_free(&view->start_memory);
  ts_ldi_buffer_free(&view->item_memory);
  free_candidates(&view->blocks);
  free_candidates(&view->triangles);
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

/// Where the candidates of one body go.
typedef struct finding {
  const ts_ldi_view *views;
  int body;
  pixels size;               ///< of the grid
  ts_ldi_candidate *next[3]; ///< by view
} finding;

static ts_status begin_finding(finding *out, ts_ldi_view views[3], ts_ldi_candidates *const to[3],
                               int body, size_t most, const ts_ldi_grid *grid) {
  *out = (finding){
      .views = views,
      .body = body,
      .size = {(int16_t)grid->size[0], (int16_t)grid->size[1], (int16_t)grid->size[2], 0}};
  for (int axis = 0; axis < 3; axis++) {
    const ts_ldi_view *v = &views[axis];
    to[axis]->found[body] = ts_ldi_buffer_reserve(&to[axis]->found_memory[body], most + 1,
                                                  sizeof *to[axis]->found[body]);
    to[axis]->reach[body] = ts_ldi_buffer_reserve(&to[axis]->reach_memory[body],
                                                  (size_t)v->tile_rows * (size_t)v->tile_columns,
                                                  sizeof *to[axis]->reach[body]);
    if (!to[axis]->found[body] || !to[axis]->reach[body])
      return TS_E_MEMORY;
    out->next[axis] = to[axis]->found[body];
  }
  return TS_OK;
}

/// Takes what lies between two corners in those of `chosen` views (bits) in which it covers pixel
/// centres.
static inline void find(finding *f, uint32_t index, pixels low, pixels high, unsigned chosen) {
  pixels first = largest(low, (pixels){0}), end = smallest(high, f->size);
  pixels last = end - 1, covers = first < end;
  // Always written, and kept by moving on: a branch here would be unpredictable.
  for (int axis = 0; axis < 3; axis++) {
    int column_axis = (axis + 1) % 3, row_axis = (axis + 2) % 3;
    const ts_ldi_view *v = &f->views[axis];
    *f->next[axis] =
        (ts_ldi_candidate){.index = index,
                           .first_row = (int16_t)(first[row_axis] >> v->tile_row_shift),
                           .last_row = (int16_t)(last[row_axis] >> v->tile_row_shift),
                           .first_column = (uint8_t)(first[column_axis] >> TILE_SHIFT),
                           .last_column = (uint8_t)(last[column_axis] >> TILE_SHIFT),
                           .depth_px = f->body == v->lower ? high[axis] : low[axis]};
    f->next[axis] += covers[column_axis] & covers[row_axis] & (int)(chosen >> axis) & 1;
  }
}

/// How deep the candidates of a body reach in each tile.
static void find_reach(ts_ldi_candidates *c, const ts_ldi_view *v, int body) {
  int16_t *reach = c->reach[body];
  bool is_lower = body == v->lower;
  size_t tiles = (size_t)v->tile_rows * (size_t)v->tile_columns;
  for (size_t i = 0; i < tiles; i++)
    reach[i] = is_lower ? INT16_MIN : INT16_MAX;
  for (const ts_ldi_candidate *f = c->found[body]; f < c->found[body] + c->count[body]; f++)
    for (int32_t row = f->first_row; row <= f->last_row; row++)
      for (int32_t column = f->first_column; column <= f->last_column; column++) {
        int16_t *tile = &reach[row * v->tile_columns + column];
        *tile = is_lower ? larger(*tile, f->depth_px) : smaller(*tile, f->depth_px);
      }
}

static void end_finding(const finding *f, ts_ldi_candidates *const to[3]) {
  for (int axis = 0; axis < 3; axis++) {
    to[axis]->count[f->body] = (size_t)(f->next[axis] - to[axis]->found[f->body]);
    find_reach(to[axis], &f->views[axis], f->body);
  }
}

ts_status ts_ldi_views_find_blocks(ts_ldi_view views[3], const ts_ldi_placed_mesh *mesh, int body,
                                   const ts_ldi_grid *grid) {
  const ts_ldi_shape *shape = mesh->shape;
  ts_ldi_candidates *const to[3] = {&views[0].blocks, &views[1].blocks, &views[2].blocks};
  finding f;
  TS_TRY(begin_finding(&f, views, to, body, shape->block_count, grid));
  double rounding[3];
  ts_ldi_shape_rounding(rounding, shape, &mesh->to_grid);
  for (uint32_t i = 0; i < shape->block_count; i++) {
    ts_ldi_reach reach = ts_ldi_block_reach(&shape->blocks[i], &mesh->to_grid, rounding);
    pixels low = {0}, high = {0};
    for (int k = 0; k < 3; k++) {
      low[k] = ts_ldi_first_pixel(reach.low[k], grid->size[k]);
      high[k] = ts_ldi_first_pixel(reach.high[k], grid->size[k]);
    }
    find(&f, i, low, high, shape->blocks[i].triangle_count > 0 ? 7 : 0);
  }
  end_finding(&f, to);
  return TS_OK;
}

/// Whether a candidate is so far from those of the other body in all of its tiles that it bounds no
/// overlap.
static bool is_out_of_reach(const ts_ldi_candidates *c, const ts_ldi_view *v, int body,
                            const ts_ldi_candidate *candidate) {
  const int16_t *reach = c->reach[1 - body];
  bool is_near = false;
  for (int32_t row = candidate->first_row; row <= candidate->last_row; row++)
    for (int32_t column = candidate->first_column; column <= candidate->last_column; column++) {
      int16_t other = reach[row * v->tile_columns + column];
      is_near |= body == v->lower ? candidate->depth_px > other - TS_LDI_REACH_PX
                                  : candidate->depth_px < other + TS_LDI_REACH_PX;
    }
  return !is_near;
}

void ts_ldi_views_choose(const ts_ldi_view views[3], ts_ldi_placed_mesh *mesh, int body,
                         bool is_whole) {
  memset(mesh->views, 0, mesh->shape->block_count * sizeof *mesh->views);
  for (int axis = 0; axis < 3; axis++) {
    const ts_ldi_candidates *c = &views[axis].blocks;
    for (size_t i = 0; i < c->count[body]; i++)
      if (is_whole || !is_out_of_reach(c, &views[axis], body, &c->found[body][i]))
        mesh->views[c->found[body][i].index] |= (uint8_t)(1 << axis);
  }
}

/// Triangles of blocks with a view.
static size_t count_chosen(const ts_ldi_placed_mesh *mesh) {
  size_t count = 0;
  for (size_t i = 0; i < mesh->shape->block_count; i++)
    count += mesh->views[i] ? mesh->shape->blocks[i].triangle_count : 0;
  return count;
}

static void find_in_block(finding *f, const ts_ldi_placed_mesh *mesh, uint32_t index) {
  const ts_ldi_block *block = &mesh->shape->blocks[index];
  const uint32_t *triangles = mesh->shape->triangles + block->first_triangle;
  for (uint32_t i = 0; i < block->triangle_count; i++) {
    const uint32_t *corners = mesh->mesh->triangles[triangles[i]];
    pixels p = pixels_of(&mesh->vertices[corners[0]]), q = pixels_of(&mesh->vertices[corners[1]]),
           r = pixels_of(&mesh->vertices[corners[2]]);
    find(f, triangles[i], smallest(p, smallest(q, r)), largest(p, largest(q, r)),
         mesh->views[index]);
  }
}

ts_status ts_ldi_views_find(ts_ldi_view views[3], const ts_ldi_placed_mesh *mesh, int body,
                            const ts_ldi_grid *grid) {
  ts_ldi_candidates *const to[3] = {&views[0].triangles, &views[1].triangles, &views[2].triangles};
  finding f;
  TS_TRY(begin_finding(&f, views, to, body, count_chosen(mesh), grid));
  for (uint32_t i = 0; i < mesh->shape->block_count; i++)
    if (mesh->views[i])
      find_in_block(&f, mesh, i);
  end_finding(&f, to);
  return TS_OK;
}

ts_status ts_ldi_view_fill(ts_ldi_view *v, bool is_whole) {
  ts_ldi_candidates *triangles = &v->triangles;
  size_t bands = (size_t)v->band_count;
  int shift = v->band_shift - v->tile_row_shift;
  uint32_t *start = ts_ldi_buffer_reserve(&v->start_memory, bands + 2, sizeof *start);
  if (!start)
    return TS_E_MEMORY;
  memset(start, 0, (bands + 2) * sizeof *start);
  // Counts are two places up; summed, band i starts at [i + 1], which filling moves to its end.
  for (int body = 0; body < 2; body++)
    for (size_t i = 0; i < triangles->count[body]; i++) {
      ts_ldi_candidate *c = &triangles->found[body][i];
      c->is_left_out = !is_whole && is_out_of_reach(triangles, v, body, c);
      for (int band = c->first_row >> shift; band <= c->last_row >> shift; band++)
        start[band + 2] += !c->is_left_out;
    }
  for (size_t i = 2; i < bands + 2; i++)
    start[i] += start[i - 1];
  v->items = ts_ldi_buffer_reserve(&v->item_memory, start[bands + 1], sizeof *v->items);
  if (!v->items)
    return TS_E_MEMORY;
  for (int body = 0; body < 2; body++)
    for (size_t i = 0; i < triangles->count[body]; i++) {
      const ts_ldi_candidate *c = &triangles->found[body][i];
      for (int band = c->first_row >> shift; band <= c->last_row >> shift && !c->is_left_out;
           band++)
        v->items[start[band + 1]++] = c->index << 1 | (uint32_t)body;
    }
  v->start = start;
  return TS_OK;
}
