// SPDX-License-Identifier: MIT
/// The contacts of a row that are at fault, as lines of text.
#ifndef TS_REPORTS_CONTACTS_AT_FAULT_H
#define TS_REPORTS_CONTACTS_AT_FAULT_H

#include "base/arena.h"
#include "reports/rows/record.h"

#include <stdbool.h>

/// Maximum number of contacts listed per row; the others are only counted.
#define TS_FAULT_LINES_MAX 20

/// A row of the summary.
typedef struct ts_fault_list {
  const char *cell;
  double step;
  bool takes_all;     ///< contacts.csv does not say which normals are flipped; list any.
  size_t fault_count; ///< out: contacts at fault
  size_t line_count;  ///< out
  const char *lines[TS_FAULT_LINES_MAX]; ///< out: [line_count]
} ts_fault_list;

/// Fills the lists [count] from the contacts.csv at `path`, and sorts them by cell and step. At
/// fault are contacts whose normal is not correct, and phantoms, but never speculative ones.
ts_status ts_contacts_at_fault(ts_fault_list *lists, size_t count, ts_arena *arena,
                               const char *path);

#endif
