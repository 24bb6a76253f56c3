// SPDX-License-Identifier: MIT
// covers: methods/hull_clip/*.c
/// Random convex polyhedra: the gap along the axis that is chosen is that of all axes, no contact
/// is beside a body, and no order shows in any bit.
#include "tests/methods/hull_clip/clip_fixture.h"
#include "tests/methods/semi_local/convex_oracle.h"

#include "geometry/mesh/mesh.h"
#include "geometry/vec3.h"

#include <criterion/criterion.h>
#include <string.h>

enum { PAIRS = 60 };

/// Nothing is preferred and nothing left out, up to that gap.
static clip_params all_of(double reach_m) {
  return (clip_params){reach_m, 0, 0};
}

static double size_of(const fixture_pair *pair) {
  return fmin(ts_aabb_extent(ts_mesh_bounds(pair->mesh[0])),
              ts_aabb_extent(ts_mesh_bounds(pair->mesh[1])));
}

static fixture_contacts run_pair(method_fixture *f, clip_params params, const fixture_pair *pair) {
  return clip_run(f, params, pair->mesh[0], pair->pose[0], pair->mesh[1], pair->pose[1]);
}

static double deepest_of(fixture_contacts set) {
  double deepest = INFINITY;
  for (size_t i = 0; i < set.count; i++)
    deepest = fmin(deepest, set.contacts[i].gap_m);
  return deepest;
}

/// What rounding of the bodies may add: faces of coordinates on a grid are flat within 1e-6 of the
/// size (TS_CLIP_FLAT_RELATIVE) and taken as one plane.
static double tolerance_of(const convex_kind *kind, double size_m) {
  return (kind->grid == CONVEX_DOUBLES ? 1e-9 : 4e-6) * size_m + 4e-16 * kind->away_m;
}

Test(methods_clip_oracle, bodies_that_overlap_part_along_the_best_of_all_axes) {
  for (int k = 0; k < CONVEX_KIND_COUNT; k++)
    for (uint64_t seed = 0; seed < PAIRS; seed++) {
      method_fixture f;
      fixture_open(&f);
      const convex_kind *kind = &convex_kinds[k];
      ts_random random = ts_random_seed(seed, (uint64_t)k);
      double depth = seed % 3 == 0 ? 1e-3 : seed % 3 == 1 ? 0.02 : 0.2;
      fixture_pair pair = convex_random_pair(&f, &random, kind, -depth);
      double size_m = size_of(&pair), tolerance_m = tolerance_of(kind, size_m);
      convex_truth truth = convex_oracle(&pair);
      fixture_contacts got = run_pair(&f, all_of(0), &pair);
      cr_assert_gt(got.count, 0, "%s, seed %llu", kind->name, (unsigned long long)seed);
      cr_assert_float_eq(deepest_of(got), truth.gap_m, tolerance_m, "%s, seed %llu: %g, not %g",
                         kind->name, (unsigned long long)seed, deepest_of(got), truth.gap_m);
      for (size_t i = 0; i < got.count; i++)
        for (int body = 0; body < 2; body++) {
          double off_m = convex_distance(pair.mesh[body], pair.pose[body], got.contacts[i].point) -
                         fabs(got.contacts[i].gap_m);
          cr_assert_leq(off_m, tolerance_m, "%s, seed %llu: %g m beside a body", kind->name,
                        (unsigned long long)seed, off_m);
        }
      fixture_close(&f);
    }
}

Test(methods_clip_oracle, no_contact_of_bodies_that_are_farther_apart_than_the_reach) {
  for (uint64_t seed = 0; seed < PAIRS; seed++) {
    method_fixture f;
    fixture_open(&f);
    ts_random random = ts_random_seed(seed, 99);
    fixture_pair pair = convex_random_pair(&f, &random, &convex_kinds[0], 0.05);
    double gap_m = convex_oracle(&pair).gap_m;
    cr_assert_eq(run_pair(&f, all_of(0.99 * gap_m), &pair).count, 0);
    fixture_contacts got = run_pair(&f, all_of(2 * gap_m), &pair);
    for (size_t i = 0; i < got.count; i++)
      cr_assert_leq(got.contacts[i].gap_m, 2 * gap_m);
    fixture_close(&f);
  }
}

