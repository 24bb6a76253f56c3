// SPDX-License-Identifier: MIT
#include "tests/benchmark/bench_ldi_floor.h"

#include "base/clock.h"
#include "base/status.h"
#include "geometry/tolerances.h"
#include "ldi/line_sweep.h"
#include "ldi/scan.h"

#include <string.h>

const bench_ldi_work bench_ldi_works[BENCH_LDI_WORKS] = {
    [BENCH_LDI_VERTICES] = {"vertices", 24 + 24},   [BENCH_LDI_TRIANGLES] = {"triangles", 12},
    [BENCH_LDI_SIGHTS] = {"sights of one", 0},      [BENCH_LDI_SPANS] = {"spans", 0},
    [BENCH_LDI_CROSSINGS] = {"crossings", 16 + 16}, [BENCH_LDI_BOUNDS] = {"bounds", 3 * (8 + 8)},
};

enum { REPEATS = 15, BAND_CROSSINGS = 16384, SPANS = 4096, COPIED_BYTES = 1 << 25 };

/// What must be looked at, of the pair and of the view that is counted.
typedef struct census {
  bench_ldi_floor *floor;
  const ts_ldi_pair *pair;
  bool *is_seen[2]; ///< [mesh->triangle_count], in this view
} census;

/// Where the other body begins or ends on a line of sight, as seen from this one: crossings of the
/// lower body below all of the upper one, and the other way round, need not be known.
static double other_reach(const ts_ldi_crossing *line, uint32_t count, int body, int lower) {
  double reach = body == lower ? INFINITY : -INFINITY;
  for (uint32_t i = 0; i < count; i++)
    if (ts_ldi_body(line[i].id) != body)
      reach = body == lower ? fmin(reach, line[i].depth_px) : fmax(reach, line[i].depth_px);
  return reach;
}

/// Whether a pixel has a crossing that must be known: on a line of sight that has an interval.
static bool is_needed(const ts_ldi_image *image, uint32_t pixel, uint32_t id) {
  const ts_ldi_crossing *line = image->crossings + image->start[pixel];
  uint32_t count = image->start[pixel + 1] - image->start[pixel], i = 0;
  ts_ldi_sweep sweep = ts_ldi_sweep_start(line, count, image->lower);
  ts_ldi_interval interval;
  while (i < count && line[i].id != id)
    i++;
  if (i == count || !ts_ldi_sweep_next(&interval, &sweep))
    return false;
  int body = ts_ldi_body(id);
  double reach = other_reach(line, count, body, image->lower);
  return body == image->lower ? line[i].depth_px >= reach - TS_LDI_SAME_DEPTH_PX
                              : line[i].depth_px <= reach + TS_LDI_SAME_DEPTH_PX;
}

static void count_crossing(census *c, uint32_t id) {
  bool *is_seen = &c->is_seen[ts_ldi_body(id)][ts_ldi_triangle(id)];
  c->floor->count[BENCH_LDI_SIGHTS] += !*is_seen;
  *is_seen = true;
}

static void count_pixel(census *c, const ts_ldi_image *image, uint32_t pixel) {
  const ts_ldi_crossing *line = image->crossings + image->start[pixel];
  uint32_t count = image->start[pixel + 1] - image->start[pixel];
  bool is_first = pixel % (uint32_t)image->column_count == 0;
  double *counts = c->floor->count;
  for (uint32_t i = 0; i < count; i++)
    if (is_needed(image, pixel, line[i].id)) {
      counts[BENCH_LDI_CROSSINGS]++;
      counts[BENCH_LDI_SPANS] += is_first || !is_needed(image, pixel - 1, line[i].id);
      count_crossing(c, line[i].id);
    }
  ts_ldi_sweep sweep = ts_ldi_sweep_start(line, count, image->lower);
  ts_ldi_interval interval;
  while (ts_ldi_sweep_next(&interval, &sweep))
    counts[BENCH_LDI_BOUNDS] += interval.low.count + interval.high.count;
}

/// Whether the box of a triangle reaches into that of the overlap.
static bool is_in_box(const ts_mesh *mesh, size_t triangle, const ts_ldi_affine *to_grid,
                      const ts_ldi_grid *grid) {
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  bool is_in = true;
  for (int i = 0; i < 3; i++) {
    double p[3];
    ts_ldi_affine_apply(p, to_grid, mesh->vertices[mesh->triangles[triangle][i]]);
    for (int k = 0; k < 3; k++) {
      low[k] = fmin(low[k], p[k]);
      high[k] = fmax(high[k], p[k]);
    }
  }
  for (int k = 0; k < 3; k++)
    is_in = is_in && high[k] >= -0.5 && low[k] <= grid->size[k] - 0.5;
  return is_in;
}

