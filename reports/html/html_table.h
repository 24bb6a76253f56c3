// SPDX-License-Identifier: MIT
/// The tables of rows: of all, and of coherence. Each has a form for the script to fill, and one
/// that needs no script.
#ifndef TS_REPORTS_HTML_TABLE_H
#define TS_REPORTS_HTML_TABLE_H

#include "reports/html/html_data.h"

/// Writes the table of all rows with the main measures.
ts_status ts_html_put_table(FILE *file, ts_arena *arena, const ts_html_rows *rows);

/// Writes the section on coherence: of each cell the last row that has such columns, and what they
/// mean; nothing if no row has any.
ts_status ts_html_put_coherence(FILE *file, ts_arena *arena, const ts_html_rows *rows);

#endif
