// SPDX-License-Identifier: MIT
// Simulated studies: how often intervals cover the true mean, and how often methods that are alike
// are told apart. Figures for docs/studies.md.
// covers: reports/study/bootstrap.c reports/study/sign_test.c
#include "base/random.h"
#include "base/sanitizer.h"
#include "reports/compare/rank_test.h"
#include "reports/study/bootstrap.h"
#include "reports/study/sign_test.h"

#include <criterion/criterion.h>
#include <math.h>

#define STUDIES   1000
#define CASES     13
#define CELLS_MAX (CASES * 100)

static ts_arena *arena;
static ts_random randomness;

static void open_calibration(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
  randomness = ts_random_seed(2026, 0);
}

static void close_calibration(void) {
  ts_arena_destroy(arena);
}

// Statistics of thousands of studies show a sanitizer nothing that test_bootstrap.c and
// test_sign_test.c do not.
TestSuite(reports_calibration, .init = open_calibration, .fini = close_calibration, .timeout = 600,
          .disabled = TS_HAS_ADDRESS_SANITIZER);

static double unit(void) {
  return ts_random_unit(&randomness);
}

static double gauss(void) {
  return sqrt(-2 * log(1 - unit())) * cos(6.283185307179586 * unit());
}

/// A value of a cell of a case, and the true mean of that case.
typedef struct sample {
  double value, mean;
} sample;

static sample draw_gauss(int c) {
  (void)c;
  return (sample){50 + 10 * gauss(), 50};
}

/// Cases with means from 10 to 90.
static sample draw_strata(int c) {
  double mean = 10 + 80.0 * c / (CASES - 1);
  return (sample){mean + 5 * gauss(), mean};
}

/// 100 with this probability, and otherwise anything from 0 to 100.
static sample draw_bounded(double whole) {
  return (sample){unit() < whole ? 100 : 100 * unit(), 100 * whole + 50 * (1 - whole)};
}

static sample draw_many_whole(int c) {
  (void)c;
  return draw_bounded(0.8);
}

static sample draw_rarely_less(int c) {
  (void)c;
  return draw_bounded(0.95);
}

/// All cells of most cases are 100.
static sample draw_few_vary(int c) {
  return draw_bounded(c < CASES / 3 ? 0.6 : 1);
}

static sample draw_bimodal(int c) {
  (void)c;
  return (sample){unit() < 0.5 ? 100 : 0, 50};
}

/// As of times, before their logarithm is taken.
static sample draw_skewed(int c) {
  (void)c;
  return (sample){exp(gauss() / 2), exp(0.125)};
}

/// Each kind of case in one study.
static sample draw_suite(int c) {
  sample (*const kinds[])(int) = {draw_gauss, draw_strata, draw_many_whole, draw_few_vary,
                                  draw_bimodal};
  return kinds[c % 5](c);
}

/// Draws a study; returns the true mean.
static double draw_study(double *values, size_t *strata, int cases, int seeds,
                         sample (*draw)(int)) {
  double mean = 0;
  for (int c = 0; c < cases; c++)
    for (int s = 0; s < seeds; s++) {
      sample cell = draw(c);
      values[c * seeds + s] = cell.value;
      strata[c * seeds + s] = (size_t)c;
      mean += cell.mean / (cases * seeds);
    }
  return mean;
}

typedef struct coverage {
  double percent; ///< of the studies whose interval has the true mean
  double starred; ///< percent with less than TS_EXCEPTIONS_MIN exceptions
} coverage;

static coverage find_coverage(int cases, int seeds, sample (*draw)(int)) {
  static double values[CELLS_MAX];
  static size_t strata[CELLS_MAX];
  int covered = 0, starred = 0;
  for (int i = 0; i < STUDIES; i++) {
    double mean = draw_study(values, strata, cases, seeds, draw);
    ts_interval interval;
    cr_assert_eq(ts_bootstrap_mean(&interval, arena, values, strata, (size_t)(cases * seeds)),
                 TS_OK);
    covered += interval.low <= mean && mean <= interval.high;
    starred += interval.exceptions < TS_EXCEPTIONS_MIN;
  }
  return (coverage){100.0 * covered / STUDIES, 100.0 * starred / STUDIES};
}

static void expect_covered(const char *name, int seeds, sample (*draw)(int)) {
  double percent = find_coverage(CASES, seeds, draw).percent;
  cr_expect(percent >= 93 && percent <= 97, "%s, %d seeds: %.1f percent", name, seeds, percent);
}

Test(reports_calibration, intervals_of_ten_seeds_cover_the_true_mean_in_93_to_97_percent) {
  expect_covered("gauss", 10, draw_gauss);
  expect_covered("strata", 10, draw_strata);
  expect_covered("many whole", 10, draw_many_whole);
  expect_covered("few vary", 10, draw_few_vary);
  expect_covered("bimodal", 10, draw_bimodal);
  expect_covered("skewed", 10, draw_skewed);
  expect_covered("suite", 10, draw_suite);
}

Test(reports_calibration, intervals_of_thirty_seeds_cover_it_too) {
  expect_covered("gauss", 30, draw_gauss);
  expect_covered("strata", 30, draw_strata);
  expect_covered("many whole", 30, draw_many_whole);
  expect_covered("few vary", 30, draw_few_vary);
  expect_covered("bimodal", 30, draw_bimodal);
  expect_covered("skewed", 30, draw_skewed);
  expect_covered("suite", 30, draw_suite);
}

Test(reports_calibration, intervals_of_a_hundred_seeds_cover_it_too) {
  expect_covered("suite", 100, draw_suite);
}

