// SPDX-License-Identifier: MIT
#include "ldi/team.h"

#include "base/status.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

/// One thread at work.
typedef struct member {
  ts_ldi_team *team;
  int index;
  pthread_t thread;
} member;

struct ts_ldi_team {
  int size;
  ts_ldi_task run;
  void *context;
  int32_t task_count;
  _Atomic int32_t next;
  _Atomic ts_status status;
  char detail[256]; ///< Of the task that set the status.
  member members[];
};

ts_status ts_ldi_team_create(ts_ldi_team **out, int size) {
  ts_ldi_team *team = calloc(1, sizeof *team + (size_t)size * sizeof team->members[0]);
  *out = team;
  if (!team)
    return ts_fail(TS_E_MEMORY, "no memory for %d threads", size);
  team->size = size;
  for (int i = 0; i < size; i++)
    team->members[i] = (member){.team = team, .index = i};
  return TS_OK;
}

void ts_ldi_team_destroy(ts_ldi_team *team) {
  free(team);
}

static void *work(void *argument) {
  const member *m = argument;
  ts_ldi_team *team = m->team;
  for (;;) {
    int32_t task = atomic_fetch_add_explicit(&team->next, 1, memory_order_relaxed);
    if (task >= team->task_count)
      return NULL;
    ts_status status = team->run(team->context, m->index, task);
    ts_status before = TS_OK;
    if (status != TS_OK && atomic_compare_exchange_strong(&team->status, &before, status))
      snprintf(team->detail, sizeof team->detail, "%s", ts_status_detail());
  }
}

ts_status ts_ldi_team_run(ts_ldi_team *team, ts_ldi_task run, void *context, int32_t task_count) {
  team->run = run;
  team->context = context;
  team->task_count = task_count;
  atomic_store(&team->next, 0);
  atomic_store(&team->status, TS_OK);
  int size = team->size < task_count ? team->size : task_count, started = 1;
  while (started < size &&
         pthread_create(&team->members[started].thread, NULL, work, &team->members[started]) == 0)
    started++;
  work(&team->members[0]);
  for (int i = 1; i < started; i++)
    pthread_join(team->members[i].thread, NULL);
  ts_status status = atomic_load(&team->status);
  return status == TS_OK ? TS_OK : ts_fail(status, "%s", team->detail);
}
