// SPDX-License-Identifier: MIT
#include "ldi/scan.h"

#include "ldi/buffer.h"
#include "ldi/line_sweep.h"
#include "ldi/raster.h"
#include "ldi/team.h"

#include <stdatomic.h>
#include <string.h>

typedef struct scan {
  int thread_count;
  ts_ldi_grid grid;
  ts_ldi_placed_mesh placed[2];
  bool is_whole; ///< All that covers pixels is placed, not only what may bound the overlap.
  /// [mesh->vertex_count]; all zero between measurements, which put what is not into lists.
  int64_t (*gradient[2])[3];
  uint64_t *is_placed[2]; ///< [mesh->vertex_count / 64 + 1], a bit a vertex
  ts_ldi_buffer load_memory[2];
  ts_ldi_view views[3];
  double *band_volume_px; ///< Of the bands of all views, one after the other.
  ts_ldi_buffer band_volume_memory;
  ts_ldi_team *team;
  ts_ldi_canvas *canvases; ///< [thread_count]
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
    free(s->placed[body].vertices);
    free(s->placed[body].views);
    free(s->gradient[body]);
    free(s->is_placed[body]);
    ts_ldi_buffer_free(&s->load_memory[body]);
  }
  for (int axis = 0; axis < 3; axis++)
    ts_ldi_view_free(&s->views[axis]);
  ts_ldi_buffer_free(&s->band_volume_memory);
  for (int i = 0; s->canvases && i < s->thread_count; i++)
    ts_ldi_canvas_free(&s->canvases[i]);
  free(s->canvases);
  ts_ldi_team_destroy(s->team);
  free(s);
}

static ts_status create(void **out, const ts_ldi_shape *const shapes[2], int threads) {
  scan *s = calloc(1, sizeof *s);
  bool is_made = s && ts_ldi_team_create(&s->team, threads) == TS_OK &&
                 (s->canvases = calloc((size_t)threads, sizeof *s->canvases));
  for (int body = 0; is_made && body < 2; body++) {
    size_t vertices = shapes[body]->mesh->vertex_count;
    s->placed[body] =
        (ts_ldi_placed_mesh){.shape = shapes[body],
                             .views = calloc(shapes[body]->block_count, 1),
                             .vertices = calloc(shapes[body]->vertex_count, sizeof(ts_ldi_vertex))};
    s->gradient[body] = calloc(vertices, sizeof *s->gradient[body]);
    s->is_placed[body] = calloc(vertices / 64 + 1, sizeof *s->is_placed[body]);
    is_made = s->placed[body].views && s->placed[body].vertices && s->gradient[body] &&
              s->is_placed[body];
  }
  if (!is_made) {
    destroy(s);
    return ts_fail(TS_E_MEMORY, "no memory for layered depth images of %zu and %zu vertices",
                   shapes[0]->mesh->vertex_count, shapes[1]->mesh->vertex_count);
  }
  s->thread_count = threads;
  *out = s;
  return TS_OK;
}

static void place_vertices(scan *s, int body) {
  const ts_ldi_placed_mesh *placed = &s->placed[body];
  const ts_ldi_shape *shape = placed->shape;
  for (size_t i = 0; i < shape->block_count; i++) {
    uint32_t first = shape->blocks[i].first_vertex, end = first + shape->blocks[i].vertex_count;
    for (uint32_t k = first; placed->views[i] && k < end; k++) {
      ts_ldi_vertex *vertex = &placed->vertices[k];
      ts_ldi_affine_apply(vertex->position_px, &placed->to_grid, shape->points[k]);
      for (int axis = 0; axis < 3; axis++)
        vertex->first_quarter[axis] =
            ts_ldi_first_quarter(vertex->position_px[axis], s->grid.size[axis]);
    }
  }
}

static ts_status place_blocks(void *state, int member, int32_t body) {
  (void)member;
  scan *s = state;
  return ts_ldi_views_find_blocks(s->views, &s->placed[body], body, &s->grid);
}

static ts_status place_body(void *state, int member, int32_t body) {
  (void)member;
  scan *s = state;
  ts_ldi_views_choose(s->views, &s->placed[body], body, s->is_whole);
  place_vertices(s, body);
  return ts_ldi_views_find(s->views, &s->placed[body], body, &s->grid);
}

