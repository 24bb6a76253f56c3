// SPDX-License-Identifier: MIT
// covers: geometry/mesh/motion_oracle.c
#include "base/status.h"
#include "geometry/mesh/motion_oracle.h"
#include "geometry/tolerances.h"
#include "geometry/twist/twist_samples.h"

#include <criterion/criterion.h>
#include <string.h>

static ts_arena *arena;

static void setup(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

static const uint32_t box_triangles[12][3] = {{0, 2, 1}, {0, 3, 2}, {4, 5, 6}, {4, 6, 7},
                                              {0, 1, 5}, {0, 5, 4}, {3, 7, 6}, {3, 6, 2},
                                              {0, 4, 7}, {0, 7, 3}, {1, 2, 6}, {1, 6, 5}};
static const uint32_t box_tets[6][4] = {{0, 1, 2, 6}, {0, 2, 3, 6}, {0, 3, 7, 6},
                                        {0, 7, 4, 6}, {0, 4, 5, 6}, {0, 5, 1, 6}};

/// A box from `low` to `high`, of six tets round a diagonal.
static const ts_mesh *box(ts_vec3 low, ts_vec3 high) {
  ts_vec3 v[8];
  for (int i = 0; i < 8; i++)
    v[i] = ts_vec3_make(i % 4 == 1 || i % 4 == 2 ? high.x : low.x, i % 4 >= 2 ? high.y : low.y,
                        i >= 4 ? high.z : low.z);
  ts_mesh *mesh;
  cr_assert_eq(ts_mesh_create(&mesh, arena, v, 8, box_triangles, 12), TS_OK, "%s",
               ts_status_detail());
  cr_assert_eq(ts_mesh_set_tets(mesh, arena, box_tets, 6), TS_OK, "%s", ts_status_detail());
  return mesh;
}

/// A roof of one tet each side of a ridge along z at y = 0, its body below (`up` 1) or above (-1).
static const ts_mesh *ridge(double up, double angle_rad) {
  double c = cos(angle_rad), s = sin(angle_rad);
  ts_vec3 along = {s, 0, c}, across = {c, 0, -s};
  ts_vec3 v[4] = {ts_vec3_scale(along, -1), along,
                  ts_vec3_add(ts_vec3_scale(across, -0.4), ts_vec3_make(0, -up, 0)),
                  ts_vec3_add(ts_vec3_scale(across, 0.4), ts_vec3_make(0, -up, 0))};
  const uint32_t straight[4][3] = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}};
  const uint32_t turned[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  const uint32_t tets[2][1][4] = {{{0, 1, 2, 3}}, {{0, 1, 3, 2}}};
  ts_mesh *mesh;
  ts_status status = ts_mesh_create(&mesh, arena, v, 4, up > 0 ? turned : straight, 4);
  if (status != TS_OK)
    status = ts_mesh_create(&mesh, arena, v, 4, up > 0 ? straight : turned, 4);
  cr_assert_eq(status, TS_OK, "%s", ts_status_detail());
  status = ts_mesh_set_tets(mesh, arena, tets[0], 1);
  if (status != TS_OK)
    status = ts_mesh_set_tets(mesh, arena, tets[1], 1);
  cr_assert_eq(status, TS_OK, "%s", ts_status_detail());
  return mesh;
}

static ts_twist_frame frame_at(ts_vec3 centre, double length_m) {
  return (ts_twist_frame){{1, 0, 0, 0}, centre, length_m};
}

static ts_motion_oracle *oracle_of(const ts_twist_frame *frame, const ts_mesh *a, ts_pose pose_a,
                                   const ts_mesh *b, ts_pose pose_b) {
  ts_motion_oracle *oracle;
  cr_assert_eq(ts_motion_oracle_create(&oracle, arena, frame, a, pose_a, b, pose_b), TS_OK, "%s",
               ts_status_detail());
  return oracle;
}

static const double down[6] = {0, 0, -1, 0, 0, 0}, up_z[6] = {0, 0, 1, 0, 0, 0};
static const double along[6] = {1, 0, 0, 0, 0, 0};

