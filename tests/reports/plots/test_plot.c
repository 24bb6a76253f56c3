// SPDX-License-Identifier: MIT
// covers: reports/plots/plot_against.c reports/plots/plot_areas.c reports/plots/plot_course.c
// covers: reports/plots/plot_course_draw.c reports/plots/plot_overview.c
// covers: reports/plots/plot_curve.c reports/plots/plot_mean.c
// covers: reports/plots/plot_errors.c reports/plots/plot_heat.c reports/plots/plot_kinds.c
// covers: reports/plots/plot_page.c reports/plots/plot_quality.c reports/plots/plot_range.c
// covers: reports/plots/plot_scaling.c reports/plots/plot_simulations.c reports/plots/plot_source.c
// covers: reports/plots/plot_steps.c reports/plots/plot_style.c reports/plots/plot_sweep.c
// covers: reports/plots/plot_tradeoff.c reports/plots/tradeoff.c
#include "reports/plots/plot_curve.h"
#include "reports/plots/plot_kinds.h"
#include "reports/plots/plot_range.h"
#include "reports/plots/plot_simulations.h"
#include "reports/plots/plot_style.h"
#include "reports/plots/plot_sweep.h"
#include "reports/rows/rows.h"

#include "tests/reports/plots/plot_fixture.h"
#include "tests/reports/rows/results_fixture.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

TestSuite(reports_plot, .init = plot_open, .fini = results_close);

Test(reports_plot, a_thinned_curve_is_the_same_picture) {
  enum { COUNT = 100000 };
  double *values = calloc(COUNT, sizeof *values), *x = calloc(COUNT, sizeof *x),
         *y = calloc(COUNT, sizeof *y);
  for (int i = 0; i < COUNT; i++) // flat, steep, flat again
    values[COUNT - 1 - i] = i < 30000   ? 0.25
                            : i < 40000 ? 0.25 + (i - 30000) * 7e-5
                                        : 0.95 + (i - 40000) * 5e-7;
  ts_plot_book book = plot_make_book();
  ts_plot_page page;
  ts_plot_begin_kind(&book, "curve");
  cr_assert_eq(ts_plot_begin(&page, &book, "x", "a", "b", (ts_plot_shape){1, 1, 1, 1},
                             TS_PLOT_SORTED_HEADER "v"),
               TS_OK);
  const double least = 1 / TS_PLOT_STAIRS;
  ts_plot_add_sorted(&page, &(ts_plot_sorted){1, "l", "v", "lt 1", COUNT, values, least});
  cr_assert_eq(ts_plot_end(&page), TS_OK);
  size_t count = plot_read_column(x, COUNT, "curve-x", 2, 0, 3);
  cr_assert_eq(plot_read_column(y, COUNT, "curve-x", 2, 0, 4), count);
  cr_expect_lt(count, 2 * 0.75 * TS_PLOT_STAIRS + 4);
  cr_expect_eq(x[0], 0);
  cr_expect_eq(x[count - 1], 100);
  size_t segment = 0;
  for (int i = 0; i < COUNT; i++) {
    double share = 100 * (i + 0.5) / COUNT;
    while (segment + 2 < count && x[segment + 1] < share)
      segment++;
    double part = (share - x[segment]) / (x[segment + 1] - x[segment]);
    double drawn = y[segment] + part * (y[segment + 1] - y[segment]);
    cr_assert_lt(fabs(drawn - values[i]), least, "%d: %g, not %g", i, drawn, values[i]);
  }
  cr_expect_eq(plot_read_column(x, COUNT, "curve-x", 2, 1, 3), 5);
  free(values);
  free(x);
  free(y);
}

Test(reports_plot, a_sorted_curve_begins_with_the_best) {
  const double values[3] = {1, 0.75, 0};
  ts_plot_book book = plot_make_book();
  ts_plot_page page;
  ts_plot_begin_kind(&book, "curve");
  cr_assert_eq(ts_plot_begin(&page, &book, "best", "a", "b", (ts_plot_shape){1, 1, 1, 1},
                             TS_PLOT_SORTED_HEADER "v"),
               TS_OK);
  ts_plot_add_sorted(&page, &(ts_plot_sorted){1, "l", "v", "lt 1", 3, values, 1e-3});
  cr_assert_eq(ts_plot_end(&page), TS_OK);
  double y[8];
  cr_assert_eq(plot_read_column(y, 8, "curve-best", 2, 0, 4), 6);
  cr_expect_eq(y[0], 1);
  cr_expect_eq(y[5], 0);
}

