// SPDX-License-Identifier: MIT
// covers: geometry/mesh/bvh.c
#include "base/random.h"
#include "geometry/mesh/bvh.h"
#include "tests/geometry/mesh/solids.h"

#include <stdlib.h>
#include <string.h>

static ts_arena *arena;

static void setup(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(geometry_bvh, .init = setup, .fini = teardown);

/// How often each pair was visited.
typedef struct visits {
  size_t count_a, count_b, total;
  uint8_t *times; ///< [count_a * count_b]
} visits;

static visits visits_create(size_t count_a, size_t count_b) {
  return (visits){count_a, count_b, 0, ts_arena_array(arena, count_a * count_b, 1)};
}

static ts_status note(void *context, uint32_t a, uint32_t b) {
  visits *v = context;
  cr_assert(a < v->count_a && b < v->count_b);
  v->times[a * v->count_b + b]++;
  v->total++;
  return TS_OK;
}

static void expect_once_each(const visits *v) {
  for (size_t i = 0; i < v->count_a * v->count_b; i++)
    cr_assert_leq(v->times[i], 1, "pair %zu %zu visited %d times", i / v->count_b, i % v->count_b,
                  v->times[i]);
}

static ts_bvh *tree(const ts_aabb *boxes, size_t count) {
  ts_bvh *bvh = NULL;
  cr_assert_eq(ts_bvh_create(&bvh, arena, boxes, count), TS_OK, "%s", ts_status_detail());
  return bvh;
}

static ts_aabb random_box(ts_random *random, double spread, double size) {
  double x = ts_random_uniform(random, -spread, spread);
  double y = ts_random_uniform(random, -spread, spread);
  double z = ts_random_uniform(random, -spread, spread);
  double w = ts_random_uniform(random, 0, size), d = ts_random_uniform(random, 0, size);
  double h = ts_random_uniform(random, 0, size);
  return (ts_aabb){{x, y, z}, {x + w, y + d, z + h}};
}

static ts_quat random_rotation(ts_random *random) {
  double u1 = ts_random_unit(random), u2 = ts_random_unit(random);
  return ts_quat_uniform(u1, u2, ts_random_unit(random));
}

static double clamp(double x, double low, double high) {
  return fmin(fmax(x, low), high);
}

static ts_vec3 closest_in(ts_aabb box, ts_vec3 p) {
  return (ts_vec3){clamp(p.x, box.low.x, box.high.x), clamp(p.y, box.low.y, box.high.y),
                   clamp(p.z, box.low.z, box.high.z)};
}

/// Distance of two boxes turned against each other, from above, by projecting to and fro. Ends as
/// soon as it is no more than `enough`.
static double box_distance(ts_aabb a, ts_aabb b, ts_pose b_to_a, double enough) {
  ts_vec3 p = ts_aabb_centre(a);
  double distance = INFINITY;
  for (int i = 0; i < 100 && distance > enough; i++) {
    ts_vec3 q = ts_pose_point(b_to_a, closest_in(b, ts_pose_point_local(b_to_a, p)));
    p = closest_in(a, q);
    distance = ts_vec3_distance(p, q);
  }
  return distance;
}

/// Every pair closer than the margin is visited, none twice. Returns how many must be.
static size_t expect_tandem(const ts_aabb *a, size_t count_a, const ts_aabb *b, size_t count_b,
                            ts_pose b_to_a, double margin_m, size_t *out_visited) {
  visits v = visits_create(count_a, count_b);
  cr_assert_eq(ts_bvh_tandem(tree(a, count_a), tree(b, count_b), b_to_a, margin_m, note, &v),
               TS_OK);
  expect_once_each(&v);
  size_t needed = 0;
  for (size_t i = 0; i < count_a; i++)
    for (size_t k = 0; k < count_b; k++)
      if (box_distance(a[i], b[k], b_to_a, margin_m) <= margin_m) {
        needed++;
        cr_assert(v.times[i * count_b + k], "pair %zu %zu was not visited", i, k);
      }
  *out_visited = v.total;
  return needed;
}

Test(geometry_bvh, tandem_finds_all_close_pairs_in_any_pose) {
  ts_random random = ts_random_seed(1, 0);
  for (int round = 0; round < 30; round++) {
    enum { n = 150, m = 90 };
    ts_aabb a[n], b[m];
    double scale = round % 3 == 0 ? 1e-3 : round % 3 == 1 ? 1 : 1e3, margin = 0.02 * scale;
    double flat = round % 4 == 0 ? 0 : 1; // every fourth scene lies in planes
    for (int i = 0; i < n; i++)
      a[i] = random_box(&random, scale, 0.5 * scale);
    for (int i = 0; i < m; i++) {
      b[i] = random_box(&random, scale, 0.5 * scale);
      b[i].low.z *= flat;
      b[i].high.z *= flat;
    }
    ts_pose pose = {round % 5 == 0 ? ts_quat_identity() : random_rotation(&random), {0, 0, 0}};
    pose.translation.x = ts_random_uniform(&random, -scale, scale);
    pose.translation.y = ts_random_uniform(&random, -scale, scale);
    size_t visited, needed = expect_tandem(a, n, b, m, pose, margin, &visited);
    cr_assert_gt(needed, 20);
    cr_assert_leq(visited, 3 * needed, "%zu visited, %zu needed", visited, needed);
  }
}

Test(geometry_bvh, tandem_of_nothing_and_of_one) {
  ts_aabb one = {{0, 0, 0}, {1, 1, 1}};
  visits v = visits_create(1, 1);
  ts_pose beside = {ts_quat_identity(), {1, 0, 0}}, apart = {ts_quat_identity(), {1.1, 0, 0}};
  ts_bvh *none = tree(NULL, 0), *single = tree(&one, 1);
  cr_assert_eq(ts_bvh_tandem(none, single, beside, 1, note, &v), TS_OK);
  cr_assert_eq(ts_bvh_tandem(single, none, beside, 1, note, &v), TS_OK);
  cr_assert_eq(ts_bvh_tandem(none, none, beside, 1, note, &v), TS_OK);
  cr_assert_eq(ts_bvh_tandem(single, single, apart, 0.05, note, &v), TS_OK);
  cr_assert_eq(v.total, 0);
  cr_assert_eq(ts_bvh_tandem(single, single, beside, 0, note, &v), TS_OK);
  cr_assert_eq(v.total, 1);
  cr_assert_eq(ts_bvh_self(none, 1, note, &v), TS_OK);
  cr_assert_eq(ts_bvh_self(single, 1, note, &v), TS_OK);
  cr_assert_eq(v.total, 1);
  cr_assert_gt(ts_bvh_bounds(none).low.x, ts_bvh_bounds(none).high.x);
  cr_assert_eq(ts_bvh_bounds(single).high.z, 1);
}

Test(geometry_bvh, near_finds_what_is_within_the_margin_of_a_point) {
  enum { COUNT = 300 };
  ts_random random = ts_random_seed(5, 1);
  ts_aabb boxes[COUNT];
  for (size_t i = 0; i < COUNT; i++)
    boxes[i] = random_box(&random, 10, 1);
  const ts_bvh *bvh = tree(boxes, COUNT);
  for (int k = 0; k < 20; k++) {
    ts_vec3 point = random_box(&random, 10, 0).low;
    double margin_m = 0.1 * k;
    visits v = visits_create(COUNT, 1);
    cr_assert_eq(ts_bvh_near(bvh, point, margin_m, note, &v), TS_OK);
    expect_once_each(&v);
    for (size_t i = 0; i < COUNT; i++) {
      ts_vec3 nearest = ts_vec3_min(ts_vec3_max(point, boxes[i].low), boxes[i].high);
      cr_expect(v.times[i] == 1 || ts_vec3_distance(point, nearest) > margin_m, "box %zu", i);
    }
    cr_expect_lt(v.total, COUNT);
  }
}

/// The closest pair of points so far, each a box of no size, in the frame of a.
typedef struct closest_pair {
  const ts_aabb *a, *b;
  double reach_m;
  size_t visited;
} closest_pair;

static ts_status shorten_to_pair(void *context, uint32_t item_a, uint32_t item_b) {
  closest_pair *c = context;
  double distance_m = ts_vec3_distance(ts_aabb_centre(c->a[item_a]), ts_aabb_centre(c->b[item_b]));
  c->reach_m = fmin(c->reach_m, distance_m);
  c->visited++;
  return TS_OK;
}

Test(geometry_bvh, nearest_finds_the_closest_pair_among_few_and_all_within_a_reach_that_stays) {
  enum { COUNT = 300 };
  ts_random random = ts_random_seed(7, 1);
  ts_aabb a[COUNT], b[COUNT];
  for (int round = 0; round < 20; round++) {
    ts_pose b_to_a = {random_rotation(&random), random_box(&random, round, 0).low};
    for (size_t i = 0; i < COUNT; i++) {
      a[i] = random_box(&random, 10, 0);
      b[i] = random_box(&random, 10, 0);
    }
    closest_pair c = {a, b, INFINITY, 0};
    ts_aabb moved[COUNT];
    double exact_m = INFINITY, reach_m = 0.5 * round;
    for (size_t i = 0; i < COUNT; i++)
      moved[i].low = moved[i].high = ts_pose_point(b_to_a, b[i].low);
    c.b = moved;
    cr_assert_eq(ts_bvh_tandem_nearest(tree(a, COUNT), tree(b, COUNT), b_to_a, &c.reach_m,
                                       shorten_to_pair, &c),
                 TS_OK);
    visits v = visits_create(COUNT, COUNT), of_point = visits_create(COUNT, 1);
    cr_assert_eq(ts_bvh_tandem_nearest(tree(a, COUNT), tree(b, COUNT), b_to_a, &reach_m, note, &v),
                 TS_OK);
    cr_assert_eq(ts_bvh_nearest(tree(a, COUNT), moved[0].low, &reach_m, note, &of_point), TS_OK);
    expect_once_each(&v);
    for (size_t i = 0; i < COUNT; i++)
      for (size_t k = 0; k < COUNT; k++) {
        double distance_m = ts_vec3_distance(a[i].low, moved[k].low);
        exact_m = fmin(exact_m, distance_m);
        cr_expect(v.times[i * COUNT + k] == 1 || distance_m > reach_m);
        cr_expect(k > 0 || of_point.times[i] == 1 || distance_m > reach_m);
      }
    cr_expect_eq(c.reach_m, exact_m);
    cr_expect_lt(c.visited, COUNT * COUNT / 20, "%zu", c.visited);
  }
}

/// Whether a way of a length comes through a box, by cutting it with the planes of the sides.
static bool meets(ts_aabb box, ts_vec3 from, ts_vec3 direction, double reach_m) {
  const double low[3] = {box.low.x, box.low.y, box.low.z};
  const double high[3] = {box.high.x, box.high.y, box.high.z};
  const double start[3] = {from.x, from.y, from.z};
  const double step[3] = {direction.x, direction.y, direction.z};
  double begin = 0, end = reach_m;
  for (int i = 0; i < 3; i++) {
    if (step[i] == 0 && (start[i] < low[i] || start[i] > high[i]))
      return false;
    if (step[i] == 0)
      continue;
    double first = (low[i] - start[i]) / step[i], last = (high[i] - start[i]) / step[i];
    begin = fmax(begin, fmin(first, last));
    end = fmin(end, fmax(first, last));
  }
  return begin <= end;
}

Test(geometry_bvh, along_a_way_finds_what_it_meets_before_its_end) {
  enum { COUNT = 300 };
  ts_random random = ts_random_seed(6, 1);
  ts_aabb boxes[COUNT];
  for (size_t i = 0; i < COUNT; i++)
    boxes[i] = random_box(&random, 3, 2);
  const ts_bvh *bvh = tree(boxes, COUNT);
  size_t met = 0;
  for (int k = 0; k < 60; k++) {
    ts_vec3 from = random_box(&random, 3, 0).low;
    ts_vec3 direction = ts_vec3_unit(random_box(&random, 1, 0).low);
    if (k % 3 == 0) // along an axis, from the side of a box
      direction = (ts_vec3){k % 2 ? 1 : -1, 0, 0};
    if (k % 3 == 0)
      from.y = boxes[k].low.y;
    double reach_m = k % 5 == 0 ? (double)INFINITY : 0.1 * k;
    visits v = visits_create(COUNT, 1);
    cr_assert_eq(ts_bvh_along(bvh, from, direction, &reach_m, note, &v), TS_OK);
    expect_once_each(&v);
    for (size_t i = 0; i < COUNT; i++) {
      bool is_met = meets(boxes[i], from, direction, reach_m);
      cr_expect_eq(v.times[i], is_met, "way %d, box %zu", k, i);
      met += is_met;
    }
  }
  cr_expect_gt(met, 100, "%zu", met);
}

typedef struct shortened {
  const ts_aabb *boxes;
  double reach_m;
  size_t visited;
} shortened;

/// The boxes are flat and upright: the way along x ends at the first.
static ts_status shorten(void *context, uint32_t item, uint32_t unused) {
  (void)unused;
  shortened *s = context;
  s->reach_m = fmin(s->reach_m, s->boxes[item].low.x);
  s->visited++;
  return TS_OK;
}

Test(geometry_bvh, along_a_way_that_is_shortened_little_else_is_visited) {
  enum { COUNT = 1000 };
  ts_aabb boxes[COUNT];
  for (size_t i = 0; i < COUNT; i++) {
    double x = (double)(1 + i * 7 % COUNT);
    boxes[i] = (ts_aabb){{x, -1, -1}, {x, 1, 1}};
  }
  shortened s = {boxes, INFINITY, 0};
  cr_assert_eq(ts_bvh_along(tree(boxes, COUNT), (ts_vec3){0, 0, 0}, (ts_vec3){1, 0, 0}, &s.reach_m,
                            shorten, &s),
               TS_OK);
  cr_expect_eq(s.reach_m, 1);
  cr_expect_leq(s.visited, 8, "%zu", s.visited);
  cr_assert_eq(ts_bvh_along(tree(boxes, COUNT), (ts_vec3){0, NAN, 0}, (ts_vec3){1, 0, 0},
                            &s.reach_m, shorten, &s),
               TS_OK);
  cr_assert_eq(
      ts_bvh_along(tree(NULL, 0), (ts_vec3){0, 0, 0}, (ts_vec3){1, 0, 0}, &s.reach_m, shorten, &s),
      TS_OK);
  cr_expect_leq(s.visited, 8, "nothing is met from nowhere");
}

Test(geometry_bvh, near_a_point_that_is_not_finite_is_nothing) {
  const ts_aabb box = {{0, 0, 0}, {1, 1, 1}};
  visits v = visits_create(1, 1);
  cr_assert_eq(ts_bvh_near(tree(&box, 1), (ts_vec3){NAN, 0, 0}, 1, note, &v), TS_OK);
  cr_assert_eq(ts_bvh_near(tree(&box, 1), (ts_vec3){INFINITY, 0, 0}, 1, note, &v), TS_OK);
  cr_assert_eq(ts_bvh_near(tree(NULL, 0), (ts_vec3){0, 0, 0}, 1, note, &v), TS_OK);
  double reach_m = INFINITY;
  cr_assert_eq(ts_bvh_nearest(tree(&box, 1), (ts_vec3){0, NAN, 0}, &reach_m, note, &v), TS_OK);
  cr_assert_eq(ts_bvh_nearest(tree(NULL, 0), (ts_vec3){0, 0, 0}, &reach_m, note, &v), TS_OK);
  cr_assert_eq(v.total, 0);
}

Test(geometry_bvh, exactly_touching_boxes_are_found_after_any_rigid_motion) {
  // Two plates of boxes that share a plane; the lower one is seen through a pose that takes it away
  // and back.
  enum { n = 25 };
  ts_random random = ts_random_seed(2, 0);
  for (int round = 0; round < 200; round++) {
    double s = round % 3 == 0 ? 1e-3 : round % 3 == 1 ? 1 : 1e3;
    ts_aabb upper[n], lower[n];
    ts_pose away = {random_rotation(&random), {0, 0, 0}};
    away.translation = (ts_vec3){3 * s, -2 * s, 5 * s};
    int axis = round % 3; // the lower boxes are turned by right angles only, to stay boxes
    ts_quat right =
        ts_quat_from_axis_angle((ts_vec3){axis == 0, axis == 1, axis == 2}, 1.5707963267948966);
    ts_pose b_to_a = ts_pose_relative(ts_pose_mul(away, (ts_pose){right, {0, 0, 0}}), away);
    for (int i = 0; i < n; i++) {
      double x = 0.1 * s * (i % 5), y = 0.1 * s * (i / 5);
      upper[i] = (ts_aabb){{x, y, 0}, {x + 0.1 * s, y + 0.1 * s, 0.1 * s}};
      ts_vec3 p = ts_quat_rotate(right, (ts_vec3){x, y, 0});
      ts_vec3 q = ts_quat_rotate(right, (ts_vec3){x + 0.1 * s, y + 0.1 * s, -0.1 * s});
      lower[i] = (ts_aabb){ts_vec3_min(p, q), ts_vec3_max(p, q)};
    }
    visits v = visits_create(n, n);
    cr_assert_eq(ts_bvh_tandem(tree(upper, n), tree(lower, n), b_to_a, 0, note, &v), TS_OK);
    for (int i = 0; i < n; i++)
      for (int k = 0; k < n; k++)
        if (abs(i % 5 - k % 5) <= 1 && abs(i / 5 - k / 5) <= 1)
          cr_assert_eq(v.times[i * n + k], 1, "boxes %d and %d in round %d", i, k, round);
        else
          cr_assert_eq(v.times[i * n + k], 0, "boxes %d and %d in round %d", i, k, round);
  }
}

/// Self traversal visits exactly the pairs whose boxes come within the margin on each axis.
static size_t expect_self(const ts_aabb *boxes, size_t count, double margin_m) {
  visits v = visits_create(count, count);
  cr_assert_eq(ts_bvh_self(tree(boxes, count), margin_m, note, &v), TS_OK);
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < count; k++) {
      int close = boxes[i].low.x - boxes[k].high.x <= margin_m &&
                  boxes[k].low.x - boxes[i].high.x <= margin_m &&
                  boxes[i].low.y - boxes[k].high.y <= margin_m &&
                  boxes[k].low.y - boxes[i].high.y <= margin_m &&
                  boxes[i].low.z - boxes[k].high.z <= margin_m &&
                  boxes[k].low.z - boxes[i].high.z <= margin_m;
      cr_assert_eq(v.times[i * count + k], i < k && close, "pair %zu %zu", i, k);
    }
  return v.total;
}

