// SPDX-License-Identifier: MIT
// covers: harness/pool/row_queue.c
#include "harness/pool/row_queue.h"

#include "base/status.h"
#include "harness/run/cell_state.h"
#include "tests/reports/rows/results_fixture.h"

#include <criterion/criterion.h>
#include <string.h>

TestSuite(harness_row_queue, .init = results_open, .fini = results_close);

#define CELLS 4

static ts_plan plan;
static ts_results *results;
static ts_row_queue *queue;

/// A queue of CELLS cells, of which `ahead` may be handed out and not written.
static void open_queue(size_t ahead) {
  ts_plan_request request = {.cases = "spikes|wedges", .methods = "closest_points|vertex_only"};
  cr_assert_eq(ts_plan_create(&plan, fixture_arena, &request), TS_OK, "%s", ts_status_detail());
  cr_assert_eq(plan.cell_count, CELLS);
  json_t *context = fixture_context();
  cr_assert_eq(ts_results_create(&results, fixture_path("r"), context), TS_OK);
  json_decref(context);
  cr_assert_eq(ts_row_queue_create(&queue, fixture_arena, &plan, 0, results, ahead), TS_OK);
}

/// Puts a row of the cell, which says that it failed, and writes what can be written.
static void put(const ts_cell *cell) {
  ts_arena *arena;
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
  ts_record *record = ts_arena_alloc(arena, sizeof *record);
  cr_assert(record);
  ts_cell_record(record, cell, TS_OUTCOME_FAILED, "because");
  ts_row_queue_put(queue, cell, &(ts_cell_rows){.records = record, .record_count = 1}, arena);
  cr_assert_eq(ts_row_queue_write(queue), TS_OK, "%s", ts_status_detail());
}

static const ts_cell *take(ts_row_queue *queue) {
  const ts_cell *cell;
  cr_assert_eq(ts_row_queue_take(&cell, queue), TS_OK, "%s", ts_status_detail());
  return cell;
}

Test(harness_row_queue, rows_are_written_in_plan_order_whatever_is_done_first) {
  open_queue(CELLS);
  const ts_cell *cells[CELLS];
  for (size_t i = 0; i < CELLS; i++)
    cr_assert((cells[i] = take(queue)) == &plan.cells[i]);
  cr_expect_null(take(queue));
  put(cells[3]);
  put(cells[1]);
  cr_expect_eq(ts_row_queue_written(queue), 0);
  put(cells[0]);
  cr_expect_eq(ts_row_queue_written(queue), 2);
  put(cells[2]);
  cr_expect_eq(ts_row_queue_written(queue), CELLS);
  size_t count;
  const ts_record *records = ts_row_queue_records(queue, &count);
  cr_assert_eq(count, CELLS);
  for (size_t i = 0; i < CELLS; i++)
    cr_expect_str_eq(records[i].cell, plan.cells[i].key);
  cr_assert_eq(ts_results_close(results), TS_OK);
  ts_record *read;
  cr_assert_eq(ts_summary_read(&read, &count, fixture_arena, fixture_path("r/summary.csv")), TS_OK);
  cr_assert_eq(count, CELLS);
  for (size_t i = 0; i < CELLS; i++)
    cr_expect_str_eq(read[i].cell, plan.cells[i].key);
}

Test(harness_row_queue, no_more_cells_are_out_than_may_wait) {
  open_queue(2);
  const ts_cell *first = take(queue), *second = take(queue);
  cr_expect_null(take(queue));
  put(second);
  cr_expect_null(take(queue), "it waits for the first one");
  put(first);
  cr_expect_eq(take(queue), &plan.cells[2]);
  cr_expect_eq(take(queue), &plan.cells[3]);
  ts_row_queue_stop(queue);
  cr_assert_eq(ts_results_close(results), TS_OK);
}

Test(harness_row_queue, a_cell_given_back_is_the_next) {
  open_queue(CELLS);
  const ts_cell *first = take(queue), *second = take(queue);
  cr_expect(take(queue) == &plan.cells[2]);
  ts_row_queue_give_back(queue, second);
  ts_row_queue_give_back(queue, first);
  cr_expect_eq(take(queue), first);
  cr_expect_eq(take(queue), second);
  cr_expect_eq(take(queue), &plan.cells[3]);
  ts_row_queue_stop(queue);
  cr_assert_eq(ts_results_close(results), TS_OK);
}