Test(reports_plot, a_title_is_whole_in_as_many_lines_as_it_takes) {
  size_t lines = 0;
  cr_expect_str_eq(ts_plot_title(fixture_arena, "unique contacts", 15, &lines),
                   "label(\"unique contacts\")");
  cr_expect_eq(lines, 1);
  cr_expect_str_eq(ts_plot_title(fixture_arena, "unique contacts by step", 15, &lines),
                   "two_lines(label(\"unique contacts\"), label(\"by step\"))");
  cr_expect_eq(lines, 3, "they are added");
  cr_expect_str_eq(ts_plot_title(fixture_arena, "perturb_m=0.02", 10, &lines),
                   "two_lines(label(\"perturb_m=\"), label(\"0.02\"))");
  cr_expect_str_eq(ts_plot_title(fixture_arena, "\xc3\xa4\xc3\xb6\xc3\xbc", 2, &lines),
                   "two_lines(label(\"\xc3\xa4\xc3\xb6\"), label(\"\xc3\xbc\"))",
                   "no letter is cut");
  lines = 0;
  cr_expect_str_eq(ts_plot_title(fixture_arena, "", 10, &lines), "label(\"\")");
  cr_expect_eq(lines, 1);
}

Test(reports_plot, bars_have_no_symbol_of_size_0_which_librsvg_refuses) {
  cr_expect_not(strstr(TS_PLOT_BARS, "ps 0 "));
}

Test(reports_plot, a_method_has_the_same_style_in_any_plot) {
  plot_add_record("a=1", "opposing", 0);
  ts_plot_source alone = plot_make_source();
  const char *style = ts_plot_style(fixture_arena, &alone, 0);
  plot_add_record("a=1", "growth", 0);
  plot_add_record("a=1", "closest_points", 0);
  ts_plot_source all = plot_make_source();
  cr_expect_str_eq(style, "lt 3");
  for (size_t i = 0; i < all.methods.count; i++)
    if (strcmp(all.methods.entries[i].name, "opposing") == 0)
      cr_expect_str_eq(ts_plot_style(fixture_arena, &all, i), style);
}

Test(reports_plot, the_same_method_with_other_parameters_has_a_dash_of_its_own) {
  plot_add_record("a=1", "growth", 0)->method_parameters = "p=1";
  plot_add_record("a=1", "growth", 0)->method_parameters = "p=2";
  ts_plot_source source = plot_make_source();
  cr_expect_str_eq(ts_plot_style(fixture_arena, &source, 0), "lt 2");
  cr_expect_str_eq(ts_plot_style(fixture_arena, &source, 1), "lt 2 dt 2");
}

Test(reports_plot, every_method_has_a_look_of_its_own) {
  ts_plot_source source = plot_make_source();
  ts_plot_book book = plot_make_book();
  cr_assert_eq(ts_plot_write_style(&book, &source, "svg"), TS_OK);
  const char *look = fixture_read(fixture_path("plots/look.gp"), NULL);
  cr_expect(strstr(look, "format = \"svg\""));
  cr_expect(strstr(look, "# \"opposing\""));
  cr_expect(strstr(look, "set linetype 3 "));
  cr_expect_not(strstr(look, "set linetype 4 "));
}

Test(reports_plot, text_from_elsewhere_cannot_become_script) {
  cr_expect_str_eq(ts_plot_quote(fixture_arena, "a\"b\\c`d`\ne"), "\"a\\\"b\\\\c d  e\"");
}

Test(reports_plot, names_of_files_are_plain_and_differ) {
  ts_plot_book book = {.arena = fixture_arena};
  ts_plot_begin_kind(&book, "k");
  for (int i = 0; i < 3; i++) {
    ts_plot_page page;
    cr_assert_eq(ts_plot_begin(&page, &book, "../a b", "", "", (ts_plot_shape){0}, "c"), TS_OK);
    cr_assert_eq(ts_plot_end(&page), TS_OK);
  }
  cr_expect_str_eq(book.names[0], "k-.._a_b");
  cr_expect_str_eq(book.names[1], "k-.._a_b.2");
  cr_expect_str_eq(book.names[2], "k-.._a_b.3");
}

Test(reports_plot, plots_beyond_the_maximum_are_left_out) {
  ts_plot_book book = {.arena = fixture_arena};
  ts_plot_begin_kind(&book, "k");
  ts_plot_page page;
  for (size_t i = 0; i < TS_PLOT_KIND_MAX; i++)
    cr_assert_eq(ts_plot_begin(&page, &book, "x", "", "", (ts_plot_shape){0}, "c"), TS_OK);
  cr_expect_eq(ts_plot_begin(&page, &book, "x", "", "", (ts_plot_shape){0}, "c"), TS_SKIPPED);
}

/// Two methods over three values of `n`, times n^2 and 5 n microseconds, and two seeds each.
static void add_sweep(void) {
  static const char *const parameters[] = {"n=1;motion_seed=1", "n=2;motion_seed=1",
                                           "n=4;motion_seed=1", "n=1;motion_seed=2",
                                           "n=2;motion_seed=2", "n=4;motion_seed=2"};
  static const double n[] = {1, 2, 4, 1, 2, 4};
  for (int i = 0; i < 6; i++) {
    ts_record *r = plot_add_record(parameters[i], "growth", 0);
    r->generate_ns_median = 1000 * n[i] * n[i];
    r->quality_percent = i < 3 ? 10 : 20;
    r = plot_add_record(parameters[i], "opposing", 0);
    r->generate_ns_median = 5000 * n[i];
    r->quality_percent = 50 * n[i] / 4;
  }
}

