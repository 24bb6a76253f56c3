// SPDX-License-Identifier: MIT
/// What the measures of the table do not say: a letter for each fault of the record, which should
/// be zero and is not.
#ifndef TS_REPORTS_TABLE_FLAGS_H
#define TS_REPORTS_TABLE_FLAGS_H

#include "reports/rows/record.h"
#include "reports/tables/table_text.h"

/// As many as there are letters.
#define TS_FLAGS_MAX 26

/// The flags of a record, a bit each; none of one that is not ok.
unsigned ts_flags_of(const ts_record *record);

/// Their letters in the order of the columns: "fp".
const char *ts_flags_letters(char out[TS_FLAGS_MAX + 1], unsigned flags);

/// Explains those letters and no others, on lines of at most `limit` columns where words allow.
void ts_flags_explain(ts_pen *pen, unsigned flags, size_t limit);

#endif
