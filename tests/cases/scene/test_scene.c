// SPDX-License-Identifier: MIT
// covers: cases/scene/scene.c
#include "cases/scene/shapes.h"
#include "tests/cases/case_fixture.h"

#include "base/status.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static ts_scene *two_boxes(ts_arena *arena) {
  ts_scene *scene;
  int32_t shape, body;
  cr_assert(ts_scene_create(&scene, arena) == TS_OK);
  cr_assert(ts_shape_box(&shape, scene, "box", 1, 1, 1) == TS_OK);
  cr_assert(ts_scene_add_body(&body, scene, "a", shape, ts_pose_identity(), true) == TS_OK);
  ts_pose above = {{1, 0, 0, 0}, {0.25, 1, 0}};
  cr_assert(ts_scene_add_body(&body, scene, "b", shape, above, false) == TS_OK);
  return scene;
}

static ts_joint stacked(const ts_vec3 *up) {
  static const ts_vec3 corner = {0, 0.5, 0};
  ts_joint joint = {.body_a = 0,
                    .body_b = 1,
                    .count_a = 1,
                    .count_b = 1,
                    .feature_a_local = &corner,
                    .feature_b_local = &corner,
                    .needs_all = true};
  joint.normal_count[TS_REFERENCE_DESIGN] = 1;
  joint.normals_local[TS_REFERENCE_DESIGN] = up;
  return joint;
}

Test(cases_scene, a_scene_keeps_what_is_added_as_it_grows) {
  ts_arena *arena = case_fixture_arena();
  ts_scene *scene = two_boxes(arena);
  for (int i = 0; i < 100; i++) {
    char name[24];
    snprintf(name, sizeof name, "body_%d", i);
    ts_pose pose = {{1, 0, 0, 0}, {i, 0, 0}};
    int32_t body;
    cr_assert(ts_scene_add_body(&body, scene, name, 0, pose, false) == TS_OK);
    cr_expect(body == i + 2);
  }
  cr_assert(scene->body_count == 102);
  cr_expect_str_eq(scene->bodies[0].name, "a");
  cr_expect_str_eq(scene->bodies[79].name, "body_77");
  cr_expect(scene->bodies[79].pose.translation.x == 77);
  ts_arena_destroy(arena);
}

Test(cases_scene, what_does_not_fit_is_refused_with_its_reason) {
  ts_arena *arena = case_fixture_arena();
  ts_scene *scene = two_boxes(arena);
  const ts_vec3 up = {0, 1, 0}, long_up = {0, 1.1, 0}, none = {NAN, 0, 0};
  int32_t body;
  cr_expect(ts_scene_add_body(&body, scene, "x", 1, ts_pose_identity(), false) == TS_E_INPUT);
  cr_expect(ts_scene_add_body(&body, scene, "x", -1, ts_pose_identity(), false) == TS_E_INPUT);

  ts_joint joint = stacked(&up);
  cr_expect(ts_scene_add_joint(scene, &joint) == TS_OK);
  joint.body_b = 2;
  cr_expect(ts_scene_add_joint(scene, &joint) == TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), "bodies 0 and 2") != NULL, "%s", ts_status_detail());
  joint.body_a = 1;
  joint.body_b = 0;
  cr_expect(ts_scene_add_joint(scene, &joint) == TS_E_INPUT);
  joint = stacked(&long_up);
  cr_expect(ts_scene_add_joint(scene, &joint) == TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), "not unit") != NULL, "%s", ts_status_detail());
  joint = stacked(&none);
  cr_expect(ts_scene_add_joint(scene, &joint) == TS_E_INPUT);
  joint = stacked(&up);
  joint.count_b = 0;
  cr_expect(ts_scene_add_joint(scene, &joint) == TS_E_INPUT);
  joint = stacked(&up);
  joint.normal_count[TS_REFERENCE_DESIGN] = 0;
  cr_expect(ts_scene_add_joint(scene, &joint) == TS_E_INPUT);
  cr_expect(scene->joint_count == 1);
  ts_arena_destroy(arena);
}

Test(cases_scene, design_normals_replace_references_that_are_not_given) {
  ts_arena *arena = case_fixture_arena();
  ts_scene *scene = two_boxes(arena);
  const ts_vec3 up = {0, 1, 0};
  ts_joint joint = stacked(&up);
  cr_assert(ts_scene_add_joint(scene, &joint) == TS_OK);
  for (int r = 0; r < TS_REFERENCE_COUNT; r++) {
    cr_assert(scene->joints[0].normal_count[r] == 1);
    cr_expect(scene->joints[0].normals_local[r][0].y == 1);
    cr_expect(scene->joints[0].normals_local[r] != &up, "the arrays are copied");
  }
  ts_arena_destroy(arena);
}

