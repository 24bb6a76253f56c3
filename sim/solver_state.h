// SPDX-License-Identifier: MIT
/// What ts_solver is made of: for sim/ alone.
#ifndef TS_SIM_SOLVER_STATE_H
#define TS_SIM_SOLVER_STATE_H

#include "sim/contact_rows.h"

/// Scaled velocity of a body, less what it has without contacts; padded to a cache line. Slot 0
/// is that of every fixed body, slot i + 1 that of body i.
typedef struct ts_slot {
  ts_lanes v[4]; ///< (linear, angular, unused)
} ts_slot;

typedef struct ts_multipliers {
  ts_lanes x[2];
} ts_multipliers;

/// Where the constraints of a set are among all.
typedef struct ts_set_span {
  int32_t body_a, body_b;
  size_t first, count;
} ts_set_span;

/// Which constraint a contact is part of, and its share of the impulse; TS_NO_ROW: none.
typedef struct ts_contact_share {
  size_t row;
  double share;
} ts_contact_share;
#define TS_NO_ROW SIZE_MAX

struct ts_solver {
  ts_contact_rows *rows;     ///< [row_count], one for each constraint
  ts_multipliers *from, *to; ///< [row_count]; a sweep reads the one and writes the other
  ts_multipliers *soft;      ///< [row_count] softness of each row [1/kg]; read for a penalty alone
  ts_contact_frame *frames, *next_frames;
  size_t row_count, row_capacity;
  ts_contact_share *contacts; ///< [contact_count]
  double *shares;             ///< [contact_capacity] of the contacts of one set
  size_t contact_count, contact_capacity;
  ts_set_span *spans, *next_spans; ///< [span_count]
  size_t span_count, span_capacity;
  ts_slot *slots, *kept; ///< [slot_count]; `kept`: to roll back to
  size_t slot_count, slot_capacity;
  size_t ignored_count, constraint_count, new_pairs;
  double explicit_ratio;
};

/// Exchanges the multipliers that are read and written.
static inline void ts_solver_swap_multipliers(ts_solver *solver) {
  ts_multipliers *from = solver->from;
  solver->from = solver->to;
  solver->to = from;
}

#endif
