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
