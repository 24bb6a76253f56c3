// SPDX-License-Identifier: MIT
#include "base/status.h"
#include "cases/scene/scene.h"
#include "geometry/convex/convex_split.h"
#include "geometry/mesh/tetgen.h"
#include "geometry/tolerances.h"

#include <stdio.h>

/// The solid with tets; the fewest that fill it, since all are cut anyway.
static ts_status fill(const ts_mesh **out, ts_arena *arena, const ts_mesh *mesh) {
  *out = mesh;
  if (mesh->tet_count > 0)
    return TS_OK;
  const ts_tetgen_options options = {.quality_ratio = 0};
  ts_mesh *filled;
  TS_TRY(ts_tetgen_fill(&filled, arena, mesh, &options));
  *out = filled;
  return TS_OK;
}

static ts_status add_pieces(ts_scene *scene, int32_t index, const ts_convex_split *split) {
  for (size_t i = 0; i < split->count; i++) {
    const ts_hull *piece = &split->pieces[i];
    TS_TRY(ts_scene_add_piece(scene, index, piece->vertices, piece->vertex_count,
                              (const uint32_t(*)[3])piece->triangles, piece->triangle_count));
  }
  ts_shape *shape = &scene->shapes[index];
  shape->pieces_kind = split->is_exact ? TS_PIECES_EXACT : TS_PIECES_APPROXIMATE;
  shape->pieces_error = split->error;
  return TS_OK;
}

static ts_status find(ts_scene *scene, ts_arena *scratch, int32_t index, size_t count_max) {
  const ts_mesh *solid;
  ts_convex_split split;
  TS_TRY(fill(&solid, scratch, scene->shapes[index].mesh));
  TS_TRY(ts_convex_split_mesh(&split, scratch, solid, count_max));
  return add_pieces(scene, index, &split);
}

ts_status ts_scene_find_pieces(ts_scene *scene, int32_t index, size_t count_max) {
  const ts_shape *shape = &scene->shapes[index];
  size_t triangle_count = shape->mesh->triangle_count;
  if (ts_shape_is_convex(shape))
    return TS_OK;
  if (triangle_count > TS_SPLIT_TRIANGLES_MAX)
    return ts_fail(TS_E_INPUT,
                   "has %zu triangles, and convex pieces are found for %zu or fewer: simplify the "
                   "mesh, or give its pieces",
                   triangle_count, TS_SPLIT_TRIANGLES_MAX);
  ts_arena *scratch;
  TS_TRY(ts_arena_create(&scratch));
  ts_status status = find(scene, scratch, index, count_max);
  ts_arena_destroy(scratch);
  return status;
}
