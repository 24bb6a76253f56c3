// SPDX-License-Identifier: MIT
// covers: reports/compare/method_times.c reports/compare/time_difference.c
// covers: reports/rows/sample_times.c
#include "reports/compare/time_difference.h"

#include "base/random.h"
#include "base/status.h"
#include "reports/compare/method_times.h"
#include "reports/rows/rows.h"
#include "tests/reports/rows/record_fixture.h"
#include "tests/reports/rows/results_fixture.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#define CELLS   12
#define SAMPLES 40

static ts_record rows[2][CELLS];
static ts_difference difference;

/// What the samples of a cell are made of: its time, and of how many repeats a neighbour takes how
/// much more.
typedef struct load {
  double time_ns, disturbed_share, disturbed_by;
  bool waits; ///< The neighbour made it wait for a processor, which is known.
} load;

static load loads[2][CELLS];
static int sampled_count[2]; ///< cells that samples.csv has

static void make_cells(void) {
  results_open();
  for (int side = 0; side < 2; side++) {
    sampled_count[side] = CELLS;
    for (int i = 0; i < CELLS; i++) {
      rows[side][i] = record_of(ts_arena_format(fixture_arena, "c%d", i), "wall", "growth", 0);
      loads[side][i] = (load){1000 * (i + 1), 0, 1, false};
    }
  }
}

TestSuite(reports_time_difference, .init = make_cells, .fini = results_close, .timeout = 30);

/// Writes the samples of a side: every one within 2 % of its time.
static const char *write_samples(int side, ts_random *random) {
  ts_csv_buffer buffer = {0};
  cr_assert_eq(ts_rows_add_header(&buffer, &ts_sample_rows), TS_OK);
  for (int i = 0; i < sampled_count[side]; i++)
    for (int k = 0; k < SAMPLES; k++) {
      const load *l = &loads[side][i];
      bool is_disturbed = k < l->disturbed_share * SAMPLES;
      double factor = is_disturbed ? l->disturbed_by : 1;
      ts_sample_row row;
      ts_row_init(&ts_sample_rows, &row);
      row.cell = rows[side][i].cell;
      row.step = 0;
      row.phase = "generate";
      row.sample = k;
      row.time_ns = l->time_ns * factor * (1 + 0.02 * ts_random_unit(random));
      if (l->waits)
        row.waited_ns = is_disturbed ? row.time_ns * (1 - 1 / factor) : 0;
      cr_assert_eq(ts_rows_add(&buffer, &ts_sample_rows, &row), TS_OK);
      row.phase = "prepare"; // is not to be read
      row.time_ns *= side ? 100 : 1;
      cr_assert_eq(ts_rows_add(&buffer, &ts_sample_rows, &row), TS_OK);
    }
  const char *path = fixture_path("%d.csv", side);
  fixture_write(path, buffer.bytes, buffer.count);
  ts_csv_buffer_free(&buffer);
  return path;
}

static ts_time_difference make(const ts_time_limits *limits) {
  ts_random random = ts_random_seed(5, 0);
  ts_rows_of old = rows_of(rows[0], CELLS), new = rows_of(rows[1], CELLS);
  const char *old_path = write_samples(0, &random), *new_path = write_samples(1, &random);
  ts_time_difference t;
  cr_assert_eq(ts_difference_make(&difference, fixture_arena, &old, &new), TS_OK);
  cr_assert_eq(ts_time_difference_make(
                   &t, fixture_arena, &difference, &(ts_samples_of){.path = old_path},
                   &(ts_samples_of){.path = new_path}, limits ? limits : &ts_time_limits_default),
               TS_OK, "%s", ts_status_detail());
  return t;
}

Test(reports_time_difference, equal_loads_are_not_a_difference) {
  ts_time_difference t = make(NULL);
  cr_expect_eq(t.count, CELLS);
  cr_expect_eq(t.tested_count, CELLS);
  cr_expect_eq(t.slower_count + t.faster_count, 0);
  cr_expect_float_eq(t.factor, 1, 0.01);
}

