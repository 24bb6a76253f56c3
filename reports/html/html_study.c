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

/// A table on the page.
typedef struct page_table {
  const ts_study_table *table;
  const char *attributes;
  /// [row_count][column_count]: the row of the page that a cell is about, SIZE_MAX: none; NULL: no
  /// cell is about one.
  const size_t *links;
} page_table;

/// The column that stays in view beside the others: the first that names a method.
static size_t naming_column(const ts_study_table *t) {
  size_t column = 0;
  while (column < t->column_count && strcmp(t->heads[column], "method") != 0)
    column++;
  return column;
}

static ts_status put_heads(FILE *file, ts_arena *arena, const ts_study_table *t) {
  for (size_t c = 0; c < t->column_count; c++)
    if (!t->heads[c][0]) // a column of signs has no head, which readers of a screen need
      fputs("<th scope=\"col\"><span class=\"unseen\">is ahead of</span></th>", file);
    else
      TS_TRY(put_cell(file, arena, "th scope=\"col\"",
                      c == naming_column(t) ? "name"
                      : t->is_text[c]       ? ""
                                            : "n",
                      t->heads[c]));
  return TS_OK;
}

static ts_status put_cells(FILE *file, ts_arena *arena, const page_table *page, size_t row) {
  const ts_study_table *t = page->table;
  for (size_t c = 0; c < t->column_count; c++) {
    size_t at = row * t->column_count + c;
    const char *tag = c == naming_column(t) ? "th scope=\"row\"" : "td";
    if (page->links && page->links[at] != SIZE_MAX)
      tag = ts_arena_format(arena, "td data-of=\"%zu\"", page->links[at]);
    if (!tag)
      return TS_E_MEMORY;
    TS_TRY(put_cell(file, arena, tag, kind_of(t, c), t->cells[at]));
  }
  return TS_OK;
}

static ts_status put_study_table(FILE *file, ts_arena *arena, const page_table *page) {
  fprintf(file,
          "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"%s\">"
          "<table class=\"rows\"%s><thead><tr>",
          page->table->title, page->attributes);
  TS_TRY(put_heads(file, arena, page->table));
  fputs("</tr></thead>\n<tbody>\n", file);
  for (size_t row = 0; row < page->table->row_count; row++) {
    fputs("<tr>", file);
    TS_TRY(put_cells(file, arena, page, row));
    fputs("</tr>\n", file);
  }
  fputs("</tbody></table></div>\n", file);
  return TS_OK;
}

static ts_status put_folded(FILE *file, ts_arena *arena, const page_table *page) {
  if (page->table->row_count == 0)
    return TS_OK;
  fprintf(file, "<details><summary>%s</summary>\n", page->table->title);
  TS_TRY(put_study_table(file, arena, page));
  fputs("</details>\n", file);
  return TS_OK;
}

/// The row of the page that a study has a copy of: of several, the last one counts there too.
static size_t find_row(const ts_format_source *source, const ts_record *copy) {
  for (size_t i = source->count; i-- > 0;)
    if (source->records[i].step == 0 && strcmp(source->records[i].cell, copy->cell) == 0 &&
        strcmp(source->records[i].method, copy->method) == 0)
      return i;
  return SIZE_MAX;
}

