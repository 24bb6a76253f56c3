// SPDX-License-Identifier: MIT
// covers: geometry/solid/solid.c geometry/solid/solid_separation.c
/// The separation of exact solids against a search of directions, against meshes of them, and where
/// axes are parallel, coaxial, crossing or nearly so.
#include "base/status.h"
#include "geometry/mesh/primitive.h"
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

static void compare_kinds(outcome *out, double scale, int tries) {
  for (int kind_a = 0; kind_a < SOLID_KINDS; kind_a++)
    for (int kind_b = 0; kind_b < SOLID_KINDS; kind_b++) {
      if (!solid_fixture_is_curved(kind_a) && !solid_fixture_is_curved(kind_b))
        continue;
      for (int i = 0; i < tries * GAPS; i++) {
        ts_arena_mark mark = ts_arena_get_mark(arena);
        ts_pose pose_a = random_pose(&rng, 0.1 * scale), pose_b = random_pose(&rng, scale);
        ts_solid a = solid_fixture_make(arena, kind_a, scale, pose_a);
        ts_solid b = solid_fixture_make(arena, kind_b, scale, pose_b);
        b = solid_fixture_at_gap(arena, &a, &b, gaps[i % GAPS] * scale);
        char what[100];
        snprintf(what, sizeof what, "%d on %d, try %d, gap %g", kind_b, kind_a, i, gaps[i % GAPS]);
        compare(out, &a, &b, scale, what);
        ts_arena_rewind(arena, mark);
      }
    }
}

Test(geometry_solid_separation, no_direction_has_a_larger_gap) {
  outcome out = {0};
  compare_kinds(&out, 1, 2);
  cr_log_info("%d pairs: more by %g, less by %g", out.count, out.more, out.less);
  cr_expect_lt(out.less, 1e-6, "the search finds as much");
}
