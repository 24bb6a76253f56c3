// SPDX-License-Identifier: MIT
/// The summary of the page: the methods over all cases and seeds.
#ifndef TS_REPORTS_HTML_STUDY_H
#define TS_REPORTS_HTML_STUDY_H

#include "reports/html/html_data.h"

/// Writes the section: which method is first, the means, and folded away their notes, the worst
/// cells and all pairs;
/// nothing if there is less than two scenes as built. TS_E_MEMORY.
ts_status ts_html_put_study(FILE *file, ts_arena *arena, const ts_html_rows *rows);

#endif
