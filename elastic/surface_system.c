// SPDX-License-Identifier: MIT
#include "elastic/surface_system.h"

#include "base/clock.h"
#include "base/status.h"
#include "geometry/tolerances.h"

#include <string.h>

/// An entry above the diagonal, or on it, before equal ones are added up.
typedef struct raw_entry {
  uint32_t row, column;
  double value;
} raw_entry;

static double half_cotangent(double dot, double area_twice) {
  return 0.5 * dot / area_twice;
}

/// The stiffness between the two other corners, for each corner; false for a triangle of no area,
/// which has no stiffness: the edges of such a one have the same ends.
static bool find_weights(double out[3], const ts_flat_triangle *t) {
  double area_twice = t->x1_m * t->y2_m;
  if (!(area_twice > 0))
    return false;
  double dx = t->x2_m - t->x1_m;
  out[0] = half_cotangent(t->x1_m * t->x2_m, area_twice);
  out[1] = half_cotangent(-t->x1_m * dx, area_twice);
  out[2] = half_cotangent(t->x2_m * dx + t->y2_m * t->y2_m, area_twice);
  return true;
}

/// Stable counting sort of entries by row or column.
static void sort_entries(raw_entry *out, const raw_entry *entries, size_t count, size_t *starts,
                         size_t key_count, bool by_column) {
  memset(starts, 0, (key_count + 1) * sizeof *starts);
  for (size_t i = 0; i < count; i++)
    starts[(by_column ? entries[i].column : entries[i].row) + 1]++;
  for (size_t k = 0; k < key_count; k++)
    starts[k + 1] += starts[k];
  for (size_t i = 0; i < count; i++)
    out[starts[by_column ? entries[i].column : entries[i].row]++] = entries[i];
}

/// Adds up equal entries of a sorted list, in its order.
static ts_status compress_entries(ts_sparse_upper *out, ts_arena *arena, const raw_entry *entries,
                                  size_t count, size_t size) {
  size_t distinct = 0;
  for (size_t i = 0; i < count; i++)
    distinct += i == 0 || entries[i].row != entries[i - 1].row ||
                entries[i].column != entries[i - 1].column;
  if (distinct > INT32_MAX)
    return ts_fail(TS_E_UNSUPPORTED,
                   "a surface has %zu edges, more than can be counted: use a "
                   "coarser mesh",
                   distinct);
  *out = (ts_sparse_upper){.size = (int)size,
                           .starts = ts_arena_array(arena, size + 1, sizeof *out->starts),
                           .rows = ts_arena_array(arena, distinct, sizeof *out->rows),
                           .values = ts_arena_array(arena, distinct, sizeof *out->values)};
  if (!out->starts || !out->rows || !out->values)
    return TS_E_MEMORY;
  size_t at = 0;
  for (size_t i = 0; i < count; i++) {
    bool is_new = i == 0 || entries[i].row != entries[i - 1].row ||
                  entries[i].column != entries[i - 1].column;
    at += is_new;
    out->rows[at - 1] = (int)entries[i].row;
    out->values[at - 1] += entries[i].value;
    out->starts[entries[i].column + 1] = (int)at;
  }
  return TS_OK;
}

/// All entries of the triangles, with one on each diagonal whatever its triangles are.
static size_t list_entries(raw_entry *out, double *areas_m2, const ts_cut_surface *surface) {
  size_t count = 0;
  for (size_t i = 0; i < surface->free_count; i++)
    out[count++] = (raw_entry){(uint32_t)i, (uint32_t)i, 0};
  for (size_t k = 0; k < surface->triangle_count; k++) {
    const ts_flat_triangle *t = &surface->triangles[k];
    double weights[3];
    if (!find_weights(weights, t))
      continue;
    for (int i = 0; i < 3; i++) {
      uint32_t a = t->corners[(i + 1) % 3], b = t->corners[(i + 2) % 3];
      bool is_free_a = a < surface->free_count, is_free_b = b < surface->free_count;
      if (is_free_a)
        out[count++] = (raw_entry){a, a, weights[i]};
      if (is_free_b)
        out[count++] = (raw_entry){b, b, weights[i]};
      if (is_free_a && is_free_b)
        out[count++] = (raw_entry){a < b ? a : b, a < b ? b : a, -weights[i]};
      if (is_free_a)
        areas_m2[a] += t->x1_m * t->y2_m / 6;
    }
  }
  return count;
}