Test(cases_scene, an_invalid_scale_is_refused) {
  ts_arena *arena = case_fixture_arena();
  ts_scene *scene = two_boxes(arena);
  cr_expect(ts_scene_transform(scene, 0, ts_pose_identity()) == TS_E_INPUT);
  cr_expect(ts_scene_transform(scene, -1, ts_pose_identity()) == TS_E_INPUT);
  cr_expect(ts_scene_transform(scene, NAN, ts_pose_identity()) == TS_E_INPUT);
  cr_expect(ts_scene_transform(scene, INFINITY, ts_pose_identity()) == TS_E_INPUT);
  ts_arena_destroy(arena);
}

Test(cases_scene, the_identity_changes_no_bit) {
  ts_arena *arena = case_fixture_arena();
  ts_scene *scene = build_default(arena, "arch");
  ts_body before[14];
  memcpy(before, scene->bodies, sizeof before);
  cr_assert(ts_scene_transform(scene, 1, ts_pose_identity()) == TS_OK);
  cr_expect(memcmp(before, scene->bodies, sizeof before) == 0);
  ts_arena_destroy(arena);
}

static double closest_vertex(const ts_region *region, ts_vec3 point) {
  double smallest = INFINITY;
  for (size_t i = 0; i < region->vertex_count; i++)
    smallest = fmin(smallest, ts_vec3_distance(region->vertices[i], point));
  return smallest;
}

// Truth that was moved with the bodies against truth that is resolved where they are now.
Test(cases_scene, regions_follow_the_bodies) {
  const double scales[] = {1e-3, 1, 1e3};
  ts_arena *arena = case_fixture_arena();
  for (size_t i = 0; ts_cases[i]; i++) {
    for (int k = 0; k < 3; k++) {
      ts_scene *scene = build_case(arena, ts_cases[i]->name, {"motion_seed", k + 1},
                                   {"scale", scales[k]}, {"perturb_m", k * 0.005});
      const ts_region *moved = scene->regions;
      size_t count = scene->region_count;
      cr_assert(ts_scene_resolve_truth(scene) == TS_OK);
      cr_assert(scene->region_count == count, "%s", ts_cases[i]->name);
      for (size_t r = 0; r < count; r++) {
        const ts_region *now = &scene->regions[r];
        cr_assert(now->vertex_count == moved[r].vertex_count, "%s", ts_cases[i]->name);
        for (size_t v = 0; v < now->vertex_count; v++)
          cr_expect(closest_vertex(now, moved[r].vertices[v]) < 1e-13 * scales[k] * 20,
                    "%s, scale %g", ts_cases[i]->name, scales[k]);
        for (int f = 0; f < TS_REFERENCE_COUNT; f++) {
          cr_assert(now->feasible[f].count == moved[r].feasible[f].count);
          for (size_t n = 0; n < now->feasible[f].count; n++) {
            const ts_feasible *x = &now->feasible[f].normals[n],
                              *y = &moved[r].feasible[f].normals[n];
            cr_expect(ts_vec3_distance(x->normal, y->normal) < 1e-14, "%s", ts_cases[i]->name);
            cr_expect_float_eq(x->gap_m, y->gap_m, 1e-13 * scales[k] * 20);
          }
        }
      }
    }
  }
  ts_arena_destroy(arena);
}

static void expect_same_regions(const ts_scene *a, const ts_scene *b) {
  cr_assert(a->region_count == b->region_count);
  for (size_t i = 0; i < a->region_count; i++) {
    const ts_region *x = &a->regions[i], *y = &b->regions[i];
    cr_assert(x->body_a == y->body_a && x->body_b == y->body_b && x->kind == y->kind &&
              x->needs_all == y->needs_all && x->vertex_count == y->vertex_count);
    for (size_t v = 0; v < x->vertex_count; v++)
      cr_expect(ts_vec3_distance(x->vertices[v], y->vertices[v]) < 1e-13);
    for (int r = 0; r < TS_REFERENCE_COUNT; r++) {
      cr_assert(x->feasible[r].count == y->feasible[r].count);
      for (size_t n = 0; n < x->feasible[r].count; n++) {
        const ts_feasible *f = &x->feasible[r].normals[n], *g = &y->feasible[r].normals[n];
        cr_expect(ts_vec3_distance(f->normal, g->normal) < 1e-14);
        cr_expect(f->gap_m == g->gap_m);
      }
    }
  }
}

