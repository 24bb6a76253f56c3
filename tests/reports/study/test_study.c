// SPDX-License-Identifier: MIT
// covers: reports/study/study.c reports/study/study_material.c reports/study/study_pairs.c
#include "reports/study/study.h"

#include "base/random.h"
#include "tests/reports/rows/results_fixture.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#define MOST 4000

static ts_record *records;
static size_t record_count;

static void open_study(void) {
  results_open();
  records = ts_arena_array(fixture_arena, MOST, sizeof *records);
  record_count = 0;
}

TestSuite(reports_study, .init = open_study, .fini = results_close, .timeout = 60);

/// A row of a case in one draw.
static ts_record *add_draw(const char *case_name, int seed, const char *method, double quality) {
  cr_assert_lt(record_count, MOST);
  ts_record *record = &records[record_count++];
  ts_row_init(&ts_summary_rows, record);
  record->case_name = case_name;
  record->case_parameters = ts_arena_format(fixture_arena, "motion_seed=%d", seed);
  record->method = method;
  record->step = 0;
  record->outcome = "ok";
  record->contacts = 4;
  record->quality_percent = quality;
  record->coverage_percent = 100;
  record->excess_factor = 1;
  record->generate_ns_median = 2000;
  return record;
}

static ts_study make_study(void) {
  ts_study study;
  cr_assert_eq(ts_study_make(&study, fixture_arena, records, record_count), TS_OK);
  return study;
}

Test(reports_study, no_rows_make_an_empty_study) {
  ts_study study = make_study();
  cr_expect_eq(study.method_count, 0);
  cr_expect_eq(study.pair_count, 0);
}

Test(reports_study, means_are_taken_over_cases_and_seeds) {
  for (int seed = 0; seed < 3; seed++) {
    add_draw("wall", seed, "good", 100);
    add_draw("arch", seed, "good", 70 + 10 * seed);
  }
  ts_study study = make_study();
  cr_assert_eq(study.method_count, 1);
  cr_expect_eq(study.case_count, 2);
  cr_expect_eq(study.scene_count, 6);
  cr_expect(study.has_draws);
  const ts_study_value *quality = &study.methods[0].values[TS_STUDY_QUALITY];
  cr_expect_float_eq(quality->mean.mean, 90, 1e-12);
  cr_expect(quality->mean.low < 90 && quality->mean.high > 90);
  cr_expect_eq(quality->mean.count, 6);
  cr_expect_eq(quality->worst, 70);
  cr_expect_str_eq(quality->worst_cell->case_parameters, "motion_seed=0");
  cr_expect_eq(quality->mean.exceptions, 2, "of the arch, two of three differ from the other");
}

Test(reports_study, the_mean_of_times_is_the_geometric_one) {
  add_draw("wall", 1, "method", 100)->generate_ns_median = 100;
  add_draw("wall", 2, "method", 100)->generate_ns_median = 10000;
  ts_study study = make_study();
  const ts_study_value *time = &study.methods[0].values[TS_STUDY_TIME];
  cr_expect_float_eq(time->mean.mean, 1000, 1e-9);
  cr_expect_eq(time->worst, 10000);
}

Test(reports_study, failures_and_finding_nothing_count_as_zero_and_are_counted) {
  add_draw("wall", 1, "method", 100);
  ts_record *failed = add_draw("wall", 2, "method", NAN);
  failed->outcome = "crashed";
  failed->coverage_percent = failed->generate_ns_median = failed->excess_factor = NAN;
  ts_record *nothing = add_draw("wall", 3, "method", 0);
  nothing->coverage_percent = nothing->contacts = nothing->excess_factor = 0;
  ts_record *published = add_draw("wall", 6, "method", NAN);
  published->coverage_percent = published->contacts = published->excess_factor = 0;
  ts_record *apart = add_draw("wall", 7, "method", NAN);
  apart->coverage_percent = NAN;
  apart->contacts = 0;
  add_draw("wall", 4, "method", NAN)->outcome = "skipped";
  ts_record *unknown = add_draw("wall", 5, "method", NAN);
  unknown->coverage_percent = NAN;
  ts_study study = make_study();
  const ts_study_method *m = &study.methods[0];
  cr_expect_eq(m->cells, 6);
  cr_expect_eq(m->failed, 1);
  cr_expect_eq(m->found_nothing, 2, "not where nothing touches");
  cr_expect_eq(m->skipped, 1);
  cr_expect_eq(m->judged, 4, "without those that have no truth, or whose truth is not known");
  cr_expect_eq(m->perfect, 1);
  cr_expect_float_eq(m->values[TS_STUDY_QUALITY].mean.mean, 25, 1e-12);
  cr_expect_eq(m->values[TS_STUDY_TIME].mean.count, 5);
  cr_expect_str_eq(m->values[TS_STUDY_QUALITY].worst_cell->outcome, "crashed");
}