Test(geometry_bvh, self_visits_each_close_pair_once_in_order) {
  ts_random random = ts_random_seed(3, 0);
  for (int round = 0; round < 20; round++) {
    enum { n = 200 };
    ts_aabb boxes[n];
    size_t count = round < 10 ? (size_t)round : n;
    for (size_t i = 0; i < count; i++)
      boxes[i] = random_box(&random, 1, 0.3);
    size_t pairs = expect_self(boxes, count, round % 2 ? 0 : 0.05);
    cr_assert(count < n || pairs > 30);
  }
}

Test(geometry_bvh, boxes_in_one_place_end_and_are_all_paired) {
  enum { n = 300 };
  ts_aabb boxes[n];
  for (int i = 0; i < n; i++)
    boxes[i] = (ts_aabb){{1, 2, 3}, {2, 3, 4}};
  cr_assert_eq(expect_self(boxes, n, 0), n * (n - 1) / 2);
  for (int i = 0; i < n; i++) // points
    boxes[i].high = boxes[i].low;
  cr_assert_eq(expect_self(boxes, n, 0), n * (n - 1) / 2);
  for (int i = n / 2; i < n; i++) // nested: one centre, all sizes
    boxes[i] = ts_aabb_inflate(boxes[i], i);
  cr_assert_eq(expect_self(boxes, n, 0), n * (n - 1) / 2);
}

