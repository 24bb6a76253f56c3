// SPDX-License-Identifier: MIT
#include "base/status.h"
#include "cases/scene/excluded_pairs.h"
#include "geometry/distance/mesh_overlap.h"
#include "geometry/mesh/mesh_offset.h"
#include "geometry/mesh/mesh_split.h"
#include "geometry/tolerances.h"
#include "harness/deform/deform_scene.h"

#include <stdio.h>

/// Face planes where they can be moved exactly, else vertices.
static ts_status dilate(const ts_mesh **out, ts_arena *arena, const ts_mesh *mesh, double by_m) {
  ts_mesh *moved;
  ts_status status = ts_mesh_offset_faces(&moved, arena, mesh, by_m);
  if (status == TS_E_INPUT)
    status = ts_mesh_offset_vertices(&moved, arena, mesh, by_m);
  if (status == TS_OK)
    *out = moved;
  return status;
}

static ts_status prepare_shape(ts_shape *shape, ts_arena *arena, const ts_deform_request *request) {
  if (request->dilation_m > 0)
    TS_TRY(dilate(&shape->mesh, arena, shape->mesh, request->dilation_m));
  if (request->edge_max_m > 0)
    TS_TRY(ts_mesh_split_edges(&shape->mesh, arena, shape->mesh, request->edge_max_m));
  shape->bounds_local = ts_mesh_bounds(shape->mesh);
  return TS_OK;
}

static ts_status prepare_shapes(ts_shape **out, ts_arena *arena, const ts_deform_request *request) {
  const ts_scene *scene = request->scene;
  char detail[900];
  *out = ts_arena_copy(arena, scene->shapes, scene->shape_count, sizeof **out);
  if (!*out)
    return TS_E_MEMORY;
  for (size_t i = 0; i < scene->shape_count; i++) {
    ts_status status = prepare_shape(&(*out)[i], arena, request);
    if (status == TS_E_INPUT) {
      snprintf(detail, sizeof detail, "%s", ts_status_detail());
      status = ts_fail(status, "shape %s: %s", (*out)[i].name, detail);
    }
    TS_TRY(status);
  }
  return TS_OK;
}

static ts_status find_tree(const ts_bvh **tree, ts_arena *arena, const ts_mesh *mesh) {
  ts_bvh *made;
  if (*tree)
    return TS_OK;
  TS_TRY(ts_bvh_create_for_mesh(&made, arena, mesh));
  *tree = made;
  return TS_OK;
}

/// Whether two bodies share a volume, in the frame of the pair, where most digits are.
static ts_status do_overlap(bool *out, ts_arena *arena, ts_elastic_shape a, ts_elastic_shape b) {
  ts_elastic_pair *pair;
  ts_mesh_overlap overlap;
  *out = false;
  ts_arena_mark mark = ts_arena_get_mark(arena);
  ts_status status = ts_elastic_pair_create(&pair, arena, a, b);
  if (status == TS_OK && pair) {
    status = ts_mesh_overlap_measure(
        &overlap, arena, (ts_placed_mesh){a.mesh, pair->body[0].vertices},
        (ts_placed_mesh){b.mesh, pair->body[1].vertices}, (ts_vec3){0, 0, 1});
    double cube_m3 = pair->size_m * pair->size_m * pair->size_m;
    *out = status == TS_OK && overlap.volume_m3 > TS_DEFORM_TOUCH_RELATIVE * cube_m3;
  }
  ts_arena_rewind(arena, mark);
  return status;
}

/// The pairs whose boxes overlap, or the one that was chosen.
static ts_status find_candidates(ts_body_pair **out, size_t *out_count, ts_arena *arena,
                                 const ts_deform_request *request, const ts_shape *shapes) {
  if (!request->has_pair)
    return ts_scene_broad_phase(out, out_count, arena, request->scene, shapes, 0);
  *out = ts_arena_copy(arena, &request->chosen, 1, sizeof request->chosen);
  *out_count = 1;
  return *out ? TS_OK : TS_E_MEMORY;
}

static ts_status fail_without_pairs(const ts_deform_request *request) {
  const ts_body *bodies = request->scene->bodies;
  const int32_t a = request->chosen.body_a, b = request->chosen.body_b;
  if (request->has_pair)
    return ts_fail(TS_E_INPUT,
                   "%s (%d) and %s (%d) of %s do not overlap: give another --pair, or a --dilation",
                   bodies[a].name, a, bodies[b].name, b, request->case_name);
  return ts_fail(
      TS_E_INPUT,
      "no two bodies of %s overlap: give a --dilation, or move them into each other (some "
      "cases have a parameter for that, as in --set depth_m=0.1)",
      request->case_name);
}

ts_status ts_deform_job_create(ts_deform_job *out, ts_arena *arena,
                               const ts_deform_request *request) {
  const ts_scene *scene = request->scene;
  const ts_bvh **trees = ts_arena_array(arena, scene->shape_count, sizeof *trees);
  ts_shape *shapes;
  ts_body_pair *pairs;
  size_t candidates, count = 0;
  if (!trees)
    return TS_E_MEMORY;
  TS_TRY(prepare_shapes(&shapes, arena, request));
  TS_TRY(find_candidates(&pairs, &candidates, arena, request, shapes));
  for (size_t i = 0; i < candidates; i++) {
    const int32_t bodies[2] = {pairs[i].body_a, pairs[i].body_b};
    ts_elastic_shape of[2];
    bool is_overlapping;
    for (int k = 0; k < 2; k++) {
      const ts_body *body = &scene->bodies[bodies[k]];
      TS_TRY(find_tree(&trees[body->shape], arena, shapes[body->shape].mesh));
      of[k] = (ts_elastic_shape){shapes[body->shape].mesh, trees[body->shape], body->pose};
    }
    TS_TRY(do_overlap(&is_overlapping, arena, of[0], of[1]));
    if (is_overlapping)
      pairs[count++] = pairs[i];
  }
  *out = (ts_deform_job){request, shapes, trees, count, pairs};
  return count > 0 ? TS_OK : fail_without_pairs(request);
}