Test(reports_plot, a_swept_parameter_is_found_and_a_seed_is_not_one) {
  add_sweep();
  ts_plot_source source = plot_make_source();
  ts_plot_sweep *sweeps;
  size_t count;
  cr_assert_eq(ts_plot_find_sweeps(&sweeps, &count, fixture_arena, &source), TS_OK);
  cr_assert_eq(count, 1);
  cr_expect_str_eq(sweeps[0].name, "n");
  ts_plot_run *runs;
  size_t run_count;
  cr_assert_eq(ts_plot_find_runs(&runs, &run_count, fixture_arena, &sweeps[0]), TS_OK);
  cr_assert_eq(run_count, 2);
  cr_expect_eq(runs[0].value_count, 3);
  const ts_field *quality = ts_row_find(&ts_summary_rows, "quality_percent");
  ts_plot_points points;
  cr_assert_eq(ts_plot_run_points(&points, fixture_arena, &sweeps[0], &runs[0], quality, true),
               TS_OK);
  cr_assert_eq(points.count, 3);
  cr_expect_eq(points.x[2], 4);
  cr_expect_eq(points.y[2].mean, 15, "seeds are averaged: %g", points.y[2].mean);
  cr_expect(points.y[2].low < 15 && points.y[2].high > 15);
  cr_expect_eq(ts_plot_run_seeds(&sweeps[0], runs, run_count), 2);
}

Test(reports_plot, parameters_of_the_simulation_do_not_sweep_the_scene_as_built) {
  for (int i = 0; i < 4; i++)
    plot_add_record("a=1", "growth", i < 2 ? 0 : 3)->simulation_parameters =
        i % 2 ? "dt_s=0.1" : "dt_s=0.01";
  ts_plot_source source = plot_make_source();
  ts_plot_sweep *sweeps;
  size_t count;
  cr_assert_eq(ts_plot_find_sweeps(&sweeps, &count, fixture_arena, &source), TS_OK);
  cr_assert_eq(count, 1);
  cr_expect_eq(sweeps[0].source.count, 2);
}

Test(reports_plot, rows_that_differ_by_more_than_a_number_are_not_a_sweep) {
  plot_add_record("n=1;kind=x", "growth", 0);
  plot_add_record("n=2;kind=y", "growth", 0);
  ts_plot_source source = plot_make_source();
  ts_plot_sweep *sweeps;
  size_t count;
  cr_assert_eq(ts_plot_find_sweeps(&sweeps, &count, fixture_arena, &source), TS_OK);
  cr_expect_eq(count, 0);
}

Test(reports_plot, the_exponent_of_the_time_is_labelled) {
  add_sweep();
  ts_plot_source source = plot_make_source();
  ts_plot_book book = plot_make_book();
  ts_plot_begin_kind(&book, "time_size");
  cr_assert_eq(ts_plot_time_size.make(&book, &source), TS_OK);
  cr_assert_eq(book.count, 1);
  const char *script = plot_read_script(book.names[0]);
  cr_expect(strstr(script, "growth: exponent 2.00"));
  cr_expect(strstr(script, "opposing: exponent 1.00"));
}

/// Whether the plot of times of so many methods is as wide as so many columns of a paper.
static bool takes_columns(int methods, const char *columns) {
  static const char *const sizes[] = {"n=1", "n=2", "n=4"};
  static char names[9][2];
  for (int m = 0; m < methods; m++) {
    names[m][0] = (char)('a' + m);
    for (int i = 0; i < 3; i++)
      plot_add_record(sizes[i], names[m], 0)->generate_ns_median = 1000 << i;
  }
  ts_plot_source source = plot_make_source();
  ts_plot_book book = plot_make_book();
  ts_plot_begin_kind(&book, "time_size");
  cr_assert_eq(ts_plot_time_size.make(&book, &source), TS_OK);
  cr_assert_eq(book.count, 1);
  return strstr(plot_read_script(book.names[0]), columns);
}

Test(reports_plot, eight_curves_of_times_take_one_column_of_a_paper) {
  cr_expect(takes_columns(8, "\ncolumns = 1\n"));
}

Test(reports_plot, nine_curves_of_times_take_two) {
  cr_expect(takes_columns(9, "\ncolumns = 2\n"));
}

