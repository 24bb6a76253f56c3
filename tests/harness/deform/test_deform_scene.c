// SPDX-License-Identifier: MIT
// covers: harness/deform/deform_scene.c harness/deform/deform_pair.c harness/deform/deform_bodies.c
// covers: harness/deform/deform_rows.c harness/deform/deform_facets.c harness/deform/deform_job.c
#include "tests/harness/deform/deform_fixture.h"

#include "base/status.h"
#include "geometry/distance/mesh_overlap.h"

#include <string.h>

TestSuite(harness_deform_scene, .init = deform_setup, .fini = deform_teardown);

static const ts_pose nowhere = {{1, 0, 0, 0}, {0, 0, 0}};

static const ts_deform_row *row_of(const ts_deform_scene *scene, size_t pair, int which) {
  const ts_deform_row *row = &scene->pairs[pair].rows[which];
  cr_assert_str_eq(row->outcome, "ok", "pair %zu: %s", pair, row->reason);
  return row;
}

Test(harness_deform_scene, spheres_keep_their_volume_and_share_little_after) {
  ts_deform_request request = deform_request(deform_spheres(true));
  ts_deform_scene out = deform_run(&request);
  cr_assert_eq(out.pair_count, 1);
  for (int which = 0; which < 2; which++) {
    const ts_deform_row *row = row_of(&out, 0, which);
    cr_expect_eq(row->body, which);
    cr_expect_lt(fabs(row->volume_error), 1e-12);
    cr_expect_lt(row->volume_error_without_bulge, -1e-3);
    cr_expect_gt(row->bulge_m, 0);
    cr_expect_eq(row->turned_over, 0);
    cr_expect_float_eq(row->zone_mesh_area_m2, row->zone_area_m2, 0.03 * row->zone_area_m2);
    cr_expect_float_eq(row->moved_m_max, 0.05, 0.003);
  }
  const ts_deform_row *row = row_of(&out, 0, 0);
  cr_expect_lt(row->overlap_left_m3, 0.05 * row->overlap_m3);
  cr_expect_float_eq(row->overlap_ldi_m3, row->overlap_m3, 1e-3 * row->overlap_m3);
  cr_expect_float_eq(row->overlap_left_ldi_m3, row->overlap_left_m3, 1e-3 * row->overlap_m3,
                     "%g, not %g, of %g", row->overlap_left_ldi_m3, row->overlap_left_m3,
                     row->overlap_m3);
  cr_expect_float_eq(row->deepest_m, 0.1, 0.005);
  cr_expect_lt(row->mismatch_m_rms, 0.002);
  cr_expect_leq(row->mismatch_m_rms, row->mismatch_m_max);
  cr_expect_float_eq(row->zone_mesh_area_m2, out.pairs[0].rows[1].zone_mesh_area_m2,
                     0.01 * row->zone_mesh_area_m2);
}

Test(harness_deform_scene, what_is_left_is_the_same_measured_along_any_direction) {
  ts_deform_request request = deform_request(deform_spheres(true));
  request.settings.extent = 0.3;
  ts_deform_scene out = deform_run(&request);
  const ts_deform_side *sides = out.pairs[0].pair.sides;
  double expected = row_of(&out, 0, 0)->overlap_left_m3;
  static const ts_vec3 directions[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.6, 0, 0.8}};
  for (int i = 0; i < 4; i++) {
    ts_mesh_overlap overlap;
    cr_assert_eq(ts_mesh_overlap_measure(
                     &overlap, deform_arena, (ts_placed_mesh){sides[0].mesh, sides[0].after},
                     (ts_placed_mesh){sides[1].mesh, sides[1].after}, directions[i]),
                 TS_OK);
    cr_expect_float_eq(overlap.volume_m3, expected, 1e-15, "%g, not %g", overlap.volume_m3,
                       expected);
  }
}

