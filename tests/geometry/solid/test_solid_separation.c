// SPDX-License-Identifier: MIT
// covers: geometry/solid/solid.c geometry/solid/solid_separation.c
/// The separation of exact solids against a search of directions, against meshes of them, and where
/// axes are parallel, coaxial, crossing or nearly so.
#include "base/geometry_kind.h"
#include "base/status.h"
#include "geometry/tolerances.h"
#include "tests/geometry/random_geometry.h"
#include "tests/geometry/solid/solid_fixture.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define PI 3.14159265358979323846

static ts_arena *arena;
static ts_random rng;

static void setup(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
  rng = ts_random_seed(20, 3);
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(geometry_solid_separation, .init = setup, .fini = teardown);

static double separate(ts_solid_separation *out, const ts_solid *a, const ts_solid *b) {
  ts_solid_separate(out, a, b, 1e-9);
  return out->way.gap_m;
}

static const double gaps[] = {0, 1e-3, -1e-6, -1e-3, -0.05};
enum { GAPS = sizeof gaps / sizeof *gaps };

/// How much larger a gap a search finds than the separation, and how much less: over the scale.
typedef struct outcome {
  double more, less;
  int count;
} outcome;

static void compare(outcome *out, const ts_solid *a, const ts_solid *b, double scale,
                    const char *what) {
  ts_solid_separation found;
  ts_vec3 normal;
  double gap_m = separate(&found, a, b), searched_m = solid_fixture_search(&normal, a, b);
  double more = (searched_m - gap_m) / scale;
  cr_expect_lt(more, 1e-13, "%s: %g found, %g searched along (%g %g %g)", what, gap_m, searched_m,
               normal.x, normal.y, normal.z);
  out->more = fmax(out->more, more);
  out->less = fmax(out->less, -more);
  out->count++;
}

/// All pairs of kinds with a curved one, at `gap_count` of the gaps each.
static void compare_kinds(outcome *out, double scale, int gap_count) {
  for (int kind_a = 0; kind_a < SOLID_KINDS; kind_a++)
    for (int kind_b = 0; kind_b < SOLID_KINDS; kind_b++) {
      if (!solid_fixture_is_curved(kind_a) && !solid_fixture_is_curved(kind_b))
        continue;
      for (int i = 0; i < gap_count; i++) {
        ts_arena_mark mark = ts_arena_get_mark(arena);
        double gap = gaps[(i + kind_a + kind_b) % GAPS];
        ts_pose pose_a = random_pose(&rng, 0.1 * scale), pose_b = random_pose(&rng, scale);
        ts_solid a = solid_fixture_make(arena, kind_a, scale, pose_a);
        ts_solid b = solid_fixture_make(arena, kind_b, scale, pose_b);
        b = solid_fixture_at_gap(arena, &a, &b, gap * scale);
        char what[100];
        snprintf(what, sizeof what, "%d on %d, try %d, gap %g", kind_b, kind_a, i, gap);
        compare(out, &a, &b, scale, what);
        ts_arena_rewind(arena, mark);
      }
    }
}

Test(geometry_solid_separation, no_direction_has_a_larger_gap) {
  outcome out = {0};
  compare_kinds(&out, 1, GAPS);
  cr_log_info("%d pairs: more by %g, less by %g", out.count, out.more, out.less);
  cr_expect_lt(out.less, 1e-2, "the search finds about as much");
}

Test(geometry_solid_separation, small_and_large_solids_are_alike) {
  outcome out = {0};
  compare_kinds(&out, 1e-3, 1);
  compare_kinds(&out, 1e3, 1);
  cr_expect_lt(out.less, 1e-2);
}

/// Solids around one axis, side by side, end on end, crossing, tangent; exactly and nearly so.
Test(geometry_solid_separation, aligned_solids_are_right_and_nearly_aligned_ones_too) {
  static const double off_rad[] = {0, 1e-12, 1e-9, 1e-6};
  static const ts_vec3 places[] = {{0, 0, 0},   {0.3, 0, 0},   {0, 0.5, 0},
                                   {0.6, 0, 0}, {0.4, 0.5, 0}, {0.2, 0.1, 0.3}};
  outcome out = {0};
  for (int kind_a = 0; kind_a < SOLID_KINDS; kind_a++)
    for (int kind_b = 1; kind_b < SOLID_KINDS; kind_b++)
      for (size_t p = 0; p < sizeof places / sizeof *places; p++) {
        if (!solid_fixture_is_curved(kind_a) && !solid_fixture_is_curved(kind_b))
          continue;
        ts_arena_mark mark = ts_arena_get_mark(arena);
        size_t which = (size_t)(kind_a + kind_b) + p;
        ts_vec3 axis = ts_vec3_unit(ts_vec3_make(1, 0, 0.5));
        ts_quat turn = ts_quat_from_axis_angle(axis, off_rad[which % 4] + (which / 4 % 2) * PI / 2);
        ts_solid a = solid_fixture_make(arena, kind_a, 1, ts_pose_identity());
        ts_solid b = solid_fixture_make(arena, kind_b, 1, (ts_pose){turn, places[p]});
        char what[100];
        snprintf(what, sizeof what, "%d on %d at %zu, off by %g", kind_b, kind_a, p,
                 off_rad[which % 4]);
        compare(&out, &a, &b, 1, what);
        ts_arena_rewind(arena, mark);
      }
  cr_expect_lt(out.less, 1e-2);
}

/// The mesh contains the solid, so that its gap is less, by its error, which falls with the square
/// of its edges.
Test(geometry_solid_separation, meshes_come_to_the_same_with_the_square_of_their_edges) {
  static const double errors[] = {7.5e-2, 1.6e-2, 4e-3};
  double worst[3] = {0, 0, 0};
  for (int kind_a = 0; kind_a < SOLID_KINDS; kind_a++)
    for (int kind_b = 0; kind_b < SOLID_KINDS; kind_b++)
      for (int i = kind_a % 2; i < GAPS; i += 2) {
        if (!solid_fixture_is_curved(kind_b))
          continue;
        ts_arena_mark mark = ts_arena_get_mark(arena);
        ts_pose pose_a = random_pose(&rng, 0.1), pose_b = random_pose(&rng, 1);
        ts_solid a = solid_fixture_make(arena, kind_a, 1, pose_a);
        ts_solid b = solid_fixture_make(arena, kind_b, 1, pose_b);
        ts_solid_separation exact, meshed;
        b = solid_fixture_at_gap(arena, &a, &b, gaps[i]);
        double gap_m = separate(&exact, &a, &b);
        for (int level = 0; level < 3; level++) {
          double error_m;
          ts_solid mesh = solid_fixture_mesh(&error_m, arena, &b, errors[level]);
          double less_m = gap_m - separate(&meshed, &a, &mesh);
          cr_expect_geq(less_m, -1e-14, "%d on %d: inside the solid", kind_b, kind_a);
          cr_expect_leq(less_m, error_m * (1 + TS_TOUCH_RELATIVE),
                        "%d on %d: farther off than its error", kind_b, kind_a);
          worst[level] = fmax(worst[level], less_m / b.geometry->radius_m);
        }
        ts_arena_rewind(arena, mark);
      }
  // An error of a quarter is an edge of a half.
  cr_log_info("worst: %g %g %g", worst[0], worst[1], worst[2]);
  cr_expect_lt(worst[1], 0.35 * worst[0]);
  cr_expect_lt(worst[2], 0.35 * worst[1]);
}

static ts_solid make(int kind, ts_vec3 at, ts_vec3 axis, double angle_rad) {
  return solid_fixture_make(arena, kind, 1,
                            (ts_pose){ts_quat_from_axis_angle(axis, angle_rad), at});
}

Test(geometry_solid_separation, a_way_out_that_is_one_of_many_is_told) {
  enum { SPHERE, CAPSULE, CYLINDER, CONE, BOX };
  const ts_vec3 x = {1, 0, 0}, o = {0, 0, 0};
  const struct {
    ts_solid a, b;
    bool has_other;
    const char *what;
  } pairs[] = {
      {make(SPHERE, o, x, 0), make(SPHERE, o, x, 0), true, "concentric spheres"},
      {make(SPHERE, o, x, 0), make(SPHERE, (ts_vec3){1e-12, 0, 0}, x, 0), true, "within rounding"},
      {make(SPHERE, o, x, 0), make(SPHERE, (ts_vec3){1e-3, 0, 0}, x, 0), false, "not concentric"},
      {make(CAPSULE, o, x, 0), make(CAPSULE, o, x, PI / 2), true, "axes that cross"},
      {make(CAPSULE, o, x, 0), make(CAPSULE, (ts_vec3){1e-3, 0, 0}, x, PI / 2), false, "that pass"},
      {make(CAPSULE, o, x, 0), make(CAPSULE, (ts_vec3){0, 0.3, 0}, x, 0), true, "one axis"},
      {make(CYLINDER, o, x, 0), make(CYLINDER, (ts_vec3){0, 0.1, 0}, x, 0), true,
       "around one axis"},
      {make(CYLINDER, o, x, 0), make(CYLINDER, (ts_vec3){0, 0.7, 0}, x, 0), false, "end in end"},
      {make(CYLINDER, o, x, 0), make(SPHERE, o, x, 0), true, "a sphere on the axis"},
      {make(CONE, o, x, 0), make(SPHERE, o, x, 0), true, "a sphere on the axis of a cone"},
      {make(CYLINDER, o, x, 0), make(CYLINDER, o, x, PI / 2), true, "cylinders that cross"},
      {make(BOX, o, x, 0), make(SPHERE, o, x, 0), true, "a sphere in the middle of a box"},
      {make(BOX, o, x, 0), make(SPHERE, (ts_vec3){0.1, 0, 0}, x, 0), false, "beside the middle"},
      {make(BOX, o, x, 0), make(SPHERE, (ts_vec3){0.1, 0.2, 0}, x, 0), true, "on a bisector"},
  };
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    ts_solid_separation found;
    cr_expect_lt(separate(&found, &pairs[i].a, &pairs[i].b), 0, "%s", pairs[i].what);
    cr_expect_eq(found.has_other, pairs[i].has_other, "%s", pairs[i].what);
  }
}
