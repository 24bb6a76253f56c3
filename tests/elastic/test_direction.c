// SPDX-License-Identifier: MIT
// covers: elastic/direction.c
#include "tests/elastic/elastic_fixture.h"

#include "base/status.h"
#include "elastic/direction.h"
#include "tests/elastic/deform_meshes.h"

#include <criterion/criterion.h>
#include <string.h>

static ts_arena *arena;
static const double degrees_per_rad = 57.29577951308232;

static void setup(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(elastic_direction, .init = setup, .fini = teardown, .timeout = 60);

/// In the world.
static ts_status direction_of(ts_vec3 *out, const ts_elastic_pair *pair) {
  ts_inside inside = elastic_inside(pair);
  cr_assert_eq(inside.part_count, 1, "%zu parts", inside.part_count);
  ts_status status = ts_mapping_direction(out, &inside.parts[0]);
  *out = ts_pose_direction(pair->frame_to_world, *out);
  return status;
}

Test(elastic_direction, that_of_spheres_comes_to_the_line_of_centres_as_meshes_get_finer) {
  static const double expected_deg[] = {0.33, 0.08, 0.002};
  ts_vec3 centres = ts_vec3_unit((ts_vec3){0.3, 1, 0.2});
  for (int level = 1; level <= 3; level++) {
    ts_mesh *ball = deform_icosphere(arena, level, 1, (ts_vec3){0, 0, 0});
    ts_pose pose = {ts_quat_from_axis_angle((ts_vec3){1, 0, 0}, 0.37), ts_vec3_scale(centres, 1.7)};
    ts_vec3 m = {0, 0, 0};
    cr_assert_eq(direction_of(&m, elastic_pair_of(arena, ball, elastic_at(0, 0, 0), ball, pose)),
                 TS_OK);
    double angle_deg = ts_vec3_angle(m, centres) * degrees_per_rad;
    cr_expect_lt(angle_deg, 3 * expected_deg[level - 1], "level %d: %g degrees", level, angle_deg);
  }
}

Test(elastic_direction, that_of_a_flat_slab_is_its_normal_whatever_is_sunk_into_it) {
  ts_mesh *slab = elastic_box(arena, (ts_vec3){3, 0.5, 3}, (ts_vec3){0, 0, 0});
  ts_mesh *box = elastic_box(arena, (ts_vec3){0.5, 0.5, 0.5}, (ts_vec3){0, 0, 0});
  ts_mesh *ball = deform_icosphere(arena, 2, 0.5, (ts_vec3){0, 0, 0});
  for (int tilt = 0; tilt <= 44; tilt += 4) {
    ts_pose pose = {
        ts_quat_from_axis_angle(ts_vec3_unit((ts_vec3){1, 0, 0.4}), tilt / degrees_per_rad),
        {0.1, 0.99, 0.2}};
    ts_vec3 m = {0, 0, 0}, up = {0, 1, 0};
    cr_assert_eq(direction_of(&m, elastic_pair_of(arena, slab, elastic_at(0, 0, 0), box, pose)),
                 TS_OK);
    cr_assert_lt(ts_vec3_distance(m, up), 1e-12, "tilt %d: %g", tilt, ts_vec3_distance(m, up));
    cr_assert_eq(direction_of(&m, elastic_pair_of(arena, ball, pose, slab, elastic_at(0, 1.6, 0))),
                 TS_OK);
    cr_assert_lt(ts_vec3_distance(m, up), 1e-12, "tilt %d: %g", tilt, ts_vec3_distance(m, up));
  }
}

Test(elastic_direction, the_flatter_side_decides) {
  // Made up: the mean normals are not opposite, as with flush sides that are left out.
  ts_inside_part part = {
      .area_m2 = {1, 2}, .area_vector_m2 = {{0, 1, 0}, {1.2, -1.6, 0}}, .variance = {0, 0.3}};
  ts_vec3 m;
  cr_assert_eq(ts_mapping_direction(&m, &part), TS_OK);
  cr_assert_lt(ts_vec3_distance(m, (ts_vec3){0, 1, 0}), 1e-15);
  part.variance[0] = 0.3;
  cr_assert_eq(ts_mapping_direction(&m, &part), TS_OK);
  ts_vec3 half_way = ts_vec3_unit((ts_vec3){-0.6, 1.8, 0});
  cr_assert_lt(ts_vec3_distance(m, half_way), 1e-15);
  part.variance[0] = part.variance[1] = 0;
  cr_assert_eq(ts_mapping_direction(&m, &part), TS_OK);
  cr_assert_lt(ts_vec3_distance(m, half_way), 1e-15);
}

Test(elastic_direction, normals_that_cancel_out_are_skipped_with_the_reason) {
  ts_inside_part part = {
      .area_m2 = {1, 1}, .area_vector_m2 = {{0, 1e-12, 0}, {0, 0, 0}}, .variance = {1, 1}};
  ts_vec3 m;
  cr_assert_eq(ts_mapping_direction(&m, &part), TS_SKIPPED);
  cr_assert_not_null(strstr(ts_status_detail(), "cancel out"));
}

Test(elastic_direction, a_body_that_goes_right_through_the_other_is_skipped_with_the_reason) {
  ts_mesh *plate = elastic_box(arena, (ts_vec3){2, 0.1, 2}, (ts_vec3){0, 0, 0});
  ts_mesh *rod = elastic_box(arena, (ts_vec3){0.2, 2, 0.2}, (ts_vec3){0, 0, 0});
  for (int tilt = 0; tilt < 4; tilt++) {
    ts_vec3 m = {0, 0, 0};
    ts_pose pose = {ts_quat_from_axis_angle((ts_vec3){0, 0, 1}, 0.2 * tilt), {0.1, 0, 0.3}};
    cr_assert_eq(direction_of(&m, elastic_pair_of(arena, plate, elastic_at(0, 0, 0), rod, pose)),
                 TS_SKIPPED);
    cr_assert_eq(direction_of(&m, elastic_pair_of(arena, rod, pose, plate, elastic_at(0, 0, 0))),
                 TS_SKIPPED);
  }
}

Test(elastic_direction, what_is_held_from_several_sides_is_refused_where_flanks_are_most_of_it) {
  ts_mesh *shelves = elastic_shelves(arena);
  static const double lengths[] = {0.3, 2}; // of a bolt between the shelves, against the wall
  for (int i = 0; i < 4; i++) {
    double length = lengths[i / 2];
    ts_mesh *bolt = elastic_box(arena, (ts_vec3){0.5 * length, 0.51, 0.3}, (ts_vec3){0, 0, 0});
    ts_pose at = elastic_at(0.99 + 0.5 * length, 1.5, 0.5);
    ts_elastic_pair *pair = i % 2 ? elastic_pair_of(arena, bolt, at, shelves, elastic_at(0, 0, 0))
                                  : elastic_pair_of(arena, shelves, elastic_at(0, 0, 0), bolt, at);
    ts_inside inside = elastic_inside(pair);
    cr_assert_eq(inside.part_count, 1);
    ts_vec3 m;
    cr_assert_eq(ts_mapping_direction(&m, &inside.parts[0]), TS_OK);
    cr_assert_lt(ts_vec3_distance(m, (ts_vec3){i % 2 ? -1 : 1, 0, 0}), 1e-6);
    ts_status status = ts_direction_refuse_steep(pair, &inside, 0, m);
    cr_assert_eq(status, length > 1 ? TS_SKIPPED : TS_OK, "way %d", i);
    // 1.2 of both flanks and 0.6 of the end, but for what is 0.01 deep
    if (status != TS_OK)
      cr_assert_not_null(strstr(ts_status_detail(), "80 % of body a and 80 % of body b"), "%s",
                         ts_status_detail());
  }
}
