// SPDX-License-Identifier: MIT
// covers: cases/arch.c cases/cliff_edges.c cases/internal_edges.c cases/pillar.c
// covers: cases/point_in_crack.c cases/sliding_point.c cases/two_points.c cases/wall.c
// Truth of bodies that are not where they were designed to be.
#include "cases/scene/shapes.h"
#include "tests/cases/case_fixture.h"

#include "base/status.h"
#include "geometry/tolerances.h"

#include <criterion/criterion.h>
#include <string.h>

// The hexagon of the pillar's wide frusta touches the sides of the box above and below it with two
// corners, one of which is cut off by any sideways move: 7 corners for 6, twice.
Test(cases_moved_truth, the_pillar_gets_42_corners) {
  ts_arena *arena = case_fixture_arena();
  for (int seed = 1; seed <= 10; seed++) {
    for (int size = 1; size <= 3; size++) {
      const ts_scene *scene = build_case(arena, "pillar", {"perturb_m", 0.01 * size},
                                         {"perturb_seed", seed}, {"motion_seed", seed});
      ts_truth_totals totals = ts_scene_truth_totals(scene, TS_REFERENCE_DESIGN);
      cr_expect(totals.regions == 7);
      cr_expect(totals.minimum == 42, "seed %d, %d cm: %zu corners", seed, size, totals.minimum);
      cr_expect(totals.area_m2 < 0.89663 && totals.area_m2 > 0.8);
    }
  }
  ts_arena_destroy(arena);
}

static ts_aabb world_bounds(const ts_scene *scene, int32_t body) {
  const ts_body *b = &scene->bodies[body];
  return ts_body_bounds(&scene->shapes[b->shape], b->pose);
}

// Every joint of the wall is the overlap of two rectangles, whatever the noise.
Test(cases_moved_truth, joints_of_the_wall_are_the_overlaps_of_its_bricks) {
  ts_arena *arena = case_fixture_arena();
  const ts_scene *scene = build_case(arena, "wall", {"perturb_m", 0.02});
  cr_assert(scene->region_count == 213);
  size_t open = 0, overlapping = 0;
  for (size_t i = 0; i < scene->region_count; i++) {
    const ts_region *region = &scene->regions[i];
    ts_aabb a = world_bounds(scene, region->body_a), b = world_bounds(scene, region->body_b);
    ts_vec3 low = ts_vec3_max(a.low, b.low), high = ts_vec3_min(a.high, b.high);
    const ts_feasible *normal = &region->feasible[TS_REFERENCE_DESIGN].normals[0];
    bool is_beside = normal->normal.x == 1;
    double gap_m = is_beside ? b.low.x - a.high.x : b.low.y - a.high.y;
    double area_m2 = (high.z - low.z) * (is_beside ? high.y - low.y : high.x - low.x);
    cr_expect_float_eq(normal->gap_m, gap_m, 1e-15, "region %zu: %g, %g", i, normal->gap_m, gap_m);
    cr_expect_float_eq(ts_region_measure(region), area_m2, 1e-14, "region %zu", i);
    cr_expect(region->vertex_count == 4);
    // The region is midway between the two surfaces.
    double middle = is_beside ? 0.5 * (a.high.x + b.low.x) : 0.5 * (a.high.y + b.low.y);
    for (size_t v = 0; v < region->vertex_count; v++)
      cr_expect_float_eq(is_beside ? region->vertices[v].x : region->vertices[v].y, middle, 1e-15);
    open += gap_m > 1e-6;
    overlapping += gap_m < -1e-6;
    size_t needed =
        ts_region_needed_normals(region, TS_REFERENCE_DESIGN, (ts_touch_limits){1e-6, 1e-6});
    cr_expect(needed == (gap_m > 1e-6 ? 0 : 1));
  }
  cr_expect(open + overlapping == 70 && open > 20 && overlapping > 20, "%zu open, %zu overlap",
            open, overlapping);
  ts_truth_totals totals = ts_scene_truth_totals(scene, TS_REFERENCE_DESIGN);
  cr_expect(totals.regions == 213 - open && totals.minimum == 4 * (213 - open));
  ts_arena_destroy(arena);
}

