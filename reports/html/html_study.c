// SPDX-License-Identifier: MIT
#include "reports/html/html_study.h"

#include "base/status.h"
#include "reports/html/html_text.h"
#include "reports/study/study_table.h"
#include "reports/tables/counted.h"
#include "reports/tables/field_text.h"

#include <math.h>
#include <string.h>

#define EQUALS_NAMED ((size_t)6) ///< names of methods whose means are equal; the others are counted

static ts_status put_cell(FILE *file, ts_arena *arena, const char *tag, const char *kind,
                          const char *text) {
  fprintf(file, kind[0] ? "<%s class=\"%s\">" : "<%s>", tag, kind);
  TS_TRY(ts_html_put(file, arena, text));
  fprintf(file, "</%.2s>", tag);
  return TS_OK;
}

/// The class of the cells of a column: the script puts the mark of the method beside its name.
static const char *kind_of(const ts_study_table *t, size_t column) {
  bool is_method =
      strcmp(t->heads[column], "method") == 0 || strcmp(t->heads[column], "other") == 0;
  return is_method ? "method" : t->is_text[column] ? "" : "n";
}

static ts_status put_study_table(FILE *file, ts_arena *arena, const ts_study_table *t,
                                 const char *id) {
  fprintf(file,
          "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"%s\">"
          "<table class=\"rows\"%s><thead><tr>",
          t->title, id);
  for (size_t c = 0; c < t->column_count; c++)
    if (t->heads[c][0]) // a column of signs has no head, which readers of a screen need
      TS_TRY(put_cell(file, arena, "th scope=\"col\"", t->is_text[c] ? "" : "n", t->heads[c]));
    else
      fputs("<th scope=\"col\"><span class=\"unseen\">is ahead of</span></th>", file);
  fputs("</tr></thead>\n<tbody>\n", file);
  for (size_t row = 0; row < t->row_count; row++) {
    fputs("<tr>", file);
    for (size_t c = 0; c < t->column_count; c++)
      TS_TRY(put_cell(file, arena, "td", kind_of(t, c), t->cells[row * t->column_count + c]));
    fputs("</tr>\n", file);
  }
  fputs("</tbody></table></div>\n", file);
  return TS_OK;
}

static ts_status put_folded(FILE *file, ts_arena *arena, const ts_study_table *t) {
  if (t->row_count == 0)
    return TS_OK;
  fprintf(file, "<details><summary>%s</summary>\n", t->title);
  TS_TRY(put_study_table(file, arena, t, ""));
  fputs("</details>\n", file);
  return TS_OK;
}

static bool has_equal_means(const ts_study_method *a, const ts_study_method *b) {
  for (int i = 0; i < TS_STUDY_COMPARED_COUNT; i++)
    if (ts_order_of_means(a->values[i].mean.mean, b->values[i].mean.mean) != 0)
      return false;
  return a->rank_first == b->rank_first && a->rank_last == b->rank_last;
}

/// Names the methods that come after the first one by nothing but their names.
static ts_status put_equals(FILE *file, ts_arena *arena, const ts_study *study) {
  size_t count = 0;
  while (count + 1 < study->method_count &&
         has_equal_means(&study->methods[0], &study->methods[count + 1]))
    count++;
  for (size_t i = 1; i <= count && i <= EQUALS_NAMED; i++) {
    fputs(i == 1 ? "; it has the same means as <strong>" : ", <strong>", file);
    TS_TRY(ts_html_put(file, arena, study->methods[i].label));
    fputs("</strong>", file);
  }
  if (count > EQUALS_NAMED)
    fprintf(file, " and %zu more", count - EQUALS_NAMED);
  fputs(count > 0 ? ", and precedes by its name alone" : "", file);
  return TS_OK;
}

/// The result in a sentence: which method is first, and how many others may be, too.
static ts_status put_first(FILE *file, ts_arena *arena, const ts_study *study) {
  const ts_study_method *first = &study->methods[0];
  double quality_percent = first->values[TS_STUDY_QUALITY].mean.mean;
  size_t others = 0;
  for (size_t i = 1; i < study->method_count; i++)
    others += study->methods[i].rank_first == 1;
  if (study->method_count < 2 || first->rank_first != 1 || isnan(quality_percent))
    return TS_OK;
  char number[TS_NUMBER_BYTES];
  ts_field_number_text(number, ts_study_field(TS_STUDY_QUALITY), quality_percent);
  fputs("<p><strong>", file);
  TS_TRY(ts_html_put(file, arena, first->label));
  fprintf(file,
          "</strong> comes first of %zu methods, with a mean quality of %s %% over %zu scenes",
          study->method_count, number, study->scene_count);
  if (others > 0)
    fprintf(file, "; these scenes alone do not tell it from %zu other%s", others,
            others == 1 ? "" : "s");
  TS_TRY(put_equals(file, arena, study));
  fputs(".</p>\n", file);
  return TS_OK;
}

static ts_status put_notes(FILE *file, ts_arena *arena, const ts_study *study) {
  const char **notes;
  size_t count;
  TS_TRY(ts_study_notes(&notes, &count, arena, study));
  fputs("<details><summary>How to read this table</summary>\n", file);
  for (size_t i = 0; i < count; i++) {
    fputs("<p class=\"quiet\">", file);
    TS_TRY(ts_html_put(file, arena, notes[i]));
    fputs("</p>\n", file);
  }
  fputs("</details>\n", file);
  return TS_OK;
}

ts_status ts_html_put_study(FILE *file, ts_arena *arena, const ts_html_rows *rows) {
  ts_study study;
  ts_study_table means, worst, pairs;
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
  fputs("<section id=\"study\"><h2>Summary</h2>\n", file);
  TS_TRY(put_first(file, arena, &study));
  fputs("<div class=\"beside\"><div>\n", file);
  TS_TRY(put_study_table(file, arena, &means, " id=\"ranking\""));
  TS_TRY(put_notes(file, arena, &study));
  TS_TRY(put_folded(file, arena, &worst));
  TS_TRY(put_folded(file, arena, &pairs));
  // The script draws quality against time beside the table.
  fputs("</div><div id=\"tradeoff\"></div></div>\n</section>\n", file);
  return TS_OK;
}