/// The cells of the table of the worst: after the method, a value and its scene for each measure.
static ts_status put_worst(FILE *file, ts_arena *arena, const ts_html_rows *rows,
                           const ts_study *study) {
  ts_study_table worst;
  TS_TRY(ts_study_worst_table(&worst, arena, study));
  size_t *links = ts_arena_array(arena, worst.row_count * worst.column_count, sizeof *links);
  if (!links)
    return TS_E_MEMORY;
  for (size_t row = 0; row < worst.row_count; row++)
    for (size_t c = 0; c < worst.column_count; c++) {
      const ts_record *cell = c == 0 ? NULL : study->methods[row].values[(c - 1) / 2].worst_cell;
      bool is_scene = c > 0 && c % 2 == 0;
      links[row * worst.column_count + c] =
          cell && is_scene ? find_row(rows->source, cell) : SIZE_MAX;
    }
  return put_folded(file, arena, &(page_table){&worst, "", links});
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

/// The result in a sentence: which method is first, and how many others may be, too; but before
/// that, whether the methods are told apart at all.
static ts_status put_first(FILE *file, ts_arena *arena, const ts_study *study) {
  const ts_study_method *first = &study->methods[0];
  double quality_percent = first->values[TS_STUDY_QUALITY].mean.mean;
  size_t others = 0, told = 0;
  for (size_t i = 1; i < study->method_count; i++)
    others += study->methods[i].rank_first == 1;
  for (size_t i = 0; i < study->pair_count; i++)
    told += study->pairs[i].told_by != TS_STUDY_COMPARED_COUNT;
  if (study->method_count < 2 || first->rank_first != 1 || isnan(quality_percent))
    return TS_OK;
  bool is_ranking = study->pair_count == 0 || told > 0;
  if (!is_ranking)
    fprintf(file,
            "<p><strong>This is no ranking:</strong> %zu scenes%s, so that every method may have "
            "every rank. The means are what was measured in these scenes.%s</p>\n",
            study->scene_count,
            ts_study_is_too_small(study) ? " are too few to tell any two of so many methods apart"
                                         : " do not tell any two methods apart",
            ts_study_is_too_small(study)
                ? " For ranks, run with --seeds N, or report fewer methods."
                : "");
  char number[TS_NUMBER_BYTES];
  ts_field_number_text(number, ts_study_field(TS_STUDY_QUALITY), quality_percent);
  fputs("<p><strong>", file);
  TS_TRY(ts_html_put(file, arena, first->label));
  fprintf(file, "</strong> %s of %zu methods, with a mean quality of %s %% over %zu scenes",
          is_ranking ? "comes first" : "has the best means", study->method_count, number,
          study->scene_count);
  if (is_ranking && others > 0)
    fprintf(file, "; these scenes alone do not tell it from %zu other%s", others,
            others == 1 ? "" : "s");
  TS_TRY(put_equals(file, arena, study));
  fputs(".</p>\n", file);
  return TS_OK;
}

/// What the columns of the table are, a line each, from the descriptors.
static ts_status put_measures(FILE *file, ts_arena *arena) {
  fputs("<dl class=\"measures\">\n", file);
  for (int k = 0; k < TS_STUDY_TIME; k++) {
    const ts_field *field = ts_study_field((ts_study_measure)k);
    fprintf(file, "<dt>%s</dt><dd>", ts_field_short_label(field));
    TS_TRY(ts_html_put(file, arena, field->meaning));
    fprintf(file, " Best: %s.</dd>\n", field->sense == TS_SENSE_CLOSEST_TO_1 ? "1" : "100 %");
  }
  fputs("</dl>\n", file);
  return TS_OK;
}

/// What each method is, where the program knows.
static ts_status put_methods(FILE *file, ts_arena *arena, const ts_html_rows *rows) {
  const ts_format_source *source = rows->source;
  fputs("<dl>\n", file);
  for (size_t i = 0; source->method_summary && i < rows->methods.count; i++) {
    const char *summary = source->method_summary(rows->methods.entries[i].name);
    if (!summary)
      continue;
    fputs("<dt>", file);
    TS_TRY(ts_html_put(file, arena, rows->method_labels[i]));
    fputs("</dt><dd>", file);
    TS_TRY(ts_html_put(file, arena, summary));
    fputs("</dd>\n", file);
  }
  fputs("</dl>\n", file);
  return TS_OK;
}

static ts_status put_notes(FILE *file, ts_arena *arena, const ts_html_rows *rows,
                           const ts_study *study) {
  const char **notes;
  size_t count;
  TS_TRY(ts_study_notes(&notes, &count, arena, study));
  fputs("<details><summary>How to read this table, and what the methods are</summary>\n", file);
  for (size_t i = 0; i < count; i++) {
    fputs("<p class=\"quiet\">", file);
    TS_TRY(ts_html_put(file, arena, notes[i]));
    fputs("</p>\n", file);
  }
  TS_TRY(put_methods(file, arena, rows));
  fputs("</details>\n", file);
  return TS_OK;
}

ts_status ts_html_put_study(FILE *file, ts_arena *arena, const ts_html_rows *rows) {
  ts_study study;
  ts_study_table means, pairs;
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
  TS_TRY(ts_study_pairs_table(&pairs, arena, &study));
  fputs("<section id=\"study\"><h2>Summary</h2>\n", file);
  TS_TRY(put_first(file, arena, &study));
  TS_TRY(put_measures(file, arena));
  fputs("<div class=\"beside\"><div>\n", file);
  TS_TRY(put_study_table(file, arena, &(page_table){&means, " id=\"ranking\"", NULL}));
  TS_TRY(put_notes(file, arena, rows, &study));
  TS_TRY(put_worst(file, arena, rows, &study));
  TS_TRY(put_folded(file, arena, &(page_table){&pairs, "", NULL}));
  // The script draws quality against time beside the table.
  fputs("</div><div id=\"tradeoff\"></div></div>\n</section>\n", file);
  return TS_OK;
}