Test(cases_scene, carrying_bodies_that_stay_changes_nothing) {
  ts_arena *arena = case_fixture_arena();
  for (size_t i = 0; ts_cases[i]; i++) {
    const ts_scene *built = build_case(arena, ts_cases[i]->name, {"motion_seed", 4});
    ts_scene *scene;
    cr_assert(ts_scene_carry(&scene, arena, built, built->bodies) == TS_OK);
    expect_same_regions(built, scene);
    cr_expect(scene->bodies != built->bodies && scene->regions != built->regions);
    cr_expect(scene->scale == built->scale && ts_vec3_distance(scene->up, built->up) == 0);
    for (size_t r = 0; r < scene->region_count; r++)
      cr_expect(scene->regions[r].place_error_m == 0, "%s", ts_cases[i]->name);
  }
  ts_arena_destroy(arena);
}

/// The bodies of a scene, with one motion [count] put on each of them.
static ts_body *moved_bodies(ts_arena *arena, const ts_scene *scene, const ts_pose *motions) {
  ts_body *bodies = ts_arena_array(arena, scene->body_count, sizeof *bodies);
  for (size_t i = 0; i < scene->body_count; i++) {
    bodies[i] = scene->bodies[i];
    bodies[i].pose = ts_pose_mul(motions[i], bodies[i].pose);
  }
  return bodies;
}

Test(cases_scene, regions_are_carried_with_the_first_body_of_their_pair) {
  ts_arena *arena = case_fixture_arena();
  const ts_scene *built = build_default(arena, "wedges"), *same = build_default(arena, "wedges");
  cr_assert(built->body_count == 2 && built->region_count == 1);
  ts_pose motions[] = {{ts_quat_from_axis_angle((ts_vec3){0, 0, 1}, 0.5), {1, 2, 3}},
                       {ts_quat_from_axis_angle((ts_vec3){1, 0, 0}, 0.2), {0, -1, 0}}};
  ts_scene *scene;
  const ts_body *bodies = moved_bodies(arena, built, motions);
  cr_assert(ts_scene_carry(&scene, arena, built, bodies) == TS_OK);
  expect_same_regions(same, built);
  cr_expect(memcmp(scene->bodies, bodies, 2 * sizeof *bodies) == 0);
  const ts_region *before = &built->regions[0], *now = &scene->regions[0];
  for (size_t v = 0; v < before->vertex_count; v++)
    cr_expect(ts_vec3_distance(now->vertices[v], ts_pose_point(motions[0], before->vertices[v])) <
              1e-13);
  for (int r = 0; r < TS_REFERENCE_COUNT; r++)
    for (size_t n = 0; n < before->feasible[r].count; n++)
      cr_expect(ts_vec3_distance(
                    now->feasible[r].normals[n].normal,
                    ts_pose_direction(motions[0], before->feasible[r].normals[n].normal)) < 1e-14);
  ts_arena_destroy(arena);
}

Test(cases_scene, how_far_a_pair_has_moved_is_an_upper_bound) {
  ts_arena *arena = case_fixture_arena();
  const ts_scene *built = build_case(arena, "pillar", {"motion_seed", 2});
  ts_pose *motions = ts_arena_array(arena, built->body_count, sizeof *motions);
  for (int turns = 0; turns < 2; turns++) {
    for (size_t i = 0; i < built->body_count; i++) {
      double d = 0.01 * (double)i;
      motions[i] =
          (ts_pose){ts_quat_from_axis_angle((ts_vec3){0, 1, 0}, turns * d), {3 * d, 4 * d, 0}};
    }
    ts_scene *scene;
    cr_assert(ts_scene_carry(&scene, arena, built, moved_bodies(arena, built, motions)) == TS_OK);
    for (size_t r = 0; r < scene->region_count; r++) {
      const ts_region *region = &scene->regions[r];
      int32_t a = region->body_a, b = region->body_b;
      const ts_mesh *mesh = built->shapes[built->bodies[b].shape].mesh;
      ts_pose before = ts_pose_relative(built->bodies[a].pose, built->bodies[b].pose);
      ts_pose now = ts_pose_relative(scene->bodies[a].pose, scene->bodies[b].pose);
      double largest = 0;
      for (size_t v = 0; v < mesh->vertex_count; v++)
        largest = fmax(largest, ts_vec3_distance(ts_pose_point(before, mesh->vertices[v]),
                                                 ts_pose_point(now, mesh->vertices[v])));
      cr_expect(region->place_error_m >= largest - 1e-14, "%g, %g", region->place_error_m, largest);
      cr_expect(region->place_error_m < 2 * largest, "%g, %g: far too much", region->place_error_m,
                largest);
      if (turns == 0)
        cr_expect_float_eq(region->place_error_m, 0.05 * (double)(b - a), 1e-13);
    }
  }
  ts_arena_destroy(arena);
}

