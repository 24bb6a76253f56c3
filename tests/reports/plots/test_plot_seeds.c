// SPDX-License-Identifier: MIT
// Plots of studies: seeds are folded into means with intervals.
// covers: reports/plots/plot_course.c reports/plots/plot_heat.c
// covers: reports/plots/plot_mean.c
// covers: reports/plots/plot_source.c reports/plots/plot_steps.c reports/plots/plot_tradeoff.c
// covers: reports/study/study_mean.c reports/tables/counted.c
#include "reports/plots/plot_kinds.h"
#include "reports/plots/plot_mean.h"
#include "reports/study/study.h"

#include "tests/reports/plots/plot_fixture.h"
#include "tests/reports/rows/results_fixture.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

TestSuite(reports_plot_seeds, .init = plot_open, .fini = results_close);

static const char *const seeds[] = {"a=1;motion_seed=1", "a=1;motion_seed=2", "a=1;motion_seed=3",
                                    "a=1;motion_seed=4"};
#define SEEDS 4

/// A method in a case, with a quality and a time for each seed; NaN: nothing found.
static void add_seeds(const char *case_name, const char *method, const double quality[SEEDS],
                      double time_ns) {
  for (int i = 0; i < SEEDS; i++) {
    ts_record *r = plot_add_record(seeds[i], method, 0);
    r->case_name = case_name;
    r->quality_percent = quality[i];
    r->contacts = isnan(quality[i]) ? 0 : 4;
    r->coverage_percent = isnan(quality[i]) ? 0 : 100;
    r->generate_ns_median = time_ns * (i % 2 ? 4 : 1);
  }
}

static ts_plot_book make(const ts_plot_kind *kind) {
  ts_plot_source source = plot_make_source();
  ts_plot_book book = plot_make_book();
  ts_plot_begin_kind(&book, kind->name);
  cr_assert_eq(kind->make(&book, &source), TS_OK);
  return book;
}

/// Two cases and two methods: means 40 and 80 of growth, 0 and 50 of opposing.
static void add_study(void) {
  add_seeds("arch", "growth", (const double[]){30, 40, 40, 50}, 1e6);
  add_seeds("arch", "opposing", (const double[]){0, 0, 0, 0}, 1e5);
  add_seeds("wall", "growth", (const double[]){70, 80, 80, 90}, 1e6);
  add_seeds("wall", "opposing", (const double[]){100, 100, (double)NAN, (double)NAN}, 1e5);
}

Test(reports_plot_seeds, rows_that_differ_by_seeds_are_of_one_cell) {
  plot_add_record("motion_seed=1;a=1;perturb_seed=7", "growth", 0);
  plot_add_record("motion_seed=2;a=1;perturb_seed=8", "growth", 0);
  plot_add_record("motion_seed=2;a=2;perturb_seed=8", "growth", 0);
  plot_add_record("motion_seed=1;a=1;perturb_seed=7", "opposing", 0);
  ts_plot_source source = plot_make_source();
  cr_assert_eq(source.cases.count, 2);
  cr_expect_str_eq(source.records[0].case_parameters, "a=1");
  ts_plot_cell cell = ts_plot_cell_of(&source, 0, 0);
  cr_assert_eq(cell.count, 2);
  cr_expect(cell.rows[0] == 0 && cell.rows[1] == 1);
  cr_expect(ts_plot_is_first(&source, 0));
  cr_expect_not(ts_plot_is_first(&source, 1));
  cr_expect(ts_plot_is_first(&source, 2) && ts_plot_is_first(&source, 3));
  cr_expect_eq(ts_plot_case_seeds(&source, 0), 2);
  cr_expect_eq(ts_plot_case_seeds(&source, 1), 1);
  cr_expect_eq(ts_plot_cell_of(&source, 1, 1).count, 0);
}

