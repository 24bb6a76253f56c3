// SPDX-License-Identifier: MIT
// covers: harness/pool/lead.c
#include "harness/pool/lead.h"

#include "base/status.h"
#include "crew_fixture.h"
#include "harness/isolation/cell_ipc.h"
#include "harness/run/cell_state.h"
#include "tests/reports/rows/results_fixture.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define CELLS 12

static ts_plan plan;
static ts_results *results;
static ts_row_queue *queue;
static crew_fixture crew;
static ts_lead *lead;

static void setup(void) {
  results_open();
  ts_plan_request request = {.cases = "spikes|wedges|wall",
                             .methods = "closest_points|vertex_only|intersection|opposing"};
  cr_assert_eq(ts_plan_create(&plan, fixture_arena, &request), TS_OK, "%s", ts_status_detail());
  cr_assert_eq(plan.cell_count, CELLS);
  json_t *context = fixture_context();
  cr_assert_eq(ts_results_create(&results, fixture_path("r"), context), TS_OK);
  json_decref(context);
  cr_assert_eq(ts_row_queue_create(&queue, fixture_arena, &plan, 0, results, CELLS), TS_OK);
  crew_open(&crew, 3);
  cr_assert_eq(ts_lead_create(&lead, fixture_arena, crew.ranks[0], &plan, 1), TS_OK);
}

static void teardown(void) {
  ts_row_queue_stop(queue);
  ts_results_close(results);
  crew_close(&crew);
  results_close();
}

TestSuite(harness_lead, .init = setup, .fini = teardown);

/// The number of the cell that a rank is handed next.
static uint64_t handed(int rank) {
  cr_assert_eq(ts_lead_hand_out(lead, queue), TS_OK);
  return crew_expect(crew.ranks[rank], TS_MESSAGE_CELL).number;
}

/// Whether a rank is handed nothing.
static bool is_idle(int rank) {
  cr_assert_eq(ts_lead_hand_out(lead, queue), TS_OK);
  struct pollfd file = {.fd = ts_crew_poll(crew.ranks[rank]).fd, .events = POLLIN};
  return poll(&file, 1, 50) == 0;
}

/// Lets rank 0 receive one message of the others.
static ts_status receive(int *out_signal) {
  struct pollfd file = {.fd = ts_crew_poll(crew.ranks[0]).fd, .events = POLLIN};
  cr_assert_eq(poll(&file, 1, 5000), 1);
  *out_signal = 0;
  return ts_lead_receive(lead, queue, out_signal);
}

static void send_rows(int rank, uint64_t cell, int64_t run_ns, const char *outcome_reason) {
  ts_record record;
  ts_cell_record(&record, &plan.cells[cell], TS_OUTCOME_FAILED, outcome_reason);
  int file = memfd_create("rows", MFD_CLOEXEC);
  cr_assert_eq(ts_cell_ipc_write(file, &(ts_cell_rows){.records = &record, .record_count = 1}),
               TS_OK);
  cr_assert_eq(
      ts_crew_send(
          crew.ranks[rank],
          &(ts_message){.kind = TS_MESSAGE_ROWS, .number = cell, .run_ns = run_ns, .body = file}),
      TS_OK);
}

static void send_plain(int rank, ts_message_kind kind, uint64_t number) {
  cr_assert_eq(
      ts_crew_send(crew.ranks[rank], &(ts_message){.kind = kind, .number = number, .body = -1}),
      TS_OK);
}

#define LONG_NS  INT64_C(1000000000)
#define SHORT_NS INT64_C(1000000)

Test(harness_lead, each_rank_gets_a_cell_for_each_free_job) {
  cr_expect_eq(handed(1), 0);
  cr_expect_eq(handed(2), 1);
  cr_expect(is_idle(1) && is_idle(2));
  int signal;
  send_rows(2, 1, LONG_NS, "done");
  cr_assert_eq(receive(&signal), TS_OK, "%s", ts_status_detail());
  cr_expect_eq(handed(2), 2);
  cr_expect(is_idle(1));
  send_rows(1, 0, LONG_NS, "done");
  cr_assert_eq(receive(&signal), TS_OK);
  cr_assert_eq(ts_row_queue_write(queue), TS_OK);
  cr_expect_eq(ts_row_queue_written(queue), 2);
}

Test(harness_lead, a_rank_with_short_cells_gets_the_next_in_advance) {
  int signal;
  cr_expect_eq(handed(1), 0);
  cr_expect_eq(handed(2), 1);
  send_rows(1, 0, SHORT_NS, "done");
  cr_assert_eq(receive(&signal), TS_OK);
  cr_expect_eq(handed(1), 2);
  cr_expect_eq(crew_expect(crew.ranks[1], TS_MESSAGE_CELL).number, 3);
  cr_expect(is_idle(1) && is_idle(2));
}

