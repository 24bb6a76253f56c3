// SPDX-License-Identifier: MIT
// A scene file as a case.
#include "base/status.h"
#include "cases/scene/deformable.h"
#include "cases/scene_file/scene_file.h"

/// Makes an empty scene a copy of a file's, to be moved and scaled; its meshes are the file's.
static ts_status copy_scene(ts_scene *scene, const ts_scene_file *file) {
  const ts_scene *from = file->scene;
  ts_arena *arena = scene->arena;
  ts_shape *shapes = ts_arena_copy(arena, from->shapes, from->shape_count, sizeof *shapes);
  ts_body *bodies = ts_arena_copy(arena, from->bodies, from->body_count, sizeof *bodies);
  ts_region *regions = ts_arena_copy(arena, from->regions, from->region_count, sizeof *regions);
  ts_force *forces = ts_arena_copy(arena, from->forces, from->force_count, sizeof *forces);
  if (!shapes || !bodies || !regions || !forces)
    return TS_E_MEMORY;
  *scene = *from;
  scene->arena = arena;
  scene->shapes = shapes;
  scene->shape_capacity = scene->shape_count;
  scene->bodies = bodies;
  scene->body_capacity = scene->body_count;
  scene->regions = regions;
  scene->forces = forces;
  scene->force_capacity = scene->force_count;
  for (size_t i = 0; i < scene->shape_count; i++) {
    ts_shape *shape = &scene->shapes[i];
    shape->pieces = ts_arena_copy(arena, shape->pieces, shape->piece_count, sizeof *shape->pieces);
    if (!shape->pieces)
      return TS_E_MEMORY;
  }
  for (size_t i = 0; i < scene->region_count; i++)
    TS_TRY(ts_region_copy(&scene->regions[i], arena));
  return TS_OK;
}

static ts_status compose(ts_scene *scene, const ts_case *c, const double *values) {
  TS_TRY(copy_scene(scene, c->data));
  int refinement = (int)values[TS_COMMON_REFINEMENT];
  bool wants_published = (int)values[TS_COMMON_TETS] == TS_TETS_PUBLISHED;
  if (wants_published && scene->tets != TS_TETS_PUBLISHED)
    return ts_fail(TS_E_INPUT, "%s has no published tets: leave out tets=published",
                   c->origin.path);
  if (refinement > 0 && scene->tets == TS_TETS_PUBLISHED)
    return ts_fail(TS_E_INPUT, "%s has published tets, which are not refined: leave out refinement",
                   c->origin.path);
  scene->refinement = refinement > 0 ? refinement : scene->refinement;
  TS_TRY(ts_scene_check_cutting(scene));
  if (values[TS_COMMON_PERTURB_M] > 0) {
    scene->noise_hides_truth = true;
    ts_case_perturb(scene, scene->scale * values[TS_COMMON_PERTURB_M],
                    (uint64_t)values[TS_COMMON_PERTURB_SEED]);
    scene->region_count = scene->unknown_count = 0;
    scene->truth_is_moved = false;
    scene->oracle = NULL;
  }
  return TS_OK;
}

ts_status ts_scene_file_case(const ts_case **out, ts_arena *arena, const ts_scene_file *file) {
  ts_case *c = ts_arena_alloc(arena, sizeof *c);
  const char *summary = ts_arena_format(arena, "Of the file %s.", file->path);
  if (!c || !summary)
    return TS_E_MEMORY;
  *c = (ts_case){.name = file->name,
                 .suite = TS_SCENE_FILE_SUITE,
                 .summary = file->summary[0] != '\0' ? file->summary : summary,
                 .source = file->source[0] != '\0' ? file->source : file->path,
                 .is_deformable = ts_scene_is_deformable(file->scene),
                 .compose = compose,
                 .data = file,
                 .origin = {file->path, file->hash, file->case_parameters}};
  *out = c;
  return TS_OK;
}
