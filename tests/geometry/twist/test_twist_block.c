// SPDX-License-Identifier: MIT
// covers: geometry/twist/twist_block.c
#include "geometry/twist/twist_block.h"
#include "geometry/twist/twist_samples.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

enum { ROWS = 48 };

/// Rows with terms of one, of several and of none, and edges among them.
static ts_twist_cone make_cone(ts_twist_row rows[ROWS], size_t ends[ROWS], bool is_edge[ROWS],
                               ts_twist_samples *samples, size_t sort) {
  size_t row = 0, term = 0;
  for (; row < ROWS / (1 + sort % 4); term++) {
    size_t count = sort < 4 ? 1 : (term + sort) % 4;
    is_edge[term] = count > 0 && sort % 3 == 2 && term % 2;
    for (size_t i = 0; i < (is_edge[term] ? 2 * count : count); i++, row++) {
      ts_twist_samples_next(rows[row].of, samples);
      rows[row].of[1] = sort % 2 ? rows[row].of[1] : 2; // else hardly any twist is free
    }
    ends[term] = row;
    if (term == 10)
      break;
  }
  return (ts_twist_cone){term, ends, rows, is_edge};
}

static void check_cone(const ts_twist_cone *cone, const ts_twist_block *block, double speed) {
  ts_twist_mask above = ts_twist_block_above(cone, block, speed);
  ts_twist_mask below = ts_twist_block_below(cone, block, -speed);
  for (size_t t = 0; t < TS_TWIST_BLOCK; t++) {
    double twist[6];
    ts_twist_block_get(twist, block, t);
    double margin = ts_twist_cone_margin(cone, twist);
    cr_assert_eq(above >> t & 1, margin > speed, "%g at %g", margin, speed);
    cr_assert_eq(below >> t & 1, margin < -speed, "%g at %g", margin, speed);
  }
}

static void check_rows(const ts_twist_row *rows, size_t count, const ts_twist_block *block,
                       double tolerance) {
  ts_twist_mask any = ts_twist_block_any_blocks(rows, count, block, tolerance);
  ts_twist_mask all = ts_twist_block_all_block(rows, count, block, tolerance);
  for (size_t t = 0; t < TS_TWIST_BLOCK; t++) {
    double twist[6];
    bool do_all = true;
    ts_twist_block_get(twist, block, t);
    for (size_t i = 0; i < count; i++)
      do_all &= ts_twist_rows_block(&rows[i], 1, twist, tolerance);
    cr_assert_eq(any >> t & 1, ts_twist_rows_block(rows, count, twist, tolerance));
    cr_assert_eq(all >> t & 1, do_all);
  }
}

Test(geometry_twist_block, a_block_answers_as_each_of_its_twists_does) {
  ts_twist_samples samples = ts_twist_samples_start(77);
  for (size_t sort = 0; sort < 24; sort++) {
    ts_twist_row rows[ROWS];
    size_t ends[ROWS];
    bool is_edge[ROWS];
    ts_twist_cone cone = make_cone(rows, ends, is_edge, &samples, sort);
    for (int i = 0; i < 4; i++) {
      ts_twist_block block;
      ts_twist_samples_block(&block, &samples);
      double twist[6];
      ts_twist_block_get(twist, &block, 5);
      check_cone(&cone, &block, 1e-3);
      check_cone(&cone, &block, ts_twist_cone_margin(&cone, twist)); // one is exactly at it
      check_cone(&cone, &block, -ts_twist_cone_margin(&cone, twist));
      for (size_t count = 0; count <= 20; count++)
        check_rows(rows, count, &block, i * 0.1);
    }
  }
}

Test(geometry_twist_block, numbers_that_are_not_finite_count_as_they_do_alone) {
  ts_twist_samples samples = ts_twist_samples_start(0);
  ts_twist_block block;
  ts_twist_samples_block(&block, &samples);
  const ts_twist_row rows[4] = {
      {{NAN}}, {{0, INFINITY, 0, 0, 0, 0}}, {{0, 0, 1, 0, 0, 0}}, {{0, NAN, 1, 0, 0, 0}}};
  const size_t alone[4] = {1, 2, 3, 4}, in_pairs[2] = {2, 4};
  check_cone(&(ts_twist_cone){4, alone, rows, NULL}, &block, 0.1);
  check_cone(&(ts_twist_cone){3, alone, rows + 1, NULL}, &block, 0.1);
  check_cone(&(ts_twist_cone){2, in_pairs, rows, NULL}, &block, 0.1);
  check_cone(&(ts_twist_cone){2, in_pairs, rows, (const bool[2]){true, true}}, &block, 0.1);
  check_rows(rows, 4, &block, 0.1);
}

