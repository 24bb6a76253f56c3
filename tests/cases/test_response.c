// SPDX-License-Identifier: MIT
// covers: cases/balanced_tip.c cases/deep.c cases/dragged_rod.c cases/heap.c cases/incline.c
// covers: cases/leaning_stack.c cases/passing.c cases/rings.c cases/slab.c cases/sliding_block.c
// covers: cases/spun_block.c cases/torus.c
// The suite "response": compares places, masses, forces and truth with what is computed by hand.
#include "base/status.h"
#include "cases/slab.h"
#include "cases/torus.h"
#include "cases/truth/derived_truth.h"
#include "geometry/tolerances.h"
#include "tests/cases/case_fixture.h"
#include "tests/ldi/exact_overlap.h"

#include <criterion/criterion.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static ts_arena *arena;

static void setup(void) {
  arena = case_fixture_arena();
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(cases_response, .init = setup, .fini = teardown, .timeout = 60);

static double mass_of(const ts_scene *scene, size_t body) {
  const ts_body *b = &scene->bodies[body];
  return ts_mesh_mass_properties(scene->shapes[b->shape].mesh, b->density_kg_m3).mass_kg;
}

static ts_aabb box_of(const ts_scene *scene, size_t body) {
  const ts_body *b = &scene->bodies[body];
  return ts_body_bounds(&scene->shapes[b->shape], b->pose);
}

static double overlap_m3(const ts_scene *scene, size_t a, size_t b) {
  exact_body bodies[2];
  const size_t index[2] = {a, b};
  for (int i = 0; i < 2; i++)
    cr_assert_eq(exact_body_create(&bodies[i], scene->shapes[scene->bodies[index[i]].shape].mesh,
                                   scene->bodies[index[i]].pose),
                 TS_OK, "%s", ts_status_detail());
  double volume_m3 = exact_overlap_volume(&bodies[0], &bodies[1]);
  for (int i = 0; i < 2; i++)
    exact_body_free(&bodies[i]);
  return volume_m3;
}

#define expect_near(a, b) cr_expect_float_eq(a, b, 1e-12, #a " is %.17g", a)

// ---- all ------------------------------------------------------------------------------------

static const char *const names[] = {"incline", "spun_block",  "sliding_block", "leaning_stack",
                                    "deep",    "dragged_rod", "balanced_tip",  "rings",
                                    "passing", "heap"};
enum { COUNT = sizeof names / sizeof *names };

Test(cases_response, they_are_a_suite_of_their_own) {
  size_t count = 0;
  for (size_t i = 0; ts_cases[i]; i++)
    count += strcmp(ts_cases[i]->suite, "response") == 0;
  cr_expect_eq(count, COUNT);
  for (size_t i = 0; i < COUNT; i++)
    cr_expect_str_eq(ts_case_find(names[i])->suite, "response");
}

Test(cases_response, the_first_body_is_fixed_and_all_others_move) {
  for (size_t i = 0; i < COUNT; i++) {
    const ts_scene *scene = build_default(arena, names[i]);
    cr_assert_geq(scene->body_count, 2);
    for (size_t b = 0; b < scene->body_count; b++) {
      cr_expect_eq(scene->bodies[b].is_fixed, b == 0, "%s, body %zu", names[i], b);
      if (b > 0 && strcmp(names[i], "balanced_tip") != 0)
        cr_expect_eq(scene->bodies[b].density_kg_m3, 1000, "%s", names[i]);
    }
  }
}

/// Truth by the joints against that of the surfaces alone, in other poses and sizes too.
static void expect_as_derived(const char *name, const case_setting *own, size_t count) {
  case_setting settings[8];
  for (int k = 0; k < 3; k++) {
    if (count > 0)
      memcpy(settings, own, count * sizeof *own);
    settings[count] = (case_setting){"scale", k == 0 ? 1 : k == 1 ? 1e-3 : 1e3};
    settings[count + 1] = (case_setting){"motion_seed", 3 * k};
    ts_scene *joined = case_fixture_build(arena, name, settings, count + 2);
    ts_scene *derived = case_fixture_build(arena, name, settings, count + 2);
    cr_assert(!joined->truth_is_unknown, "%s", name);
    cr_assert_eq(ts_derive_truth(derived, TS_POSITION_RELATIVE), TS_OK, "%s: %s", name,
                 ts_status_detail());
    ts_truth_totals a = ts_scene_truth_totals(joined, TS_REFERENCE_FEASIBLE);
    ts_truth_totals b = ts_scene_truth_totals(derived, TS_REFERENCE_FEASIBLE);
    double s = joined->scale;
    cr_expect(a.pairs == b.pairs && a.regions == b.regions && a.minimum == b.minimum &&
                  a.points == b.points,
              "%s: %zu regions and %zu", name, a.regions, b.regions);
    cr_expect_float_eq(a.area_m2 / (s * s), b.area_m2 / (s * s), 1e-9, "%s", name);
    cr_expect_float_eq(a.length_m / s, b.length_m / s, 1e-9, "%s", name);
    for (size_t r = 0; r < a.regions; r++) {
      const ts_feasible_set *x = &joined->regions[r].feasible[TS_REFERENCE_FEASIBLE];
      const ts_feasible_set *y = &derived->regions[r].feasible[TS_REFERENCE_FEASIBLE];
      cr_assert_eq(x->count, y->count, "%s: %zu normals and %zu", name, x->count, y->count);
      for (size_t n = 0; n < x->count; n++) {
        double nearest = INFINITY;
        for (size_t m = 0; m < y->count; m++)
          nearest = fmin(nearest, ts_vec3_distance(x->normals[n].normal, y->normals[m].normal));
        cr_expect_lt(nearest, 1e-6, "%s: normal %zu is off by %g", name, n, nearest);
      }
    }
  }
}

#define as_derived(name, ...)                                                                      \
  expect_as_derived(name, (const case_setting[]){__VA_ARGS__},                                     \
                    sizeof((const case_setting[]){__VA_ARGS__}) / sizeof(case_setting))

Test(cases_response, what_is_said_of_the_touch_follows_from_the_surfaces_alone) {
  expect_as_derived("incline", NULL, 0);
  expect_as_derived("spun_block", NULL, 0);
  expect_as_derived("sliding_block", NULL, 0);
  as_derived("sliding_block", {"tilt_deg", 30});
  as_derived("sliding_block", {"tilt_deg", 90});
  as_derived("sliding_block", {"tilt_deg", 0.01});
  as_derived("sliding_block", {"tilt_deg", 20}, {"drop_m", 0.1});
  as_derived("leaning_stack", {"count", 5}, {"lean_m", 0.3});
  expect_as_derived("dragged_rod", NULL, 0);
  expect_as_derived("balanced_tip", NULL, 0);
  as_derived("balanced_tip", {"turn_deg", 30});
  as_derived("balanced_tip", {"turn_deg", 60});
  as_derived("balanced_tip", {"turn_deg", 120});
  as_derived("passing", {"depth_m", 0});
  as_derived("passing", {"depth_m", 1.6});
  as_derived("passing", {"depth_m", 2});
  as_derived("passing", {"depth_m", 0}, {"shape", 1});
  as_derived("passing", {"depth_m", 1.5}, {"shape", 1});
}

Test(cases_response, the_truth_of_bodies_in_each_other_is_unknown) {
  for (int shape = 0; shape < 8; shape++)
    cr_expect(build_case(arena, "deep", {"shape", shape})->truth_is_unknown);
  cr_expect(build_default(arena, "rings")->truth_is_unknown);
  cr_expect(build_default(arena, "heap")->truth_is_unknown);
  cr_expect(build_case(arena, "passing", {"depth_m", 1e-9})->truth_is_unknown);
  cr_expect(build_case(arena, "passing", {"depth_m", 1.59})->truth_is_unknown);
  cr_expect(build_case(arena, "passing", {"depth_m", 1.51})->truth_is_unknown);
  cr_expect(!build_case(arena, "passing", {"depth_m", 1.51}, {"shape", 1})->truth_is_unknown);
  cr_expect(build_case(arena, "sliding_block", {"tilt_deg", 1e-5})->truth_is_unknown);
}

// ---- blocks on a slab -----------------------------------------------------------------------

Test(cases_response, gravity_is_inclined_by_the_slope) {
  const double slopes[] = {0, 0.45, 1, 3};
  for (int i = 0; i < 4; i++) {
    const ts_scene *scene = build_case(arena, "incline", {"slope", slopes[i]});
    expect_near(-scene->up.x / scene->up.y, slopes[i]);
    expect_near(ts_vec3_norm(scene->up), 1);
    cr_expect(scene->up.y > 0 && scene->up.z == 0);
    expect_near(mass_of(scene, 1), 500);
  }
  const ts_scene *still = build_default(arena, "incline");
  const ts_scene *moved = build_case(arena, "incline", {"motion_seed", 3});
  ts_vec3 local = ts_quat_rotate(ts_quat_conjugate(moved->bodies[0].pose.rotation), moved->up);
  cr_expect_lt(ts_vec3_distance(local, still->up), 1e-15);
}

Test(cases_response, blocks_move_as_asked_for) {
  const ts_scene *spun = build_case(arena, "spun_block", {"spin_rad_s", 7});
  cr_expect_eq(spun->bodies[1].twist.angular_rad_s.y, 7);
  cr_expect_eq(ts_vec3_norm(spun->bodies[1].twist.linear_m_s), 0);
  const ts_scene *sliding = build_case(arena, "sliding_block", {"speed_m_s", 3});
  cr_expect_eq(sliding->bodies[1].twist.linear_m_s.x, 3);
  cr_expect_eq(ts_vec3_norm(sliding->bodies[1].twist.angular_rad_s), 0);
}

Test(cases_response, a_block_is_as_high_above_the_slab_as_asked_for) {
  const double tilts_deg[] = {0, 1, 30, 45, 89, 90};
  for (int i = 0; i < 6; i++) {
    const ts_scene *scene =
        build_case(arena, "sliding_block", {"tilt_deg", tilts_deg[i]}, {"drop_m", 0.25});
    ts_aabb box = box_of(scene, 1);
    double a = tilts_deg[i] * pi / 180;
    expect_near(box.low.y, 0.25);
    expect_near(box.high.y - box.low.y, sin(a) + 0.5 * cos(a));
    cr_expect_eq(ts_scene_truth_totals(scene, TS_REFERENCE_DESIGN).minimum, 0);
    const ts_scene *resting = build_case(arena, "sliding_block", {"tilt_deg", tilts_deg[i]});
    size_t minimum = ts_scene_truth_totals(resting, TS_REFERENCE_DESIGN).minimum;
    cr_expect_eq(minimum, i == 0 || i == 5 ? 4 : 2);
  }
}

Test(cases_response, each_block_of_a_stack_is_beside_the_one_below) {
  const ts_scene *scene =
      build_case(arena, "leaning_stack", {"count", 4}, {"lean_m", 0.1}, {"overlap_m", 0.02});
  cr_assert_eq(scene->body_count, 5);
  for (size_t i = 1; i < 5; i++) {
    ts_aabb box = box_of(scene, i), below = box_of(scene, i - 1);
    expect_near(below.high.y - box.low.y, 0.02);
    expect_near(0.5 * (box.low.x + box.high.x), 0.1 * ((double)i - 1));
    expect_near(overlap_m3(scene, i - 1, i), 0.02 * (i == 1 ? 1 : 0.9));
  }
  cr_expect_eq(overlap_m3(scene, 1, 3), 0);
}

Test(cases_response, overlapping_blocks_are_needed_to_part_upwards) {
  const ts_scene *scene = build_case(arena, "leaning_stack", {"overlap_m", 0.2}, {"lean_m", 0.5});
  cr_assert_eq(scene->region_count, 3);
  for (size_t r = 0; r < 3; r++) {
    const ts_feasible_set *set = &scene->regions[r].feasible[TS_REFERENCE_DESIGN];
    cr_assert_eq(set->count, 1);
    expect_near(set->normals[0].gap_m, -0.2);
    expect_near(set->normals[0].normal.y, 1);
    expect_near(ts_region_measure(&scene->regions[r]), r == 0 ? 1 : 0.5);
  }
}

// ---- the rod --------------------------------------------------------------------------------

static double pull_over_weight(const ts_scene *scene) {
  return ts_vec3_norm(scene->forces[0].force_n) / (mass_of(scene, 1) * 9.82);
}

Test(cases_response, the_rod_is_pulled_at_the_end_of_its_sole) {
  const ts_scene *scene = build_default(arena, "dragged_rod");
  expect_near(mass_of(scene, 1), 5);
  cr_assert_eq(scene->force_count, 1);
  const ts_force *force = &scene->forces[0];
  cr_expect_eq(force->body, 1);
  ts_vec3 at = ts_pose_point(scene->bodies[1].pose, force->point_local);
  cr_expect_lt(ts_vec3_distance(at, ts_vec3_make(1, 0, 0)), 1e-15);
  cr_expect_lt(ts_vec3_distance(force->force_n, ts_vec3_make(0, 0, 0.225 * 5 * 9.82)), 1e-12);
  expect_near(pull_over_weight(build_case(arena, "dragged_rod", {"pull", 0.5})), 0.5);
}

Test(cases_response, the_rod_is_pulled_alike_at_any_size_and_in_any_frame) {
  const ts_scene *still = build_default(arena, "dragged_rod");
  const ts_scene *scaled =
      build_case(arena, "dragged_rod", {"scale", 1e-3}, {"motion_seed", 3}, {"mesh_seed", 5});
  // Weights: masses by scale^3, gravity by scale.
  double by = 1e-3 * mass_of(scaled, 1) / mass_of(still, 1);
  expect_near(ts_vec3_norm(scaled->forces[0].force_n) / ts_vec3_norm(still->forces[0].force_n) / by,
              1);
  ts_vec3 was = ts_pose_point(still->bodies[1].pose, still->forces[0].point_local);
  ts_vec3 is = ts_pose_point(scaled->bodies[1].pose, scaled->forces[0].point_local);
  bool is_vertex = false;
  ts_vec3 middle = {0, 0, 0};
  for (size_t v = 0; v < 8; v++) { // of the end: two corners, whose middle it is
    ts_vec3 corner = case_fixture_vertex(still, 1, v);
    if (corner.x == 1 && corner.y < 0.01)
      middle = ts_vec3_add_scaled(middle, 0.5, corner);
    is_vertex |= ts_vec3_distance(corner, was) < 1e-6;
  }
  cr_expect(!is_vertex && ts_vec3_distance(middle, was) < 1e-15);
  ts_scene *moved = build_case(arena, "dragged_rod", {"scale", 1e-3}, {"motion_seed", 3});
  ts_vec3 expected = ts_pose_point(moved->bodies[1].pose, moved->forces[0].point_local);
  cr_expect_lt(ts_vec3_distance(is, expected), 1e-17);
  cr_expect_eq(memcmp(&moved->forces[0].force_n, &scaled->forces[0].force_n, sizeof(ts_vec3)), 0,
               "other meshes change no force");
}

Test(cases_response, a_stretched_rod_is_pulled_by_the_same_share_of_its_weight) {
  const ts_scene *scene =
      build_case(arena, "dragged_rod", {"stretch_x", 1.5}, {"stretch_y", 0.5}, {"stretch_z", 2});
  expect_near(pull_over_weight(scene), 0.225);
  ts_vec3 at = ts_pose_point(scene->bodies[1].pose, scene->forces[0].point_local);
  cr_expect_lt(ts_vec3_distance(at, ts_vec3_make(1.5, 0, 0)), 1e-15);
}

// ---- tips -----------------------------------------------------------------------------------

Test(cases_response, cubes_stand_tip_on_tip) {
  const double turns_deg[] = {0, 17, 60, 180, 360};
  for (int i = 0; i < 5; i++) {
    const ts_scene *scene = build_case(arena, "balanced_tip", {"turn_deg", turns_deg[i]});
    expect_near(mass_of(scene, 1), 1);
    cr_expect_eq(ts_vec3_norm(case_fixture_vertex(scene, 0, 7)), 0);
    cr_expect_eq(ts_vec3_norm(case_fixture_vertex(scene, 1, 0)), 0);
    ts_vec3 top = case_fixture_vertex(scene, 1, 7), bottom = case_fixture_vertex(scene, 0, 0);
    cr_expect_lt(ts_vec3_distance(top, ts_vec3_make(0, sqrt(3.0), 0)), 1e-15);
    cr_expect_lt(ts_vec3_distance(bottom, ts_vec3_make(0, -sqrt(3.0), 0)), 1e-15);
    cr_expect_eq(scene->region_count, 1);
    size_t normals = scene->regions[0].feasible[TS_REFERENCE_DESIGN].count;
    cr_expect_eq(normals, i == 0 || i == 4 ? 3 : 6, "%zu normals", normals);
  }
}

// ---- deep -----------------------------------------------------------------------------------

enum { BOX_ON_SLAB, SPHERE_ON_SLAB, TWO_SPHERES, RIDGE, TIP, TWO_TORI, BOX_IN_BOX, IN_PLATE };

static double cap_m3(double radius_m, double height_m) {
  return pi * height_m * height_m * (3 * radius_m - height_m) / 3;
}

/// Volume of a ball of radius 0.3 m between planes at +-0.05 m from its middle.
static double zone_m3(void) {
  return 4 * pi / 3 * 0.027 - 2 * cap_m3(0.3, 0.25);
}

Test(cases_response, bodies_are_as_deep_in_each_other_as_asked_for) {
  const double d = 0.1;
  const struct {
    int shape;
    double volume_m3, share;
  } expected[] = {
      {BOX_ON_SLAB, d, 1e-12},
      {SPHERE_ON_SLAB, cap_m3(0.5, d), 0.03},
      {TWO_SPHERES, 2 * cap_m3(0.5, 0.5 * d), 0.06},
      {RIDGE, d * d, 1e-12},
      {TIP, 4 * d * d * d / 3, 1e-12},
      {BOX_IN_BOX, 0.25 * d, 1e-12},
  };
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
    const ts_scene *scene = build_case(arena, "deep", {"shape", expected[i].shape}, {"depth_m", d},
                                       {"triangles", 2048});
    double volume_m3 = overlap_m3(scene, 0, 1);
    cr_expect(fabs(volume_m3 / expected[i].volume_m3 - 1) < expected[i].share,
              "shape %d: %.17g m3, not %.17g", expected[i].shape, volume_m3, expected[i].volume_m3);
    expect_near(box_of(scene, 0).high.y - box_of(scene, 1).low.y, d);
  }
  const ts_scene *through =
      build_case(arena, "deep", {"shape", IN_PLATE}, {"depth_m", 0}, {"triangles", 2048});
  cr_expect(fabs(overlap_m3(through, 0, 1) / zone_m3() - 1) < 0.01);
}

