// SPDX-License-Identifier: MIT
// covers: ldi/shape.c
#include "ldi/shape.h"

#include "tests/ldi/ldi_fixture.h"

#include <string.h>

static ts_arena *arena;

static void setup(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(ldi_shape, .init = setup, .fini = teardown);

static ts_ldi_shape *shape_of(const ts_mesh *mesh) {
  ts_ldi_shape *shape = NULL;
  cr_assert_eq(ts_ldi_shape_create(&shape, mesh), TS_OK, "%s", ts_status_detail());
  return shape;
}

/// Every triangle is in one block, every vertex in those of its triangles, or in one of its own.
static void expect_whole(const ts_ldi_shape *shape) {
  const ts_mesh *mesh = shape->mesh;
  uint32_t *triangles = ts_arena_array(arena, mesh->triangle_count, sizeof *triangles);
  uint32_t *vertices = ts_arena_array(arena, mesh->vertex_count, sizeof *vertices);
  cr_assert(triangles && vertices);
  for (size_t i = 0; i < shape->block_count; i++) {
    const ts_ldi_block *block = &shape->blocks[i];
    cr_assert_leq(block->triangle_count, (uint32_t)TS_LDI_BLOCK_TRIANGLES);
    for (uint32_t k = 0; k < block->triangle_count; k++) {
      uint32_t triangle = shape->triangles[block->first_triangle + k];
      triangles[triangle]++;
      for (int corner = 0; corner < 3; corner++) {
        uint32_t at = shape->corners[block->first_triangle + k][corner];
        cr_assert_lt(at - block->first_vertex, block->vertex_count);
        cr_assert_eq(shape->vertices[at], mesh->triangles[triangle][corner]);
      }
    }
    for (uint32_t k = block->first_vertex; k < block->first_vertex + block->vertex_count; k++) {
      cr_assert(k == block->first_vertex || shape->vertices[k - 1] < shape->vertices[k]);
      cr_assert_eq(ts_vec3_distance(shape->points[k], mesh->vertices[shape->vertices[k]]), 0);
      vertices[shape->vertices[k]]++;
    }
  }
  for (size_t t = 0; t < mesh->triangle_count; t++)
    cr_assert_eq(triangles[t], 1, "triangle %zu is in %u blocks", t, triangles[t]);
  for (size_t i = 0; i < mesh->vertex_count; i++)
    cr_assert_geq(vertices[i], 1, "vertex %zu", i);
}

/// A mesh with vertices that no triangle has, one of them far out.
static ts_mesh *with_unused(const ts_mesh *mesh, size_t more) {
  ts_vec3 *vertices = ts_arena_array(arena, mesh->vertex_count + more, sizeof *vertices);
  cr_assert(vertices);
  memcpy(vertices, mesh->vertices, mesh->vertex_count * sizeof *vertices);
  for (size_t i = 0; i < more; i++)
    vertices[mesh->vertex_count + i] = ts_vec3_make(0.1, 0, i + 1 == more ? 7 : 0);
  ts_mesh *out = NULL;
  cr_assert_eq(ts_mesh_create(&out, arena, vertices, mesh->vertex_count + more,
                              (const uint32_t(*)[3])mesh->triangles, mesh->triangle_count),
               TS_OK, "%s", ts_status_detail());
  return out;
}

enum { MESHES = LDI_MESHES + 3 };

static const ts_mesh *mesh_of(int which) {
  if (which < LDI_MESHES)
    return ldi_mesh_of(arena, which);
  if (which == LDI_MESHES)
    return ldi_torus(arena, 60, 40, 1, 0.35);
  return with_unused(ldi_cube(arena, 1), which == LDI_MESHES + 1 ? 1 : 100);
}

Test(ldi_shape, blocks_hold_everything_once) {
  for (int which = 0; which < MESHES; which++) {
    ts_ldi_shape *shape = shape_of(mesh_of(which));
    expect_whole(shape);
    ts_ldi_shape_destroy(shape);
  }
  ts_ldi_shape_destroy(NULL);
}

Test(ldi_shape, blocks_are_small_where_a_mesh_has_many_triangles) {
  // 4800 triangles over a ring 2.7 wide: a block of 32 of them would be some 0.35 wide.
  ts_ldi_shape *shape = shape_of(ldi_torus(arena, 60, 40, 1, 0.35));
  for (size_t i = 0; i < shape->block_count; i++)
    for (int k = 0; k < 3; k++)
      cr_assert_lt(shape->blocks[i].half[k], 0.3);
  cr_expect_lt(shape->block_count, 3 * 4800u / TS_LDI_BLOCK_TRIANGLES);
  ts_ldi_shape_destroy(shape);
}

Test(ldi_shape, triangles_in_one_place_are_cut_too) {
  // A long thin fan: all centres are on a line, most of them near its end.
  enum { COUNT = 200 };
  ts_vec3 vertices[COUNT + 2];
  uint32_t triangles[2 * COUNT][3];
  for (uint32_t i = 0; i < COUNT; i++) {
    double angle = 2 * M_PI * i / COUNT;
    vertices[i] = ts_vec3_make(cos(angle), sin(angle), 0);
    memcpy(triangles[2 * i], (uint32_t[3]){i, (i + 1) % COUNT, COUNT}, sizeof *triangles);
    memcpy(triangles[2 * i + 1], (uint32_t[3]){(i + 1) % COUNT, i, COUNT + 1}, sizeof *triangles);
  }
  vertices[COUNT] = ts_vec3_make(0, 0, 1e6);
  vertices[COUNT + 1] = ts_vec3_make(0, 0, -1e6);
  ts_mesh *mesh = NULL;
  cr_assert_eq(
      ts_mesh_create(&mesh, arena, vertices, COUNT + 2, (const uint32_t(*)[3])triangles, 2 * COUNT),
      TS_OK, "%s", ts_status_detail());
  ts_ldi_shape *shape = shape_of(mesh);
  expect_whole(shape);
  ts_ldi_shape_destroy(shape);
}

static void expect_same_bounds(const ts_ldi_shape *shape, ts_pose pose) {
  ts_aabb found = ts_ldi_shape_bounds(shape, pose), exact = ldi_bounds(shape->mesh, pose);
  cr_assert_eq(memcmp(&found, &exact, sizeof found), 0, "x %.17g to %.17g, not %.17g to %.17g",
               found.low.x, found.high.x, exact.low.x, exact.high.x);
}

Test(ldi_shape, bounds_are_those_of_all_posed_vertices_to_the_last_bit) {
  const double scales[] = {1e-3, 1, 1e3}, far[] = {0, 1, 1e6};
  ts_random random = ts_random_seed(4, 1);
  for (int which = 0; which < MESHES; which++)
    for (int scale = 0; scale < 3; scale++) {
      const ts_mesh *mesh = which < LDI_MESHES + 1
                                ? ldi_scaled(arena, mesh_of(which), scales[scale])
                                : mesh_of(which);
      ts_ldi_shape *shape = shape_of(mesh);
      expect_same_bounds(shape, ts_pose_identity());
      for (int n = 0; n < LDI_TRIES(100); n++)
        expect_same_bounds(shape, random_pose(&random, far[n % 3] * scales[scale]));
      ts_ldi_shape_destroy(shape);
    }
}

Test(ldi_shape, a_pose_that_is_not_finite_has_no_finite_bounds) {
  ts_ldi_shape *shape = shape_of(ldi_torus(arena, 60, 40, 1, 0.35));
  ts_aabb box = ts_ldi_shape_bounds(shape, ldi_at((double)NAN, 0, 0));
  cr_expect_not(ts_vec3_is_finite(box.low));
  box = ts_ldi_shape_bounds(shape, ldi_at(0, 0, (double)INFINITY));
  cr_expect_not(ts_vec3_is_finite(box.high));
  ts_ldi_shape_destroy(shape);
}

Test(ldi_shape, a_block_reaches_as_far_as_its_vertices) {
  ts_ldi_shape *shape = shape_of(ldi_torus(arena, 60, 40, 1, 0.35));
  ts_random random = ts_random_seed(5, 1);
  for (int n = 0; n < LDI_TRIES(40); n++) {
    ts_ldi_affine m = ts_ldi_affine_world(random_pose(&random, n % 2 ? 1e5 : 1));
    double rounding[3];
    ts_ldi_shape_rounding(rounding, shape, &m);
    for (size_t i = 0; i < shape->block_count; i++) {
      const ts_ldi_block *block = &shape->blocks[i];
      ts_ldi_reach reach = ts_ldi_block_reach(block, &m, rounding);
      for (uint32_t k = 0; k < block->vertex_count; k++) {
        double p[3];
        ts_ldi_affine_apply(p, &m, shape->points[block->first_vertex + k]);
        for (int axis = 0; axis < 3; axis++)
          cr_assert(reach.low[axis] <= p[axis] && p[axis] <= reach.high[axis]);
      }
    }
  }
  ts_ldi_shape_destroy(shape);
}
