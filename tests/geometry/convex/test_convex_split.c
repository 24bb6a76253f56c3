// SPDX-License-Identifier: MIT
// covers: geometry/convex/convex_split.c
#include "geometry/convex/convex_split.h"

#include "base/hash.h"
#include "geometry/tolerances.h"
#include "tests/geometry/convex/cell_solids.h"
#include "tests/geometry/random_geometry.h"

#include <math.h>
#include <string.h>

static ts_arena *arena;

static void setup(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(geometry_convex_split, .init = setup, .fini = teardown);

static ts_convex_split split_of(const cells *c, ts_pose pose, double scale, size_t count_max) {
  ts_mesh *mesh;
  ts_convex_split split;
  cr_assert_eq(cells_mesh(&mesh, arena, c, pose, scale), TS_OK, "%s", ts_status_detail());
  cr_assert_eq(ts_convex_split_mesh(&split, arena, mesh, count_max), TS_OK, "%s",
               ts_status_detail());
  return split;
}

static ts_shape shape_of(const ts_hull *piece) {
  ts_mesh *mesh;
  cr_assert_eq(ts_mesh_create(&mesh, arena, piece->vertices, piece->vertex_count,
                              (const uint32_t(*)[3])piece->triangles, piece->triangle_count),
               TS_OK, "%s", ts_status_detail());
  return (ts_shape){.mesh = mesh, .bounds_local = ts_mesh_bounds(mesh)};
}

/// A point within a piece: a random mean of its corners.
static ts_vec3 point_in(const ts_hull *piece, ts_random *random) {
  ts_vec3 sum = {0, 0, 0};
  double weights = 0;
  for (size_t i = 0; i < piece->vertex_count; i++) {
    double weight = -log(ts_random_unit(random) + 1e-300);
    sum = ts_vec3_add_scaled(sum, weight, piece->vertices[i]);
    weights += weight;
  }
  return ts_vec3_scale(sum, 1 / weights);
}

/// How deep a point is within a piece; below zero outside.
static double depth_in(const ts_hull *piece, ts_vec3 p) {
  double depth = INFINITY;
  for (size_t f = 0; f < piece->triangle_count; f++) {
    const uint32_t *t = piece->triangles[f];
    ts_vec3 a = piece->vertices[t[0]];
    ts_vec3 n =
        ts_vec3_cross(ts_vec3_sub(piece->vertices[t[1]], a), ts_vec3_sub(piece->vertices[t[2]], a));
    depth = fmin(depth, ts_vec3_dot(ts_vec3_unit(n), ts_vec3_sub(a, p)));
  }
  return depth;
}

/// That pieces are convex, in the solid, apart from each other, and fill it.
static void expect_exact(const ts_convex_split *split, const cells *c, ts_pose pose, double scale,
                         ts_random *random) {
  double sum = 0, margin = 3e-6 * CELLS_SIDE;
  cr_assert(split->is_exact, "off by %g", split->error.volume_relative);
  cr_expect_eq(split->error.distance_m, 0);
  for (size_t i = 0; i < split->count; i++) {
    ts_shape piece = shape_of(&split->pieces[i]);
    cr_expect(ts_shape_is_convex(&piece));
    sum += ts_mesh_mass_properties(piece.mesh, 1).volume_m3 / (scale * scale * scale);
    for (int k = 0; k < 20; k++) {
      ts_vec3 p = point_in(&split->pieces[i], random);
      ts_vec3 local = ts_vec3_scale(ts_pose_point_local(pose, p), 1 / scale);
      cr_expect(cells_hold(c, local, margin), "(%g, %g, %g)", local.x, local.y, local.z);
      for (size_t j = 0; j < split->count; j++)
        cr_expect(j == i || depth_in(&split->pieces[j], p) <= margin * scale, "%zu in %zu", i, j);
    }
  }
  cr_expect_float_eq(sum / cells_volume(c), 1, TS_CONVEX_RELATIVE);
}

static void expect_count(const cells *c, size_t count, const char *what) {
  ts_random random = ts_random_seed(1, 1);
  static const double scales[] = {1, 1e-3, 1e3, 1};
  for (int i = 0; i < 4; i++) {
    ts_pose pose = i == 0 ? ts_pose_identity() : random_pose(&random, i == 3 ? 1e6 : scales[i]);
    ts_convex_split split = split_of(c, pose, scales[i], 64);
    cr_expect_eq(split.count, count, "%s, %d: %zu pieces", what, i, split.count);
    expect_exact(&split, c, pose, scales[i], &random);
  }
}

Test(geometry_convex_split, plain_solids_come_in_as_few_pieces_as_there_can_be) {
  cells c = cells_even();
  cells_fill(&c, (const int[]){0, 0, 0}, (const int[]){3, 1, 1}, true);
  expect_count(&c, 1, "bar");
  cells_fill(&c, (const int[]){0, 0, 0}, (const int[]){1, 3, 1}, true);
  expect_count(&c, 2, "L");
  cells_fill(&c, (const int[]){2, 0, 0}, (const int[]){3, 3, 1}, true);
  expect_count(&c, 3, "U");
  cells_fill(&c, (const int[]){0, 2, 0}, (const int[]){3, 3, 1}, true);
  expect_count(&c, 4, "frame");
  c = cells_even();
  cells_fill(&c, (const int[]){0, 1, 0}, (const int[]){3, 2, 1}, true);
  cells_fill(&c, (const int[]){1, 0, 0}, (const int[]){2, 3, 1}, true);
  expect_count(&c, 3, "cross");
  c = cells_even();
  cells_fill(&c, (const int[]){0, 0, 0}, (const int[]){5, 2, 1}, true);
  cells_fill(&c, (const int[]){1, 1, 0}, (const int[]){2, 2, 1}, false);
  cells_fill(&c, (const int[]){3, 1, 0}, (const int[]){4, 2, 1}, false);
  expect_count(&c, 4, "comb of three teeth");
}

Test(geometry_convex_split, separate_parts_are_pieces_of_their_own_even_one_inside_anothers_bay) {
  cells c = cells_even();
  cells_fill(&c, (const int[]){0, 0, 0}, (const int[]){5, 5, 1}, true);
  cells_fill(&c, (const int[]){1, 1, 0}, (const int[]){4, 5, 1}, false);
  c.is_full[2][2][0] = c.is_full[2][4][4] = true;
  expect_count(&c, 5, "U, a cube in it, one elsewhere");
}

Test(geometry_convex_split, a_thin_web_and_a_narrow_slit_are_seen) {
  cells c = cells_even();
  for (int axis = 0; axis < 3; axis++)
    for (int i = 2; i < CELLS_NODES; i++)
      c.at[axis][i] = i - 1 + 1e-4; // the second plane is 1e-4 before the third
  c.at[0][1] = 1;
  c.at[0][2] = 1 + 1e-4;
  cells_fill(&c, (const int[]){0, 0, 0}, (const int[]){3, 3, 1}, true);
  cells_fill(&c, (const int[]){1, 2, 0}, (const int[]){2, 3, 1}, false);
  expect_count(&c, 3, "a slit of 1e-4 in a block");
}

Test(geometry_convex_split, random_unions_of_boxes_are_filled_exactly) {
  ts_random random = ts_random_seed(20, 1);
  int manifold = 0;
  for (int trial = 0; trial < 120 && manifold < 40; trial++) {
    cells c = {0};
    for (int axis = 0; axis < 3; axis++)
      for (int i = 1; i < CELLS_NODES; i++)
        c.at[axis][i] = c.at[axis][i - 1] + ts_random_uniform(&random, 0.05, 1.5);
    for (int box = 0; box < 2 + trial % 4; box++) {
      int low[3], high[3];
      for (int axis = 0; axis < 3; axis++) {
        low[axis] = (int)ts_random_uniform(&random, 0, CELLS_SIDE);
        high[axis] = low[axis] + 1 + (int)ts_random_uniform(&random, 0, CELLS_SIDE - low[axis]);
      }
      cells_fill(&c, low, high, true);
    }
    double scale = pow(10, ts_random_uniform(&random, -3, 3));
    ts_pose pose = random_pose(&random, trial % 3 == 0 ? 1e3 * scale : scale);
    ts_mesh *mesh;
    ts_status status = cells_mesh(&mesh, arena, &c, pose, scale);
    if (status != TS_OK) { // boxes with only an edge in common are no mesh
      cr_assert(strstr(ts_status_detail(), "not manifold"), "%s", ts_status_detail());
      continue;
    }
    manifold++;
    ts_convex_split split = split_of(&c, pose, scale, 64);
    expect_exact(&split, &c, pose, scale, &random);
  }
  cr_expect_eq(manifold, 40);
}

Test(geometry_convex_split, too_few_pieces_are_approximate_and_say_by_how_much) {
  cells c = cells_even();
  cells_fill(&c, (const int[]){0, 0, 0}, (const int[]){2, 1, 1}, true);
  cells_fill(&c, (const int[]){0, 0, 0}, (const int[]){1, 2, 1}, true);
  ts_convex_split split = split_of(&c, ts_pose_identity(), 1, 1);
  cr_assert_eq(split.count, 1);
  cr_expect_not(split.is_exact);
  cr_expect_float_eq(split.error.volume_relative, 0.5 / 3, 1e-12, "half of the missing corner");
  cr_expect(split.error.distance_m >= 0.5 && split.error.distance_m <= 0.5500001, "%g",
            split.error.distance_m);
}

Test(geometry_convex_split, more_parts_than_pieces_are_refused) {
  cells c = cells_even();
  c.is_full[0][0][0] = c.is_full[2][0][0] = c.is_full[4][0][0] = true;
  ts_mesh *mesh;
  ts_convex_split split;
  cr_assert_eq(cells_mesh(&mesh, arena, &c, ts_pose_identity(), 1), TS_OK);
  cr_expect_eq(ts_convex_split_mesh(&split, arena, mesh, 2), TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), "3 separate parts"), "%s", ts_status_detail());
  cr_expect_eq(ts_convex_split_mesh(&split, arena, mesh, 3), TS_OK);
}

Test(geometry_convex_split, the_same_solid_has_the_same_pieces_to_the_bit) {
  cells c = cells_even();
  cells_fill(&c, (const int[]){0, 0, 0}, (const int[]){5, 5, 2}, true);
  cells_fill(&c, (const int[]){1, 1, 0}, (const int[]){3, 4, 2}, false);
  ts_random random = ts_random_seed(2, 1);
  ts_pose pose = random_pose(&random, 1);
  uint64_t hashes[2];
  for (int i = 0; i < 2; i++) {
    ts_convex_split split = split_of(&c, pose, 1, 2);
    hashes[i] = TS_HASH_START;
    for (size_t p = 0; p < split.count; p++)
      hashes[i] = ts_hash_bytes(hashes[i], split.pieces[p].vertices,
                                split.pieces[p].vertex_count * sizeof(ts_vec3));
    hashes[i] = ts_hash_bytes(hashes[i], &split.error.distance_m, sizeof(double));
  }
  cr_expect_eq(hashes[0], hashes[1]);
}