// Along the walls of the pit the tip is as far apart as it moved: two walls open, two overlap.
Test(cases_moved_truth, a_tip_moved_in_the_pit_leaves_two_walls) {
  ts_arena *arena = case_fixture_arena();
  for (int seed = 1; seed <= 5; seed++) {
    const ts_scene *scene =
        build_case(arena, "spike_in_hole", {"perturb_m", 0.01}, {"perturb_seed", seed});
    ts_vec3 d = ts_vec3_sub(scene->bodies[1].pose.translation, scene->bodies[0].pose.translation);
    const ts_region *region = &scene->regions[0];
    for (size_t i = 0; i < 4; i++) {
      const ts_feasible *wall = &region->feasible[TS_REFERENCE_DESIGN].normals[i];
      cr_expect_float_eq(wall->gap_m, ts_vec3_dot(wall->normal, d), 1e-16);
    }
    cr_expect(ts_region_minimum(region, TS_REFERENCE_DESIGN, (ts_touch_limits){1e-6, 1e-6}) == 2);
    ts_vec3 middle =
        ts_vec3_mid(scene->bodies[0].pose.translation, scene->bodies[1].pose.translation);
    cr_expect(ts_vec3_distance(region->vertices[0], middle) < 1e-16);
  }
  ts_arena_destroy(arena);
}

// Tips moved sideways are apart; the flank they are apart along is open by gamma times the move.
Test(cases_moved_truth, tips_moved_sideways_do_not_touch) {
  ts_arena *arena = case_fixture_arena();
  const char *const names[] = {"spikes", "spike_and_wedge", "wedges"};
  for (int i = 0; i < 3; i++) {
    const ts_scene *scene = build_case(arena, names[i], {"perturb_m", 0.01});
    const ts_region *region = &scene->regions[0];
    ts_vec3 d = ts_vec3_sub(scene->bodies[1].pose.translation, scene->bodies[0].pose.translation);
    const ts_feasible_set *all = &region->feasible[TS_REFERENCE_FEASIBLE];
    cr_expect_float_eq(all->normals[0].gap_m, 3 / sqrt(10.0) * d.x, 1e-15, "%s", names[i]);
    for (int r = 0; r < TS_REFERENCE_COUNT; r++)
      cr_expect(ts_scene_truth_totals(scene, (ts_reference)r).minimum == 0, "%s", names[i]);
  }
  ts_arena_destroy(arena);
}

Test(cases_moved_truth, a_ridge_moved_along_itself_stays_a_segment) {
  ts_arena *arena = case_fixture_arena();
  const ts_scene *scene = build_case(arena, "wedges", {"perturb_m", 0.01});
  double z_a = scene->bodies[0].pose.translation.z, z_b = scene->bodies[1].pose.translation.z;
  cr_expect_float_eq(ts_region_measure(&scene->regions[0]), 3.2 - fabs(z_a - z_b), 1e-15);
  const ts_scene *sliding = build_case(arena, "sliding_wedge", {"perturb_m", 0.01});
  cr_expect_float_eq(ts_region_measure(&sliding->regions[0]), 3.2, 1e-15);
  cr_expect(ts_scene_truth_totals(sliding, TS_REFERENCE_DESIGN).minimum == 2);
  ts_arena_destroy(arena);
}

Test(cases_moved_truth, flat_cases_keep_their_minimum) {
  const char *const names[] = {"sliding_spike", "cliff_edges", "internal_edges"};
  const size_t minimum[] = {1, 4, 4};
  ts_arena *arena = case_fixture_arena();
  for (int i = 0; i < 3; i++) {
    const ts_scene *scene = build_case(arena, names[i], {"perturb_m", 0.03});
    cr_expect(ts_scene_truth_totals(scene, TS_REFERENCE_DESIGN).minimum == minimum[i], "%s",
              names[i]);
  }
  ts_arena_destroy(arena);
}