Test(harness_deform_scene, bodies_in_the_other_order_with_the_stiffness_mirrored_leave_the_same) {
  double left[2], moved[2];
  for (int i = 0; i < 2; i++) {
    ts_deform_request request = deform_request(deform_spheres(i == 0));
    request.settings.stiffness_a = i == 0 ? 0.7 : 0.3;
    ts_deform_scene out = deform_run(&request);
    left[i] = row_of(&out, 0, 0)->overlap_left_m3;
    moved[i] = row_of(&out, 0, i)->moved_m_max;
  }
  cr_expect_float_eq(left[0], left[1], 1e-6 * 0.0072, "%g %g", left[0], left[1]);
  cr_expect_float_eq(moved[0], moved[1], 1e-9);
}

Test(harness_deform_scene, a_rigid_body_stays_to_the_bit_and_so_do_vertices_out_of_reach) {
  ts_deform_request request = deform_request(deform_spheres(true));
  request.settings.stiffness_a = 1;
  ts_deform_scene out = deform_run(&request);
  const ts_deformed_body *rigid = &out.shown.bodies[0], *soft = &out.shown.bodies[1];
  cr_expect_arr_eq(rigid->after, rigid->before, rigid->mesh->vertex_count * sizeof *rigid->after);
  size_t still = 0;
  for (size_t i = 0; i < soft->mesh->vertex_count; i++) {
    if (soft->u[i] <= 1)
      continue;
    still++;
    cr_expect(isnan(soft->u[i]));
    cr_expect_arr_eq(&soft->after_local[i], &soft->mesh->vertices[i], sizeof *soft->after_local);
  }
  cr_expect_gt(still, 100);
}

Test(harness_deform_scene, is_the_same_at_every_scale_and_far_from_the_origin) {
  static const double scales[] = {1, 1e-3, 1e3, 1};
  double before = 0;
  for (int i = 0; i < 4; i++) {
    ts_pose motion = {ts_quat_from_axis_angle(ts_vec3_unit((ts_vec3){3, 1, 2}), i), {0, 0, 0}};
    if (i == 3)
      motion.translation = (ts_vec3){1e4, -2e4, 1e4};
    ts_scene *scene = deform_stack(2, 0.9, scales[i], motion);
    ts_deform_request request = deform_request(scene);
    ts_deform_scene out = deform_run(&request);
    const ts_deform_row *row = row_of(&out, 0, 0);
    double cube = scales[i] * scales[i] * scales[i];
    cr_expect_float_eq(row->overlap_m3, 0.1 * cube, 1e-8 * cube);
    cr_expect_float_eq(row->deepest_m, 0.1 * scales[i], 1e-8 * scales[i]);
    cr_expect_lt(fabs(row->volume_error), 1e-12, "%d: %g", i, row->volume_error);
    if (i > 0)
      cr_expect_float_eq(row->bulge_m / scales[i], before, 1e-6 * before, "%d: %g, not %g", i,
                         row->bulge_m / scales[i], before);
    before = i == 0 ? row->bulge_m : before;
  }
}

Test(harness_deform_scene, pairs_that_would_move_the_same_are_skipped_but_the_first) {
  ts_scene *scene = deform_stack(3, 0.9, 1, nowhere);
  ts_deform_request request = deform_request(scene);
  ts_deform_scene out = deform_run(&request);
  cr_assert_eq(out.pair_count, 2);
  cr_expect_eq(out.pairs[0].status, TS_OK);
  cr_expect_eq(out.pairs[1].status, TS_SKIPPED);
  const ts_deform_row *row = &out.pairs[1].rows[0];
  cr_expect(strstr(row->reason, "box (1) meets what the pair of box (0) and box (1) moves"), "%s",
            row->reason);
  cr_expect_float_eq(row->overlap_m3, 0.1, 1e-12);
  cr_expect(isnan(row->overlap_left_m3));
}

Test(harness_deform_scene, a_body_between_two_gives_way_to_both_where_they_are_apart) {
  ts_scene *scene = deform_stack(3, 0.9, 1, nowhere);
  ts_deform_request request = deform_request(scene);
  request.settings.extent = 0.25;
  request.edge_max_m = 0.1;
  ts_deform_scene out = deform_run(&request);
  for (size_t i = 0; i < 2; i++)
    for (int which = 0; which < 2; which++)
      cr_expect_lt(fabs(row_of(&out, i, which)->volume_error), 1e-12);
  const ts_deformed_body *middle = &out.shown.bodies[1];
  size_t count = 0;
  for (size_t i = 0; i < middle->mesh->vertex_count; i++)
    if (middle->zone[i]) {
      double expected = middle->before[i].y > 0.9 ? 1.35 : 0.45;
      cr_expect_float_eq(middle->after[i].y, expected, 1e-9, "%g", middle->after[i].y);
      count++;
    }
  cr_expect_gt(count, 2 * 25);
}