Test(reports_plot, the_front_has_the_methods_that_none_beats) {
  static const double times_ns[] = {3000, 1000, 2000}, quality[] = {90, 50, 40};
  for (int i = 0; i < 3; i++) {
    ts_record *r = plot_add_record("a=1", plot_method_names[i], 0);
    r->generate_ns_median = times_ns[i];
    r->quality_percent = quality[i];
  }
  ts_plot_source source = plot_make_source();
  ts_plot_book book = plot_make_book();
  ts_plot_begin_kind(&book, "quality_time");
  cr_assert_eq(ts_plot_quality_time.make(&book, &source), TS_OK);
  cr_assert_eq(book.count, 1);
  double time_s[8], percent[8];
  cr_assert_eq(plot_read_column(time_s, 8, book.names[0], 1, 0, 3), 4);
  cr_assert_eq(plot_read_column(percent, 8, book.names[0], 1, 0, 4), 4);
  cr_expect_float_eq(time_s[1], 1e-6, 1e-12);
  cr_expect_eq(percent[1], 50);
  cr_expect_float_eq(time_s[2], 3e-6, 1e-12);
  cr_expect_eq(percent[3], 90);
}

Test(reports_plot, what_is_not_measured_is_in_the_heat_map_without_a_shade) {
  plot_add_record("a=1", "growth", 0)->quality_percent = 40;
  plot_add_record("a=1", "opposing", 0)->outcome = "crashed";
  ts_plot_source source = plot_make_source();
  ts_plot_book book = plot_make_book();
  ts_plot_begin_kind(&book, "heat_map");
  cr_assert_eq(ts_plot_heat_map.make(&book, &source), TS_OK);
  cr_assert_eq(book.count, 1, "measures without a value have no map");
  double shades[3];
  cr_expect_eq(plot_read_column(shades, 3, book.names[0], 6, 1, 7), 2, "a field and a mean");
  cr_expect_float_eq(shades[0], 0.4, 1e-12);
  cr_expect_float_eq(shades[1], 0.2, 1e-12, "what failed counts as 0");
  cr_expect_eq(plot_read_column(shades, 3, book.names[0], 6, 0, 0), 1);
  cr_expect_eq(shades[0], 2);
}

Test(reports_plot, a_heat_map_is_light_where_its_column_is_best) {
  static const struct {
    const char *column;
    double number, shade;
  } maps[] = {{"coverage_percent", 40, 0.4},   {"excess_factor", 2, 0.75},
              {"area_coverage", 0.5, 0.5},     {"freed_wrongly_percent", 10, 0.9},
              {"churn_percent_mean", 30, 0.7}, {"cone_jump_max", 1, 0},
              {"continuity_order", 0.25, 0.25}};
  ts_record *record = plot_add_record("a=1", "growth", 3);
  for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
    ts_row_set_number(ts_row_find(&ts_summary_rows, maps[i].column), record, maps[i].number);
  ts_plot_source source = plot_make_source();
  ts_plot_book book = plot_make_book();
  ts_plot_begin_kind(&book, "heat_map");
  cr_assert_eq(ts_plot_heat_map.make(&book, &source), TS_OK);
  cr_assert_eq(book.count, sizeof maps / sizeof *maps);
  for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
    double shade;
    cr_expect(strstr(book.names[i], maps[i].column) != NULL, "%s", book.names[i]);
    cr_expect_eq(plot_read_column(&shade, 1, book.names[i], 6, 1, 7), 1);
    cr_expect_float_eq(shade, maps[i].shade, 1e-12, "%s", maps[i].column);
  }
}

Test(reports_plot, few_steps_have_no_plot_over_steps) {
  for (int i = 2; i < 5; i++)
    plot_add_record("a=1", "growth", i)->contacts_unique = i;
  ts_plot_source source = plot_make_source();
  ts_plot_book book = plot_make_book();
  ts_plot_begin_kind(&book, "contacts_step");
  cr_assert_eq(ts_plot_steps.make(&book, &source), TS_OK);
  cr_expect_eq(book.count, 0);
  plot_add_record("a=1", "growth", 5)->contacts_unique = 7;
  source = plot_make_source();
  cr_assert_eq(ts_plot_steps.make(&book, &source), TS_OK);
  cr_expect_eq(book.count, 1);
  double contacts[8];
  cr_expect_eq(plot_read_column(contacts, 8, book.names[0], 0, 1, 3), 4);
  cr_expect_eq(contacts[3], 7);
}

Test(reports_plot, what_sums_up_the_steps_is_in_a_heat_map_of_the_last_one) {
  for (int i = 0; i < 6; i++) {
    ts_record *record = plot_add_record("a=1", "growth", i);
    record->quality_percent = 50;
    record->churn_percent_mean = i == 0 ? (double)NAN : i;
  }
  ts_plot_source source = plot_make_source();
  ts_plot_book book = plot_make_book();
  ts_plot_begin_kind(&book, "heat_map");
  cr_assert_eq(ts_plot_heat_map.make(&book, &source), TS_OK);
  cr_assert_eq(book.count, 4, "three of the quality");
  cr_expect_str_eq(book.names[3], "heat_map-churn_percent_mean-step5");
  double churn[2];
  cr_expect_eq(plot_read_column(churn, 2, book.names[3], 6, 1, 4), 1);
  cr_expect_eq(churn[0], 5);
}

/// Makes the plots of coherence of the records.
static ts_plot_book make_coherence(void) {
  ts_plot_source source = plot_make_source();
  ts_plot_book book = plot_make_book();
  ts_plot_begin_kind(&book, "coherence_step");
  cr_assert_eq(ts_plot_coherence.make(&book, &source), TS_OK);
  return book;
}

