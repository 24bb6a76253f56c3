// SPDX-License-Identifier: MIT
// covers: harness/plan/sweep.c
#include "ldi/line_sweep.h"

#include "base/random.h"

#include <criterion/criterion.h>

enum { A = 0, B = 1 };

/// Entries and exits as they are written down: body, whether it is left, depth.
typedef struct event {
  int body;
  bool is_leaving;
  double depth_px;
} event;

enum { EVENTS_MAX = 32 };

/// The ids number the events as triangles.
static ts_ldi_sweep start(ts_ldi_crossing crossings[EVENTS_MAX], const event *events,
                          uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    crossings[i] = (ts_ldi_crossing){
        events[i].depth_px, ts_ldi_crossing_id(i, events[i].body, events[i].is_leaving), 0};
  return ts_ldi_sweep_start(crossings, count, A);
}

#define START(...)                                                                                 \
  start(crossings, (const event[]){__VA_ARGS__},                                                   \
        sizeof((const event[]){__VA_ARGS__}) / sizeof(event))
#define IN(body, depth)                                                                            \
  { body, false, depth }
#define OUT(body, depth)                                                                           \
  { body, true, depth }

static void expect_bound(const ts_ldi_bound *bound, double depth, int count, uint32_t first,
                         uint32_t second) {
  cr_expect_eq(bound->depth_px, depth);
  cr_assert_eq(bound->count, count);
  uint32_t low = ts_ldi_triangle(bound->id[0]), high = ts_ldi_triangle(bound->id[count - 1]);
  cr_expect((low == first && high == second) || (low == second && high == first),
            "triangles %u and %u, not %u and %u", low, high, first, second);
}

Test(ldi_sweep, ids_give_back_what_was_packed) {
  const uint32_t triangles[] = {0, 1, 77, (1u << 30) - 1};
  for (int i = 0; i < 4; i++)
    for (int body = 0; body < 2; body++)
      for (int leaving = 0; leaving < 2; leaving++) {
        uint32_t id = ts_ldi_crossing_id(triangles[i], body, leaving);
        cr_expect_eq(ts_ldi_triangle(id), triangles[i]);
        cr_expect_eq(ts_ldi_body(id), body);
        cr_expect_eq(ts_ldi_is_leaving(id), leaving);
      }
}

Test(ldi_sweep, nothing_and_one_body_have_no_interval) {
  ts_ldi_crossing crossings[EVENTS_MAX];
  ts_ldi_interval interval;
  ts_ldi_sweep empty = {0};
  cr_expect_not(ts_ldi_sweep_next(&interval, &empty));
  ts_ldi_sweep sweep = START(IN(A, 0), OUT(A, 1), IN(A, 2), OUT(A, 3));
  cr_expect_not(ts_ldi_sweep_next(&interval, &sweep));
  cr_expect_not(ts_ldi_sweep_next(&interval, &sweep));
  sweep = START(IN(A, 0), OUT(A, 1), IN(B, 2), OUT(B, 3));
  cr_expect_not(ts_ldi_sweep_next(&interval, &sweep));
}

Test(ldi_sweep, an_overlap_lies_between_the_later_entry_and_the_earlier_exit) {
  ts_ldi_crossing crossings[EVENTS_MAX];
  ts_ldi_interval interval;
  ts_ldi_sweep sweep = START(IN(A, 0), IN(B, 1), OUT(A, 3), OUT(B, 4));
  cr_assert(ts_ldi_sweep_next(&interval, &sweep));
  expect_bound(&interval.low, 1, 1, 1, 1);
  expect_bound(&interval.high, 3, 1, 2, 2);
  cr_expect_not(ts_ldi_sweep_next(&interval, &sweep));
  // One in the other.
  sweep = START(IN(A, 0), IN(B, 1), OUT(B, 3), OUT(A, 4));
  cr_assert(ts_ldi_sweep_next(&interval, &sweep));
  expect_bound(&interval.low, 1, 1, 1, 1);
  expect_bound(&interval.high, 3, 1, 2, 2);
}

