// SPDX-License-Identifier: MIT
#include "reports/formats/format.h"

#include "base/status.h"
#include "reports/html/html_assets.h"
#include "reports/html/html_data.h"
#include "reports/html/html_failures.h"
#include "reports/html/html_glossary.h"
#include "reports/html/html_plots.h"
#include "reports/html/html_study.h"
#include "reports/html/html_table.h"
#include "reports/html/html_text.h"
#include "reports/rows/outcome.h"

#include <stdlib.h>

static void put_asset(FILE *file, const char *before, const unsigned char *bytes, size_t count,
                      const char *after) {
  fputs(before, file);
  fwrite(bytes, 1, count, file);
  fputs(after, file);
}

/// The policy forbids the page to load anything.
static void put_head(FILE *file) {
  fputs("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta name=\"color-scheme\" content=\"light dark\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
        "style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n"
        "<title>touchstone report</title>\n",
        file);
  put_asset(file, "<style>\n", ts_html_style, ts_html_style_bytes, "</style>\n</head>\n<body>\n");
}

/// A fact from the context as text, "" if there is none.
static const char *find_text(const json_t *context, const char *group, const char *key) {
  const json_t *value = json_object_get(group ? json_object_get(context, group) : context, key);
  return json_is_string(value) ? json_string_value(value) : "";
}

static bool has_flag(const ts_record *record) {
  for (size_t k = 0; k < ts_summary_rows.field_count; k++) {
    const ts_field *field = &ts_summary_rows.fields[k];
    if (field->role == TS_ROLE_FAULT && ts_row_number(field, record) > 0)
      return true;
  }
  return false;
}

/// Whether a row failed or anything of it is wrong, by a flag or by normals; as page_rows.js.
static bool is_not_right(const ts_record *record) {
  return ts_record_has_failed(record) || has_flag(record) ||
         (ts_record_is_ok(record) &&
          (record->quality_percent < 100 || record->coverage_percent < 100));
}

/// How many rows there are, and how many need a look; with a script the links filter the table.
static void put_counts(FILE *file, const ts_html_rows *rows) {
  const ts_format_source *source = rows->source;
  size_t failed = 0, skipped = 0, wrong = 0, flagged = 0;
  for (size_t i = 0; i < source->count; i++) {
    failed += ts_record_has_failed(&source->records[i]);
    skipped += ts_record_outcome(&source->records[i]) == TS_OUTCOME_SKIPPED;
    wrong += is_not_right(&source->records[i]);
    flagged += has_flag(&source->records[i]);
  }
  fprintf(file, "<p>%zu row%s: %zu case%s and step%s, %zu method%s.", source->count,
          source->count == 1 ? "" : "s", rows->cases.count, rows->cases.count == 1 ? "" : "s",
          rows->cases.count == 1 ? "" : "s", rows->methods.count,
          rows->methods.count == 1 ? "" : "s");
  if (wrong > 0)
    fprintf(file, " <a href=\"#show=wrong\">%zu %s not right</a>", wrong,
            wrong == 1 ? "is" : "are");
  const char *before = ": ";
  if (failed > 0) {
    fprintf(file, "%s<a class=\"bad\" href=\"#failed\">%zu failed</a>", before, failed);
    before = ", ";
  }
  if (flagged > 0)
    fprintf(file, "%s<a href=\"#show=flagged\">%zu with flags</a>", before, flagged);
  fputs(wrong > 0 ? "." : "", file);
  if (skipped > 0)
    fprintf(file, " <a href=\"#outcome=skipped\">%zu skipped.</a>", skipped);
  fputs("</p>\n", file);
}

static ts_status put_title(FILE *file, ts_arena *arena, const ts_html_rows *rows) {
  const ts_format_source *source = rows->source;
  fputs("<a class=\"skip\" href=\"#table\">Skip to the rows</a>\n"
        "<header><h1>touchstone report</h1>\n",
        file);
  put_counts(file, rows);
  if (source->context) {
    fputs("<p class=\"quiet\">", file);
    TS_TRY(ts_html_put(file, arena, find_text(source->context, NULL, "date")));
    fputs(" \xc2\xb7 ", file);
    TS_TRY(ts_html_put(file, arena, find_text(source->context, "machine", "cpu")));
    fputs(" \xc2\xb7 touchstone ", file);
    TS_TRY(ts_html_put(file, arena, find_text(source->context, NULL, "version")));
    fputs("</p>\n", file);
  }
  if (source->shortfall)
    fprintf(file, "<p role=\"alert\">%s.</p>\n", source->shortfall);
  fputs("<p id=\"lost\" class=\"bad\" role=\"alert\" hidden></p>\n</header>\n", file);
  return TS_OK;
}