Test(reports_calibration, three_seeds_are_enough_where_values_are_not_rare) {
  expect_covered("gauss", 3, draw_gauss);
  expect_covered("strata", 3, draw_strata);
  expect_covered("bimodal", 3, draw_bimodal);
}

Test(reports_calibration, what_is_rare_makes_intervals_too_narrow_and_the_star_says_so) {
  coverage rare = find_coverage(CASES, 3, draw_rarely_less);
  cr_expect_lt(rare.percent, 90);
  cr_expect_gt(rare.starred, 99);
  coverage seen = find_coverage(CASES, 30, draw_rarely_less);
  cr_expect_geq(seen.percent, 92);
  cr_expect_lt(seen.starred, 2);
}

/// Expects how often the interval has the true mean, within 2.5 percent.
static void expect_about(double expected, const char *name, int cases, int seeds,
                         sample (*draw)(int)) {
  double percent = find_coverage(cases, seeds, draw).percent;
  cr_expect(fabs(percent - expected) <= 2.5, "%s, %d cases, %d seeds: %.1f percent", name, cases,
            seeds, percent);
}

Test(reports_calibration, where_intervals_are_too_narrow_is_as_the_page_says) {
  expect_about(87, "rarely less", CASES, 5, draw_rarely_less);
  expect_about(92, "rarely less", CASES, 10, draw_rarely_less);
  expect_about(82, "many whole", 1, 10, draw_many_whole);
  expect_about(92, "many whole", 1, 30, draw_many_whole);
  expect_about(95, "gauss", 1, 13, draw_gauss);
  expect_about(85, "many whole", 1, 13, draw_many_whole);
}

/// Percent of `studies` in which p of two methods whose mean difference is 0 is at most `limit`.
static double find_false_alarms(int studies, double limit, int seeds, sample (*draw)(int)) {
  static double values[CELLS_MAX];
  static size_t strata[CELLS_MAX];
  int alarms = 0;
  for (int i = 0; i < studies; i++) {
    ts_arena_mark start = ts_arena_get_mark(arena);
    double mean = draw_study(values, strata, CASES, seeds, draw), p;
    for (int k = 0; k < CASES * seeds; k++)
      values[k] -= mean;
    ts_strata differences;
    cr_assert_eq(ts_strata_make(&differences, arena, values, strata, (size_t)(CASES * seeds)),
                 TS_OK);
    cr_assert_eq(ts_sign_test(&p, arena, &differences), TS_OK);
    alarms += p <= limit;
    ts_arena_rewind(arena, start);
  }
  return 100.0 * alarms / studies;
}

static void expect_few_alarms(const char *name, int seeds, sample (*draw)(int)) {
  double percent = find_false_alarms(STUDIES, 0.05, seeds, draw);
  cr_expect(percent >= 3 && percent <= 7, "%s, %d seeds: %.1f percent", name, seeds, percent);
}

Test(reports_calibration, methods_that_are_alike_are_told_apart_in_3_to_7_percent) {
  expect_few_alarms("gauss", 10, draw_gauss);
  expect_few_alarms("strata", 10, draw_strata);
  expect_few_alarms("many whole", 10, draw_many_whole);
  expect_few_alarms("bimodal", 10, draw_bimodal);
  expect_few_alarms("suite", 10, draw_suite);
  expect_few_alarms("few vary", 30, draw_few_vary);
  expect_few_alarms("suite", 30, draw_suite);
}

/// What many comparisons need: where p is small, it is not far too small.
Test(reports_calibration, small_p_are_about_as_rare_as_they_say) {
  const struct {
    const char *name;
    int seeds;
    sample (*draw)(int);
  } kinds[] = {{"gauss", 3, draw_gauss}, {"bimodal", 3, draw_bimodal}, {"suite", 10, draw_suite}};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    double percent = find_false_alarms(10000, 0.001, kinds[i].seeds, kinds[i].draw);
    cr_expect(percent > 0.03 && percent < 0.4, "%s, %d seeds: %.3f percent", kinds[i].name,
              kinds[i].seeds, percent);
  }
}

Test(reports_calibration, five_methods_that_are_alike_are_rarely_told_apart_after_holm) {
  enum { METHODS = 5, SEEDS = 10, CELLS = CASES * SEEDS, PAIRS = METHODS * (METHODS - 1) / 2 };
  static double values[METHODS][CELLS], difference[CELLS];
  static size_t strata[CELLS];
  int alarms = 0;
  for (int i = 0; i < STUDIES; i++) {
    ts_arena_mark start = ts_arena_get_mark(arena);
    double p[PAIRS], least = 1;
    for (int m = 0; m < METHODS; m++)
      draw_study(values[m], strata, CASES, SEEDS, draw_suite);
    for (int a = 0, n = 0; a < METHODS; a++)
      for (int b = a + 1; b < METHODS; b++, n++) {
        ts_strata differences;
        for (int k = 0; k < CELLS; k++)
          difference[k] = values[a][k] - values[b][k];
        cr_assert_eq(ts_strata_make(&differences, arena, difference, strata, CELLS), TS_OK);
        cr_assert_eq(ts_sign_test(&p[n], arena, &differences), TS_OK);
      }
    cr_assert_eq(ts_rank_adjust(p, arena, PAIRS), TS_OK);
    for (int n = 0; n < PAIRS; n++)
      least = fmin(least, p[n]);
    alarms += least <= 0.05;
    ts_arena_rewind(arena, start);
  }
  double percent = 100.0 * alarms / STUDIES;
  cr_expect(percent > 0.5 && percent <= 6.5, "%.1f percent", percent);
}
