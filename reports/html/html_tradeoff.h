// SPDX-License-Identifier: MIT
/// Quality against time over all scenes as built, for the script of the page to draw.
#ifndef TS_REPORTS_HTML_TRADEOFF_H
#define TS_REPORTS_HTML_TRADEOFF_H

#include "reports/html/html_data.h"

/// Writes null if less than two methods can be compared, otherwise one JSON object, the same points
/// and front as in the plot quality_time:
/// {cases: count, points: [[method, time_ns, low, high, quality_percent, low, high, is_best,
///  cases]] by time}
/// Method is a place in `methods` of ts_html_put_data(); low and high, the ends of the intervals,
/// are null where there are none.
ts_status ts_html_put_tradeoff(FILE *file, ts_arena *arena, const ts_html_rows *rows);

#endif
