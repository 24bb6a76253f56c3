// SPDX-License-Identifier: MIT
// covers: elastic/triangle_cut.c elastic/inside_joins.c elastic/contact_surface.c
// Overlaps with areas in closed form, for all ways a cut curve may lie in a triangle: a loop within
// it, through its corners, along its edges and diagonals, along the levels of the sweep.
#include "tests/elastic/elastic_fixture.h"

#include "base/status.h"
#include "elastic/direction.h"
#include "tests/elastic/deform_meshes.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static ts_arena *arena;

static void setup(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(elastic_cut_curves, .init = setup, .fini = teardown, .timeout = 60);

/// A square pyramid on its tip, which is the origin: half_m wide at height_m.
static ts_mesh *pyramid(double half_m, double height_m) {
  const double b = half_m, y = height_m;
  const ts_vec3 corners[5] = {{0, 0, 0}, {-b, y, -b}, {b, y, -b}, {b, y, b}, {-b, y, b}};
  const uint32_t triangles[6][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4},
                                    {0, 4, 1}, {1, 3, 2}, {1, 4, 3}};
  ts_mesh *mesh;
  cr_assert_eq(ts_mesh_create(&mesh, arena, corners, 5, triangles, 6), TS_OK);
  return mesh;
}

/// The slabs have their top at y = 0: one of two triangles a face, and grids.
enum { SLAB_COUNT = 4 };

static ts_mesh *slab(int kind, double scale) {
  if (kind == 0)
    return elastic_box(arena, (ts_vec3){2 * scale, 0.5 * scale, 2 * scale},
                       (ts_vec3){0, -0.5 * scale, 0});
  static const int cells[SLAB_COUNT] = {0, 3, 8, 40};
  return deform_block(arena, cells[kind], 2 * scale, 0, (ts_vec3){0, -0.5 * scale, 0});
}

/// What the tip of a pyramid leaves, `depth` deep and `half` over `height` wide: a part whose
/// areas, direction and surface are known.
typedef struct tip {
  double half, height, depth, scale;
  ts_vec3 place; ///< of the tip over the slab
  double turn;   ///< about the axis
} tip;

static void check_tip(const tip *t, const ts_mesh *slab_mesh, ts_pose world, bool swapped,
                      const char *what) {
  ts_mesh *cone = pyramid(t->half * t->scale, t->height * t->scale);
  ts_vec3 at = ts_vec3_scale((ts_vec3){t->place.x, -t->depth, t->place.z}, t->scale);
  ts_pose pose = {ts_quat_from_axis_angle((ts_vec3){0, 1, 0}, t->turn), at};
  pose = (ts_pose){ts_quat_mul(world.rotation, pose.rotation), ts_pose_point(world, at)};
  ts_elastic_pair *pair = swapped ? elastic_pair_of(arena, cone, pose, slab_mesh, world)
                                  : elastic_pair_of(arena, slab_mesh, world, cone, pose);
  ts_inside inside = elastic_inside(pair);
  cr_assert_eq(inside.part_count, 1, "%s: %zu parts", what, inside.part_count);
  double reach = t->depth * t->half / t->height, size_m2 = t->scale * t->scale;
  double square = 4 * reach * reach;
  double sides = square * sqrt(1 + t->height * t->height / (t->half * t->half));
  const ts_inside_part *part = &inside.parts[0];
  cr_assert_float_eq(part->area_m2[swapped] / size_m2, square, 1e-6 * square, "%s: %g not %g", what,
                     part->area_m2[swapped] / size_m2, square);
  cr_assert_float_eq(part->area_m2[!swapped] / size_m2, sides, 1e-6 * sides, "%s: %g not %g", what,
                     part->area_m2[!swapped] / size_m2, sides);
  ts_contact_surface s = elastic_surface(pair, 0.5);
  cr_assert_float_eq(elastic_flat_area(&s) / size_m2, square, 1e-6 * square, "%s: %g not %g", what,
                     elastic_flat_area(&s) / size_m2, square);
  double volume = square * t->depth / 3 * size_m2 * t->scale;
  cr_assert_float_eq(elastic_volume(&s), volume, 1e-6 * volume, "%s", what);
}