Test(reports_study, a_flag_spoils_a_perfect_row) {
  add_draw("wall", 1, "method", 100);
  add_draw("wall", 2, "method", 100)->phantom = 1;
  add_draw("wall", 3, "method", 100)->excess_factor = 1.5;
  ts_study study = make_study();
  cr_expect_eq(study.methods[0].perfect, 1);
  cr_expect_float_eq(ts_study_perfect_percent(&study.methods[0]), 100.0 / 3, 1e-12);
}

Test(reports_study, rows_in_motion_count_by_their_failures_only) {
  add_draw("wall", 1, "method", 100);
  add_draw("wall", 1, "method", 10)->step = 3;
  ts_record *later = add_draw("wall", 2, "method", NAN);
  later->step = 4;
  later->outcome = "crashed";
  ts_study study = make_study();
  cr_expect_eq(study.methods[0].cells, 1);
  cr_expect_eq(study.methods[0].failed_later, 1);
  cr_expect_eq(study.methods[0].values[TS_STUDY_QUALITY].mean.mean, 100);
}

Test(reports_study, methods_that_differ_are_told_apart_and_those_that_do_not_share_places) {
  ts_random random = ts_random_seed(1, 0);
  for (int seed = 0; seed < 40; seed++) {
    double luck = ts_random_uniform(&random, 0, 20), noise = ts_random_uniform(&random, -1, 1);
    add_draw("wall", seed, "poor", 40 + luck);
    add_draw("wall", seed, "one", 70 + luck + noise);
    add_draw("wall", seed, "other", 70 + luck - noise);
  }
  ts_study study = make_study();
  cr_assert_eq(study.pair_count, 3);
  for (size_t i = 0; i < 2; i++) {
    cr_expect_eq(study.methods[i].rank_first, 1);
    cr_expect_eq(study.methods[i].rank_last, 2);
  }
  cr_expect_str_eq(study.methods[2].name, "poor");
  cr_expect_eq(study.methods[2].rank_first, 3);
  const ts_study_pair *same = ts_study_find_pair(&study, 1, 0);
  const ts_study_pair *differ = ts_study_find_pair(&study, 0, 2);
  cr_expect_eq(same->told_by, TS_STUDY_COMPARED_COUNT);
  cr_expect_eq(differ->told_by, TS_STUDY_QUALITY);
  const ts_study_comparison *quality = &differ->compared[TS_STUDY_QUALITY];
  cr_expect_float_eq(quality->difference.mean, 30, 0.5);
  cr_expect(quality->difference.low > 29 && quality->difference.high < 31,
            "the luck of a cell is the same for both");
  cr_expect_eq(quality->better, 40);
  cr_expect_leq(quality->p_adjusted, 1e-4);
}

Test(reports_study, equal_quality_is_told_apart_by_coverage) {
  for (int seed = 0; seed < 20; seed++) {
    add_draw("wall", seed, "half", 100)->coverage_percent = 50;
    add_draw("wall", seed, "whole", 100);
  }
  ts_study study = make_study();
  cr_expect_str_eq(study.methods[0].name, "whole");
  cr_expect_eq(study.methods[0].rank_last, 1);
  cr_expect_eq(study.pairs[0].told_by, TS_STUDY_COVERAGE);
  cr_expect_eq(study.pairs[0].compared[TS_STUDY_QUALITY].p, 1);
  cr_expect_eq(study.pairs[0].compared[TS_STUDY_QUALITY].equal, 20);
}