Test(harness_lead, cells_of_a_rank_that_died_go_to_another) {
  int signal;
  cr_expect_eq(handed(1), 0);
  cr_expect_eq(handed(2), 1);
  send_plain(1, TS_MESSAGE_LOST, 0);
  cr_assert_eq(receive(&signal), TS_OK);
  cr_expect(is_idle(1));
  send_rows(2, 1, LONG_NS, "done");
  cr_assert_eq(receive(&signal), TS_OK);
  cr_expect_eq(handed(2), 0);
}

Test(harness_lead, late_rows_of_a_rank_given_up_are_dropped) {
  int signal;
  cr_expect_eq(handed(1), 0);
  cr_expect_eq(handed(2), 1);
  send_plain(1, TS_MESSAGE_LOST, 0);
  cr_assert_eq(receive(&signal), TS_OK);
  send_rows(1, 0, LONG_NS, "late");
  cr_assert_eq(receive(&signal), TS_OK);
  cr_assert_eq(ts_row_queue_write(queue), TS_OK);
  cr_expect_eq(ts_row_queue_written(queue), 0);
}

Test(harness_lead, a_cell_in_which_two_ranks_died_is_a_row) {
  int signal;
  cr_expect_eq(handed(1), 0);
  cr_expect_eq(handed(2), 1);
  send_plain(1, TS_MESSAGE_LOST, 0);
  cr_assert_eq(receive(&signal), TS_OK);
  send_rows(2, 1, LONG_NS, "done");
  cr_assert_eq(receive(&signal), TS_OK);
  cr_expect_eq(handed(2), 0);
  send_plain(2, TS_MESSAGE_LOST, 0);
  cr_assert_eq(receive(&signal), TS_OK);
  cr_assert_eq(ts_row_queue_write(queue), TS_OK);
  size_t count;
  const ts_record *records = ts_row_queue_records(queue, &count);
  cr_assert_eq(count, 2);
  cr_expect_str_eq(records[0].outcome, "crashed");
  cr_expect_str_eq(records[0].reason, "the rank that ran the cell died, twice");
  cr_expect_str_eq(records[1].reason, "done");
}

static const ts_cell *take(ts_row_queue *queue) {
  const ts_cell *cell;
  cr_assert_eq(ts_row_queue_take(&cell, queue), TS_OK, "%s", ts_status_detail());
  return cell;
}

Test(harness_lead, a_cell_that_only_waited_in_a_rank_that_died_has_no_part_in_it) {
  int signal;
  cr_expect_eq(handed(1), 0);
  cr_expect_eq(handed(2), 1);
  for (int rank = 1; rank <= 2; rank++) {
    send_rows(rank, (uint64_t)rank - 1, SHORT_NS, "done");
    cr_assert_eq(receive(&signal), TS_OK);
  }
  // Both have one that runs and one that waits.
  cr_expect_eq(handed(1), 2);
  cr_expect_eq(crew_expect(crew.ranks[2], TS_MESSAGE_CELL).number, 3);
  cr_expect_eq(crew_expect(crew.ranks[1], TS_MESSAGE_CELL).number, 4);
  for (int rank = 1; rank <= 2; rank++) {
    send_plain(rank, TS_MESSAGE_LOST, 0);
    cr_assert_eq(receive(&signal), TS_OK);
  }
  cr_assert_eq(ts_row_queue_write(queue), TS_OK);
  cr_expect_eq(ts_row_queue_written(queue), 2, "each cell was lost once, and runs again");
  for (uint64_t cell = 2; cell <= 5; cell++)
    cr_expect_eq(take(queue), &plan.cells[cell]);
}

Test(harness_lead, a_signal_that_a_rank_got_is_ours) {
  int signal;
  send_plain(2, TS_MESSAGE_SIGNAL, SIGTERM);
  cr_assert_eq(receive(&signal), TS_OK);
  cr_expect_eq(signal, SIGTERM);
}

Test(harness_lead, a_rank_that_cannot_go_on_is_named) {
  int signal;
  cr_assert_eq(ts_crew_send_text(crew.ranks[2], &(ts_message){.kind = TS_MESSAGE_ERROR},
                                 "cannot start a process"),
               TS_OK);
  cr_expect_eq(receive(&signal), TS_E_IO);
  cr_expect_str_eq(ts_status_detail(), "rank 2: cannot start a process");
}

Test(harness_lead, rows_that_cannot_be_read_are_an_error_that_names_the_rank) {
  int signal;
  cr_expect_eq(handed(1), 0);
  cr_assert_eq(ts_crew_send_text(crew.ranks[1], &(ts_message){.kind = TS_MESSAGE_ROWS}, "rows"),
               TS_OK);
  cr_expect_eq(receive(&signal), TS_E_IO);
  cr_expect(strstr(ts_status_detail(), "rank 1 has sent rows of cell"), "%s", ts_status_detail());
}
