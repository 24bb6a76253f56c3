// SPDX-License-Identifier: MIT
#include "ldi/scan.h"

#include "base/array.h"
#include "ldi/buffer.h"
#include "ldi/line_sweep.h"
#include "ldi/team.h"

#include <stdatomic.h>
#include <string.h>

/// A triangle that covers the centre of a pixel of a view, as triangle << 1 | body, and the first
/// and last band of rows it may do so in.
typedef struct candidate {
  uint32_t item;
  int16_t first_band, last_band;
} candidate;

/// The candidates of a view, as they were found and sorted by band.
typedef struct view {
  int band_shift; ///< a band has 1 << band_shift rows
  int32_t band_count;
  uint32_t *band_start; ///< [band_count + 1]
  uint32_t *items;      ///< [band_start[band_count]]
  candidate *found[2];  ///< [found_count], of each body
  size_t found_count[2];
  ts_ldi_buffer band_start_memory, item_memory, found_memory[2];
} view;

/// What one thread renders a band with.
typedef struct worker {
  ts_ldi_crossing *found; ///< [found_count] in the order of triangles
  size_t found_count, found_capacity;
  ts_ldi_buffer sorted_memory, start_memory;
} worker;

typedef struct scan {
  const ts_mesh *mesh[2];
  int thread_count;
  ts_ldi_grid grid;
  ts_ldi_affine to_grid[2];
  double (*position[2])[3]; ///< Grid coordinates of the vertices [px].
  /// The first pixel at or beyond each vertex along each axis, at most the size: a vertex lies
  /// below or on the centre of pixel i when this is at most i.
  int16_t (*first_pixel[2])[4];
  int64_t (*gradient[2])[3];
  view views[3];
  double *band_volume_px; ///< Of the bands of all views, one after the other.
  ts_ldi_buffer band_volume_memory;
  ts_ldi_team *team;
  worker *workers; ///< [thread_count]
} scan;

static ts_status probe(char device[TS_LDI_DEVICE_BYTES]) {
  strcpy(device, "the processor");
  return TS_OK;
}

static void destroy(void *state) {
  scan *s = state;
  if (!s)
    return;
  for (int body = 0; body < 2; body++) {
    free(s->position[body]);
    free(s->first_pixel[body]);
    free(s->gradient[body]);
  }
  for (int axis = 0; axis < 3; axis++) {
    ts_ldi_buffer_free(&s->views[axis].band_start_memory);
    ts_ldi_buffer_free(&s->views[axis].item_memory);
    ts_ldi_buffer_free(&s->views[axis].found_memory[0]);
    ts_ldi_buffer_free(&s->views[axis].found_memory[1]);
  }
  ts_ldi_buffer_free(&s->band_volume_memory);
  for (int i = 0; s->workers && i < s->thread_count; i++) {
    free(s->workers[i].found);
    ts_ldi_buffer_free(&s->workers[i].sorted_memory);
    ts_ldi_buffer_free(&s->workers[i].start_memory);
  }
  free(s->workers);
  ts_ldi_team_destroy(s->team);
  free(s);
}

static ts_status create(void **out, const ts_mesh *const mesh[2], int threads) {
  scan *s = calloc(1, sizeof *s);
  bool is_made = s && ts_ldi_team_create(&s->team, threads) == TS_OK &&
                 (s->workers = calloc((size_t)threads, sizeof *s->workers));
  for (int body = 0; is_made && body < 2; body++) {
    size_t vertices = mesh[body]->vertex_count;
    s->mesh[body] = mesh[body];
    s->position[body] = calloc(vertices, sizeof *s->position[body]);
    s->first_pixel[body] = calloc(vertices, sizeof *s->first_pixel[body]);
    s->gradient[body] = calloc(vertices, sizeof *s->gradient[body]);
    is_made = s->position[body] && s->first_pixel[body] && s->gradient[body];
  }
  if (!is_made) {
    destroy(s);
    return ts_fail(TS_E_MEMORY, "no memory for layered depth images of %zu and %zu vertices",
                   mesh[0]->vertex_count, mesh[1]->vertex_count);
  }
  s->thread_count = threads;
  *out = s;
  return TS_OK;
}

/// The first whole number at or above x, from 0 to `limit`.
static int32_t first_at_or_above(double x, int32_t limit) {
  if (!(x > 0))
    return 0;
  if (x >= limit)
    return limit;
  int32_t whole = (int32_t)x;
  return whole + (whole < x);
}