Test(reports_study, no_three_methods_are_ahead_of_each_other_in_a_circle) {
  // In the mean 60, 55 and 50 percent; the one in the middle is told apart from neither.
  for (int seed = 0; seed < 20; seed++) {
    add_draw("wall", seed, "best", 60 + (seed % 4 < 2 ? 1 : -1))->coverage_percent = 10;
    add_draw("wall", seed, "erratic", 55 + (seed % 2 ? 40 : -40))->coverage_percent = 50;
    add_draw("wall", seed, "worst", 50)->coverage_percent = 90;
  }
  ts_study study = make_study();
  static const struct {
    const char *name;
    size_t first, last;
  } ranks[] = {{"best", 1, 2}, {"erratic", 1, 3}, {"worst", 2, 3}};
  for (size_t i = 0; i < 3; i++) {
    cr_expect_str_eq(study.methods[i].name, ranks[i].name);
    cr_expect_eq(study.methods[i].rank_first, ranks[i].first);
    cr_expect_eq(study.methods[i].rank_last, ranks[i].last);
  }
}

Test(reports_study, a_few_cells_tell_nobody_apart) {
  for (int seed = 0; seed < 3; seed++) {
    add_draw("wall", seed, "good", 100);
    add_draw("wall", seed, "bad", 10);
  }
  ts_study study = make_study();
  cr_expect_str_eq(study.methods[0].name, "good", "the order follows the means");
  cr_expect_eq(study.methods[0].rank_last, 2);
  cr_expect_eq(study.pairs[0].compared[TS_STUDY_QUALITY].p, 0.25);
}

Test(reports_study, methods_are_compared_on_the_cells_that_both_ran) {
  for (int seed = 0; seed < 20; seed++) {
    add_draw("wall", seed, "all", seed < 10 ? 100 : 50);
    ts_record *record = add_draw("wall", seed, "easy", 100);
    if (seed >= 10)
      record->outcome = "skipped";
  }
  ts_study study = make_study();
  const ts_study_comparison *quality = &study.pairs[0].compared[TS_STUDY_QUALITY];
  cr_expect_eq(quality->difference.count, 10);
  cr_expect_eq(quality->p, 1);
  cr_expect_str_eq(study.methods[0].name, "easy");
  cr_expect_eq(study.methods[0].skipped, 10);
}

Test(reports_study, every_pair_is_found_by_its_methods) {
  static const char *const names[] = {"a", "b", "c", "d", "e"};
  for (int seed = 0; seed < 4; seed++)
    for (int m = 0; m < 5; m++)
      add_draw("wall", seed, names[m], 10 * m);
  ts_study study = make_study();
  for (size_t i = 0; i < 5; i++)
    for (size_t k = 0; k < 5; k++) {
      const ts_study_pair *pair = ts_study_find_pair(&study, i, k);
      cr_assert_eq(pair == NULL, i == k);
      if (pair) {
        cr_expect_eq(pair->first, i < k ? i : k);
        cr_expect_eq(pair->second, i < k ? k : i);
        cr_expect_gt(pair->compared[0].difference.mean, 0, "the first is the better one");
      }
    }
}

