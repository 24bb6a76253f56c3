// SPDX-License-Identifier: MIT
#include "geometry/distance/mesh_overlap.h"

#include "base/status.h"
#include "geometry/distance/deepest_stretch.h"
#include "geometry/tolerances.h"

typedef struct overlap_work {
  double volume_m3, area_m2; ///< sums over patches
  ts_stretch_search search;
} overlap_work;

/// Integral of min(value, 0), with the values at the corners of the patch.
static double integral_below_zero(const ts_column_patch *patch, const double *values) {
  double places[TS_COLUMN_CORNERS_MAX + 1][2], below[TS_COLUMN_CORNERS_MAX + 1] = {0};
  double sum = 0;
  // By the triangles of the fan, between whose corners values are linear.
  for (size_t k = 1; k + 1 < patch->count; k++) {
    const size_t corners[3] = {0, k, k + 1};
    size_t count = 0;
    for (int i = 0; i < 3; i++) {
      size_t p = corners[i], q = corners[(i + 1) % 3];
      if (values[p] <= 0) {
        memcpy(places[count], patch->places_m[p], sizeof places[0]);
        below[count++] = values[p];
      }
      if ((values[p] < 0 && values[q] > 0) || (values[p] > 0 && values[q] < 0)) {
        double share = values[p] / (values[p] - values[q]);
        for (int c = 0; c < 2; c++)
          places[count][c] =
              patch->places_m[p][c] + share * (patch->places_m[q][c] - patch->places_m[p][c]);
        below[count++] = 0;
      }
    }
    sum += ts_column_integral((const double(*)[2])places, below, count);
  }
  return sum;
}

static void add_volume(overlap_work *w, const ts_column_patch *patch) {
  double a_above_b[TS_COLUMN_CORNERS_MAX];
  for (size_t i = 0; i < patch->count; i++)
    a_above_b[i] = patch->heights_a_m[i] - patch->heights_b_m[i];
  double base = ts_column_integral(patch->places_m, patch->heights_b_m, patch->count);
  w->volume_m3 +=
      patch->facing_a * patch->facing_b * (base + integral_below_zero(patch, a_above_b));
  w->area_m2 += ts_column_area_m2(patch->places_m, patch->count);
}

static ts_status take_patch(void *context, const ts_column_patch *patch) {
  overlap_work *w = context;
  add_volume(w, patch);
  return ts_stretch_search_add(&w->search, patch);
}

static ts_status measure(ts_mesh_overlap *out, ts_arena *arena, ts_placed_mesh a, ts_placed_mesh b,
                         ts_vec3 along) {
  ts_mesh_columns *columns;
  TS_TRY(ts_mesh_columns_create(&columns, arena, a, b, along));
  overlap_work work = {.search = {.columns = columns, .arena = arena}};
  TS_TRY(ts_mesh_columns_visit(columns, take_patch, &work));
  double size_m = ts_mesh_columns_size_m(columns);
  bool is_rounding = fabs(work.volume_m3) <= TS_OVERLAP_ROUNDING * size_m * work.area_m2;
  out->volume_m3 = is_rounding ? 0 : work.volume_m3;
  return ts_stretch_search_run(&out->deepest_m, &out->deepest_at, &work.search);
}

ts_status ts_mesh_overlap_measure(ts_mesh_overlap *out, ts_arena *arena, ts_placed_mesh a,
                                  ts_placed_mesh b, ts_vec3 along) {
  ts_arena_mark mark = ts_arena_get_mark(arena);
  ts_status status = measure(out, arena, a, b, along);
  ts_arena_rewind(arena, mark);
  return status;
}
