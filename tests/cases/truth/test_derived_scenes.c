// SPDX-License-Identifier: MIT
// covers: cases/truth/derived_edges.c cases/truth/derived_places.c cases/truth/derived_polygons.c
// covers: cases/truth/derived_runs.c cases/truth/derived_search.c cases/truth/derived_surface.c
// covers: cases/truth/derived_terms.c cases/truth/derived_truth.c
// Derived truth of scenes whose answer is known by hand and that no case has: faces that are not
// convex, several places on one pair of faces, small tilts, overlaps, bodies in another order.
#include "base/status.h"
#include "cases/blocks.h"
#include "cases/case.h"
#include "cases/truth/derived_truth.h"
#include "cases/truth/moved_truth.h"
#include "geometry/tolerances.h"
#include "tests/cases/case_fixture.h"

#include <criterion/criterion.h>
#include <string.h>

static ts_arena *arena;

static void setup(void) {
  arena = case_fixture_arena();
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

static ts_scene *new_scene(void) {
  ts_scene *scene;
  cr_assert_eq(ts_scene_create(&scene, arena), TS_OK);
  return scene;
}

static void add_body(ts_scene *scene, int32_t shape, ts_vec3 at, ts_quat rotation) {
  int32_t body;
  cr_assert_eq(ts_scene_add_body(&body, scene, "body", shape, (ts_pose){rotation, at}, false),
               TS_OK);
}

static void add_box(ts_scene *scene, double x, double y, double z, ts_vec3 at, ts_quat rotation) {
  int32_t shape;
  cr_assert_eq(ts_shape_box(&shape, scene, "box", x, y, z), TS_OK);
  add_body(scene, shape, at, rotation);
}

/// Cells of a quarter of a metre, three by `layers` by three, around the axis of y from 0 upwards,
/// as drawn from below: '#' is solid. Each layer has nine characters.
static void add_cells(ts_scene *scene, uint32_t layers, const char *drawing, ts_vec3 at) {
  const double across[4] = {-0.375, -0.125, 0.125, 0.375}, up[3] = {0, 0.25, 0.5};
  const uint32_t count[3] = {3, layers, 3};
  bool is_solid[18];
  for (uint32_t layer = 0; layer < layers; layer++)
    for (uint32_t z = 0; z < 3; z++)
      for (uint32_t x = 0; x < 3; x++)
        is_solid[x + 3 * (layer + layers * z)] = drawing[9 * layer + 3 * z + x] == '#';
  int32_t shape;
  cr_assert_eq(ts_shape_blocks(&shape, scene, "cells", count,
                               (const double *const[]){across, up, across}, is_solid),
               TS_OK);
  add_body(scene, shape, at, ts_quat_identity());
}

static void derive(ts_scene *scene) {
  ts_status status = ts_derive_truth(scene, TS_TOUCH_RELATIVE);
  cr_assert_eq(status, TS_OK, "%d %s", status, ts_status_detail());
}

static void expect_totals(const ts_scene *scene, size_t regions, size_t minimum, double area_m2,
                          double length_m, size_t points) {
  ts_truth_totals t = ts_scene_truth_totals(scene, TS_REFERENCE_DESIGN);
  cr_expect_eq(t.regions, regions, "%zu regions", t.regions);
  cr_expect_eq(t.minimum, minimum, "minimum %zu", t.minimum);
  cr_expect_float_eq(t.area_m2, area_m2, 1e-9, "area %g", t.area_m2);
  cr_expect_float_eq(t.length_m, length_m, 1e-9, "length %g", t.length_m);
  cr_expect_eq(t.points, points, "%zu points", t.points);
  for (size_t i = 0; i < scene->region_count; i++)
    for (size_t n = 0; n < scene->regions[i].feasible[TS_REFERENCE_FEASIBLE].count; n++)
      cr_expect_float_eq(
          ts_vec3_norm(scene->regions[i].feasible[TS_REFERENCE_FEASIBLE].normals[n].normal), 1,
          1e-12);
}

static const ts_quat level = {1, 0, 0, 0};

/// Whether the one region of a scene is a flat place of these pieces, its hull apart from them.
static void expect_place(const ts_scene *scene, double pieces_m2, double hull_m2, size_t corners) {
  cr_assert_eq(scene->region_count, 1);
  const ts_region *region = &scene->regions[0];
  cr_expect_eq(region->vertex_count, corners);
  cr_expect_float_eq(ts_region_measure(region), hull_m2, 1e-9);
  double sum_m2 = 0;
  for (size_t p = 0; p < region->piece_count; p++) {
    ts_region piece = *region;
    piece.vertex_count = region->pieces[p].count;
    piece.vertices = region->pieces[p].vertices;
    sum_m2 += ts_region_measure(&piece);
  }
  cr_expect_float_eq(sum_m2, pieces_m2, 1e-9, "%g m2", sum_m2);
  for (size_t v = 0; v < region->vertex_count; v++)
    cr_expect_float_eq(ts_region_distance(region, region->vertices[v]), 0, 1e-9);
}

Test(cases_derived_scenes, legs_on_a_floor_are_one_place, .init = setup, .fini = teardown) {
  ts_scene *scene = new_scene();
  add_box(scene, 3, 1, 3, ts_vec3_make(0, -0.5, 0), level);
  add_cells(scene, 2,
            "#.#...#.#"
            "#########",
            ts_vec3_make(0, 0, 0));
  derive(scene);
  expect_totals(scene, 1, 4, 9.0 / 16, 0, 0);
  expect_place(scene, 4.0 / 16, 9.0 / 16, 4);
  cr_expect_float_eq(ts_region_distance(&scene->regions[0], ts_vec3_make(0, 0, 0)), sqrt(0.5) / 4,
                     1e-9, "between the legs is not in the place");
  // Moved a little, the joints make the same place.
  scene->bodies[1].pose.translation.y += 1e-3;
  cr_assert_eq(ts_scene_resolve_truth(scene), TS_OK);
  expect_place(scene, 4.0 / 16, 9.0 / 16, 4);
  cr_expect_float_eq(scene->regions[0].feasible[TS_REFERENCE_DESIGN].normals[0].gap_m, 1e-3, 1e-12);
}

Test(cases_derived_scenes, a_face_that_is_not_convex_is_one_place, .init = setup,
     .fini = teardown) {
  // An L has a hull of five corners; that of a U and of a ring is a square.
  const char *feet[] = {"#..#..###", "#.##.####", "####.####"};
  const size_t corners[] = {5, 4, 4}, cells[] = {5, 7, 8};
  const double hull_m2[] = {7.0 / 16, 9.0 / 16, 9.0 / 16};
  for (int i = 0; i < 3; i++) {
    ts_scene *scene = new_scene();
    add_box(scene, 3, 1, 3, ts_vec3_make(0, -0.5, 0), level);
    add_cells(scene, 1, feet[i], ts_vec3_make(0, 0, 0));
    derive(scene);
    expect_totals(scene, 1, corners[i], hull_m2[i], 0, 0);
    expect_place(scene, (double)cells[i] / 16, hull_m2[i], corners[i]);
  }
}

Test(cases_derived_scenes, a_box_over_a_hole_rests_on_its_rim, .init = setup, .fini = teardown) {
  ts_scene *scene = build_case(arena, "peg_in_hole", {"play_m", 0});
  add_box(scene, 1, 1, 0.2, ts_vec3_make(0, 0.5, 0), level);
  scene->bodies[1].pose.translation.x = 5; // the peg
  scene->bodies[1].pose.translation.y = 9;
  derive(scene);
  // The hole is half a metre wide; the box spans it.
  expect_totals(scene, 1, 4, 0.2, 0, 0);
  expect_place(scene, 0.5 * 0.2, 0.2, 4);
}

Test(cases_derived_scenes, pieces_of_a_region_are_joined, .init = setup, .fini = teardown) {
  // Two bars on a ring, whose top is cut in four.
  ts_scene *scene = new_scene();
  add_cells(scene, 1, "####.####", ts_vec3_make(0, 0, 0));
  add_cells(scene, 2,
            "###...###"
            "#########",
            ts_vec3_make(0, 0.25, 0));
  derive(scene);
  expect_totals(scene, 1, 4, 9.0 / 16, 0, 0);
  expect_place(scene, 6.0 / 16, 9.0 / 16, 4);
}

Test(cases_derived_scenes, a_ridge_over_a_cut_face_is_one_segment, .init = setup,
     .fini = teardown) {
  const double quarter = 0.78539816339744831;
  ts_quat turn = ts_quat_from_axis_angle(ts_vec3_make(0, 0, 1), quarter);
  // Along two sides of a ring in turn, beyond its outer edges, and across its hole.
  const double at[] = {0.25, -0.25, 0};
  const size_t segments[] = {1, 1, 2};
  for (int i = 0; i < 3; i++)
    for (int across = 0; across < 2; across++) {
      ts_scene *scene = new_scene();
      add_cells(scene, 1, "####.####", ts_vec3_make(0, 0, 0));
      ts_quat round = ts_quat_from_axis_angle(ts_vec3_make(0, 1, 0), 2 * quarter * across);
      ts_vec3 place = {across ? 0 : at[i], 0.25 + sqrt(0.5), across ? at[i] : 0};
      add_box(scene, 1, 1, 2, place, ts_quat_mul(round, turn));
      derive(scene);
      expect_totals(scene, segments[i], 2 * segments[i], 0, segments[i] == 1 ? 0.75 : 0.5, 0);
    }
}

Test(cases_derived_scenes, a_face_of_many_triangles_is_cut_in_few, .init = setup,
     .fini = teardown) {
  enum { CELLS = 32 };
  double across[CELLS + 1];
  const double up[2] = {-1, 0};
  bool is_solid[CELLS * CELLS];
  for (int i = 0; i <= CELLS; i++)
    across[i] = -1 + 2.0 * i / CELLS;
  for (int i = 0; i < CELLS * CELLS; i++)
    is_solid[i] = i % CELLS < CELLS / 2 || i / CELLS < CELLS / 2; // an L
  const uint32_t count[3] = {CELLS, 1, CELLS};
  ts_scene *scene = new_scene();
  int32_t shape;
  cr_assert_eq(ts_shape_blocks(&shape, scene, "blocks", count,
                               (const double *const[]){across, up, across}, is_solid),
               TS_OK);
  add_body(scene, shape, ts_vec3_make(0, 0, 0), level);
  add_box(scene, 3, 1, 3, ts_vec3_make(0, 0.5, 0), level);
  derive(scene);
  ts_truth_totals t = ts_scene_truth_totals(scene, TS_REFERENCE_DESIGN);
  cr_expect_float_eq(t.area_m2, 3.5, 1e-9);
  cr_expect(t.regions == 1 && t.minimum == 5, "%zu regions, minimum %zu", t.regions, t.minimum);
  cr_expect_leq(scene->regions[0].piece_count, 6, "%zu pieces", scene->regions[0].piece_count);
}

Test(cases_derived_scenes, a_tip_like_a_star_on_a_box_demands_its_normal_once, .init = setup,
     .fini = teardown) {
  // A pyramid with its tip down over a star of four points: no two of its faces are convex with it.
  ts_vec3 vertices[10];
  uint32_t triangles[16][3];
  vertices[0] = ts_vec3_make(0, 0, 0);
  vertices[1] = ts_vec3_make(0, 1, 0);
  for (uint32_t i = 0; i < 8; i++) {
    double angle = 6.28318530717958647693 / 8 * i, radius = i % 2 ? 0.3 : 1;
    vertices[2 + i] = ts_vec3_make(radius * cos(angle), 1, -radius * sin(angle));
    uint32_t here = 2 + i, next = 2 + (i + 1) % 8;
    const uint32_t side[3] = {0, next, here}, cap[3] = {1, here, next};
    memcpy(triangles[2 * i], side, sizeof side);
    memcpy(triangles[2 * i + 1], cap, sizeof cap);
  }
  ts_scene *scene = new_scene();
  int32_t shape;
  ts_status status =
      ts_scene_add_shape(&shape, scene, "star", vertices, 10, (const uint32_t(*)[3])triangles, 16);
  cr_assert_eq(status, TS_OK, "%s", ts_status_detail());
  add_box(scene, 3, 1, 3, ts_vec3_make(0, -0.5, 0), level);
  add_body(scene, shape, ts_vec3_make(0, 0, 0), level);
  derive(scene);
  cr_assert_eq(scene->region_count, 1);
  cr_expect_eq(scene->regions[0].vertex_count, 1);
  cr_assert_eq(scene->regions[0].feasible[TS_REFERENCE_FEASIBLE].count, 1);
  cr_expect_gt(scene->regions[0].feasible[TS_REFERENCE_FEASIBLE].normals[0].normal.y, 1 - 1e-12);
}

Test(cases_derived_scenes, two_tips_in_one_point_need_a_floor_once, .init = setup,
     .fini = teardown) {
  ts_vec3 vertices[8];
  uint32_t triangles[8][3];
  for (uint32_t i = 0; i < 2; i++) {
    double side = i == 0 ? 1 : -1; // turned by half a turn
    vertices[4 * i] = ts_vec3_make(0, 0, 0);
    vertices[4 * i + 1] = ts_vec3_make(side, 1, 0.3 * side);
    vertices[4 * i + 2] = ts_vec3_make(side, 1, -0.3 * side);
    vertices[4 * i + 3] = ts_vec3_make(side, 2, 0);
    const uint32_t faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
    for (int t = 0; t < 4; t++)
      for (int k = 0; k < 3; k++)
        triangles[4 * i + (uint32_t)t][k] = 4 * i + faces[t][k];
  }
  ts_scene *scene = new_scene();
  int32_t shape;
  ts_status status =
      ts_scene_add_shape(&shape, scene, "tips", vertices, 8, (const uint32_t(*)[3])triangles, 8);
  cr_assert_eq(status, TS_OK, "%s", ts_status_detail());
  add_box(scene, 3, 1, 3, ts_vec3_make(0, -0.5, 0), level);
  add_body(scene, shape, ts_vec3_make(0, 0, 0), level);
  derive(scene);
  expect_totals(scene, 1, 1, 0, 0, 1);
}

/// It may move up and down, and aside by neither of two walls at once.
Test(cases_derived_scenes, a_peg_about_to_enter_its_hole_has_two_ways_at_each_side, .init = setup,
     .fini = teardown) {
  ts_scene *scene = build_default(arena, "peg_in_hole");
  scene->bodies[1].pose.translation.y += 0.75; // as deep as the hole
  derive(scene);
  // At a corner of the hole two sides meet, and the normal upwards is right for both.
  expect_totals(scene, 4, 4, 0, 4 * 0.5, 0);
  for (size_t i = 0; i < scene->region_count; i++)
    cr_expect_eq(scene->regions[i].feasible[TS_REFERENCE_FEASIBLE].count, 2);
}

Test(cases_derived_scenes, ridges_along_each_other_have_two_normals_in_any_pose, .init = setup,
     .fini = teardown) {
  for (double seed = 1; seed <= 300; seed++) {
    ts_arena_mark mark = ts_arena_get_mark(arena);
    ts_scene *scene = build_case(arena, "wedges", {"motion_seed", seed});
    derive(scene);
    expect_totals(scene, 1, 2, 0, 3.2, 0);
    cr_expect_eq(scene->regions[0].feasible[TS_REFERENCE_FEASIBLE].count, 2, "seed %g", seed);
    ts_arena_rewind(arena, mark);
  }
}

/// The cross product of ridges that are parallel but for rounding lies between the two normals: it
/// is none of its own.
Test(cases_derived_scenes, ridges_that_rounding_has_turned_are_parallel, .init = setup,
     .fini = teardown) {
  ts_scene *scene = build_default(arena, "wedges");
  ts_pose *upper = &scene->bodies[1].pose;
  ts_quat turn = ts_quat_from_axis_angle(ts_vec3_make(0, 1, 0), 2e-7);
  upper->rotation = ts_quat_mul(turn, upper->rotation);
  cr_assert_eq(ts_derive_truth(scene, 1e-6), TS_OK, "%s", ts_status_detail());
  expect_totals(scene, 1, 2, 0, 3.2, 0);
  cr_expect_eq(scene->regions[0].feasible[TS_REFERENCE_FEASIBLE].count, 2);
  cr_expect_eq(scene->regions[0].feasible[TS_REFERENCE_DESIGN].count, 1);
}

/// Where a coordinate is exact to 1e-8 m, boxes of half a metre touch no better.
Test(cases_derived_scenes, rounding_of_far_coordinates_makes_no_gap, .init = setup,
     .fini = teardown) {
  for (double far = 1e7; far <= 1e8; far *= 1.25) {
    ts_scene *scene = new_scene();
    ts_quat turn = ts_quat_from_axis_angle(ts_vec3_make(1, 0, 0), 0.3);
    ts_vec3 up = ts_quat_rotate(turn, ts_vec3_make(0, 1, 0)), at = {far, far, far};
    add_box(scene, 0.5, 0.5, 0.5, at, turn);
    add_box(scene, 0.5, 0.5, 0.5, ts_vec3_add_scaled(at, 0.5, up), turn);
    derive(scene);
    cr_assert_eq(scene->region_count, 1, "%g", far);
    cr_expect_float_eq(ts_region_measure(&scene->regions[0]), 0.25, 1e-6);
  }
}

Test(cases_derived_scenes, a_box_tilted_by_a_tenth_of_a_degree_rests_on_its_edge, .init = setup,
     .fini = teardown) {
  const double tilts_rad[] = {1e-5, 1e-3 * 1.7453292519943295, 0.1};
  for (int i = 0; i < 3; i++) {
    ts_scene *scene = new_scene();
    add_box(scene, 3, 1, 3, ts_vec3_make(0, -0.5, 0), level);
    ts_quat turn = ts_quat_from_axis_angle(ts_vec3_make(0, 0, 1), tilts_rad[i]);
    // The edge at +x, -y comes to the origin.
    ts_vec3 to_edge = ts_quat_rotate(turn, ts_vec3_make(-0.5, -0.5, 0));
    add_box(scene, 1, 1, 1, ts_vec3_neg(to_edge), turn);
    derive(scene);
    expect_totals(scene, 1, 2, 0, 1, 0);
    cr_expect_gt(scene->regions[0].feasible[TS_REFERENCE_DESIGN].normals[0].normal.y, 1 - 1e-12);
  }
}

Test(cases_derived_scenes, edges_along_each_other_have_two_normals_and_no_velocity_picks_none,
     .init = setup, .fini = teardown) {
  const double quarter = 0.78539816339744831;
  ts_quat turn = ts_quat_from_axis_angle(ts_vec3_make(0, 0, 1), quarter);
  const double half_diagonal = sqrt(0.5);
  ts_scene *scene = new_scene();
  add_box(scene, 1, 1, 1, ts_vec3_make(0, -half_diagonal, 0), turn);
  add_box(scene, 1, 1, 2, ts_vec3_make(0, half_diagonal, 0.8), turn);
  derive(scene);
  // From z = -0.2, where the upper one begins, to z = 0.5.
  expect_totals(scene, 1, 2, 0, 0.7, 0);
  cr_expect_not(scene->regions[0].needs_all);
  cr_expect_eq(scene->regions[0].feasible[TS_REFERENCE_DESIGN].count, 2);
  scene->bodies[1].twist.linear_m_s = ts_vec3_make(1, -2, 0);
  derive(scene);
  const ts_feasible_set *design = &scene->regions[0].feasible[TS_REFERENCE_DESIGN];
  cr_assert_eq(design->count, 1);
  cr_expect_float_eq(design->normals[0].normal.x, half_diagonal, 1e-12);
}

Test(cases_derived_scenes, a_box_with_its_corner_on_a_corner_may_leave_any_of_many_ways,
     .init = setup, .fini = teardown) {
  // Corner on opposite corner: both normal cones are octants, one the opposite of the other.
  ts_scene *scene = new_scene();
  add_box(scene, 1, 1, 1, ts_vec3_make(0, 0, 0), level);
  add_box(scene, 2, 2, 2, ts_vec3_make(1.5, 1.5, 1.5), level);
  derive(scene);
  expect_totals(scene, 1, 1, 0, 0, 1);
  cr_expect_eq(scene->regions[0].feasible[TS_REFERENCE_FEASIBLE].count, 3);
}

/// A cube of edge `edge` in one of edge 2 around the origin.
static ts_scene *cube_in_cube(double edge, ts_vec3 centre) {
  ts_scene *scene = new_scene();
  add_box(scene, 2, 2, 2, ts_vec3_make(0, 0, 0), level);
  add_box(scene, edge, edge, edge, centre, level);
  return scene;
}

Test(cases_derived_scenes, what_overlaps_touches_after_the_shortest_way_out, .init = setup,
     .fini = teardown) {
  static const struct {
    double edge;
    ts_vec3 centre;
    ts_vec3 way_out;
    double area_m2;
  } cubes[] = {{0.1, {0, 0.95, 0}, {0, 0.1, 0}, 0.01},
               {2, {0, 1.9, 0}, {0, 0.1, 0}, 4},
               {0.1, {0.1, 0.2, 0.1}, {0, 0.85, 0}, 0.01},
               {2, {0.1, 0.2, 0.1}, {0, 1.8, 0}, 1.9 * 1.9},
               {0.1, {0, 1.049999, 0}, {0, 1e-6, 0}, 0.01},
               {2, {-1.9, -1.8, -1.7}, {-0.1, 0, 0}, 0.2 * 0.3}};
  for (size_t i = 0; i < sizeof cubes / sizeof *cubes; i++) {
    ts_scene *scene = cube_in_cube(cubes[i].edge, cubes[i].centre);
    ts_vec3 way_out = cubes[i].way_out;
    derive(scene);
    expect_totals(scene, 1, 4, cubes[i].area_m2, 0, 0);
    const ts_region *region = &scene->regions[0];
    const ts_feasible *normal = &region->feasible[TS_REFERENCE_DESIGN].normals[0];
    cr_expect_lt(ts_vec3_distance(region->way_out, way_out), 1e-12, "%zu", i);
    cr_expect_lt(ts_vec3_distance(normal->normal, ts_vec3_unit(way_out)), 1e-12, "%zu", i);
    cr_expect_float_eq(normal->gap_m, -ts_vec3_norm(way_out), 1e-12, "%zu", i);
    // Midway between the face of the one and that of the other.
    double middle = 1 - 0.5 * ts_vec3_norm(way_out);
    for (size_t v = 0; v < region->vertex_count; v++)
      cr_expect_float_eq(ts_vec3_dot(region->vertices[v], normal->normal), middle, 1e-12, "%zu", i);
  }
}

/// A tilted box that overlaps with its lower edge, moved on: as deep, and with the same way out.
Test(cases_derived_scenes, the_way_out_is_known_where_bodies_have_moved, .init = setup,
     .fini = teardown) {
  ts_scene *scene = new_scene();
  add_box(scene, 4, 1, 4, ts_vec3_make(0, -0.5, 0), level);
  const double tilt_rad = 2e-3, deep_m = 3e-3;
  ts_quat tilt = ts_quat_from_axis_angle(ts_vec3_make(0, 0, 1), tilt_rad);
  double lowest_m = 0.5 * (cos(tilt_rad) + sin(tilt_rad));
  add_box(scene, 1, 1, 1, ts_vec3_make(0, lowest_m - deep_m, 0), tilt);
  derive(scene);
  ts_moved_truth *truth;
  ts_scene *there;
  ts_body bodies[2] = {scene->bodies[0], scene->bodies[1]};
  bodies[1].pose.translation =
      ts_vec3_add(bodies[1].pose.translation, ts_vec3_make(0.001, 0.001, 0));
  cr_assert_eq(ts_moved_truth_create(&truth, arena, scene), TS_OK);
  cr_assert_eq(ts_scene_at(&there, arena, scene, bodies, truth), TS_OK);
  cr_assert_eq(there->region_count, 1);
  ts_vec3 way_out = ts_vec3_make(0, deep_m - 0.001, 0);
  cr_expect_lt(ts_vec3_distance(there->regions[0].way_out, way_out), 1e-9);
}

/// Edges that go through a face within the tolerance, and those of a thin tip, look as if they only
/// touched.
Test(cases_derived_scenes, a_shallow_overlap_and_that_of_a_thin_pin_are_no_touch, .init = setup,
     .fini = teardown) {
  for (double touches = 1.1; touches < 20; touches *= 1.3) {
    double depth_m = touches * TS_TOUCH_RELATIVE * 2;
    ts_scene *scene = cube_in_cube(2, ts_vec3_make(0, 2 - depth_m, 0.5));
    derive(scene);
    expect_totals(scene, 1, 4, 2 * 1.5, 0, 0);
    cr_expect_float_eq(scene->regions[0].way_out.y, depth_m, 1e-15, "%g touches", touches);
  }
  const double r = 1e-4, deep_m = 0.01;
  const ts_vec3 pin[5] = {{0, 0, 0}, {r, 1, r}, {r, 1, -r}, {-r, 1, -r}, {-r, 1, r}};
  static const uint32_t triangles[6][3] = {{0, 2, 1}, {0, 3, 2}, {0, 4, 3},
                                           {0, 1, 4}, {1, 3, 4}, {1, 2, 3}};
  ts_scene *scene = new_scene();
  int32_t shape;
  add_box(scene, 2, 2, 2, ts_vec3_make(0, -1, 0), level);
  cr_assert_eq(ts_scene_add_shape(&shape, scene, "pin", pin, 5, triangles, 6), TS_OK, "%s",
               ts_status_detail());
  add_body(scene, shape, ts_vec3_make(0.1, -deep_m, 0.1), level);
  cr_assert_eq(ts_derive_truth(scene, TS_POSITION_RELATIVE), TS_OK);
  cr_assert_eq(scene->region_count, 1);
  cr_expect_float_eq(scene->regions[0].feasible[TS_REFERENCE_DESIGN].normals[0].gap_m, -deep_m,
                     1e-12);
}

Test(cases_derived_scenes, the_way_out_turns_and_grows_with_the_scene, .init = setup,
     .fini = teardown) {
  for (double scale = 1e-3; scale <= 1e3; scale *= 1e3) {
    ts_scene *scene = cube_in_cube(2, ts_vec3_make(0.1, 1.8, 0.3));
    ts_pose motion = {ts_quat_from_axis_angle(ts_vec3_unit(ts_vec3_make(1, 2, 3)), 0.7),
                      ts_vec3_make(100 * scale, 0, 0)};
    cr_assert_eq(ts_scene_transform(scene, scale, motion), TS_OK);
    derive(scene);
    ts_vec3 way_out = ts_pose_direction(motion, ts_vec3_make(0, 0.2 * scale, 0));
    cr_assert_eq(scene->region_count, 1);
    cr_expect_lt(ts_vec3_distance(scene->regions[0].way_out, way_out), 1e-12 * scale);
    ts_region *region = &scene->regions[0];
    ts_region_transform(region, 2, ts_pose_inverse(motion));
    cr_expect_lt(ts_vec3_distance(region->way_out, ts_vec3_make(0, 0.4 * scale, 0)), 1e-12 * scale);
  }
}

/// Three walls that are one body of several convex pieces, and a box that is in all of them.
Test(cases_derived_scenes, pieces_part_by_one_translation, .init = setup, .fini = teardown) {
  ts_scene *scene = build_default(arena, "box_in_corner");
  ts_vec3 way_out = {0.03, 0.02, 0.01}, *at = &scene->bodies[1].pose.translation;
  *at = ts_vec3_sub(*at, way_out);
  derive(scene);
  expect_totals(scene, 3, 12, 3, 0, 0);
  for (size_t i = 0; i < scene->region_count; i++) {
    const ts_feasible *n = &scene->regions[i].feasible[TS_REFERENCE_DESIGN].normals[0];
    cr_expect_lt(ts_vec3_distance(scene->regions[i].way_out, way_out), 1e-12);
    cr_expect_float_eq(n->gap_m, -ts_vec3_dot(n->normal, way_out), 1e-12);
  }
  // On the walls, over the seam of two pieces: the shortest way out of one of them is sideways.
  *at = ts_vec3_make(0.45, 2.5 - 0.1, -0.25);
  derive(scene);
  cr_assert_eq(scene->region_count, 1);
  cr_expect_lt(ts_vec3_distance(scene->regions[0].way_out, ts_vec3_make(0, 0.1, 0)), 1e-12);
  cr_expect_eq(scene->regions[0].vertex_count, 5, "an L");
}

Test(cases_derived_scenes, an_overlap_without_a_shortest_way_out_says_why, .init = setup,
     .fini = teardown) {
  ts_scene *scene = cube_in_cube(1, ts_vec3_make(0, 1.5, 0));
  derive(scene);
  size_t regions = scene->region_count, joints = scene->joint_count;
  const ts_vec3 tied[] = {{0, 0, 0}, {1.4, 1.4, 0}, {1.4, -1.4, 1.4}};
  for (int i = 0; i < 3; i++) {
    scene->bodies[1].pose.translation = tied[i];
    cr_expect_eq(ts_derive_truth(scene, TS_TOUCH_RELATIVE), TS_SKIPPED);
    cr_expect(strstr(ts_status_detail(), "0 (body) and 1 (body) overlap at"), "%s",
              ts_status_detail());
    cr_expect(strstr(ts_status_detail(), "two ways out are equally short"), "%s",
              ts_status_detail());
    cr_expect(scene->region_count == regions && scene->joint_count == joints, "left as it was");
  }
  scene = build_default(arena, "box_in_corner");
  scene->bodies[1].pose.translation.y -= 0.1;
  scene->shapes[0].piece_count = 0;
  cr_expect_eq(ts_derive_truth(scene, TS_TOUCH_RELATIVE), TS_SKIPPED);
  cr_expect(strstr(ts_status_detail(), "give its pieces"), "%s", ts_status_detail());
}

Test(cases_derived_scenes, bodies_apart_have_no_region, .init = setup, .fini = teardown) {
  ts_scene *scene = new_scene();
  add_box(scene, 2, 2, 2, ts_vec3_make(0, 0, 0), level);
  add_box(scene, 2, 2, 2, ts_vec3_make(0, 2 + 1e-7, 0), level);
  add_box(scene, 1, 1, 1, ts_vec3_make(9, 0, 0), level);
  derive(scene);
  expect_totals(scene, 0, 0, 0, 0, 0);
}

Test(cases_derived_scenes, a_tolerance_out_of_range_is_refused, .init = setup, .fini = teardown) {
  const double bad[] = {0, -1, 0.01, NAN, INFINITY};
  for (int i = 0; i < 5; i++)
    cr_expect_eq(ts_derive_truth(new_scene(), bad[i]), TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), "up to 0.001"));
  derive(new_scene());
}