static void place_vertices(scan *s, int body) {
  const ts_vec3 *vertices = s->mesh[body]->vertices;
  double(*position)[3] = s->position[body];
  int16_t(*first)[4] = s->first_pixel[body];
  for (size_t i = 0; i < s->mesh[body]->vertex_count; i++) {
    ts_ldi_affine_apply(position[i], &s->to_grid[body], vertices[i]);
    for (int k = 0; k < 3; k++)
      first[i][k] = (int16_t)first_at_or_above(position[i][k], s->grid.size[k]);
  }
}

static int16_t smaller(int16_t a, int16_t b) {
  return a < b ? a : b;
}

static int16_t larger(int16_t a, int16_t b) {
  return a > b ? a : b;
}

/// Finds the triangles of a body that cover pixel centres; a triangle that covers none in two of
/// the three axes is in no view, as are most when they are smaller than a pixel.
static void find_candidates(scan *s, int body) {
  const uint32_t(*triangles)[3] = s->mesh[body]->triangles;
  const int16_t(*first)[4] = (const int16_t(*)[4])s->first_pixel[body];
  uint32_t count = (uint32_t)s->mesh[body]->triangle_count;
  size_t counts[3] = {0};
  for (uint32_t t = 0; t < count; t++) {
    const int16_t *p = first[triangles[t][0]], *q = first[triangles[t][1]],
                  *r = first[triangles[t][2]];
    int16_t low[3], high[3];
    bool covers[3];
    for (int k = 0; k < 3; k++) {
      low[k] = smaller(p[k], smaller(q[k], r[k]));
      high[k] = larger(p[k], larger(q[k], r[k]));
      covers[k] = low[k] < high[k];
    }
    // Always written, and kept by incrementing the count: a branch here would be unpredictable.
    for (int axis = 0; axis < 3; axis++) {
      int row_axis = (axis + 2) % 3, shift = s->views[axis].band_shift;
      s->views[axis].found[body][counts[axis]] =
          (candidate){t << 1 | (uint32_t)body, (int16_t)(low[row_axis] >> shift),
                      (int16_t)((high[row_axis] - 1) >> shift)};
      counts[axis] += (size_t)(covers[(axis + 1) % 3] & covers[row_axis]);
    }
  }
  for (int axis = 0; axis < 3; axis++)
    s->views[axis].found_count[body] = counts[axis];
}

/// Sorts the candidates of a view into its bands.
static ts_status fill_bands(view *v) {
  size_t bands = (size_t)v->band_count;
  v->band_start = ts_ldi_buffer_reserve(&v->band_start_memory, bands + 2, sizeof *v->band_start);
  if (!v->band_start)
    return TS_E_MEMORY;
  memset(v->band_start, 0, (bands + 2) * sizeof *v->band_start);
  // Counts are two places up; summed, band b starts at [b + 1], which filling moves to its end.
  for (int body = 0; body < 2; body++)
    for (const candidate *c = v->found[body]; c < v->found[body] + v->found_count[body]; c++)
      for (int band = c->first_band; band <= c->last_band; band++)
        v->band_start[band + 2]++;
  for (size_t band = 2; band < bands + 2; band++)
    v->band_start[band] += v->band_start[band - 1];
  v->items = ts_ldi_buffer_reserve(&v->item_memory, v->band_start[bands + 1], sizeof *v->items);
  if (!v->items)
    return TS_E_MEMORY;
  for (int body = 0; body < 2; body++)
    for (const candidate *c = v->found[body]; c < v->found[body] + v->found_count[body]; c++)
      for (int band = c->first_band; band <= c->last_band; band++)
        v->items[v->band_start[band + 1]++] = c->item;
  return TS_OK;
}

static ts_status place_body(void *state, int member, int32_t body) {
  (void)member;
  scan *s = state;
  for (int axis = 0; axis < 3; axis++) {
    view *v = &s->views[axis];
    v->found[body] = ts_ldi_buffer_reserve(
        &v->found_memory[body], s->mesh[body]->triangle_count + 1, sizeof *v->found[body]);
    if (!v->found[body])
      return TS_E_MEMORY;
  }
  place_vertices(s, body);
  find_candidates(s, body);
  return TS_OK;
}

