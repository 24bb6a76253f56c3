// SPDX-License-Identifier: MIT
#include "tests/benchmark/bench_ldi_floor.h"

#include "base/clock.h"
#include "base/status.h"
#include "ldi/line_sweep.h"
#include "ldi/scan.h"
#include "ldi/view.h"

#include <string.h>

const char *const bench_ldi_work_names[BENCH_LDI_WORKS] = {"vertices", "triangles", "spans",
                                                           "crossings", "bounds"};

enum { REPEATS = 15, BAND_CROSSINGS = 16384, SPANS = 4096 };

static bool has_id(const ts_ldi_image *image, uint32_t pixel, uint32_t id) {
  for (uint32_t i = image->start[pixel]; i < image->start[pixel + 1]; i++)
    if (image->crossings[i].id == id)
      return true;
  return false;
}

static void count_pixel(bench_ldi_floor *out, const ts_ldi_image *image, uint32_t pixel) {
  const ts_ldi_crossing *line = image->crossings + image->start[pixel];
  uint32_t count = image->start[pixel + 1] - image->start[pixel];
  bool is_first = pixel % (uint32_t)image->column_count == 0;
  out->count[BENCH_LDI_CROSSINGS] += count;
  for (uint32_t i = 0; i < count; i++)
    out->count[BENCH_LDI_SPANS] += is_first || !has_id(image, pixel - 1, line[i].id);
  ts_ldi_sweep sweep = ts_ldi_sweep_start(line, count, image->lower);
  ts_ldi_interval interval;
  while (ts_ldi_sweep_next(&interval, &sweep))
    out->count[BENCH_LDI_BOUNDS] += interval.low.count + interval.high.count;
}

static ts_status count_views(bench_ldi_floor *out, void *state, const ts_ldi_pair *pair) {
  TS_TRY(ts_ldi_backend_cpu.place(state, pair));
  for (int axis = 0; axis < 3; axis++)
    for (int32_t band = 0; band < ts_ldi_band_count(&pair->grid, axis); band++) {
      ts_ldi_image image;
      TS_TRY(ts_ldi_backend_cpu.render(&image, state, 0, axis, band, false));
      for (int32_t i = 0; i < image.row_count * image.column_count; i++)
        count_pixel(out, &image, (uint32_t)i);
    }
  return TS_OK;
}

static ts_status count_with(bench_ldi_floor *out, ts_ldi_shape *shapes[2], const bench_tori *tori,
                            int resolution_px) {
  ts_ldi_pair pair = {.mesh = {tori->mesh[0], tori->mesh[1]},
                      .pose = {tori->pose[0], tori->pose[1]}};
  for (int body = 0; body < 2; body++) {
    TS_TRY(ts_ldi_shape_create(&shapes[body], pair.mesh[body]));
    pair.box[body] = ts_ldi_shape_bounds(shapes[body], pair.pose[body]);
    out->count[BENCH_LDI_VERTICES] += (double)pair.mesh[body]->vertex_count;
    out->count[BENCH_LDI_TRIANGLES] += (double)pair.mesh[body]->triangle_count;
  }
  pair.grid = ts_ldi_grid_fit(pair.box[0], pair.box[1], resolution_px);
  if (ts_ldi_grid_is_empty(&pair.grid))
    return ts_fail(TS_E_INPUT, "the tori do not overlap");
  void *state;
  TS_TRY(
      ts_ldi_backend_cpu.create(&state, (const ts_ldi_shape *const[2]){shapes[0], shapes[1]}, 1));
  ts_status status = count_views(out, state, &pair);
  ts_ldi_backend_cpu.destroy(state);
  return status;
}

static ts_status count_work(bench_ldi_floor *out, const bench_tori *tori, int resolution_px) {
  ts_ldi_shape *shapes[2] = {NULL, NULL};
  ts_status status = count_with(out, shapes, tori, resolution_px);
  ts_ldi_shape_destroy(shapes[0]);
  ts_ldi_shape_destroy(shapes[1]);
  return status;
}

/// What the loops work on, as large as in truth, and what keeps them from being left out.
typedef struct yard {
  const ts_mesh *mesh;
  ts_ldi_vertex *vertices;  ///< [mesh->vertex_count]
  int64_t (*gradient)[3];   ///< [mesh->vertex_count]
  ts_ldi_crossing *written; ///< [BAND_CROSSINGS]
  uint32_t *places;         ///< [BAND_CROSSINGS], each once
  double (*spans)[8];       ///< [SPANS]
  double sum;
} yard;