/// A value from the context; nested objects and arrays become lists.
static ts_status put_value(FILE *file, ts_arena *arena, json_t *value) {
  if (json_is_object(value)) {
    const char *key;
    json_t *inner;
    fputs("<dl>", file);
    json_object_foreach(value, key, inner) {
      fputs("<dt>", file);
      TS_TRY(ts_html_put(file, arena, key));
      fputs("</dt><dd>", file);
      TS_TRY(put_value(file, arena, inner));
      fputs("</dd>\n", file);
    }
    fputs("</dl>", file);
    return TS_OK;
  }
  if (json_is_string(value))
    return ts_html_put(file, arena, json_string_value(value));
  if (json_is_null(value))
    return ts_html_put(file, arena, "unknown");
  if (json_is_array(value)) {
    for (size_t i = 0; i < json_array_size(value); i++) {
      fputs(i > 0 ? " " : "", file);
      TS_TRY(put_value(file, arena, json_array_get(value, i)));
    }
    return TS_OK;
  }
  char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(6));
  ts_status status = text ? ts_html_put(file, arena, text) : TS_E_MEMORY;
  free(text);
  return status;
}

static ts_status put_context(FILE *file, ts_arena *arena, json_t *context) {
  fputs("<section id=\"context\"><h2>Machine and build</h2>\n", file);
  if (context)
    TS_TRY(put_value(file, arena, context));
  else
    fputs("<p>There is no context.json, so it is unknown where these rows were measured.</p>",
          file);
  fputs("</section>\n", file);
  return TS_OK;
}

/// Sections that the script fills; without the script they stay hidden.
static const char before_table[] =
    "<noscript><p>Without JavaScript the table below shows the main measures; sorting, filters, "
    "the heat map and the figures need it.</p></noscript>\n"
    "<div id=\"legend\" hidden></div>\n"
    "<form id=\"filters\" hidden aria-label=\"Filters\"></form>\n"
    "<section id=\"heat\" hidden><h2>Heat map</h2></section>\n"
    "<section id=\"table\" tabindex=\"-1\" aria-label=\"Rows\"><h2>Rows</h2>\n"
    "<p id=\"shown\" class=\"quiet\" role=\"status\"></p>\n";
static const char after_table[] = "<p id=\"more\" hidden></p>\n</section>\n";
static const char figures[] = "<section id=\"figures\" hidden><h2>Figures</h2></section>\n";

static ts_status put_body(FILE *file, ts_arena *arena, const ts_html_rows *rows) {
  TS_TRY(put_title(file, arena, rows));
  fputs("<main>\n", file);
  TS_TRY(ts_html_put_study(file, arena, rows));
  TS_TRY(ts_html_put_failures(file, arena, rows));
  fputs(before_table, file);
  TS_TRY(ts_html_put_table(file, arena, rows));
  fputs(after_table, file);
  ts_html_put_glossary(file);
  TS_TRY(ts_html_put_coherence(file, arena, rows));
  fputs(figures, file);
  TS_TRY(ts_html_put_plots(file, arena, rows->source->folder));
  TS_TRY(put_context(file, arena, rows->source->context));
  fputs("</main>\n<dialog id=\"details\" aria-labelledby=\"details-title\"></dialog>\n", file);
  return TS_OK;
}

static ts_status write_html(FILE *file, ts_arena *arena, const ts_format_source *source) {
  ts_html_rows rows;
  TS_TRY(ts_html_rows_make(&rows, arena, source));
  put_head(file);
  TS_TRY(put_body(file, arena, &rows));
  if (source->put_views) // before the script, which may open a row at once
    TS_TRY(source->put_views(file, arena, source->views));
  fputs("<script type=\"application/json\" id=\"data\">\n", file);
  TS_TRY(ts_html_put_data(file, arena, &rows));
  put_asset(file, "</script>\n<script>\n", ts_html_script, ts_html_script_bytes,
            "</script>\n</body>\n</html>\n");
  return TS_OK;
}

const ts_format ts_format_html = {
    .name = "html",
    .readers = "people",
    .summary = "A self-contained page with a summary, failures, tables and figures.",
    .reads = "contacts.csv, plots/, context.json",
    .is_page = true,
    .write = write_html,
};