Test(geometry_motion_oracle, a_box_on_a_box_can_rise_and_slide_and_cannot_sink, .init = setup,
     .fini = teardown) {
  const ts_mesh *lower = box(ts_vec3_make(-1, -1, -1), ts_vec3_make(1, 1, 0));
  const ts_mesh *upper = box(ts_vec3_make(-1, -1, 0), ts_vec3_make(1, 1, 1));
  ts_twist_frame frame = frame_at(ts_vec3_make(0, 0, 0), 1);
  ts_motion_oracle *oracle =
      oracle_of(&frame, lower, ts_pose_identity(), upper, ts_pose_identity());
  cr_expect_float_eq(ts_motion_oracle_depth(oracle, down), 1, 1e-9);
  cr_expect_eq(ts_motion_oracle_depth(oracle, up_z), 0);
  cr_expect_eq(ts_motion_oracle_ask(oracle, along), TS_MOTION_FREE);
  const double tilt[6] = {0, 0, 0, 1, 0, 0}, spin[6] = {0, 0, 0, 0, 0, 1};
  cr_expect_eq(ts_motion_oracle_ask(oracle, tilt), TS_MOTION_BLOCKED);
  cr_expect_eq(ts_motion_oracle_ask(oracle, spin), TS_MOTION_FREE);
  const double between[6] = {0.99999, 0, -3e-3, 0, 0, 0};
  cr_expect_eq(ts_motion_oracle_ask(oracle, between), TS_MOTION_UNDECIDED);
}

Test(geometry_motion_oracle, a_smaller_step_has_less_of_the_second_order, .init = setup,
     .fini = teardown) {
  const ts_mesh *lower = box(ts_vec3_make(-1, -1, -1), ts_vec3_make(1, 1, 0));
  const ts_mesh *upper = box(ts_vec3_make(-1, -1, 0), ts_vec3_make(1, 1, 1));
  ts_twist_frame frame = frame_at(ts_vec3_make(0, 0, 0), 1);
  ts_motion_oracle *oracle =
      oracle_of(&frame, lower, ts_pose_identity(), upper, ts_pose_identity());
  const double spin[6] = {0, 0, -0.01, 0, 0.99994999874994, 0};
  double off = INFINITY;
  for (double step = TS_ORACLE_STEP; step >= TS_ORACLE_STEP_MIN; step *= TS_ORACLE_FINER) {
    cr_expect_float_eq(ts_motion_oracle_depth_at(oracle, down, step, INFINITY), 1, 1e-6);
    cr_expect_eq(ts_motion_oracle_depth_at(oracle, up_z, step, INFINITY), 0);
    // The rim goes down by 0.01 and the sine of the angle over the step.
    double depth = ts_motion_oracle_depth_at(oracle, spin, step, INFINITY);
    double now_off = fabs(depth - (0.01 + spin[4]));
    cr_expect(now_off <= fmax(0.2 * off, 1e-6), "%g at %g", now_off, step);
    off = now_off;
  }
  cr_expect_gt(ts_motion_oracle_depth_at(oracle, down, 1e-5, 0.5), 0.5);
  cr_expect_eq(ts_motion_of_depth(0.9 * TS_ORACLE_FREE), TS_MOTION_FREE);
  cr_expect_eq(ts_motion_of_depth(1.1 * TS_ORACLE_FREE), TS_MOTION_UNDECIDED);
  cr_expect_eq(ts_motion_of_depth(1.1 * TS_ORACLE_BLOCKED), TS_MOTION_BLOCKED);
}

Test(geometry_motion_oracle, sizes_places_and_turns_do_not_matter, .init = setup,
     .fini = teardown) {
  ts_twist_samples samples = ts_twist_samples_start(99);
  double twists[20][6], depth[20];
  for (int i = 0; i < 20; i++)
    ts_twist_samples_next(twists[i], &samples);
  const struct {
    double size, offset, turn_rad;
  } settings[] = {{1, 0, 0}, {1e-3, 0, 0}, {1e3, 0, 0}, {1, 0, 1.1}, {1, 1e3, 0.3}};
  for (size_t s = 0; s < 5; s++) {
    double size = settings[s].size;
    const ts_mesh *lower = box(ts_vec3_make(-size, -size, -size), ts_vec3_make(size, size, 0));
    const ts_mesh *upper = box(ts_vec3_make(-size, -size, 0), ts_vec3_make(size, size, size));
    ts_pose pose = {
        ts_quat_from_axis_angle(ts_vec3_unit(ts_vec3_make(1, 2, -1)), settings[s].turn_rad),
        ts_vec3_make(settings[s].offset, settings[s].offset, 0)};
    ts_twist_frame frame = {pose.rotation, pose.translation, size};
    ts_motion_oracle *oracle = oracle_of(&frame, lower, pose, upper, pose);
    for (int i = 0; i < 20; i++) {
      double found = ts_motion_oracle_depth(oracle, twists[i]);
      if (s == 0)
        depth[i] = found;
      else
        cr_expect_float_eq(found, depth[i], 1e-7, "setting %zu, twist %d", s, i);
    }
  }
}

