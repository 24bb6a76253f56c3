// SPDX-License-Identifier: MIT
// covers: geometry/convex_runs.c
#include "base/random.h"
#include "geometry/convex_runs.h"
#include "tests/geometry/random_geometry.h"

#include <criterion/criterion.h>

static const double exact[] = {1e-9};

static void share(uint32_t *with, int i, int k) {
  with[i] |= 1u << k;
  with[k] |= 1u << i;
}

/// Faces in a ring, neighbours by ridges except where `valleys` has the bit of the first.
static ts_local_surface ring(int count, const ts_vec3 *normals, uint32_t valleys) {
  ts_local_surface s = {.face_count = count};
  for (int i = 0; i < count; i++) {
    s.normals[i] = ts_vec3_unit(normals[i]);
    if (count > 2 || i == 0)
      share(valleys >> i & 1 ? s.concave_with : s.convex_with, i, (i + 1) % count);
  }
  return s;
}

static ts_convex_run behind(uint32_t faces) {
  return (ts_convex_run){.faces = faces};
}

static ts_local_surface plane(ts_vec3 normal) {
  ts_local_surface s = {.face_count = 1, .normals = {ts_vec3_unit(normal)}};
  return s;
}

Test(geometry_convex_runs, a_convex_corner_is_one_run) {
  const ts_vec3 normals[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  ts_local_surface corner = ring(3, normals, 0);
  ts_convex_run runs[TS_RUNS_MAX];
  cr_assert_eq(ts_convex_runs(runs, &corner), 1);
  cr_expect_eq(runs[0].faces, 7);
}

/// The end of a groove: end E, walls L and R; L and R share the valley.
Test(geometry_convex_runs, the_end_of_a_groove_is_two_runs_that_share_the_end) {
  const ts_vec3 normals[3] = {{0, 0, 1}, {1, 1, 0}, {-1, 1, 0}};
  ts_local_surface end = ring(3, normals, 1u << 1);
  ts_convex_run runs[TS_RUNS_MAX];
  cr_assert_eq(ts_convex_runs(runs, &end), 2);
  cr_expect_eq(runs[0].faces | runs[1].faces, 7);
  cr_expect_eq(runs[0].faces & runs[1].faces, 1);
}

/// z <= |x| - |y|: two ridges along x, two valleys along y.
Test(geometry_convex_runs, a_saddle_is_two_runs_of_two) {
  const ts_vec3 normals[4] = {{-1, 1, 1}, {-1, -1, 1}, {1, -1, 1}, {1, 1, 1}};
  ts_local_surface saddle = ring(4, normals, 1u << 1 | 1u << 3);
  ts_convex_run runs[TS_RUNS_MAX];
  cr_assert_eq(ts_convex_runs(runs, &saddle), 2);
  cr_expect_eq(runs[0].faces | runs[1].faces, 15);
  cr_expect_eq(runs[0].faces & runs[1].faces, 0);
}

/// One face with ridges to both walls of two valleys: each wall goes with either wall of the other.
Test(geometry_convex_runs, every_combination_of_walls_is_a_run) {
  ts_local_surface s = {.face_count = 5};
  for (int i = 1; i < 5; i++)
    share(s.convex_with, 0, i);
  share(s.concave_with, 1, 2);
  share(s.concave_with, 3, 4);
  ts_convex_run runs[TS_RUNS_MAX];
  cr_expect_eq(ts_convex_runs(runs, &s), 4);
}

Test(geometry_convex_runs, too_many_runs_are_reported_and_not_cut_off) {
  ts_local_surface s = {.face_count = 31};
  for (int i = 1; i < 31; i++)
    share(s.convex_with, 0, i);
  for (int i = 1; i < 31; i += 2)
    share(s.concave_with, i, i + 1);
  ts_convex_run runs[TS_RUNS_MAX];
  cr_expect_eq(ts_convex_runs(runs, &s), -1);
}

/// The sine to a cone against the minimum over a fine net of its directions.
Test(geometry_convex_runs, the_sine_to_a_cone_is_that_to_its_closest_direction) {
  ts_random random = ts_random_seed(9, 0);
  for (int n = 0; n < 300; n++) {
    ts_vec3 generators[4], direction = ts_vec3_unit(random_point(&random, 1));
    int count = 1 + n % 4;
    for (int i = 0; i < count; i++)
      generators[i] = ts_vec3_unit(ts_vec3_add(random_point(&random, 0.7), ts_vec3_make(0, 0, 1)));
    double best = 0;
    for (int a = 0; a < count; a++)
      for (int b = 0; b < count; b++)
        for (int c = 0; c < count; c++)
          for (int i = 0; i <= 60; i++)
            for (int k = 0; k <= 60 - i; k++) {
              ts_vec3 p = ts_vec3_scale(generators[a], i / 60.0);
              p = ts_vec3_add_scaled(p, k / 60.0, generators[b]);
              p = ts_vec3_add_scaled(p, (60 - i - k) / 60.0, generators[c]);
              best = fmax(best, ts_vec3_dot(direction, ts_vec3_unit(p)));
            }
    double sine = best > 0 ? sqrt(fmax(0, 1 - best * best)) : 1;
    double got = ts_cone_sine(direction, generators, count);
    cr_expect(got <= sine + 1e-12 && got >= sine - 0.04, "cone %d: %g, not %g", n, got, sine);
  }
}

Test(geometry_convex_runs, generators_that_are_equal_or_opposite_do_no_harm) {
  const ts_vec3 up = {0, 0, 1}, right = {1, 0, 0};
  const ts_vec3 same[3] = {up, up, up}, line[2] = {up, {0, 0, -1}};
  cr_expect_float_eq(ts_cone_sine(up, same, 3), 0, 1e-15);
  cr_expect_float_eq(ts_cone_sine(right, same, 3), 1, 0);
  cr_expect_float_eq(ts_cone_sine((ts_vec3){0, 0, -1}, line, 2), 0, 1e-15);
  cr_expect_float_eq(ts_cone_sine(up, NULL, 0), 1, 0);
}

/// The sides of a plate, of a bar of three sides, and of a blade.
Test(geometry_convex_runs, generators_that_are_opposite_but_for_noise_span_nothing_across) {
  const double noise = 1e-5;
  const ts_vec3 along = {0, 0, 1}, up = {0, 1, 0};
  const ts_vec3 plate[2] = {up, ts_vec3_unit((ts_vec3){1e-8, -1, 3e-7})};
  ts_vec3 slanted = ts_vec3_unit((ts_vec3){0, 1, 1});
  cr_expect_lt(ts_cone_sine(along, plate, 2), 0.1, "without noise it is half a plane");
  cr_expect_eq(ts_noisy_cone_sine(along, plate, 2, noise), 1);
  cr_expect_float_eq(ts_noisy_cone_sine(slanted, plate, 2, noise), sqrt(0.5), 1e-6);
  cr_expect_lt(ts_noisy_cone_sine(ts_vec3_neg(up), plate, 2, noise), 1e-6);
  const ts_vec3 bar[3] = {up, ts_vec3_unit((ts_vec3){1.8, -1, 1e-7}),
                          ts_vec3_unit((ts_vec3){-1.7, -1, 1e-7})};
  cr_expect_eq(ts_noisy_cone_sine(along, bar, 3, noise), 1);
  cr_expect_lt(ts_noisy_cone_sine((ts_vec3){1, 0, 0}, bar, 3, noise), 1e-6);
  const ts_vec3 blade[2] = {up, ts_vec3_unit((ts_vec3){0, -1, 1e-4})};
  cr_expect_lt(ts_noisy_cone_sine(along, blade, 2, noise), 1e-9);
}

Test(geometry_convex_runs, a_corner_on_a_face_has_the_normal_of_the_face_alone) {
  const ts_vec3 tip[4] = {{3, -1, 0}, {0, -1, 3}, {-3, -1, 0}, {0, -1, -3}};
  ts_local_surface a = plane((ts_vec3){0, 1, 0}), b = ring(4, tip, 0);
  ts_extreme_normal out[TS_EXTREME_NORMALS_MAX];
  cr_assert_eq(ts_extreme_normals(out, &a, behind(1), &b, behind(15), exact, 1), 1);
  cr_expect_eq(out[0].face_a, 0);
  cr_expect_lt(ts_vec3_distance(out[0].normal, (ts_vec3){0, 1, 0}), 1e-15);
}

/// Ridges that cross have their cross product alone, however small the angle.
Test(geometry_convex_runs, crossing_ridges_have_their_cross_product_alone) {
  static const double angles_rad[] = {1.5, 0.5, 1.4e-3, 1e-5};
  for (int i = 0; i < 4; i++) {
    ts_quat turn = ts_quat_from_axis_angle((ts_vec3){0, 1, 0}, angles_rad[i]);
    const ts_vec3 lower[2] = {{3, 1, 0}, {-3, 1, 0}};
    const ts_vec3 upper[2] = {ts_quat_rotate(turn, (ts_vec3){3, -1, 0}),
                              ts_quat_rotate(turn, (ts_vec3){-3, -1, 0})};
    ts_local_surface a = ring(2, lower, 0), b = ring(2, upper, 0);
    ts_extreme_normal out[TS_EXTREME_NORMALS_MAX];
    const double tight[] = {1e-3 * angles_rad[i]};
    cr_assert_eq(ts_extreme_normals(out, &a, behind(3), &b, behind(3), tight, 1), 1, "angle %g",
                 angles_rad[i]);
    cr_expect_lt(ts_vec3_distance(out[0].normal, (ts_vec3){0, 1, 0}), 1e-10);
    cr_expect(out[0].face_a < 0 && out[0].face_b < 0);
  }
}

/// A tip over a tip: all faces of both are alternatives, and nothing else.
Test(geometry_convex_runs, parallel_ridges_have_the_normals_of_their_faces) {
  const ts_vec3 lower[2] = {{3, 1, 0}, {-3, 1, 0}}, upper[2] = {{4, -1, 0}, {-4, -1, 0}};
  ts_local_surface a = ring(2, lower, 0), b = ring(2, upper, 0);
  ts_extreme_normal out[TS_EXTREME_NORMALS_MAX];
  int count = ts_extreme_normals(out, &a, behind(3), &b, behind(3), exact, 1);
  cr_assert_eq(count, 2);
  for (int i = 0; i < 2; i++)
    cr_expect(out[i].face_a >= 0, "the blunter wedge decides");
}

/// The ridges of a cone of three faces, from its tip.
static void ridges_of(ts_vec3 out[3], const ts_vec3 normals[3]) {
  for (int i = 0; i < 3; i++) {
    ts_vec3 along = ts_vec3_unit(ts_vec3_cross(normals[i], normals[(i + 1) % 3]));
    out[i] = ts_vec3_dot(along, normals[(i + 2) % 3]) < 0 ? along : ts_vec3_neg(along);
  }
}

/// Blocked is what lies in the difference of the two cones, which their ridges span.
Test(geometry_convex_runs, what_violates_every_extreme_normal_overlaps_and_nothing_else) {
  ts_random random = ts_random_seed(3, 1);
  int blocked = 0, freed = 0;
  for (int n = 0; n < 500; n++) {
    ts_vec3 normals[2][3], ridges[6];
    for (int body = 0; body < 2; body++) {
      for (int i = 0; i < 3; i++) {
        double angle = 2.0943951 * i + ts_random_uniform(&random, -0.4, 0.4);
        double up = ts_random_uniform(&random, 0.3, 1.5);
        normals[body][i] =
            ts_vec3_unit(ts_vec3_make(cos(angle), body ? -up : up, sin(angle) * (body ? -1 : 1)));
      }
      ridges_of(&ridges[3 * body], normals[body]);
    }
    for (int i = 3; i < 6; i++)
      ridges[i] = ts_vec3_neg(ridges[i]);
    ts_local_surface a = ring(3, normals[0], 0), b = ring(3, normals[1], 0);
    ts_extreme_normal out[TS_EXTREME_NORMALS_MAX];
    int count = ts_extreme_normals(out, &a, behind(7), &b, behind(7), exact, 1);
    cr_assert_gt(count, 0);
    for (int k = 0; k < 50; k++) {
      ts_vec3 v = ts_vec3_unit(random_point(&random, 1));
      double margin = -INFINITY;
      for (int i = 0; i < count; i++)
        margin = fmax(margin, ts_vec3_dot(out[i].normal, v));
      if (fabs(margin) < 1e-6)
        continue;
      bool overlaps = ts_cone_sine(v, ridges, 6) < 1e-9;
      cr_expect_eq(overlaps, margin < 0, "pair %d: margin %g", n, margin);
      blocked += overlaps;
      freed += !overlaps;
    }
  }
  cr_assert(blocked > 3000 && freed > 3000, "%d blocked, %d free", blocked, freed);
}