static ts_status place_view(void *state, int member, int32_t axis) {
  (void)member;
  scan *s = state;
  return ts_ldi_view_fill(&s->views[axis], s->is_whole);
}

/// Places what images need, once blocks are found.
static ts_status place_triangles(scan *s, bool is_whole) {
  s->is_whole = is_whole;
  TS_TRY(ts_ldi_team_run(s->team, place_body, s, 2));
  return ts_ldi_team_run(s->team, place_view, s, 3);
}

static ts_status place(void *state, const ts_ldi_pair *pair) {
  scan *s = state;
  s->grid = pair->grid;
  for (int body = 0; body < 2; body++)
    s->placed[body].to_grid = ts_ldi_affine_grid(pair->pose[body], &s->grid);
  for (int axis = 0; axis < 3; axis++)
    ts_ldi_view_begin(&s->views[axis], pair, axis);
  TS_TRY(ts_ldi_team_run(s->team, place_blocks, s, 2));
  return place_triangles(s, false);
}

static ts_status render_band(ts_ldi_image *out, scan *s, int member, int axis, int32_t band) {
  const ts_ldi_view *v = &s->views[axis];
  int32_t rows = 1 << v->band_shift, first = band * rows;
  int32_t left = ts_ldi_row_count(&s->grid, axis) - first;
  *out = (ts_ldi_image){.axis = axis,
                        .lower = v->lower,
                        .first_row = first,
                        .row_count = left < rows ? left : rows,
                        .column_count = ts_ldi_column_count(&s->grid, axis)};
  return ts_ldi_raster_band(out, &s->canvases[member], s->placed, v->items + v->start[band],
                            v->start[band + 1] - v->start[band]);
}

static ts_status render(ts_ldi_image *out, void *state, int member, int axis, int32_t band,
                        bool is_whole) {
  scan *s = state;
  if (is_whole && !s->is_whole)
    TS_TRY(place_triangles(s, true));
  TS_TRY(render_band(out, s, member, axis, band));
  ts_ldi_crossing *crossings = s->canvases[member].crossings.data;
  for (int32_t i = 0; i < out->row_count * out->column_count; i++)
    ts_ldi_sort_pixel(crossings + out->start[i], out->start[i + 1] - out->start[i]);
  return TS_OK;
}

/// Where the gradient of a band goes.
typedef struct adder {
  scan *scan;
  const ts_ldi_cut *cuts; ///< by the place of a crossing
  int axis;
  int32_t row, column; ///< of the line of sight
  bool is_shared;      ///< with other threads
} adder;

static inline void add(const adder *a, int body, uint32_t vertex, int64_t value) {
  int64_t *sum = &a->scan->gradient[body][vertex][a->axis];
  if (a->is_shared)
    atomic_fetch_add_explicit((_Atomic int64_t *)sum, value, memory_order_relaxed);
  else
    *sum += value;
}

/// Spreads the weight of a crossing over the corners of its triangle; nothing is lost to rounding.
static void add_crossing(const adder *a, int body, uint32_t place, int64_t weight) {
  const ts_ldi_cut *cut = &a->cuts[place];
  const ts_ldi_placed_mesh *mesh = &a->scan->placed[body];
  const uint32_t *corners = mesh->shape->corners[cut->triangle], *vertices = mesh->shape->vertices;
  double weights[3];
  ts_ldi_cut_weights(weights, cut, mesh, a->axis, a->row, a->column);
  int64_t second = (int64_t)(weights[1] * (double)weight);
  int64_t third = (int64_t)(weights[2] * (double)weight);
  add(a, body, vertices[corners[0]], weight - second - third);
  add(a, body, vertices[corners[1]], second);
  add(a, body, vertices[corners[2]], third);
}

static void add_bound(const adder *a, const ts_ldi_bound *bound, int64_t weight) {
  for (int i = 0; i < bound->count; i++)
    add_crossing(a, ts_ldi_body(bound->id[i]), bound->place[i], weight / bound->count);
}