static ts_status assemble(ts_surface_system *system) {
  const ts_cut_surface *surface = system->surface;
  ts_arena *arena = system->arena;
  size_t size = surface->free_count, most = size + 9 * surface->triangle_count;
  system->areas_m2 = ts_arena_array(arena, size, sizeof *system->areas_m2);
  system->work = ts_arena_array(arena, size, sizeof *system->work);
  if (!system->areas_m2 || !system->work)
    return TS_E_MEMORY;
  // The lists are larger than the matrix, and go before it is made.
  ts_arena *scratch = NULL;
  TS_TRY(ts_arena_create(&scratch));
  raw_entry *entries = ts_arena_array(scratch, most, sizeof *entries);
  raw_entry *other = ts_arena_array(scratch, most, sizeof *other);
  size_t *starts = ts_arena_array(scratch, size + 1, sizeof *starts);
  ts_status status = TS_E_MEMORY;
  if (entries && other && starts) {
    size_t count = list_entries(entries, system->areas_m2, surface);
    sort_entries(other, entries, count, starts, size, false);
    sort_entries(entries, other, count, starts, size, true);
    status = compress_entries(&system->stiffness, arena, entries, count, size);
  }
  ts_arena_destroy(scratch);
  return status;
}

static ts_status factor(ts_cholesky_factor **out, ts_surface_system *system,
                        const ts_sparse_upper *matrix) {
  int64_t start = ts_clock_ns();
  ts_status status = ts_cholesky_factor_create(out, system->order, matrix);
  system->factor_ns += (double)(ts_clock_ns() - start);
  if (status == TS_E_INPUT)
    return ts_fail(TS_E_INPUT,
                   "the surface has triangles too thin for distances on it: remesh it "
                   "(%s)",
                   ts_status_detail());
  return status;
}

ts_status ts_surface_system_create(ts_surface_system *out, ts_arena *arena,
                                   const ts_cut_surface *surface) {
  *out = (ts_surface_system){.surface = surface, .arena = arena};
  TS_TRY(assemble(out));
  int64_t start = ts_clock_ns();
  TS_TRY(ts_cholesky_order_create(&out->order, &out->stiffness));
  out->factor_ns = (double)(ts_clock_ns() - start);
  return factor(&out->factor, out, &out->stiffness);
}

void ts_surface_system_destroy(ts_surface_system *system) {
  ts_cholesky_factor_destroy(system->factor);
  ts_cholesky_order_destroy(system->order);
  *system = (ts_surface_system){0};
}

/// Adds to `out` [free_count] the stiffness between free vertices and the boundary times `-fixed`,
/// or -1 where that is NULL.
static void add_boundary(double *out, const ts_cut_surface *surface, const double *fixed) {
  for (size_t k = 0; k < surface->triangle_count; k++) {
    const ts_flat_triangle *t = &surface->triangles[k];
    double weights[3];
    if ((t->corners[0] < surface->free_count && t->corners[1] < surface->free_count &&
         t->corners[2] < surface->free_count) ||
        !find_weights(weights, t))
      continue;
    for (int i = 0; i < 3; i++)
      for (int side = 1; side <= 2; side++) {
        uint32_t at = t->corners[(i + side) % 3], end = t->corners[(i + 3 - side) % 3];
        if (at < surface->free_count && end >= surface->free_count)
          out[at] += weights[i] * (fixed ? fixed[end - surface->free_count] : 1);
      }
  }
}

void ts_surface_harmonic(double *out, ts_surface_system *system, const double *fixed) {
  memset(out, 0, system->surface->free_count * sizeof *out);
  add_boundary(out, system->surface, fixed);
  ts_cholesky_solve(out, system->work, system->factor);
}

