// SPDX-License-Identifier: MIT
#include "harness/pool/lead.h"

#include "base/status.h"
#include "harness/isolation/cell_ipc.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/// A rank whose cells are shorter gets its next ones in advance, so that it does not wait for them.
/// Longer ones are not: one that waits in a busy rank at the end of a run delays the end.
#define SHORT_CELL_NS 50000000

typedef struct rank {
  const ts_cell **cells; ///< [cell_count] handed out, in that order
  size_t cell_count;
  bool has_short_cells, is_lost;
} rank;

struct ts_lead {
  ts_crew *crew;
  const ts_plan *plan;
  size_t jobs; ///< of a rank
  int rank_count;
  rank *ranks;     ///< [rank_count]; that of rank 0 is not used
  uint8_t *deaths; ///< [plan->cell_count], of ranks that ran the cell
};

ts_status ts_lead_create(ts_lead **out, ts_arena *arena, ts_crew *crew, const ts_plan *plan,
                         int jobs) {
  ts_lead *lead = ts_arena_alloc(arena, sizeof *lead);
  if (!lead)
    return TS_E_MEMORY;
  int count = ts_crew_count(crew);
  *lead = (ts_lead){.crew = crew,
                    .plan = plan,
                    .jobs = (size_t)jobs,
                    .rank_count = count,
                    .ranks = ts_arena_array(arena, (size_t)count, sizeof *lead->ranks),
                    .deaths = ts_arena_array(arena, plan->cell_count, 1)};
  *out = lead;
  if (!lead->ranks || !lead->deaths)
    return TS_E_MEMORY;
  for (int i = 0; i < count; i++) {
    lead->ranks[i].cells = ts_arena_array(arena, 2 * lead->jobs, sizeof *lead->ranks[i].cells);
    if (!lead->ranks[i].cells)
      return TS_E_MEMORY;
  }
  return TS_OK;
}

/// One cell to each rank that has fewer than `most`.
static ts_status hand_out_once(bool *out_any, ts_lead *lead, ts_row_queue *queue, bool in_advance) {
  *out_any = false;
  for (int i = 1; i < lead->rank_count; i++) {
    rank *r = &lead->ranks[i];
    size_t most = in_advance && r->has_short_cells ? 2 * lead->jobs : lead->jobs;
    if (r->is_lost || r->cell_count >= most)
      continue;
    const ts_cell *cell;
    TS_TRY(ts_row_queue_take(&cell, queue));
    if (!cell)
      return TS_OK;
    r->cells[r->cell_count++] = cell;
    *out_any = true;
    TS_TRY(ts_crew_send(
        lead->crew,
        &(ts_message){.kind = TS_MESSAGE_CELL, .rank = i, .number = cell->index, .body = -1}));
  }
  return TS_OK;
}

ts_status ts_lead_hand_out(ts_lead *lead, ts_row_queue *queue) {
  for (int in_advance = 0; in_advance <= 1; in_advance++)
    for (bool any = true; any;)
      TS_TRY(hand_out_once(&any, lead, queue, in_advance));
  return TS_OK;
}

/// Removes a cell from those of a rank; NULL when it does not have it.
static const ts_cell *remove_cell(rank *r, uint64_t index) {
  for (size_t i = 0; i < r->cell_count; i++) {
    const ts_cell *cell = r->cells[i];
    if (cell->index != index)
      continue;
    r->cell_count--;
    memmove(r->cells + i, r->cells + i + 1, (r->cell_count - i) * sizeof *r->cells);
    return cell;
  }
  return NULL;
}

static ts_status take_rows(ts_lead *lead, ts_row_queue *queue, const ts_message *message) {
  rank *r = &lead->ranks[message->rank];
  const ts_cell *cell = remove_cell(r, message->number);
  if (r->is_lost || !cell)
    return TS_OK; // late: the cell is with another rank now
  r->has_short_cells = message->run_ns < SHORT_CELL_NS;
  ts_arena *arena;
  ts_cell_ipc_content content;
  TS_TRY(ts_arena_create(&arena));
  ts_status status = ts_cell_ipc_read(&content, arena, message->body, INFINITY, cell->key);
  if (status == TS_OK && content.is_whole)
    return ts_row_queue_put(queue, cell, &content.rows, arena);
  ts_arena_destroy(arena);
  return status == TS_OK ? ts_fail(TS_E_IO, "rank %d has sent rows of cell %s that cannot be read",
                                   message->rank, cell->key)
                         : status;
}

static ts_status lose_rank(ts_lead *lead, ts_row_queue *queue, int index) {
  rank *r = &lead->ranks[index];
  if (r->is_lost)
    return TS_OK;
  r->is_lost = true;
  fprintf(stderr, "touchstone: warning: rank %d has died; the cells that it ran, %zu, run again\n",
          index, r->cell_count);
  for (size_t i = 0; i < r->cell_count; i++) {
    const ts_cell *cell = r->cells[i];
    bool was_running = i < lead->jobs; // the others waited
    if (was_running && ++lead->deaths[cell->index] >= 2)
      TS_TRY(ts_row_queue_put_death(queue, cell, "the rank that ran the cell died, twice"));
    else
      TS_TRY(ts_row_queue_give_back(queue, cell));
  }
  r->cell_count = 0;
  return TS_OK;
}

/// The one message of a rank that cannot go on.
static ts_status fail_rank(const ts_message *message) {
  char text[900] = "";
  if (message->body >= 0 && pread(message->body, text, sizeof text - 1, 0) < 0)
    text[0] = '\0';
  return ts_fail(TS_E_IO, "rank %d: %s", message->rank, text);
}

static ts_status handle(ts_lead *lead, ts_row_queue *queue, const ts_message *message,
                        int *out_signal) {
  if (message->rank < 1 || message->rank >= lead->rank_count)
    return TS_OK;
  switch ((int)message->kind) {
  case TS_MESSAGE_ROWS:
    return take_rows(lead, queue, message);
  case TS_MESSAGE_LOST:
    return lose_rank(lead, queue, message->rank);
  case TS_MESSAGE_SIGNAL:
    *out_signal = (int)message->number;
    return TS_OK;
  case TS_MESSAGE_ERROR:
    return fail_rank(message);
  default:
    return TS_OK;
  }
}

ts_status ts_lead_receive(ts_lead *lead, ts_row_queue *queue, int *out_signal) {
  for (;;) {
    bool is_there, has_ended;
    ts_message message;
    TS_TRY(ts_crew_next(&is_there, &has_ended, &message, lead->crew));
    if (!is_there)
      return has_ended ? ts_fail(TS_E_IO, "the connection to the other ranks has ended") : TS_OK;
    ts_status status = handle(lead, queue, &message, out_signal);
    if (message.body >= 0)
      close(message.body);
    TS_TRY(status);
  }
}
