// SPDX-License-Identifier: MIT
#include "cases/scene/deformable.h"

#include "base/geometry_kind.h"
#include "base/status.h"
#include "geometry/mesh/elastic.h"
#include "geometry/tet.h"

#include <stdlib.h>
#include <string.h>

/// Face `index` % 4 of tet `index` / 4, by its nodes in rising order.
typedef struct tet_face {
  uint32_t nodes[3];
  uint32_t index;
} tet_face;

static int compare_nodes(const tet_face *a, const tet_face *b) {
  for (int i = 0; i < 3; i++)
    if (a->nodes[i] != b->nodes[i])
      return a->nodes[i] < b->nodes[i] ? -1 : 1;
  return 0;
}

static int compare_faces(const void *left, const void *right) {
  const tet_face *a = left, *b = right;
  int order = compare_nodes(a, b);
  return order != 0 ? order : (a->index > b->index) - (a->index < b->index);
}

static void swap_if_larger(uint32_t *a, uint32_t *b) {
  uint32_t low = *a < *b ? *a : *b, high = *a < *b ? *b : *a;
  *a = low;
  *b = high;
}

static tet_face face_of(const uint32_t (*tets)[4], uint32_t index) {
  tet_face face = {.index = index};
  for (int i = 0; i < 3; i++)
    face.nodes[i] = tets[index / 4][ts_tet_face_nodes[index % 4][i]];
  swap_if_larger(&face.nodes[0], &face.nodes[1]);
  swap_if_larger(&face.nodes[1], &face.nodes[2]);
  swap_if_larger(&face.nodes[0], &face.nodes[1]);
  return face;
}

/// The faces that no other tet has, as triangles in the order of the tets. Faces of more than two
/// tets are left to ts_mesh_set_tets.
static ts_status find_boundary(uint32_t (**out)[3], size_t *out_count, ts_arena *scratch,
                               const uint32_t (*tets)[4], size_t tet_count) {
  size_t count = 4 * tet_count;
  tet_face *faces = ts_arena_array(scratch, count, sizeof *faces);
  bool *is_inside = ts_arena_array(scratch, count, sizeof *is_inside);
  uint32_t(*triangles)[3] = ts_arena_array(scratch, count, sizeof *triangles);
  if (!faces || !is_inside || !triangles)
    return TS_E_MEMORY;
  for (size_t f = 0; f < count; f++)
    faces[f] = face_of(tets, (uint32_t)f);
  if (count > 0)
    qsort(faces, count, sizeof *faces, compare_faces);
  for (size_t f = 1; f < count; f++)
    if (compare_nodes(&faces[f - 1], &faces[f]) == 0)
      is_inside[faces[f - 1].index] = is_inside[faces[f].index] = true;
  *out = triangles;
  *out_count = 0;
  for (size_t f = 0; f < count; f++) {
    if (is_inside[f])
      continue;
    for (int i = 0; i < 3; i++)
      triangles[*out_count][i] = tets[f / 4][ts_tet_face_nodes[f % 4][i]];
    (*out_count)++;
  }
  return TS_OK;
}

static ts_status add_tets(int32_t *out, ts_scene *scene, ts_arena *scratch, const char *name,
                          const ts_vec3 *vertices, size_t vertex_count, const uint32_t (*tets)[4],
                          size_t tet_count) {
  uint32_t(*triangles)[3];
  size_t triangle_count;
  ts_mesh *mesh;
  TS_TRY(find_boundary(&triangles, &triangle_count, scratch, tets, tet_count));
  TS_TRY(ts_mesh_create(&mesh, scene->arena, vertices, vertex_count,
                        (const uint32_t(*)[3])triangles, triangle_count));
  TS_TRY(ts_mesh_set_tets(mesh, scene->arena, tets, tet_count));
  return ts_scene_add_mesh(out, scene, name, mesh);
}

ts_status ts_scene_add_tets(int32_t *out, ts_scene *scene, const char *name,
                            const ts_vec3 *vertices, size_t vertex_count, const uint32_t (*tets)[4],
                            size_t tet_count) {
  ts_arena *scratch;
  TS_TRY(ts_arena_create(&scratch));
  ts_status status = add_tets(out, scene, scratch, name, vertices, vertex_count, tets, tet_count);
  ts_arena_destroy(scratch);
  return status;
}

ts_status ts_scene_check_can_deform(const ts_scene *scene, int32_t index) {
  const ts_body *body = &scene->bodies[index];
  const ts_shape *shape = &scene->shapes[body->shape];
  int32_t kind = shape->geometry.kind;
  if (ts_geometry_is_ground(kind))
    return ts_fail(TS_E_INPUT, "is for bodies that move, and shape %s is a %s, which is ground",
                   shape->name, ts_geometry_words[kind]);
  if (body->is_fixed)
    return ts_fail(TS_E_INPUT, "is for bodies that move, and this one is fixed: leave out one of "
                               "the two, or clamp some nodes");
  if (kind != TS_GEOMETRY_MESH)
    return ts_fail(TS_E_INPUT,
                   "is for meshes, and shape %s is an exact %s, which keeps its form: give a mesh",
                   shape->name, ts_geometry_words[kind]);
  if (shape->piece_count > 0)
    return ts_fail(TS_E_INPUT,
                   "shape %s comes in convex pieces, which would not deform with it: give the body "
                   "a shape without pieces",
                   shape->name);
  return TS_OK;
}

ts_status ts_scene_make_deformable(ts_scene *scene, int32_t index, const ts_elastic *elastic) {
  ts_body *body = &scene->bodies[index];
  TS_TRY(ts_scene_check_can_deform(scene, index));
  TS_TRY(ts_elastic_check(elastic, scene->shapes[body->shape].mesh));
  ts_elastic *copy = ts_arena_copy(scene->arena, elastic, 1, sizeof *copy);
  if (!copy)
    return TS_E_MEMORY;
  if (elastic->clamped) {
    copy->clamped = ts_arena_copy(scene->arena, elastic->clamped, elastic->clamped_count,
                                  sizeof *copy->clamped);
    if (!copy->clamped)
      return TS_E_MEMORY;
  }
  body->elastic = copy;
  return TS_OK;
}

bool ts_scene_is_deformable(const ts_scene *scene) {
  for (size_t i = 0; i < scene->body_count; i++)
    if (scene->bodies[i].elastic)
      return true;
  return false;
}

ts_status ts_scene_check_cutting(const ts_scene *scene) {
  if (!ts_scene_is_deformable(scene))
    return TS_OK;
  if (scene->refinement > 0)
    return ts_fail(TS_E_INPUT,
                   "the scene has deformable bodies, whose nodes are the vertices of their shapes "
                   "and are not cut anew: leave out refinement=%d, or give finer shapes",
                   scene->refinement);
  if (scene->tets == TS_TETS_PUBLISHED)
    return ts_fail(TS_E_INPUT, "the scene has deformable bodies, and there are no published runs "
                               "of such: leave out the published tets");
  return TS_OK;
}
