// SPDX-License-Identifier: MIT
// covers: harness/explain/result_row.c
#include "harness/explain/result_row.h"

#include "base/status.h"

#include <criterion/criterion.h>
#include <string.h>

static ts_arena *memory;
static ts_record records[5];

static ts_record make(const char *cell, const char *method, const char *parameters, double step) {
  ts_record record;
  ts_row_init(&ts_summary_rows, &record);
  record.cell = cell;
  record.case_name = "wall";
  record.case_parameters = parameters;
  record.method = method;
  record.scoring_parameters = "reference=design";
  record.step = step;
  return record;
}

static void open_rows(void) {
  cr_assert_eq(ts_arena_create(&memory), TS_OK);
  records[0] = make("a1", "opposing", "layers=10;scale=1", 0);
  records[1] = make("a1", "opposing", "layers=10;scale=1", 3);
  records[2] = make("b2", "opposing", "layers=20;scale=1", 0);
  records[3] = make("b2", "opposing", "layers=20;scale=1", 3);
  records[4] = make("c3", "growth", "layers=10;scale=1", 0);
}

static void close_rows(void) {
  ts_arena_destroy(memory);
}

TestSuite(harness_result_row, .init = open_rows, .fini = close_rows);

static const ts_record *find(const ts_row_wish *wish) {
  const ts_record *found = NULL;
  ts_status status = ts_result_row_find(&found, memory, records, 5, wish, "r");
  cr_assert(status == TS_OK ? found != NULL : status == TS_E_INPUT);
  return status == TS_OK ? found : NULL;
}

static void expect_refusal(const ts_row_wish *wish, const char *words) {
  cr_expect_null(find(wish));
  cr_expect(strstr(ts_status_detail(), words), "\"%s\" is not in: %s", words, ts_status_detail());
}

Test(harness_result_row, a_row_that_stands_alone_needs_no_parameters) {
  const ts_row_wish wish = {.case_name = "wall", .method = "growth"};
  cr_expect_eq(find(&wish), &records[4]);
}

Test(harness_result_row, of_several_cells_the_commands_are_listed) {
  const ts_row_wish wish = {.case_name = "wall", .method = "opposing", .step = 3};
  expect_refusal(&wish,
                 "2 cells of wall by opposing fit; choose one of: touchstone explain wall "
                 "opposing --step 3 --set wall.layers=10 r; touchstone explain wall opposing "
                 "--step 3 --set wall.layers=20 r");
}

Test(harness_result_row, parameters_choose_by_number_and_by_owner) {
  ts_assignment sets[] = {{"layers", "2e1"}, {"scoring.reference", "design"}};
  ts_row_wish wish = {.case_name = "wall", .method = "opposing", .step = 3, .sets = {2, sets}};
  cr_expect_eq(find(&wish), &records[3]);
  sets[0].name = "opposing.layers"; // of another owner
  expect_refusal(&wish, "with the parameters of --set");
}

Test(harness_result_row, a_cell_chooses_by_the_beginning_of_its_fingerprint) {
  ts_row_wish wish = {.case_name = "wall", .method = "opposing", .cell = "b"};
  cr_expect_eq(find(&wish), &records[2]);
  wish.cell = "c";
  expect_refusal(&wish, "no cell c of wall by opposing");
}

Test(harness_result_row, what_is_not_there_is_said_with_what_is) {
  ts_row_wish wish = {.case_name = "wal", .method = "growth"};
  expect_refusal(&wish, "did you mean \"wall\"?");
  wish.case_name = "wall";
  wish.method = "grow";
  expect_refusal(&wish, "did you mean \"growth\"?");
  wish.method = "growth";
  wish.step = 3;
  expect_refusal(&wish, "no row of wall by growth at step 3; give --step: there is 0");
}

Test(harness_result_row, steps_of_several_cells_are_listed_once) {
  const ts_row_wish wish = {.case_name = "wall", .method = "opposing", .step = 1};
  expect_refusal(&wish, "give --step: there is 0, 3");
  cr_expect_null(strstr(ts_status_detail(), "0, 3, "), "%s", ts_status_detail());
}
