// SPDX-License-Identifier: MIT
#include "harness/pool/pool.h"

#include "base/clock.h"
#include "base/status.h"

/// Interval between checks of the children's memory.
#define WATCH_MS 10

/// The same without children, when there is nothing to check.
#define IDLE_MS 100

/// A cell that runs.
typedef struct job {
  ts_child *child; ///< NULL: free
  const ts_cell *cell;
  ts_arena *arena;
  int64_t start_ns;
} job;

struct ts_pool {
  const ts_timing *timing;
  const ts_limits *limits;
  int job_count, running;
  job *jobs;            ///< [job_count]
  struct pollfd *files; ///< [job_count + TS_POOL_OTHERS_MAX]
  int wait_ms;          ///< grows where the system cannot report the end of a child
};

ts_status ts_pool_create(ts_pool **out, ts_arena *arena, int jobs, const ts_timing *timing,
                         const ts_limits *limits) {
  ts_pool *pool = ts_arena_alloc(arena, sizeof *pool);
  if (!pool)
    return TS_E_MEMORY;
  *pool = (ts_pool){
      .timing = timing,
      .limits = limits,
      .job_count = jobs,
      .jobs = ts_arena_array(arena, (size_t)jobs, sizeof *pool->jobs),
      .files = ts_arena_array(arena, (size_t)jobs + TS_POOL_OTHERS_MAX, sizeof *pool->files),
      .wait_ms = 1};
  *out = pool;
  return pool->jobs && pool->files ? TS_OK : TS_E_MEMORY;
}

bool ts_pool_has_room(const ts_pool *pool) {
  return pool->running < pool->job_count;
}

int ts_pool_running(const ts_pool *pool) {
  return pool->running;
}

ts_status ts_pool_start(ts_pool *pool, const ts_cell *cell) {
  job *j = pool->jobs;
  while (j->child)
    j++;
  *j = (job){.cell = cell, .start_ns = ts_clock_ns()};
  TS_TRY(ts_arena_create(&j->arena));
  ts_status status = ts_child_start(&j->child, cell, pool->timing, pool->limits);
  if (status != TS_OK) {
    ts_arena_destroy(j->arena);
    *j = (job){0};
    return status;
  }
  pool->running++;
  return TS_OK;
}

void ts_pool_wait(ts_pool *pool, struct pollfd *others, size_t count) {
  nfds_t used = 0;
  bool all_report = true;
  for (size_t i = 0; i < count; i++)
    pool->files[used++] = others[i];
  for (int i = 0; i < pool->job_count; i++) {
    if (!pool->jobs[i].child)
      continue;
    int file = ts_child_file(pool->jobs[i].child);
    all_report = all_report && file >= 0;
    pool->files[used++] = (struct pollfd){.fd = file, .events = POLLIN};
  }
  int longest_ms = pool->running > 0 ? WATCH_MS : IDLE_MS;
  bool any = poll(pool->files, used, all_report ? longest_ms : pool->wait_ms) > 0;
  for (size_t i = 0; i < count; i++)
    others[i].revents = any ? pool->files[i].revents : 0;
  pool->wait_ms = pool->wait_ms < WATCH_MS ? pool->wait_ms + 1 : WATCH_MS;
}

/// Frees a job and passes its result on.
static ts_status pass_on(ts_pool *pool, job *j, const ts_cell_rows *rows,
                         ts_pool_receiver *receiver, void *context) {
  ts_pool_result result = {
      .cell = j->cell, .arena = j->arena, .rows = *rows, .run_ns = ts_clock_ns() - j->start_ns};
  ts_child_destroy(j->child);
  *j = (job){0};
  pool->running--;
  pool->wait_ms = 1;
  return receiver(context, &result);
}

ts_status ts_pool_poll(ts_pool *pool, ts_pool_receiver *receiver, void *context) {
  for (int i = 0; i < pool->job_count; i++) {
    job *j = &pool->jobs[i];
    if (!j->child)
      continue;
    bool is_done;
    ts_cell_rows rows;
    TS_TRY(ts_child_poll(&is_done, &rows, j->child, j->arena));
    if (is_done)
      TS_TRY(pass_on(pool, j, &rows, receiver, context));
  }
  return TS_OK;
}

void ts_pool_stop(ts_pool *pool) {
  for (int i = 0; pool && i < pool->job_count; i++) {
    ts_child_destroy(pool->jobs[i].child);
    ts_arena_destroy(pool->jobs[i].arena);
  }
}
