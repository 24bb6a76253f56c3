// SPDX-License-Identifier: MIT
// covers: geometry/solid/solid_place.c geometry/solid/solid_features.c
/// Where exact solids touch, in any attitude: both are there, and wherever both are in its plane is
/// in the place.
#include "base/status.h"
#include "geometry/polygon.h"
#include "geometry/solid/solid_place.h"
#include "geometry/tolerances.h"
#include "tests/geometry/random_geometry.h"
#include "tests/geometry/solid/solid_fixture.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

#define PI 3.14159265358979323846

static ts_arena *arena;
static ts_random rng;

static void setup(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
  rng = ts_random_seed(20, 5);
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(geometry_solid_place, .init = setup, .fini = teardown);

static const double touch_m = 1e-6;

/// How many places of each kind were found.
typedef struct tally {
  int points, segments, polygons, sharp;
} tally;

static void check_place(const ts_solid_place *place, const ts_solid *a, const ts_solid *b,
                        const char *what) {
  for (size_t i = 0; i < place->count; i++) {
    double arc_m = place->is_optional ? 1e-4 : 0; // corners stand out of it
    double from_a_m = ts_solid_distance(a, place->vertices[i]);
    double from_b_m = ts_solid_distance(b, place->vertices[i]);
    cr_expect_leq(fmax(fabs(from_a_m), fabs(from_b_m)), 2 * touch_m + arc_m + place->error_m,
                  "%s: %g and %g off", what, from_a_m, from_b_m);
  }
  for (size_t i = 0; i < place->normal_count; i++) {
    cr_expect_float_eq(ts_vec3_norm(place->normals[i]), 1, 1e-12);
    cr_expect_geq(ts_solid_gap_along(a, b, place->normals[i]), -2 * touch_m, "%s: normal %zu", what,
                  i);
  }
}

/// Points of the plane between both solids that are on both are in the place.
static void check_all_is_found(const ts_solid_place *place, const ts_solid *a, const ts_solid *b,
                               const char *what) {
  ts_vec3 normal = place->normals[0], u, v;
  ts_vec3_tangents(&u, &v, normal);
  for (int i = 0; i < 300; i++) {
    double reach = i % 2 ? 0.7 : 0.02;
    ts_vec3 at = ts_vec3_add_scaled(place->vertices[i % place->count],
                                    ts_random_uniform(&rng, -reach, reach), u);
    at = ts_vec3_add_scaled(at, ts_random_uniform(&rng, -reach, reach), v);
    if (fmax(fabs(ts_solid_distance(a, at)), fabs(ts_solid_distance(b, at))) > 1e-8)
      continue;
    double off_m = ts_convex_distance(at, place->vertices, place->count, normal);
    // Round surfaces are that close to their line as far as that beside it.
    cr_expect_leq(off_m, 2e-4, "%s: both are at (%g %g %g), which is %g off the place", what, at.x,
                  at.y, at.z, off_m);
  }
}

static void look(tally *out, const ts_solid *a, const ts_solid *b, const char *what) {
  ts_solid_separation found;
  ts_solid_place place;
  ts_solid_separate(&found, a, b, touch_m);
  cr_assert_leq(fabs(found.way.gap_m), 1e-9, "%s: gap %g", what, found.way.gap_m);
  cr_assert_eq(ts_solid_find_place(&place, arena, a, b, found.way, touch_m, false), TS_OK);
  out->points += place.count == 1;
  out->segments += place.count == 2;
  out->polygons += place.count > 2;
  out->sharp += place.normal_count > 1;
  check_place(&place, a, b, what);
  check_all_is_found(&place, a, b, what);
}

Test(geometry_solid_place, of_solids_in_any_attitude_is_a_point) {
  tally out = {0};
  for (int kind_a = 0; kind_a < SOLID_KINDS; kind_a++)
    for (int kind_b = 0; kind_b < SOLID_KINDS; kind_b++)
      for (int i = 0; i < 3; i++) {
        if (!solid_fixture_is_curved(kind_a) && !solid_fixture_is_curved(kind_b))
          continue;
        ts_arena_mark mark = ts_arena_get_mark(arena);
        ts_pose pose_a = random_pose(&rng, 0.1), pose_b = random_pose(&rng, 1);
        ts_solid a = solid_fixture_make(arena, kind_a, 1, pose_a);
        ts_solid b = solid_fixture_make(arena, kind_b, 1, pose_b);
        char what[60];
        snprintf(what, sizeof what, "%d on %d, try %d", kind_b, kind_a, i);
        b = solid_fixture_at_gap(arena, &a, &b, 0);
        look(&out, &a, &b, what);
        ts_arena_rewind(arena, mark);
      }
  cr_log_info("%d points, %d segments, %d polygons, %d sharp", out.points, out.segments,
              out.polygons, out.sharp);
  cr_expect_gt(out.points, 200);
  cr_expect_eq(out.polygons, 0);
}

/// Turned by quarters of a turn, and shifted by halves of what they measure: faces on faces, sides
/// along each other, rims on rims.
Test(geometry_solid_place, of_aligned_solids_is_all_that_touches) {
  static const double shifts[] = {0, 0.2, 0.3, 0.4, 0.5};
  tally out = {0};
  for (int kind_a = 0; kind_a < SOLID_KINDS; kind_a++)
    for (int kind_b = 0; kind_b < SOLID_KINDS; kind_b++)
      for (int turn = 0; turn < 3; turn++)
        for (int axis = 0; axis < 3; axis++) {
          if (!solid_fixture_is_curved(kind_a) && !solid_fixture_is_curved(kind_b))
            continue;
          ts_arena_mark mark = ts_arena_get_mark(arena);
          ts_vec3 about = {turn == 1, 0, turn == 2};
          ts_quat quarter = turn == 0 ? ts_quat_identity() : ts_quat_from_axis_angle(about, PI / 2);
          double shift = shifts[(kind_a + 2 * kind_b + turn + axis) % 5];
          ts_vec3 at = {axis == 0 ? 2 : shift, axis == 1 ? 2 : shift / 2, axis == 2 ? 2 : 0};
          ts_vec3 along = {-(axis == 0), -(axis == 1), -(axis == 2)};
          ts_solid a = solid_fixture_make(arena, kind_a, 1, ts_pose_identity());
          ts_solid b = solid_fixture_make(arena, kind_b, 1, (ts_pose){quarter, at});
          char what[60];
          snprintf(what, sizeof what, "%d on %d, turn %d, along %d, shift %g", kind_b, kind_a, turn,
                   axis, shift);
          // Along one axis until they touch, if they do on that way.
          for (int i = 0; i < 200; i++) {
            ts_solid_separation found;
            ts_solid_separate(&found, &a, &b, touch_m);
            double closing = -ts_vec3_dot(found.way.normal, along);
            if (found.way.gap_m < 1e-13 || closing < 0.05 || b.pose.translation.x < -2)
              break;
            b = solid_fixture_moved(arena, &b, ts_vec3_scale(along, found.way.gap_m));
          }
          ts_solid_separation found;
          ts_solid_separate(&found, &a, &b, touch_m);
          if (fabs(found.way.gap_m) <= 1e-10)
            look(&out, &a, &b, what);
          ts_arena_rewind(arena, mark);
        }
  cr_log_info("%d points, %d segments, %d polygons, %d sharp", out.points, out.segments,
              out.polygons, out.sharp);
  cr_expect_gt(out.points, 100);
  cr_expect_gt(out.segments, 50);
  cr_expect_gt(out.polygons, 15);
  cr_expect_gt(out.sharp, 5);
}