Test(geometry_bvh, boxes_without_area_are_cut_evenly) {
  // Points on a line have no area at all: every cut costs the same.
  enum { n = 400 };
  ts_aabb boxes[n];
  for (int i = 0; i < n; i++)
    boxes[i] = (ts_aabb){{i, 0, 0}, {i, 0, 0}};
  cr_assert_eq(expect_self(boxes, n, 0), 0);
  cr_assert_eq(expect_self(boxes, n, 1), n - 1);
}

Test(geometry_bvh, sizes_over_all_magnitudes_do_not_overflow_the_stack) {
  // Each box is twice as far out as the one before: cuts by area peel off few at a time.
  enum { n = 900 };
  ts_aabb *boxes = ts_arena_array(arena, n, sizeof *boxes);
  for (int i = 0; i < n; i++) {
    double at = ldexp(1, i - 450);
    boxes[i] = (ts_aabb){{at, 0, 0}, {1.5 * at, at, at}};
  }
  cr_assert_eq(expect_self(boxes, n, 0), 0);
  visits v = visits_create(n, n);
  ts_bvh *bvh = tree(boxes, n);
  cr_assert_eq(ts_bvh_tandem(bvh, bvh, ts_pose_identity(), 0, note, &v), TS_OK);
  expect_once_each(&v);
  for (size_t i = 0; i < n; i++)
    cr_assert(v.times[i * n + i]);
}

