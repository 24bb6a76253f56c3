// SPDX-License-Identifier: MIT
// covers: harness/pool/pool.c harness/pool/serve.c
#include "harness/pool/pool.h"

#include "base/clock.h"
#include "base/status.h"
#include "crew_fixture.h"
#include "harness/isolation/cell_ipc.h"
#include "harness/pool/serve.h"

#include <criterion/criterion.h>
#include <math.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

static ts_arena *arena;
static ts_plan plan;

static void setup(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
  ts_plan_request request = {
      .cases = "spikes|wedges|sliding_spike", .methods = "closest_points|vertex_only", .steps = 1};
  cr_assert_eq(ts_plan_create(&plan, arena, &request), TS_OK, "%s", ts_status_detail());
  cr_assert_eq(plan.cell_count, 6);
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(harness_pool, .init = setup, .fini = teardown);

static const ts_timing once = {.repeats = 1};
static const ts_limits wide = {.time_s = 60, .memory_bytes = 4096 * 1048576.0};

/// The results that came, and how many fail.
typedef struct collected {
  size_t count;
  const ts_cell *cells[8];
  char outcomes[8][16];
  ts_status answer;
} collected;

static ts_status collect(void *context, const ts_pool_result *result) {
  collected *c = context;
  cr_assert(result->rows.record_count == 1 && result->run_ns > 0);
  c->cells[c->count] = result->cell;
  snprintf(c->outcomes[c->count++], sizeof *c->outcomes, "%s", result->rows.records[0].outcome);
  ts_arena_destroy(result->arena);
  return c->answer;
}

Test(harness_pool, as_many_cells_run_as_there_are_jobs_and_each_ends_once) {
  ts_pool *pool;
  cr_assert_eq(ts_pool_create(&pool, arena, 2, &once, &wide), TS_OK);
  collected c = {.answer = TS_OK};
  size_t next = 0;
  while (c.count < plan.cell_count) {
    while (next < plan.cell_count && ts_pool_has_room(pool))
      cr_assert_eq(ts_pool_start(pool, &plan.cells[next++]), TS_OK, "%s", ts_status_detail());
    cr_expect(ts_pool_running(pool) <= 2);
    ts_pool_wait(pool, NULL, 0);
    cr_assert_eq(ts_pool_poll(pool, collect, &c), TS_OK, "%s", ts_status_detail());
  }
  cr_expect_eq(ts_pool_running(pool), 0);
  bool is_seen[6] = {false};
  for (size_t i = 0; i < c.count; i++) {
    cr_expect(!is_seen[c.cells[i]->index]);
    is_seen[c.cells[i]->index] = true;
    cr_expect_str_eq(c.outcomes[i], "ok");
  }
  ts_pool_stop(pool);
}

Test(harness_pool, an_error_of_the_receiver_ends_the_poll) {
  ts_pool *pool;
  cr_assert_eq(ts_pool_create(&pool, arena, 1, &once, &wide), TS_OK);
  cr_assert_eq(ts_pool_start(pool, &plan.cells[0]), TS_OK);
  collected c = {.answer = TS_E_IO};
  ts_status status = TS_OK;
  while (c.count == 0) {
    ts_pool_wait(pool, NULL, 0);
    status = ts_pool_poll(pool, collect, &c);
  }
  cr_expect_eq(status, TS_E_IO);
  ts_pool_stop(pool);
}

Test(harness_pool, something_else_that_happens_ends_the_wait) {
  ts_pool *pool;
  int pipe_files[2];
  cr_assert_eq(pipe(pipe_files), 0);
  cr_assert_eq(ts_pool_create(&pool, arena, 1, &once, &wide), TS_OK);
  cr_assert_eq(write(pipe_files[1], "x", 1), 1);
  struct pollfd other = {.fd = pipe_files[0], .events = POLLIN};
  ts_pool_wait(pool, &other, 1);
  cr_expect(other.revents & POLLIN);
  cr_assert_eq(read(pipe_files[0], &(char){0}, 1), 1);
  ts_pool_wait(pool, &other, 1);
  cr_expect_eq(other.revents, 0);
  ts_pool_stop(pool);
}

typedef struct served {
  ts_crew *crew;
  ts_status status;
} served;

static void *serve(void *context) {
  served *s = context;
  ts_arena *own;
  cr_assert_eq(ts_arena_create(&own), TS_OK);
  ts_run_options options = {.jobs = 2, .timing = once, .limits = wide};
  s->status = ts_serve_cells(s->crew, own, &plan, &options);
  ts_arena_destroy(own);
  return NULL;
}

Test(harness_pool, a_rank_runs_the_cells_that_it_is_handed_until_rank_0_leaves) {
  crew_fixture crew;
  crew_open(&crew, 2);
  served s = {.crew = crew.ranks[1]};
  pthread_t thread;
  cr_assert_eq(pthread_create(&thread, NULL, serve, &s), 0);
  for (uint64_t i = 0; i < 6; i++)
    cr_assert_eq(ts_crew_send(crew.ranks[0],
                              &(ts_message){
                                  .kind = TS_MESSAGE_CELL, .rank = 1, .number = 5 - i, .body = -1}),
                 TS_OK);
  bool is_seen[6] = {false};
  for (int i = 0; i < 6; i++) {
    ts_message message = crew_expect(crew.ranks[0], TS_MESSAGE_ROWS);
    cr_assert(message.number < 6 && !is_seen[message.number]);
    is_seen[message.number] = true;
    ts_cell_ipc_content content;
    const char *key = plan.cells[message.number].key;
    cr_assert_eq(ts_cell_ipc_read(&content, arena, message.body, INFINITY, key), TS_OK);
    cr_assert(content.is_whole);
    cr_expect_str_eq(content.records[0].outcome, "ok");
    close(message.body);
  }
  crew_hang_up(&crew, 1);
  pthread_join(thread, NULL);
  cr_expect_eq(s.status, TS_OK);
  crew_close(&crew);
}
