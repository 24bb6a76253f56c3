// SPDX-License-Identifier: MIT
/// The parts of the page that need no script: the failed rows, the table of all rows, and that of
/// coherence.
#ifndef TS_REPORTS_HTML_TABLE_H
#define TS_REPORTS_HTML_TABLE_H

#include "reports/html/html_data.h"

/// Writes the section of failed rows, each with its reason and the command that repeats it; nothing
/// if none failed.
ts_status ts_html_put_failures(FILE *file, ts_arena *arena, const ts_html_rows *rows);

/// Writes the table of all rows with the main measures.
ts_status ts_html_put_table(FILE *file, ts_arena *arena, const ts_html_rows *rows);

/// Writes the section on coherence: of each cell the last row that has such columns, and what they
/// mean; nothing if no row has any.
ts_status ts_html_put_coherence(FILE *file, ts_arena *arena, const ts_html_rows *rows);

#endif