Test(elastic_cut_curves, pyramids_of_all_heights_leave_a_square_in_every_slab) {
  static const double heights[] = {0.25, 0.3, 0.4, 0.5, 0.6, 0.70710678118654757, 0.8, 1, 2};
  static const double turns[] = {0, 0.3, 0.78539816339744828};
  static const ts_vec3 places[] = {{0, 0, 0}, {0.5, 0, 0.5}, {0.31, 0, -0.17}, {0.1, 0, 0}};
  for (int kind = 0; kind < SLAB_COUNT - 1; kind++)
    for (size_t h = 0; h < sizeof heights / sizeof *heights; h++)
      for (size_t i = 0; i < 24; i++) {
        ts_arena_mark mark = ts_arena_get_mark(arena);
        tip t = {0.5, heights[h], 0.1, 1, places[i % 4], turns[i / 4 % 3]};
        ts_pose world = i % 5 ? elastic_at(0, 0, 0)
                              : (ts_pose){ts_quat_from_axis_angle(ts_vec3_unit((ts_vec3){1, 2, 3}),
                                                                  1 + (double)i),
                                          {1, -2, 3}};
        char what[80];
        snprintf(what, sizeof what, "slab %d, height %g, way %zu", kind, heights[h], i);
        check_tip(&t, slab(kind, 1), world, i >= 12, what);
        ts_arena_rewind(arena, mark);
      }
}

Test(elastic_cut_curves, a_square_in_a_fine_slab_has_its_outer_ring) {
  // Cuts along the lines of the grid, and beside them.
  static const double depths[] = {0.1, 0.09, 0.105, 0.15, 0.2};
  for (size_t i = 0; i < sizeof depths / sizeof *depths; i++) {
    ts_arena_mark mark = ts_arena_get_mark(arena);
    tip t = {0.5, 0.5, depths[i], 1, {0, 0, 0}, 0};
    check_tip(&t, slab(3, 1), elastic_at(0, 0, 0), i % 2, "a fine slab");
    ts_arena_rewind(arena, mark);
  }
}

Test(elastic_cut_curves, neither_scale_nor_distance_from_the_origin_changes_a_square) {
  static const double scales[] = {1e-3, 1, 1e3};
  static const double heights[] = {0.3, 0.5, 0.8};
  for (int i = 0; i < 9; i++) {
    ts_arena_mark mark = ts_arena_get_mark(arena);
    double scale = scales[i / 3];
    tip t = {0.5, heights[i % 3], 0.1, scale, {0.1, 0, 0.2}, 0};
    ts_pose world = elastic_at(1e3 * scale, -2e3 * scale, 3e3 * scale);
    check_tip(&t, slab(i % 3, scale), world, i % 2, "far away");
    ts_arena_rewind(arena, mark);
  }
}