Test(cases_response, a_box_in_a_box_by_three_quarters_is_through_the_top) {
  const ts_scene *scene = build_case(arena, "deep", {"shape", BOX_IN_BOX}, {"depth_m", 0.375});
  expect_near(overlap_m3(scene, 0, 1), 0.75 * 0.125);
  expect_near(box_of(scene, 1).high.y - box_of(scene, 0).high.y, 0.125);
}

Test(cases_response, tori_lie_on_each_other) {
  const ts_scene *scene =
      build_case(arena, "deep", {"shape", TWO_TORI}, {"depth_m", 0.05}, {"triangles", 2048});
  expect_near(box_of(scene, 0).high.y, 0.13);
  expect_near(box_of(scene, 0).high.x, 0.48);
  expect_near(box_of(scene, 0).high.y - box_of(scene, 1).low.y, 0.05);
  // A lens of two circular segments, all around the axis.
  double half = acos((0.13 - 0.025) / 0.13), lens_m2 = 0.13 * 0.13 * (2 * half - sin(2 * half));
  double volume_m3 = overlap_m3(scene, 0, 1), smooth_m3 = lens_m2 * 2 * pi * 0.35;
  cr_expect(volume_m3 > 0.7 * smooth_m3 && volume_m3 < smooth_m3, "%g of %g m3", volume_m3,
            smooth_m3);
}