static size_t transform_vertices(yard *y) {
  const ts_ldi_affine m = ts_ldi_affine_world(ts_pose_identity());
  for (size_t i = 0; i < y->mesh->vertex_count; i++)
    ts_ldi_affine_apply(y->vertices[i].position_px, &m, y->mesh->vertices[i]);
  return y->mesh->vertex_count;
}

static size_t look_up_corners(yard *y) {
  int64_t sum = 0;
  for (size_t t = 0; t < y->mesh->triangle_count; t++)
    for (int i = 0; i < 3; i++) {
      int64_t pixels;
      memcpy(&pixels, y->vertices[y->mesh->triangles[t][i]].first_quarter, sizeof pixels);
      sum ^= pixels;
    }
  y->sum += (double)sum;
  return y->mesh->triangle_count;
}

static size_t divide_spans(yard *y) {
  double sum = 0;
  for (size_t i = 0; i < SPANS; i++) {
    const double *s = y->spans[i];
    double left = s[0] + s[1] / s[2], right = s[3] + s[4] / s[5];
    sum += s[6] / (right - left);
  }
  y->sum += sum;
  return SPANS;
}

static size_t write_crossings(yard *y) {
  double sum = 0;
  for (uint32_t i = 0; i < BAND_CROSSINGS; i++)
    y->written[y->places[i]] = (ts_ldi_crossing){y->sum, i, i};
  for (uint32_t i = 0; i < BAND_CROSSINGS; i++)
    sum += y->written[i].depth_px;
  y->sum += sum;
  return BAND_CROSSINGS;
}

static size_t add_bounds(yard *y) {
  // Every third triangle: what bounds an overlap lies together.
  for (size_t t = 0; t < y->mesh->triangle_count; t += 3) {
    const uint32_t *corners = y->mesh->triangles[t];
    double sum = 0;
    for (int i = 0; i < 3; i++)
      for (int k = 0; k < 3; k++)
        sum += y->vertices[corners[i]].position_px[k];
    for (int i = 0; i < 3; i++)
      y->gradient[corners[i]][0] += (int64_t)sum;
  }
  return (y->mesh->triangle_count + 2) / 3;
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
  *out = (yard){.mesh = mesh,
                .vertices = ts_arena_array(arena, mesh->vertex_count, sizeof *out->vertices),
                .gradient = ts_arena_array(arena, mesh->vertex_count, sizeof *out->gradient),
                .written = ts_arena_array(arena, BAND_CROSSINGS, sizeof *out->written),
                .places = ts_arena_array(arena, BAND_CROSSINGS, sizeof *out->places),
                .spans = ts_arena_array(arena, SPANS, sizeof *out->spans)};
  if (!out->vertices || !out->gradient || !out->written || !out->places || !out->spans)
    return TS_E_MEMORY;
  // Neighbours in a mesh come to neighbouring pixels, a few at a time.
  for (uint32_t i = 0; i < BAND_CROSSINGS; i++)
    out->places[i] = (i & ~255u) | (i * 37u & 255u);
  for (int i = 0; i < SPANS; i++)
    for (int k = 0; k < 8; k++)
      out->spans[i][k] = 1 + i % 7 + k;
  return TS_OK;
}

ts_status bench_ldi_floor_measure(bench_ldi_floor *out, ts_arena *arena, const bench_tori *tori,
                                  int resolution_px) {
  *out = (bench_ldi_floor){0};
  TS_TRY(count_work(out, tori, resolution_px));
  yard y;
  TS_TRY(make_yard(&y, arena, tori->mesh[0]));
  static size_t (*const loops[BENCH_LDI_WORKS])(yard *) = {
      transform_vertices, look_up_corners, divide_spans, write_crossings, add_bounds};
  for (int i = 0; i < BENCH_LDI_WORKS; i++) {
    out->each_ns[i] = time_each(&y, loops[i]);
    out->total_ns += out->count[i] * out->each_ns[i];
  }
  return isnan(y.sum) ? ts_fail(TS_E_INPUT, "the yardsticks have no sum") : TS_OK;
}
