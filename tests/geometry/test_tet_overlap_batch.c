// SPDX-License-Identifier: MIT
// covers: geometry/tet_overlap_batch.c geometry/tet_overlap_floats.c geometry/tet_overlap_avx2.c
// covers: geometry/tet_overlap_avx512.c
/// Batches must say what ts_tet_tet_overlap says, on every width that this processor has; the pairs
/// of the reference are in tests/methods/tet/test_tet_reference.c.
#include "geometry/tet.h"
#include "geometry/tet_overlap_batch.h"
#include "geometry/vec3.h"
#include "tests/geometry/random_geometry.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct tet_pair {
  ts_vec3 a[4], b[4];
} tet_pair;

enum { PAIRS = 4000, PAIRS_MAX = PAIRS + 200 };

typedef struct batch {
  size_t count;
  tet_pair pairs[PAIRS_MAX];
  ts_tet_nodes_pair nodes[PAIRS_MAX];
  bool overlaps[PAIRS_MAX];
} batch;

static batch *batch_create(void) {
  batch *b = calloc(1, sizeof *b);
  cr_assert(b);
  return b;
}

static tet_pair *add(batch *b) {
  tet_pair *pair = &b->pairs[b->count];
  b->nodes[b->count++] = (ts_tet_nodes_pair){pair->a, pair->b};
  return pair;
}

/// Returns the number of pairs that overlap.
static size_t expect_alike(batch *b, double tolerance_m) {
  size_t overlapping = 0;
  for (int lanes = 1; lanes <= ts_tet_overlap_lanes(); lanes = lanes == 1 ? 4 : 2 * lanes) {
    memset(b->overlaps, 0, sizeof b->overlaps);
    ts_tet_tet_overlaps_by(lanes, b->overlaps, b->nodes, b->count, tolerance_m);
    overlapping = 0;
    for (size_t i = 0; i < b->count; i++) {
      bool expected = ts_tet_tet_overlap(b->pairs[i].a, b->pairs[i].b, tolerance_m) != 0;
      cr_assert_eq(b->overlaps[i], expected, "pair %zu, %d lanes, tolerance %g", i, lanes,
                   tolerance_m);
      overlapping += expected;
    }
  }
  return overlapping;
}

static void expect_alike_within(batch *b, double length_m) {
  const double tolerances[] = {0, 1e-12, 1e-6, 1e-2, 1};
  for (size_t t = 0; t < sizeof tolerances / sizeof *tolerances; t++)
    expect_alike(b, length_m * tolerances[t]);
}

Test(geometry_tet_overlap_batch, random_pairs_near_far_small_and_large) {
  batch *b = batch_create();
  ts_random random = ts_random_seed(5, 0);
  const double scales[] = {1e-3, 1, 1e3};
  for (int i = 0; i < PAIRS; i++) {
    tet_pair *pair = add(b);
    double scale = scales[i % 3], away = i % 2 ? 1e4 : 0;
    for (int k = 0; k < 4; k++) {
      pair->a[k] = ts_vec3_scale(random_point(&random, 1), scale);
      pair->b[k] = ts_vec3_scale(random_point(&random, 1), scale);
      pair->b[k].x += 0.25 * (i % 5) * scale;
      pair->a[k].y += away;
      pair->b[k].y += away;
    }
  }
  size_t overlapping = expect_alike(b, 0);
  cr_expect(overlapping > PAIRS / 10 && overlapping < PAIRS * 9 / 10, "%zu overlap", overlapping);
  expect_alike_within(b, 1);
  free(b);
}

/// Tets with nodes on a small grid: they coincide, touch in all kinds of features, lie in one
/// plane, and many are flat.
Test(geometry_tet_overlap_batch, pairs_on_a_grid) {
  batch *b = batch_create();
  ts_random random = ts_random_seed(6, 0);
  for (int i = 0; i < PAIRS; i++) {
    tet_pair *pair = add(b);
    for (int k = 0; k < 8; k++) {
      ts_vec3 *p = k < 4 ? &pair->a[k] : &pair->b[k - 4];
      *p = random_point(&random, 1.499);
      *p = (ts_vec3){rint(p->x), rint(p->y), i % 7 ? rint(p->z) : 0};
    }
    if (i % 11 == 0)
      memcpy(pair->b, pair->a, sizeof pair->b);
  }
  size_t overlapping = expect_alike(b, 0);
  cr_expect(overlapping > PAIRS / 10 && overlapping < PAIRS * 99 / 100, "%zu", overlapping);
  expect_alike_within(b, 1);
  free(b);
}