Test(reports_plot, coherence_has_a_plot_for_each_column_with_values) {
  for (int i = 0; i < 6; i++) {
    ts_record *r = plot_add_record("a=1", "growth", i);
    r->churn_percent = i < 1 ? (double)NAN : 10 * i;
    r->cone_jump = i < 3 ? (double)NAN : 0.5; // three values
    r = plot_add_record("a=1", "opposing", i);
    r->churn_percent = i < 1 ? (double)NAN : 100 - i;
    r->set_jump_m = i == 3 ? (double)NAN : 1e-3;
  }
  ts_plot_book book = make_coherence();
  cr_assert_eq(book.count, 2);
  cr_expect_str_eq(book.names[0], "coherence_step-wall-churn_percent");
  cr_expect_str_eq(book.names[1], "coherence_step-wall-set_jump_m");
  double values[8];
  cr_expect_eq(plot_read_column(values, 8, book.names[0], 0, 1, 3), 5);
  cr_expect_eq(values[4], 50);
  cr_expect_eq(plot_read_column(values, 8, book.names[0], 0, 2, 3), 5);
  cr_expect_eq(values[4], 95);
  cr_expect(strstr(plot_read_script(book.names[0]), "set yrange [-3:103]") != NULL);
  // A step without a value interrupts the curve; a method without any has none.
  cr_expect_eq(plot_read_column(values, 8, book.names[1], 0, 1, 3), 5);
  cr_expect(isnan(values[2]));
  cr_expect_eq(values[4], 1e-3);
  cr_expect_eq(plot_read_column(values, 8, book.names[1], 0, 2, 3), 0);
  const char *script = plot_read_script(book.names[1]);
  cr_expect(strstr(script, "title label(\"opposing\")") != NULL);
  cr_expect_null(strstr(script, "title label(\"growth\")"));
  cr_expect_null(strstr(script, "\"0\""), "nothing is 0");
}

Test(reports_plot, zeros_on_an_axis_of_powers_keep_their_value_and_have_a_place) {
  static const double jumps[] = {0, 1e-9, 0, 1, 2e-5};
  for (int i = 0; i < 5; i++) {
    plot_add_record("a=1", "growth", i + 1)->set_jump_per_m = jumps[i];
    plot_add_record("a=1", "opposing", i + 1)->set_jump_per_m = 0;
  }
  ts_plot_book book = make_coherence();
  cr_assert_eq(book.count, 1);
  double values[16];
  cr_assert_eq(plot_read_column(values, 16, book.names[0], 0, 1, 3), 5);
  for (int i = 0; i < 5; i++)
    cr_expect_eq(values[i], jumps[i]);
  cr_expect_eq(plot_read_column(values, 16, book.names[0], 0, 2, 3), 5);
  const char *script = plot_read_script(book.names[0]);
  const char *zero = strstr(script, "\"0\" "), *lowest = strstr(script, "set yrange [");
  cr_assert(zero && lowest);
  double place = strtod(zero + strlen("\"0\" "), NULL);
  cr_expect_lt(place, 1e-9);
  cr_expect_lt(strtod(lowest + strlen("set yrange ["), NULL), place);
  cr_expect(strstr(script, "\"1e-8\" 1e-8") != NULL);
}

Test(reports_plot, rounding_noise_is_below_the_axis_of_powers_and_keeps_its_value) {
  static const double jumps[] = {0, 3e-20, 1e-3, 1, 2e-5};
  for (int i = 0; i < 5; i++)
    plot_add_record("a=1", "growth", i + 1)->set_jump_per_m = jumps[i];
  ts_plot_book book = make_coherence();
  cr_assert_eq(book.count, 1);
  double values[16];
  cr_assert_eq(plot_read_column(values, 16, book.names[0], 0, 1, 3), 5);
  cr_expect_eq(values[1], 3e-20);
  const char *script = plot_read_script(book.names[0]), *label = strstr(script, "\"<1e-9\" ");
  cr_assert(label, "%s", script);
  double place = strtod(label + strlen("\"<1e-9\" "), NULL);
  cr_expect(place < 1e-5 && place > 1e-7, "the axis ends with the values it shows: %g", place);
  cr_expect_null(strstr(script, "\"0\" "), "0 is there, too");
}

Test(reports_plot, coherence_that_is_always_zero_or_infinite_has_an_axis) {
  for (int i = 0; i < 5; i++) {
    plot_add_record("a=1", "growth", i + 1)->cone_jump = 0;
    plot_add_record("a=2", "growth", i + 1)->set_jump_m = (double)INFINITY;
    plot_add_record("a=3", "growth", i + 1)->set_jump_m = 5e-324;
  }
  ts_plot_book book = make_coherence();
  cr_assert_eq(book.count, 3);
  for (size_t i = 0; i < book.count; i++) {
    double low, high;
    cr_assert_eq(sscanf(strstr(plot_read_script(book.names[i]), "set yrange ["),
                        "set yrange [%lf:%lf]", &low, &high),
                 2);
    cr_expect(low > 0 && low < high && isfinite(high), "%s: %g to %g", book.names[i], low, high);
  }
}

