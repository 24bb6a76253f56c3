// SPDX-License-Identifier: MIT
#include "tests/contract/scene_variants.h"

#include "base/random.h"
#include "geometry/mesh/tetgen.h"

#include <criterion/criterion.h>
#include <string.h>

static ts_scene *scene_copy_shapes(ts_arena *arena, const ts_scene *scene) {
  ts_scene *copy;
  cr_assert_eq(ts_scene_create(&copy, arena), TS_OK);
  copy->scale = scene->scale;
  copy->shapes = ts_arena_array(arena, scene->shape_count, sizeof *copy->shapes);
  memcpy(copy->shapes, scene->shapes, scene->shape_count * sizeof *copy->shapes);
  copy->shape_count = copy->shape_capacity = scene->shape_count;
  return copy;
}

ts_scene *scene_with_body_order(ts_arena *arena, const ts_scene *scene, const int32_t *order) {
  ts_scene *copy = scene_copy_shapes(arena, scene);
  copy->bodies = ts_arena_array(arena, scene->body_count, sizeof *copy->bodies);
  copy->body_count = copy->body_capacity = scene->body_count;
  for (size_t i = 0; i < scene->body_count; i++)
    copy->bodies[i] = scene->bodies[order[i]];
  return copy;
}

static void shuffle(uint32_t *out, size_t count, ts_random *random) {
  for (size_t i = 0; i < count; i++)
    out[i] = (uint32_t)i;
  for (size_t i = count; i > 1; i--) {
    size_t k = (size_t)(ts_random_u64(random) % i);
    uint32_t swap = out[i - 1];
    out[i - 1] = out[k];
    out[k] = swap;
  }
}

/// Gives a shuffled mesh the tets of the original, in another order, each seen another way round.
static void shuffle_tets(ts_arena *arena, ts_mesh *shuffled, const ts_mesh *mesh,
                         const uint32_t *vertex_place, ts_random *random) {
  static const int turns[4][4] = {{0, 1, 2, 3}, {1, 0, 3, 2}, {2, 3, 0, 1}, {3, 2, 1, 0}};
  uint32_t *tet_place = ts_arena_array(arena, mesh->tet_count, sizeof *tet_place);
  uint32_t(*tets)[4] = ts_arena_array(arena, mesh->tet_count, sizeof *tets);
  shuffle(tet_place, mesh->tet_count, random);
  for (size_t t = 0; t < mesh->tet_count; t++) {
    const int *turn = turns[ts_random_u64(random) % 4];
    for (int k = 0; k < 4; k++)
      tets[tet_place[t]][k] = vertex_place[mesh->tets[t][turn[k]]];
  }
  cr_assert_eq(ts_mesh_set_tets(shuffled, arena, (const uint32_t(*)[4])tets, mesh->tet_count),
               TS_OK);
}

static const ts_mesh *mesh_shuffled(ts_arena *arena, const ts_mesh *mesh, ts_random *random) {
  uint32_t *vertex_place = ts_arena_array(arena, mesh->vertex_count, sizeof *vertex_place);
  uint32_t *triangle_place = ts_arena_array(arena, mesh->triangle_count, sizeof *triangle_place);
  ts_vec3 *vertices = ts_arena_array(arena, mesh->vertex_count, sizeof *vertices);
  uint32_t(*triangles)[3] = ts_arena_array(arena, mesh->triangle_count, sizeof *triangles);
  shuffle(vertex_place, mesh->vertex_count, random);
  shuffle(triangle_place, mesh->triangle_count, random);
  for (size_t i = 0; i < mesh->vertex_count; i++)
    vertices[vertex_place[i]] = mesh->vertices[i];
  for (size_t i = 0; i < mesh->triangle_count; i++) {
    size_t turn = (size_t)(ts_random_u64(random) % 3);
    for (size_t k = 0; k < 3; k++)
      triangles[triangle_place[i]][k] = vertex_place[mesh->triangles[i][(k + turn) % 3]];
  }
  ts_mesh *shuffled;
  cr_assert_eq(ts_mesh_create(&shuffled, arena, vertices, mesh->vertex_count,
                              (const uint32_t(*)[3])triangles, mesh->triangle_count),
               TS_OK);
  if (mesh->tet_count > 0)
    shuffle_tets(arena, shuffled, mesh, vertex_place, random);
  return shuffled;
}

/// The same bodies and shapes, the latter to be changed.
static ts_scene *scene_copy(ts_arena *arena, const ts_scene *scene) {
  ts_scene *copy = scene_copy_shapes(arena, scene);
  copy->bodies = scene->bodies;
  copy->body_count = copy->body_capacity = scene->body_count;
  return copy;
}

ts_scene *scene_with_mesh_order(ts_arena *arena, const ts_scene *scene, uint64_t seed) {
  ts_scene *copy = scene_copy(arena, scene);
  ts_random random = ts_random_seed(seed, 0);
  for (size_t i = 0; i < copy->shape_count; i++)
    copy->shapes[i].mesh = mesh_shuffled(arena, scene->shapes[i].mesh, &random);
  return copy;
}

ts_scene *scene_with_tets(ts_arena *arena, const ts_scene *scene) {
  ts_scene *copy = scene_copy(arena, scene);
  for (size_t i = 0; i < copy->shape_count; i++) {
    ts_mesh *mesh;
    if (scene->shapes[i].mesh->tet_count > 0)
      continue;
    cr_assert_eq(ts_tetgen_fill(&mesh, arena, scene->shapes[i].mesh, &ts_tetgen_coarse), TS_OK);
    copy->shapes[i].mesh = mesh;
  }
  return copy;
}