// ---- passing --------------------------------------------------------------------------------

Test(cases_response, a_body_is_as_far_on_its_way_as_asked_for) {
  for (int shape = 0; shape < 2; shape++)
    for (int k = 0; k <= 16; k++) {
      double depth_m = 0.1 * k, half_m = shape == 0 ? 0.3 : 0.25;
      const ts_scene *scene =
          build_case(arena, "passing", {"shape", shape}, {"depth_m", depth_m}, {"triangles", 512});
      ts_aabb box = box_of(scene, 1);
      expect_near(box.high.x, depth_m - 0.5);
      expect_near(box.low.x, depth_m - 0.5 - 2 * half_m);
      expect_near(box.high.y + box.low.y, 0);
      expect_near(box.high.z + box.low.z, 0);
      cr_expect_eq(ts_vec3_norm(scene->bodies[1].twist.linear_m_s), 0);
      if (shape == 1)
        expect_near(overlap_m3(scene, 0, 1),
                    0.25 * fmax(0, fmin(depth_m, 0.5) - fmax(0, depth_m - 1)));
    }
}

// ---- rings ----------------------------------------------------------------------------------

Test(cases_response, rings_touch_and_do_not_overlap) {
  const double triangles[] = {500, 600, 1000, 1500};
  for (int i = 0; i < 4; i++) {
    const ts_scene *scene = build_case(arena, "rings", {"triangles", triangles[i]});
    double volume_m3 = overlap_m3(scene, 0, 1);
    cr_expect(fabs(volume_m3) < 1e-14, "%g triangles: %g m3", triangles[i], volume_m3);
    const ts_mesh *mesh = scene->shapes[0].mesh;
    double nearest_m = INFINITY;
    for (size_t v = 0; v < mesh->vertex_count; v++)
      nearest_m = fmin(nearest_m,
                       case_fixture_surface_distance(scene, 0, case_fixture_vertex(scene, 1, v)));
    cr_expect_lt(nearest_m, 1e-15);
    cr_expect(fabs((double)mesh->triangle_count / triangles[i] - 1) < 0.15, "%zu triangles",
              mesh->triangle_count);
  }
}

