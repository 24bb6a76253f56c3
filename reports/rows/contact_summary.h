// SPDX-License-Identifier: MIT
/// What the contacts of each row come to: how many are right, and how their normals' errors spread.
#ifndef TS_REPORTS_CONTACT_SUMMARY_H
#define TS_REPORTS_CONTACT_SUMMARY_H

#include "base/arena.h"
#include "reports/rows/record.h"

typedef struct ts_contact_summary {
  size_t listed;      ///< contacts of the row in the file; each is one of the next four
  size_t speculative; ///< ahead of a touch
  size_t phantom;     ///< where nothing touches
  size_t correct;     ///< of the rest: with a right normal
  size_t incorrect;   ///< of the rest: with a wrong one
  size_t curve_count;
  /// [curve_count]: errors of the normals [deg] of all that are not speculative, ascending: the
  /// first at share 0, the last at share 1, evenly spaced.
  const float *curve;
} ts_contact_summary;

/// Reads contacts.csv in `folder` for the records [count], with at most `curve_limit` points a
/// curve. `*out` [count] is the arena's; all zero without a folder or such a file in it. Fails as
/// ts_rows_visit(), and with TS_E_INPUT where the contacts of a row are not as many as it tells of.
ts_status ts_contact_summary_read(ts_contact_summary **out, ts_arena *arena, const char *folder,
                                  const ts_record *records, size_t count, size_t curve_limit);

#endif
