// SPDX-License-Identifier: MIT
/// Sorted contact areas: for each case with planar regions, the areas of the hulls of the contacts
/// in each region, and the true areas, which form plateaus.
#include "base/status.h"
#include "reports/plots/plot_curve.h"
#include "reports/plots/plot_kinds.h"

#define SHARE_MIN (1 / TS_PLOT_STAIRS) ///< relative to the largest area

#define TRUTH_STYLE "lt 1 lc rgb \"#BBBBBB\" lw 4 dt solid"

static void add_areas(ts_plot_page *page, size_t curve, const char *label, const char *style,
                      size_t count, const double *areas_m2, double largest_m2) {
  ts_plot_add_sorted(page, &(ts_plot_sorted){.curve = curve,
                                             .label = label,
                                             .column = "area_m2",
                                             .style = style,
                                             .count = count,
                                             .values = areas_m2,
                                             .min_step = SHARE_MIN * largest_m2});
}

static double largest_area(const ts_plot_source *source, const size_t *rows, size_t count) {
  double largest = 0;
  for (size_t i = 0; i < count; i++) {
    const ts_plot_contacts *c = &source->contacts[rows[i]];
    double area = c->areas_m2[0] > c->true_areas_m2[0] ? c->areas_m2[0] : c->true_areas_m2[0];
    largest = area > largest ? area : largest;
  }
  return largest;
}

static ts_status fill_page(ts_plot_page *page, const ts_plot_source *source, const size_t *rows,
                           size_t count) {
  ts_arena *arena = page->book->arena;
  double largest = largest_area(source, rows, count);
  ts_plot_say(page, "set xlabel label(\"regions, largest first [percent]\")\n"
                    "set ylabel label(\"area of the hull [square metres]\")\n"
                    "set xrange [0:100]\n"
                    "set yrange [0:*]\n"
                    "set offsets 0, 0, graph 0.05, 0\n");
  // The plateaus, drawn below the curves.
  const ts_plot_contacts *any = &source->contacts[rows[0]];
  add_areas(page, 0, "true area", TRUTH_STYLE, any->region_count, any->true_areas_m2, largest);
  for (size_t i = 0; i < count; i++) {
    size_t method = source->methods.entry_of[rows[i]];
    const ts_plot_contacts *c = &source->contacts[rows[i]];
    const char *label = ts_axis_label(arena, &source->methods.entries[method]);
    const char *style = ts_plot_style(arena, source, method);
    if (!label || !style)
      return TS_E_MEMORY;
    add_areas(page, i + 1, label, style, c->region_count, c->areas_m2, largest);
  }
  for (size_t i = 0; i < count; i++)
    ts_plot_key_entry(page, source, source->methods.entry_of[rows[i]], "linespoints");
  ts_plot_say(page, ", \\\n  keyentry with lines " TRUTH_STYLE " title label(\"true area\")\n");
  return TS_OK;
}

static bool has_regions(const ts_plot_contacts *contacts) {
  return contacts->region_count > 0;
}

static ts_status make_page(ts_plot_book *book, const ts_plot_source *source, const size_t *rows,
                           size_t count, const char *part, const char *title) {
  const char *heading = ts_plot_first_heading(book->arena, "Sorted contact areas", source, rows[0]);
  if (!heading)
    return TS_E_MEMORY;
  ts_plot_page page;
  TS_TRY(ts_plot_begin(&page, book, part, heading, title,
                       (ts_plot_shape){1, 0.85, count + 1, ts_plot_method_letters(source)},
                       TS_PLOT_SORTED_HEADER "area_m2"));
  return ts_plot_end_with(&page, fill_page(&page, source, rows, count));
}

static ts_status make(ts_plot_book *book, const ts_plot_source *source) {
  return ts_plot_each_case(book, source, has_regions, make_page);
}

const ts_plot_kind ts_plot_areas = {
    .name = "contact_areas",
    .figures = "25, 28",
    .summary = "Sorted areas of the hulls of the contacts of each region, with the true ones.",
    .lacks = "no row lists contacts of a case with planar regions: touchstone run --case "
             "'wall|arch|pillar'",
    .needs_contacts = true,
    .make = make,
};