Test(cases_derived_scenes, far_from_the_origin_the_tolerance_follows, .init = setup,
     .fini = teardown) {
  const char *names[] = {"pillar", "arch", "spikes", "wedge_in_crack", "saddle_on_saddle"};
  for (int i = 0; i < 5; i++) {
    ts_scene *near = build_default(arena, names[i]);
    derive(near);
    for (double seed = 1; seed < 20; seed++) {
      ts_scene *far =
          build_case(arena, names[i], {"motion_seed", seed}, {"offset_m", 1e6}, {"scale", 1});
      derive(far);
      ts_truth_totals a = ts_scene_truth_totals(near, TS_REFERENCE_FEASIBLE);
      ts_truth_totals b = ts_scene_truth_totals(far, TS_REFERENCE_FEASIBLE);
      cr_expect_eq(a.minimum, b.minimum, "%s, %g: %zu, %zu", names[i], seed, a.minimum, b.minimum);
      cr_expect_eq(near->region_count, far->region_count, "%s, %g", names[i], seed);
      cr_expect_float_eq(a.area_m2, b.area_m2, 1e-6);
    }
  }
}

Test(cases_derived_scenes, the_order_of_bodies_turns_the_normals_only, .init = setup,
     .fini = teardown) {
  const char *names[] = {"cliff_edges",   "spikes",           "wedges",
                         "spike_in_hole", "saddle_on_saddle", "box_in_corner"};
  for (int i = 0; i < 6; i++) {
    ts_scene *scene = build_default(arena, names[i]), swapped = *scene;
    ts_body bodies[2] = {scene->bodies[1], scene->bodies[0]};
    swapped.bodies = bodies;
    derive(scene);
    derive(&swapped);
    cr_assert_eq(scene->region_count, swapped.region_count, "%s", names[i]);
    size_t turned = 0, all = 0;
    for (size_t r = 0; r < scene->region_count; r++) {
      const ts_feasible_set *set = &scene->regions[r].feasible[TS_REFERENCE_DESIGN];
      all += set->count;
      for (size_t n = 0; n < set->count; n++)
        for (size_t s = 0; s < swapped.region_count; s++) {
          const ts_feasible_set *other = &swapped.regions[s].feasible[TS_REFERENCE_DESIGN];
          for (size_t k = 0; k < other->count; k++)
            turned +=
                ts_vec3_norm(ts_vec3_add(set->normals[n].normal, other->normals[k].normal)) < 1e-12;
        }
    }
    cr_expect_eq(turned, all, "%s: %zu of %zu", names[i], turned, all);
    cr_expect_eq(ts_scene_truth_totals(scene, TS_REFERENCE_DESIGN).minimum,
                 ts_scene_truth_totals(&swapped, TS_REFERENCE_DESIGN).minimum);
  }
}

