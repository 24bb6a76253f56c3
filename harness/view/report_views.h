// SPDX-License-Identifier: MIT
/// The 3-D views of a page of results.
#ifndef TS_HARNESS_REPORT_VIEWS_H
#define TS_HARNESS_REPORT_VIEWS_H

#include "reports/formats/format.h"
#include "reports/view/views.h"

/// Makes views of the rows of a results folder, for as many as `budget_mb` megabytes of
/// the page hold: those with faults and the lowest quality first. Still pictures of the worst few
/// are added. A row without a view gets the reason. `*out` is in the arena, and
/// borrows from the source.
///
/// Reads the contacts, regions and poses of those rows, and builds their scenes again; shows that
/// on a terminal. Fails as ts_row_details_read().
ts_status ts_report_views(ts_views **out, ts_arena *arena, const ts_format_source *source,
                          double budget_mb);

#endif
