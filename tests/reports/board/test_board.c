// SPDX-License-Identifier: MIT
// covers: reports/board/board.c reports/board/board_data.c reports/board/board_html.c
#include "reports/board/board.h"

#include "base/status.h"
#include "reports/study/study_table.h"
#include "tests/reports/rows/results_fixture.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

TestSuite(reports_board, .init = results_open, .fini = results_close, .timeout = 60);

enum { CASES = 5, DRAWS = 8, SCENES = CASES * DRAWS };

static ts_board_scene scenes[SCENES];
static ts_board board;

static void make_scenes(void) {
  for (int i = 0; i < SCENES; i++)
    scenes[i] = (ts_board_scene){ts_arena_format(fixture_arena, "scene_%d", i),
                                 ts_arena_format(fixture_arena, "case_%d", i / DRAWS),
                                 ts_arena_format(fixture_arena, "motion_seed=%d", i % DRAWS)};
  board = (ts_board){.version = "1-0123456789ab", .scene_count = SCENES, .scenes = scenes};
}

/// An entry with a row of this quality for each scene.
static ts_board_entry entry(const char *name, double quality) {
  ts_board_entry e = {.name = name,
                      .method = "some_method",
                      .method_parameters = "p=1",
                      .source = "a paper",
                      .provider = "contacts from files",
                      .program = "touchstone",
                      .cpu = "a CPU",
                      .system = "a system",
                      .date = "2026-01-02T03:04:05Z",
                      .command = "touchstone run"};
  e.rows = ts_arena_array(fixture_arena, SCENES, sizeof *e.rows);
  for (int i = 0; i < SCENES; i++) {
    ts_record *row = ts_arena_alloc(fixture_arena, sizeof *row);
    ts_row_init(&ts_summary_rows, row);
    row->outcome = "ok";
    row->case_name = scenes[i].name;
    row->quality_percent = quality - i % 3;
    row->coverage_percent = 100;
    row->excess_factor = 1;
    row->step = 0;
    e.rows[i] = row;
  }
  return e;
}

static ts_record *row_of(ts_board_entry *e, int scene) {
  return (ts_record *)(uintptr_t)e->rows[scene];
}

static char *written(ts_status (*write)(FILE *, ts_arena *, const ts_board *)) {
  char *text = NULL;
  size_t count;
  FILE *file = open_memstream(&text, &count);
  cr_assert_eq(write(file, fixture_arena, &board), TS_OK, "%s", ts_status_detail());
  fclose(file);
  char *kept = ts_arena_string(fixture_arena, text);
  free(text);
  return kept;
}

Test(reports_board, entries_are_in_the_order_of_their_places) {
  make_scenes();
  ts_board_entry entries[] = {entry("poor", 40), entry("good", 90), entry("fair", 60)};
  cr_assert_eq(ts_board_rank(&board, fixture_arena, entries, 3), TS_OK);
  static const char *const expected[] = {"good", "fair", "poor"};
  for (int i = 0; i < 3; i++) {
    cr_expect_str_eq(board.entries[i].name, expected[i]);
    cr_expect_str_eq(board.study.methods[i].name, expected[i]);
    cr_expect_str_eq(ts_study_rank(fixture_arena, &board.study.methods[i]),
                     ts_arena_format(fixture_arena, "%d", i + 1));
  }
  cr_expect_eq(board.case_count, CASES);
}

Test(reports_board, entries_that_are_alike_share_their_places) {
  make_scenes();
  ts_board_entry entries[] = {entry("one", 80), entry("two", 80)};
  cr_assert_eq(ts_board_rank(&board, fixture_arena, entries, 2), TS_OK);
  for (int i = 0; i < 2; i++)
    cr_expect_str_eq(ts_study_rank(fixture_arena, &board.study.methods[i]), "1-2");
}

Test(reports_board, what_an_entry_lacks_skips_or_fails_at_counts_as_0) {
  make_scenes();
  ts_board_entry entries[] = {entry("whole", 81), entry("holes", 81)};
  entries[1].rows[0] = NULL;
  row_of(&entries[1], 1)->outcome = "skipped";
  row_of(&entries[1], 2)->outcome = "crashed";
  for (int i = 0; i < SCENES; i++)
    for (int k = 0; k < 2; k++)
      if (entries[k].rows[i])
        row_of(&entries[k], i)->quality_percent = 80;
  cr_assert_eq(ts_board_rank(&board, fixture_arena, entries, 2), TS_OK);
  const ts_board_entry *holes = &board.entries[1];
  cr_assert_str_eq(holes->name, "holes");
  cr_expect_eq(holes->missing, 1);
  cr_expect_eq(holes->skipped, 1);
  cr_expect_eq(holes->failed, 1);
  cr_expect_float_eq(board.study.methods[0].values[TS_STUDY_QUALITY].mean.mean, 80, 1e-12);
  cr_expect_float_eq(board.study.methods[1].values[TS_STUDY_QUALITY].mean.mean,
                     80.0 * (SCENES - 3) / SCENES, 1e-12);
}

Test(reports_board, json_and_csv_have_the_same_numbers) {
  make_scenes();
  ts_board_entry entries[] = {entry("one, \"quoted\"", 80), entry("two", 30)};
  entries[1].rows[7] = NULL;
  cr_assert_eq(ts_board_rank(&board, fixture_arena, entries, 2), TS_OK);
  json_t *json = json_loads(written(ts_board_write_json), 0, NULL);
  cr_assert(json);
  cr_expect_str_eq(json_string_value(json_object_get(json, "dataset")), "1-0123456789ab");
  const json_t *list = json_object_get(json, "entries");
  cr_assert_eq(json_array_size(list), 2);
  const json_t *first = json_array_get(list, 0), *second = json_array_get(list, 1);
  cr_expect_str_eq(json_string_value(json_object_get(first, "name")), "one, \"quoted\"");
  cr_expect_eq(json_integer_value(json_object_get(second, "scenes_missing")), 1);
  cr_expect(json_is_null(json_object_get(first, "generate_ns_median_mean")));
  double mean = json_number_value(json_object_get(first, "quality_percent_mean"));
  cr_expect_eq(mean, board.study.methods[0].values[TS_STUDY_QUALITY].mean.mean);
  json_decref(json);
  char *csv = written(ts_board_write_csv);
  cr_expect(strstr(csv, "\n1-0123456789ab,\"one, \"\"quoted\"\"\",1,1,"), "%s", csv);
  cr_expect(strstr(csv, "\n1-0123456789ab,two,2,2,"), "%s", csv);
}

Test(reports_board, the_page_says_what_is_missing_and_escapes_names) {
  make_scenes();
  ts_board_entry entries[] = {entry("<script>", 80), entry("two", 30)};
  entries[1].rows[7] = NULL;
  cr_assert_eq(ts_board_rank(&board, fixture_arena, entries, 2), TS_OK);
  char *page = written(ts_board_write_html);
  cr_expect(strstr(page, "1-0123456789ab"));
  cr_expect(strstr(page, "&#60;script&#62;"));
  cr_expect(strstr(page, "39 of 40<small>"));
  cr_expect(strstr(page, "1 missing"));
  cr_expect(strstr(page, "The results have no row of this scene."));
  cr_expect_null(strstr(page, "://"), "it loads nothing");
}
