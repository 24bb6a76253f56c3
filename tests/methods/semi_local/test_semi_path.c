// SPDX-License-Identifier: MIT
// covers: methods/semi_local/semi_corners.c methods/semi_local/semi_regions.c
// covers: methods/semi_local/semi_penetration.c
// Bodies that move smoothly have contacts that do: where the contacts of a region come and go.
#include "base/status.h"
#include "geometry/tolerances.h"
#include "methods/semi_local/semi_corners.h"
#include "tests/methods/semi_local/semi_fixture.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

TestSuite(methods_semi_path, .init = semi_open, .fini = semi_close, .timeout = 60);

/// A stone of a pillar: a hexagonal prism along z.
static const ts_mesh *hexagonal(double radius_m, double height_m) {
  static const uint32_t cap[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}};
  double profile[6][2];
  for (int i = 0; i < 6; i++) {
    profile[i][0] = radius_m * cos(i * 3.14159265358979323846 / 3);
    profile[i][1] = radius_m * sin(i * 3.14159265358979323846 / 3);
  }
  return semi_extruded(profile, 6, cap, height_m / 2);
}

/// A path: a body on another one, moved by a screw about its middle that grows and shrinks.
typedef struct path {
  const ts_mesh *below, *above;
  double height_m;       ///< of the upper body's middle above that of the lower one, along z
  ts_vec3 shift_m, turn; ///< at the far end; the turn [rad] about its own direction
  int steps;
} path;

static ts_pose pose_on(const path *p, int step) {
  double part = sin(2 * 3.14159265358979323846 * step / p->steps);
  double angle = part * ts_vec3_norm(p->turn);
  ts_pose pose = {ts_quat_from_axis_angle(ts_vec3_unit(p->turn), angle), {0, 0, p->height_m}};
  pose.translation = ts_vec3_add_scaled(pose.translation, part, p->shift_m);
  return pose;
}

static double motion_between(const path *p, ts_pose before, ts_pose now) {
  double most_m = 0;
  for (uint32_t i = 0; i < p->above->vertex_count; i++)
    most_m = fmax(most_m, ts_vec3_distance(ts_pose_point(before, p->above->vertices[i]),
                                           ts_pose_point(now, p->above->vertices[i])));
  return most_m;
}

/// The farthest that a contact of one set is from the other set.
static double farthest(fixture_contacts of, fixture_contacts from) {
  double most_m = 0;
  for (size_t i = 0; i < of.count; i++) {
    double least_m = INFINITY;
    for (size_t k = 0; k < from.count; k++)
      least_m = fmin(least_m, ts_vec3_distance(of.contacts[i].point, from.contacts[k].point));
    most_m = fmax(most_m, least_m);
  }
  return most_m;
}

/// The largest change of the set from step to step, over the motion there.
static double largest_change(const path *p) {
  double most = 0;
  fixture_contacts before = {.count = 0};
  for (int step = 0; step <= p->steps; step++) {
    fixture_contacts now = semi_run(p->below, ts_pose_identity(), p->above, pose_on(p, step));
    cr_assert_geq(now.count, 4);
    if (step > 0) {
      double motion_m = motion_between(p, pose_on(p, step - 1), pose_on(p, step));
      double change_m = fmax(farthest(before, now), farthest(now, before));
      most = fmax(most, change_m / (motion_m + 1e-9));
    }
    before = now;
  }
  return most;
}

/// Steps so short that a contact which comes far from all others is many times the motion away.
enum { STEPS = 2000 };

Test(methods_semi_path, equal_hexagons_that_turn_on_each_other) {
  // Their sides cross near the middle, at an angle that grows with the turn.
  const ts_mesh *stone = hexagonal(0.2, 0.9);
  const double turns[][3] = {{0, 0, 5e-3}, {0, 0, -2e-2}, {1e-3, 4e-4, 4e-3}, {-5e-4, 1e-3, 8e-3}};
  for (size_t i = 0; i < sizeof turns / sizeof *turns; i++) {
    path p = {.below = stone,
              .above = stone,
              .height_m = 0.9,
              .shift_m = {3e-4, -7e-4, -1e-4},
              .turn = {turns[i][0], turns[i][1], turns[i][2]},
              .steps = STEPS};
    double change = largest_change(&p);
    cr_expect_lt(change, 60, "turn %zu: %g times the motion", i, change);
    // Without a shift they cross exactly in the middle.
    p.shift_m = (ts_vec3){0, 0, 0};
    change = largest_change(&p);
    cr_expect_lt(change, 60, "about the middle %zu: %g times the motion", i, change);
  }
}

Test(methods_semi_path, corners_that_part_do_so_from_one_place) {
  // Each corner of a hexagon that slides over an equal one becomes two.
  const ts_mesh *stone = hexagonal(0.2, 0.9);
  for (int i = 0; i < 12; i++) {
    double angle = 0.3 + 0.5 * i;
    path p = {.below = stone,
              .above = stone,
              .height_m = 0.9,
              .shift_m = {2e-4 * cos(angle), 2e-4 * sin(angle), 0},
              .turn = {0, 0, 1e-6},
              .steps = STEPS};
    double change = largest_change(&p);
    cr_expect_lt(change, 10, "direction %d: %g times the motion", i, change);
  }
}

Test(methods_semi_path, equal_boxes_as_in_a_wall) {
  path p = {.below = semi_box(2, 1, 0.5),
            .above = semi_box(2, 1, 0.5),
            .height_m = 0.5,
            .shift_m = {4e-4, 6e-4, 2e-4},
            .turn = {3e-4, -2e-4, 2e-3},
            .steps = STEPS};
  double change = largest_change(&p);
  cr_expect_lt(change, 60, "%g times the motion", change);
}

