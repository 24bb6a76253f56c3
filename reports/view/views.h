// SPDX-License-Identifier: MIT
/// The views of a page: for as many rows as fit, what its 3-D viewer shows; and the viewer itself.
#ifndef TS_REPORTS_VIEWS_H
#define TS_REPORTS_VIEWS_H

#include "reports/view/view_row.h"

#include <stdio.h>

typedef struct ts_views ts_views;

/// A row of the page that gets a view.
typedef struct ts_view_place {
  size_t index;     ///< of the row in the page's data
  const char *cell; ///< rows of the same one are steps of one slider; borrowed
  double step;
  size_t rank;  ///< the lowest are kept first; each row has its own
  size_t scene; ///< as ts_views_add_scene() gave it
} ts_view_place;

/// For the rows [row_count] of a page, each of which has no view until it gets one. In the arena.
ts_status ts_views_create(ts_views **out, ts_arena *arena, size_t row_count);

/// Adds a scene; nothing of it is kept. `scratch` may not be the arena of the views, and can be
/// rewound.
ts_status ts_views_add_scene(size_t *out, ts_views *views, ts_arena *scratch,
                             const ts_view_scene *scene);

/// Gives a row a view; likewise.
ts_status ts_views_add(ts_views *views, ts_arena *scratch, const ts_view_place *place,
                       const ts_view_row *row);

/// Says why row `index` has no view; `why`, a sentence, is borrowed.
void ts_views_refuse(ts_views *views, size_t index, const char *why);

/// Adds a still picture of a row, for readers whose browser cannot draw the view; `title` and `svg`
/// [count] are copied.
ts_status ts_views_add_picture(ts_views *views, size_t index, const char *title, const char *svg,
                               size_t count);

/// Keeps the views of the lowest ranks whose data fit into `budget_bytes` of the page; the others
/// get `why`, borrowed. The viewer itself, some 260 KB, is not counted.
ts_status ts_views_choose(ts_views *views, size_t budget_bytes, const char *why);

/// How many rows have a view, and what their data take in the page.
size_t ts_views_count(const ts_views *views);
size_t ts_views_bytes(const ts_views *views);

/// Writes pictures, data, three.js with its licence, and the viewer, which defines
///
///   touchstoneView.has(row)            whether the row has a view
///   touchstoneView.why(row)            why it has none; "" if nothing is known
///   touchstoneView.open(row, element)  fills the element with the view of the row
///   touchstoneView.close()             ends it
///   touchstoneView.select(column)      chooses the first fault that the column of summary.csv
///                                      counts, and goes through these until Escape or another
///                                      choice; false: the view on show has none of them
///
/// The slider over steps dispatches a bubbling CustomEvent "touchstone-step" with detail {row}. A
/// page that answers by opening the view of that row gets it as the view was: camera, what is
/// hidden, how far bodies are apart.
///
/// `row` is the place of the row in the page's data. Nothing is written where no row has a view or
/// a reason. Errors of writing stay in the stream. `views` is a ts_views.
ts_status ts_views_put(FILE *file, ts_arena *arena, const void *views);

#endif