// An axis left out for being nearly parallel is what would make these overlap: two ridges at an
// angle that shrinks, one above the other by less than the step.
Test(geometry_motion_oracle, ridges_that_are_nearly_parallel_are_distinguished, .init = setup,
     .fini = teardown) {
  ts_twist_frame frame = frame_at(ts_vec3_make(0, 0, 0), 1);
  const double lift[6] = {0, 1, 0, 0, 0, 0}, sink[6] = {0, -1, 0, 0, 0, 0};
  const double turn[6] = {0, 0.1, 0, 0, 0.99498743710662, 0};
  for (double angle = 1e-9; angle < 1; angle *= 10) {
    ts_motion_oracle *oracle =
        oracle_of(&frame, ridge(1, 0), ts_pose_identity(), ridge(-1, angle), ts_pose_identity());
    cr_expect_eq(ts_motion_oracle_ask(oracle, lift), TS_MOTION_FREE, "%g", angle);
    cr_expect_eq(ts_motion_oracle_ask(oracle, turn), TS_MOTION_FREE, "%g", angle);
    cr_expect_eq(ts_motion_oracle_ask(oracle, sink), TS_MOTION_BLOCKED, "%g", angle);
  }
}

Test(geometry_motion_oracle, only_tets_that_the_step_can_bring_together_are_kept, .init = setup,
     .fini = teardown) {
  const ts_mesh *lower = box(ts_vec3_make(-1, -1, -1), ts_vec3_make(1, 1, 0));
  ts_twist_frame frame = frame_at(ts_vec3_make(0, 0, 0), 1);
  const double tilt[6] = {0, 0, -0.8, 0.6, 0, 0};
  for (double gap = 0; gap < 6e-3; gap += 5e-4) {
    const ts_mesh *upper = box(ts_vec3_make(-1, -1, gap), ts_vec3_make(1, 1, 1));
    ts_motion_oracle *oracle =
        oracle_of(&frame, lower, ts_pose_identity(), upper, ts_pose_identity());
    // No node is farther from the centre than 1.74: nothing moves farther than 2.74e-3.
    if (gap > 2.8e-3)
      cr_expect_eq(ts_motion_oracle_tet_pairs(oracle), 0, "%g", gap);
    // The edge of the upper box goes down by 1.4e-3.
    double expected = gap < 1.4e-3 ? 1.4 - gap / 1e-3 : 0;
    cr_expect_float_eq(ts_motion_oracle_depth(oracle, tilt), expected, 2e-3, "%g", gap);
  }
}

Test(geometry_motion_oracle, bodies_without_tets_and_without_a_place_are_refused, .init = setup,
     .fini = teardown) {
  const ts_mesh *filled = box(ts_vec3_make(-1, -1, -1), ts_vec3_make(1, 1, 0));
  ts_mesh hollow = *filled;
  hollow.tet_count = 0;
  ts_twist_frame frame = frame_at(ts_vec3_make(0, 0, 0), 1);
  ts_motion_oracle *oracle;
  cr_expect_eq(ts_motion_oracle_create(&oracle, arena, &frame, &hollow, ts_pose_identity(), filled,
                                       ts_pose_identity()),
               TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), "tetrahedra"), "%s", ts_status_detail());
  ts_pose nowhere = {{1, 0, 0, 0}, {NAN, 0, 0}};
  cr_expect_eq(
      ts_motion_oracle_create(&oracle, arena, &frame, filled, ts_pose_identity(), filled, nowhere),
      TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), "not finite"), "%s", ts_status_detail());
}