Test(reports_plot_seeds, a_parameter_is_a_seed_by_the_end_of_its_name_only) {
  plot_add_record("seed=1;reseeded=1;seeds=2", "growth", 0);
  ts_plot_source source = plot_make_source();
  cr_expect_str_eq(source.records[0].case_parameters, "reseeded=1;seeds=2");
}

Test(reports_plot_seeds, what_was_drawn_with_the_seeds_is_of_one_cell_and_a_sweep_is_not) {
  static const char *const drawn[] = {
      "w=0.5;h=1;n=1;motion_seed=11", "w=0.5;h=1;n=2;motion_seed=11",
      "w=0.7;h=1;n=1;motion_seed=12", "w=0.7;h=1;n=2;motion_seed=12",
      "w=0.6;h=1;n=1;motion_seed=13", "w=0.6;h=1;n=2;motion_seed=13",
      "w=0.9;h=1;n=1;motion_seed=13", "w=0.9;h=1;n=2;motion_seed=13"}; // 13 twice, by chance
  for (int i = 0; i < 8; i++)
    plot_add_record(drawn[i], i % 3 ? "growth" : "opposing", 0);
  ts_plot_source source = plot_make_source();
  cr_assert_eq(source.cases.count, 2);
  cr_expect_str_eq(source.records[0].case_parameters, "h=1;n=1");
  cr_expect_str_eq(source.records[7].case_parameters, "h=1;n=2");
}

Test(reports_plot_seeds, parameters_without_seeds_are_a_sweep) {
  plot_add_record("w=1;motion_seed=0", "growth", 0);
  plot_add_record("w=2;motion_seed=0", "growth", 0);
  ts_plot_source source = plot_make_source();
  cr_expect_eq(source.cases.count, 2);
}

Test(reports_plot_seeds, a_heat_map_has_means_of_seeds_of_cases_and_of_methods) {
  add_study();
  ts_plot_book book = make(&ts_plot_heat_map);
  cr_assert_geq(book.count, 1);
  cr_expect_str_eq(book.names[0], "heat_map-quality_percent-touch");
  enum { Y = 1, VALUE = 4, LOW = 8, HIGH = 9, ROOM = 8 };
  double values[ROOM], y[ROOM], low[ROOM], high[ROOM];
  // The fields of the methods are at x = 1 and 2: two cases, then their mean.
  cr_assert_eq(plot_read_column(values, ROOM, book.names[0], 0, 1, VALUE), 3);
  cr_expect(values[0] == 40 && values[1] == 80 && values[2] == 60);
  cr_assert_eq(plot_read_column(values, ROOM, book.names[0], 0, 2, VALUE), 3);
  cr_expect(values[0] == 0 && values[1] == 50 && values[2] == 25, "nothing found counts as 0");
  cr_assert_eq(plot_read_column(y, ROOM, book.names[0], 0, 2, Y), 3);
  cr_assert_eq(plot_read_column(low, ROOM, book.names[0], 0, 2, LOW), 3);
  cr_assert_eq(plot_read_column(high, ROOM, book.names[0], 0, 2, HIGH), 3);
  cr_expect(isnan(low[0]) && isnan(low[1]), "fields have no interval");
  cr_expect(low[2] >= 0 && low[2] < 25 && high[2] > 25);
  cr_expect_gt(y[2], 2.5, "below the cases");
  // The means over the methods, right of them.
  cr_assert_eq(plot_read_column(values, ROOM, book.names[0], Y, 1, VALUE), 3);
  cr_expect_eq(values[2], 20);
  cr_assert_eq(plot_read_column(values, ROOM, book.names[0], Y, 2, VALUE), 3);
  cr_expect_eq(values[2], 65);
  const char *script = plot_read_script(book.names[0]);
  cr_expect(strstr(script, "[percent], mean of 4 seeds\"") != NULL);
  cr_expect(strstr(script, "mean of 2 cases") != NULL);
  cr_expect_null(strstr(script, "mean of fewer"));
}