Test(cases_response, each_ring_goes_through_the_other) {
  const ts_scene *scene = build_default(arena, "rings");
  // The middle line of the hanging ring passes the plane of the fixed one inside its hole and
  // outside of it, and nowhere else.
  ts_vec3 centre = scene->bodies[1].pose.translation;
  double near_m = hypot(centre.x - 0.35, centre.y), far_m = hypot(centre.x + 0.35, centre.y);
  cr_expect_eq(centre.z, 0);
  expect_near(near_m, 0.35 - 2 * 0.13);
  cr_expect_gt(far_m, 0.35 + 2 * 0.13);
  ts_aabb fixed = box_of(scene, 0), hanging = box_of(scene, 1);
  expect_near(fixed.high.z, 0.13);
  expect_near(fixed.high.y, 0.48);
  expect_near(hanging.high.y - hanging.low.y, 0.26);
  expect_near(hanging.high.z, 0.48);
}

// ---- heap -----------------------------------------------------------------------------------

Test(cases_response, rings_of_a_heap_are_above_each_other) {
  for (int seed = 0; seed < 20; seed++) {
    const ts_scene *scene = build_case(arena, "heap", {"count", 100}, {"seed", seed});
    cr_assert_eq(scene->body_count, 101);
    for (size_t i = 1; i < 101; i++) {
      double gap_m = box_of(scene, i).low.y - box_of(scene, i - 1).high.y;
      cr_expect(gap_m > 0.05 - 1e-12 && gap_m < 0.08, "seed %d, ring %zu: %g m", seed, i, gap_m);
      cr_expect_leq(fabs(scene->bodies[i].pose.translation.x), 0.1);
    }
  }
}

