// SPDX-License-Identifier: MIT
// covers: cases/truth/derived_polygons.c cases/truth/derived_surface.c cases/truth/derived_truth.c
// Derived truth does not depend on how the bodies are described: how their faces are cut, in which
// order, in which precision and where.
#include "base/status.h"
#include "cases/blocks.h"
#include "cases/case.h"
#include "cases/truth/derived_truth.h"
#include "geometry/tolerances.h"
#include "tests/cases/case_fixture.h"
#include "tests/cases/copies.h"

#include <criterion/criterion.h>
#include <string.h>

static ts_arena *arena;

static void setup(void) {
  arena = case_fixture_arena();
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(cases_derived_copies, .init = setup, .fini = teardown);

// ---- scenes -----------------------------------------------------------------------------------

static const ts_quat level = {1, 0, 0, 0};

static ts_scene *new_scene(void) {
  ts_scene *scene;
  cr_assert_eq(ts_scene_create(&scene, arena), TS_OK);
  return scene;
}

static void add_body(ts_scene *scene, int32_t shape, ts_vec3 at, ts_quat rotation) {
  int32_t body;
  const char *name = scene->body_count == 0 ? "low" : "high";
  cr_assert_eq(
      ts_scene_add_body(&body, scene, name, shape, (ts_pose){rotation, at}, scene->body_count == 0),
      TS_OK);
  scene->bodies[body].twist.linear_m_s = ts_vec3_make(0.01 * body, -0.2 * body, -0.03 * body);
}

static void add_box(ts_scene *scene, double x, double y, double z, ts_vec3 at, ts_quat rotation) {
  int32_t shape;
  cr_assert_eq(ts_shape_box(&shape, scene, "box", x, y, z), TS_OK);
  add_body(scene, shape, at, rotation);
}

/// Five by five cells, `high` each, on y = 0 and around its axis; '#' is solid.
static void add_cells(ts_scene *scene, const char *drawing, double high, ts_vec3 at,
                      ts_quat rotation) {
  const double across[6] = {-0.5, -0.37, -0.1, 0.1, 0.33, 0.5}, up[2] = {0, high};
  bool is_solid[25];
  for (int i = 0; i < 25; i++)
    is_solid[i] = drawing[i] == '#';
  int32_t shape;
  cr_assert_eq(ts_shape_blocks(&shape, scene, "cells", (const uint32_t[3]){5, 1, 5},
                               (const double *const[]){across, up, across}, is_solid),
               TS_OK);
  add_body(scene, shape, at, rotation);
}

static const char frame[] = "#####"
                            "#...#"
                            "#...#"
                            "#...#"
                            "#####",
                  cross[] = ".##.."
                            "#####"
                            "#####"
                            ".##.."
                            ".##..",
                  ell[] = "##..."
                          "##..."
                          "##..."
                          "#####"
                          "#####",
                  comb[] = "#####"
                           "#.#.#"
                           "#.#.#"
                           "#.#.#"
                           "#.#.#";

static ts_quat about_y(double angle_rad) {
  return ts_quat_from_axis_angle(ts_vec3_make(0, 1, 0), angle_rad);
}

static ts_scene *box_on_box(void) {
  ts_scene *scene = new_scene();
  add_box(scene, 1, 0.5, 0.8, ts_vec3_make(0, -0.25, 0), level);
  add_box(scene, 0.6, 0.3, 0.6, ts_vec3_make(0.25, 0.15, 0.1), about_y(0.3));
  return scene;
}

static ts_scene *bar_across_block(void) {
  ts_scene *scene = new_scene();
  add_box(scene, 0.6, 0.5, 0.8, ts_vec3_make(0, -0.25, 0), level);
  add_box(scene, 2, 0.1, 0.12, ts_vec3_make(0.1, 0.05, 0.1), about_y(-0.2));
  return scene;
}

static ts_scene *plate_on(const char *low, const char *high, double angle_rad) {
  ts_scene *scene = new_scene();
  add_cells(scene, low, 0.2, ts_vec3_make(0, -0.2, 0), level);
  add_cells(scene, high, 0.15, ts_vec3_make(0.02, 0, 0.01), about_y(angle_rad));
  return scene;
}

static ts_scene *on_slab(const char *high, double angle_rad) {
  ts_scene *scene = new_scene();
  add_box(scene, 3, 0.5, 3, ts_vec3_make(0.2, -0.25, 0), level);
  add_cells(scene, high, 0.3, ts_vec3_make(0, 0, 0), about_y(angle_rad));
  return scene;
}

/// Feet of a fiftieth of a metre on equal ones, the only touch.
static ts_scene *feet_on_feet(void) {
  ts_scene *scene = new_scene();
  const double across[6] = {-0.5, -0.48, -0.1, 0.1, 0.48, 0.5}, up[3] = {0, 0.1, 0.2};
  for (int body = 0; body < 2; body++) {
    bool is_solid[50];
    for (int i = 0; i < 50; i++) {
      int x = i % 5, y = i / 5 % 2, z = i / 10;
      is_solid[i] = y == body || (x % 4 == 0 && z % 4 == 0);
    }
    int32_t shape;
    cr_assert_eq(ts_shape_blocks(&shape, scene, "feet", (const uint32_t[3]){5, 2, 5},
                                 (const double *const[]){across, up, across}, is_solid),
                 TS_OK);
    add_body(scene, shape, ts_vec3_make(0.003 * body, 0.2 * body - 0.2, -0.002 * body), level);
  }
  return scene;
}

static ts_scene *make_scene(size_t index, const char **name) {
  static const char *const names[] = {
      "box_in_corner", "peg_in_hole",    "cylinder_in_groove", "wall",           "brick_over_four",
      "cliff_edges",   "wedge_in_crack", "internal_edges",     "crossing_edges", "pillar"};
  static const char *const made[] = {"box on box",     "bar across block", "frame on frame",
                                     "cross on slab",  "ell on slab",      "comb on comb",
                                     "frame on cross", "comb on frame",    "feet on feet"};
  enum { NAMES = sizeof names / sizeof *names, MADE = sizeof made / sizeof *made };
  if (index >= NAMES + MADE)
    return NULL;
  *name = index < NAMES ? names[index] : made[index - NAMES];
  if (index < NAMES)
    return strcmp(*name, "wall") == 0 ? build_case(arena, "wall", {"layers", 3}, {"span", 2})
                                      : build_default(arena, *name);
  switch (index - NAMES) {
  case 0:
    return box_on_box();
  case 1:
    return bar_across_block();
  case 2:
    return plate_on(frame, frame, 0.15);
  case 3:
    return on_slab(cross, 0.4);
  case 4:
    return on_slab(ell, 0);
  case 5:
    return plate_on(comb, comb, 1.5707963267948966);
  case 6:
    return plate_on(frame, cross, -0.25);
  case 7:
    return plate_on(comb, frame, 0.05);
  default:
    return feet_on_feet();
  }
}

// ---- comparison -------------------------------------------------------------------------------

typedef struct limits {
  double normal, place_relative, measure_relative;
} limits;

static bool same_set(const ts_feasible_set *a, const ts_feasible_set *b, double same) {
  for (size_t i = 0; i < a->count; i++) {
    bool found = false;
    for (size_t k = 0; k < b->count; k++)
      found |= ts_vec3_distance(a->normals[i].normal, b->normals[k].normal) <= same;
    if (!found)
      return false;
  }
  return a->count == b->count;
}

/// Area of the pieces of a flat place.
static double covered_m2(const ts_region *region) {
  if (region->piece_count == 0)
    return ts_region_measure(region);
  double sum_m2 = 0;
  for (size_t i = 0; i < region->piece_count; i++) {
    ts_region piece = *region;
    piece.vertex_count = region->pieces[i].count;
    piece.vertices = region->pieces[i].vertices;
    sum_m2 += ts_region_measure(&piece);
  }
  return sum_m2;
}

static bool same_region(const ts_region *a, const ts_region *b, double size_m, limits by) {
  if (a->body_a != b->body_a || a->body_b != b->body_b || a->kind != b->kind ||
      a->vertex_count != b->vertex_count || a->needs_all != b->needs_all)
    return false;
  for (size_t i = 0; i < a->vertex_count; i++) {
    bool found = false;
    for (size_t k = 0; k < b->vertex_count; k++)
      found |= ts_vec3_distance(a->vertices[i], b->vertices[k]) <= by.place_relative * size_m;
    if (!found)
      return false;
  }
  double measure = ts_region_measure(a);
  return fabs(measure - ts_region_measure(b)) <= by.measure_relative * measure &&
         fabs(covered_m2(a) - covered_m2(b)) <= by.measure_relative * measure &&
         same_set(&a->feasible[TS_REFERENCE_FEASIBLE], &b->feasible[TS_REFERENCE_FEASIBLE],
                  by.normal) &&
         same_set(&a->feasible[TS_REFERENCE_DESIGN], &b->feasible[TS_REFERENCE_DESIGN], by.normal);
}

/// Whether a copy has the truth of the scene: as many regions, each like one of the scene's.
static bool same_truth(const ts_scene *scene, const ts_scene *copy, ts_pose motion, limits by) {
  size_t met = 0;
  ts_pose back = ts_pose_inverse(motion);
  for (size_t k = 0; k < copy->region_count; k++) {
    ts_region region = copy->regions[k];
    cr_assert_eq(ts_region_copy(&region, arena), TS_OK);
    ts_region_transform(&region, 1, back);
    bool found = false;
    for (size_t i = 0; i < scene->region_count && !found; i++)
      found = same_region(&scene->regions[i], &region,
                          case_fixture_pair_size(scene, &scene->regions[i]), by);
    met += found;
  }
  return met == copy->region_count && met == scene->region_count &&
         ts_scene_truth_totals(scene, TS_REFERENCE_DESIGN).minimum ==
             ts_scene_truth_totals(copy, TS_REFERENCE_DESIGN).minimum;
}

static void expect_copies(copy_kind kind, int copies, double scale, double touch_relative,
                          limits by) {
  const char *name;
  for (size_t index = 0;; index++) {
    ts_scene *scene = make_scene(index, &name);
    if (!scene)
      break;
    cr_assert_eq(ts_scene_transform(scene, scale, ts_pose_identity()), TS_OK);
    cr_assert_eq(ts_derive_truth(scene, TS_POSITION_RELATIVE), TS_OK, "%s: %s", name,
                 ts_status_detail());
    for (int seed = 1; seed <= copies; seed++) {
      ts_random random = ts_random_seed((uint64_t)seed, index);
      ts_pose motion;
      ts_arena_mark mark = ts_arena_get_mark(arena);
      ts_scene *copy = copy_scene(&motion, scene, kind, &random);
      ts_status status = ts_derive_truth(copy, touch_relative);
      cr_expect_eq(status, TS_OK, "%s, copy %d: %s", name, seed, ts_status_detail());
      ts_truth_totals is = ts_scene_truth_totals(copy, TS_REFERENCE_DESIGN);
      ts_truth_totals was = ts_scene_truth_totals(scene, TS_REFERENCE_DESIGN);
      cr_expect(status != TS_OK || same_truth(scene, copy, motion, by),
                "%s, copy %d: %zu regions, minimum %zu, %.9g m2, %.9g m, not %zu, %zu, %.9g, %.9g",
                name, seed, is.regions, is.minimum, is.area_m2, is.length_m, was.regions,
                was.minimum, was.area_m2, was.length_m);
      ts_arena_rewind(arena, mark);
    }
  }
}

static const limits exact = {1e-9, 1e-8, 1e-8}, single = {1e-5, 1e-5, 1e-4};

Test(cases_derived_copies, cut_otherwise_the_regions_are_the_same) {
  expect_copies((copy_kind){.cuts = 4, .thin = 0.02, .is_turned = true}, 20, 1, TS_TOUCH_RELATIVE,
                exact);
}

Test(cases_derived_copies, and_in_single_precision) {
  expect_copies((copy_kind){.cuts = 4, .thin = 0.02, .is_turned = true, .is_rounded = true}, 20, 1,
                TS_POSITION_RELATIVE, single);
}

Test(cases_derived_copies, small_large_and_far_from_the_origin) {
  const double scales[] = {1e-3, 1e3};
  for (int i = 0; i < 2; i++) {
    expect_copies((copy_kind){.cuts = 4, .thin = 0.02, .is_turned = true, .is_rounded = true}, 3,
                  scales[i], TS_POSITION_RELATIVE, single);
    expect_copies(
        (copy_kind){.cuts = 4, .thin = 0.02, .is_turned = true, .offset_m = 1e3 * scales[i]}, 3,
        scales[i], TS_TOUCH_RELATIVE, (limits){1e-7, 1e-7, 1e-7});
  }
}

// What this is about: faces of hundreds of triangles whose noise, up to 0.8 tolerances in all,
// tilts the largest of them by more than the tolerance over the face.
Test(cases_derived_copies, slivers_and_noise_up_to_the_tolerance) {
  const limits noisy = {1e-4, 3e-5, 1e-4};
  expect_copies((copy_kind){.cuts = 20, .thin = 1e-3, .is_turned = true, .noise_m = 1.4e-7}, 2, 1,
                TS_POSITION_RELATIVE, noisy);
  expect_copies((copy_kind){.cuts = 10, .thin = 1e-4, .is_turned = true, .noise_m = 1.4e-7}, 2, 1,
                TS_POSITION_RELATIVE, noisy);
}

Test(cases_derived_copies, with_the_tolerance_of_the_scene) {
  expect_copies((copy_kind){.cuts = 4, .thin = 0.02, .is_turned = true, .noise_m = 1.4e-5}, 5, 1,
                1e-4, (limits){1e-2, 1e-3, 1e-2});
}