Test(reports_plot_seeds, plots_have_the_means_and_intervals_of_the_study) {
  add_study();
  ts_plot_source source = plot_make_source();
  size_t count;
  const ts_record *records = plot_records(&count);
  ts_study study;
  cr_assert_eq(ts_study_make(&study, fixture_arena, records, count), TS_OK);
  cr_assert_eq(study.method_count, 2);
  for (size_t m = 0; m < 2; m++) {
    size_t entry = 0;
    while (strcmp(source.methods.entries[entry].name, study.methods[m].name) != 0)
      entry++;
    for (ts_study_measure i = 0; i < TS_STUDY_MEASURE_COUNT; i++) {
      ts_plot_mean mean = {.field = ts_study_field(i)};
      for (size_t k = 0; k < source.cases.count; k++)
        cr_assert_eq(ts_plot_mean_add_cell(&mean, fixture_arena, &source, k, entry), TS_OK);
      ts_interval drawn, summed = study.methods[m].values[i].mean;
      cr_assert_eq(ts_plot_mean_interval(&drawn, fixture_arena, &mean), TS_OK);
      cr_expect_eq(drawn.count, summed.count);
      if (summed.count == 0) // no excess here
        continue;
      double scale = 1e-12 * fabs(summed.mean);
      cr_expect_float_eq(drawn.mean, summed.mean, scale, "%d: %g, %g", i, drawn.mean, summed.mean);
      cr_expect_float_eq(drawn.low, summed.low, scale, "%d: %g, %g", i, drawn.low, summed.low);
      cr_expect_float_eq(drawn.high, summed.high, scale, "%d: %g, %g", i, drawn.high, summed.high);
    }
  }
}

Test(reports_plot_seeds, a_mean_over_fewer_cases_is_marked) {
  add_study();
  add_seeds("tower", "growth", (const double[]){60, 60, 60, 60}, 1e6);
  for (int i = 0; i < SEEDS; i++)
    plot_add_record(seeds[i], "opposing", 0)->case_name = "tower";
  plot_add_record(seeds[0], "opposing", 0)->outcome = "skipped";
  ts_plot_book book = make(&ts_plot_heat_map);
  const char *script = plot_read_script(book.names[0]);
  // The title may break at any blank.
  cr_expect(strstr(script, "*: mean") && strstr(script, "fewer"), "%s", script);
  cr_expect(strstr(fixture_read(fixture_path("plots/%s.csv", book.names[0]), NULL), "25.0*"));
}

Test(reports_plot_seeds, half_and_twice_the_contacts_do_not_shade_as_right) {
  static const double excess[SEEDS] = {0.5, 1.5, 0.5, 1.5};
  for (int i = 0; i < SEEDS; i++)
    plot_add_record(seeds[i], "growth", 0)->excess_factor = excess[i];
  ts_plot_book book = make(&ts_plot_heat_map);
  double value, shade;
  cr_assert_eq(plot_read_column(&value, 1, book.names[0], 0, 1, 4), 1);
  cr_assert_eq(plot_read_column(&shade, 1, book.names[0], 0, 1, 7), 1);
  cr_expect_eq(value, 1);
  cr_expect_lt(shade, 0.9);
}