Test(reports_plot, simulations_are_told_apart_by_what_two_of_them_have) {
  static const char *const lists[] = {
      "dt_s=0.01;stepper=touchstone",
      "dt_s=0.01;stepper=touchstone;response=volume;areas=given;position_iterations=3",
      "dt_s=0.01;stepper=touchstone;response=volume;areas=given;position_iterations=10",
      "dt_s=0.005;stepper=touchstone;response=penalty;areas=given;stiffness_n_m5=1e7",
  };
  static const char *const names[] = {
      "dt_s=0.01 response=points",
      "dt_s=0.01 response=volume position_iterations=3",
      "dt_s=0.01 response=volume position_iterations=10",
      "dt_s=0.005 response=penalty",
  };
  const char **found;
  cr_assert_eq(ts_plot_name_simulations(&found, fixture_arena, lists, 4), TS_OK);
  for (int i = 0; i < 4; i++)
    cr_expect_str_eq(found[i], names[i]);
  cr_assert_eq(ts_plot_name_simulations(&found, fixture_arena, lists, 1), TS_OK);
  cr_expect_str_eq(found[0], "");
  static const char *const responses[] = {"", "response=volume"};
  cr_assert_eq(ts_plot_name_simulations(&found, fixture_arena, responses, 2), TS_OK);
  cr_expect_str_eq(found[0], "response=points");
  cr_expect_str_eq(found[1], "response=volume");
}

Test(reports_plot, a_curve_that_a_linear_axis_would_hide_is_noticed) {
  static const double curves[][3] = {{0, 50, 100}, {1e-6, 2, 1}, {0, 0, (double)NAN}};
  ts_plot_range range = ts_plot_range_start();
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++)
      ts_plot_range_add(&range, curves[i][k]);
    ts_plot_range_end_curve(&range);
  }
  cr_expect_not(ts_plot_range_hides_curves(&range), "one is 50 times as high, one is 0");
  cr_expect(ts_plot_range_spans_decades(&range));
  cr_expect(range.has_zero && range.low == 0 && range.high == 100 && range.least == 1e-6);
  ts_plot_range_add(&range, 0.5);
  ts_plot_range_end_curve(&range);
  cr_expect(ts_plot_range_hides_curves(&range));
  ts_plot_range_add(&range, -1e-9);
  cr_expect_not(ts_plot_range_hides_curves(&range), "powers have no sign");
  cr_expect_not(ts_plot_range_spans_decades(&range));
}

static ts_plot_range range_of(const double (*curves)[3], size_t count) {
  ts_plot_range range = ts_plot_range_start();
  for (int pass = 0; pass < 2; pass++) {
    range = ts_plot_range_renew(&range);
    for (size_t i = 0; i < count; i++) {
      for (int k = 0; k < 3; k++)
        ts_plot_range_add(&range, curves[i][k]);
      ts_plot_range_end_curve(&range);
    }
  }
  return range;
}

Test(reports_plot, rounding_noise_needs_no_axis_of_powers) {
  static const double curves[][3] = {{3, 5, 8}, {1e-30, 2e-30, 1e-27}, {0.1, 0.9, 1}};
  ts_plot_range range = range_of(curves, 3);
  cr_expect_not(ts_plot_range_hides_curves(&range), "8 is not out of proportion to 1");
  cr_expect(range.has_noise && !range.has_zero && range.least == 0.1);
  static const double above[][3] = {{3, 5, 8}, {1e-8, 2e-8, 1e-8}};
  range = range_of(above, 2);
  cr_expect(ts_plot_range_hides_curves(&range) && !range.has_noise, "9 decades below 10 are shown");
}

Test(reports_plot, only_zeros_are_flat) {
  ts_plot_range range = ts_plot_range_start();
  cr_expect_not(ts_plot_range_is_flat(&range));
  ts_plot_range_add(&range, 0);
  cr_expect(ts_plot_range_is_flat(&range));
  ts_plot_range_add(&range, 1e-300);
  cr_expect_not(ts_plot_range_is_flat(&range));
}

/// Makes the plots of motion of the records.
static ts_plot_book make_motion(void) {
  ts_plot_source source = plot_make_source();
  ts_plot_book book = plot_make_book();
  ts_plot_begin_kind(&book, "motion_step");
  cr_assert_eq(ts_plot_motion.make(&book, &source), TS_OK);
  return book;
}

/// A method under the simulation, with steps 2 to 6.
static void add_motion(const char *method, const char *simulation, double kinetic_j,
                       double elastic_j) {
  for (int i = 2; i <= 6; i++) {
    ts_record *r = plot_add_record("a=1", method, i);
    r->simulation_parameters = simulation;
    r->kinetic_energy_j = kinetic_j * i;
    r->potential_energy_j = -kinetic_j * i;
    r->elastic_energy_j = elastic_j;
    r->position_energy_j = 0;
  }
}