/// Counts the triangles of a body in the box of the overlap, and their vertices.
static ts_status count_box(bench_ldi_floor *out, ts_arena *arena, const ts_ldi_pair *pair,
                           int body) {
  const ts_mesh *mesh = pair->mesh[body];
  ts_ldi_affine to_grid = ts_ldi_affine_grid(pair->pose[body], &pair->grid);
  bool *has_vertex = ts_arena_alloc(arena, mesh->vertex_count);
  if (!has_vertex)
    return TS_E_MEMORY;
  for (size_t t = 0; t < mesh->triangle_count; t++) {
    if (!is_in_box(mesh, t, &to_grid, &pair->grid))
      continue;
    out->count[BENCH_LDI_TRIANGLES]++;
    for (int i = 0; i < 3; i++) {
      out->count[BENCH_LDI_VERTICES] += !has_vertex[mesh->triangles[t][i]];
      has_vertex[mesh->triangles[t][i]] = true;
    }
  }
  return TS_OK;
}

static ts_status count_views(census *c, void *state) {
  TS_TRY(ts_ldi_backend_cpu.place(state, c->pair));
  for (int axis = 0; axis < 3; axis++) {
    for (int body = 0; body < 2; body++)
      memset(c->is_seen[body], 0, c->pair->mesh[body]->triangle_count);
    for (int32_t band = 0; band < ts_ldi_band_count(&c->pair->grid, axis); band++) {
      ts_ldi_image image;
      TS_TRY(ts_ldi_backend_cpu.render(&image, state, 0, axis, band, false));
      for (int32_t i = 0; i < image.row_count * image.column_count; i++)
        count_pixel(c, &image, (uint32_t)i);
    }
  }
  return TS_OK;
}

static ts_status count_with(bench_ldi_floor *out, ts_arena *arena, ts_ldi_shape *shapes[2],
                            const bench_tori *tori, int resolution_px) {
  ts_ldi_pair pair = {.mesh = {tori->mesh[0], tori->mesh[1]},
                      .pose = {tori->pose[0], tori->pose[1]}};
  census c = {.floor = out, .pair = &pair};
  for (int body = 0; body < 2; body++) {
    TS_TRY(ts_ldi_shape_create(&shapes[body], pair.mesh[body]));
    pair.box[body] = ts_ldi_shape_bounds(shapes[body], pair.pose[body]);
    c.is_seen[body] = ts_arena_alloc(arena, pair.mesh[body]->triangle_count);
    if (!c.is_seen[body])
      return TS_E_MEMORY;
  }
  pair.grid = ts_ldi_grid_fit(pair.box[0], pair.box[1], resolution_px);
  if (ts_ldi_grid_is_empty(&pair.grid))
    return ts_fail(TS_E_INPUT, "the tori do not overlap");
  for (int body = 0; body < 2; body++)
    TS_TRY(count_box(out, arena, &pair, body));
  void *state;
  TS_TRY(
      ts_ldi_backend_cpu.create(&state, (const ts_ldi_shape *const[2]){shapes[0], shapes[1]}, 1));
  ts_status status = count_views(&c, state);
  ts_ldi_backend_cpu.destroy(state);
  return status;
}

static ts_status count_work(bench_ldi_floor *out, ts_arena *arena, const bench_tori *tori,
                            int resolution_px) {
  ts_ldi_shape *shapes[2] = {NULL, NULL};
  ts_status status = count_with(out, arena, shapes, tori, resolution_px);
  ts_ldi_shape_destroy(shapes[0]);
  ts_ldi_shape_destroy(shapes[1]);
  return status;
}

/// What the loops work on, and what keeps them from being left out.
typedef struct yard {
  const ts_mesh *mesh;
  double (*vertices)[3];    ///< [mesh->vertex_count]
  int64_t *gradient;        ///< [mesh->vertex_count]
  ts_ldi_crossing *written; ///< [BAND_CROSSINGS]
  uint32_t *places;         ///< [BAND_CROSSINGS], each once
  double (*edges)[2][6];    ///< [SPANS]
  char *copied[2];          ///< [COPIED_BYTES]
  double sum;
} yard;

static size_t transform_vertices(yard *y) {
  const ts_ldi_affine m = ts_ldi_affine_world(ts_pose_identity());
  for (size_t i = 0; i < y->mesh->vertex_count; i++)
    ts_ldi_affine_apply(y->vertices[i], &m, y->mesh->vertices[i]);
  return y->mesh->vertex_count;
}

static size_t look_up_corners(yard *y) {
  double low[3] = {0};
  for (size_t t = 0; t < y->mesh->triangle_count; t++)
    for (int i = 0; i < 3; i++) {
      double x = y->vertices[y->mesh->triangles[t][i]][0];
      low[i] = x < low[i] ? x : low[i];
    }
  y->sum += low[0] + low[1] + low[2];
  return y->mesh->triangle_count;
}

static size_t work_out_edges(yard *y) {
  double sum = 0;
  for (size_t t = 0; t < y->mesh->triangle_count; t++) {
    const uint32_t *corners = y->mesh->triangles[t];
    const double *a = y->vertices[corners[0]], *b = y->vertices[corners[1]];
    const double *c = y->vertices[corners[2]];
    for (int i = 0; i < 3; i++)
      sum += (b[i] - a[i]) + (c[i] - b[i]) + (a[i] - c[i]);
  }
  y->sum += sum;
  return y->mesh->triangle_count;
}