Test(harness_deform_scene, only_the_chosen_pair_gives_way) {
  ts_scene *scene = deform_stack(3, 0.9, 1, nowhere);
  ts_deform_request request = deform_request(scene);
  request.has_pair = true;
  request.chosen = (ts_body_pair){1, 2};
  ts_deform_scene out = deform_run(&request);
  cr_assert_eq(out.pair_count, 1);
  cr_expect_eq(row_of(&out, 0, 0)->body, 1);
}

Test(harness_deform_scene, facets_lie_between_the_bodies_and_cover_the_surface) {
  ts_scene *scene = deform_stack(2, 0.9, 1, nowhere);
  ts_deform_request request = deform_request(scene);
  ts_deform_scene out = deform_run(&request);
  double areas[2] = {0, 0};
  for (size_t i = 0; i < out.shown.facet_count; i++) {
    const ts_deformed_facet *facet = &out.shown.facets[i];
    const ts_vec3 *corners = out.shown.corners + facet->first_corner;
    ts_vec3 sum = {0, 0, 0};
    for (size_t k = 0; k < facet->corner_count; k++) {
      cr_expect_float_eq(corners[k].y, 0.45, 1e-12);
      cr_expect_float_eq(out.shown.depths_m[facet->first_corner + k], 0.1, 1e-12);
      sum = ts_vec3_add(sum, ts_vec3_cross(corners[k], corners[(k + 1) % facet->corner_count]));
    }
    areas[facet->is_in_zone] += ts_vec3_dot(sum, facet->normal) / 2;
    cr_expect_float_eq(facet->normal.y, 1, 1e-12);
  }
  cr_expect_float_eq(areas[0], 1, 1e-9);
  cr_expect_float_eq(areas[1], 1, 1e-9);
}

/// The rows of the only pair, which is skipped for a reason with these words.
static const ts_deform_row *skipped_rows(const ts_deform_scene *out, const char *words) {
  cr_assert_eq(out->pair_count, 1);
  const ts_deform_row *rows = out->pairs[0].rows;
  cr_assert_str_eq(rows[0].outcome, "skipped");
  cr_expect(strstr(rows[0].reason, words), "%s", rows[0].reason);
  return rows;
}

Test(harness_deform_scene, bodies_that_coincide_are_skipped_with_what_they_share) {
  static const double scales[] = {1, 1e-3, 1e3, 1};
  for (int i = 0; i < 4; i++) {
    ts_pose motion = nowhere;
    if (i == 3)
      motion = (ts_pose){ts_quat_from_axis_angle(ts_vec3_unit((ts_vec3){3, 1, 2}), 1), {1e4, 0, 7}};
    ts_deform_request request = deform_request(deform_stack(2, 0, scales[i], motion));
    ts_deform_scene out = deform_run(&request);
    const ts_deform_row *rows = skipped_rows(&out, "surfaces coincide");
    double cube = scales[i] * scales[i] * scales[i];
    cr_expect_float_eq(rows[0].overlap_m3, cube, 1e-8 * cube);
    for (int which = 0; which < 2; which++)
      cr_expect_float_eq(rows[which].volume_m3, cube, 1e-12 * cube);
    cr_expect(isnan(rows[0].direction_y));
    cr_expect(isnan(rows[0].deepest_m));
  }
}

/// A cube of side 1 and a bar of 0.4 x 3 x 0.4 that goes through it along y.
static ts_scene *bar_through_cube(double scale, ts_pose motion) {
  ts_scene *scene = deform_stack(1, 1, 1, nowhere);
  const ts_mesh *cube = scene->shapes[0].mesh;
  ts_vec3 vertices[8];
  int32_t shape, body;
  for (int i = 0; i < 8; i++)
    vertices[i] =
        (ts_vec3){0.4 * cube->vertices[i].x, 3 * cube->vertices[i].y, 0.4 * cube->vertices[i].z};
  cr_assert_eq(ts_scene_add_shape(&shape, scene, "bar", vertices, 8, cube->triangles, 12), TS_OK);
  cr_assert_eq(ts_scene_add_body(&body, scene, "bar", shape, nowhere, false), TS_OK);
  cr_assert_eq(ts_scene_transform(scene, scale, motion), TS_OK);
  return scene;
}