Test(geometry_bvh, bounds_hold_all_boxes) {
  ts_random random = ts_random_seed(4, 0);
  ts_aabb boxes[100], all = ts_aabb_empty();
  for (int i = 0; i < 100; i++) {
    boxes[i] = random_box(&random, 1, 0.3);
    all = ts_aabb_join(all, boxes[i]);
  }
  ts_aabb bounds = ts_bvh_bounds(tree(boxes, 100));
  cr_assert_eq(memcmp(&bounds, &all, sizeof all), 0);
}

Test(geometry_bvh, boxes_that_are_not_boxes_are_refused) {
  ts_aabb wrong[5] = {{{0, NAN, 0}, {1, 1, 1}},
                      {{0, 0, 0}, {1, 1, INFINITY}},
                      {{-INFINITY, 0, 0}, {INFINITY, 1, 1}},
                      {{0, 2, 0}, {1, 1, 1}},
                      {{-1e308, 0, 0}, {1e308, 1, 1}}};
  for (int i = 0; i < 5; i++) {
    ts_aabb boxes[2] = {{{0, 0, 0}, {1, 1, 1}}, wrong[i]};
    ts_bvh *bvh;
    cr_assert_eq(ts_bvh_create(&bvh, arena, boxes, 2), TS_E_INPUT, "box %d was taken", i);
    cr_assert(strstr(ts_status_detail(), "box 1"), "%s", ts_status_detail());
  }
}

