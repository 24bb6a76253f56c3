// SPDX-License-Identifier: MIT
#include "reports/html/html_table.h"

#include "base/status.h"
#include "reports/html/html_text.h"
#include "reports/rows/outcome.h"
#include "reports/tables/field_text.h"
#include "reports/tables/format_text.h"

#include <math.h>
#include <string.h>

#define FAILURES_LISTED ((size_t)200)

/// The columns that are always shown.
typedef struct columns {
  const ts_field *fields[TS_RECORD_FIELD_COUNT]; ///< [count]
  size_t count;
} columns;

/// Faults are highlighted if they are not zero.
static void put_measures(FILE *file, const columns *shown, const ts_record *record) {
  for (size_t k = 0; k < shown->count; k++) {
    char text[TS_NUMBER_BYTES] = "\xe2\x80\x93";
    double value = ts_row_number(shown->fields[k], record);
    if (!isnan(value))
      ts_field_number_text(text, shown->fields[k], value);
    bool is_fault = shown->fields[k]->role == TS_ROLE_FAULT && value > 0;
    fprintf(file, is_fault ? "<td class=\"n fault\">%s</td>" : "<td class=\"n\">%s</td>", text);
  }
}

static ts_status put_row(FILE *file, ts_arena *arena, const ts_html_rows *rows,
                         const columns *shown, size_t i) {
  const ts_record *record = &rows->source->records[i];
  fprintf(file, "<tr data-row=\"%zu\"%s><th scope=\"row\">", i,
          ts_record_has_failed(record) ? " class=\"failed\"" : "");
  TS_TRY(ts_html_put(file, arena, rows->case_labels[rows->cases.entry_of[i]]));
  fputs("</th><td>", file);
  TS_TRY(ts_html_put(file, arena, rows->method_labels[rows->methods.entry_of[i]]));
  fputs("</td><td>", file);
  TS_TRY(ts_html_put(file, arena, ts_record_outcome_words(record)));
  fputs("</td>", file);
  if (ts_record_is_ok(record)) {
    put_measures(file, shown, record);
  } else {
    fprintf(file, "<td class=\"reason\" colspan=\"%zu\">", shown->count);
    TS_TRY(ts_html_put(file, arena, record->reason));
    fputs("</td>", file);
  }
  fputs("</tr>\n", file);
  return TS_OK;
}

static ts_status put_head(FILE *file, ts_arena *arena, const columns *shown) {
  fputs("<thead><tr><th scope=\"col\" data-sort=\"case\">Case</th>"
        "<th scope=\"col\" data-sort=\"method\">Method</th>"
        "<th scope=\"col\" data-sort=\"outcome\">Outcome</th>",
        file);
  for (size_t k = 0; k < shown->count; k++) {
    const ts_field *field = shown->fields[k];
    const char *sign = ts_field_unit_sign(field);
    fprintf(file, "<th scope=\"col\" class=\"n\" data-sort=\"%s\" title=\"", field->column);
    TS_TRY(ts_html_put(file, arena, field->meaning));
    fprintf(file, "\">%s%s%s</th>", ts_field_short_label(field), sign[0] ? " " : "", sign);
  }
  fputs("</tr></thead>\n", file);
  return TS_OK;
}

ts_status ts_html_put_table(FILE *file, ts_arena *arena, const ts_html_rows *rows) {
  columns shown;
  shown.count = ts_fields_shown(shown.fields, TS_SHOWN_PAGE);
  fputs("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Table of all rows\">\n"
        "<table id=\"rows\"><caption class=\"unseen\">All rows, a row for each case, method and "
        "step</caption>\n",
        file);
  TS_TRY(put_head(file, arena, &shown));
  fputs("<tbody>\n", file);
  for (size_t i = 0; i < rows->source->count; i++)
    TS_TRY(put_row(file, arena, rows, &shown, i));
  fputs("</tbody></table></div>\n", file);
  return TS_OK;
}

static ts_status put_failure(FILE *file, ts_arena *arena, const ts_html_rows *rows, size_t i) {
  const ts_record *record = &rows->source->records[i];
  fputs("<li><p><strong>", file);
  TS_TRY(ts_html_put(file, arena, rows->case_labels[rows->cases.entry_of[i]]));
  fputs("</strong> with <strong>", file);
  TS_TRY(ts_html_put(file, arena, rows->method_labels[rows->methods.entry_of[i]]));
  fputs("</strong>: <span class=\"bad\">", file);
  TS_TRY(ts_html_put(file, arena, ts_record_outcome_words(record)));
  fputs(record->reason[0] ? "</span>, " : "</span>", file);
  TS_TRY(ts_html_put(file, arena, record->reason));
  fputs("</p><pre><code>", file);
  TS_TRY(ts_html_put(file, arena, rows->source->commands[i]));
  fputs("</code></pre></li>\n", file);
  return TS_OK;
}

ts_status ts_html_put_failures(FILE *file, ts_arena *arena, const ts_html_rows *rows) {
  size_t count = 0, listed = 0;
  for (size_t i = 0; i < rows->source->count; i++)
    count += ts_record_has_failed(&rows->source->records[i]);
  if (count == 0)
    return TS_OK;
  fprintf(file,
          "<section id=\"failed\"><h2>Failed</h2>\n<p>%zu row%s could not be measured. The command "
          "below each repeats it.</p>\n<ol>\n",
          count, count == 1 ? "" : "s");
  for (size_t i = 0; i < rows->source->count && listed < FAILURES_LISTED; i++)
    if (ts_record_has_failed(&rows->source->records[i])) {
      TS_TRY(put_failure(file, arena, rows, i));
      listed++;
    }
  fputs("</ol>\n", file);
  if (count > listed)
    fprintf(file, "<p>And %zu more, see the table.</p>\n", count - listed);
  fputs("</section>\n", file);
  return TS_OK;
}