// Far beyond what the joints are good for, what is left must still be sound.
Test(cases_moved_truth, any_noise_that_can_be_asked_for_is_survived) {
  ts_arena *arena = case_fixture_arena();
  for (size_t i = 0; ts_cases[i]; i++) {
    for (int seed = 1; seed <= 5; seed++) {
      const ts_scene *scene =
          build_case(arena, ts_cases[i]->name, {"perturb_m", 1}, {"perturb_seed", seed});
      for (size_t r = 0; r < scene->region_count; r++) {
        const ts_region *region = &scene->regions[r];
        cr_expect(ts_region_measure(region) > 0, "%s", ts_cases[i]->name);
        for (size_t v = 0; v < region->vertex_count; v++)
          cr_expect(ts_vec3_is_finite(region->vertices[v]), "%s", ts_cases[i]->name);
      }
    }
  }
  ts_arena_destroy(arena);
}

// Two unit boxes: a at the origin, b at `b_at`, joined by the features given.
static ts_scene *joined(ts_arena *arena, ts_vec3 b_at, const ts_vec3 *a, size_t count_a,
                        const ts_vec3 *b, size_t count_b, ts_status *out_status) {
  ts_scene *scene;
  int32_t shape, body;
  cr_assert(ts_scene_create(&scene, arena) == TS_OK);
  cr_assert(ts_shape_box(&shape, scene, "box", 1, 1, 1) == TS_OK);
  cr_assert(ts_scene_add_body(&body, scene, "a", shape, ts_pose_identity(), true) == TS_OK);
  ts_pose pose = {{1, 0, 0, 0}, b_at};
  cr_assert(ts_scene_add_body(&body, scene, "b", shape, pose, false) == TS_OK);
  const ts_vec3 up = {0, 1, 0};
  ts_joint joint = {.body_a = 0,
                    .body_b = 1,
                    .count_a = count_a,
                    .count_b = count_b,
                    .feature_a_local = a,
                    .feature_b_local = b,
                    .needs_all = true};
  joint.normal_count[TS_REFERENCE_DESIGN] = 1;
  joint.normals_local[TS_REFERENCE_DESIGN] = &up;
  cr_assert(ts_scene_add_joint(scene, &joint) == TS_OK);
  *out_status = ts_scene_resolve_truth(scene);
  return scene;
}

static const ts_vec3 top[4] = {
    {-0.5, 0.5, -0.5}, {-0.5, 0.5, 0.5}, {0.5, 0.5, 0.5}, {0.5, 0.5, -0.5}};
static const ts_vec3 bottom[4] = {
    {-0.5, -0.5, -0.5}, {-0.5, -0.5, 0.5}, {0.5, -0.5, 0.5}, {0.5, -0.5, -0.5}};

static size_t region_count_at(ts_vec3 b_at, const ts_vec3 *a, size_t count_a, const ts_vec3 *b,
                              size_t count_b) {
  ts_arena *arena = case_fixture_arena();
  ts_status status;
  size_t count = joined(arena, b_at, a, count_a, b, count_b, &status)->region_count;
  cr_assert(status == TS_OK, "%s", ts_status_detail());
  ts_arena_destroy(arena);
  return count;
}

Test(cases_moved_truth, features_that_lost_each_other_make_no_region) {
  const ts_vec3 tip = {0, -0.5, 0}, edge[2] = {{0, -0.5, -0.5}, {0, -0.5, 0.5}};
  const ts_vec3 line[2] = {{0, 0.5, -0.5}, {0, 0.5, 0.5}};
  const ts_vec3 above = {0, 1, 0}, half_off = {0.4, 1, 0.4}, off = {1.1, 1, 0};
  const ts_vec3 along = {0, 1, 1.1};
  cr_expect(region_count_at(above, top, 4, bottom, 4) == 1);
  cr_expect(region_count_at(half_off, top, 4, bottom, 4) == 1);
  cr_expect(region_count_at(off, top, 4, bottom, 4) == 0);
  cr_expect(region_count_at(half_off, top, 4, edge, 2) == 1);
  cr_expect(region_count_at(off, top, 4, edge, 2) == 0);
  cr_expect(region_count_at(half_off, top, 4, &tip, 1) == 1);
  cr_expect(region_count_at(off, top, 4, &tip, 1) == 0);
  cr_expect(region_count_at(half_off, line, 2, edge, 2) == 1);
  cr_expect(region_count_at(along, line, 2, edge, 2) == 0);
  cr_expect(region_count_at(half_off, line, 2, &tip, 1) == 1);
  cr_expect(region_count_at(along, line, 2, &tip, 1) == 0);
  // Faces that share no more than a side have no measure left.
  cr_expect(region_count_at(ts_vec3_make(1, 1, 0), top, 4, bottom, 4) == 0);
  cr_expect(region_count_at(ts_vec3_make(0, 1, 1), line, 2, edge, 2) == 0);
}

