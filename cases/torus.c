// SPDX-License-Identifier: MIT
#include "cases/torus.h"

#include "base/status.h"

static const double turn_whole_rad = 6.28318530717958647693;

// A quarter of a turn is a whole number of cells.
const ts_torus ts_torus_ring = {.axis_radius_m = 0.35, .tube_radius_m = 0.13, .multiple = 4};

/// A grid of vertices around the axis and around the tube.
typedef struct torus_grid {
  uint32_t around_axis, around_tube;
} torus_grid;

/// The nearest number of vertices around that is a multiple, and enough for a tube.
static double nearest_around(const ts_torus *torus, double wanted) {
  double multiple = torus->multiple, least = multiple * ceil(3 / multiple);
  return fmax(least, multiple * floor(wanted / multiple + 0.5));
}

static torus_grid grid_for(const ts_torus *torus, double triangles) {
  double cells = triangles / 2;
  double around_tube =
      nearest_around(torus, sqrt(cells * torus->tube_radius_m / torus->axis_radius_m));
  double around_axis = nearest_around(torus, cells / around_tube);
  return (torus_grid){(uint32_t)around_axis, (uint32_t)around_tube};
}

/// A point of the surface. `axis_rad` runs counter-clockwise about y from +x, `tube_rad` from the
/// outermost circle upwards.
static ts_vec3 surface_point(const ts_torus *torus, double axis_rad, double tube_rad) {
  double bump = sin(torus->bumps_around_tube * tube_rad) * cos(torus->bumps_around_axis * axis_rad);
  double tube_m = torus->tube_radius_m * (1 + torus->bump_relative * bump);
  double from_axis_m = torus->axis_radius_m + tube_m * cos(tube_rad);
  return ts_vec3_make(from_axis_m * cos(axis_rad), tube_m * sin(tube_rad),
                      -from_axis_m * sin(axis_rad));
}

static void place_vertices(ts_vec3 *out, const ts_torus *torus, torus_grid grid) {
  for (uint32_t i = 0; i < grid.around_axis; i++)
    for (uint32_t j = 0; j < grid.around_tube; j++)
      *out++ = surface_point(torus, turn_whole_rad * i / grid.around_axis,
                             turn_whole_rad * j / grid.around_tube);
}

static void cut_cells(uint32_t (*out)[3], torus_grid grid) {
  for (uint32_t i = 0; i < grid.around_axis; i++)
    for (uint32_t j = 0; j < grid.around_tube; j++) {
      uint32_t here = i * grid.around_tube, next = (i + 1) % grid.around_axis * grid.around_tube;
      uint32_t above = (j + 1) % grid.around_tube;
      const uint32_t corners[4] = {here + j, next + j, next + above, here + above};
      for (int half = 0; half < 2; half++, out++)
        for (int c = 0; c < 3; c++)
          (*out)[c] = corners[c == 0 ? 0 : c + half];
    }
}

static ts_status add_cut(int32_t *out, ts_scene *scene, ts_arena *scratch, const ts_torus *torus,
                         torus_grid grid) {
  size_t vertex_count = (size_t)grid.around_axis * grid.around_tube;
  ts_vec3 *vertices = ts_arena_array(scratch, vertex_count, sizeof *vertices);
  uint32_t(*triangles)[3] = ts_arena_array(scratch, 2 * vertex_count, sizeof *triangles);
  if (!vertices || !triangles)
    return TS_E_MEMORY;
  place_vertices(vertices, torus, grid);
  cut_cells(triangles, grid);
  return ts_scene_add_shape(out, scene, "torus", vertices, vertex_count,
                            (const uint32_t(*)[3])triangles, 2 * vertex_count);
}

ts_status ts_shape_torus(int32_t *out, ts_scene *scene, const ts_torus *torus, double triangles) {
  ts_arena *scratch;
  TS_TRY(ts_arena_create(&scratch));
  ts_status status = add_cut(out, scene, scratch, torus, grid_for(torus, triangles));
  ts_arena_destroy(scratch);
  return status;
}