Test(reports_plot_seeds, quality_against_time_over_all_cases_has_intervals_and_a_front) {
  add_study();
  add_seeds("arch", "closest_points", (const double[]){10, 10, 10, 10}, 1e7);
  add_seeds("wall", "closest_points", (const double[]){10, 10, 10, 10}, 1e7);
  ts_plot_book book = make(&ts_plot_quality_time);
  cr_assert_eq(book.count, 2);
  cr_expect_str_eq(book.names[0], "quality_time-all_cases-touch");
  cr_expect_str_eq(book.names[1], "quality_time-touch");
  enum { CURVE = 1, TIME = 3, QUALITY, TIME_LOW, TIME_HIGH, LOW, HIGH, FRONT };
  double row[FRONT + 1];
  for (int i = TIME; i <= FRONT; i++) // of growth, the first method
    cr_assert_eq(plot_read_column(&row[i], 1, book.names[0], CURVE, 1, i), 1);
  cr_expect_float_eq(row[TIME], 2e-3, 1e-9, "the geometric mean: %g", row[TIME]);
  cr_expect_eq(row[QUALITY], 60);
  cr_expect(row[TIME_LOW] > 0 && row[TIME_LOW] < 2e-3 && row[TIME_HIGH] > 2e-3);
  cr_expect(row[LOW] < 60 && row[LOW] > 40 && row[HIGH] > 60 && row[HIGH] < 80);
  cr_expect_eq(row[FRONT], 1);
  double front;
  cr_assert_eq(plot_read_column(&front, 1, book.names[0], CURVE, 3, FRONT), 1);
  cr_expect_eq(front, 0, "slower and worse");
  const char *script = plot_read_script(book.names[0]);
  cr_expect(strstr(script, "mean of 2 cases with 4 seeds, scene as built") != NULL);
  cr_expect(strstr(script, "xyerrorbars") != NULL);
  cr_expect(strstr(script, "Pareto front") != NULL);
  cr_expect_null(strstr(plot_read_script(book.names[1]), "xyerrorbars"));
}

Test(reports_plot_seeds, what_is_fast_and_never_right_is_not_on_the_front) {
  add_seeds("arch", "growth", (const double[]){0, 0, 0, 0}, 10);
  add_seeds("arch", "opposing", (const double[]){50, 50, 50, 50}, 1e5);
  ts_plot_book book = make(&ts_plot_quality_time);
  cr_assert_eq(book.count, 1);
  double front;
  cr_assert_eq(plot_read_column(&front, 1, book.names[0], 1, 1, 9), 1);
  cr_expect_eq(front, 0);
  cr_assert_eq(plot_read_column(&front, 1, book.names[0], 1, 2, 9), 1);
  cr_expect_eq(front, 1);
}

Test(reports_plot_seeds, seeds_over_the_steps_are_one_curve_in_a_band) {
  for (int i = 0; i < SEEDS; i++)
    for (int step = 2; step <= 6; step++)
      plot_add_record(seeds[i], "growth", step)->contacts_unique = 10 * step + i;
  ts_plot_book book = make(&ts_plot_steps);
  cr_assert_eq(book.count, 1);
  cr_expect_str_eq(book.names[0], "contacts_step-wall");
  double means[8], low[8], high[8];
  cr_assert_eq(plot_read_column(means, 8, book.names[0], 0, 1, 3), 5);
  cr_assert_eq(plot_read_column(low, 8, book.names[0], 0, 1, 4), 5);
  cr_assert_eq(plot_read_column(high, 8, book.names[0], 0, 1, 5), 5);
  for (int i = 0; i < 5; i++) {
    cr_expect_float_eq(means[i], 10 * (i + 2) + 1.5, 1e-12);
    cr_expect(low[i] < means[i] && high[i] > means[i]);
  }
  const char *script = plot_read_script(book.names[0]);
  cr_expect(strstr(script, "filledcurves") != NULL);
  cr_expect(strstr(script, "mean of 4 seeds") != NULL);
  cr_expect(strstr(script, "bands: 95% intervals") != NULL);
}

Test(reports_plot_seeds, an_interval_holds_no_impossible_mean) {
  add_seeds("arch", "growth", (const double[]){100, 100, 100, 60}, 1);
  add_seeds("arch", "opposing", (const double[]){0, 0, 0, 40}, 1);
  ts_plot_source source = plot_make_source();
  for (size_t i = 0; i < 2; i++) {
    ts_plot_mean mean = {.field = ts_row_find(&ts_summary_rows, "quality_percent")};
    cr_assert_eq(ts_plot_mean_add_cell(&mean, fixture_arena, &source, 0, i), TS_OK);
    ts_interval interval;
    cr_assert_eq(ts_plot_mean_interval(&interval, fixture_arena, &mean), TS_OK);
    cr_expect(interval.low >= 0 && interval.high <= 100 && interval.low < interval.high);
  }
}