Test(reports_plot, responses_to_the_same_contacts_share_a_plot) {
  add_motion("growth", "dt_s=0.01", 1, (double)NAN);
  add_motion("growth", "dt_s=0.01;response=volume;areas=given", 2, (double)NAN);
  add_motion("growth", "dt_s=0.01;response=penalty;areas=given", 3, 4);
  ts_plot_book book = make_motion();
  cr_assert_eq(book.count, 1, "nothing but energies has a value");
  cr_expect_str_eq(book.names[0], "motion_step-wall-energy");
  const char *script = plot_read_script(book.names[0]);
  cr_expect(strstr(script, "what = label(\"growth: wall\")") != NULL);
  static const char *const responses[] = {"points", "volume", "penalty"};
  for (int i = 0; i < 3; i++)
    cr_expect(strstr(script, ts_arena_format(fixture_arena, "ls %d title label(\"response=%s\")",
                                             i + 1, responses[i])) != NULL,
              "%s", responses[i]);
  // Curve, label, step, time, and the energies that are not 0 throughout.
  double values[8];
  cr_assert_eq(plot_read_column(values, 8, book.names[0], 0, 3, 3), 5);
  cr_expect_float_eq(values[0], 0.01, 1e-12, "the end of the first time step");
  cr_expect_eq(plot_read_column(values, 8, book.names[0], 0, 3, 5), 5);
  cr_expect_eq(values[4], -18);
  cr_expect_eq(plot_read_column(values, 8, book.names[0], 0, 3, 6), 5);
  cr_expect_eq(values[4], 4);
  cr_expect(strstr(script, "Elastic energy [J]") != NULL);
  cr_expect_null(strstr(script, "Energy of position steps"));
  // Only the penalty has elastic energy.
  const char *elastic = strstr(script, "Elastic energy [J]");
  cr_expect_null(strstr(elastic, "drawn(1)"));
  cr_expect(strstr(elastic, "plot data using (only(3, \"time_s\"))") != NULL);
}

Test(reports_plot, methods_keep_their_colours_and_simulations_have_dashes) {
  add_motion("growth", "dt_s=0.01", 1, (double)NAN);
  add_motion("growth", "dt_s=0.02", 1, (double)NAN);
  add_motion("opposing", "dt_s=0.01", 1, (double)NAN);
  ts_plot_book book = make_motion();
  cr_assert_eq(book.count, 1);
  const char *script = plot_read_script(book.names[0]);
  cr_expect(strstr(script, "what = label(\"wall\")") != NULL);
  cr_expect(strstr(script, "lt 2 title label(\"growth dt_s=0.01\")") != NULL);
  cr_expect(strstr(script, "lt 2 dt 2 title label(\"growth dt_s=0.02\")") != NULL);
  cr_expect(strstr(script, "lt 3 title label(\"opposing dt_s=0.01\")") != NULL);
  double times[8];
  cr_assert_eq(plot_read_column(times, 8, book.names[0], 0, 2, 3), 5);
  cr_expect_float_eq(times[4], 0.1, 1e-12);
}

/// Steps 2 to 6 of a method in a case, with that drift at first.
static void add_drift(const char *case_name, const char *method, const char *simulation,
                      double drift_m) {
  for (int i = 2; i <= 6; i++) {
    ts_record *r = plot_add_record("a=1", method, i);
    r->case_name = case_name;
    r->simulation_parameters = simulation;
    r->drift_m_max = drift_m * i;
  }
}

/// The place of a plot in a book; its count if it is not there.
static size_t place_of(const ts_plot_book *book, const char *name) {
  size_t i = 0;
  while (i < book->count && strcmp(book->names[i], name) != 0)
    i++;
  return i;
}

Test(reports_plot, cases_that_move_share_a_plot_of_their_drift_with_a_panel_each) {
  add_drift("wall", "growth", "dt_s=0.01", 1);
  add_drift("arch", "growth", "dt_s=0.01", 2);
  add_drift("arch", "opposing", "dt_s=0.01", 3);
  ts_plot_book book = make_motion();
  const char *name = "motion_step-all_cases-drift";
  cr_assert_lt(place_of(&book, name), book.count);
  cr_expect_eq(place_of(&book, "motion_step-all_cases-kinetic_energy"), book.count, "no values");
  const char *script = plot_read_script(name);
  cr_expect(strstr(script, "what = label(\"2 cases\")"));
  cr_expect(strstr(script, "across = 2\ndown = 1\n"), "two panels fill the page");
  cr_expect(strstr(script, "set title label(\"wall\")") &&
            strstr(script, "set title label(\"arch\")"));
  // Of the three curves, each in the style of its method.
  cr_expect(strstr(script, "(drawn(1)) with lines lt 2"));
  cr_expect(strstr(script, "(drawn(3)) with lines lt 3"));
  double values[8];
  cr_assert_eq(plot_read_column(values, 8, name, 0, 3, 4), 5);
  cr_expect_eq(values[0], 6);
}

