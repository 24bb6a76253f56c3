// SPDX-License-Identifier: MIT
/// A summary of the contacts of each row: how many are correct, and the distribution of their
/// normal errors.
#ifndef TS_REPORTS_CONTACT_SUMMARY_H
#define TS_REPORTS_CONTACT_SUMMARY_H

#include "base/arena.h"
#include "reports/rows/record.h"

typedef struct ts_contact_summary {
  size_t listed;      ///< contacts of the row in the file; each is of one of the next four kinds
  size_t speculative; ///< predicts a touch
  size_t phantom;     ///< nothing touches there
  size_t correct;     ///< of the rest: with a correct normal
  size_t incorrect;   ///< of the rest: with a wrong one
  size_t curve_count;
  /// [curve_count]: normal errors [deg] of all that are not speculative, ascending; evenly spaced
  /// over the share of contacts, from 0 to 1.
  const float *curve;
} ts_contact_summary;

/// Reads contacts.csv in `folder` for the records [count], with at most `curve_limit` points per
/// curve. `*out` [count] is in the arena; all zero without a folder or such a file. Fails like
/// ts_rows_visit(), and with TS_E_INPUT if the number of contacts of a row differs from the one in
/// the summary.
ts_status ts_contact_summary_read(ts_contact_summary **out, ts_arena *arena, const char *folder,
                                  const ts_record *records, size_t count, size_t curve_limit);

#endif
