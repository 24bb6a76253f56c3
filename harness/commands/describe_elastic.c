// SPDX-License-Identifier: MIT
#include "harness/commands/describe_elastic.h"

#include "base/status.h"
#include "cases/scene/deformable.h"
#include "harness/plan/grid.h"

static ts_status add_body(ts_grid *grid, ts_arena *arena, const ts_scene *scene, size_t index) {
  enum { COLUMNS = 8 };
  const ts_body *body = &scene->bodies[index];
  const ts_mesh *mesh = scene->shapes[body->shape].mesh;
  const ts_elastic *e = body->elastic;
  const char *cells[COLUMNS] = {ts_arena_format(arena, "%zu", index),
                                ts_arena_format(arena, "%zu", mesh->vertex_count),
                                ts_arena_format(arena, "%zu", mesh->tet_count),
                                ts_arena_format(arena, "%zu", e->clamped_count),
                                ts_arena_format(arena, "%.6g", e->young_pa),
                                ts_arena_format(arena, "%.6g", e->poisson),
                                ts_arena_format(arena, "%.6g", e->mass_damping_1_s),
                                ts_arena_format(arena, "%.6g", e->stiffness_damping_s)};
  for (int i = 0; i < COLUMNS; i++)
    if (!cells[i])
      return TS_E_MEMORY;
  return ts_grid_add(grid, cells);
}

ts_status ts_describe_elastic(ts_arena *arena, const ts_scene *scene) {
  if (!ts_scene_is_deformable(scene))
    return TS_OK;
  ts_grid grid = ts_grid_start(arena, "rrrrrrrr");
  TS_TRY(
      ts_grid_add(&grid, (const char *[]){"body", "nodes", "tets", "clamped", "young_pa", "poisson",
                                          "mass_damping_1_s", "stiffness_damping_s"}));
  for (size_t i = 0; i < scene->body_count; i++)
    if (scene->bodies[i].elastic)
      TS_TRY(add_body(&grid, arena, scene, i));
  printf("\nDeformable (nodes are the vertices of the shape)\n");
  return ts_grid_print(stdout, &grid, 2, false);
}
