// SPDX-License-Identifier: MIT
// covers: reports/plots/plot_response_errors.c
#include "base/status.h"
#include "reports/plots/plot_kinds.h"
#include "tests/reports/plots/plot_fixture.h"
#include "tests/reports/rows/results_fixture.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

TestSuite(reports_response_errors, .init = plot_open, .fini = results_close);

/// A row of a sweep of young_pa: stiffer bodies turn less, and waves go farther.
static ts_record *add_row(const char *simulation, int i, double error_percent) {
  ts_record *r =
      plot_add_record(ts_arena_format(fixture_arena, "young_pa=%d", 1 << i), "growth", 9);
  r->simulation_parameters = simulation;
  r->rotation_deg_max = 60.0 / (1 << i);
  r->step_wave_ratio = 0.05 * sqrt(1 << i);
  r->response_error_percent_median = error_percent;
  return r;
}

static ts_plot_book make_errors(void) {
  ts_plot_source source = plot_make_source();
  ts_plot_book book = plot_make_book();
  ts_plot_begin_kind(&book, ts_plot_error_sweep.name);
  cr_assert_eq(ts_plot_error_sweep.make(&book, &source), TS_OK);
  return book;
}

Test(reports_response_errors, each_response_is_a_curve_over_rotation_and_over_waves) {
  for (int i = 0; i < 4; i++) {
    add_row("dt_s=0.01;response=exact", i, NAN);
    add_row("dt_s=0.01;response=warped", i, 1 + i);
    add_row("dt_s=0.01;response=initial", i, 8 - i);
  }
  ts_plot_book book = make_errors();
  cr_assert_eq(book.count, 1, "%zu", book.count);
  cr_expect_str_eq(book.names[0], "error_sweep-young_pa-wall-step9-growth");
  double errors[8], rotations[8], waves[8];
  cr_assert_eq(plot_read_column(errors, 8, book.names[0], 0, 2, 5), 4, "initial");
  cr_assert_eq(plot_read_column(rotations, 8, book.names[0], 0, 2, 3), 4);
  cr_assert_eq(plot_read_column(waves, 8, book.names[0], 0, 2, 4), 4);
  for (int i = 0; i < 4; i++) {
    cr_expect_eq(errors[i], 8 - i);
    cr_expect_float_eq(rotations[i], 60.0 / (1 << i), 1e-9);
    cr_expect_float_eq(waves[i], 0.05 * sqrt(1 << i), 1e-9);
  }
  const char *script = plot_read_script(book.names[0]);
  cr_expect(strstr(script, "response=warped") && strstr(script, "response=initial"));
  cr_expect_null(strstr(script, "response=exact"), "what has no error has no curve");
  cr_expect(strstr(script, "Rotation, maximum [deg]") && strstr(script, "Wave in a step over size"),
            "%s", script);
}

Test(reports_response_errors, what_does_not_change_has_no_panel) {
  for (int i = 0; i < 3; i++)
    add_row("response=warped", i, 1 + i)->step_wave_ratio = 0.25;
  ts_plot_book book = make_errors();
  cr_assert_eq(book.count, 1);
  const char *script = plot_read_script(book.names[0]);
  cr_expect(strstr(script, "Rotation, maximum [deg]"));
  cr_expect_null(strstr(script, "Wave in a step over size"));
}

Test(reports_response_errors, errors_over_decades_have_an_axis_of_powers) {
  for (int i = 0; i < 4; i++)
    add_row("response=warped", i, pow(10, -i));
  cr_expect(strstr(plot_read_script(make_errors().names[0]), "set logscale y"));
}

Test(reports_response_errors, methods_and_scenes_have_pages_of_their_own) {
  for (int i = 0; i < 2; i++) {
    add_row("response=warped", i, 1 + i);
    add_row("response=warped", i, 2 + i)->method = "opposing";
    ts_record *r = add_row("response=warped", i, 3 + i);
    r->case_parameters = ts_arena_format(fixture_arena, "%s;drop_m=1", r->case_parameters);
  }
  ts_plot_book book = make_errors();
  cr_assert_eq(book.count, 3, "%zu", book.count);
}

Test(reports_response_errors, one_value_and_rigid_rows_have_no_page) {
  add_row("response=warped", 0, 1);
  add_row("response=warped", 1, NAN);
  cr_expect_eq(make_errors().count, 0, "a curve needs two points");
  for (int i = 0; i < 3; i++)
    plot_add_record(ts_arena_format(fixture_arena, "a=%d", i), "growth", 9);
  cr_expect_eq(make_errors().count, 0);
}