Test(ldi_sweep, each_part_of_a_body_has_its_interval) {
  ts_ldi_crossing crossings[EVENTS_MAX];
  ts_ldi_interval interval;
  ts_ldi_sweep sweep =
      START(IN(A, 0), IN(B, 1), OUT(B, 2), IN(B, 3), OUT(A, 4), IN(A, 5), OUT(A, 6), OUT(B, 7));
  const double bounds[3][2] = {{1, 2}, {3, 4}, {5, 6}};
  const uint32_t triangles[3][2] = {{1, 2}, {3, 4}, {5, 6}};
  for (int i = 0; i < 3; i++) {
    cr_assert(ts_ldi_sweep_next(&interval, &sweep));
    expect_bound(&interval.low, bounds[i][0], 1, triangles[i][0], triangles[i][0]);
    expect_bound(&interval.high, bounds[i][1], 1, triangles[i][1], triangles[i][1]);
  }
  cr_expect_not(ts_ldi_sweep_next(&interval, &sweep));
}

Test(ldi_sweep, surfaces_in_the_same_depth_bound_it_together) {
  ts_ldi_crossing crossings[EVENTS_MAX];
  ts_ldi_interval interval;
  const double near = 0.5 * TS_LDI_SAME_DEPTH_PX, far = 2 * TS_LDI_SAME_DEPTH_PX;
  ts_ldi_sweep sweep = START(IN(A, 1), IN(B, 1 + near), OUT(B, 3), OUT(A, 3 + near));
  cr_assert(ts_ldi_sweep_next(&interval, &sweep));
  expect_bound(&interval.low, 1 + near, 2, 0, 1);
  expect_bound(&interval.high, 3, 2, 2, 3);
  sweep = START(IN(A, 1), IN(B, 1 + far), OUT(B, 3), OUT(A, 3 + far));
  cr_assert(ts_ldi_sweep_next(&interval, &sweep));
  expect_bound(&interval.low, 1 + far, 1, 1, 1);
  expect_bound(&interval.high, 3, 1, 2, 2);
}

Test(ldi_sweep, another_sheet_of_the_same_body_is_not_a_second_bound) {
  ts_ldi_crossing crossings[EVENTS_MAX];
  ts_ldi_interval interval;
  ts_ldi_sweep sweep =
      START(IN(A, 0), IN(B, 1), OUT(A, 3), IN(A, 3), OUT(A, 3), IN(A, 4), OUT(B, 5), OUT(A, 6));
  cr_assert(ts_ldi_sweep_next(&interval, &sweep));
  expect_bound(&interval.low, 1, 1, 1, 1);
  expect_bound(&interval.high, 3, 1, 2, 2);
  cr_assert(ts_ldi_sweep_next(&interval, &sweep));
  expect_bound(&interval.low, 4, 1, 5, 5);
  expect_bound(&interval.high, 5, 1, 6, 6);
}

Test(ldi_sweep, surfaces_that_touch_bound_nothing) {
  ts_ldi_crossing crossings[EVENTS_MAX];
  ts_ldi_interval interval;
  const double near = 0.5 * TS_LDI_SAME_DEPTH_PX;
  // In either order in which sorting may bring the touch, apart and overlapping by rounding.
  ts_ldi_sweep sweep = START(IN(A, 0), OUT(A, 2), IN(B, 2), OUT(B, 3));
  cr_expect_not(ts_ldi_sweep_next(&interval, &sweep));
  sweep = START(IN(A, 0), IN(B, 2), OUT(A, 2), OUT(B, 3));
  cr_expect_not(ts_ldi_sweep_next(&interval, &sweep));
  sweep = START(IN(A, 0), IN(B, 2 - near), OUT(A, 2), OUT(B, 3));
  cr_expect_not(ts_ldi_sweep_next(&interval, &sweep));
  // The touch does not hide the overlap behind it, nor the one before it.
  sweep = START(IN(A, 0), IN(B, 2), OUT(A, 2), IN(A, 2.5), OUT(B, 3), OUT(A, 4));
  cr_assert(ts_ldi_sweep_next(&interval, &sweep));
  expect_bound(&interval.low, 2.5, 1, 3, 3);
  expect_bound(&interval.high, 3, 1, 4, 4);
  cr_expect_not(ts_ldi_sweep_next(&interval, &sweep));
  sweep = START(IN(A, 0), IN(B, 1), OUT(B, 2), IN(B, 3), OUT(A, 3), OUT(B, 4));
  cr_assert(ts_ldi_sweep_next(&interval, &sweep));
  expect_bound(&interval.high, 2, 1, 2, 2);
  cr_expect_not(ts_ldi_sweep_next(&interval, &sweep));
}

