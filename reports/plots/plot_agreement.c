// SPDX-License-Identifier: MIT
/// A heat map of methods by methods: what the contacts of one block and those of the other do not.
#include "base/status.h"
#include "reports/plots/plot_kinds.h"
#include "reports/plots/plot_map.h"

#include <math.h>

/// Adds the field of a method (down) and another one (across).
static ts_status add_field(ts_plot_page *page, const ts_plot_source *source, size_t from, size_t to,
                           size_t *counts) {
  double distance = source->agreement->distances[from * source->methods.count + to];
  bool is_known = !isnan(distance);
  const char *text = !is_known       ? "-"
                     : distance == 0 ? "0"
                                     : ts_arena_format(page->book->arena, "%.2f", distance);
  const char *of[2] = {ts_axis_label(page->book->arena, &source->methods.entries[from]),
                       ts_axis_label(page->book->arena, &source->methods.entries[to])};
  if (!text || !of[0] || !of[1])
    return TS_E_MEMORY;
  ts_plot_number(page, (double)to + 1);
  ts_plot_number(page, (double)from + 1);
  ts_plot_text(page, of[0]);
  ts_plot_text(page, of[1]);
  ts_plot_number(page, distance);
  ts_plot_text(page, text);
  ts_plot_number(page, is_known);
  ts_plot_number(page, is_known ? 1 - distance : 0);
  ts_plot_text(page, "");
  ts_plot_number(page, 0.5);
  ts_plot_end_row(page);
  ts_plot_map_count(counts, 1 - distance, false);
  return TS_OK;
}

static ts_status find_labels(const char **labels, size_t *of_x, size_t *of_y, ts_arena *arena,
                             const ts_plot_source *source) {
  *of_x = *of_y = 1;
  for (size_t i = 0; i < source->methods.count; i++) {
    size_t x = 0, y = 0;
    labels[i] = ts_axis_label(arena, &source->methods.entries[i]);
    if (!labels[i] || !ts_plot_title(arena, labels[i], TS_MAP_X_LETTERS, &x) ||
        !ts_plot_title(arena, labels[i], TS_MAP_Y_LETTERS, &y))
      return TS_E_MEMORY;
    *of_x = x > *of_x ? x : *of_x;
    *of_y = y > *of_y ? y : *of_y;
  }
  return TS_OK;
}

static ts_status fill_page(ts_plot_page *page, const ts_plot_source *source,
                           const char *const *labels) {
  size_t counts[TS_MAP_PARTS] = {0}, count = source->methods.count;
  for (size_t from = 0; from < count; from++)
    for (size_t to = 0; to < count; to++)
      TS_TRY(add_field(page, source, from, to, counts));
  double end = (double)count;
  ts_plot_map_say_settings(page, end, end + 0.5, end + 0.5);
  TS_TRY(ts_plot_map_say_tics(page, 'x', count, labels, end));
  TS_TRY(ts_plot_map_say_tics(page, 'y', count, labels, end));
  ts_plot_map_say_fields(page, counts);
  return TS_OK;
}

static ts_status make(ts_plot_book *book, const ts_plot_source *source) {
  if (!source->agreement)
    return TS_OK;
  size_t of_x, of_y;
  const char **labels = ts_arena_array(book->arena, source->methods.count, sizeof *labels);
  if (!labels)
    return TS_E_MEMORY;
  TS_TRY(find_labels(labels, &of_x, &of_y, book->arena, source));
  const char *what = ts_arena_format(
      book->arena,
      "largest distance of a wrench of the row from the cone of the column, mean of %zu case%s as "
      "built; light: the column blocks all that the row blocks",
      source->agreement->case_count, source->agreement->case_count == 1 ? "" : "s");
  if (!what)
    return TS_E_MEMORY;
  double height = ts_plot_map_height((double)source->methods.count, of_x, of_y);
  ts_plot_page page;
  TS_TRY(ts_plot_begin(&page, book, "methods", "Agreement", what, (ts_plot_shape){2, height, 0, 0},
                       "x,y,from,to,distance,text,is_measured,shade,spread,half_height"));
  return ts_plot_end_with(&page, fill_page(&page, source, labels));
}

const ts_plot_kind ts_plot_agreement_map = {
    .name = "agreement",
    .figures = "",
    .summary = "Methods by methods: what the contacts of one block and those of the other do not.",
    .lacks = "no two methods are ok in one case as built: touchstone run with several --method",
    .needs_contacts = true,
    .make = make,
};