Test(geometry_twist_block, twists_about_one_are_unit_and_as_near_as_the_spread) {
  ts_twist_samples samples = ts_twist_samples_start(9);
  ts_twist_block block, near;
  ts_twist_samples_block(&block, &samples);
  const double about[6] = {0.6, 0, 0, 0, -0.8, 0};
  ts_twist_block_spread(&near, &block, about, 0.3);
  for (size_t t = 0; t < TS_TWIST_BLOCK; t++) {
    ts_twist_row alone, got;
    ts_twist_block_get(alone.of, &block, t);
    ts_twist_block_get(got.of, &near, t);
    for (int i = 0; i < 6; i++)
      alone.of[i] = about[i] + 0.3 * alone.of[i];
    cr_assert(ts_twist_row_unit(&alone));
    cr_expect_eq(memcmp(&alone, &got, sizeof got), 0);
    cr_expect_geq(ts_twist_row_speed(&got, about), cos(asin(0.3)) - 1e-12);
  }
}

static void check_slides(const ts_twist_row *rows, size_t count) {
  static const size_t ends[] = {1, 2, 3, 4};
  const ts_twist_cone cone = {count, ends, rows, NULL};
  ts_twist_slide slide = ts_twist_slide_on(&cone);
  ts_twist_samples samples = ts_twist_samples_start(3);
  ts_twist_block block, slid;
  ts_twist_samples_block(&block, &samples);
  const double blocked[6] = {0, 1, 0, 0, 0, 0}, held[6] = {0, 0, 0, 1, 0, 0};
  ts_twist_block_set(&block, 7, blocked);
  ts_twist_block_set(&block, 63, held);
  ts_twist_mask slides = ts_twist_block_slide(&slid, &block, &slide);
  for (size_t t = 0; t < TS_TWIST_BLOCK; t++) {
    double alone[6], got[6];
    ts_twist_block_get(alone, &block, t);
    ts_twist_block_get(got, &slid, t);
    cr_assert_eq(slides >> t & 1, ts_twist_make_slide(alone, &slide), "%zu rows", count);
    if (slides >> t & 1)
      cr_expect_eq(memcmp(alone, got, sizeof got), 0, "%zu rows", count);
  }
}

Test(geometry_twist_block, a_block_slides_as_each_of_its_twists_does) {
  const ts_twist_row face[4] = {
      {{0, 1, 0, -1, 0, 1}}, {{0, 1, 0, 1, 0, 1}}, {{0, 1, 0, 1, 0, -1}}, {{0, 1, 0, -1, 0, -1}}};
  const ts_twist_row ridge[4] = {{{0.6, 0.8, 0, -0.8, 0.6, 0}},
                                 {{-0.6, 0.8, 0, -0.8, -0.6, 0}},
                                 {{0.6, 0.8, 0, 0.8, -0.6, 0}},
                                 {{-0.6, 0.8, 0, 0.8, 0.6, 0}}};
  const ts_twist_row slot[4] = {
      {{1, 0, 0, 0, 1, 0}}, {{1, 0, 0, 0, -1, 0}}, {{-1, 0, 0, 0, 1, 0}}, {{-1, 0, 0, 0, -1, 0}}};
  check_slides(face, 4);
  check_slides(ridge, 4);
  check_slides(slot, 4);
  check_slides(face, 0);
}

Test(geometry_twist_block, a_cone_without_terms_leaves_every_twist_free) {
  ts_twist_block block;
  memset(&block, 0, sizeof block);
  ts_twist_cone none = {.term_count = 0};
  cr_expect_eq(ts_twist_block_above(&none, &block, 1), ~(ts_twist_mask)0);
  cr_expect_eq(ts_twist_block_below(&none, &block, -1), 0);
}