static ts_status stop(void *context, uint32_t a, uint32_t b) {
  (void)a, (void)b;
  size_t *calls = context;
  return ++*calls == 3 ? TS_SKIPPED : TS_OK;
}

Test(geometry_bvh, what_the_visitor_returns_ends_the_traversal) {
  ts_aabb boxes[20];
  for (int i = 0; i < 20; i++)
    boxes[i] = (ts_aabb){{0, 0, 0}, {1, 1, 1}};
  ts_bvh *bvh = tree(boxes, 20);
  size_t calls = 0;
  cr_assert_eq(ts_bvh_self(bvh, 0, stop, &calls), TS_SKIPPED);
  cr_assert_eq(calls, 3);
  calls = 0;
  cr_assert_eq(ts_bvh_tandem(bvh, bvh, ts_pose_identity(), 0, stop, &calls), TS_SKIPPED);
  cr_assert_eq(calls, 3);
}

/// Visits in the order in which they come.
typedef struct trace {
  size_t count;
  uint32_t pairs[4096][2];
} trace;

static ts_status record(void *context, uint32_t a, uint32_t b) {
  trace *t = context;
  cr_assert_lt(t->count, 4096);
  t->pairs[t->count][0] = a;
  t->pairs[t->count++][1] = b;
  return TS_OK;
}

