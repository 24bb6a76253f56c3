// SPDX-License-Identifier: MIT
/// Rank 0 of a crew: hands cells out to the other ranks, and takes their rows.
#ifndef TS_HARNESS_LEAD_H
#define TS_HARNESS_LEAD_H

#include "harness/pool/crew.h"
#include "harness/pool/row_queue.h"

typedef struct ts_lead ts_lead;

/// For ranks of `jobs` jobs each, whose reports have come (harness/pool/muster.h). `crew` and
/// `plan` are borrowed; the arena owns the result.
ts_status ts_lead_create(ts_lead **out, ts_arena *arena, ts_crew *crew, const ts_plan *plan,
                         int jobs);

/// Hands out cells of the queue to every rank that has a free job.
ts_status ts_lead_hand_out(ts_lead *lead, ts_row_queue *queue);

/// Puts the rows that have come into the queue. Cells of a rank that has died go back to it, with a
/// warning; one in which a second rank dies becomes a row that says so. `*out_signal` is a
/// termination signal that a rank got, else 0. TS_E_IO, naming the rank, when one cannot go on.
ts_status ts_lead_receive(ts_lead *lead, ts_row_queue *queue, int *out_signal);

#endif
