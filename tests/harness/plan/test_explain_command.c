// SPDX-License-Identifier: MIT
// covers: harness/plan/explain_command.c
#include "harness/plan/explain_command.h"

#include "base/status.h"

#include <criterion/criterion.h>
#include <stdio.h>

static ts_arena *memory;

static void open_memory(void) {
  cr_assert_eq(ts_arena_create(&memory), TS_OK);
}

static void close_memory(void) {
  ts_arena_destroy(memory);
}

TestSuite(harness_explain_command, .init = open_memory, .fini = close_memory);

static ts_record row(const char *cell, const char *case_name, const char *parameters, double step) {
  ts_record record;
  ts_row_init(&ts_summary_rows, &record);
  record.cell = cell;
  record.case_name = case_name;
  record.case_parameters = parameters;
  record.method = "opposing";
  record.outcome = "ok";
  record.step = step;
  return record;
}

static const char *const *commands_of(const ts_record *records, size_t count, const char *results) {
  const char *const *commands;
  cr_assert_eq(ts_explain_commands(&commands, memory, records, count, results), TS_OK);
  return commands;
}

Test(harness_explain_command, a_cell_that_stands_alone_is_named_by_case_and_method) {
  const ts_record records[] = {row("a", "wall", "layers=10", 0), row("a", "wall", "layers=10", 3),
                               row("b", "arch", "scale=2", 0)};
  const char *const *commands = commands_of(records, 3, "my results");
  cr_expect_str_eq(commands[0], "touchstone explain wall opposing 'my results'");
  cr_expect_str_eq(commands[1], "touchstone explain wall opposing --step 3 'my results'");
  cr_expect_str_eq(commands[2], "touchstone explain arch opposing 'my results'");
}

Test(harness_explain_command, siblings_are_told_apart_by_what_differs) {
  const ts_record records[] = {row("a", "wall", "layers=10;scale=1;depth=1", 0),
                               row("b", "wall", "layers=10;scale=2;depth=1", 0),
                               row("c", "wall", "layers=20;scale=2;depth=1", 0)};
  const char *const *commands = commands_of(records, 3, "r");
  cr_expect_str_eq(commands[0],
                   "touchstone explain wall opposing --set wall.scale=1 --set wall.layers=10 r");
  cr_expect_str_eq(commands[2],
                   "touchstone explain wall opposing --set wall.layers=20 --set wall.scale=2 r");
}

Test(harness_explain_command, many_differences_or_none_name_the_cell) {
  const ts_record different[] = {row("a", "wall", "p=1;q=1;r=1;s=1", 0),
                                 row("b", "wall", "p=2;q=2;r=2;s=2", 0)};
  cr_expect_str_eq(commands_of(different, 2, "r")[1],
                   "touchstone explain wall opposing --cell b r");
  const ts_record same[] = {row("a", "wall", "p=1", 0), row("b", "wall", "p=1", 0)};
  cr_expect_str_eq(commands_of(same, 2, "r")[0], "touchstone explain wall opposing --cell a r");
}

Test(harness_explain_command, many_cells_are_named_without_being_compared) {
  enum { CELLS = 100 };
  static ts_record records[CELLS];
  static char cells[CELLS][8], parameters[CELLS][16];
  for (int i = 0; i < CELLS; i++) {
    snprintf(cells[i], sizeof cells[i], "c%d", i);
    snprintf(parameters[i], sizeof parameters[i], "seed=%d", i);
    records[i] = row(cells[i], "wall", parameters[i], 0);
  }
  cr_expect_str_eq(commands_of(records, CELLS, "r")[7],
                   "touchstone explain wall opposing --cell c7 r");
}

Test(harness_explain_command, a_failure_is_explained_before_any_number_of_faults) {
  ts_record records[] = {row("a", "wall", "", 0), row("b", "arch", "", 0), row("c", "heap", "", 0)};
  size_t count;
  cr_expect_null(ts_explain_first(&count, records, 3));
  cr_expect_eq(count, 0);
  records[0].quality_percent = records[0].coverage_percent = 100;
  records[1].quality_percent = 0;
  cr_expect_eq(ts_explain_first(&count, records, 3), &records[1],
               "wrong normals are no fault column");
  cr_expect_eq(count, 1);
  records[0].phantom = 1000;
  records[1].phantom = 2;
  cr_expect_eq(ts_explain_first(&count, records, 3), &records[0]);
  cr_expect_eq(count, 2);
  records[2].outcome = "crashed";
  cr_expect_eq(ts_explain_first(&count, records, 3), &records[2]);
  cr_expect_eq(count, 3);
}
