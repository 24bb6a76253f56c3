// SPDX-License-Identifier: MIT
// covers: harness/commands/input.c
#include "harness/commands/input.h"

#include "tests/reports/rows/results_fixture.h"

#include <criterion/criterion.h>
#include <string.h>
#include <sys/stat.h>

TestSuite(harness_input, .init = results_open, .fini = results_close, .timeout = 60);

static ts_input input;

static ts_status read_input(const char *path) {
  return ts_input_read(&input, fixture_arena, path);
}

static size_t column(const char *name) {
  const ts_field *field = ts_row_find(&ts_summary_rows, name);
  cr_assert_not_null(field);
  return (size_t)(field - ts_summary_rows.fields);
}

Test(harness_input, a_folder_gives_its_rows_in_order) {
  const char *folder = fixture_path("run");
  results_run(folder, FIXTURE_CELLS);
  cr_assert_eq(read_input(folder), TS_OK);
  cr_assert_str_eq(input.folder, folder);
  size_t row = 0;
  for (size_t cell = 0; cell < FIXTURE_CELLS; cell++) {
    ts_cell_rows rows = fixture_cell(cell);
    for (size_t i = 0; i < rows.record_count; i++, row++) {
      cr_assert_lt(row, input.count);
      cr_expect(fixture_rows_equal(&ts_summary_rows, &input.records[row], &rows.records[i]));
    }
  }
  cr_expect_eq(input.count, row);
}

Test(harness_input, slashes_at_the_end_of_a_folder_do_not_matter) {
  results_run(fixture_path("run"), 1);
  cr_assert_eq(read_input(fixture_path("run//")), TS_OK);
  cr_expect_str_eq(input.folder, fixture_path("run"));
  cr_expect_str_eq(input.summary_path, fixture_path("run/summary.csv"));
}

Test(harness_input, a_summary_alone_has_no_folder) {
  results_run(fixture_path("run"), 1);
  cr_assert_eq(read_input(fixture_path("run/summary.csv")), TS_OK);
  cr_expect_null(input.folder);
  cr_expect_eq(input.count, fixture_cell(0).record_count);
}

Test(harness_input, columns_that_the_file_lacks_are_reported) {
  fixture_write_text(fixture_path("few.csv"),
                     "cell,case,case_parameters,method,method_parameters,scoring_parameters,"
                     "simulation_parameters,step,quality_percent,qualty\r\n"
                     "1,wall,,m,,,,0,50,\r\n");
  cr_assert_eq(read_input(fixture_path("few.csv")), TS_OK);
  cr_expect(input.has_column[column("quality_percent")]);
  cr_expect(input.has_column[column("cell")]);
  cr_expect_not(input.has_column[column("coverage_percent")]);
}

Test(harness_input, a_duplicate_row_is_refused) {
  const char *summary = fixture_path("twice.csv");
  fixture_write_text(summary, "cell,case,case_parameters,method,method_parameters,"
                              "scoring_parameters,simulation_parameters,step\n"
                              "1,wall,,m,,,,0\n2,wall,,m,,,,0\n1,wall,,m,,,,0\n");
  cr_expect_eq(read_input(summary), TS_E_INPUT);
  cr_expect(fixture_detail_has("(rows 1 and 3)"));
}

Test(harness_input, a_run_that_was_cut_short_is_reported) {
  const char *context = fixture_path("run/context.json");
  results_run(fixture_path("run"), 2); // of 1 and 3 rows
  cr_assert_eq(read_input(fixture_path("run")), TS_OK);
  cr_expect_null(input.shortfall, "a context that does not say");
  const char *form = "{\"schema_version\": %d, \"run\": {\"cells\": %d}, \"last_step\": %d}";
  fixture_write_text(context, ts_arena_format(fixture_arena, form, TS_SCHEMA_VERSION, 2, 2));
  cr_assert_eq(read_input(fixture_path("run")), TS_OK);
  cr_expect_null(input.shortfall);
  fixture_write_text(context, ts_arena_format(fixture_arena, form, TS_SCHEMA_VERSION, 5, 2));
  cr_assert_eq(read_input(fixture_path("run")), TS_OK);
  cr_assert_not_null(input.shortfall);
  cr_expect_str_eq(input.shortfall, "2 of 5 cells: the run was cut short");
  fixture_write_text(context, ts_arena_format(fixture_arena, form, TS_SCHEMA_VERSION, 2, 3));
  cr_assert_eq(read_input(fixture_path("run")), TS_OK);
  cr_assert_not_null(input.shortfall, "its last cell lacks a step");
  cr_expect_str_eq(input.shortfall, "1 of 2 cells: the run was cut short");
}

Test(harness_input, missing_results_are_refused_with_what_to_give) {
  cr_expect_eq(read_input(fixture_path("nothing")), TS_E_INPUT);
  cr_expect(fixture_detail_has("touchstone run"));
  mkdir(fixture_path("empty"), 0777);
  cr_expect_eq(read_input(fixture_path("empty")), TS_E_INPUT);
  cr_expect(fixture_detail_has("no summary.csv"));
  cr_expect_eq(read_input("/dev/null"), TS_E_INPUT);
  cr_expect(fixture_detail_has("only regular files can be read"));
}

Test(harness_input, another_schema_is_refused_with_both_versions) {
  results_run(fixture_path("run"), 1);
  fixture_write_text(fixture_path("run/context.json"), "{\"schema_version\": 901}\n");
  cr_expect_eq(read_input(fixture_path("run")), TS_E_INPUT);
  cr_expect(fixture_detail_has("901"));
  cr_expect(fixture_detail_has(ts_arena_format(fixture_arena, "reads %d", TS_SCHEMA_VERSION)));
}

Test(harness_input, a_context_that_is_damaged_is_refused_and_none_is_fine) {
  const char *context = fixture_path("run/context.json");
  results_run(fixture_path("run"), 1);
  fixture_write_text(context, "{\"schema_version\": ");
  cr_expect_eq(read_input(fixture_path("run")), TS_E_INPUT);
  cr_expect(fixture_detail_has("damaged, line"));
  fixture_write_text(context, "[]");
  cr_expect_eq(read_input(fixture_path("run")), TS_E_INPUT);
  cr_expect(fixture_detail_has("schema_version"));
  cr_assert_eq(remove(context), 0);
  cr_expect_eq(read_input(fixture_path("run")), TS_OK);
}

Test(harness_input, damaged_rows_are_refused_with_their_line) {
  results_run(fixture_path("run"), 2);
  size_t count;
  const char *summary = fixture_path("run/summary.csv"), *bytes = fixture_read(summary, &count);
  fixture_write(summary, bytes, count - 5);
  cr_expect_eq(read_input(fixture_path("run")), TS_E_INPUT);
  cr_expect(fixture_detail_has("cut off"));
  fixture_write(summary, bytes, 0);
  cr_expect_eq(read_input(fixture_path("run")), TS_E_INPUT);
  fixture_write_text(summary, "a,b\n1,2\n");
  cr_expect_eq(read_input(fixture_path("run")), TS_E_INPUT);
  cr_expect(fixture_detail_has("cell is missing"));
}