Test(geometry_bvh, the_same_boxes_are_visited_in_the_same_order) {
  ts_random random = ts_random_seed(5, 0);
  ts_aabb boxes[200];
  for (int i = 0; i < 200; i++)
    boxes[i] = random_box(&random, 1, 0.3);
  trace *first = ts_arena_alloc(arena, sizeof *first),
        *second = ts_arena_alloc(arena, sizeof *second);
  cr_assert_eq(ts_bvh_self(tree(boxes, 200), 0, record, first), TS_OK);
  cr_assert_eq(ts_bvh_self(tree(boxes, 200), 0, record, second), TS_OK);
  cr_assert_gt(first->count, 30);
  cr_assert_eq(memcmp(first, second, sizeof *first), 0);
}

Test(geometry_bvh, a_mesh_gives_one_box_a_triangle) {
  solid s = solid_groove();
  const ts_mesh *mesh = solid_mesh(arena, &s);
  ts_bvh *bvh;
  cr_assert_eq(ts_bvh_create_for_mesh(&bvh, arena, mesh), TS_OK);
  ts_aabb bounds = ts_bvh_bounds(bvh), expected = ts_mesh_bounds(mesh);
  cr_assert_eq(memcmp(&bounds, &expected, sizeof bounds), 0);
  // A point-sized box at each triangle's middle finds at least that triangle.
  for (size_t t = 0; t < mesh->triangle_count; t++) {
    const uint32_t *c = mesh->triangles[t];
    ts_vec3 middle = ts_vec3_scale(
        ts_vec3_add(ts_vec3_add(mesh->vertices[c[0]], mesh->vertices[c[1]]), mesh->vertices[c[2]]),
        1.0 / 3);
    ts_aabb point = {middle, middle};
    visits v = visits_create(mesh->triangle_count, 1);
    cr_assert_eq(ts_bvh_tandem(bvh, tree(&point, 1), ts_pose_identity(), 0, note, &v), TS_OK);
    cr_assert_eq(v.times[t], 1);
    expect_once_each(&v);
  }
}

