// SPDX-License-Identifier: MIT
#include "tests/benchmark/bench_ldi_check.h"

#include "base/status.h"

#include <math.h>
#include <string.h>

/// Adds the pixels of a band, and those whose number of crossings differs in the other image.
static ts_status count_layers(double *pixels, double *others, ts_ldi *reference, ts_ldi *ldi,
                              int axis, int32_t band) {
  ts_ldi_image a, b;
  TS_TRY(ts_ldi_render(&a, reference, axis, band));
  TS_TRY(ts_ldi_render(&b, ldi, axis, band));
  if (a.row_count != b.row_count || a.column_count != b.column_count || a.first_row != b.first_row)
    return ts_fail(TS_E_INPUT, "band %d of view %d is %d x %d pixels, not %d x %d", band, axis,
                   b.column_count, b.row_count, a.column_count, a.row_count);
  size_t count = (size_t)a.row_count * (size_t)a.column_count;
  *pixels += (double)count;
  for (size_t i = 0; i < count; i++)
    *others += a.start[i + 1] - a.start[i] != b.start[i + 1] - b.start[i];
  return TS_OK;
}

static ts_status compare_layers(double *out, ts_ldi *reference, ts_ldi *ldi) {
  double pixels = 0, others = 0;
  const ts_ldi_grid *grid = &ts_ldi_placed(reference)->grid;
  for (int axis = 0; axis < 3; axis++)
    for (int32_t band = 0; band < ts_ldi_band_count(grid, axis); band++)
      TS_TRY(count_layers(&pixels, &others, reference, ldi, axis, band));
  *out = others / pixels;
  return TS_OK;
}

/// Force and moment of the difference of two gradients, about the origin of the mesh, and the sums
/// over the vertices of the lengths of the difference and of the first.
typedef struct gradient_difference {
  ts_vec3 force, moment;
  double off_m2, surface_m2;
} gradient_difference;

static gradient_difference difference_of(const ts_ldi_pair *pair, int body, const ts_vec3 *a,
                                         const ts_vec3 *b) {
  gradient_difference d = {0};
  for (size_t i = 0; i < pair->mesh[body]->vertex_count; i++) {
    ts_vec3 arm = ts_pose_direction(pair->pose[body], pair->mesh[body]->vertices[i]);
    ts_vec3 by = ts_vec3_sub(b[i], a[i]);
    d.force = ts_vec3_add(d.force, by);
    d.moment = ts_vec3_add(d.moment, ts_vec3_cross(arm, by));
    d.off_m2 += ts_vec3_norm(by);
    d.surface_m2 += ts_vec3_norm(a[i]);
  }
  return d;
}

static void compare_overlaps(bench_ldi_difference *out, const ts_ldi_pair *pair,
                             const ts_ldi_overlap *a, const ts_ldi_overlap *b) {
  out->volume = fabs(b->volume_m3 / a->volume_m3 - 1);
  out->is_same = memcmp(a->view_volume_m3, b->view_volume_m3, sizeof a->view_volume_m3) == 0;
  for (int body = 0; body < 2; body++) {
    const ts_mesh *mesh = pair->mesh[body];
    gradient_difference d = difference_of(pair, body, a->gradient[body], b->gradient[body]);
    double radius = 0.5 * ts_aabb_extent(ts_mesh_bounds(mesh));
    out->force = fmax(out->force, ts_vec3_norm(d.force) / d.surface_m2);
    out->moment = fmax(out->moment, ts_vec3_norm(d.moment) / (radius * d.surface_m2));
    out->vertices = fmax(out->vertices, d.off_m2 / d.surface_m2);
    out->is_same &= memcmp(a->gradient[body], b->gradient[body],
                           mesh->vertex_count * sizeof *a->gradient[body]) == 0;
  }
}

static ts_status compare(bench_ldi_difference *out, const bench_tori *tori, int resolution_px,
                         ts_ldi *reference, ts_ldi *ldi) {
  ts_ldi_overlap a, b;
  TS_TRY(ts_ldi_place(reference, tori->pose[0], tori->pose[1], resolution_px));
  TS_TRY(ts_ldi_place(ldi, tori->pose[0], tori->pose[1], resolution_px));
  TS_TRY(ts_ldi_measure(&a, reference));
  TS_TRY(ts_ldi_measure(&b, ldi));
  if (!(a.volume_m3 > 0))
    return ts_fail(TS_E_INPUT, "the tori do not overlap at %d pixels; there is nothing to compare",
                   resolution_px);
  compare_overlaps(out, ts_ldi_placed(reference), &a, &b);
  return compare_layers(&out->layers, reference, ldi);
}

ts_status bench_ldi_compare(bench_ldi_difference *out, const bench_tori *tori, int resolution_px,
                            const bench_ldi_subject *subject) {
  *out = (bench_ldi_difference){0};
  ts_ldi *reference = NULL, *ldi = NULL;
  ts_status status =
      ts_ldi_create_for_meshes(&reference, ts_ldi_backends[0], tori->mesh[0], tori->mesh[1], 1);
  if (status == TS_OK)
    status = ts_ldi_create_for_meshes(&ldi, subject->backend, tori->mesh[0], tori->mesh[1],
                                      subject->threads);
  if (status == TS_OK)
    status = compare(out, tori, resolution_px, reference, ldi);
  ts_ldi_destroy(reference);
  ts_ldi_destroy(ldi);
  return status;
}

bool bench_ldi_agrees(const bench_ldi_difference *d, const bench_ldi_subject *subject) {
  if (subject->backend == ts_ldi_backends[0])
    return d->is_same && d->layers == 0;
  return d->layers <= BENCH_LDI_LAYERS_SHARE && d->volume <= BENCH_LDI_VOLUME_RELATIVE &&
         d->force <= BENCH_LDI_WRENCH_RELATIVE && d->moment <= BENCH_LDI_WRENCH_RELATIVE &&
         d->vertices <= BENCH_LDI_VERTEX_RELATIVE;
}

static double larger(double a, double b) {
  return a > b || isnan(a) ? a : b;
}

bench_ldi_difference bench_ldi_worse(bench_ldi_difference a, bench_ldi_difference b) {
  return (bench_ldi_difference){larger(a.layers, b.layers),     larger(a.volume, b.volume),
                                larger(a.force, b.force),       larger(a.moment, b.moment),
                                larger(a.vertices, b.vertices), a.is_same && b.is_same};
}