Test(reports_time_difference, cells_without_all_of_their_samples_are_counted) {
  cr_expect_eq(make(NULL).old_lacking_count, 0);
  sampled_count[1] = CELLS - 3;
  rows[0][0].repeats = SAMPLES;
  rows[1][0].repeats = SAMPLES + 1;
  ts_time_difference t = make(NULL);
  cr_expect_eq(t.tested_count, CELLS - 3);
  cr_expect_eq(t.old_lacking_count, 0);
  cr_expect_eq(t.new_lacking_count, 4);
}

Test(reports_time_difference, a_cell_that_takes_twice_as_long_is_slower_and_comes_first) {
  loads[1][7].time_ns *= 2;
  loads[1][4].time_ns *= 3;
  ts_time_difference t = make(NULL);
  cr_expect_eq(t.slower_count, 2);
  cr_expect_eq(t.changes[0].pair, 4);
  cr_expect_eq(t.changes[1].pair, 7);
  cr_expect_eq(t.changes[1].verdict, TS_TIME_SLOWER);
  cr_expect_float_eq(t.changes[1].ratio, 2, 0.05);
  cr_expect_float_eq(t.changes[1].new_is_slower, 1, 0);
  cr_expect_lt(t.changes[1].p, 1e-6);
}

Test(reports_time_difference, and_the_other_way_round_it_is_faster) {
  loads[0][7].time_ns *= 2;
  ts_time_difference t = make(NULL);
  cr_expect_eq(t.faster_count, 1);
  cr_expect_eq(t.changes[0].verdict, TS_TIME_FASTER);
  cr_expect_float_eq(t.changes[0].new_is_slower, 0, 0);
}

Test(reports_time_difference, a_run_that_is_slower_as_a_whole_blames_no_cell) {
  for (int i = 0; i < CELLS; i++)
    loads[1][i].time_ns *= 1.7;
  ts_time_difference t = make(NULL);
  cr_expect_float_eq(t.factor, 1.7, 0.02);
  cr_expect_eq(t.slower_count, 0);
  for (int i = 0; i < CELLS; i++)
    cr_expect_float_eq(t.changes[i].new_is_slower, 0.5, 0.3, "the factor is taken out");
  ts_time_limits limits = ts_time_limits_default;
  limits.is_absolute = true;
  t = make(&limits);
  cr_expect_eq(t.slower_count, CELLS, "unless it is asked for");
}

Test(reports_time_difference, a_neighbour_that_slows_most_repeats_is_not_a_change_of_the_code) {
  loads[1][2].disturbed_share = 0.9;
  loads[1][2].disturbed_by = 3;
  ts_time_difference t = make(NULL);
  cr_expect_eq(t.slower_count, 0, "the fastest repeat is what it was");
}

Test(reports_time_difference, a_small_change_is_significant_and_yet_none) {
  loads[1][3].time_ns *= 1.1;
  ts_time_difference t = make(NULL);
  cr_expect_lt(t.changes[3].p, 1e-6);
  cr_expect_eq(t.changes[3].verdict, TS_TIME_SAME);
  ts_time_limits limits = ts_time_limits_default;
  limits.ratio = 1.05;
  t = make(&limits);
  cr_expect_eq(t.slower_count, 1);
}

Test(reports_time_difference, repeats_that_overlap_are_not_a_change) {
  loads[0][6].disturbed_share = 0.2; // a fifth of old is slower than all of new
  loads[0][6].disturbed_by = 3;
  loads[1][6].time_ns *= 1.7;
  ts_time_difference t = make(NULL);
  cr_expect_lt(t.changes[6].p, 0.01);
  cr_expect_float_eq(t.changes[6].new_is_slower, 0.8, 1e-12);
  cr_expect_eq(t.slower_count, 0);
}

Test(reports_time_difference, ratios_usual_among_the_cells_are_not_a_change) {
  for (int i = 0; i < CELLS; i++)
    loads[1][i].time_ns *= i % 2 ? 1.3 : 1 / 1.3;
  loads[1][5].time_ns *= 1.6;
  ts_time_difference t = make(NULL);
  cr_expect_gt(t.spread, 0.2);
  cr_expect_eq(t.slower_count + t.faster_count, 0);
}