Test(cases_scene, a_carried_scene_can_grow) {
  ts_arena *arena = case_fixture_arena();
  const ts_scene *built = two_boxes(arena);
  ts_scene *scene;
  cr_assert(ts_scene_carry(&scene, arena, built, built->bodies) == TS_OK);
  for (int i = 0; i < 20; i++) {
    int32_t body;
    cr_assert(ts_scene_add_body(&body, scene, "c", 0, ts_pose_identity(), false) == TS_OK);
    cr_expect(body == i + 2);
  }
  cr_expect(built->body_count == 2 && scene->body_count == 22);
  ts_arena_destroy(arena);
}

static const ts_force pull = {1, {0.5, -0.25, 0}, {3, 0, -4}};

Test(cases_scene, a_force_grows_with_the_weight_and_turns_with_the_scene) {
  ts_arena *arena = case_fixture_arena();
  ts_scene *scene = two_boxes(arena);
  cr_assert_eq(ts_scene_add_force(scene, &pull), TS_OK, "%s", ts_status_detail());
  ts_pose motion = {ts_quat_from_axis_angle((ts_vec3){0, 1, 0}, 0.5), {1, 2, 3}};
  const ts_shape *shape = &scene->shapes[scene->bodies[1].shape];
  double before_kg = ts_mesh_mass_properties(shape->mesh, 1).mass_kg;
  cr_assert_eq(ts_scene_transform(scene, 10, motion), TS_OK);
  double now_kg = ts_mesh_mass_properties(shape->mesh, 1).mass_kg;
  const ts_force *force = &scene->forces[0];
  cr_expect(ts_vec3_distance(force->point_local, ts_vec3_make(5, -2.5, 0)) < 1e-15);
  cr_expect_float_eq(ts_vec3_norm(force->force_n) / (10 * now_kg), 5 / before_kg, 1e-9);
  ts_vec3 along = ts_vec3_unit(force->force_n);
  cr_expect(ts_vec3_distance(along, ts_pose_direction(motion, ts_vec3_make(0.6, 0, -0.8))) < 1e-15);
  ts_arena_destroy(arena);
}

Test(cases_scene, forces_stay_where_bodies_move_and_can_be_added_there) {
  ts_arena *arena = case_fixture_arena();
  ts_scene *built = two_boxes(arena), *scene;
  for (int i = 0; i < 5; i++)
    cr_assert_eq(ts_scene_add_force(built, &pull), TS_OK, "%s", ts_status_detail());
  cr_assert_eq(ts_scene_carry(&scene, arena, built, built->bodies), TS_OK);
  cr_assert_eq(scene->force_count, 5);
  cr_expect_eq(memcmp(&scene->forces[4], &pull, sizeof pull), 0);
  const ts_force other = {1, {0, 0, 0}, {0, 1, 0}};
  cr_assert_eq(ts_scene_add_force(scene, &other), TS_OK);
  cr_assert_eq(ts_scene_add_force(built, &pull), TS_OK);
  cr_expect_eq(scene->forces[5].force_n.y, 1);
  cr_expect_eq(built->forces[5].force_n.y, 0);
  ts_arena_destroy(arena);
}

