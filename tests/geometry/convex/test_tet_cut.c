// SPDX-License-Identifier: MIT
// covers: geometry/convex/tet_cut.c
#include "geometry/convex/tet_cut.h"

#include "geometry/tet.h"
#include "tests/geometry/convex/cell_solids.h"
#include "tests/geometry/random_geometry.h"

#include <stdlib.h>

static ts_arena *arena;
static ts_tet_points points;

static void setup(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(geometry_tet_cut, .init = setup, .fini = teardown);

static ts_tet_set set_of(const cells *c) {
  ts_mesh *mesh;
  cr_assert_eq(cells_mesh(&mesh, arena, c, ts_pose_identity(), 1), TS_OK, "%s", ts_status_detail());
  points = (ts_tet_points){.arena = arena, .count = mesh->vertex_count};
  points.capacity = points.count;
  points.at = ts_arena_copy(arena, mesh->vertices, points.count, sizeof *points.at);
  return (ts_tet_set){mesh->tet_count,
                      ts_arena_copy(arena, mesh->tets, mesh->tet_count, sizeof *mesh->tets)};
}

static ts_tet_set slab(void) {
  cells c = cells_even();
  cells_fill(&c, (const int[]){0, 0, 0}, (const int[]){3, 2, 1}, true);
  return set_of(&c);
}

static int compare_triples(const void *a, const void *b) {
  const uint32_t *p = a, *q = b;
  for (int k = 0; k < 3; k++)
    if (p[k] != q[k])
      return p[k] < q[k] ? -1 : 1;
  return 0;
}

static int compare_numbers(const void *a, const void *b) {
  const uint32_t *p = a, *q = b;
  return (*p > *q) - (*p < *q);
}

/// The area of faces that only one tet has: of the surface, where tets meet in whole faces.
static double open_area(const ts_tet_set *set) {
  uint32_t(*faces)[3] = ts_arena_array(arena, 4 * set->count, sizeof *faces);
  for (size_t i = 0; i < 4 * set->count; i++) {
    for (int k = 0; k < 3; k++)
      faces[i][k] = set->tets[i / 4][ts_tet_face_nodes[i % 4][k]];
    qsort(faces[i], 3, sizeof(uint32_t), compare_numbers);
  }
  qsort(faces, 4 * set->count, sizeof *faces, compare_triples);
  double area = 0;
  for (size_t i = 0, next; i < 4 * set->count; i = next) {
    for (next = i + 1; next < 4 * set->count && compare_triples(faces[i], faces[next]) == 0;)
      next++;
    cr_assert_leq(next - i, 2, "a face has %zu tets", next - i);
    ts_vec3 a = points.at[faces[i][0]];
    ts_vec3 normal = ts_vec3_cross(ts_vec3_sub(points.at[faces[i][1]], a),
                                   ts_vec3_sub(points.at[faces[i][2]], a));
    area += next - i == 1 ? 0.5 * ts_vec3_norm(normal) : 0;
  }
  return area;
}

Test(geometry_tet_cut, a_plane_between_points_leaves_two_boxes_whose_tets_meet_in_faces) {
  ts_tet_set whole = slab(), sides[2];
  cr_expect_float_eq(open_area(&whole), 22, 1e-12);
  ts_plane plane = {{1, 0, 0}, 1.25};
  cr_assert_eq(ts_tet_set_cut(sides, arena, &points, &whole, plane, 1e-9), TS_OK);
  cr_expect_float_eq(ts_tet_set_volume(&sides[0], &points), 2.5, 1e-12);
  cr_expect_float_eq(ts_tet_set_volume(&sides[1], &points), 3.5, 1e-12);
  cr_expect_float_eq(open_area(&sides[0]), 2 * (1.25 * 2 + 1.25 * 1 + 2 * 1), 1e-12);
  cr_expect_float_eq(open_area(&sides[1]), 2 * (1.75 * 2 + 1.75 * 1 + 2 * 1), 1e-12);
}

Test(geometry_tet_cut, a_plane_through_points_makes_no_new_ones) {
  ts_tet_set whole = slab(), sides[2];
  size_t count = points.count;
  ts_plane plane = {{1, 0, 0}, 1 + 1e-10};
  cr_assert_eq(ts_tet_set_cut(sides, arena, &points, &whole, plane, 1e-9), TS_OK);
  cr_expect_eq(points.count, count);
  cr_expect_eq(sides[0].count + sides[1].count, whole.count);
  cr_expect_float_eq(ts_tet_set_volume(&sides[0], &points), 2, 1e-12);
}

Test(geometry_tet_cut, a_plane_beside_the_solid_leaves_it_on_one_side) {
  ts_tet_set whole = slab(), sides[2];
  cr_assert_eq(ts_tet_set_cut(sides, arena, &points, &whole, (ts_plane){{0, 1, 0}, -3}, 0), TS_OK);
  cr_expect_eq(sides[0].count, 0);
  cr_expect_eq(sides[1].count, whole.count);
  cr_assert_eq(ts_tet_set_cut(sides, arena, &points, &whole, (ts_plane){{0, 1, 0}, 2}, 0), TS_OK);
  cr_expect_eq(sides[0].count, whole.count, "the plane of a face");
  cr_expect_eq(sides[1].count, 0);
}

Test(geometry_tet_cut, random_planes_one_after_the_other_keep_the_volume_and_whole_faces) {
  ts_random random = ts_random_seed(3, 1);
  for (int trial = 0; trial < 30; trial++) {
    ts_tet_set whole = slab();
    double volume = 6;
    for (int cut = 0; cut < 4; cut++) {
      ts_vec3 normal = ts_vec3_unit(random_point(&random, 1));
      // Every other one through a corner, and every third along an edge.
      ts_vec3 at = cut % 2 ? points.at[trial % 8] : ts_vec3_make(1.5, 1, 0.5);
      normal = cut == 3 ? ts_vec3_make(0, 0.6, 0.8) : normal;
      ts_tet_set sides[2];
      cr_assert_eq(ts_tet_set_cut(sides, arena, &points, &whole,
                                  (ts_plane){normal, ts_vec3_dot(normal, at)}, 1e-9),
                   TS_OK);
      double volumes[2];
      for (int k = 0; k < 2; k++) {
        volumes[k] = ts_tet_set_volume(&sides[k], &points);
        open_area(&sides[k]);
      }
      cr_assert_float_eq(volumes[0] + volumes[1], volume, 1e-11, "trial %d, cut %d", trial, cut);
      int larger = volumes[1] > volumes[0];
      whole = sides[larger];
      volume = volumes[larger];
    }
  }
}

Test(geometry_tet_cut, parts_that_share_an_edge_or_nothing_are_not_connected) {
  uint32_t tets[4][4] = {{0, 1, 2, 3}, {0, 1, 4, 5}, {6, 7, 8, 9}, {7, 8, 9, 10}};
  ts_tet_set set = {4, tets}, *connected;
  size_t count;
  cr_assert_eq(ts_tet_set_connected(&connected, &count, arena, &set), TS_OK);
  cr_assert_eq(count, 3);
  cr_expect_eq(connected[0].count, 1);
  cr_expect_eq(connected[1].tets[0][3], 5);
  cr_expect_eq(connected[2].count, 2);
}