Test(ldi_sweep, the_inside_of_a_body_that_crosses_itself_has_no_bounds) {
  ts_ldi_crossing crossings[EVENTS_MAX];
  ts_ldi_interval interval;
  ts_ldi_sweep sweep = START(IN(A, 0), IN(B, 1), IN(A, 2), OUT(A, 3), OUT(A, 4), OUT(B, 5));
  cr_assert(ts_ldi_sweep_next(&interval, &sweep));
  expect_bound(&interval.low, 1, 1, 1, 1);
  expect_bound(&interval.high, 4, 1, 4, 4);
  cr_expect_not(ts_ldi_sweep_next(&interval, &sweep));
}

/// The crossings of random intervals at whole depths, sorted; is_inside[body][i] for the unit of
/// depth that starts at i.
static uint32_t random_line(event events[EVENTS_MAX], bool is_inside[2][16], ts_random *random) {
  uint32_t count = 0;
  for (int body = 0; body < 2; body++)
    for (int i = 0; i < 16; i++)
      is_inside[body][i] = i > 0 && i < 15 && ts_random_unit(random) < 0.6;
  for (int i = 1; i < 16; i++) {
    int first = ts_random_unit(random) < 0.5;
    for (int k = 0; k < 2; k++) {
      int body = first ^ k;
      if (is_inside[body][i] != is_inside[body][i - 1] && count < EVENTS_MAX)
        events[count++] = (event){body, is_inside[body][i - 1], i};
    }
  }
  return count;
}

Test(ldi_sweep, random_lines_are_cut_as_counting_units_says) {
  ts_random random = ts_random_seed(1, 1);
  size_t intervals = 0;
  for (int n = 0; n < 10000; n++) {
    event events[EVENTS_MAX];
    ts_ldi_crossing crossings[EVENTS_MAX];
    bool is_inside[2][16];
    uint32_t count = random_line(events, is_inside, &random);
    ts_ldi_sweep sweep = start(crossings, events, count);
    ts_ldi_interval interval;
    for (int i = 1; i < 16; i++) {
      bool both = is_inside[0][i] && is_inside[1][i];
      if (!both || (is_inside[0][i - 1] && is_inside[1][i - 1]))
        continue;
      int end = i;
      while (is_inside[0][end] && is_inside[1][end])
        end++;
      cr_assert(ts_ldi_sweep_next(&interval, &sweep), "line %d", n);
      cr_assert_eq(interval.low.depth_px, i, "line %d", n);
      cr_assert_eq(interval.high.depth_px, end, "line %d", n);
      int entries = !is_inside[0][i - 1] + !is_inside[1][i - 1];
      int exits = !is_inside[0][end] + !is_inside[1][end];
      cr_assert_eq(interval.low.count, entries, "line %d", n);
      cr_assert_eq(interval.high.count, exits, "line %d", n);
      intervals++;
    }
    cr_assert_not(ts_ldi_sweep_next(&interval, &sweep), "line %d", n);
    cr_assert(sweep.winding[0] == 0 && sweep.winding[1] == 0);
  }
  cr_expect_gt(intervals, 10000);
}

static void expect_same(const ts_ldi_bound *a, const ts_ldi_bound *b) {
  cr_assert_eq(a->depth_px, b->depth_px);
  cr_assert_eq(a->count, b->count);
  for (int i = 0; i < a->count; i++)
    cr_assert_eq(a->id[i], b->id[i]);
}

/// Some of the crossings that view.h says may be left out of a line: those of the lower body below
/// all of the other, and those of the upper one above all of the lower.
static uint32_t leave_out(ts_ldi_crossing *out, const ts_ldi_crossing *line, uint32_t count,
                          int lower, ts_random *random) {
  double upper_low = 100, lower_high = -100;
  for (uint32_t i = 0; i < count; i++)
    if (ts_ldi_body(line[i].id) == lower)
      lower_high = line[i].depth_px;
    else if (line[i].depth_px < upper_low)
      upper_low = line[i].depth_px;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; i++) {
    bool may_go = ts_ldi_body(line[i].id) == lower ? line[i].depth_px < upper_low
                                                   : line[i].depth_px > lower_high;
    if (!may_go || ts_random_unit(random) < 0.3)
      out[kept++] = line[i];
  }
  return kept;
}