/// The same grids turned, so that rounding decides every touch.
Test(geometry_tet_overlap_batch, touching_pairs_in_any_pose) {
  batch *b = batch_create();
  ts_random random = ts_random_seed(7, 0);
  for (int i = 0; i < PAIRS; i++) {
    tet_pair *pair = add(b);
    ts_pose pose = random_pose(&random, i % 3 ? 1 : 100);
    for (int k = 0; k < 8; k++) {
      ts_vec3 p = random_point(&random, 1.499);
      p = ts_pose_point(pose, (ts_vec3){rint(p.x) + (k < 4), rint(p.y), rint(p.z)});
      if (k < 4)
        pair->a[k] = p;
      else
        pair->b[k - 4] = p;
    }
  }
  expect_alike_within(b, 1);
  free(b);
}

/// Numbers that are none, or whose products overflow or vanish, in every place.
Test(geometry_tet_overlap_batch, numbers_at_the_ends_of_their_range) {
  batch *b = batch_create();
  ts_random random = ts_random_seed(8, 0);
  const double strange[] = {NAN, INFINITY, -INFINITY, 1e300, -1e300, 1e60, 1e80, 1e-300, 0, -0.0};
  for (size_t s = 0; s < sizeof strange / sizeof *strange; s++)
    for (int place = 0; place < 24; place++) {
      tet_pair *pair = add(b);
      for (int k = 0; k < 4; k++) {
        pair->a[k] = random_point(&random, 1);
        pair->b[k] = random_point(&random, 1);
      }
      ts_vec3 *p = place < 12 ? &pair->a[place / 3] : &pair->b[place / 3 - 4];
      double *coordinate = place % 3 == 0 ? &p->x : place % 3 == 1 ? &p->y : &p->z;
      *coordinate = strange[s];
    }
  const double lengths[] = {1e-160, 1e-100, 1e-60, 1e50, 1e60, 1e75, 1e80, 1e100, 1e150};
  for (size_t s = 0; s < sizeof lengths / sizeof *lengths; s++)
    for (int i = 0; i < 40; i++) {
      tet_pair *pair = add(b);
      for (int k = 0; k < 4; k++) {
        pair->a[k] = ts_vec3_scale(random_point(&random, 1), lengths[s]);
        pair->b[k] = ts_vec3_scale(random_point(&random, 1), lengths[s]);
        pair->b[k].x += 0.5 * (i % 4) * lengths[s];
      }
    }
  expect_alike_within(b, 1);
  expect_alike_within(b, 1e60);
  expect_alike(b, (double)NAN);
  expect_alike(b, -1);
  free(b);
}

Test(geometry_tet_overlap_batch, any_number_of_pairs) {
  batch *b = batch_create();
  ts_random random = ts_random_seed(9, 0);
  ts_tet_tet_overlaps(b->overlaps, b->nodes, 0, 0);
  for (int i = 0; i < 140; i++) {
    tet_pair *pair = add(b);
    for (int k = 0; k < 4; k++) {
      pair->a[k] = random_point(&random, 1);
      pair->b[k] = random_point(&random, 1);
    }
    memset(b->overlaps, 2, sizeof b->overlaps);
    ts_tet_tet_overlaps(b->overlaps, b->nodes, b->count, 0);
    uint8_t after;
    memcpy(&after, &b->overlaps[b->count], 1);
    cr_assert_eq(after, 2, "written beyond %zu pairs", b->count);
    expect_alike(b, 0);
  }
  free(b);
}

/// Blocks in which no pair is decided by faces, so that all of them wait for the edges.
Test(geometry_tet_overlap_batch, pairs_that_only_edges_can_tell) {
  batch *b = batch_create();
  for (int i = 0; i < 300; i++) {
    tet_pair *pair = add(b);
    const tet_pair crossed = {{{-1, 0, 0}, {1, 0, 0}, {0, -0.1, -1}, {0, 0.1, -1}},
                              {{0, -1, -0.1}, {0, 1, -0.1}, {-0.1, 0, 1}, {0.1, 0, 1}}};
    *pair = crossed;
  }
  cr_expect_eq(expect_alike(b, 0), 300);
  free(b);
}

