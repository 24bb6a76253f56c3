// SPDX-License-Identifier: MIT
// covers: elastic/zone.c
#include "elastic/zone.h"

#include "base/status.h"
#include "tests/elastic/elastic_fixture.h"

#include <criterion/criterion.h>
#include <string.h>

static ts_arena *arena;

static void setup(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(elastic_zone, .init = setup, .fini = teardown, .timeout = 60);

/// The contact surface of a block, turned about z, in a slab, at `scale`, with a rigid slab.
static ts_contact_surface tilted_block(double angle_rad, double height_m, double scale) {
  ts_mesh *slab =
      elastic_box(arena, (ts_vec3){2 * scale, 0.5 * scale, 2 * scale}, (ts_vec3){0, 0, 0});
  ts_mesh *block =
      elastic_box(arena, (ts_vec3){0.5 * scale, 0.5 * scale, 0.5 * scale}, (ts_vec3){0, 0, 0});
  ts_pose pose = {ts_quat_from_axis_angle((ts_vec3){0, 0, 1}, angle_rad), {0, height_m * scale, 0}};
  return elastic_surface(elastic_pair_of(arena, slab, elastic_at(0, 0, 0), block, pose), 1);
}

static ts_zone zone_of(const ts_contact_surface *s, double tau) {
  ts_zone zone;
  cr_assert_eq(ts_zone_find(&zone, s, tau), TS_OK, "%s", ts_status_detail());
  return zone;
}

Test(elastic_zone, a_flat_contact_is_in_it_whole) {
  static const double scales[] = {1e-3, 1, 1e3};
  for (int i = 0; i < 3; i++) {
    double scale = scales[i];
    ts_contact_surface s = tilted_block(0, 0.95, scale);
    for (int tau = -2; tau <= 2; tau++) {
      ts_zone zone = zone_of(&s, tau);
      cr_assert_float_eq(zone.mean_m / scale, 0.05, 1e-12);
      cr_assert_eq(zone.deviation_m, 0);
      cr_assert_float_eq(zone.area_m2 / (scale * scale), 1, 1e-9);
      cr_assert_float_eq(zone.body_area_m2[0] / (scale * scale), 1, 1e-9);
      cr_assert_float_eq(zone.body_area_m2[1] / (scale * scale), 1, 1e-9);
    }
  }
}

/// A block whose lower face slopes by the angle and rises out of the slab.
Test(elastic_zone, the_moments_of_a_wedge_are_exact) {
  // tan 0.1 of slope; the face ends in the slab on one side at the depth d and is 0 deep where it
  // comes out, so that the score is uniform between 0 and d: mean d / 2, deviation d / sqrt(12). A
  // rigid slab makes n' its normal. The side of the block beyond the lowest edge is steep.
  double angle = 0.1, height = 0.5 + 0.5 * cos(angle) + 0.5 * sin(angle) - 0.04;
  ts_contact_surface s = tilted_block(angle, height, 1);
  ts_zone zone = zone_of(&s, -1e3);
  double d = 0.04, wide = d / tan(angle), steep = d * tan(angle);
  cr_assert_float_eq(zone.surface_area_m2, wide + steep, 1e-12);
  cr_assert_float_eq(zone.mean_m, d / 2, 1e-12);
  cr_assert_float_eq(zone.deviation_m, d / sqrt(12), 1e-12);
  // The side is at 84 degrees: guarded.
  cr_assert_float_eq(zone.area_m2, wide, 1e-12);
  cr_assert_float_eq(zone.body_area_m2[1], wide / cos(angle), 1e-12);
}

Test(elastic_zone, the_threshold_cuts_at_the_score) {
  double angle = 0.1, height = 0.5 + 0.5 * cos(angle) + 0.5 * sin(angle) - 0.04, d = 0.04;
  ts_contact_surface s = tilted_block(angle, height, 1);
  double wide = d / tan(angle);
  static const double taus[] = {-1, -0.5, 0, 0.5, 1};
  for (int i = 0; i < 5; i++) {
    ts_zone zone = zone_of(&s, taus[i]);
    double threshold = d / 2 + taus[i] * d / sqrt(12);
    cr_assert_float_eq(zone.threshold_m, threshold, 1e-12);
    cr_assert_float_eq(zone.area_m2, wide * (1 - threshold / d), 1e-8);
    for (size_t k = 0; k < zone.corner_count; k++)
      cr_assert_geq(zone.corners[k].z_m[0] - zone.corners[k].z_m[1], threshold - 1e-9);
  }
}

Test(elastic_zone, a_place_is_in_it_by_its_score_and_its_normals) {
  double angle = 0.1, height = 0.5 + 0.5 * cos(angle) + 0.5 * sin(angle) - 0.04;
  ts_contact_surface s = tilted_block(angle, height, 1);
  ts_zone zone = zone_of(&s, 0);
  ts_vec3 up = {0, 1, 0}, down = {0, -1, 0};
  cr_assert(ts_zone_contains(&zone, &s, 0.02 + 1e-6, up, down));
  cr_assert(ts_zone_contains(&zone, &s, zone.threshold_m, up, down));
  cr_assert_not(ts_zone_contains(&zone, &s, 0.02 - 1e-6, up, down));
  ts_vec3 steep = {sin(1.41), -cos(1.41), 0}, less = {sin(1.38), -cos(1.38), 0};
  cr_assert_not(ts_zone_contains(&zone, &s, 1, up, steep));
  cr_assert(ts_zone_contains(&zone, &s, 1, up, less));
  cr_assert_not(ts_zone_contains(&zone, &s, 1, ts_vec3_neg(steep), down));
  cr_assert_float_eq(ts_zone_score(&s, 0.5, less), -0.5 * cos(1.38), 1e-12);
}

Test(elastic_zone, an_empty_zone_is_skipped_with_the_reason) {
  double angle = 0.1, height = 0.5 + 0.5 * cos(angle) + 0.5 * sin(angle) - 0.04;
  ts_contact_surface s = tilted_block(angle, height, 1);
  ts_zone zone;
  cr_assert_eq(ts_zone_find(&zone, &s, 50), TS_SKIPPED);
  cr_assert_not_null(strstr(ts_status_detail(), "smaller tau than 50"));
  ts_contact_surface none = s;
  none.polygon_count = none.corner_count = 0;
  cr_assert_eq(ts_zone_find(&zone, &none, 0), TS_SKIPPED);
  cr_assert_not_null(strstr(ts_status_detail(), "is empty"));
}

Test(elastic_zone, a_tau_that_is_no_number_is_refused) {
  ts_contact_surface s = tilted_block(0, 0.95, 1);
  ts_zone zone;
  cr_assert_eq(ts_zone_find(&zone, &s, NAN), TS_E_INPUT);
  cr_assert_eq(ts_zone_find(&zone, &s, INFINITY), TS_E_INPUT);
}
