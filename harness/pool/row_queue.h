// SPDX-License-Identifier: MIT
/// The cells of a plan, from being handed out until their rows are written: handed out in plan
/// order, done in any order, written in plan order.
#ifndef TS_HARNESS_ROW_QUEUE_H
#define TS_HARNESS_ROW_QUEUE_H

#include "harness/plan/plan.h"
#include "reports/rows/results.h"

typedef struct ts_row_queue ts_row_queue;

/// The cells from `first` on. At most `ahead` cells are handed out and not written, so that the
/// memory for rows that wait for an earlier cell is bounded. `plan` and `results` are borrowed; the
/// arena owns the queue and the records kept.
ts_status ts_row_queue_create(ts_row_queue **out, ts_arena *arena, const ts_plan *plan,
                              size_t first, ts_results *results, size_t ahead);

/// The next cell to run; NULL when there is none, or when `ahead` cells wait to be written. The
/// results note that it begins. A cell that the program died in before (ts_results_history) is
/// handed out when no other is out, and none beside it, so that another death is nobody else's;
/// after three deaths it gets a row instead. Fails as ts_results_begin.
ts_status ts_row_queue_take(const ts_cell **out, ts_row_queue *queue);

/// Takes a cell back that was handed out and not put: it is the next to be handed out.
ts_status ts_row_queue_give_back(ts_row_queue *queue, const ts_cell *cell);

/// The rows of a cell that was handed out. Takes over `rows_arena`, which owns them.
ts_status ts_row_queue_put(ts_row_queue *queue, const ts_cell *cell, const ts_cell_rows *rows,
                           ts_arena *rows_arena);

/// The row of a cell that was handed out and that the process died in which ran it; `reason` is
/// borrowed.
ts_status ts_row_queue_put_death(ts_row_queue *queue, const ts_cell *cell, const char *reason);

/// Writes the rows of the cells that are done, up to the first one that is not.
ts_status ts_row_queue_write(ts_row_queue *queue);

/// The first cell whose rows are not written; the number of cells of the plan at the end.
size_t ts_row_queue_written(const ts_row_queue *queue);

/// The records written so far, [*out_count], in the arena.
ts_record *ts_row_queue_records(const ts_row_queue *queue, size_t *out_count);

/// Frees rows that were not written. NULL is allowed.
void ts_row_queue_stop(ts_row_queue *queue);

#endif