Test(reports_study, the_order_of_the_rows_changes_no_figure) {
  ts_random random = ts_random_seed(2, 0);
  static const char *const cases[] = {"wall", "arch", "pillar"};
  for (int seed = 0; seed < 5; seed++)
    for (int c = 0; c < 3; c++) {
      add_draw(cases[c], seed, "a", ts_random_uniform(&random, 0, 100));
      add_draw(cases[c], seed, "b", ts_random_uniform(&random, 20, 100));
      add_draw(cases[c], seed, "c", ts_random_uniform(&random, 20, 100));
    }
  add_draw("arch", 9, "a", 0);
  add_draw("pillar", 9, "a", 0);
  ts_study forth = make_study();
  for (size_t i = 0; i < record_count / 2; i++) {
    ts_record swapped = records[i];
    records[i] = records[record_count - 1 - i];
    records[record_count - 1 - i] = swapped;
  }
  ts_study back = make_study();
  for (size_t m = 0; m < 3; m++) {
    const ts_study_value *v = &forth.methods[m].values[0], *w = &back.methods[m].values[0];
    const ts_interval *x = &v->mean, *y = &w->mean;
    cr_expect_str_eq(forth.methods[m].name, back.methods[m].name);
    cr_expect(x->mean == y->mean && x->low == y->low && x->high == y->high);
    cr_expect_str_eq(v->worst_cell->case_name, w->worst_cell->case_name, "also among equal ones");
    cr_expect_str_eq(v->worst_cell->case_parameters, w->worst_cell->case_parameters);
    const ts_study_comparison *c = &forth.pairs[m].compared[0], *d = &back.pairs[m].compared[0];
    cr_expect(c->p == d->p && c->p_adjusted == d->p_adjusted, "%.17g and %.17g", c->p, d->p);
    cr_expect(c->difference.mean == d->difference.mean && c->difference.low == d->difference.low);
  }
}

Test(reports_study, values_that_were_chosen_are_no_draws) {
  add_draw("wall", 1, "method", 90)->case_parameters = "motion_seed=1;layers=3";
  add_draw("wall", 1, "method", 95)->case_parameters = "motion_seed=1;layers=4";
  cr_expect(!make_study().has_draws);
  add_draw("wall", 1, "method", 95)->case_parameters = "motion_seed=1;layers=4;then_motion_seed=2";
  cr_expect(make_study().has_draws, "also on top of a scene file");
}

/// Draws 1 to 3 of two values of a parameter, between which quality differs by 50.
static void add_sweep(const char *parameter, const char *value, const char *other) {
  for (int seed = 1; seed <= 3; seed++)
    for (int k = 0; k < 2; k++) {
      const char *swept = k == 0 ? value : other;
      bool is_still = strcmp(parameter, "perturb_m") == 0 && strcmp(swept, "0") == 0;
      add_draw("pillar", seed, "method", 40 + 50 * k + seed % 2)->case_parameters =
          ts_arena_format(fixture_arena, "motion_seed=%d;perturb_seed=%d;%s=%s", seed,
                          is_still ? 1 : seed, parameter, swept);
    }
}

static void expect_two_settings(void) {
  ts_study study = make_study();
  cr_expect_eq(study.case_count, 1);
  cr_expect_eq(study.stratum_count, 2);
  cr_expect_eq(study.scene_count, 6);
  cr_expect(study.has_draws);
  const ts_interval *mean = &study.methods[0].values[TS_STUDY_QUALITY].mean;
  cr_expect_float_eq(mean->mean, 65 + 2.0 / 3, 1e-12);
  cr_expect_lt(mean->high - mean->low, 5, "%g to %g", mean->low, mean->high);
}

Test(reports_study, a_sweep_is_no_spread_of_draws) {
  add_sweep("refinement", "0", "1");
  expect_two_settings();
}

Test(reports_study, noise_swept_from_0_is_no_spread_of_draws) {
  add_sweep("perturb_m", "0", "0.02");
  expect_two_settings();
}

Test(reports_study, a_method_that_was_only_skipped_has_no_place_and_takes_none) {
  for (int seed = 0; seed < 12; seed++) {
    add_draw("wall", seed, "skips", NAN)->outcome = "skipped";
    add_draw("wall", seed, "poor", 40 + seed);
    add_draw("wall", seed, "good", 100);
  }
  ts_study study = make_study();
  cr_expect_str_eq(study.methods[0].name, "good");
  cr_expect_eq(study.methods[0].rank_last, 1);
  cr_expect_eq(study.methods[1].rank_first, 2);
  cr_expect_eq(study.methods[1].rank_last, 2);
  cr_expect_str_eq(study.methods[2].name, "skips");
  cr_expect_eq(study.methods[2].rank_first, 0);
}
