// SPDX-License-Identifier: MIT
// covers: reports/formats/format.c reports/formats/format_bencher.c reports/formats/format_csv.c
// covers: reports/formats/format_github_action.c reports/formats/format_google_benchmark.c
// covers: reports/formats/format_json.c reports/formats/format_latex.c
// covers: reports/formats/format_markdown.c reports/formats/format_ranking.c
// covers: reports/formats/format_summary.c reports/formats/latex_study.c
// covers: reports/formats/latex_text.c
// covers: reports/tables/format_text.c reports/tables/pivot.c
#include "reports/formats/format.h"

#include "base/status.h"
#include "reports/rows/results.h"
#include "tests/reports/formats/format_fixture.h"
#include "tests/reports/rows/results_fixture.h"

#include <criterion/criterion.h>
#include <ctype.h>
#include <math.h>
#include <string.h>

TestSuite(reports_format, .init = results_open, .fini = results_close);

static double number_at(const json_t *object, const char *key) {
  const json_t *value = json_object_get(object, key);
  cr_assert(json_is_number(value), "%s is not a number", key);
  return json_number_value(value);
}

static const char *text_at(const json_t *object, const char *key) {
  const json_t *value = json_object_get(object, key);
  cr_assert(json_is_string(value), "%s is not text", key);
  return json_string_value(value);
}

Test(reports_format, names_are_unique_and_no_two_writers_are_one) {
  for (size_t i = 0; ts_formats[i]; i++)
    for (size_t k = 0; k < i; k++) {
      cr_expect_str_neq(ts_formats[i]->name, ts_formats[k]->name);
      cr_expect_neq(ts_formats[i]->write, ts_formats[k]->write);
    }
  cr_expect_str_eq(ts_formats[0]->name, "html");
}

Test(reports_format, every_format_says_what_it_is_and_is_found_by_its_name) {
  for (size_t i = 0; ts_formats[i]; i++) {
    const ts_format *format = ts_formats[i];
    cr_expect_eq(ts_format_find(format->name), format);
    cr_expect(format->readers && format->readers[0], "%s has no readers", format->name);
    cr_expect(format->summary && format->summary[0], "%s has no summary", format->name);
    cr_expect_not_null(format->reads, "%s does not list what it reads; \"\" for nothing",
                       format->name);
  }
  cr_expect_null(ts_format_find("htm"));
}

Test(reports_format, every_format_can_write_no_rows) {
  const ts_format_source source = {.count = 0};
  for (size_t i = 0; ts_formats[i]; i++)
    cr_expect_gt(strlen(format_fixture_write(ts_formats[i], &source)), 0, "%s",
                 ts_formats[i]->name);
}

Test(reports_format, csv_reads_back_as_the_same_rows) {
  ts_format_source source = format_fixture_source();
  const char *path = fixture_path("again.csv");
  fixture_write_text(path, format_fixture_write(&ts_format_csv, &source));
  ts_record *records;
  size_t count;
  cr_assert_eq(ts_summary_read(&records, &count, fixture_arena, path), TS_OK);
  cr_assert_eq(count, FORMAT_ROWS);
  for (size_t i = 0; i < count; i++)
    cr_expect(fixture_rows_equal(&ts_summary_rows, &records[i], &source.records[i]), "row %zu", i);
}

Test(reports_format, json_has_every_column_and_null_for_what_was_not_measured) {
  ts_format_source source = format_fixture_source();
  source.context = json_pack("{s:s}", "program", "touchstone");
  json_t *value = format_fixture_json(&ts_format_json, &source);
  cr_expect_str_eq(text_at(json_object_get(value, "context"), "program"), "touchstone");
  const json_t *rows = json_object_get(value, "rows");
  cr_assert_eq(json_array_size(rows), FORMAT_ROWS);
  const json_t *row = json_array_get(rows, 0);
  cr_expect_eq(json_object_size(row), ts_summary_rows.field_count);
  cr_expect_eq(number_at(row, "quality_percent"), 62.5);
  cr_expect(json_is_integer(json_object_get(row, "repeats")));
  cr_expect(json_is_null(json_object_get(row, "area_coverage")));
  cr_expect(strstr(text_at(json_array_get(rows, 3), "reason"), "</script>") != NULL);
  json_decref(value);
  json_decref(source.context);
}

