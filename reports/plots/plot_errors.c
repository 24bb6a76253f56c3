// SPDX-License-Identifier: MIT
/// Histograms of the normal errors, one panel per method.
#include "base/status.h"
#include "reports/plots/plot_kinds.h"

#define BIN_DEG   3.0
#define BIN_COUNT ((size_t)30) ///< 0 to 90 degrees: up to sign
#define ACROSS    ((size_t)5)  ///< panels per row

#define PANEL_LETTERS ((size_t)20) ///< of a line above a panel

static void add_histogram(ts_plot_page *page, size_t curve, const char *label,
                          const ts_plot_contacts *contacts) {
  size_t bins[BIN_COUNT] = {0};
  for (size_t i = 0; i < contacts->count; i++) {
    size_t bin = (size_t)(contacts->errors_deg[i] / BIN_DEG);
    bins[bin < BIN_COUNT ? bin : BIN_COUNT - 1]++;
  }
  for (size_t i = 0; i < BIN_COUNT; i++) {
    ts_plot_number(page, (double)curve);
    ts_plot_text(page, label);
    ts_plot_number(page, ((double)i + 0.5) * BIN_DEG);
    ts_plot_number(page, (double)bins[i]);
    ts_plot_number(page, 100 * (double)bins[i] / (double)contacts->count);
    ts_plot_end_row(page);
  }
}

static ts_status fill_page(ts_plot_page *page, const ts_plot_source *source, const size_t *rows,
                           size_t count, size_t across) {
  ts_arena *arena = page->book->arena;
  ts_plot_say_panels(page, across, (count + across - 1) / across);
  ts_plot_say(page,
              "set xrange [0:90]\nset xtics 30\n"
              "set logscale y\nset yrange [0.1:200]\n"
              "set ytics (\"0.1\" 0.1, \"1\" 1, \"10\" 10, \"100\" 100)\n"
              "set boxwidth %.1f\n",
              BIN_DEG);
  for (size_t i = 0; i < count; i++) {
    size_t method = source->methods.entry_of[rows[i]];
    const char *label = ts_axis_label(arena, &source->methods.entries[method]);
    size_t lines = 0;
    const char *quoted = label ? ts_plot_title(arena, label, PANEL_LETTERS, &lines) : NULL;
    const char *style = ts_plot_style(arena, source, method);
    if (!quoted || !style)
      return TS_E_MEMORY;
    ts_plot_say_panel(page, i);
    add_histogram(page, i + 1, label, &source->contacts[rows[i]]);
    ts_plot_say(page,
                "set title %s\nset xlabel label(\"%s\")\nset ylabel label(\"%s\")\n"
                "plot data using (only(%zu, \"error_deg\")):\"share_percent\" with boxes %s\n",
                quoted, i + across >= count ? "error [degrees]" : "",
                i % across == 0 ? "contacts [percent]" : "", i + 1, style);
  }
  ts_plot_say(page, "unset multiplot\n");
  return TS_OK;
}

static bool has_contacts(const ts_plot_contacts *contacts) {
  return contacts->count > 0;
}

static ts_status make_page(ts_plot_book *book, const ts_plot_source *source, const size_t *rows,
                           size_t count, const char *part, const char *title) {
  size_t across = count < ACROSS ? count : ACROSS, down = (count + across - 1) / across;
  const char *heading =
      ts_plot_first_heading(book->arena, "Histograms of the normal errors", source, rows[0]);
  if (!heading)
    return TS_E_MEMORY;
  ts_plot_page page;
  TS_TRY(ts_plot_begin(&page, book, part, heading, title,
                       (ts_plot_shape){across > 2 ? 2 : 1, 0.15 + 0.45 * (double)down, 0, 0},
                       "curve,label,error_deg,contacts,share_percent"));
  return ts_plot_end_with(&page, fill_page(&page, source, rows, count, across));
}

static ts_status make(ts_plot_book *book, const ts_plot_source *source) {
  return ts_plot_each_case(book, source, has_contacts, make_page);
}

const ts_plot_kind ts_plot_normal_errors = {
    .name = "normal_errors",
    .figures = "21",
    .summary = "Histograms of the angles to the closest feasible normal, one panel per method.",
    .lacks = "no row lists touching contacts; every run lists those of the scene as built: "
             "touchstone run",
    .needs_contacts = true,
    .make = make,
};
