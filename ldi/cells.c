// SPDX-License-Identifier: MIT
#include "ldi/cells.h"

#include "ldi/line_sweep.h"

#include <string.h>

// Items of a cell other than the vertices of the two bodies, which are vertex << 1 | body.
#define VOLUME_ITEM UINT32_MAX

/// The entry of one cell for one vertex, or for its own volume.
typedef struct entry {
  uint64_t cell;
  uint32_t item;
  bool is_used;
  int64_t sum[3];
  double volume_px3[3]; ///< of VOLUME_ITEM, by view
} entry;

void ts_ldi_cells_free(ts_ldi_cells *cells) {
  ts_ldi_buffer_free(&cells->table);
  ts_ldi_buffer_free(&cells->sorted);
  ts_ldi_buffer_free(&cells->load[0]);
  ts_ldi_buffer_free(&cells->load[1]);
}

static ts_status make_table(ts_ldi_buffer *table, size_t capacity) {
  entry *entries = ts_ldi_buffer_reserve(table, capacity, sizeof *entries);
  if (!entries)
    return TS_E_MEMORY;
  memset(entries, 0, capacity * sizeof *entries);
  return TS_OK;
}

ts_status ts_ldi_cells_clear(ts_ldi_cells *cells) {
  if (cells->capacity == 0)
    cells->capacity = 4096;
  cells->count = 0;
  return make_table(&cells->table, cells->capacity);
}

/// The slot of a key in a table whose capacity is a power of two: its own, or the free one where
/// it belongs.
static entry *find(entry *table, size_t capacity, uint64_t cell, uint32_t item) {
  uint64_t hash = (cell * UINT64_C(0x9e3779b97f4a7c15) ^ item) * UINT64_C(0xd6e8feb86659fd93);
  for (size_t i = (size_t)(hash >> 32);; i++) {
    entry *e = &table[i & (capacity - 1)];
    if (!e->is_used || (e->cell == cell && e->item == item))
      return e;
  }
}

static ts_status grow(ts_ldi_cells *cells) {
  ts_ldi_buffer larger = {0};
  TS_TRY(make_table(&larger, 2 * cells->capacity));
  const entry *old = cells->table.data;
  for (size_t i = 0; i < cells->capacity; i++)
    if (old[i].is_used)
      *find(larger.data, 2 * cells->capacity, old[i].cell, old[i].item) = old[i];
  ts_ldi_buffer_free(&cells->table);
  cells->table = larger;
  cells->capacity *= 2;
  return TS_OK;
}

static ts_status find_or_make(entry **out, ts_ldi_cells *cells, uint64_t cell, uint32_t item) {
  if (cells->count >= cells->capacity / 2)
    TS_TRY(grow(cells));
  entry *e = find(cells->table.data, cells->capacity, cell, item);
  if (!e->is_used) {
    *e = (entry){.cell = cell, .item = item, .is_used = true};
    cells->count++;
  }
  *out = e;
  return TS_OK;
}

/// State of processing one line of sight.
typedef struct line {
  ts_ldi_cells *cells;
  const ts_ldi_pair *pair;
  const ts_ldi_affine *to_grid; ///< [2]
  int axis, cell_px;
  int32_t row, column;
  int32_t count[3]; ///< cells along x, y and z
} line;

static uint64_t cell_at(const line *l, int32_t along) {
  int32_t index[3];
  index[l->axis] = along;
  index[(l->axis + 1) % 3] = l->column / l->cell_px;
  index[(l->axis + 2) % 3] = l->row / l->cell_px;
  return (uint64_t)index[0] +
         (uint64_t)l->count[0] * ((uint64_t)index[1] + (uint64_t)l->count[1] * (uint64_t)index[2]);
}

/// Where a line of sight crosses a triangle: its corners and their weights.
typedef struct corners {
  const uint32_t *vertices;
  double weights[3];
} corners;

static corners corners_at(const line *l, uint32_t id) {
  int body = ts_ldi_body(id);
  const ts_mesh *mesh = l->pair->mesh[body];
  corners out = {.vertices = mesh->triangles[ts_ldi_triangle(id)]};
  ts_ldi_seen seen;
  for (int i = 0; i < 3; i++) {
    double p[3];
    ts_ldi_affine_apply(p, &l->to_grid[body], mesh->vertices[out.vertices[i]]);
    seen.vertex[i] = out.vertices[i];
    seen.column[i] = p[(l->axis + 1) % 3];
    seen.row[i] = p[(l->axis + 2) % 3];
    seen.depth[i] = p[l->axis];
  }
  ts_ldi_barycentric(out.weights, &seen, l->row, l->column);
  return out;
}