double ts_surface_heat_time(const ts_mesh *mesh, double extent_m) {
  double sum = 0;
  for (size_t t = 0; t < mesh->triangle_count; t++)
    for (int i = 0; i < 3; i++)
      sum += ts_vec3_distance(mesh->vertices[mesh->triangles[t][i]],
                              mesh->vertices[mesh->triangles[t][(i + 1) % 3]]);
  double edge_m = sum / (3 * (double)mesh->triangle_count);
  // A quarter more than the extent: what is farther seems to be where the heat ends.
  double least_m = 1.25 * extent_m / TS_HEAT_REACH;
  return ts_max(10 * edge_m * edge_m, least_m * least_m);
}

/// Heat [free_count] after a time [m2] at which the boundary had 1 and the surface 0 before.
static ts_status find_heat(double *out, ts_surface_system *system, double time_m2) {
  const ts_sparse_upper *stiffness = &system->stiffness;
  ts_sparse_upper matrix = *stiffness;
  ts_arena_mark mark = ts_arena_get_mark(system->arena);
  matrix.values =
      ts_arena_array(system->arena, (size_t)matrix.starts[matrix.size], sizeof *matrix.values);
  if (!matrix.values)
    return TS_E_MEMORY;
  for (int column = 0; column < matrix.size; column++) {
    for (int k = matrix.starts[column]; k < matrix.starts[column + 1]; k++)
      matrix.values[k] = stiffness->values[k];
    matrix.values[matrix.starts[column + 1] - 1] += system->areas_m2[column] / time_m2;
  }
  ts_cholesky_factor *heat = NULL;
  ts_status status = factor(&heat, system, &matrix);
  ts_arena_rewind(system->arena, mark);
  if (status != TS_OK)
    return status;
  memset(out, 0, (size_t)matrix.size * sizeof *out);
  add_boundary(out, system->surface, NULL);
  ts_cholesky_solve(out, system->work, heat);
  ts_cholesky_factor_destroy(heat);
  return TS_OK;
}

/// Integral over the surface of the gradient of each free vertex's hat function times the unit
/// vector away from the heat, where there is any.
static void integrate_away(double *out, const ts_cut_surface *surface, const double *heat) {
  double noise = exp(-TS_HEAT_REACH);
  memset(out, 0, surface->free_count * sizeof *out);
  for (size_t k = 0; k < surface->triangle_count; k++) {
    const ts_flat_triangle *t = &surface->triangles[k];
    double v[3], coldest = 1;
    for (int i = 0; i < 3; i++) {
      v[i] = t->corners[i] < surface->free_count ? heat[t->corners[i]] : 1;
      coldest = ts_min(coldest, v[i]);
    }
    if (coldest < noise || !(t->x1_m * t->y2_m > 0))
      continue;
    // The gradients of the three hat functions times twice the area.
    double gx[3] = {-t->y2_m, t->y2_m, 0}, gy[3] = {t->x2_m - t->x1_m, -t->x2_m, t->x1_m};
    // Differences, so that equal heat makes no gradient of rounding.
    double x = gx[1] * (v[1] - v[0]) + gx[2] * (v[2] - v[0]);
    double y = gy[1] * (v[1] - v[0]) + gy[2] * (v[2] - v[0]);
    double length = hypot(x, y);
    if (!(length > 0))
      continue;
    for (int i = 0; i < 3; i++)
      if (t->corners[i] < surface->free_count)
        out[t->corners[i]] -= 0.5 * (gx[i] * (x / length) + gy[i] * (y / length));
  }
}

ts_status ts_surface_distance(double *out_m, ts_surface_system *system, double time_m2) {
  size_t count = system->surface->free_count;
  double *heat = ts_arena_array(system->arena, count, sizeof *heat);
  if (!heat)
    return TS_E_MEMORY;
  TS_TRY(find_heat(heat, system, time_m2));
  integrate_away(out_m, system->surface, heat);
  ts_cholesky_solve(out_m, system->work, system->factor);
  for (size_t i = 0; i < count; i++)
    out_m[i] = ts_max(0, out_m[i]);
  return TS_OK;
}