static size_t cut_spans(yard *y) {
  double sum = 0;
  for (size_t i = 0; i < SPANS; i++) {
    double column[2], depth[2];
    for (int k = 0; k < 2; k++) {
      const double *e = y->edges[i][k];
      double share = ((double)i - e[0]) / e[1];
      column[k] = e[2] + share * e[3];
      depth[k] = e[4] + share * e[5];
    }
    sum += (depth[1] - depth[0]) / (column[1] - column[0]);
  }
  y->sum += sum;
  return SPANS;
}

static size_t write_crossings(yard *y) {
  double sum = 0;
  for (uint32_t i = 0; i < BAND_CROSSINGS; i++)
    y->written[y->places[i]] = (ts_ldi_crossing){y->sum + i * 0.5, i, i};
  for (uint32_t i = 0; i < BAND_CROSSINGS; i++)
    sum += y->written[i].depth_px;
  y->sum += sum;
  return BAND_CROSSINGS;
}

static size_t add_bounds(yard *y) {
  // Every third triangle: what bounds an overlap lies together.
  const double weight = 0x1p34;
  for (size_t t = 0; t < y->mesh->triangle_count; t += 3) {
    const uint32_t *corners = y->mesh->triangles[t];
    const double *e = y->edges[t % SPANS][0];
    double along = e[0] / e[1], of_b = (1 - along) * e[2], of_c = along * e[3];
    int64_t second = (int64_t)(of_b * weight), third = (int64_t)(of_c * weight);
    y->gradient[corners[0]] += (int64_t)weight - second - third;
    y->gradient[corners[1]] += second;
    y->gradient[corners[2]] += third;
  }
  return (y->mesh->triangle_count + 2) / 3;
}

static size_t copy_bytes(yard *y) {
  memcpy(y->copied[1], y->copied[0], COPIED_BYTES);
  y->sum += y->copied[1][COPIED_BYTES / 2];
  return 2 * (size_t)COPIED_BYTES; // read and written
}

/// The time of one, least of the repeats.
static double time_each(yard *y, size_t (*loop)(yard *)) {
  double least = INFINITY;
  for (int i = 0; i < REPEATS; i++) {
    int64_t start = ts_clock_ns();
    size_t count = loop(y);
    least = fmin(least, (double)(ts_clock_ns() - start) / (double)count);
  }
  return least;
}

static ts_status make_yard(yard *out, ts_arena *arena, const ts_mesh *mesh) {
  *out =
      (yard){.mesh = mesh,
             .vertices = ts_arena_array(arena, mesh->vertex_count, sizeof *out->vertices),
             .gradient = ts_arena_array(arena, mesh->vertex_count, sizeof *out->gradient),
             .written = ts_arena_array(arena, BAND_CROSSINGS, sizeof *out->written),
             .places = ts_arena_array(arena, BAND_CROSSINGS, sizeof *out->places),
             .edges = ts_arena_array(arena, SPANS, sizeof *out->edges),
             .copied = {ts_arena_alloc(arena, COPIED_BYTES), ts_arena_alloc(arena, COPIED_BYTES)}};
  if (!out->vertices || !out->gradient || !out->written || !out->places || !out->edges ||
      !out->copied[0] || !out->copied[1])
    return TS_E_MEMORY;
  // Neighbours in a mesh come to neighbouring pixels, a few at a time.
  for (uint32_t i = 0; i < BAND_CROSSINGS; i++)
    out->places[i] = (i & ~255u) | (i * 37u & 255u);
  for (int i = 0; i < SPANS; i++)
    for (int k = 0; k < 12; k++)
      out->edges[i][k / 6][k % 6] = 1 + i % 7 + k;
  return TS_OK;
}

ts_status bench_ldi_floor_measure(bench_ldi_floor *out, ts_arena *arena, const bench_tori *tori,
                                  int resolution_px) {
  *out = (bench_ldi_floor){0};
  TS_TRY(count_work(out, arena, tori, resolution_px));
  yard y;
  TS_TRY(make_yard(&y, arena, tori->mesh[0]));
  static size_t (*const loops[BENCH_LDI_WORKS])(yard *) = {
      transform_vertices, look_up_corners, work_out_edges, cut_spans, write_crossings, add_bounds};
  out->byte_ns = time_each(&y, copy_bytes);
  for (int i = 0; i < BENCH_LDI_WORKS; i++) {
    out->each_ns[i] = time_each(&y, loops[i]);
    out->total_ns += out->count[i] * out->each_ns[i];
    out->bytes += out->count[i] * bench_ldi_works[i].bytes;
  }
  return isnan(y.sum) ? ts_fail(TS_E_INPUT, "the yardsticks have no sum") : TS_OK;
}