static ts_status add_to_vertex(const line *l, uint64_t cell, int body, uint32_t vertex,
                               int64_t weight) {
  entry *e;
  TS_TRY(find_or_make(&e, l->cells, cell, vertex << 1 | (uint32_t)body));
  e->sum[l->axis] += weight;
  return TS_OK;
}

static ts_status add_bound(const line *l, uint64_t cell, const ts_ldi_bound *bound,
                           const corners at[2], int64_t weight) {
  for (int i = 0; i < bound->count; i++) {
    int64_t share = i == 0 ? weight / bound->count : weight - weight / bound->count;
    int64_t second = (int64_t)(at[i].weights[1] * (double)share);
    int64_t third = (int64_t)(at[i].weights[2] * (double)share);
    int body = ts_ldi_body(bound->id[i]);
    TS_TRY(add_to_vertex(l, cell, body, at[i].vertices[0], share - second - third));
    TS_TRY(add_to_vertex(l, cell, body, at[i].vertices[1], second));
    TS_TRY(add_to_vertex(l, cell, body, at[i].vertices[2], third));
  }
  return TS_OK;
}

static int32_t clamp(double x, int32_t count) {
  return x < 0 ? 0 : x > count - 1 ? count - 1 : (int32_t)x;
}

static ts_status add_interval(const line *l, const ts_ldi_interval *interval) {
  const double one = (double)(INT64_C(1) << TS_LDI_WEIGHT_BITS);
  double low = interval->low.depth_px, high = interval->high.depth_px;
  // From the corner of the grid, not from the first pixel's centre.
  int32_t first = clamp(floor((low + 0.5 + TS_LDI_SAME_DEPTH_PX) / l->cell_px), l->count[l->axis]);
  int32_t last =
      clamp(ceil((high + 0.5 - TS_LDI_SAME_DEPTH_PX) / l->cell_px) - 1, l->count[l->axis]);
  corners at_low[2], at_high[2];
  for (int i = 0; i < interval->low.count; i++)
    at_low[i] = corners_at(l, interval->low.id[i]);
  for (int i = 0; i < interval->high.count; i++)
    at_high[i] = corners_at(l, interval->high.id[i]);
  double from = low;
  int64_t given = 0;
  for (int32_t along = first; along <= last; along++) {
    double to = along == last ? high : (double)(along + 1) * l->cell_px - 0.5;
    // Shares are differences of rounded sums, so that they add up to one exactly.
    int64_t until = along == last ? (int64_t)one : (int64_t)(one * ((to - low) / (high - low)));
    uint64_t cell = cell_at(l, along);
    entry *volume;
    TS_TRY(find_or_make(&volume, l->cells, cell, VOLUME_ITEM));
    volume->volume_px3[l->axis] += to - from;
    TS_TRY(add_bound(l, cell, &interval->high, at_high, until - given));
    TS_TRY(add_bound(l, cell, &interval->low, at_low, given - until));
    from = to;
    given = until;
  }
  return TS_OK;
}

static void count_cells(int32_t out[3], const ts_ldi_grid *grid, int cell_px) {
  for (int i = 0; i < 3; i++)
    out[i] = (grid->size[i] - 1) / cell_px + 1;
}

ts_status ts_ldi_cells_add(ts_ldi_cells *cells, const ts_ldi_pair *pair, const ts_ldi_image *image,
                           ts_ldi_rows rows, int cell_px) {
  const ts_ldi_affine to_grid[2] = {ts_ldi_affine_grid(pair->pose[0], &pair->grid),
                                    ts_ldi_affine_grid(pair->pose[1], &pair->grid)};
  line l = {
      .cells = cells, .pair = pair, .to_grid = to_grid, .axis = image->axis, .cell_px = cell_px};
  count_cells(l.count, &pair->grid, cell_px);
  int32_t end = image->first_row + image->row_count;
  end = rows.end < end ? rows.end : end;
  l.row = rows.first > image->first_row ? rows.first : image->first_row;
  const uint32_t *start = image->start + (l.row - image->first_row) * image->column_count;
  for (; l.row < end; l.row++)
    for (l.column = 0; l.column < image->column_count; l.column++, start++) {
      const ts_ldi_crossing *crossings = image->crossings + start[0];
      uint32_t count = start[1] - start[0];
      if (!ts_ldi_may_overlap(crossings, count, image->lower))
        continue;
      ts_ldi_sweep sweep = ts_ldi_sweep_start(crossings, count, image->lower);
      ts_ldi_interval interval;
      while (ts_ldi_sweep_next(&interval, &sweep))
        TS_TRY(add_interval(&l, &interval));
    }
  return TS_OK;
}

