// SPDX-License-Identifier: MIT
/// The raw times from which the rows of a summary were computed.
#ifndef TS_REPORTS_SAMPLE_TIMES_H
#define TS_REPORTS_SAMPLE_TIMES_H

#include "base/arena.h"
#include "reports/rows/record.h"

/// One timed repeat of generating all contacts.
typedef struct ts_sample_time {
  size_t record; ///< index of its record
  double number; ///< number of the repeat, from 0
  double passes, time_ns;
} ts_sample_time;

typedef struct ts_sample_times {
  ts_sample_time *items; ///< sorted by record, then number; NULL if there are none
  size_t count;
  const size_t *start; ///< [record count + 1], start of each record in `items`
} ts_sample_times;

/// Reads phase "generate" of samples.csv in `folder` for the records [count]; samples without a
/// record are ignored. Without a folder or such a file there are no samples. Fails like
/// ts_rows_visit().
ts_status ts_sample_times_read(ts_sample_times *out, ts_arena *arena, const char *folder,
                               const ts_record *records, size_t count);

void ts_sample_times_free(ts_sample_times *times);

#endif
