// SPDX-License-Identifier: MIT
/// The contacts at fault (ts_contact_kind_is_fault), worst first, as lines of text.
#ifndef TS_REPORTS_CONTACTS_AT_FAULT_H
#define TS_REPORTS_CONTACTS_AT_FAULT_H

#include "base/arena.h"
#include "reports/rows/record.h"

#include <stdbool.h>

/// Maximum number of contacts listed per row; the others are only counted.
#define TS_FAULT_LINES_MAX 20

/// Whether one contact at fault is worse than another. Worse is, in this order: phantom,
/// speculative_wrong, incorrect, flipped, gap_wrong; among equals the larger error.
bool ts_fault_is_worse(const ts_contact_row *a, const ts_contact_row *b);

/// The worst contacts of those added; among equals the earlier ones.
typedef struct ts_faults {
  size_t count;                             ///< contacts at fault
  size_t listed;                            ///< of them in `worst`
  ts_contact_row worst[TS_FAULT_LINES_MAX]; ///< [listed]; texts are those of the rows added
} ts_faults;

/// Adds a contact if it is at fault.
void ts_faults_add(ts_faults *faults, const ts_contact_row *row);

/// "bodies 0 and 1, point (0, 1, 0), normal (0, 1, 0), gap -0.35, region 0, gap off by 0.35 m";
/// NULL when out of memory.
const char *ts_fault_describe(ts_arena *arena, const ts_contact_row *row);

/// A row of the summary.
typedef struct ts_fault_list {
  const char *cell;
  double step;
  ts_faults faults; ///< out; without the texts
} ts_fault_list;

/// Fills the lists [count] from the contacts.csv at `path`, and sorts them by cell and step.
ts_status ts_contacts_at_fault(ts_fault_list *lists, size_t count, const char *path);

#endif