/// How often each triangle was visited with the one of the other hierarchy, and in which blocks.
typedef struct block_visits {
  const ts_bvh *bvh;
  int times[200];
  bool numbers[1000];
} block_visits;

static ts_status note_blocks(void *context, ts_bvh_block a, ts_bvh_block b) {
  block_visits *v = context;
  cr_assert(a.count >= 1 && a.count <= TS_BVH_BLOCK_MOST && b.count == 1);
  cr_assert(a.number < sizeof v->numbers && !v->numbers[a.number]);
  v->numbers[a.number] = true;
  cr_assert_eq(a.items, ts_bvh_items(v->bvh) + a.first);
  for (uint32_t i = 0; i < a.count; i++)
    v->times[a.items[i]]++;
  return TS_OK;
}

Test(geometry_bvh, blocks_hold_each_triangle_once_and_close_ones_are_visited) {
  enum { COUNT = 200 };
  ts_random random = ts_random_seed(9, 0);
  ts_vec3 vertices[3 * COUNT];
  uint32_t triangles[COUNT][3];
  ts_aabb boxes[COUNT];
  for (uint32_t t = 0; t < COUNT; t++) {
    ts_aabb box = random_box(&random, 1, 0.1);
    boxes[t] = ts_aabb_empty();
    for (uint32_t i = 0; i < 3; i++) {
      triangles[t][i] = 3 * t + i;
      vertices[3 * t + i] = i == 0 ? box.low : box.high;
    }
    vertices[3 * t + 2].x = box.low.x;
    for (uint32_t i = 0; i < 3; i++)
      boxes[t] = ts_aabb_add(boxes[t], vertices[3 * t + i]);
  }
  const ts_mesh mesh = {.vertex_count = 3 * COUNT,
                        .vertices = vertices,
                        .triangle_count = COUNT,
                        .triangles = (const uint32_t(*)[3])triangles};
  const ts_mesh lone = {.vertex_count = 3,
                        .vertices = vertices,
                        .triangle_count = 1,
                        .triangles = (const uint32_t(*)[3])triangles};
  ts_bvh *one, *many, *none;
  cr_assert_eq(ts_bvh_create_for_blocks(&many, arena, &mesh), TS_OK);
  cr_assert_eq(ts_bvh_create_for_blocks(&one, arena, &lone), TS_OK);
  cr_assert_eq(ts_bvh_create_for_blocks(&none, arena, &(ts_mesh){.vertex_count = 0}), TS_OK);
  block_visits all = {.bvh = many}, near = {.bvh = many};
  ts_pose same_frame = ts_pose_identity();
  cr_assert_eq(ts_bvh_tandem_blocks(none, one, same_frame, 9, note_blocks, &all), TS_OK);
  cr_assert_eq(ts_bvh_tandem_blocks(many, none, same_frame, 9, note_blocks, &all), TS_OK);
  cr_assert_eq(ts_bvh_tandem_blocks(many, one, same_frame, 9, note_blocks, &all), TS_OK);
  cr_assert_eq(ts_bvh_tandem_blocks(many, one, same_frame, 0.2, note_blocks, &near), TS_OK);
  int visited = 0;
  for (int t = 0; t < COUNT; t++) {
    cr_assert_eq(all.times[t], 1);
    visited += near.times[t];
    if (box_distance(boxes[t], boxes[0], same_frame, 0.2) <= 0.2)
      cr_assert_eq(near.times[t], 1);
  }
  cr_assert_lt(visited, COUNT / 2, "%d visited", visited);
}