Test(reports_format, json_keeps_every_bit_of_a_number) {
  ts_format_source source = format_fixture_source();
  ((ts_record *)source.records)[0].area_coverage = 0.1 + 0.2;
  json_t *value = format_fixture_json(&ts_format_json, &source);
  const json_t *row = json_array_get(json_object_get(value, "rows"), 0);
  cr_expect_eq(number_at(row, "area_coverage"), 0.1 + 0.2);
  json_decref(value);
}

Test(reports_format, bytes_that_are_not_utf8_become_the_replacement_character) {
  ts_format_source source = format_fixture_source();
  json_t *value = format_fixture_json(&ts_format_json, &source);
  const char *reason = text_at(json_array_get(json_object_get(value, "rows"), 3), "reason");
  cr_expect(strstr(reason, "'é'\xef\xbf\xbd}") != NULL, "%s", reason);
  json_decref(value);
}

Test(reports_format, markdown_has_a_line_for_each_case_and_a_column_for_each_method) {
  ts_format_source source = format_fixture_source();
  const char *text = format_fixture_write(&ts_format_markdown, &source);
  cr_expect(strstr(text, "| case | one | two | skips |\n|---|---:|---:|---:|\n"
                         "| wall | 62.5 / 100 / 1.50 / 25.0 ns fp | "
                         "100 / 100 / 1.00 / 1.50 us fp | **skipped** |\n"
                         "| spike_in_hole | - / - / - / - | **timed out** |  |\n"),
            "%s", text);
  cr_expect(strstr(text, "2 of 5 rows not ok") != NULL, "%s", text);
}

Test(reports_format, markdown_cannot_be_broken_by_a_reason) {
  ts_format_source source = format_fixture_source();
  const char *text = format_fixture_write(&ts_format_markdown, &source);
  const char *line = strstr(text, "timed out, ");
  cr_assert_not_null(line);
  cr_expect(strstr(line, "\\</script\\>\\<b\\>\"50%\" \\& \\#1_a\\|b\\\\c ") != NULL, "%s", line);
}

/// Reads LaTeX as strictly as TeX does: braces and environments balance, special signs are escaped
/// or where they belong, and each row of a tabular has as many cells as it has columns.
typedef struct tex {
  const char *at;
  int braces, columns, cells, depth;
  const char *environments[8];
  size_t rows;
} tex;

