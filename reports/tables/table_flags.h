// SPDX-License-Identifier: MIT
/// What the measures in the table do not show: a letter for each fault column of the record that is
/// not zero.
#ifndef TS_REPORTS_TABLE_FLAGS_H
#define TS_REPORTS_TABLE_FLAGS_H

#include "reports/rows/record.h"
#include "reports/tables/table_text.h"

/// Maximum number of letters.
#define TS_FLAGS_MAX 26

/// The flags of a record, one bit each; none if the record is not ok.
unsigned ts_flags_of(const ts_record *record);

/// The letters of the flags, in the order of the columns: "fp".
const char *ts_flags_letters(char out[TS_FLAGS_MAX + 1], unsigned flags);

/// Explains only those letters, on lines of at most `limit` columns if words are short enough.
void ts_flags_explain(ts_pen *pen, unsigned flags, size_t limit);

#endif