Test(cases_response, a_seed_turns_the_rings_of_a_heap) {
  const ts_scene *one = build_default(arena, "heap"), *same = build_default(arena, "heap");
  const ts_scene *other = build_case(arena, "heap", {"seed", 2});
  const ts_scene *more = build_case(arena, "heap", {"count", 20});
  cr_assert_eq(one->body_count, 11);
  for (size_t i = 1; i < 11; i++) {
    ts_pose pose = one->bodies[i].pose;
    cr_expect_eq(memcmp(&pose, &same->bodies[i].pose, sizeof pose), 0);
    cr_expect_eq(memcmp(&pose, &more->bodies[i].pose, sizeof pose), 0);
    cr_expect_neq(memcmp(&pose, &other->bodies[i].pose, sizeof pose), 0);
  }
}

// ---- tori of other sizes --------------------------------------------------------------------

Test(cases_response, a_torus_has_vertices_all_around_in_the_multiple_asked_for) {
  const double asked[] = {1, 500, 2048, 5000};
  for (int i = 0; i < 4; i++) {
    ts_scene *scene;
    int32_t shape;
    cr_assert_eq(ts_scene_create(&scene, arena), TS_OK);
    cr_assert_eq(ts_shape_torus(&shape, scene, &ts_torus_ring, asked[i]), TS_OK, "%s",
                 ts_status_detail());
    const ts_aabb box = scene->shapes[shape].bounds_local;
    cr_expect(box.high.x == 0.48 && fabs(box.high.y - 0.13) < 1e-16);
    expect_near(box.low.x, -0.48);
    expect_near(box.high.z, 0.48);
    cr_expect_eq(scene->shapes[shape].mesh->triangle_count % 32, 0);
  }
}
