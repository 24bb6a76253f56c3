// SPDX-License-Identifier: MIT
// covers: elastic/inside.c elastic/inside_joins.c elastic/inside_parts.c elastic/triangle_cut.c elastic/elastic_pair.c
#include "tests/elastic/elastic_fixture.h"

#include "base/status.h"
#include "elastic/inside.h"
#include "tests/elastic/deform_meshes.h"

#include <criterion/criterion.h>
#include <string.h>

static ts_arena *arena;

static void setup(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(elastic_inside, .init = setup, .fini = teardown, .timeout = 60);

/// A block 1 wide on a slab 4 wide, sunk into it by `depth_m`.
static ts_elastic_pair *block_on_slab(double depth_m, double scale, ts_vec3 far) {
  ts_mesh *slab = elastic_box(arena, (ts_vec3){2 * scale, 0.5 * scale, 2 * scale}, far);
  ts_mesh *block = elastic_box(arena, (ts_vec3){0.5 * scale, 0.5 * scale, 0.5 * scale}, far);
  return elastic_pair_of(arena, slab, elastic_at(0, 0, 0), block,
                         elastic_at(0.3 * scale, (1 - depth_m) * scale, 0.1 * scale));
}

Test(elastic_inside, a_sunk_block_has_its_bottom_and_a_strip_of_each_side_inside) {
  ts_inside inside = elastic_inside(block_on_slab(0.1, 1, (ts_vec3){0, 0, 0}));
  cr_assert_eq(inside.part_count, 1);
  const ts_inside_part *part = &inside.parts[0];
  cr_assert_float_eq(part->area_m2[0], 1, 1e-12);
  cr_assert_float_eq(part->area_m2[1], 1.4, 1e-12);
  cr_assert_eq(part->sheet_count[0], 1);
  cr_assert_geq(part->sheet_count[1], 1);
  double largest_m2 = 0;
  for (size_t i = 0; i < part->sheet_count[1]; i++)
    largest_m2 = fmax(largest_m2, -part->sheets[1][i].area_vector_m2.y);
  cr_assert_float_eq(largest_m2, 1, 1e-12);
  cr_assert_float_eq(part->area_vector_m2[1].y, -1, 1e-12);
  cr_assert_leq(part->variance[0], 1e-30);
  // the mean normal is 1 / 1.4 long; the variance of unit vectors is 1 less its square
  cr_assert_float_eq(part->variance[1], 1 - 1 / (1.4 * 1.4), 1e-12);
}

Test(elastic_inside, neither_scale_nor_distance_from_the_origin_changes_the_areas) {
  static const double scales[] = {1e-3, 1, 1e3};
  for (int i = 0; i < 3; i++) {
    double scale = scales[i];
    ts_inside inside = elastic_inside(
        block_on_slab(0.1, scale, (ts_vec3){1e4 * scale, -2e4 * scale, 3e4 * scale}));
    cr_assert_eq(inside.part_count, 1);
    cr_assert_float_eq(inside.parts[0].area_m2[0] / (scale * scale), 1, 1e-9);
    cr_assert_float_eq(inside.parts[0].area_m2[1] / (scale * scale), 1.4, 1e-9);
  }
}

/// The pieces of both bodies close off the overlap: their area vectors sum up to zero.
static double open_share(const ts_inside *inside) {
  ts_vec3 sum = {0, 0, 0};
  double area_m2 = 0;
  for (size_t i = 0; i < inside->part_count; i++)
    for (int body = 0; body < 2; body++) {
      sum = ts_vec3_add(sum, inside->parts[i].area_vector_m2[body]);
      area_m2 += inside->parts[i].area_m2[body];
    }
  return ts_vec3_norm(sum) / area_m2;
}

Test(elastic_inside, both_surfaces_close_off_the_overlap_of_random_bodies) {
  ts_random random = ts_random_seed(11, 0);
  for (int i = 0; i < 60; i++) {
    ts_arena_mark mark = ts_arena_get_mark(arena);
    ts_mesh *a = elastic_rock(arena, &random), *b = elastic_rock(arena, &random);
    ts_vec3 apart =
        ts_vec3_scale(elastic_random_direction(&random), ts_random_uniform(&random, 0.2, 1));
    ts_pose pose = {ts_quat_from_axis_angle(elastic_random_direction(&random), 1 + i), apart};
    ts_inside inside = elastic_inside(elastic_pair_of(arena, a, elastic_at(0, 0, 0), b, pose));
    cr_assert_eq(inside.part_count, 1, "pair %d has %zu parts", i, inside.part_count);
    cr_assert_lt(open_share(&inside), 1e-7, "pair %d: %g", i, open_share(&inside));
    ts_arena_rewind(arena, mark);
  }
}

Test(elastic_inside, flush_sides_are_outside_and_both_faces_are_one_part) {
  ts_mesh *box = elastic_box(arena, (ts_vec3){0.5, 0.5, 0.5}, (ts_vec3){0, 0, 0});
  for (int turn = 0; turn < 5; turn++) {
    ts_pose pose = {ts_quat_from_axis_angle(ts_vec3_unit((ts_vec3){1, 2, 3}), turn),
                    {0.1 * turn, 0, 0}};
    ts_pose upper = pose;
    upper.translation = ts_pose_point(pose, (ts_vec3){0, 0.998, 0});
    ts_inside inside = elastic_inside(elastic_pair_of(arena, box, pose, box, upper));
    cr_assert_eq(inside.part_count, 1, "turned %d times: %zu parts", turn, inside.part_count);
    cr_assert_float_eq(inside.parts[0].area_m2[0], 1, 1e-6);
    cr_assert_float_eq(inside.parts[0].area_m2[1], 1, 1e-6);
  }
}

/// Intervals of a box along one axis.
typedef struct interval {
  double low, high;
} interval;

static interval random_interval(ts_random *random) {
  double low = floor(ts_random_uniform(random, 0, 3));
  return (interval){low, low + 1 + floor(ts_random_uniform(random, 0, 3))};
}

/// Area of the faces of box a that are inside box b, not flush with it.
static double faces_inside(const interval a[3], const interval b[3]) {
  double area_m2 = 0;
  for (int i = 0; i < 3; i++) {
    int k = (i + 1) % 3, n = (i + 2) % 3;
    double face = (fmin(a[k].high, b[k].high) - fmax(a[k].low, b[k].low)) *
                  (fmin(a[n].high, b[n].high) - fmax(a[n].low, b[n].low));
    area_m2 += face * ((a[i].low > b[i].low && a[i].low < b[i].high) +
                       (a[i].high > b[i].low && a[i].high < b[i].high));
  }
  return area_m2;
}

static ts_mesh *box_of(const interval x[3]) {
  ts_vec3 low = {x[0].low, x[1].low, x[2].low}, high = {x[0].high, x[1].high, x[2].high};
  return elastic_box(arena, ts_vec3_scale(ts_vec3_sub(high, low), 0.5), ts_vec3_mid(low, high));
}

Test(elastic_inside, boxes_on_a_grid_have_the_faces_inside_that_are_not_flush) {
  ts_random random = ts_random_seed(12, 0);
  size_t overlapping = 0;
  for (int i = 0; i < 400; i++) {
    ts_arena_mark mark = ts_arena_get_mark(arena);
    interval a[3], b[3];
    bool overlap = true;
    for (int k = 0; k < 3; k++) {
      a[k] = random_interval(&random);
      b[k] = random_interval(&random);
      overlap &= a[k].low < b[k].high && b[k].low < a[k].high;
    }
    double expected[2] = {faces_inside(a, b), faces_inside(b, a)};
    // One inside the other, up to flush faces, has one surface only.
    if (overlap && expected[0] > 0 && expected[1] > 0) {
      ts_pose pose = i % 2
                         ? elastic_at(0, 0, 0)
                         : (ts_pose){ts_quat_from_axis_angle(elastic_random_direction(&random), i),
                                     {10, -20, 30}};
      ts_inside inside = elastic_inside(elastic_pair_of(arena, box_of(a), pose, box_of(b), pose));
      cr_assert_eq(inside.part_count, 1, "pair %d: %zu parts", i, inside.part_count);
      for (int body = 0; body < 2; body++)
        cr_assert_float_eq(inside.parts[0].area_m2[body], expected[body], 1e-6,
                           "pair %d: %g not %g", i, inside.parts[0].area_m2[body], expected[body]);
      overlapping++;
    }
    ts_arena_rewind(arena, mark);
  }
  cr_assert_geq(overlapping, 50, "%zu", overlapping);
}

Test(elastic_inside, each_foot_on_a_slab_is_a_part_and_so_is_what_stands_within_a_ring) {
  ts_mesh *slab = elastic_box(arena, (ts_vec3){4, 0.5, 4}, (ts_vec3){0, 0, 0});
  // Four walls around a pillar, all at the same depth; the walls run into each other at no place.
  const ts_vec3 feet[5][2] = {{{0.2, 0.5, 0.2}, {0, 0, 0}},
                              {{2, 0.5, 0.1}, {0, 0, 2}},
                              {{2, 0.5, 0.1}, {0, 0, -2}},
                              {{0.1, 0.5, 1.8}, {2, 0, 0}},
                              {{0.1, 0.5, 1.8}, {-2, 0, 0}}};
  ts_mesh *stool = elastic_boxes(arena, feet, 5);
  ts_inside inside = elastic_inside(
      elastic_pair_of(arena, slab, elastic_at(0, 0, 0), stool, elastic_at(0.1, 0.9, 0.2)));
  cr_assert_eq(inside.part_count, 5);
  cr_assert_float_eq(inside.parts[0].area_m2[0], 0.8, 1e-12);
  cr_assert_float_eq(inside.parts[4].area_m2[0], 0.16, 1e-12);
}

Test(elastic_inside, a_part_of_triangles_that_nothing_cuts_is_found) {
  // The slab's top is far finer than the block that is sunk into it.
  ts_mesh *ball = deform_icosphere(arena, 3, 1, (ts_vec3){0, 0, 0});
  ts_mesh *block = elastic_box(arena, (ts_vec3){3, 3, 3}, (ts_vec3){0, 0, 0});
  ts_inside inside = elastic_inside(
      elastic_pair_of(arena, ball, elastic_at(0, 0, 0), block, elastic_at(0.05, 3.3, 0.02)));
  cr_assert_eq(inside.part_count, 1);
  cr_assert_lt(open_share(&inside), 1e-9);
  // a cap of height 0.7 of a sphere, less what the triangles lack
  cr_assert_float_eq(inside.parts[0].area_m2[0], 2 * 3.14159265 * 0.7, 0.03);
  cr_assert_eq(inside.parts[0].sheet_count[0], 1);
}

Test(elastic_inside, bodies_that_only_touch_or_are_apart_have_no_part) {
  ts_mesh *box = elastic_box(arena, (ts_vec3){0.5, 0.5, 0.5}, (ts_vec3){0, 0, 0});
  static const double heights[] = {1, 1 + 1e-12, 1 - 1e-12};
  for (int i = 0; i < 3; i++) {
    ts_bvh *bvh;
    ts_elastic_pair *pair;
    cr_assert_eq(ts_bvh_create_for_mesh(&bvh, arena, box), TS_OK);
    ts_elastic_shape lower = {box, bvh, elastic_at(0, 0, 0)};
    ts_elastic_shape upper = {box, bvh, elastic_at(0.25, heights[i], 0.125)};
    cr_assert_eq(ts_elastic_pair_create(&pair, arena, lower, upper), TS_OK);
    if (!pair)
      continue;
    ts_inside inside = elastic_inside(pair);
    for (size_t k = 0; k < inside.part_count; k++) {
      // Faces back to back: what is between them has no depth, and is a part or none by rounding.
      cr_assert_float_eq(inside.parts[k].area_m2[0], inside.parts[k].area_m2[1], 1e-6);
    }
  }
  ts_mesh *l[2];
  const ts_vec3 corner[2][2] = {{{0.5, 0.5, 0.5}, {0, 0, 0}}, {{0.1, 2, 0.1}, {2, 0, 2}}};
  l[0] = elastic_boxes(arena, corner, 2);
  l[1] = elastic_box(arena, (ts_vec3){0.4, 0.4, 0.4}, (ts_vec3){0, 0, 0});
  // The boxes of the bodies overlap, the bodies do not.
  ts_inside apart = elastic_inside(
      elastic_pair_of(arena, l[0], elastic_at(0, 0, 0), l[1], elastic_at(1, 0, 1.2)));
  cr_assert_eq(apart.part_count, 0);
}

Test(elastic_inside, a_body_inside_the_other_is_skipped_with_the_reason) {
  ts_mesh *large = elastic_box(arena, (ts_vec3){2, 2, 2}, (ts_vec3){0, 0, 0});
  ts_mesh *small = elastic_box(arena, (ts_vec3){0.5, 0.5, 0.5}, (ts_vec3){0, 0, 0});
  for (int swapped = 0; swapped < 2; swapped++) {
    ts_inside inside;
    ts_elastic_pair *pair = elastic_pair_of(arena, swapped ? small : large, elastic_at(0, 0, 0),
                                            swapped ? large : small, elastic_at(0.2, 0.1, 0));
    cr_assert_eq(ts_inside_find(&inside, pair), TS_SKIPPED);
    cr_assert_not_null(strstr(ts_status_detail(),
                              swapped ? "body a is inside body b" : "body b is inside body a"));
  }
}

Test(elastic_inside, a_body_inside_the_other_but_for_flush_faces_is_skipped_with_the_reason) {
  ts_mesh *large = elastic_box(arena, (ts_vec3){2, 2, 2}, (ts_vec3){0, 0, 0});
  ts_mesh *small = elastic_box(arena, (ts_vec3){0.5, 0.5, 0.5}, (ts_vec3){0, 0, 0});
  static const ts_vec3 places[] = {{1.5, 0.1, 0.2}, {1.5, 1.5, 0.2}, {1.5, -1.5, 1.5}};
  for (int i = 0; i < 3; i++)
    for (int swapped = 0; swapped < 2; swapped++) {
      ts_inside inside;
      ts_pose at[2] = {elastic_at(0, 0, 0), {ts_quat_identity(), places[i]}};
      ts_elastic_pair *pair = elastic_pair_of(arena, swapped ? small : large, at[swapped],
                                              swapped ? large : small, at[1 - swapped]);
      cr_assert_eq(ts_inside_find(&inside, pair), TS_SKIPPED, "place %d", i);
      cr_assert_not_null(strstr(ts_status_detail(), "but for flush faces"));
    }
}

Test(elastic_inside, a_point_of_a_triangle_is_in_the_part_of_its_piece) {
  ts_elastic_pair *pair = block_on_slab(0.1, 1, (ts_vec3){0, 0, 0});
  ts_inside inside = elastic_inside(pair);
  size_t found = 0;
  for (int body = 0; body < 2; body++)
    for (size_t i = 0; i < inside.piece_count[body]; i++) {
      const ts_inside_piece *piece = &inside.pieces[body][i];
      ts_vec3 middle =
          ts_vec3_lerp(piece->corners[0], ts_vec3_mid(piece->corners[1], piece->corners[2]), 0.5);
      cr_assert_eq(ts_inside_part_at(&inside, pair, body, piece->triangle, middle), piece->part);
      found++;
    }
  cr_assert_geq(found, 10);
  const ts_mesh *slab = pair->body[0].mesh;
  for (uint32_t t = 0; t < slab->triangle_count; t++)
    cr_assert_eq(
        ts_inside_part_at(&inside, pair, 0, t, pair->body[0].vertices[slab->triangles[t][0]]),
        TS_NO_PART);
}
