// SPDX-License-Identifier: MIT
/// Sorted normal quality: for each case and method, the distribution of the contacts over the
/// quality of their normals.
#include "reports/plots/plot_quality.h"

#include "base/status.h"
#include "reports/plots/plot_curve.h"
#include "reports/plots/plot_kinds.h"

#include <math.h>

#define DEGREES_PER_RADIAN 57.29577951308232

#define STEP_MIN (1 / TS_PLOT_STAIRS)

ts_status ts_plot_add_quality(ts_plot_page *page, size_t curve, const char *label,
                              const char *style, const ts_plot_contacts *contacts) {
  ts_arena_mark mark = ts_arena_get_mark(page->book->arena);
  double *values = ts_arena_array(page->book->arena, contacts->count, sizeof *values);
  if (!values)
    return TS_E_MEMORY;
  for (size_t i = 0; i < contacts->count; i++)
    values[i] = cos(contacts->errors_deg[i] / DEGREES_PER_RADIAN);
  ts_plot_add_sorted(page, &(ts_plot_sorted){.curve = curve,
                                             .label = label,
                                             .column = "normal_quality",
                                             .style = style,
                                             .count = contacts->count,
                                             .values = values,
                                             .min_step = STEP_MIN});
  ts_arena_rewind(page->book->arena, mark);
  return TS_OK;
}

void ts_plot_say_quality_axes(ts_plot_page *page) {
  ts_plot_say(page, "set xlabel label(\"contacts, best first [percent]\")\n"
                    "set ylabel label(\"normal quality |n . n_true|\")\n"
                    "set xrange [0:100]\n"
                    "set yrange [0:1.05]\n");
}

static ts_status fill_page(ts_plot_page *page, const ts_plot_source *source, const size_t *rows,
                           size_t count) {
  ts_arena *arena = page->book->arena;
  ts_plot_say_quality_axes(page);
  for (size_t i = 0; i < count; i++) {
    size_t method = source->methods.entry_of[rows[i]];
    const char *label = ts_axis_label(arena, &source->methods.entries[method]);
    const char *style = ts_plot_style(arena, source, method);
    if (!label || !style)
      return TS_E_MEMORY;
    TS_TRY(ts_plot_add_quality(page, i + 1, label, style, &source->contacts[rows[i]]));
  }
  for (size_t i = 0; i < count; i++)
    ts_plot_key_entry(page, source, source->methods.entry_of[rows[i]], "linespoints");
  ts_plot_say(page, "\n");
  return TS_OK;
}

static bool has_contacts(const ts_plot_contacts *contacts) {
  return contacts->count > 0;
}

static ts_status make_page(ts_plot_book *book, const ts_plot_source *source, const size_t *rows,
                           size_t count, const char *part, const char *title) {
  const char *heading =
      ts_plot_first_heading(book->arena, "Sorted normal quality", source, rows[0]);
  if (!heading)
    return TS_E_MEMORY;
  ts_plot_page page;
  TS_TRY(ts_plot_begin(&page, book, part, heading, title,
                       (ts_plot_shape){1, 0.85, count, ts_plot_method_letters(source)},
                       TS_PLOT_SORTED_HEADER "normal_quality"));
  ts_status status = fill_page(&page, source, rows, count);
  return ts_plot_end_with(&page, status);
}

static ts_status make(ts_plot_book *book, const ts_plot_source *source) {
  return ts_plot_each_case(book, source, has_contacts, make_page);
}

const ts_plot_kind ts_plot_normal_quality = {
    .name = "normal_quality",
    .figures = "24, 27",
    .summary = "Contacts sorted by the quality of their normals, best first, one curve per method.",
    .lacks = "no row lists touching contacts; every run lists those of the scene as built: "
             "touchstone run",
    .needs_contacts = true,
    .make = make,
};