Test(elastic_cut_curves, boxes_on_a_corner_or_an_edge_leave_their_tips) {
  // A unit cube on its corner leaves a triangle, on its edge a strip; a quarter turn about y is
  // added, so that cuts run along sides, along diagonals and across.
  ts_mesh *cube = elastic_box(arena, (ts_vec3){0.5, 0.5, 0.5}, (ts_vec3){0, 0, 0});
  const double depth = 0.2, flat = 1 / sqrt(2), tall = sqrt(3) / 2;
  for (int i = 0; i < 24; i++) {
    ts_arena_mark mark = ts_arena_get_mark(arena);
    ts_quat on_edge = ts_quat_from_axis_angle((ts_vec3){0, 0, 1}, 0.78539816339744828);
    ts_quat on_corner =
        ts_quat_mul(ts_quat_from_axis_angle((ts_vec3){1, 0, 0}, atan(flat)),
                    ts_quat_from_axis_angle((ts_vec3){0, 0, 1}, 0.78539816339744828));
    ts_quat turn = ts_quat_from_axis_angle((ts_vec3){0, 1, 0}, 0.26179938779914941 * (i / 2));
    double above = (i % 2 ? tall : flat) - depth;
    ts_pose pose = {ts_quat_mul(turn, i % 2 ? on_corner : on_edge), {0, above, 0}};
    ts_elastic_pair *pair =
        i % 3 ? elastic_pair_of(arena, slab(i % 3, 1), elastic_at(0, 0, 0), cube, pose)
              : elastic_pair_of(arena, cube, pose, slab(0, 1), elastic_at(0, 0, 0));
    ts_contact_surface s = elastic_surface(pair, 0.5);
    // Three edges at right angles: a tip d high has a triangle of area 3 sqrt(3) / 2 d^2.
    double area = i % 2 ? 1.5 * sqrt(3) * depth * depth : 2 * depth;
    cr_assert_float_eq(elastic_flat_area(&s), area, 1e-7, "way %d: %g not %g", i,
                       elastic_flat_area(&s), area);
    double volume = area * depth / (i % 2 ? 3 : 2);
    cr_assert_float_eq(elastic_volume(&s), volume, 1e-7, "way %d", i);
    ts_arena_rewind(arena, mark);
  }
}

/// The area of the section of a mesh that is y = 0 in the world: the shoelace formula over the
/// segments in which its triangles cross it.
static double section_area(const ts_mesh *mesh, ts_pose pose) {
  double area = 0;
  for (size_t t = 0; t < mesh->triangle_count; t++) {
    ts_vec3 down = {0, 0, 0}, up = {0, 0, 0};
    for (int i = 0; i < 3; i++) {
      ts_vec3 p = ts_pose_point(pose, mesh->vertices[mesh->triangles[t][i]]);
      ts_vec3 q = ts_pose_point(pose, mesh->vertices[mesh->triangles[t][(i + 1) % 3]]);
      if ((p.y > 0) == (q.y > 0))
        continue;
      ts_vec3 *end = p.y > 0 ? &down : &up;
      *end = ts_vec3_lerp(p, q, p.y / (p.y - q.y));
    }
    area += 0.5 * (down.x * up.z - down.z * up.x);
  }
  return fabs(area);
}

Test(elastic_cut_curves, random_bodies_in_a_slab_leave_their_section) {
  ts_random random = ts_random_seed(21, 0);
  for (int i = 0; i < 60; i++) {
    ts_arena_mark mark = ts_arena_get_mark(arena);
    ts_mesh *rock = elastic_rock(arena, &random);
    ts_pose pose = {ts_quat_from_axis_angle(elastic_random_direction(&random), i),
                    {0.2, ts_random_uniform(&random, 0.3, 0.65), 0.1}};
    ts_elastic_pair *pair =
        elastic_pair_of(arena, slab(i % SLAB_COUNT, 1), elastic_at(0, 0, 0), rock, pose);
    ts_inside inside = elastic_inside(pair);
    double area = section_area(rock, pose);
    cr_assert_eq(inside.part_count, 1, "rock %d: %zu parts", i, inside.part_count);
    cr_assert_float_eq(inside.parts[0].area_m2[0], area, 1e-6, "rock %d: %g not %g", i,
                       inside.parts[0].area_m2[0], area);
    cr_assert_float_eq(inside.parts[0].area_vector_m2[1].y, -area, 1e-6, "rock %d", i);
    ts_arena_rewind(arena, mark);
  }
}

