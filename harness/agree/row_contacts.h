// SPDX-License-Identifier: MIT
/// The contacts of rows of a results folder, pair by pair, without their verdicts.
#ifndef TS_HARNESS_ROW_CONTACTS_H
#define TS_HARNESS_ROW_CONTACTS_H

#include "base/arena.h"
#include "reports/rows/record.h"

#include <stdbool.h>

/// The contacts of a pair: points, normals and groups as in contacts.csv.
typedef struct ts_pair_contacts {
  int32_t body_a, body_b; ///< body_a < body_b
  size_t count;
  const ts_contact *contacts; ///< [count]
} ts_pair_contacts;

typedef struct ts_row_contacts {
  size_t pair_count;
  const ts_pair_contacts *pairs; ///< [pair_count] that have contacts, by (body_a, body_b)
} ts_row_contacts;

/// Reads contacts.csv at `path` for those of the records [count] that `is_wanted` [count]; `*out`
/// [count] is in the arena. TS_E_INPUT for what ts_rows_visit() refuses, for rows of a cell that
/// are not consecutive, for bodies that are none, and for fewer contacts than a record counts.
ts_status ts_row_contacts_read(ts_row_contacts **out, ts_arena *arena, const ts_record *records,
                               const bool *is_wanted, size_t count, const char *path);

#endif