Test(ldi_sweep, what_bounds_no_overlap_may_be_left_out) {
  ts_random random = ts_random_seed(2, 1);
  size_t left_out = 0, intervals = 0, of_two = 0;
  for (int n = 0; n < 20000; n++) {
    event events[EVENTS_MAX];
    ts_ldi_crossing whole[EVENTS_MAX], part[EVENTS_MAX];
    bool is_inside[2][16];
    int lower = n % 2;
    uint32_t count = random_line(events, is_inside, &random);
    // Every other line has the bodies next to each other, so that much may go.
    for (uint32_t i = 0; i < count && n % 4 < 2; i++)
      events[i].depth_px += events[i].body == lower ? 0 : 10;
    ts_ldi_sweep all = start(whole, events, count);
    for (uint32_t i = 1; i < count; i++)
      for (uint32_t k = i; k > 0 && whole[k].depth_px < whole[k - 1].depth_px; k--) {
        ts_ldi_crossing c = whole[k];
        whole[k] = whole[k - 1];
        whole[k - 1] = c;
      }
    uint32_t kept = leave_out(part, whole, count, lower, &random);
    left_out += count - kept;
    ts_ldi_sweep rest = ts_ldi_sweep_start(part, kept, lower);
    ts_ldi_interval a, b;
    bool has_any = false;
    while (ts_ldi_sweep_next(&a, &all)) {
      cr_assert(ts_ldi_sweep_next(&b, &rest), "line %d", n);
      expect_same(&a.low, &b.low);
      expect_same(&a.high, &b.high);
      has_any = true;
      intervals++;
    }
    cr_assert_not(ts_ldi_sweep_next(&b, &rest), "line %d", n);
    cr_assert(!has_any || ts_ldi_may_overlap(part, kept, lower), "line %d", n);
    if (kept == 2 && ts_ldi_may_overlap(part, kept, lower)) {
      cr_assert_eq(ts_ldi_interval_of_two(&b, part), has_any, "line %d", n);
      of_two++;
    }
  }
  cr_expect(left_out > 50000 && intervals > 10000 && of_two > 20, "%zu, %zu, %zu", left_out,
            intervals, of_two);
}

Test(ldi_sweep, two_crossings_bound_what_a_walk_says) {
  ts_ldi_crossing crossings[EVENTS_MAX];
  const double gaps[] = {-1, -0.5 * TS_LDI_SAME_DEPTH_PX, 0, 0.5 * TS_LDI_SAME_DEPTH_PX, 1};
  for (int lower = 0; lower < 2; lower++)
    for (int i = 0; i < 5; i++)
      for (int turned = 0; turned < 2; turned++) {
        event entry = {1 - lower, false, 3}, leave = {lower, true, 3 + gaps[i]};
        start(crossings, turned ? (event[]){leave, entry} : (event[]){entry, leave}, 2);
        cr_assert(ts_ldi_may_overlap(crossings, 2, lower));
        cr_expect_not(ts_ldi_may_overlap(crossings, 1, lower));
        cr_expect_not(ts_ldi_may_overlap(crossings, 2, 1 - lower));
        ts_ldi_interval found, walked;
        bool is_found = ts_ldi_interval_of_two(&found, crossings);
        cr_expect_eq(is_found, i == 4);
        start(crossings, gaps[i] < 0 ? (event[]){leave, entry} : (event[]){entry, leave}, 2);
        ts_ldi_sweep sweep = ts_ldi_sweep_start(crossings, 2, lower);
        cr_assert_eq(ts_ldi_sweep_next(&walked, &sweep), is_found);
        if (!is_found)
          continue;
        cr_expect_eq(found.low.depth_px, walked.low.depth_px);
        cr_expect_eq(found.high.depth_px, walked.high.depth_px);
        cr_expect(found.low.count == 1 && found.high.count == 1);
        cr_expect_eq(ts_ldi_body(found.low.id[0]), 1 - lower);
        cr_expect_eq(ts_ldi_body(found.high.id[0]), lower);
      }
}