/// Fails unless the places, normals and gaps are equal in all bits, normals times `sign`.
static void expect_bits(fixture_contacts got, fixture_contacts expected, double sign,
                        const char *what, uint64_t seed) {
  cr_assert_eq(got.count, expected.count, "%s, seed %llu", what, (unsigned long long)seed);
  for (size_t i = 0; i < got.count; i++) {
    const ts_contact *a = &got.contacts[i], *b = &expected.contacts[i];
    const double differences[7] = {
        a->point.x - b->point.x,          a->point.y - b->point.y,
        a->point.z - b->point.z,          a->gap_m - b->gap_m,
        a->normal.x - sign * b->normal.x, a->normal.y - sign * b->normal.y,
        a->normal.z - sign * b->normal.z};
    for (int k = 0; k < 7; k++)
      cr_assert(differences[k] == 0, "%s, seed %llu: contact %zu differs by %g", what,
                (unsigned long long)seed, i, differences[k]);
  }
}

/// Swaps the bodies and shuffles their meshes, one after the other and all together.
static void expect_no_order(method_fixture *f, const fixture_pair *pair, clip_params params,
                            const char *what, uint64_t seed) {
  fixture_contacts expected = run_pair(f, params, pair);
  for (int way = 1; way < 4; way++) {
    fixture_pair other = *pair;
    if (way & 1)
      other = (fixture_pair){{pair->mesh[1], pair->mesh[0]}, {pair->pose[1], pair->pose[0]}};
    for (int k = 0; k < 2 && (way & 2); k++)
      other.mesh[k] = fixture_shuffled(f, other.mesh[k], seed + (uint64_t)k);
    expect_bits(run_pair(f, params, &other), expected, way & 1 ? -1 : 1, what, seed);
  }
}

Test(methods_clip_oracle, no_order_shows_in_the_contacts_of_random_bodies) {
  for (int k = 0; k < CONVEX_KIND_COUNT; k++)
    for (uint64_t seed = 0; seed < PAIRS / 2; seed++) {
      method_fixture f;
      fixture_open(&f);
      ts_random random = ts_random_seed(seed, (uint64_t)k);
      fixture_pair pair =
          convex_random_pair(&f, &random, &convex_kinds[k], seed % 2 ? 1e-3 : -0.05);
      expect_no_order(&f, &pair, clip_defaults(convex_kinds[k].scale), convex_kinds[k].name, seed);
      fixture_close(&f);
    }
}

/// Bodies with the most symmetries, so that axes and corners are equally good, at random places of
/// a grid: faces, edges and corners that touch exactly.
Test(methods_clip_oracle, no_order_shows_where_axes_are_equally_good) {
  for (uint64_t seed = 0; seed < 200; seed++) {
    method_fixture f;
    fixture_open(&f);
    ts_random random = ts_random_seed(seed, 5);
    const ts_mesh *bodies[3] = {clip_cube(&f, 1), fixture_spike(&f, 0.5, 1),
                                clip_prism(&f, 8, 1, 1)};
    fixture_pair pair;
    for (int k = 0; k < 2; k++) {
      pair.mesh[k] = bodies[ts_random_u64(&random) % 3];
      pair.pose[k] = ts_random_u64(&random) % 2 ? fixture_upside_down(0, 0, 0) : ts_pose_identity();
    }
    double steps[3];
    for (int i = 0; i < 3; i++)
      steps[i] = 0.5 * (double)(ts_random_u64(&random) % 5) - 1;
    pair.pose[1].translation = ts_vec3_make(steps[0], steps[1], steps[2]);
    expect_no_order(&f, &pair, clip_defaults(1), "grid", seed);
    fixture_close(&f);
  }
}

Test(methods_clip_oracle, contacts_move_with_random_bodies) {
  for (uint64_t seed = 0; seed < PAIRS; seed++) {
    method_fixture f;
    fixture_open(&f);
    ts_random random = ts_random_seed(seed, 7);
    fixture_pair pair = convex_random_pair(&f, &random, &convex_kinds[8], seed % 2 ? 1e-3 : -0.05);
    fixture_contacts expected = run_pair(&f, clip_defaults(1), &pair);
    ts_pose motion = fixture_motion(seed, 100);
    fixture_pair moved = pair;
    for (int k = 0; k < 2; k++)
      moved.pose[k] = ts_pose_mul(motion, pair.pose[k]);
    fixture_expect_same(run_pair(&f, clip_defaults(1), &moved), expected, motion, 1, 1e-9, 1e-9,
                        "moved");
    fixture_close(&f);
  }
}
