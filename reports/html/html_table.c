// SPDX-License-Identifier: MIT
#include "reports/html/html_table.h"

#include "base/status.h"
#include "reports/html/html_text.h"
#include "reports/rows/outcome.h"
#include "reports/tables/table_text.h"

#include <math.h>
#include <string.h>

#define FAILURES_LISTED ((size_t)200)

typedef enum look { PERCENT, TWO_DECIMALS, COUNT, FAULTS, TIME } look;

/// The measures that are always shown. A column of faults stands out where it is not zero.
static const struct {
  const char *column, *head;
  look look;
} measures[] = {
    {"quality_percent", "Quality %", PERCENT},
    {"coverage_percent", "Coverage %", PERCENT},
    {"excess_factor", "Excess", TWO_DECIMALS},
    {"area_coverage", "Area", TWO_DECIMALS},
    {"normal_error_deg_max", "Normal error \xc2\xb0", TWO_DECIMALS},
    {"contacts", "Contacts", COUNT},
    {"normals_flipped", "Flipped", FAULTS},
    {"normals_invalid", "Invalid", FAULTS},
    {"phantom", "Phantom", FAULTS},
    {"regions_missed", "Missed", FAULTS},
    {"generate_ns_median", "Time", TIME},
};
#define MEASURE_COUNT (sizeof measures / sizeof *measures)

static void format_measure(char out[TS_NUMBER_BYTES], double value, look as) {
  if (isnan(value))
    snprintf(out, TS_NUMBER_BYTES, "\xe2\x80\x93");
  else if (as == PERCENT)
    ts_text_percent(out, value);
  else if (as == TIME)
    ts_text_time(out, value);
  else
    ts_text_fixed(out, value, as == TWO_DECIMALS ? 2 : 0);
}

static void put_measures(FILE *file, const ts_field *const *fields, const ts_record *record) {
  for (size_t k = 0; k < MEASURE_COUNT; k++) {
    char text[TS_NUMBER_BYTES];
    double value = ts_row_number(fields[k], record);
    format_measure(text, value, measures[k].look);
    bool is_fault = measures[k].look == FAULTS && value > 0;
    fprintf(file, is_fault ? "<td class=\"n fault\">%s</td>" : "<td class=\"n\">%s</td>", text);
  }
}

static ts_status put_row(FILE *file, ts_arena *arena, const ts_html_rows *rows,
                         const ts_field *const *fields, size_t i) {
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
    put_measures(file, fields, record);
  } else {
    fprintf(file, "<td class=\"reason\" colspan=\"%zu\">", MEASURE_COUNT);
    TS_TRY(ts_html_put(file, arena, record->reason));
    fputs("</td>", file);
  }
  fputs("</tr>\n", file);
  return TS_OK;
}

static ts_status put_head(FILE *file, ts_arena *arena, const ts_field *const *fields) {
  fputs("<thead><tr><th scope=\"col\" data-sort=\"case\">Case</th>"
        "<th scope=\"col\" data-sort=\"method\">Method</th>"
        "<th scope=\"col\" data-sort=\"outcome\">Outcome</th>",
        file);
  for (size_t k = 0; k < MEASURE_COUNT; k++) {
    fprintf(file, "<th scope=\"col\" class=\"n\" data-sort=\"%s\" title=\"", measures[k].column);
    TS_TRY(ts_html_put(file, arena, fields[k]->meaning));
    fprintf(file, "\">%s</th>", measures[k].head);
  }
  fputs("</tr></thead>\n", file);
  return TS_OK;
}

ts_status ts_html_put_table(FILE *file, ts_arena *arena, const ts_html_rows *rows) {
  const ts_field *fields[MEASURE_COUNT];
  for (size_t k = 0; k < MEASURE_COUNT; k++)
    fields[k] = ts_row_find(&ts_summary_rows, measures[k].column);
  fputs("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Table of all rows\">\n"
        "<table id=\"rows\"><caption class=\"unseen\">All rows, a row for each case, method and "
        "step</caption>\n",
        file);
  TS_TRY(put_head(file, arena, fields));
  fputs("<tbody>\n", file);
  for (size_t i = 0; i < rows->source->count; i++)
    TS_TRY(put_row(file, arena, rows, fields, i));
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
    fprintf(file, "<p>And %zu more: they stand in the table.</p>\n", count - listed);
  fputs("</section>\n", file);
  return TS_OK;
}