Test(reports_plot, one_case_has_no_plot_of_all_cases) {
  add_drift("wall", "growth", "dt_s=0.01", 1);
  ts_plot_book book = make_motion();
  cr_expect_eq(place_of(&book, "motion_step-all_cases-drift"), book.count);
}

Test(reports_plot, several_simulations_of_a_case_have_no_plot_of_all_cases) {
  add_drift("wall", "growth", "dt_s=0.01", 1);
  add_drift("arch", "growth", "dt_s=0.01", 1);
  add_drift("arch", "growth", "dt_s=0.02", 1);
  ts_plot_book book = make_motion();
  cr_expect_eq(place_of(&book, "motion_step-all_cases-drift"), book.count);
}

Test(reports_plot, of_few_steps_each_whole_one_has_a_tic) {
  for (int i = 2; i <= 6; i++)
    plot_add_record("a=1", "growth", i)->contacts_unique = i;
  ts_plot_source source = plot_make_source();
  ts_plot_book book = plot_make_book();
  ts_plot_begin_kind(&book, "contacts_step");
  cr_assert_eq(ts_plot_steps.make(&book, &source), TS_OK);
  cr_assert_eq(book.count, 1);
  cr_expect(strstr(plot_read_script(book.names[0]), "set xtics 1\n"));
}

Test(reports_plot, motion_without_a_known_time_step_has_no_plot) {
  add_motion("growth", "", 1, (double)NAN);
  add_motion("opposing", "sweeps=1000;dt_s", 1, (double)NAN);
  cr_expect_eq(make_motion().count, 0);
}

Test(reports_plot, motion_that_one_curve_would_hide_has_an_axis_of_powers_but_tilt_does_not) {
  for (int i = 2; i <= 6; i++) {
    ts_record *r = plot_add_record("a=1", "growth", i);
    r->drift_m_max = r->tilt_deg_max = 1e-7 * i;
    r = plot_add_record("a=1", "opposing", i);
    r->drift_m_max = r->tilt_deg_max = i;
    r->overlap_m3 = 0;
  }
  ts_plot_book book = make_motion();
  cr_assert_eq(book.count, 3);
  cr_expect_str_eq(book.names[0], "motion_step-wall-drift");
  cr_expect(strstr(plot_read_script(book.names[0]), "set logscale y") != NULL);
  cr_expect_str_eq(book.names[1], "motion_step-wall-tilt");
  cr_expect(strstr(plot_read_script(book.names[1]), "set yrange [-0.3:6.3]") != NULL);
  cr_expect_str_eq(book.names[2], "motion_step-wall-overlap");
  cr_expect(strstr(plot_read_script(book.names[2]), "set yrange [-0.05:1.05]") != NULL,
            "zeros alone have an axis");
}

/// Makes the plots of a kind over a sweep of position steps, whose overlap ends at 0.
static ts_plot_book make_sweep_of_steps(const ts_plot_kind *kind) {
  static const double overlaps_m3[] = {0.02, 3e-6, 0};
  for (int i = 0; i < 3; i++) {
    ts_record *r = plot_add_record("a=1", "growth", 2);
    r->simulation_parameters = ts_arena_format(fixture_arena, "dt_s=0.01;iterations=%d", i);
    r->overlap_m3 = overlaps_m3[i];
    r->contact_force_n_max = 1000 * i;
  }
  ts_plot_source source = plot_make_source();
  ts_plot_book book = plot_make_book();
  ts_plot_begin_kind(&book, kind->name);
  cr_assert_eq(kind->make(&book, &source), TS_OK);
  return book;
}

Test(reports_plot, overlaps_against_a_parameter_keep_their_zeros) {
  ts_plot_book book = make_sweep_of_steps(&ts_plot_response_sweep);
  cr_assert_eq(book.count, 1);
  cr_expect_str_eq(book.names[0], "response_sweep-iterations-wall-step2");
  double values[8];
  cr_assert_eq(plot_read_column(values, 8, book.names[0], 1, 1, 4), 6,
               "a panel for each of two columns");
  cr_expect_eq(values[0], 0.02);
  cr_expect_eq(values[2], 0);
  cr_expect_eq(values[5], 2000);
  const char *script = plot_read_script(book.names[0]);
  const char *overlap = strstr(script, "Overlap volume [m3]"),
             *powers = strstr(script, "logscale y"), *zero = strstr(script, "\"0\" "),
             *force = strstr(script, "Contact force, maximum [N]");
  cr_assert(overlap && powers && zero && force);
  cr_expect(overlap < powers && powers < zero && zero < force);
  cr_expect(strstr(force, "set yrange [-100:2100]") != NULL, "forces are linear");
}

Test(reports_plot, what_no_metric_fills_is_not_among_the_measures) {
  cr_expect_eq(make_sweep_of_steps(&ts_plot_measures_sweep).count, 0);
}
