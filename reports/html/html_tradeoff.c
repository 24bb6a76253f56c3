// SPDX-License-Identifier: MIT
#include "reports/html/html_tradeoff.h"

#include "base/status.h"
#include "reports/html/html_text.h"
#include "reports/plots/tradeoff.h"
#include "reports/tables/format_text.h"

/// The place on the page of an entry of the method axis of the plots, which has no seeds.
static size_t page_method(const ts_html_rows *rows, const ts_plot_source *source, size_t entry) {
  size_t i = 0;
  while (source->methods.entry_of[i] != entry)
    i++;
  return rows->methods.entry_of[i];
}

static ts_status fill_point(json_t *out, size_t method, const ts_tradeoff_point *p) {
  const double values[] = {p->time_ns.mean,        p->time_ns.low,
                           p->time_ns.high,        p->quality_percent.mean,
                           p->quality_percent.low, p->quality_percent.high};
  TS_TRY(ts_json_append(out, json_integer((json_int_t)method)));
  for (size_t i = 0; i < sizeof values / sizeof *values; i++)
    TS_TRY(ts_json_append(out, ts_json_number(values[i])));
  TS_TRY(ts_json_append(out, json_boolean(p->is_best)));
  return ts_json_append(out, json_integer((json_int_t)p->case_count));
}

static ts_status fill_points(json_t *out, const ts_html_rows *rows, const ts_plot_source *source,
                             const ts_tradeoff *all, size_t case_count) {
  TS_TRY(ts_json_set(out, "cases", json_integer((json_int_t)case_count)));
  json_t *points = json_array();
  TS_TRY(ts_json_set(out, "points", points)); // which owns it while it is filled
  for (size_t i = 0; i < all->count; i++) {
    json_t *point = json_array();
    TS_TRY(ts_json_append(points, point));
    TS_TRY(fill_point(point, page_method(rows, source, all->items[i].method), &all->items[i]));
  }
  return TS_OK;
}

ts_status ts_html_put_tradeoff(FILE *file, ts_arena *arena, const ts_html_rows *rows) {
  ts_plot_source source = {.records = NULL};
  const size_t *cases;
  size_t case_count = 0;
  ts_tradeoff all = {.count = 0};
  if (!rows->source->study_fault) {
    TS_TRY(ts_plot_source_make(&source, arena, rows->source->records, rows->source->count));
    TS_TRY(ts_tradeoff_cases(&cases, &case_count, arena, &source, 0));
    if (case_count > 0)
      TS_TRY(ts_tradeoff_find(&all, arena, &source, cases, case_count, true));
  }
  json_t *out = all.count < 2 ? json_null() : json_object();
  ts_status status = all.count < 2 ? TS_OK : fill_points(out, rows, &source, &all, case_count);
  if (status == TS_OK)
    status = ts_html_put_json(file, out);
  json_decref(out);
  return status;
}