static ts_status place_view(void *state, int member, int32_t axis) {
  (void)member;
  scan *s = state;
  return fill_bands(&s->views[axis]);
}

static ts_status place(void *state, const ts_ldi_pair *pair) {
  scan *s = state;
  s->grid = pair->grid;
  for (int body = 0; body < 2; body++)
    s->to_grid[body] = ts_ldi_affine_grid(pair->pose[body], &s->grid);
  for (int axis = 0; axis < 3; axis++) {
    s->views[axis].band_shift = ts_ldi_band_shift(&s->grid, axis);
    s->views[axis].band_count = ts_ldi_band_count(&s->grid, axis);
  }
  TS_TRY(ts_ldi_team_run(s->team, place_body, s, 2));
  return ts_ldi_team_run(s->team, place_view, s, 3);
}

static void see(ts_ldi_seen *out, const scan *s, int axis, uint32_t triangle, int body) {
  const uint32_t *vertices = s->mesh[body]->triangles[triangle];
  for (int i = 0; i < 3; i++) {
    const double *p = s->position[body][vertices[i]];
    out->vertex[i] = vertices[i];
    out->column[i] = p[(axis + 1) % 3];
    out->row[i] = p[(axis + 2) % 3];
    out->depth[i] = p[axis];
  }
}

/// Where the edge between two corners crosses a row.
typedef struct edge_crossing {
  int first, last; ///< the corners, in the order that both of its triangles know
  double share, column;
} edge_crossing;

static inline edge_crossing cross_edge(const ts_ldi_seen *seen, int i, int k, int32_t row) {
  edge_crossing e;
  bool is_in_order = seen->vertex[i] < seen->vertex[k];
  e.first = is_in_order ? i : k;
  e.last = is_in_order ? k : i;
  e.share = (row - seen->row[e.first]) / (seen->row[e.last] - seen->row[e.first]);
  double from = seen->column[e.first], to = seen->column[e.last];
  // Rounding must not carry it into a column that no vertex reaches: candidates are found by those.
  double low = from < to ? from : to, high = from < to ? to : from;
  e.column = from + e.share * (to - from);
  e.column = e.column < low ? low : e.column;
  e.column = e.column > high ? high : e.column;
  return e;
}

static inline double edge_depth(const ts_ldi_seen *seen, const edge_crossing *e) {
  return seen->depth[e->first] + e->share * (seen->depth[e->last] - seen->depth[e->first]);
}

/// Appends the crossings of a triangle in one row; `below` has a bit for each corner below it.
static inline void cross_row(worker *w, const ts_ldi_seen *seen, unsigned below, int32_t row,
                             const ts_ldi_image *image, uint32_t entering_id) {
  // One corner is alone on its side of the row; its two edges cross the row.
  static const struct {
    uint8_t odd, next, previous, is_below;
  } corners[8] = {{0, 1, 2, 0}, {0, 1, 2, 1}, {1, 2, 0, 1}, {2, 0, 1, 0},
                  {2, 0, 1, 1}, {1, 2, 0, 0}, {0, 1, 2, 0}, {0, 1, 2, 0}};
  int odd = corners[below].odd;
  edge_crossing next = cross_edge(seen, odd, corners[below].next, row);
  edge_crossing previous = cross_edge(seen, corners[below].previous, odd, row);
  bool next_is_right = next.column > previous.column;
  const edge_crossing *left = next_is_right ? &previous : &next;
  const edge_crossing *right = next_is_right ? &next : &previous;
  int32_t column = first_at_or_above(left->column, image->column_count);
  int32_t end = first_at_or_above(right->column, image->column_count);
  if (column >= end)
    return;
  // Counter-clockwise, the edge that goes up is on the right where the outside is further along the
  // line of sight, which then leaves.
  uint32_t id = entering_id | (next_is_right == (bool)corners[below].is_below);
  double depth = edge_depth(seen, left);
  double per_column = (edge_depth(seen, right) - depth) / (right->column - left->column);
  uint32_t row_start = (uint32_t)((row - image->first_row) * image->column_count);
  for (; column < end; column++)
    w->found[w->found_count++] = (ts_ldi_crossing){depth + (column - left->column) * per_column, id,
                                                   row_start + (uint32_t)column};
}