static int compare_entries(const void *left, const void *right) {
  const entry *a = left, *b = right;
  if (a->cell != b->cell)
    return a->cell < b->cell ? -1 : 1;
  return a->item < b->item ? -1 : a->item > b->item;
}

/// By cell, then vertex; a cell's volume comes last.
ts_status ts_ldi_cells_sort(ts_ldi_cells *cells) {
  entry *sorted = ts_ldi_buffer_reserve(&cells->sorted, cells->count, sizeof *sorted);
  if (!sorted)
    return TS_E_MEMORY;
  const entry *table = cells->table.data;
  size_t count = 0;
  for (size_t i = 0; i < cells->capacity; i++)
    if (table[i].is_used)
      sorted[count++] = table[i];
  qsort(sorted, count, sizeof *sorted, compare_entries);
  return TS_OK;
}

/// Takes the next entry of all parts, the sum of those that are equal. False: there is no more.
static bool next_entry(entry *out, ts_ldi_cells *parts, int part_count) {
  const entry *first = NULL;
  for (int i = 0; i < part_count; i++) {
    const entry *e = (const entry *)parts[i].sorted.data + parts[i].visited;
    if (parts[i].visited < parts[i].count && (!first || compare_entries(e, first) < 0))
      first = e;
  }
  if (!first)
    return false;
  *out = (entry){.cell = first->cell, .item = first->item};
  for (int i = 0; i < part_count; i++) {
    const entry *e = (const entry *)parts[i].sorted.data + parts[i].visited;
    if (parts[i].visited == parts[i].count || compare_entries(e, out) != 0)
      continue;
    for (int k = 0; k < 3; k++) {
      out->sum[k] += e->sum[k];
      out->volume_px3[k] += e->volume_px3[k];
    }
    parts[i].visited++;
  }
  return true;
}

/// Vertices and sums of one body in one cell.
typedef struct load_memory {
  uint32_t *vertices;
  int64_t (*sums)[3];
} load_memory;

static ts_status reserve_load(load_memory *out, ts_ldi_buffer *buffer, size_t count) {
  out->sums = ts_ldi_buffer_reserve(buffer, count, sizeof *out->sums + sizeof *out->vertices);
  if (!out->sums)
    return TS_E_MEMORY;
  out->vertices = (uint32_t *)(out->sums + count);
  return TS_OK;
}

ts_status ts_ldi_cells_visit(ts_ldi_cells *parts, int part_count, const ts_ldi_pair *pair,
                             int cell_px, ts_ldi_cell_visit visit, void *context) {
  load_memory loads[2];
  size_t most = 0, counts[2] = {0};
  for (int i = 0; i < part_count; i++) {
    parts[i].visited = 0;
    most += parts[i].count;
  }
  TS_TRY(reserve_load(&loads[0], &parts[0].load[0], most));
  TS_TRY(reserve_load(&loads[1], &parts[0].load[1], most));
  int32_t along[3];
  count_cells(along, &pair->grid, cell_px);
  for (entry e; next_entry(&e, parts, part_count);) {
    if (e.item != VOLUME_ITEM) {
      int body = (int)(e.item & 1);
      loads[body].vertices[counts[body]] = e.item >> 1;
      memcpy(loads[body].sums[counts[body]++], e.sum, sizeof e.sum);
      continue;
    }
    ts_ldi_cell cell;
    memcpy(cell.volume_px3, e.volume_px3, sizeof cell.volume_px3);
    uint64_t rest = e.cell;
    for (int k = 0; k < 3; k++) {
      cell.index[k] = (int32_t)(rest % (uint64_t)along[k]);
      rest /= (uint64_t)along[k];
    }
    for (int body = 0; body < 2; body++) {
      cell.loads[body] =
          (ts_ldi_load){counts[body], loads[body].vertices, (const int64_t(*)[3])loads[body].sums};
      counts[body] = 0;
    }
    TS_TRY(visit(context, &cell));
  }
  return TS_OK;
}