Test(cases_moved_truth, features_may_be_given_in_either_order_and_sense) {
  ts_arena *arena = case_fixture_arena();
  const ts_vec3 reversed[4] = {top[3], top[2], top[1], top[0]};
  ts_status status;
  const ts_vec3 at = {0.25, 1.5, 0};
  const ts_scene *one = joined(arena, at, top, 4, bottom, 4, &status);
  const ts_scene *other = joined(arena, at, reversed, 4, bottom, 4, &status);
  for (int i = 0; i < 2; i++) {
    const ts_region *region = i == 0 ? one->regions : other->regions;
    cr_assert(region->vertex_count == 4);
    cr_expect_float_eq(ts_region_measure(region), 0.75, 1e-15);
    cr_expect(region->feasible[0].normals[0].gap_m == 0.5);
    for (int v = 0; v < 4; v++)
      cr_expect_float_eq(region->vertices[v].y, 0.75, 1e-15);
  }
  ts_arena_destroy(arena);
}

Test(cases_moved_truth, crossing_segments_meet_in_a_point_as_long_as_they_cross) {
  ts_arena *arena = case_fixture_arena();
  const ts_vec3 along_x[2] = {{-0.5, 0.5, 0}, {0.5, 0.5, 0}};
  const ts_vec3 along_z[2] = {{0, -0.5, -0.5}, {0, -0.5, 0.5}};
  const ts_vec3 at[] = {
      {0, 1, 0}, {0.25, 1.25, 0.125}, {0.5, 1, -0.5}, {0.5001, 1, 0}, {0, 1, 0.5001}};
  const size_t regions[] = {1, 1, 1, 0, 0};
  for (size_t i = 0; i < 5; i++) {
    ts_status status;
    const ts_scene *scene = joined(arena, at[i], along_x, 2, along_z, 2, &status);
    cr_assert(status == TS_OK, "%s", ts_status_detail());
    cr_assert(scene->region_count == regions[i], "place %zu", i);
    if (regions[i] == 0)
      continue;
    const ts_region *region = &scene->regions[0];
    cr_expect(region->kind == TS_REGION_POINT);
    ts_vec3 middle = {at[i].x, 0.5 * at[i].y, 0};
    cr_expect(ts_vec3_distance(region->vertices[0], middle) < 1e-15, "place %zu", i);
    cr_expect_float_eq(region->feasible[0].normals[0].gap_m, at[i].y - 1, 1e-15);
  }
  ts_arena_destroy(arena);
}

Test(cases_moved_truth, segments_with_another_normal_than_their_crossing_are_refused) {
  ts_arena *arena = case_fixture_arena();
  const ts_vec3 along_x[2] = {{-0.5, 0.5, 0}, {0.5, 0.5, 0}};
  const ts_vec3 rising_z[2] = {{0, -0.5, -0.5}, {0, -0.4, 0.5}};
  const ts_vec3 nothing[2] = {{0, -0.5, 0}, {0, -0.5, 0}};
  ts_status status;
  joined(arena, ts_vec3_make(0, 1, 0), along_x, 2, rising_z, 2, &status);
  cr_expect(status == TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), "not parallel") != NULL, "%s", ts_status_detail());
  joined(arena, ts_vec3_make(0, 1, 0), along_x, 2, nothing, 2, &status);
  cr_expect(status == TS_E_INPUT);
  ts_arena_destroy(arena);
}

// Noise at the edge of a tolerance must not make corners that are none.
Test(cases_moved_truth, rounding_makes_no_corners) {
  ts_arena *arena = case_fixture_arena();
  for (int i = -3; i <= 3; i++) {
    ts_status status;
    ts_vec3 at = {i * 1e-16, 1, -i * 3e-17};
    const ts_scene *scene = joined(arena, at, top, 4, bottom, 4, &status);
    cr_assert(scene->region_count == 1);
    cr_expect(scene->regions[0].vertex_count == 4, "%zu corners", scene->regions[0].vertex_count);
  }
  ts_arena_destroy(arena);
}
