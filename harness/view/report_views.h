// SPDX-License-Identifier: MIT
/// The 3-D views of a page of results.
#ifndef TS_HARNESS_REPORT_VIEWS_H
#define TS_HARNESS_REPORT_VIEWS_H

#include "reports/view/views.h"

#include <jansson.h>

/// Makes views of the records [count] of a results folder, for as many as `budget_mb` megabytes of
/// the page hold: those with faults and the lowest quality first. Still pictures of the worst few
/// are added. A row without a view gets the reason. `context` is that of the results, or NULL.
/// `*out` is in the arena.
///
/// Reads the contacts, regions and poses of those rows, and builds their scenes again; shows that
/// on a terminal. Fails as ts_row_details_read().
ts_status ts_report_views(ts_views **out, ts_arena *arena, const char *folder,
                          const ts_record *records, size_t count, const json_t *context,
                          double budget_mb);

#endif