Test(reports_time_difference, rows_that_are_not_ok_have_no_time) {
  rows[1][0].outcome = "crashed";
  cr_expect_eq(make(NULL).count, CELLS - 1);
}

Test(reports_time_difference, without_samples_the_medians_are_reported_and_nothing_tested) {
  ts_rows_of old = rows_of(rows[0], CELLS), new = rows_of(rows[1], CELLS);
  rows[1][0].generate_ns_median = 50000;
  ts_time_difference t;
  cr_assert_eq(ts_difference_make(&difference, fixture_arena, &old, &new), TS_OK);
  cr_assert_eq(ts_time_difference_make(&t, fixture_arena, &difference,
                                       &(ts_samples_of){.path = NULL},
                                       &(ts_samples_of){.path = "x"}, &ts_time_limits_default),
               TS_OK);
  cr_expect_eq(t.tested_count, 0);
  cr_expect_eq(t.changes[0].verdict, TS_TIME_UNTESTED);
  cr_expect_float_eq(t.changes[0].ratio, 5, 1e-12);
  cr_expect(isnan(t.changes[0].p));
}

Test(reports_time_difference, a_method_is_slower_as_a_whole_where_no_cell_is) {
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < CELLS; i++)
      rows[side][i].method = i < 9 ? "other" : "some";
  ts_time_difference t = make(NULL);
  ts_method_time *methods;
  size_t count;
  for (size_t i = 0; i < t.count; i++) // nine cells that changed, three that did not
    t.changes[i].ratio_to_run = t.changes[i].pair < 9 ? 1.3 : 0.98;
  cr_assert_eq(ts_method_times_make(&methods, &count, fixture_arena, &difference, &t), TS_OK);
  cr_assert_eq(count, 2);
  cr_expect_str_eq(methods[0].method, "other");
  cr_expect_eq(methods[0].count, 9);
  cr_expect_eq(methods[0].verdict, TS_TIME_SLOWER);
  cr_expect_float_eq(methods[0].ratio_to_run, 1.3, 1e-12);
  cr_expect_eq(methods[1].verdict, TS_TIME_UNTESTED, "three cells are too few");
  for (size_t i = 0; i < t.count; i++)
    t.changes[i].ratio_to_run = i % 4 ? 1.3 : 0.98;
  cr_assert_eq(ts_method_times_make(&methods, &count, fixture_arena, &difference, &t), TS_OK);
  cr_expect_eq(methods[0].verdict, TS_TIME_SAME, "a quarter went the other way");
  for (size_t i = 0; i < t.count; i++)
    t.changes[i].ratio_to_run = 1 / 1.3;
  cr_assert_eq(ts_method_times_make(&methods, &count, fixture_arena, &difference, &t), TS_OK);
  cr_expect_eq(methods[0].verdict, TS_TIME_FASTER);
}

Test(reports_time_difference, a_wait_for_a_processor_is_not_a_change) {
  loads[1][4] = (load){5000, 1, 6.7, true};   // never got a core to itself
  loads[1][5] = (load){6000, 0.8, 2.2, true}; // and seldom
  loads[1][6] = (load){14000, 0.5, 3, true};  // twice as slow, whatever it waited
  ts_time_difference t = make(NULL);
  cr_expect_eq(t.faster_count, 0);
  cr_assert_eq(t.slower_count, 1);
  cr_expect_eq(t.changes[0].pair, 6);
  cr_expect_eq(t.tested_count, CELLS - 1, "nothing is left of the first");
}

Test(reports_time_difference, rows_that_were_not_timed_lack_nothing) {
  for (int side = 0; side < 2; side++) {
    sampled_count[side] = CELLS - 2;
    for (int i = CELLS - 2; i < CELLS; i++)
      rows[side][i].generate_ns_median = rows[side][i].repeats = (double)NAN;
  }
  ts_time_difference t = make(NULL);
  cr_expect_eq(t.count, CELLS - 2);
  cr_expect_eq(t.tested_count, CELLS - 2);
  cr_expect_eq(t.old_lacking_count + t.new_lacking_count, 0);
  rows[1][CELLS - 1].generate_ns_median = 1000; // timed once, and its sample is gone
  cr_expect_eq(make(NULL).new_lacking_count, 1);
}
