// SPDX-License-Identifier: MIT
#include "harness/pool/row_queue.h"

#include "base/array.h"
#include "base/status.h"
#include "harness/run/deaths.h"

#include <string.h>

typedef enum slot_state { SLOT_FREE, SLOT_OUT, SLOT_GIVEN_BACK, SLOT_DONE } slot_state;

/// A cell from being handed out until its rows are written.
typedef struct slot {
  slot_state state;
  ts_arena *arena; ///< owns the rows
  ts_cell_rows rows;
} slot;

struct ts_row_queue {
  const ts_plan *plan;
  ts_results *results;
  ts_arena *arena;
  ts_record *records;
  size_t record_count, record_capacity;
  size_t next_new, next_write; ///< cells; the ones in between are in the slots
  size_t given_back, out;      ///< numbers of such slots
  bool is_alone;               ///< The cell that is out is one that the program died in before.
  size_t slot_count;
  slot *slots; ///< [slot_count], cell i in slot i % slot_count
};

static slot *slot_of(const ts_row_queue *q, size_t cell) {
  return &q->slots[cell % q->slot_count];
}

ts_status ts_row_queue_create(ts_row_queue **out, ts_arena *arena, const ts_plan *plan,
                              size_t first, ts_results *results, size_t ahead) {
  ts_row_queue *q = ts_arena_alloc(arena, sizeof *q);
  if (!q)
    return TS_E_MEMORY;
  *q = (ts_row_queue){.plan = plan,
                      .results = results,
                      .arena = arena,
                      .next_new = first,
                      .next_write = first,
                      .slot_count = ahead,
                      .slots = ts_arena_array(arena, ahead, sizeof *q->slots)};
  *out = q;
  return q->slots ? TS_OK : TS_E_MEMORY;
}

/// The next cell to hand out, the first one given back if there is one; false when there is none,
/// or no slot is free.
static bool find_next(size_t *out, const ts_row_queue *q) {
  for (size_t cell = q->next_write; q->given_back > 0 && cell < q->next_new; cell++)
    if (slot_of(q, cell)->state == SLOT_GIVEN_BACK) {
      *out = cell;
      return true;
    }
  *out = q->next_new;
  return q->next_new < q->plan->cell_count && q->next_new - q->next_write < q->slot_count;
}

static void hand_out(ts_row_queue *q, size_t cell) {
  if (cell == q->next_new)
    q->next_new++;
  else
    q->given_back--;
  *slot_of(q, cell) = (slot){.state = SLOT_OUT};
  q->out++;
}

ts_status ts_row_queue_take(const ts_cell **out, ts_row_queue *q) {
  *out = NULL;
  for (size_t next; find_next(&next, q);) {
    const ts_cell *cell = &q->plan->cells[next];
    ts_cell_history history = ts_results_history(q->results, cell->key);
    bool is_alone = history == TS_HISTORY_SUSPECT || history == TS_HISTORY_TRIAL;
    if (q->out > 0 && (q->is_alone || is_alone))
      return TS_OK;
    hand_out(q, next);
    if (history == TS_HISTORY_GUILTY) {
      TS_TRY(ts_row_queue_put_death(q, cell, "the run ended in this cell three times"));
      continue;
    }
    q->is_alone = is_alone;
    TS_TRY(ts_results_begin(q->results, cell->key));
    *out = cell;
    return TS_OK;
  }
  return TS_OK;
}

ts_status ts_row_queue_give_back(ts_row_queue *q, const ts_cell *cell) {
  slot_of(q, cell->index)->state = SLOT_GIVEN_BACK;
  q->given_back++;
  q->out--;
  return ts_results_ended(q->results, cell->key);
}

ts_status ts_row_queue_put(ts_row_queue *q, const ts_cell *cell, const ts_cell_rows *rows,
                           ts_arena *rows_arena) {
  *slot_of(q, cell->index) = (slot){.state = SLOT_DONE, .arena = rows_arena, .rows = *rows};
  q->out--;
  return ts_results_ended(q->results, cell->key);
}

ts_status ts_row_queue_put_death(ts_row_queue *q, const ts_cell *cell, const char *reason) {
  ts_arena *arena;
  TS_TRY(ts_arena_create(&arena));
  ts_cell_rows rows;
  ts_status status = ts_deaths_row(&rows, arena, cell, reason);
  if (status == TS_OK)
    return ts_row_queue_put(q, cell, &rows, arena);
  ts_arena_destroy(arena);
  return status;
}

/// Copies a record, which is freed with its slot, for the final table.
static ts_status keep_record(ts_row_queue *q, const ts_record *record) {
  TS_TRY(TS_ARENA_GROW(q->records, q->record_capacity, q->record_count, 1, q->arena));
  ts_record *copy = &q->records[q->record_count];
  *copy = *record;
  TS_TRY(ts_row_keep_texts(&ts_summary_rows, copy, q->arena,
                           q->record_count > 0 ? &q->records[q->record_count - 1] : NULL));
  q->record_count++;
  return TS_OK;
}

ts_status ts_row_queue_write(ts_row_queue *q) {
  while (q->next_write < q->next_new) {
    slot *s = slot_of(q, q->next_write);
    if (s->state != SLOT_DONE)
      return TS_OK;
    TS_TRY(ts_results_append(q->results, &s->rows));
    for (size_t i = 0; i < s->rows.record_count; i++)
      TS_TRY(keep_record(q, &s->rows.records[i]));
    ts_arena_destroy(s->arena);
    *s = (slot){0};
    q->next_write++;
  }
  return TS_OK;
}

size_t ts_row_queue_written(const ts_row_queue *q) {
  return q->next_write;
}

ts_record *ts_row_queue_records(const ts_row_queue *q, size_t *out_count) {
  *out_count = q->record_count;
  return q->records;
}

void ts_row_queue_stop(ts_row_queue *q) {
  for (size_t cell = q ? q->next_write : 0; q && cell < q->next_new; cell++)
    ts_arena_destroy(slot_of(q, cell)->arena);
}
