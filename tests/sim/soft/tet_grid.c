// SPDX-License-Identifier: MIT
#include "tests/sim/soft/tet_grid.h"

#include "base/status.h"
#include "geometry/tet.h"

#include <stdio.h>
#include <stdlib.h>

static void must(bool holds) {
  if (holds)
    return;
  fprintf(stderr, "tet_grid: %s\n", ts_status_detail());
  abort();
}

size_t tet_grid_node(const tet_grid *grid, size_t i, size_t j, size_t k) {
  return (k * (grid->y + 1) + j) * (grid->x + 1) + i;
}

/// A face of a tet, its corners as they are and sorted.
typedef struct face {
  uint32_t sorted[3], corners[3];
} face;

static int compare_faces(const void *a, const void *b) {
  return memcmp(((const face *)a)->sorted, ((const face *)b)->sorted, 3 * sizeof(uint32_t));
}

static void swap_larger(uint32_t *a, uint32_t *b) {
  uint32_t low = *a < *b ? *a : *b, high = *a < *b ? *b : *a;
  *a = low;
  *b = high;
}

static face make_face(const uint32_t tet[4], int opposite) {
  face f;
  for (int i = 0; i < 3; i++)
    f.sorted[i] = f.corners[i] = tet[ts_tet_face_nodes[opposite][i]];
  swap_larger(&f.sorted[0], &f.sorted[1]);
  swap_larger(&f.sorted[1], &f.sorted[2]);
  swap_larger(&f.sorted[0], &f.sorted[1]);
  return f;
}

ts_mesh *tet_grid_around(ts_arena *arena, const ts_vec3 *vertices, size_t vertex_count,
                         const uint32_t (*tets)[4], size_t tet_count) {
  size_t count = 4 * tet_count, outer = 0;
  face *faces = ts_arena_array(arena, count, sizeof *faces);
  uint32_t(*triangles)[3] = ts_arena_array(arena, count, sizeof *triangles);
  must(faces && triangles);
  for (size_t i = 0; i < count; i++)
    faces[i] = make_face(tets[i / 4], (int)(i % 4));
  qsort(faces, count, sizeof *faces, compare_faces);
  for (size_t i = 0; i < count; i++)
    if (i + 1 < count && compare_faces(&faces[i], &faces[i + 1]) == 0)
      i++;
    else
      memcpy(triangles[outer++], faces[i].corners, sizeof *triangles);
  ts_mesh *mesh = NULL;
  must(ts_mesh_create(&mesh, arena, vertices, vertex_count, (const uint32_t(*)[3])triangles,
                      outer) == TS_OK);
  must(ts_mesh_set_tets(mesh, arena, tets, tet_count) == TS_OK);
  return mesh;
}

/// The five tets of a cell, by corners with bits x, y, z; the other half of the cells has them
/// mirrored in x.
static const uint8_t cell_tets[5][4] = {
    {0, 1, 2, 4}, {3, 2, 1, 7}, {5, 1, 4, 7}, {6, 4, 2, 7}, {1, 2, 4, 7}};

ts_mesh *tet_grid_mesh(ts_arena *arena, const tet_grid *grid) {
  size_t nodes = (grid->x + 1) * (grid->y + 1) * (grid->z + 1), t = 0;
  ts_vec3 *vertices = ts_arena_array(arena, nodes, sizeof *vertices);
  uint32_t(*tets)[4] = ts_arena_array(arena, 5 * grid->x * grid->y * grid->z, sizeof *tets);
  must(vertices && tets);
  ts_vec3 size = ts_vec3_sub(grid->high, grid->low);
  for (size_t k = 0; k <= grid->z; k++)
    for (size_t j = 0; j <= grid->y; j++)
      for (size_t i = 0; i <= grid->x; i++)
        vertices[tet_grid_node(grid, i, j, k)] =
            (ts_vec3){grid->low.x + size.x * (double)i / (double)grid->x,
                      grid->low.y + size.y * (double)j / (double)grid->y,
                      grid->low.z + size.z * (double)k / (double)grid->z};
  for (size_t k = 0; k < grid->z; k++)
    for (size_t j = 0; j < grid->y; j++)
      for (size_t i = 0; i < grid->x; i++)
        for (size_t c = 0; c < 5; c++, t++) {
          size_t odd = (i + j + k) % 2;
          for (int n = 0; n < 4; n++) {
            size_t corner = cell_tets[c][n] ^ odd;
            tets[t][n] =
                (uint32_t)tet_grid_node(grid, i + corner % 2, j + corner / 2 % 2, k + corner / 4);
          }
          ts_vec3 at[4];
          for (int n = 0; n < 4; n++)
            at[n] = vertices[tets[t][n]];
          if (ts_tet_volume(at) < 0) {
            uint32_t first = tets[t][0];
            tets[t][0] = tets[t][1];
            tets[t][1] = first;
          }
        }
  return tet_grid_around(arena, vertices, nodes, (const uint32_t(*)[4])tets, t);
}

ts_body tet_grid_body(const ts_elastic *elastic) {
  return (ts_body){
      .name = "block", .pose = ts_pose_identity(), .density_kg_m3 = 1000, .elastic = elastic};
}

ts_tet_body *tet_grid_create(ts_arena *arena, const tet_grid *grid, const ts_body *body,
                             bool clamps_low_z, double dt_s) {
  size_t clamped_count = clamps_low_z ? (grid->x + 1) * (grid->y + 1) : 0;
  uint32_t *clamped = ts_arena_array(arena, clamped_count, sizeof *clamped);
  must(clamped);
  for (size_t i = 0; i < clamped_count; i++)
    clamped[i] = (uint32_t)i;
  ts_elastic elastic = *body->elastic;
  elastic.clamped_count = clamped_count;
  elastic.clamped = clamped_count > 0 ? clamped : NULL;
  ts_body with = *body;
  with.elastic = &elastic;
  ts_mesh *mesh = tet_grid_mesh(arena, grid);
  ts_shape shape = {.name = "block", .mesh = mesh, .bounds_local = ts_mesh_bounds(mesh)};
  ts_tet_body *out = NULL;
  must(ts_tet_body_create(&out, &shape, &with, dt_s) == TS_OK);
  return out;
}

ts_tet_body *tet_grid_beam(ts_arena *arena, double dt_s) {
  tet_grid grid = {4, 4, 20, {-0.1, 0, 0}, {0.1, 0.2, 1}};
  ts_elastic elastic = {.young_pa = 1e6, .poisson = 0.4};
  ts_body body = tet_grid_body(&elastic);
  return tet_grid_create(arena, &grid, &body, true, dt_s);
}

ts_tet_side tet_grid_side(uint32_t node) {
  return (ts_tet_side){
      .nodes = {node, node, node}, .weights = {1, 0, 0}, .frame = ts_mat3_identity()};
}
