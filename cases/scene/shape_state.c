// SPDX-License-Identifier: MIT
#include "cases/scene/shape_state.h"

#include "base/status.h"
#include "cases/scene/published_tets.h"
#include "geometry/mesh/mesh_offset.h"
#include "geometry/mesh/tetgen.h"
#include "geometry/tolerances.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct refinement_level {
  double quality_ratio;
  double volume_m3, conical_volume_m3; // of the largest tet, at scale 1
} refinement_level;

static const refinement_level levels[TS_REFINEMENT_MAX + 1] = {
    [1] = {1.15, 8 * 0.015, 8 * 0.00015},
    [2] = {1.07, 0.015, 0.00015},
};

/// Fails with what happened to the shape and, as the reason, the detail line so far.
static ts_status say_why(ts_status status, const ts_shape *shape, const char *what) {
  char why[512];
  snprintf(why, sizeof why, "%s", ts_status_detail());
  return ts_fail(status, "the shape %s cannot be %s: %s", shape->name, what, why);
}

/// More faces than three meet at the vertices of a sphere's mesh, and have no common point once
/// they have moved; its vertices move along its normals.
static bool has_round_vertices(const ts_shape *shape) {
  return shape->geometry.kind == TS_GEOMETRY_SPHERE || shape->geometry.kind == TS_GEOMETRY_CAPSULE;
}

static ts_status offset(const ts_mesh **out, ts_arena *arena, const ts_shape *shape,
                        const ts_shape_state *state) {
  ts_mesh *mesh;
  double by_m = state->offset_m;
  bool moves_faces = state->moves_faces && !has_round_vertices(shape);
  ts_status status = moves_faces ? ts_mesh_offset_faces(&mesh, arena, shape->mesh, by_m)
                                 : ts_mesh_offset_vertices(&mesh, arena, shape->mesh, by_m);
  if (status != TS_OK) {
    char what[96];
    snprintf(what, sizeof what, "%s by %g m, as the method wants it",
             by_m > 0 ? "dilated" : "eroded", fabs(by_m));
    return say_why(status, shape, what);
  }
  *out = mesh;
  return TS_OK;
}

static ts_tetgen_options cutting(const ts_scene *scene, const ts_shape *shape) {
  if (scene->refinement == 0) {
    ts_tetgen_options coarse = ts_tetgen_coarse;
    coarse.unit_m = scene->scale;
    return coarse;
  }
  const refinement_level *level = &levels[scene->refinement];
  double volume_m3 = shape->is_conical ? level->conical_volume_m3 : level->volume_m3;
  return (ts_tetgen_options){.quality_ratio = level->quality_ratio,
                             .max_volume_m3 =
                                 volume_m3 * scene->scale * scene->scale * scene->scale,
                             .may_split_surface = true,
                             .unit_m = scene->scale};
}

/// `offset_m`: by how much the surface has been offset.
static ts_status cut(const ts_mesh **out, ts_arena *arena, const ts_scene *scene,
                     const ts_shape *shape, const ts_mesh *surface, double offset_m) {
  ts_tetgen_options options = cutting(scene, shape);
  ts_mesh *mesh;
  ts_status status = ts_tetgen_fill(&mesh, arena, surface, &options);
  if (status != TS_OK) {
    char what[160];
    snprintf(what, sizeof what, scene->refinement > 0 ? "refined" : "filled with tetrahedra");
    size_t used = strlen(what);
    if (offset_m != 0)
      snprintf(what + used, sizeof what - used, " once %s by %g m (a smaller offset may do)",
               offset_m > 0 ? "dilated" : "eroded", fabs(offset_m));
    return say_why(status == TS_E_UNSUPPORTED ? TS_SKIPPED : status, shape, what);
  }
  *out = mesh;
  return TS_OK;
}

static bool is_published_erosion(const ts_scene *scene, const ts_shape_state *state) {
  double published_m = TS_PUBLISHED_EROSION_M * scene->scale;
  return !state->moves_faces &&
         fabs(state->offset_m + published_m) <= TS_POSITION_RELATIVE * published_m;
}

static ts_status take_published(const ts_mesh **out, ts_arena *arena, const ts_scene *scene,
                                const ts_shape *shape, const ts_shape_state *state) {
  bool is_designed = state->offset_m == 0;
  if (!is_designed && !is_published_erosion(scene, state))
    return ts_fail(TS_E_INPUT,
                   "the shape %s has no published tets %s by %g m with its %s moved: have it as "
                   "designed, erode vertices by %g m at scale 1, or leave out tets=published",
                   shape->name, state->offset_m > 0 ? "dilated" : "eroded", fabs(state->offset_m),
                   state->moves_faces ? "faces" : "vertices", TS_PUBLISHED_EROSION_M);
  return ts_published_tets_mesh(out, arena, scene->published_tets[shape - scene->shapes],
                                shape->mesh, scene->scale, !is_designed);
}

/// The mesh of a shape or of a piece of one, both without published tets.
static ts_status offset_and_cut(const ts_mesh **out, ts_arena *arena, const ts_scene *scene,
                                const ts_shape *shape, const ts_shape_state *state) {
  const ts_mesh *mesh = shape->mesh;
  if (state->offset_m != 0)
    TS_TRY(offset(&mesh, arena, shape, state));
  bool lacks_tets = state->needs_tets && mesh->tet_count == 0;
  if (scene->refinement > 0 || lacks_tets)
    TS_TRY(cut(&mesh, arena, scene, shape, mesh, state->offset_m));
  *out = mesh;
  return TS_OK;
}

ts_status ts_shape_state_mesh(const ts_mesh **out, ts_arena *arena, const ts_scene *scene,
                              size_t shape_index, const ts_shape_state *state) {
  const ts_shape *shape = &scene->shapes[shape_index];
  if (state->needs_tets && scene->tets == TS_TETS_PUBLISHED)
    return take_published(out, arena, scene, shape, state);
  return offset_and_cut(out, arena, scene, shape, state);
}

ts_status ts_shape_state_piece(const ts_mesh **out, ts_arena *arena, const ts_scene *scene,
                               size_t shape_index, size_t piece, const ts_shape_state *state) {
  const ts_shape *shape = &scene->shapes[shape_index];
  if (state->offset_m < 0)
    return ts_fail(TS_SKIPPED,
                   "wants its bodies eroded by %g m, and shape %s comes in convex pieces: they "
                   "would come apart",
                   -state->offset_m, shape->name);
  if (state->needs_tets && scene->tets == TS_TETS_PUBLISHED)
    return ts_fail(TS_SKIPPED,
                   "the convex pieces of shape %s have no published tets; leave out tets=published",
                   shape->name);
  char *name = ts_arena_format(arena, "%s (piece %zu)", shape->name, piece);
  if (!name)
    return TS_E_MEMORY;
  const ts_shape alone = {
      .name = name, .mesh = shape->pieces[piece], .is_conical = shape->is_conical};
  return offset_and_cut(out, arena, scene, &alone, state);
}