/// A touching pair on the grid, squeezed by up to 1e-7 so that there are slivers, turned, moved and
/// scaled, also to where products of floats vanish or overflow; the second tet, which may be tiny,
/// moved by about what is lost in single precision.
static void add_nearly_touching(batch *b, ts_random *random, int i) {
  const double squeezes[] = {1, 1e-2, 1e-4, 1e-7},
               scales[] = {1, 1e-3, 1e3, 1e-13, 2e-14, 1e12, 5e12};
  const double places[] = {0, 10, 1e4};
  tet_pair *pair = add(b);
  ts_pose pose = random_pose(random, places[i % 3]);
  double gap = pow(10, -3 - i % 7) * (i / 7 % 2 ? 1 : -1), own = i % 5 ? 1 : i % 2 ? 1e-3 : 1e-9;
  for (int k = 0; k < 8; k++) {
    ts_vec3 p = random_point(random, 1.499);
    p = (ts_vec3){rint(p.x) + (k < 4), rint(p.y), rint(p.z) * squeezes[i / 3 % 4]};
    p = ts_vec3_scale(p, k < 4 ? 1 : own);
    p.x -= k < 4 ? 0 : gap;
    p = ts_vec3_scale(ts_pose_point(pose, p), scales[i / 5 % 7]);
    if (k < 4)
      pair->a[k] = p;
    else
      pair->b[k - 4] = p;
  }
}

Test(geometry_tet_overlap_batch, gaps_and_slivers_within_the_rounding_of_floats) {
  batch *b = batch_create();
  ts_random random = ts_random_seed(10, 0);
  for (int round = 0; round < 25; round++) {
    b->count = 0;
    for (int i = 0; i < PAIRS; i++)
      add_nearly_touching(b, &random, i);
    size_t overlapping = expect_alike(b, 0);
    cr_expect(overlapping > PAIRS / 10 && overlapping < PAIRS * 9 / 10, "%zu", overlapping);
  }
  expect_alike_within(b, 1);
  expect_alike(b, 1e-7);
  free(b);
}

/// Of pairs that neither touch nor are slivers, single precision leaves hardly any, wherever they
/// are.
Test(geometry_tet_overlap_batch, floats_decide_clear_pairs) {
  if (ts_tet_overlap_lanes() == 1)
    cr_skip_test("this processor has no lanes");
#if defined(__x86_64__)
  ts_random random = ts_random_seed(11, 0);
  const double scales[] = {1e-3, 1, 1e3};
  unsigned left = 0, undecided = 0;
  for (int i = 0; i < PAIRS / 8; i++) {
    tet_pair eight[8];
    ts_tet_nodes_pair nodes[8];
    const ts_tet_nodes_pair *pairs[8];
    double scale = scales[i % 3], away = i % 2 ? 1e4 * scale : 0;
    for (int k = 0; k < 8; k++) {
      for (int n = 0; n < 4; n++) {
        eight[k].a[n] = ts_vec3_scale(random_point(&random, 1), scale);
        eight[k].b[n] = ts_vec3_scale(random_point(&random, 1), scale);
        eight[k].a[n].z += away;
        eight[k].b[n].z += away;
      }
      nodes[k] = (ts_tet_nodes_pair){eight[k].a, eight[k].b};
      pairs[k] = &nodes[k];
    }
    ts_lane_answers faces = ts_tet_overlap_floats_faces(pairs, 1e-9 * scale);
    ts_lane_answers edges = ts_tet_overlap_floats_edges(pairs, 1e-9 * scale);
    left += (unsigned)__builtin_popcount(edges.left & 0xff);
    undecided += (unsigned)__builtin_popcount(faces.undecided & 0xff);
    cr_expect_eq(edges.undecided & 0xff, 0);
    cr_expect_eq(faces.apart & ~edges.apart & ~faces.left & 0xff, 0);
  }
  cr_expect(left < PAIRS / 50, "%u left", left);
  cr_expect(undecided > PAIRS / 20 && undecided < PAIRS * 3 / 4, "%u undecided", undecided);
#endif
}
