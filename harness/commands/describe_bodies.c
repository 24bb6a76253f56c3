// SPDX-License-Identifier: MIT
#include "harness/commands/describe_bodies.h"

#include "base/geometry_kind.h"
#include "base/status.h"
#include "cases/scene/deformable.h"
#include "cases/scene/ground.h"
#include "harness/plan/grid.h"

#include <stdbool.h>
#include <stdio.h>

static ts_status add_elastic(ts_grid *grid, ts_arena *arena, const ts_scene *scene, size_t index) {
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
      TS_TRY(add_elastic(&grid, arena, scene, i));
  printf("\nDeformable (nodes are the vertices of the shape)\n");
  return ts_grid_print(stdout, &grid, 2, false);
}

/// "12 x 12" m of a plane, "9 x 9" heights, triangles of a surface.
static const char *size_of_ground(ts_arena *arena, const ts_shape *shape) {
  const ts_geometry *g = &shape->geometry;
  if (g->kind == TS_GEOMETRY_PLANE)
    return ts_arena_format(arena, "%.6g x %.6g m", shape->ground.extent_m, shape->ground.extent_m);
  if (g->kind == TS_GEOMETRY_SURFACE)
    return ts_arena_format(arena, "%zu triangles", g->surface->triangle_count);
  const ts_heightfield *f = g->heightfield;
  return ts_arena_format(arena, "%zu x %zu heights, %.6g x %.6g m", f->column_count, f->row_count,
                         (double)(f->column_count - 1) * f->spacing_x_m,
                         (double)(f->row_count - 1) * f->spacing_z_m);
}

/// How the sheet goes on below, and why it is not as thick as it was to be.
static const char *describe_sheet(ts_arena *arena, const ts_ground *ground) {
  static const char *const forms[TS_SHEET_FORM_COUNT] = {[TS_SHEET_CLOSED] = "itself",
                                                         [TS_SHEET_ONE] = "one sheet",
                                                         [TS_SHEET_PRISMS] =
                                                             "a prism below each triangle"};
  const char *text = forms[ground->sheet.form];
  if (ground->sheet.form != TS_SHEET_CLOSED && ground->sheet.thickness_m < ground->wanted_m)
    text = ts_arena_format(arena, "%s, not %.6g m thick: the surface lies behind itself", text,
                           ground->wanted_m);
  if (text && ground->dropped > 0)
    text = ts_arena_format(arena, "%s; %zu triangle%s left out, without area or there twice", text,
                           ground->dropped, ground->dropped == 1 ? "" : "s");
  return text;
}

ts_status ts_describe_ground(ts_arena *arena, const ts_scene *scene) {
  ts_grid grid = ts_grid_start(arena, "lllrl");
  TS_TRY(ts_grid_add(&grid, (const char *[]){"shape", "kind", "size", "thickness_m", "closed by"}));
  bool is_any = false;
  for (size_t i = 0; i < scene->shape_count; i++) {
    const ts_shape *shape = &scene->shapes[i];
    if (!ts_shape_is_ground(shape))
      continue;
    is_any = true;
    bool is_plane = shape->geometry.kind == TS_GEOMETRY_PLANE;
    const char *cells[] = {shape->name, ts_geometry_words[shape->geometry.kind],
                           size_of_ground(arena, shape),
                           ts_arena_format(arena, "%.6g", shape->ground.sheet.thickness_m),
                           is_plane ? "a box" : describe_sheet(arena, &shape->ground)};
    if (!cells[2] || !cells[3] || !cells[4])
      return TS_E_MEMORY;
    TS_TRY(ts_grid_add(&grid, cells));
  }
  if (!is_any)
    return TS_OK;
  printf("\nGround (solid below; methods on closed meshes get it that thick)\n");
  return ts_grid_print(stdout, &grid, 2, false);
}