static ts_status find_crossings(worker *w, const scan *s, int axis, const ts_ldi_image *image,
                                uint32_t item) {
  uint32_t triangle = item >> 1;
  int body = (int)(item & 1), row_axis = (axis + 2) % 3, column_axis = (axis + 1) % 3;
  const uint32_t *vertices = s->mesh[body]->triangles[triangle];
  const int16_t *first[3];
  for (int i = 0; i < 3; i++)
    first[i] = s->first_pixel[body][vertices[i]];
  int16_t low = smaller(first[0][row_axis], smaller(first[1][row_axis], first[2][row_axis]));
  int16_t high = larger(first[0][row_axis], larger(first[1][row_axis], first[2][row_axis]));
  int16_t left =
      smaller(first[0][column_axis], smaller(first[1][column_axis], first[2][column_axis]));
  int16_t right =
      larger(first[0][column_axis], larger(first[1][column_axis], first[2][column_axis]));
  int32_t end = image->first_row + image->row_count;
  int32_t row = low > image->first_row ? low : image->first_row, row_end = high < end ? high : end;
  if (row >= row_end)
    return TS_OK;
  size_t max_found = (size_t)(row_end - row) * (size_t)(right - left);
  TS_TRY(TS_HEAP_GROW(w->found, w->found_capacity, w->found_count, max_found));
  ts_ldi_seen seen;
  see(&seen, s, axis, triangle, body);
  uint32_t entering_id = ts_ldi_crossing_id(triangle, body, false);
  for (; row < row_end; row++) {
    unsigned below = (unsigned)(first[0][row_axis] <= row) |
                     (unsigned)(first[1][row_axis] <= row) << 1 |
                     (unsigned)(first[2][row_axis] <= row) << 2;
    cross_row(w, &seen, below, row, image, entering_id);
  }
  return TS_OK;
}

static bool is_before(const ts_ldi_crossing *a, const ts_ldi_crossing *b) {
  return a->depth_px < b->depth_px || (a->depth_px == b->depth_px && a->id < b->id);
}

/// By insertion: a pixel holds few, and neighbours in a mesh come nearly in order.
static void sort_pixel(ts_ldi_crossing *crossings, uint32_t count) {
  for (uint32_t i = 1; i < count; i++) {
    ts_ldi_crossing c = crossings[i];
    uint32_t at = i;
    for (; at > 0 && is_before(&c, &crossings[at - 1]); at--)
      crossings[at] = crossings[at - 1];
    crossings[at] = c;
  }
}

/// Brings the crossings that were found into the order of pixels and depth.
static ts_status sort_crossings(ts_ldi_image *image, worker *w) {
  size_t pixels = (size_t)image->row_count * (size_t)image->column_count;
  uint32_t *start = ts_ldi_buffer_reserve(&w->start_memory, pixels + 2, sizeof *start);
  ts_ldi_crossing *sorted =
      ts_ldi_buffer_reserve(&w->sorted_memory, w->found_count, sizeof *sorted);
  if (!start || !sorted)
    return TS_E_MEMORY;
  memset(start, 0, (pixels + 2) * sizeof *start);
  // As in fill_bands: filling moves the start of pixel i from [i + 1] to its end.
  for (size_t i = 0; i < w->found_count; i++)
    start[w->found[i].pixel + 2]++;
  for (size_t i = 2; i < pixels + 2; i++)
    start[i] += start[i - 1];
  for (size_t i = 0; i < w->found_count; i++)
    sorted[start[w->found[i].pixel + 1]++] = w->found[i];
  for (size_t i = 0; i < pixels; i++)
    if (start[i + 1] - start[i] > 1)
      sort_pixel(sorted + start[i], start[i + 1] - start[i]);
  image->start = start;
  image->crossings = sorted;
  return TS_OK;
}

static ts_status render_band(ts_ldi_image *out, worker *w, const scan *s, int axis, int32_t band) {
  const view *v = &s->views[axis];
  int32_t rows = 1 << v->band_shift, first = band * rows;
  int32_t left = ts_ldi_row_count(&s->grid, axis) - first;
  *out = (ts_ldi_image){.axis = axis,
                        .first_row = first,
                        .row_count = left < rows ? left : rows,
                        .column_count = ts_ldi_column_count(&s->grid, axis)};
  w->found_count = 0;
  for (uint32_t i = v->band_start[band]; i < v->band_start[band + 1]; i++)
    TS_TRY(find_crossings(w, s, axis, out, v->items[i]));
  return sort_crossings(out, w);
}