Test(cases_derived_scenes, too_many_faces_in_a_corner_are_reported, .init = setup,
     .fini = teardown) {
  enum { SIDES = 40 };
  ts_vec3 vertices[SIDES + 2];
  uint32_t triangles[2 * SIDES][3];
  for (uint32_t i = 0; i < SIDES; i++) {
    double angle = 6.28318530717958647693 * i / SIDES;
    vertices[i] = ts_vec3_make(cos(angle), 1, -sin(angle));
    const uint32_t side[3] = {SIDES, (i + 1) % SIDES, i}, cap[3] = {SIDES + 1, i, (i + 1) % SIDES};
    memcpy(triangles[2 * i], side, sizeof side);
    memcpy(triangles[2 * i + 1], cap, sizeof cap);
  }
  vertices[SIDES] = ts_vec3_make(0, 0, 0);
  vertices[SIDES + 1] = ts_vec3_make(0, 1, 0);
  ts_scene *scene = new_scene();
  int32_t shape;
  cr_assert_eq(ts_scene_add_shape(&shape, scene, "cone", vertices, SIDES + 2,
                                  (const uint32_t(*)[3])triangles, 2 * SIDES),
               TS_OK);
  add_box(scene, 3, 1, 3, ts_vec3_make(0, -0.5, 0), level);
  add_body(scene, shape, ts_vec3_make(0, 0, 0), level);
  cr_expect_eq(ts_derive_truth(scene, TS_TOUCH_RELATIVE), TS_E_UNSUPPORTED);
  cr_expect(strstr(ts_status_detail(), "more than 32 faces"), "%s", ts_status_detail());
}
