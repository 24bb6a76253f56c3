// SPDX-License-Identifier: MIT
/// The snapshot of a row of results: its scene, with the contacts, regions and poses that the
/// results folder has of it.
#ifndef TS_HARNESS_ROW_SNAPSHOT_H
#define TS_HARNESS_ROW_SNAPSHOT_H

#include "reports/export/snapshot.h"
#include "reports/rows/row_details.h"

/// Of one row, the most contacts at fault and the most others that a snapshot has: of the first the
/// worst of each fault in turn, so that none is crowded out; of the others some evenly spread over
/// the file.
#define TS_SNAPSHOT_FAULTS_MAX ((size_t)300)
#define TS_SNAPSHOT_OTHERS_MAX ((size_t)100)

typedef struct ts_row_snapshot {
  ts_snapshot snapshot;           ///< contacts: those at fault, the worst first, then the others
  const unsigned *contact_faults; ///< of its contacts (ts_contact_faults)
  bool has_moved;                 ///< bodies are not as built
  bool has_verdicts;      ///< the regions are those of the row, with how its contacts meet them
  size_t *served_counts;  ///< [region_count]: the contacts that serve each region, also those that
                          ///< the snapshot leaves out
  double *missing_counts; ///< [region_count]: contacts that each lacks of its minimum; NaN: unknown
} ts_row_snapshot;

/// A sentence why a row of which so many contacts are listed cannot be shown, a literal: others are
/// left out. NULL: it can.
const char *ts_row_contacts_missing(const ts_record *record, double listed);

/// Puts the details of a row on the snapshot of its scene as built, which is shared. `*out_why`: a
/// sentence why that cannot be done, a literal; NULL: it has been. In the arena.
ts_status ts_row_snapshot_make(ts_row_snapshot *out, const char **out_why, ts_arena *arena,
                               const ts_snapshot *built, const ts_record *record,
                               const ts_row_details *details);

#endif