static void read_command(tex *t) {
  if (!isalpha((unsigned char)t->at[1])) {
    cr_assert(strchr("_%&#${}\\~^", t->at[1]), "bad escape at %.20s", t->at);
    if (t->at[1] == '\\') {
      cr_assert_eq(t->cells + 1, t->columns, "%d cells of %d before %.30s", t->cells + 1,
                   t->columns, t->at);
      t->cells = 0;
      t->rows++;
    }
    t->at += 2;
    return;
  }
  size_t length = 1 + strspn(t->at + 1, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
  if (strncmp(t->at, "\\begin{", 7) == 0) {
    cr_assert_lt(t->depth, 8);
    t->environments[t->depth++] = t->at + 7;
    if (strncmp(t->at, "\\begin{tabular}{", 16) == 0) {
      t->columns = 0;
      for (t->at += 16; *t->at != '}'; t->at++)
        t->columns += *t->at == 'l' || *t->at == 'r';
      t->at++;
      return;
    }
  } else if (strncmp(t->at, "\\end{", 5) == 0) {
    cr_assert_gt(t->depth, 0);
    const char *name = t->environments[--t->depth];
    cr_assert_eq(strncmp(name, t->at + 5, strcspn(name, "}") + 1), 0, "%.30s", t->at);
  } else if (strncmp(t->at, "\\multicolumn{3}", 15) == 0) {
    t->cells += 2;
  }
  t->at += length;
}

static tex read_tex(const char *text) {
  tex t = {.at = text};
  while (*t.at) {
    if (*t.at == '\\') {
      read_command(&t);
      continue;
    }
    if (*t.at == '%') // a comment
      t.at += strcspn(t.at, "\n");
    cr_assert_null(strchr("#$^~", *t.at), "not escaped: %.20s", t.at);
    cr_assert_lt((unsigned char)*t.at, 127, "not ASCII: %.20s", t.at);
    t.braces += (*t.at == '{') - (*t.at == '}');
    cr_assert_geq(t.braces, 0);
    t.cells += *t.at == '&';
    t.at += *t.at != '\0';
  }
  cr_assert_eq(t.braces, 0);
  cr_assert_eq(t.depth, 0);
  return t;
}

Test(reports_format, latex_is_valid) {
  ts_format_source source = format_fixture_source();
  ((ts_record *)source.records)[1].method = FORMAT_EVIL;
  const char *text = format_fixture_write(&ts_format_latex, &source);
  cr_expect_eq(read_tex(text).rows, 8, "two rows of heads and two of cases, twice: %s", text);
  cr_expect_eq(format_fixture_count(text, "\\toprule"), 2, "four methods make two tables");
  cr_expect(strstr(text, "spike\\_in\\_hole & -- & -- & --") != NULL, "%s", text);
  cr_expect(strstr(text, "\\multicolumn{3}{c}{\\emph{timed out}}") != NULL, "%s", text);
  cr_expect(strstr(text, "wall & 62.5 & 100 & 1.50") != NULL, "%s", text);
}

/// Makes the rows draws of the wall by two methods.
static void make_draws(ts_format_source *source) {
  static const char *const seeds[] = {"motion_seed=1", "motion_seed=1", "motion_seed=2",
                                      "motion_seed=2", "motion_seed=3"};
  for (size_t i = 0; i < FORMAT_ROWS; i++) {
    ts_record *record = (ts_record *)&source->records[i];
    record->case_name = "wall";
    record->case_parameters = seeds[i];
    record->method = i % 2 ? "two" : "one";
  }
}

Test(reports_format, latex_of_several_seeds_is_one_table_of_all_methods) {
  ts_format_source source = format_fixture_source();
  make_draws(&source);
  const char *text = format_fixture_write(&ts_format_latex, &source);
  cr_expect_eq(read_tex(text).rows, 3, "heads and two methods: %s", text);
  cr_expect_eq(format_fixture_count(text, "\\toprule"), 1);
  cr_expect(strstr(text, "1-{}2 & two & 50.0 [") != NULL, "%s", text);
  cr_expect(strstr(text, "over the draws within each case") != NULL, "%s", text);
}

Test(reports_format, the_summary_has_each_method_once) {
  ts_format_source source = format_fixture_source();
  make_draws(&source);
  source.shortfall = "1 of 2 cells";
  const char *text = format_fixture_write(&ts_format_summary, &source);
  cr_expect_eq(strncmp(text, "**1 of 2 cells**\n\n| rank | method |", 35), 0, "%s", text);
  cr_expect_eq(format_fixture_count(text, "\n| 1-2  |"), 2, "%s", text);
  cr_expect(strstr(text, "\nWorst cells:\n") != NULL);
  cr_expect(strstr(text, "\nPairs:\n") != NULL);
}

/// Fails the test when there is none.
static const json_t *find_named(const json_t *list, const char *name) {
  const json_t *found = NULL;
  for (size_t i = 0; i < json_array_size(list) && !found; i++)
    if (strcmp(text_at(json_array_get(list, i), "name"), name) == 0)
      found = json_array_get(list, i);
  cr_assert_not_null(found, "no entry called %s", name);
  return found;
}

Test(reports_format, google_benchmark_has_an_entry_for_each_sample_and_three_aggregates) {
  ts_format_source source = format_fixture_source();
  source.folder = format_fixture_samples();
  json_t *value = format_fixture_json(&ts_format_google_benchmark, &source);
  const json_t *list = json_object_get(value, "benchmarks");
  static const double times[] = {30, 10, 20, 40};
  for (size_t i = 0; i < 4; i++) {
    const json_t *entry = json_array_get(list, i);
    cr_expect_str_eq(text_at(entry, "name"), "wall/one");
    cr_expect_str_eq(text_at(entry, "run_name"), "wall/one");
    cr_expect_str_eq(text_at(entry, "run_type"), "iteration");
    cr_expect_eq(number_at(entry, "repetitions"), 4);
    cr_expect_eq(number_at(entry, "repetition_index"), (double)i);
    cr_expect_eq(number_at(entry, "threads"), 1);
    cr_expect_eq(number_at(entry, "iterations"), 8);
    cr_expect_eq(number_at(entry, "real_time"), times[i]);
    cr_expect_eq(number_at(entry, "cpu_time"), times[i]);
    cr_expect_str_eq(text_at(entry, "time_unit"), "ns");
    cr_expect_eq(number_at(entry, "quality_percent"), 62.5);
    cr_expect_null(json_object_get(entry, "area_coverage"), "not measured is not there");
  }
  cr_expect_eq(number_at(find_named(list, "wall/one_mean"), "real_time"), 25);
  cr_expect_eq(number_at(find_named(list, "wall/one_median"), "real_time"), 25);
  cr_expect_float_eq(number_at(find_named(list, "wall/one_stddev"), "real_time"), sqrt(500.0 / 3),
                     1e-12);
  cr_expect_str_eq(text_at(find_named(list, "wall/one_mean"), "run_type"), "aggregate");
  cr_expect_str_eq(text_at(find_named(list, "wall/one_mean"), "aggregate_name"), "mean");
  cr_expect_str_eq(text_at(find_named(list, "wall/one_mean"), "aggregate_unit"), "time");
  json_decref(value);
}

Test(reports_format, google_benchmark_without_samples_has_the_median_of_the_summary) {
  ts_format_source source = format_fixture_source();
  json_t *value = format_fixture_json(&ts_format_google_benchmark, &source);
  const json_t *list = json_object_get(value, "benchmarks");
  cr_expect_eq(json_array_size(list), 4, "two medians and two that were not measured");
  cr_expect_eq(number_at(find_named(list, "wall/two_median"), "real_time"), 1500);
  json_decref(value);
}

Test(reports_format, google_benchmark_reports_failures_like_the_library) {
  ts_format_source source = format_fixture_source();
  json_t *value = format_fixture_json(&ts_format_google_benchmark, &source);
  const json_t *entry = find_named(json_object_get(value, "benchmarks"), "spike_in_hole/two");
  cr_expect(json_is_true(json_object_get(entry, "error_occurred")));
  cr_expect_eq(strncmp(text_at(entry, "error_message"), "timed out: </script>", 20), 0);
  cr_expect_eq(number_at(entry, "iterations"), 0);
  json_decref(value);
}

Test(reports_format, google_benchmark_has_the_context_that_its_readers_look_for) {
  ts_format_source source = format_fixture_source();
  source.context = fixture_context();
  json_t *value = format_fixture_json(&ts_format_google_benchmark, &source);
  const json_t *context = json_object_get(value, "context");
  cr_expect_gt(strlen(text_at(context, "date")), 10);
  cr_expect_str_eq(text_at(context, "executable"), "touchstone");
  cr_expect_geq(number_at(context, "num_cpus"), 1);
  cr_expect(json_is_boolean(json_object_get(context, "cpu_scaling_enabled")));
  cr_expect(json_is_array(json_object_get(context, "caches")));
  cr_expect(json_is_array(json_object_get(context, "load_avg")));
  cr_expect_gt(strlen(text_at(context, "library_build_type")), 4);
  cr_expect_eq(number_at(context, "json_schema_version"), 1);
  json_decref(value);
  json_decref(source.context);
}

Test(reports_format, github_action_entries_are_all_smaller_is_better) {
  ts_format_source source = format_fixture_source();
  json_t *list = format_fixture_json(&ts_format_github_action, &source);
  size_t i;
  json_t *entry;
  json_array_foreach(list, i, entry) {
    cr_expect_gt(strlen(text_at(entry, "name")), 0);
    cr_expect_gt(strlen(text_at(entry, "unit")), 0);
    cr_expect_geq(number_at(entry, "value"), 0);
  }
  cr_expect_eq(number_at(find_named(list, "wall/one time"), "value"), 25);
  cr_expect_str_eq(text_at(find_named(list, "wall/one time"), "range"), "\xc2\xb1 2");
  cr_expect_str_eq(text_at(find_named(list, "wall/one time"), "extra"),
                   "minimum: 20 ns\nrepeats: 4");
  cr_expect_eq(number_at(find_named(list, "wall/one quality missing"), "value"), 37.5);
  cr_expect_eq(number_at(find_named(list, "wall/one faults"), "value"), 3);
  cr_expect_eq(number_at(find_named(list, "all failed"), "value"), 1, "skipped is not failed");
  json_decref(list);
}

Test(reports_format, github_action_takes_a_ratio_by_how_many_times_it_is_off) {
  ts_format_source source = format_fixture_source();
  ((ts_record *)source.records)[1].excess_factor = 0.25;
  json_t *list = format_fixture_json(&ts_format_github_action, &source);
  cr_expect_eq(number_at(find_named(list, "wall/one excess"), "value"), 1.5);
  cr_expect_eq(number_at(find_named(list, "wall/two excess"), "value"), 4);
  cr_expect_eq(number_at(find_named(list, "wall/two coverage missing"), "value"), 0);
  json_decref(list);
}

Test(reports_format, github_action_adds_up_the_faults_that_were_counted) {
  ts_format_source source = format_fixture_source();
  ((ts_record *)source.records)[0].regions_missed = (double)NAN;
  json_t *list = format_fixture_json(&ts_format_github_action, &source);
  const json_t *faults = find_named(list, "wall/one faults");
  cr_expect_eq(number_at(faults, "value"), 3);
  cr_expect(strstr(text_at(faults, "unit"), "flipped, invalid, phantom") != NULL);
  cr_expect_null(strstr(text_at(faults, "unit"), "missed"));
  json_decref(list);
}

/// Series go on from version to version: their names stay.
Test(reports_format, bencher_has_the_measures_by_the_names_they_have_had) {
  static const char *const names[] = {"quality-percent", "coverage-percent",
                                      "excess-factor",   "area-coverage",
                                      "normals-flipped", "normal-error-deg-max",
                                      "normals-invalid", "phantom-contacts",
                                      "regions-missed",  "latency",
                                      "failed"};
  ts_format_source source = format_fixture_source();
  ts_record *record = (ts_record *)&source.records[0];
  record->area_coverage = 1;
  record->normal_error_deg_max = 2;
  json_t *value = format_fixture_json(&ts_format_bencher, &source);
  const json_t *benchmark = json_object_get(value, "wall/one");
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    number_at(json_object_get(benchmark, names[i]), "value");
  cr_expect_eq(json_object_size(benchmark), sizeof names / sizeof *names);
  json_decref(value);
}

Test(reports_format, bencher_follows_its_schema) {
  ts_format_source source = format_fixture_source();
  json_t *value = format_fixture_json(&ts_format_bencher, &source);
  cr_expect_eq(json_object_size(value), FORMAT_ROWS);
  const char *name, *measure, *bound;
  json_t *benchmark, *metric, *number;
  json_object_foreach(value, name, benchmark) json_object_foreach(benchmark, measure, metric) {
    cr_expect_leq(strlen(measure), 64);
    number_at(metric, "value");
    json_object_foreach(metric, bound, number) {
      cr_expect(strcmp(bound, "value") == 0 || strcmp(bound, "lower_value") == 0 ||
                    strcmp(bound, "upper_value") == 0,
                "%s", bound);
      cr_expect(json_is_number(number));
    }
  }
  const json_t *latency = json_object_get(json_object_get(value, "wall/one"), "latency");
  cr_expect_eq(number_at(latency, "value"), 25);
  cr_expect_eq(number_at(latency, "lower_value"), 20);
  cr_expect_eq(number_at(latency, "upper_value"), 27);
  const json_t *failed = json_object_get(json_object_get(value, "spike_in_hole/two"), "failed");
  cr_expect_eq(number_at(failed, "value"), 1);
  json_decref(value);
}