static ts_status render(ts_ldi_image *out, void *state, int axis, int32_t band) {
  scan *s = state;
  return render_band(out, &s->workers[0], s, axis, band);
}

static void add(int64_t *sum, int64_t value, bool is_shared) {
  if (is_shared)
    atomic_fetch_add_explicit((_Atomic int64_t *)sum, value, memory_order_relaxed);
  else
    *sum += value;
}

/// Spreads the weight of a crossing over the corners of its triangle; nothing is lost to rounding.
static void add_crossing(scan *s, int axis, uint32_t id, int32_t row, int32_t column,
                         int64_t weight, bool is_shared) {
  ts_ldi_seen seen;
  double corners[3];
  int body = ts_ldi_body(id);
  see(&seen, s, axis, ts_ldi_triangle(id), body);
  ts_ldi_barycentric(corners, &seen, row, column);
  int64_t second = (int64_t)(corners[1] * (double)weight);
  int64_t third = (int64_t)(corners[2] * (double)weight);
  add(&s->gradient[body][seen.vertex[0]][axis], weight - second - third, is_shared);
  add(&s->gradient[body][seen.vertex[1]][axis], second, is_shared);
  add(&s->gradient[body][seen.vertex[2]][axis], third, is_shared);
}

/// Adds the overlap of a band to the gradient; returns its volume [px3].
static double sum_band(scan *s, const ts_ldi_image *image, bool is_shared) {
  const int64_t one = INT64_C(1) << TS_LDI_WEIGHT_BITS;
  double volume_px = 0;
  uint32_t pixel = 0;
  for (int32_t row = 0; row < image->row_count; row++)
    for (int32_t column = 0; column < image->column_count; column++, pixel++) {
      uint32_t count = image->start[pixel + 1] - image->start[pixel];
      if (count < 4)
        continue; // an overlap has two entries and two exits
      ts_ldi_sweep sweep = {.crossings = image->crossings + image->start[pixel], .count = count};
      ts_ldi_interval interval;
      while (ts_ldi_sweep_next(&interval, &sweep)) {
        volume_px += interval.high.depth_px - interval.low.depth_px;
        for (int i = 0; i < interval.high.count; i++)
          add_crossing(s, image->axis, interval.high.id[i], image->first_row + row, column,
                       one / interval.high.count, is_shared);
        for (int i = 0; i < interval.low.count; i++)
          add_crossing(s, image->axis, interval.low.id[i], image->first_row + row, column,
                       -one / interval.low.count, is_shared);
      }
    }
  return volume_px;
}

/// Task `index` of the bands of all views, one view after the other.
static ts_status measure_band(void *state, int member, int32_t index) {
  scan *s = state;
  int axis = 0;
  int32_t band = index;
  while (band >= s->views[axis].band_count)
    band -= s->views[axis++].band_count;
  ts_ldi_image image;
  TS_TRY(render_band(&image, &s->workers[member], s, axis, band));
  s->band_volume_px[index] = sum_band(s, &image, s->thread_count > 1);
  return TS_OK;
}

static ts_status measure(ts_ldi_sums *out, void *state) {
  scan *s = state;
  int32_t band_count = 0;
  for (int axis = 0; axis < 3; axis++)
    band_count += s->views[axis].band_count;
  s->band_volume_px =
      ts_ldi_buffer_reserve(&s->band_volume_memory, (size_t)band_count, sizeof *s->band_volume_px);
  if (!s->band_volume_px)
    return TS_E_MEMORY;
  *out = (ts_ldi_sums){0};
  for (int body = 0; body < 2; body++) {
    memset(s->gradient[body], 0, s->mesh[body]->vertex_count * sizeof *s->gradient[body]);
    out->gradient[body] = (const int64_t(*)[3])s->gradient[body];
  }
  TS_TRY(ts_ldi_team_run(s->team, measure_band, s, band_count));
  for (int axis = 0, index = 0; axis < 3; axis++)
    for (int32_t band = 0; band < s->views[axis].band_count; band++, index++)
      out->volume_px3[axis] += s->band_volume_px[index];
  return TS_OK;
}

const ts_ldi_backend ts_ldi_backend_cpu = {
    .name = "cpu",
    .summary = "Scan lines in double precision; the reference.",
    .probe = probe,
    .create = create,
    .place = place,
    .measure = measure,
    .render = render,
    .destroy = destroy,
};