/// Returns its length [px].
static double add_interval(const adder *a, const ts_ldi_interval *interval) {
  const int64_t one = INT64_C(1) << TS_LDI_WEIGHT_BITS;
  add_bound(a, &interval->high, one);
  add_bound(a, &interval->low, -one);
  return interval->high.depth_px - interval->low.depth_px;
}

/// Adds the overlap of a band to the gradient; returns its volume [px3].
static double sum_band(scan *s, const ts_ldi_image *image, const ts_ldi_canvas *canvas) {
  ts_ldi_crossing *crossings = canvas->crossings.data;
  int lower = image->lower;
  adder a = {.scan = s,
             .cuts = canvas->cuts,
             .axis = image->axis,
             .row = image->first_row,
             .is_shared = s->thread_count > 1};
  double volume_px = 0;
  const uint32_t *start = image->start;
  for (int32_t end = a.row + image->row_count; a.row < end; a.row++)
    for (a.column = 0; a.column < image->column_count; a.column++, start++) {
      ts_ldi_crossing *line = crossings + start[0];
      uint32_t count = start[1] - start[0];
      if (count < 2 || !ts_ldi_may_overlap(line, count, lower))
        continue;
      ts_ldi_interval interval;
      if (count == 2) {
        if (ts_ldi_interval_of_two(&interval, line))
          volume_px += add_interval(&a, &interval);
        continue;
      }
      ts_ldi_sort_pixel(line, count);
      ts_ldi_sweep sweep = ts_ldi_sweep_start(line, count, lower);
      while (ts_ldi_sweep_next(&interval, &sweep))
        volume_px += add_interval(&a, &interval);
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
  TS_TRY(render_band(&image, s, member, axis, band));
  s->band_volume_px[index] = sum_band(s, &image, &s->canvases[member]);
  return TS_OK;
}

/// Marks the vertices that were placed; returns how many there are.
static size_t mark_placed(scan *s, int body) {
  const ts_ldi_placed_mesh *placed = &s->placed[body];
  const ts_ldi_shape *shape = placed->shape;
  uint64_t *bits = s->is_placed[body];
  size_t count = 0;
  for (size_t i = 0; i < shape->block_count; i++) {
    const uint32_t *vertices = shape->vertices + shape->blocks[i].first_vertex;
    for (uint32_t k = 0; placed->views[i] && k < shape->blocks[i].vertex_count; k++) {
      uint64_t bit = UINT64_C(1) << vertices[k] % 64;
      count += (bits[vertices[k] / 64] & bit) == 0;
      bits[vertices[k] / 64] |= bit;
    }
  }
  return count;
}

/// Lists what the gradient has of a body, in the order of the mesh, and makes it zero again.
static ts_status take_load(ts_ldi_load *out, scan *s, int body) {
  int64_t(*gradient)[3] = s->gradient[body];
  uint64_t *bits = s->is_placed[body];
  size_t words = s->placed[body].shape->mesh->vertex_count / 64 + 1, most = mark_placed(s, body);
  int64_t(*sums)[3] =
      ts_ldi_buffer_reserve(&s->load_memory[body], most, sizeof *sums + sizeof *out->vertices);
  uint32_t *vertices = (uint32_t *)(sums + most);
  size_t count = 0;
  for (size_t word = 0; word < words; word++)
    for (; bits[word] != 0; bits[word] &= bits[word] - 1) {
      size_t vertex = 64 * word + (size_t)__builtin_ctzll(bits[word]);
      const int64_t *sum = gradient[vertex];
      if (sums && (sum[0] | sum[1] | sum[2]) != 0) {
        vertices[count] = (uint32_t)vertex;
        memcpy(sums[count++], sum, sizeof *sums);
      }
      memset(gradient[vertex], 0, sizeof *gradient);
    }
  *out = (ts_ldi_load){count, vertices, (const int64_t(*)[3])sums};
  return sums ? TS_OK : TS_E_MEMORY;
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
  ts_status status = ts_ldi_team_run(s->team, measure_band, s, band_count);
  for (int body = 0; body < 2; body++) {
    ts_status taken = take_load(&out->loads[body], s, body);
    status = status == TS_OK ? taken : status;
  }
  if (status != TS_OK)
    return status;
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
    .is_threaded = true,
};