Test(methods_semi_path, a_body_that_dips_into_two_walls_has_the_contacts_of_its_faces_alone) {
  // By a snap length or so, where the surfaces cut through each other already and a corner that
  // overlaps may still be one that touches: a cylinder of twelve sides in a groove.
  static const double profile[7][2] = {{-1, -0.5}, {1, -0.5},   {1, 0.5}, {0.5, 0.5},
                                       {0, 0},     {-0.5, 0.5}, {-1, 0.5}};
  static const uint32_t profile_cap[5][3] = {{0, 1, 4}, {1, 2, 3}, {1, 3, 4}, {0, 4, 5}, {0, 5, 6}};
  const ts_mesh *groove = semi_extruded(profile, 7, profile_cap, 2);
  double circle[12][2], radius = 0.5, apothem = radius * cos(3.14159265358979323846 / 12);
  uint32_t cap[10][3];
  for (uint32_t i = 0; i < 12; i++) {
    double angle = (i + 1) * 3.14159265358979323846 / 6; // a side faces each wall
    circle[i][0] = radius * cos(angle);
    circle[i][1] = radius * sin(angle);
    if (i < 10)
      memcpy(cap[i], (uint32_t[3]){0, i + 1, i + 2}, sizeof cap[i]);
  }
  const ts_mesh *cylinder = semi_extruded(circle, 12, (const uint32_t(*)[3])cap, 0.5);
  ts_random random = ts_random_seed(1, 0);
  for (int i = 0; i < 300; i++) {
    ts_vec3 turn = {ts_random_uniform(&random, -3e-5, 3e-5),
                    ts_random_uniform(&random, -3e-5, 3e-5),
                    ts_random_uniform(&random, -3e-5, 3e-5)};
    ts_pose pose = {ts_quat_from_axis_angle(ts_vec3_unit(turn), ts_vec3_norm(turn)),
                    {ts_random_uniform(&random, -1e-5, 1e-5),
                     apothem * sqrt(2) + ts_random_uniform(&random, -2e-5, 2e-5), 0}};
    fixture_contacts set = semi_run(groove, ts_pose_identity(), cylinder, pose);
    cr_expect_eq(set.count, 8, "pose %d: %zu contacts", i, set.count);
  }
}

// The corners themselves.

static const double tolerance_m = 1e-4;

/// The unit square with a corner in the middle of its lower side, and one near the end of its right
/// side, that protrude by so much.
static size_t square_with(double out[8][2], double below_m, double beside_m) {
  const double corners[6][2] = {{0, 0}, {0.5, -below_m}, {1, 0}, {1 + beside_m, 0.9},
                                {1, 1}, {0, 1}};
  ts_semi_memory memory = {.host = &semi_fixture.host};
  size_t count;
  cr_assert_eq(ts_semi_steady_corners(out, &count, &memory, corners, 6, tolerance_m), TS_OK);
  return count;
}

Test(methods_semi_path, a_corner_leaves_the_one_before_it_and_arrives_at_its_place) {
  double out[8][2];
  cr_assert_eq(square_with(out, tolerance_m, 0), 4, "what protrudes by no more is noise");
  double settled_m = 2 * tolerance_m + 0.5 / TS_SEMI_CORNER_SPEED;
  cr_assert_eq(square_with(out, 0.5 * (tolerance_m + settled_m), 0), 5);
  cr_expect_float_eq(out[1][0], 0.25, 1e-5, "half way: %g", out[1][0]);
  cr_assert_eq(square_with(out, settled_m + 1e-5, 0), 5);
  cr_expect(out[1][0] == 0.5 && out[1][1] == -settled_m - 1e-5, "it is where it was");
  cr_expect(out[0][0] == 0 && out[2][0] == 1, "and so are the others");
}

Test(methods_semi_path, a_corner_leaves_the_one_after_it_where_that_is_much_nearer) {
  double out[8][2];
  cr_assert_eq(square_with(out, 0, 1.5 * tolerance_m), 5);
  cr_expect(out[2][1] > 0.9 && out[2][1] < 1, "%g", out[2][1]);
  cr_expect(out[3][0] == 1 && out[3][1] == 1);
}

Test(methods_semi_path, of_two_close_corners_that_are_alike_the_middle_stays) {
  const double corners[5][2] = {{0, 0}, {1 - 1e-5, 0}, {1, 1e-5}, {1, 1}, {0, 1}};
  double out[5][2];
  ts_semi_memory memory = {.host = &semi_fixture.host};
  size_t count;
  cr_assert_eq(ts_semi_steady_corners(out, &count, &memory, corners, 5, tolerance_m), TS_OK);
  cr_assert_eq(count, 4);
  cr_expect_float_eq(out[1][0], 1 - 5e-6, 1e-9);
  cr_expect_float_eq(out[1][1], 5e-6, 1e-9);
}

Test(methods_semi_path, corners_that_are_right_stay_to_the_bit) {
  double circle[64][2], out[64][2];
  ts_semi_memory memory = {.host = &semi_fixture.host};
  size_t count;
  for (int i = 0; i < 64; i++) {
    circle[i][0] = 0.5 * cos(i * 3.14159265358979323846 / 32);
    circle[i][1] = 0.5 * sin(i * 3.14159265358979323846 / 32);
  }
  cr_assert_eq(
      ts_semi_steady_corners(out, &count, &memory, (const double(*)[2])circle, 64, tolerance_m),
      TS_OK);
  cr_assert_eq(count, 64, "of a disc that stands on a face");
  cr_expect_eq(memcmp(out, circle, sizeof out), 0);
}
