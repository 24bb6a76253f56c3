// SPDX-License-Identifier: MIT
#include "ldi/view.h"

#include <string.h>

// Sides of tiles in pixels, as powers of two: small enough to tell the places of a surface apart,
// large enough that most triangles are in one. At most 256 tiles a side fit a candidate.
enum { TILE_SHIFT_MIN = 1, TILE_SHIFT_MAX = 4, TILES_WANTED = 64 };

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

static int tile_shift(const ts_ldi_grid *grid) {
  int shift = TILE_SHIFT_MIN;
  for (int i = 0; i < 3; i++)
    while (shift < TILE_SHIFT_MAX && grid->size[i] >> shift > TILES_WANTED)
      shift++;
  return shift;
}

/// No more than a band has rows, in any view.
static int tile_row_shift(const ts_ldi_grid *grid) {
  int shift = tile_shift(grid);
  for (int axis = 0; axis < 3; axis++)
    shift = ts_ldi_band_shift(grid, axis) < shift ? ts_ldi_band_shift(grid, axis) : shift;
  return shift;
}

void ts_ldi_view_begin(ts_ldi_view *view, const ts_ldi_pair *pair, int axis) {
  const ts_ldi_grid *grid = &pair->grid;
  view->band_shift = ts_ldi_band_shift(grid, axis);
  view->band_count = ts_ldi_band_count(grid, axis);
  const ts_aabb *a = &pair->box[0], *b = &pair->box[1];
  view->lower =
      along(a->low, axis) + along(a->high, axis) <= along(b->low, axis) + along(b->high, axis) ? 0
                                                                                               : 1;
  view->tile_shift = tile_shift(grid);
  view->tile_row_shift = tile_row_shift(grid);
  view->tile_columns = ((ts_ldi_column_count(grid, axis) - 1) >> view->tile_shift) + 1;
  view->tile_rows = ((ts_ldi_row_count(grid, axis) - 1) >> view->tile_row_shift) + 1;
}

/// Numbers along all axes at once, in the first three places: the first quarters of a vertex, say.
typedef int16_t triple __attribute__((vector_size(16)));

static inline triple quarters_of(const ts_ldi_vertex *vertex) {
  int64_t p;
  memcpy(&p, vertex->first_quarter, sizeof p);
  return (triple)(__attribute__((vector_size(16))) int64_t){p, 0};
}

static inline triple smallest(triple a, triple b) {
  triple is_smaller = a < b;
  return (a & is_smaller) | (b & ~is_smaller);
}

static inline triple largest(triple a, triple b) {
  triple is_larger = a > b;
  return (a & is_larger) | (b & ~is_larger);
}

/// Where the candidates of one body go.
typedef struct finding {
  const ts_ldi_view *views;
  int body, tile_shift, tile_row_shift;
  triple size;               ///< of the grid
  triple is_lower;           ///< by view, in all bits
  ts_ldi_candidate *next[3]; ///< by view
} finding;

