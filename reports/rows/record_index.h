// SPDX-License-Identifier: MIT
/// Finds the summary row that a contact or a sample belongs to.
#ifndef TS_REPORTS_RECORD_INDEX_H
#define TS_REPORTS_RECORD_INDEX_H

#include "base/arena.h"
#include "reports/rows/record.h"

#define TS_NO_RECORD SIZE_MAX

typedef struct ts_record_index {
  const ts_record *records;
  size_t count;
  size_t *order; ///< [count], by cell, then step
  size_t last;   ///< found last: rows of one state are consecutive
} ts_record_index;

/// Makes an index of records [count], borrowed.
ts_status ts_record_index_make(ts_record_index *out, ts_arena *arena, const ts_record *records,
                               size_t count);

/// Index of the record of that cell and step; TS_NO_RECORD if there is none.
size_t ts_record_index_find(ts_record_index *index, const char *cell, double step);

#endif
