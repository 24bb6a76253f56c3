// SPDX-License-Identifier: MIT
/// What the page shows without a script: the failed rows, and the table of all rows.
#ifndef TS_REPORTS_HTML_TABLE_H
#define TS_REPORTS_HTML_TABLE_H

#include "reports/html/html_data.h"

/// The section of the rows that failed, each with its reason and the command that repeats it;
/// nothing when none did.
ts_status ts_html_put_failures(FILE *file, ts_arena *arena, const ts_html_rows *rows);

/// The table of all rows with the main measures.
ts_status ts_html_put_table(FILE *file, ts_arena *arena, const ts_html_rows *rows);

#endif
