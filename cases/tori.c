// SPDX-License-Identifier: MIT
// Two bumpy tori, one lying on the other and into it, of any number of triangles: how a method
// fares with the size of the meshes where bodies that are not convex touch in many places.
//
// The surface is that of a torus whose tube is alternately thicker and thinner, around the axis and
// around the tube. It is one smooth surface whatever the number of triangles, which only says how
// finely it is sampled. Where the two surfaces cut each other is not known in closed form.
#include "base/status.h"
#include "cases/case.h"

static const double axis_radius_m = 0.35, tube_radius_m = 0.13;
static const double bump_relative = 0.1; // of the tube's radius

// Few enough that the coarsest mesh still has more than four edges to a bump, both ways.
enum { BUMPS_AROUND_AXIS = 8, BUMPS_AROUND_TUBE = 3 };

static const double turn_whole_rad = 6.28318530717958647693;

// Where the upper torus lies: turned about the axis and beside it, so that no bump lies over its
// like, and tilted, so that no two planes of the bodies are one. At this height the bodies overlap
// in eight patches along the ring, a quarter to a third of the tube's radius deep: deep enough for
// the coarsest mesh to have them all.
static const double turn_rad = 0.3, tilt_rad = 0.004;
static const ts_vec3 upper_centre_m = {0.03, 0.24, 0.02};

enum { PARAM_TRIANGLES, PARAM_COUNT };

static const ts_param params_of_tori[PARAM_COUNT] = {
    [PARAM_TRIANGLES] = {.name = "triangles",
                         .summary = "Of each torus: the nearest number that a grid of about square "
                                    "cells, two triangles each, has.",
                         .kind = TS_PARAM_INTEGER,
                         .default_value = 1e4,
                         .minimum = 1e3,
                         .maximum = 1e6},
};

/// A grid of vertices around the axis and around the tube.
typedef struct torus_grid {
  uint32_t around_axis, around_tube;
} torus_grid;

static torus_grid grid_for(double triangles) {
  double cells = triangles / 2;
  double around_tube = floor(sqrt(cells * tube_radius_m / axis_radius_m) + 0.5);
  double around_axis = floor(cells / around_tube + 0.5);
  return (torus_grid){(uint32_t)around_axis, (uint32_t)around_tube};
}

/// A point of the surface. `axis_rad` runs counter-clockwise about y from +x, `tube_rad` from the
/// outermost circle upwards.
static ts_vec3 surface_point(double axis_rad, double tube_rad) {
  double bump = sin(BUMPS_AROUND_TUBE * tube_rad) * cos(BUMPS_AROUND_AXIS * axis_rad);
  double tube_m = tube_radius_m * (1 + bump_relative * bump);
  double from_axis_m = axis_radius_m + tube_m * cos(tube_rad);
  return ts_vec3_make(from_axis_m * cos(axis_rad), tube_m * sin(tube_rad),
                      -from_axis_m * sin(axis_rad));
}

static void place_vertices(ts_vec3 *out, torus_grid grid) {
  for (uint32_t i = 0; i < grid.around_axis; i++)
    for (uint32_t j = 0; j < grid.around_tube; j++)
      *out++ = surface_point(turn_whole_rad * i / grid.around_axis,
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

static ts_status add_cut(int32_t *out, ts_scene *scene, ts_arena *scratch, torus_grid grid) {
  size_t vertex_count = (size_t)grid.around_axis * grid.around_tube;
  ts_vec3 *vertices = ts_arena_array(scratch, vertex_count, sizeof *vertices);
  uint32_t(*triangles)[3] = ts_arena_array(scratch, 2 * vertex_count, sizeof *triangles);
  if (!vertices || !triangles)
    return TS_E_MEMORY;
  place_vertices(vertices, grid);
  cut_cells(triangles, grid);
  return ts_scene_add_shape(out, scene, "torus", vertices, vertex_count,
                            (const uint32_t(*)[3])triangles, 2 * vertex_count);
}

static ts_status add_torus(int32_t *out, ts_scene *scene, double triangles) {
  ts_arena *scratch;
  TS_TRY(ts_arena_create(&scratch));
  ts_status status = add_cut(out, scene, scratch, grid_for(triangles));
  ts_arena_destroy(scratch);
  return status;
}

static ts_status build(ts_scene *scene, const double *params) {
  int32_t shape, body;
  TS_TRY(add_torus(&shape, scene, params[PARAM_TRIANGLES]));
  TS_TRY(ts_scene_add_body(&body, scene, "lower", shape, ts_pose_identity(), true));
  ts_quat tilt = ts_quat_from_axis_angle(ts_vec3_make(1, 0, 0), tilt_rad);
  ts_quat turn = ts_quat_from_axis_angle(ts_vec3_make(0, 1, 0), turn_rad);
  ts_pose above = {ts_quat_mul(turn, tilt), upper_centre_m};
  TS_TRY(ts_scene_add_body(&body, scene, "upper", shape, above, false));
  scene->truth_is_unknown = true;
  return TS_OK;
}

static const ts_case_range ranges[] = {
    {"triangles", 1000, 4000},
    {NULL, 0, 0},
};

const ts_case ts_case_tori = {
    .name = "tori",
    .suite = "growth",
    .summary = "Two bumpy tori of any number of triangles, one lying on the other.",
    .source = "Allard 2010, Figure 1",
    .params = params_of_tori,
    .param_count = PARAM_COUNT,
    .build = build,
    .ranges = ranges,
};
