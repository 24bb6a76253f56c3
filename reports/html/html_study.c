// SPDX-License-Identifier: MIT
#include "reports/html/html_study.h"

#include "base/status.h"
#include "reports/html/html_text.h"
#include "reports/study/study_table.h"

static ts_status put_cell(FILE *file, ts_arena *arena, const char *tag, bool is_text,
                          const char *text) {
  fprintf(file, "<%s%s>", tag, is_text ? "" : " class=\"n\"");
  TS_TRY(ts_html_put(file, arena, text));
  fprintf(file, "</%.2s>", tag);
  return TS_OK;
}

static ts_status put_study_table(FILE *file, ts_arena *arena, const ts_study_table *t) {
  fprintf(file,
          "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"%s\">"
          "<table class=\"rows\"><thead><tr>",
          t->title);
  for (size_t c = 0; c < t->column_count; c++)
    TS_TRY(put_cell(file, arena, "th scope=\"col\"", t->is_text[c], t->heads[c]));
  fputs("</tr></thead>\n<tbody>\n", file);
  for (size_t row = 0; row < t->row_count; row++) {
    fputs("<tr>", file);
    for (size_t c = 0; c < t->column_count; c++)
      TS_TRY(put_cell(file, arena, "td", t->is_text[c], t->cells[row * t->column_count + c]));
    fputs("</tr>\n", file);
  }
  fputs("</tbody></table></div>\n", file);
  return TS_OK;
}

static ts_status put_folded(FILE *file, ts_arena *arena, const ts_study_table *t) {
  if (t->row_count == 0)
    return TS_OK;
  fprintf(file, "<details><summary>%s</summary>\n", t->title);
  TS_TRY(put_study_table(file, arena, t));
  fputs("</details>\n", file);
  return TS_OK;
}

ts_status ts_html_put_study(FILE *file, ts_arena *arena, const ts_html_rows *rows) {
  ts_study study;
  ts_study_table means, worst, pairs;
  const char **notes;
  size_t note_count;
  TS_TRY(ts_study_make(&study, arena, rows->source->records, rows->source->count));
  if (study.scene_count < 2)
    return TS_OK;
  if (rows->source->study_fault) {
    fputs("<section id=\"study\"><h2>Summary</h2>\n<p class=\"quiet\">There is none: ", file);
    TS_TRY(ts_html_put(file, arena, rows->source->study_fault));
    fputs(".</p></section>\n", file);
    return TS_OK;
  }
  TS_TRY(ts_study_means_table(&means, arena, &study));
  TS_TRY(ts_study_worst_table(&worst, arena, &study));
  TS_TRY(ts_study_pairs_table(&pairs, arena, &study));
  TS_TRY(ts_study_notes(&notes, &note_count, arena, &study));
  fputs("<section id=\"study\"><h2>Summary</h2>\n", file);
  TS_TRY(put_study_table(file, arena, &means));
  for (size_t i = 0; i < note_count; i++) {
    fputs("<p class=\"quiet\">", file);
    TS_TRY(ts_html_put(file, arena, notes[i]));
    fputs("</p>\n", file);
  }
  TS_TRY(put_folded(file, arena, &worst));
  TS_TRY(put_folded(file, arena, &pairs));
  fputs("</section>\n", file);
  return TS_OK;
}
