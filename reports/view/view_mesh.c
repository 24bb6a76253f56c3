// SPDX-License-Identifier: MIT
#include "reports/view/view_mesh.h"

#include "base/status.h"

#include <math.h>

/// Cells along the longest side of the box: the first number that leaves few enough triangles.
static const size_t grids[] = {28, 20, 14, 10, 7, 4, 2};
#define GRID_COUNT (sizeof grids / sizeof *grids)

typedef struct box {
  ts_vec3 min;
  double size; ///< the longest side
} box;

static box box_of(const ts_mesh *mesh) {
  ts_vec3 min = mesh->vertices[0], max = min;
  for (size_t i = 1; i < mesh->vertex_count; i++) {
    ts_vec3 v = mesh->vertices[i];
    min = (ts_vec3){fmin(min.x, v.x), fmin(min.y, v.y), fmin(min.z, v.z)};
    max = (ts_vec3){fmax(max.x, v.x), fmax(max.y, v.y), fmax(max.z, v.z)};
  }
  return (box){min, fmax(max.x - min.x, fmax(max.y - min.y, max.z - min.z))};
}

static size_t cell_along(double at, double min, double size, size_t grid) {
  double cell = size > 0 ? (at - min) / size * (double)grid : 0;
  return cell >= (double)grid ? grid - 1 : (size_t)cell;
}

/// Which vertex stands for each one of the mesh: the first in its cell of the grid.
static void join_vertices(uint32_t *stand_in, uint32_t *first_in_cell, const ts_mesh *mesh,
                          const box *b, size_t grid) {
  for (size_t i = 0; i < grid * grid * grid; i++)
    first_in_cell[i] = UINT32_MAX;
  for (size_t i = 0; i < mesh->vertex_count; i++) {
    ts_vec3 v = mesh->vertices[i];
    size_t cell = (cell_along(v.x, b->min.x, b->size, grid) * grid +
                   cell_along(v.y, b->min.y, b->size, grid)) *
                      grid +
                  cell_along(v.z, b->min.z, b->size, grid);
    if (first_in_cell[cell] == UINT32_MAX)
      first_in_cell[cell] = (uint32_t)i;
    stand_in[i] = first_in_cell[cell];
  }
}

static bool is_flat(const uint32_t t[3]) {
  return t[0] == t[1] || t[1] == t[2] || t[2] == t[0];
}

static size_t join_triangles(uint32_t (*out)[3], const ts_mesh *mesh, const uint32_t *stand_in) {
  size_t count = 0;
  for (size_t i = 0; i < mesh->triangle_count; i++) {
    for (int k = 0; k < 3; k++)
      out[count][k] = stand_in[mesh->triangles[i][k]];
    count += !is_flat(out[count]);
  }
  return count;
}

/// Numbers the vertices that triangles use, in the order of the mesh.
static ts_status drop_unused(ts_view_mesh *out, ts_arena *arena, const ts_mesh *mesh,
                             uint32_t (*triangles)[3], size_t triangle_count) {
  uint32_t *places = ts_arena_array(arena, mesh->vertex_count, sizeof *places);
  ts_vec3 *vertices = ts_arena_array(arena, mesh->vertex_count, sizeof *vertices);
  if (!places || !vertices)
    return TS_E_MEMORY;
  for (size_t i = 0; i < triangle_count; i++)
    for (int k = 0; k < 3; k++)
      places[triangles[i][k]] = 1;
  size_t count = 0;
  for (size_t i = 0; i < mesh->vertex_count; i++)
    if (places[i]) {
      places[i] = (uint32_t)count;
      vertices[count++] = mesh->vertices[i];
    }
  for (size_t i = 0; i < triangle_count; i++)
    for (int k = 0; k < 3; k++)
      triangles[i][k] = places[triangles[i][k]];
  *out = (ts_view_mesh){.vertex_count = count,
                        .vertices_local = vertices,
                        .triangle_count = triangle_count,
                        .triangles = (const uint32_t(*)[3])triangles,
                        .is_coarse = true};
  return TS_OK;
}

ts_status ts_view_mesh_make(ts_view_mesh *out, ts_arena *arena, const ts_mesh *mesh) {
  *out = (ts_view_mesh){.vertex_count = mesh->vertex_count,
                        .vertices_local = mesh->vertices,
                        .triangle_count = mesh->triangle_count,
                        .triangles = mesh->triangles};
  if (mesh->triangle_count <= TS_VIEW_TRIANGLES_MAX)
    return TS_OK;
  size_t most = grids[0] * grids[0] * grids[0];
  uint32_t *stand_in = ts_arena_array(arena, mesh->vertex_count, sizeof *stand_in);
  uint32_t *first_in_cell = ts_arena_array(arena, most, sizeof *first_in_cell);
  uint32_t(*triangles)[3] = ts_arena_array(arena, mesh->triangle_count, sizeof *triangles);
  if (!stand_in || !first_in_cell || !triangles)
    return TS_E_MEMORY;
  box b = box_of(mesh);
  size_t count = SIZE_MAX;
  for (size_t i = 0; i < GRID_COUNT && count > TS_VIEW_TRIANGLES_MAX; i++) {
    join_vertices(stand_in, first_in_cell, mesh, &b, grids[i]);
    count = join_triangles(triangles, mesh, stand_in);
  }
  return drop_unused(out, arena, mesh, triangles, count);
}
