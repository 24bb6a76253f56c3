// SPDX-License-Identifier: MIT
// What is a draw of a case and what is another case: the parameters of run --seeds, with sweeps.
// covers: reports/tables/draws.c
#include "reports/tables/draws.h"

#include "base/status.h"
#include "tests/reports/rows/results_fixture.h"

#include <criterion/criterion.h>
#include <string.h>

TestSuite(reports_draws, .init = results_open, .fini = results_close);

enum { ROOM = 64 };
static ts_record records[ROOM];
static size_t record_count;

static void add_row(const char *parameters) {
  cr_assert_lt(record_count, ROOM);
  ts_record *record = &records[record_count++];
  ts_row_init(&ts_summary_rows, record);
  record->case_name = "pillar";
  record->case_parameters = parameters;
  record->method = "growth";
}

/// A row of `run --seeds`, which gives the noise a seed where there is some.
static void add_seed(int seed, const char *noise, const char *other) {
  add_row(ts_arena_format(fixture_arena, "motion_seed=%d;perturb_m=%s;perturb_seed=%d;%s", seed,
                          noise, strcmp(noise, "0") == 0 ? 1 : seed, other));
}

static void take_off(void) {
  cr_assert_eq(ts_take_draws_off(fixture_arena, records, record_count), TS_OK);
}

static void expect(size_t row, const char *parameters) {
  cr_expect_str_eq(records[row].case_parameters, parameters, "row %zu: %s", row,
                   records[row].case_parameters);
}

Test(reports_draws, noise_swept_from_none_is_a_sweep) {
  for (int seed = 1; seed <= 5; seed++) {
    add_seed(seed, "0", "a=1");
    add_seed(seed, "0.02", "a=1");
  }
  take_off();
  for (size_t i = 0; i < record_count; i += 2) {
    expect(i, "perturb_m=0;a=1");
    expect(i + 1, "perturb_m=0.02;a=1");
  }
}

Test(reports_draws, noise_swept_without_none_is_a_sweep) {
  for (int seed = 1; seed <= 5; seed++) {
    add_seed(seed, "0.01", "a=1");
    add_seed(seed, "0.02", "a=1");
  }
  take_off();
  expect(0, "perturb_m=0.01;a=1");
  expect(9, "perturb_m=0.02;a=1");
}

Test(reports_draws, three_values_of_noise_and_two_of_another_parameter_are_six_cases) {
  static const char *const noise[] = {"0", "0.01", "0.02"};
  for (int k = 0; k < 3; k++) // the values outside, and the seeds inside
    for (int seed = 1; seed <= 4; seed++) {
      add_seed(seed, noise[k], "refinement=0");
      add_seed(seed, noise[k], "refinement=1");
    }
  take_off();
  expect(0, "perturb_m=0;refinement=0");
  expect(15, "perturb_m=0.01;refinement=1");
  expect(16, "perturb_m=0.02;refinement=0");
}

Test(reports_draws, sweeps_without_noise_are_sweeps) {
  for (int seed = 1; seed <= 4; seed++) {
    add_seed(seed, "0", "scale=1;refinement=0");
    add_seed(seed, "0", "scale=2;refinement=0");
    add_seed(seed, "0", "scale=1;refinement=1");
    add_seed(seed, "0", "scale=2;refinement=1");
  }
  take_off();
  expect(0, "perturb_m=0;scale=1;refinement=0");
  expect(15, "perturb_m=0;scale=2;refinement=1");
}

Test(reports_draws, swept_seeds_of_noise_are_draws_and_the_noise_is_not) {
  for (int seed = 1; seed <= 3; seed++) {
    add_row(ts_arena_format(fixture_arena, "motion_seed=1;perturb_m=0;perturb_seed=%d", seed));
    add_row(ts_arena_format(fixture_arena, "motion_seed=1;perturb_m=0.01;perturb_seed=%d", seed));
  }
  take_off();
  expect(0, "perturb_m=0");
  expect(5, "perturb_m=0.01");
}

Test(reports_draws, what_a_fresh_case_draws_goes_and_what_is_swept_stays) {
  static const char *const drawn[] = {"stretch_x=0.71;w=3", "stretch_x=1.2;w=2",
                                      "stretch_x=0.93;w=3", "stretch_x=1.37;w=4"};
  static const char *const noise[] = {"0", "0.02"};
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < 2; k++)
      add_row(ts_arena_format(fixture_arena,
                              "motion_seed=%d;mesh_seed=%d;perturb_m=%s;perturb_seed=%d;%s",
                              8812 + i, 17 * i, noise[k], 4711 + i, drawn[i]));
  take_off();
  for (size_t i = 0; i < record_count; i++)
    expect(i, i % 2 ? "perturb_m=0.02" : "perturb_m=0");
}

Test(reports_draws, noise_that_is_drawn_goes) {
  static const char *const noise[] = {"0.113", "0.42", "0", "0.31"};
  for (int i = 0; i < 4; i++)
    add_row(ts_arena_format(fixture_arena, "motion_seed=%d;perturb_m=%s;perturb_seed=%d;a=1",
                            100 + i, noise[i], 4711 + i));
  take_off();
  for (size_t i = 0; i < record_count; i++)
    expect(i, "a=1");
}

Test(reports_draws, noise_on_top_of_that_of_a_file_is_a_sweep) {
  static const char file[] = "motion_seed=3;perturb_m=0.01;perturb_seed=9";
  for (int seed = 1; seed <= 3; seed++) {
    add_row(ts_arena_format(fixture_arena, "%s;then_motion_seed=%d", file, seed));
    // The first seed is the default, and left out.
    const char *noise =
        seed == 1 ? "" : ts_arena_format(fixture_arena, ";then_perturb_seed=%d", seed);
    add_row(ts_arena_format(fixture_arena, "%s;then_motion_seed=%d;then_perturb_m=0.02%s", file,
                            seed, noise));
  }
  take_off();
  for (size_t i = 0; i < record_count; i++)
    expect(i, i % 2 ? "perturb_m=0.01;then_perturb_m=0.02" : "perturb_m=0.01");
}

Test(reports_draws, the_order_of_the_rows_does_not_matter) {
  for (int k = 0; k < 2; k++)
    for (int seed = 1; seed <= 5; seed++)
      add_seed(k ? 6 - seed : seed, k ? "0.02" : "0", "a=1");
  take_off();
  for (size_t i = 0; i < record_count; i++)
    expect(i, i < 5 ? "perturb_m=0;a=1" : "perturb_m=0.02;a=1");
}