static ts_status begin_finding(finding *out, ts_ldi_view views[3], ts_ldi_candidates *const to[3],
                               int body, size_t most, const ts_ldi_grid *grid) {
  *out = (finding){.views = views,
                   .body = body,
                   .tile_shift = views[0].tile_shift,
                   .tile_row_shift = views[0].tile_row_shift};
  for (int axis = 0; axis < 3; axis++) {
    const ts_ldi_view *v = &views[axis];
    out->size[axis] = (int16_t)grid->size[axis];
    out->is_lower[axis] = body == v->lower ? -1 : 0;
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

/// Something between two corners, along each axis.
typedef struct extent {
  triple first_row, last_row, first_column, last_column; ///< tiles
  triple reach;
  triple covers; ///< not 0: has pixel centres in between
} extent;

/// Takes an extent if it covers pixel centres in a view that is wanted. Always written, and kept by
/// moving on: a branch here would be unpredictable.
static inline void find_in_view(finding *f, int axis, uint32_t index, const extent *e,
                                bool is_wanted) {
  int column = (axis + 1) % 3, row = (axis + 2) % 3;
  *f->next[axis] = (ts_ldi_candidate){.index = index,
                                      .first_row = e->first_row[row],
                                      .last_row = e->last_row[row],
                                      .first_column = (uint8_t)e->first_column[column],
                                      .last_column = (uint8_t)e->last_column[column],
                                      .reach = e->reach[axis]};
  f->next[axis] += e->covers[column] & e->covers[row] & is_wanted;
}

/// Takes what lies between two corners (quarters) in the `chosen` views (bits).
static inline void find(finding *f, uint32_t index, triple low, triple high, unsigned chosen) {
  triple first = largest((low + 3) >> 2, (triple){0}), end = smallest((high + 3) >> 2, f->size);
  triple last = end - 1;
  extent e = {.first_row = first >> f->tile_row_shift,
              .last_row = last >> f->tile_row_shift,
              .first_column = first >> f->tile_shift,
              .last_column = last >> f->tile_shift,
              .reach = (high & f->is_lower) | (-low & ~f->is_lower),
              .covers = first < end};
  find_in_view(f, 0, index, &e, chosen & 1);
  find_in_view(f, 1, index, &e, chosen >> 1 & 1);
  find_in_view(f, 2, index, &e, chosen >> 2 & 1);
}

/// How far the candidates of a body reach in each tile.
static void find_reach(ts_ldi_candidates *c, const ts_ldi_view *v, int body) {
  int16_t *reach = c->reach[body];
  int32_t columns = v->tile_columns;
  for (int32_t i = 0; i < v->tile_rows * columns; i++)
    reach[i] = INT16_MIN;
  for (const ts_ldi_candidate *f = c->found[body]; f < c->found[body] + c->count[body]; f++)
    for (int32_t row = f->first_row; row <= f->last_row; row++)
      for (int32_t column = f->first_column; column <= f->last_column; column++) {
        int16_t *tile = &reach[row * columns + column];
        *tile = *tile > f->reach ? *tile : f->reach;
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
    triple low = {0}, high = {0};
    for (int k = 0; k < 3; k++) {
      low[k] = ts_ldi_first_quarter(reach.low[k], grid->size[k]);
      high[k] = ts_ldi_first_quarter(reach.high[k], grid->size[k]);
    }
    find(&f, i, low, high, shape->blocks[i].triangle_count > 0 ? 7 : 0);
  }
  end_finding(&f, to);
  return TS_OK;
}

/// Whether a candidate comes so near to those of the other body in one of its tiles that it may
/// bound the overlap; `reach` and `columns` are of the other body's tiles.
static inline bool is_near(const ts_ldi_candidate *candidate, const int16_t *reach,
                           int32_t columns) {
  bool is_one = false;
  for (int32_t row = candidate->first_row; row <= candidate->last_row; row++)
    for (int32_t column = candidate->first_column; column <= candidate->last_column; column++)
      is_one |= candidate->reach + reach[row * columns + column] > -TS_LDI_REACH_QUARTERS;
  return is_one;
}

void ts_ldi_views_choose(const ts_ldi_view views[3], ts_ldi_placed_mesh *mesh, int body,
                         bool is_whole) {
  memset(mesh->views, 0, mesh->shape->block_count * sizeof *mesh->views);
  for (int axis = 0; axis < 3; axis++) {
    const ts_ldi_candidates *c = &views[axis].blocks;
    for (size_t i = 0; i < c->count[body]; i++)
      if (is_whole || is_near(&c->found[body][i], c->reach[1 - body], views[axis].tile_columns))
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
  for (uint32_t i = 0; i < block->triangle_count; i++) {
    const uint32_t *corners = mesh->shape->corners[block->first_triangle + i];
    triple p = quarters_of(&mesh->vertices[corners[0]]);
    triple q = quarters_of(&mesh->vertices[corners[1]]),
           r = quarters_of(&mesh->vertices[corners[2]]);
    find(f, block->first_triangle + i, smallest(p, smallest(q, r)), largest(p, largest(q, r)),
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

/// Drops the candidates of a body that bound no overlap; counts the others band by band in
/// `counts`.
static void keep_near(size_t *counts, ts_ldi_view *v, int body, bool is_whole) {
  ts_ldi_candidates *c = &v->triangles;
  ts_ldi_candidate *kept = c->found[body];
  const int16_t *reach = c->reach[1 - body];
  int shift = v->band_shift - v->tile_row_shift;
  int32_t columns = v->tile_columns;
  for (const ts_ldi_candidate *f = kept, *end = kept + c->count[body]; f < end; f++) {
    bool is_kept = is_whole | is_near(f, reach, columns);
    for (int band = f->first_row >> shift; band <= f->last_row >> shift; band++)
      counts[band] += is_kept;
    *kept = *f;
    kept += is_kept;
  }
  c->count[body] = (size_t)(kept - c->found[body]);
}

ts_status ts_ldi_view_fill(ts_ldi_view *v, bool is_whole) {
  size_t bands = (size_t)v->band_count;
  int shift = v->band_shift - v->tile_row_shift;
  size_t *start = ts_ldi_buffer_reserve(&v->start_memory, bands + 2, sizeof *start);
  if (!start)
    return TS_E_MEMORY;
  memset(start, 0, (bands + 2) * sizeof *start);
  // Counts are two places up; summed, band i starts at [i + 1], which filling moves to its end.
  for (int body = 0; body < 2; body++)
    keep_near(start + 2, v, body, is_whole);
  for (size_t i = 2; i < bands + 2; i++)
    start[i] += start[i - 1];
  uint32_t *items = ts_ldi_buffer_reserve(&v->item_memory, start[bands + 1], sizeof *items);
  if (!items)
    return TS_E_MEMORY;
  for (int body = 0; body < 2; body++) {
    const ts_ldi_candidate *c = v->triangles.found[body], *end = c + v->triangles.count[body];
    for (; c < end; c++)
      for (int band = c->first_row >> shift; band <= c->last_row >> shift; band++)
        items[start[band + 1]++] = c->index << 1 | (uint32_t)body;
  }
  v->start = start;
  v->items = items;
  return TS_OK;
}