Test(harness_deform_scene, a_given_direction_along_which_a_body_goes_through_is_said) {
  static const double scales[] = {1, 1e-3, 1e3, 1};
  for (int i = 0; i < 4; i++) {
    ts_pose motion = nowhere;
    if (i == 3)
      motion = (ts_pose){ts_quat_from_axis_angle(ts_vec3_unit((ts_vec3){3, 1, 2}), 1), {1e3, 0, 7}};
    ts_deform_request request = deform_request(bar_through_cube(scales[i], motion));
    request.settings.has_direction = true;
    request.settings.direction = ts_pose_direction(motion, (ts_vec3){0, 1, 0});
    ts_deform_scene out = deform_run(&request);
    const ts_deform_row *row = skipped_rows(&out, "goes right through the other along it");
    ts_vec3 given = request.settings.direction;
    cr_expect_float_eq(row->direction_x, given.x, 1e-14);
    cr_expect_float_eq(row->direction_y, given.y, 1e-14);
    cr_expect_float_eq(row->direction_z, given.z, 1e-14);
    cr_expect_float_eq(row->overlap_m3 / pow(scales[i], 3), 0.16, 1e-8);
    cr_expect(isnan(row->deepest_m), "%g", row->deepest_m);
  }
}

Test(harness_deform_scene, a_given_direction_that_points_the_wrong_way_is_said) {
  ts_deform_request request = deform_request(deform_stack(2, 0.9, 1, nowhere));
  request.settings.has_direction = true;
  request.settings.direction = (ts_vec3){0, -1, 0};
  ts_deform_scene out = deform_run(&request);
  const ts_deform_row *row =
      skipped_rows(&out, "direction 0,-1,0 points from box (1) to box (0), ");
  cr_expect_eq(row->direction_y, -1);
  request.settings.direction = (ts_vec3){0, 1, 0};
  out = deform_run(&request);
  cr_expect_float_eq(row_of(&out, 0, 0)->deepest_m, 0.1, 1e-12);
}

static void expect_refused(const ts_deform_request *request, const char *words) {
  ts_deform_job job;
  cr_expect_eq(ts_deform_job_create(&job, deform_arena, request), TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), words), "%s", ts_status_detail());
}

Test(harness_deform_scene, bodies_that_touch_do_not_overlap_wherever_they_are) {
  for (int i = 0; i < 8; i++) {
    ts_pose motion = {ts_quat_from_axis_angle(ts_vec3_unit((ts_vec3){1, i, 2}), i),
                      {1e3 * i, 0, -1e3 * i}};
    ts_deform_request request = deform_request(deform_stack(2, 1, 1, motion));
    expect_refused(&request, "no two bodies of made overlap");
  }
}

Test(harness_deform_scene, dilation_makes_bodies_that_touch_overlap) {
  ts_deform_request request = deform_request(deform_stack(2, 1, 1, nowhere));
  request.dilation_m = 0.05;
  ts_deform_scene out = deform_run(&request);
  const ts_deform_row *row = row_of(&out, 0, 0);
  cr_expect_float_eq(row->deepest_m, 0.1, 1e-9);
  cr_expect_float_eq(row->overlap_m3, 1.1 * 1.1 * 0.1, 1e-9);
}

Test(harness_deform_scene, what_cannot_be_is_refused_before_anything_is_done) {
  ts_deform_request request = deform_request(deform_stack(3, 0.9, 1, nowhere));
  request.has_pair = true;
  request.chosen = (ts_body_pair){0, 2};
  expect_refused(&request, "box (0) and box (2) of made do not overlap");
  request.edge_max_m = 1e-5;
  expect_refused(&request, "shape box: with edges of at most 1e-05 m");
}
