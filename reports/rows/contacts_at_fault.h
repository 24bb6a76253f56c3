// SPDX-License-Identifier: MIT
/// The contacts of a row that its measures blame, as lines of text.
#ifndef TS_REPORTS_CONTACTS_AT_FAULT_H
#define TS_REPORTS_CONTACTS_AT_FAULT_H

#include "base/arena.h"
#include "reports/rows/record.h"

#include <stdbool.h>

/// Contacts that are told of one row; the others are counted.
#define TS_FAULTS_TOLD 20

/// A row of the summary.
typedef struct ts_fault_list {
  const char *cell;
  double step;
  bool takes_all;     ///< Of normals that are flipped contacts.csv does not say which: tell any.
  size_t fault_count; ///< out: contacts at fault
  size_t told_count;  ///< out
  const char *lines[TS_FAULTS_TOLD]; ///< out: [told_count]
} ts_fault_list;

/// Fills the lists [count], sorting them by cell and step, from the contacts.csv at `path`: those
/// whose normal is not correct, and phantoms. Speculative contacts are at fault for neither.
ts_status ts_contacts_at_fault(ts_fault_list *lists, size_t count, ts_arena *arena,
                               const char *path);

#endif