Test(cases_scene, a_force_that_cannot_act_is_refused) {
  ts_arena *arena = case_fixture_arena();
  ts_scene *scene = two_boxes(arena);
  ts_force force = pull;
  force.body = 2;
  cr_expect_eq(ts_scene_add_force(scene, &force), TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), "there are 2"), "%s", ts_status_detail());
  force.body = -1;
  cr_expect_eq(ts_scene_add_force(scene, &force), TS_E_INPUT);
  force = pull;
  force.force_n.x = NAN;
  cr_expect_eq(ts_scene_add_force(scene, &force), TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), "not finite"), "%s", ts_status_detail());
  force = pull;
  force.point_local.y = INFINITY;
  cr_expect_eq(ts_scene_add_force(scene, &force), TS_E_INPUT);
  scene->bodies[1].is_fixed = true;
  cr_expect_eq(ts_scene_add_force(scene, &pull), TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), "fixed"), "%s", ts_status_detail());
  cr_expect_eq(scene->force_count, 0);
  ts_arena_destroy(arena);
}

Test(cases_scene, up_turns_with_the_scene) {
  ts_arena *arena = case_fixture_arena();
  ts_scene *scene = two_boxes(arena);
  cr_expect(scene->up.x == 0 && scene->up.y == 1 && scene->up.z == 0);
  ts_pose motion = {ts_quat_from_axis_angle((ts_vec3){0, 0, 1}, 0.5), {1, 2, 3}};
  cr_assert(ts_scene_transform(scene, 10, motion) == TS_OK);
  cr_expect(ts_vec3_distance(scene->up, (ts_vec3){-sin(0.5), cos(0.5), 0}) < 1e-15);
  ts_arena_destroy(arena);
}

Test(cases_scene, regions_of_a_pair_are_found) {
  ts_arena *arena = case_fixture_arena();
  const ts_scene *scene = build_default(arena, "wall");
  size_t found = 0;
  for (int32_t a = 0; a < (int32_t)scene->body_count; a++) {
    for (int32_t b = a + 1; b < (int32_t)scene->body_count; b++) {
      size_t count;
      const ts_region *regions = ts_scene_pair_regions(&count, scene, a, b);
      cr_assert_eq(!regions, count == 0);
      for (size_t i = 0; i < count; i++)
        cr_assert(regions[i].body_a == a && regions[i].body_b == b);
      found += count;
    }
  }
  cr_expect(found == scene->region_count && found == 213);
  size_t count;
  cr_expect(ts_scene_pair_regions(&count, scene, 0, 9) == NULL && count == 0);
  ts_arena_destroy(arena);
}

Test(cases_scene, several_regions_of_a_pair_follow_each_other) {
  ts_arena *arena = case_fixture_arena();
  ts_scene *scene = two_boxes(arena);
  int32_t body;
  cr_assert(ts_scene_add_body(&body, scene, "c", 0, ts_pose_identity(), false) == TS_OK);
  const ts_vec3 up = {0, 1, 0}, right = {1, 0, 0};
  ts_joint joint = stacked(&up);
  joint.body_b = 2;
  cr_assert(ts_scene_add_joint(scene, &joint) == TS_OK);
  joint = stacked(&up);
  cr_assert(ts_scene_add_joint(scene, &joint) == TS_OK);
  joint.body_a = 1;
  joint.body_b = 2;
  cr_assert(ts_scene_add_joint(scene, &joint) == TS_OK);
  joint = stacked(&right);
  cr_assert(ts_scene_add_joint(scene, &joint) == TS_OK);
  cr_assert(ts_scene_resolve_truth(scene) == TS_OK);
  size_t count;
  const ts_region *regions = ts_scene_pair_regions(&count, scene, 0, 1);
  cr_assert(count == 2 && regions == &scene->regions[0]);
  // In the order in which the joints were added.
  cr_expect(regions[0].feasible[0].normals[0].normal.y == 1);
  cr_expect(regions[1].feasible[0].normals[0].normal.x == 1);
  ts_scene_pair_regions(&count, scene, 1, 2);
  cr_expect(count == 1);
  cr_expect(ts_scene_truth_totals(scene, TS_REFERENCE_DESIGN).pairs <= 3);
  ts_arena_destroy(arena);
}

Test(cases_scene, an_empty_scene_has_no_truth) {
  ts_arena *arena = case_fixture_arena();
  ts_scene *scene;
  cr_assert(ts_scene_create(&scene, arena) == TS_OK);
  cr_expect(ts_scene_resolve_truth(scene) == TS_OK);
  cr_expect(ts_scene_transform(scene, 2, ts_pose_identity()) == TS_OK);
  cr_expect(scene->region_count == 0 && scene->scale == 2);
  size_t count;
  cr_expect(ts_scene_pair_regions(&count, scene, 0, 1) == NULL && count == 0);
  ts_arena_destroy(arena);
}