Test(elastic_cut_curves, faces_that_touch_without_depth_have_no_part_and_with_some_have_it_all) {
  ts_mesh *cube = elastic_box(arena, (ts_vec3){0.5, 0.5, 0.5}, (ts_vec3){0, 0, 0});
  ts_mesh *box = elastic_box(arena, (ts_vec3){0.2, 0.25, 0.3}, (ts_vec3){0, 0, 0});
  ts_quat tilt = ts_quat_from_axis_angle(ts_vec3_unit((ts_vec3){1, 2, 3}), 0.7);
  for (int i = 0; i < 36; i++) {
    double depth = i % 3 == 2 ? 1e-6 : 0;
    ts_quat turn = ts_quat_from_axis_angle((ts_vec3){0, 1, 0}, 0.52359877559829882 * (i / 3));
    ts_pose world = {i % 2 ? ts_quat_identity() : tilt, {3 * (i % 2), 1, -2}};
    ts_vec3 at = ts_pose_point(world, (ts_vec3){0.1, 0.75 - depth, 0.05});
    ts_inside inside = elastic_inside(
        elastic_pair_of(arena, cube, world, box, (ts_pose){ts_quat_mul(world.rotation, turn), at}));
    cr_assert_eq(inside.part_count, depth > 0, "way %d: %zu parts", i, inside.part_count);
    if (depth > 0)
      cr_assert_float_eq(inside.parts[0].area_m2[0], 0.24, 1e-6, "way %d: %g", i,
                         inside.parts[0].area_m2[0]);
  }
}

Test(elastic_cut_curves, faces_that_are_nearly_parallel_leave_the_half_that_is_inside) {
  // Pieces count as moved outwards by 1e-9, and end so much over the angle farther than the depth.
  static const double angles[] = {1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 3e-7};
  ts_mesh *cube = elastic_box(arena, (ts_vec3){0.5, 0.5, 0.5}, (ts_vec3){0, 0.5, 0});
  for (int i = 0; i < 24; i++) {
    ts_arena_mark mark = ts_arena_get_mark(arena);
    double angle = angles[i / 4];
    ts_pose pose = {ts_quat_from_axis_angle((ts_vec3){0, 0, 1}, angle), {0.3, 0, 0.1}};
    ts_mesh *below = slab(i % 2, 1);
    ts_elastic_pair *pair = i % 4 < 2
                                ? elastic_pair_of(arena, below, elastic_at(0, 0, 0), cube, pose)
                                : elastic_pair_of(arena, cube, pose, below, elastic_at(0, 0, 0));
    ts_contact_surface s = elastic_surface(pair, 0.5);
    double slack = 1e-9 + angle * angle;
    cr_assert_float_eq(elastic_flat_area(&s), 0.5, slack, "way %d: %.12g", i,
                       elastic_flat_area(&s));
    cr_assert_float_eq(elastic_volume(&s) / angle, 0.125, slack, "way %d: %.12g", i,
                       elastic_volume(&s) / angle);
    ts_arena_rewind(arena, mark);
  }
}

Test(elastic_cut_curves, an_overlap_in_layers_is_refused_with_what_is_covered) {
  ts_mesh *mesh = elastic_shelves(arena);
  ts_elastic_pair *pair =
      elastic_pair_of(arena, mesh, elastic_at(0, 0, 0), mesh, elastic_at(0, 0.1, 0));
  ts_inside inside = elastic_inside(pair);
  cr_assert_eq(inside.part_count, 1);
  // A shelf, and the other one with the wall; between them a strip of the wall.
  cr_assert_float_eq(inside.parts[0].area_m2[0], 5.1, 1e-6);
  cr_assert_float_eq(inside.parts[0].area_m2[1], 5.1, 1e-6);
  ts_contact_surface s;
  cr_assert_eq(ts_contact_surface_create(&s, pair, &inside, 0, (ts_vec3){0, 1, 0}, 0.5),
               TS_SKIPPED);
  cr_assert_not_null(
      strstr(ts_status_detail(), "the overlap covers 5 m2, and the contact surface 3 m2 of it"),
      "%s", ts_status_detail());
}
