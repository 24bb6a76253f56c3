// SPDX-License-Identifier: MIT
/// The failed rows of the page, folded away: how many of which reason, then each with its command.
#ifndef TS_REPORTS_HTML_FAILURES_H
#define TS_REPORTS_HTML_FAILURES_H

#include "reports/html/html_data.h"

/// Writes the section; nothing if no row failed. Reasons that differ by numbers only are one.
/// TS_E_MEMORY.
ts_status ts_html_put_failures(FILE *file, ts_arena *arena, const ts_html_rows *rows);

#endif
