// SPDX-License-Identifier: MIT
#include "reports/html/html_table.h"

#include "base/status.h"
#include "reports/html/html_text.h"
#include "reports/rows/outcome.h"
#include "reports/tables/field_text.h"
#include "reports/tables/format_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Without a script a table ends here: it would take long to lay out.
#define STATIC_ROWS ((size_t)1000)

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

/// Begins a row of a table: its case and its method.
static ts_status put_names(FILE *file, ts_arena *arena, const ts_html_rows *rows, size_t i) {
  fprintf(file, "<tr%s><th scope=\"row\">",
          ts_record_has_failed(&rows->source->records[i]) ? " class=\"failed\"" : "");
  TS_TRY(ts_html_put(file, arena, rows->case_labels[rows->cases.entry_of[i]]));
  fputs("</th><td>", file);
  TS_TRY(ts_html_put(file, arena, rows->method_labels[rows->methods.entry_of[i]]));
  fputs("</td>", file);
  return TS_OK;
}

static ts_status put_row(FILE *file, ts_arena *arena, const ts_html_rows *rows,
                         const columns *shown, bool has_outcome, size_t i) {
  const ts_record *record = &rows->source->records[i];
  TS_TRY(put_names(file, arena, rows, i));
  if (has_outcome) {
    fputs("<td>", file);
    TS_TRY(ts_html_put(file, arena, ts_record_outcome_words(record)));
    fputs("</td>", file);
  }
  if (!has_outcome || ts_record_is_ok(record)) {
    put_measures(file, shown, record);
  } else {
    fprintf(file, "<td class=\"reason\" colspan=\"%zu\">", shown->count);
    TS_TRY(ts_html_put(file, arena, record->reason));
    fputs("</td>", file);
  }
  fputs("</tr>\n", file);
  return TS_OK;
}

/// " %", " [m]"; nothing for counts, and for times, whose numbers have their units.
static void put_unit(FILE *file, const ts_field *field) {
  const char *sign = ts_field_unit_sign(field);
  if (sign[0])
    fprintf(file, " %s", sign);
  else if (field->unit[0] && strcmp(field->unit, "ns") != 0)
    fprintf(file, " [%s]", field->unit);
}

static ts_status put_head(FILE *file, ts_arena *arena, const columns *shown, bool has_outcome) {
  fputs("<thead><tr><th scope=\"col\" class=\"name\" data-sort=\"case\">Case</th>"
        "<th scope=\"col\" data-sort=\"method\">Method</th>",
        file);
  if (has_outcome)
    fputs("<th scope=\"col\" data-sort=\"outcome\">Outcome</th>", file);
  for (size_t k = 0; k < shown->count; k++) {
    const ts_field *field = shown->fields[k];
    fprintf(file, "<th scope=\"col\" class=\"n\" data-sort=\"%s\" title=\"", field->column);
    TS_TRY(ts_html_put(file, arena, field->meaning));
    fprintf(file, "\">%s", ts_field_short_label(field));
    put_unit(file, field);
    fputs("</th>", file);
  }
  fputs("</tr></thead>\n", file);
  return TS_OK;
}

/// A table of rows in two forms.
typedef struct row_table {
  const char *name;    ///< id of the table that the script fills
  const char *caption; ///< what its rows are
  const columns *shown;
  bool has_outcome;
  const size_t *indices; ///< [count]; NULL: the rows in their order
  size_t count;
} row_table;

static ts_status begin_table(FILE *file, ts_arena *arena, const row_table *t, const char *id) {
  fprintf(file, "<table%s class=\"rows\"><caption class=\"unseen\">%s</caption>\n", id, t->caption);
  TS_TRY(put_head(file, arena, t->shown, t->has_outcome));
  fputs("<tbody>\n", file);
  return TS_OK;
}

/// An empty table that the script fills with the rows on view, and for readers without a script one
/// with the rows: a browser with scripts does not even parse that.
static ts_status put_row_table(FILE *file, ts_arena *arena, const ts_html_rows *rows,
                               const row_table *t) {
  const char *id = ts_arena_format(arena, " id=\"%s\"", t->name);
  if (!id)
    return TS_E_MEMORY;
  fputs("<div class=\"live scroll\" hidden>\n", file);
  TS_TRY(begin_table(file, arena, t, id));
  fprintf(file,
          "</tbody></table></div>\n<noscript><div class=\"scroll\" tabindex=\"0\" "
          "role=\"region\" aria-label=\"%s\">\n",
          t->caption);
  TS_TRY(begin_table(file, arena, t, ""));
  size_t listed = t->count < STATIC_ROWS ? t->count : STATIC_ROWS;
  for (size_t i = 0; i < listed; i++)
    TS_TRY(put_row(file, arena, rows, t->shown, t->has_outcome, t->indices ? t->indices[i] : i));
  fputs("</tbody></table></div>\n", file);
  if (listed < t->count)
    fprintf(file,
            "<p>These are the first %zu of %zu rows. JavaScript shows the others; summary.csv has "
            "all.</p>\n",
            listed, t->count);
  fputs("</noscript>\n", file);
  return TS_OK;
}

/// Flags first, beside the names of the row: else they are out of view on a narrow screen.
static void list_main(columns *out) {
  columns all;
  all.count = ts_fields_shown(all.fields, TS_SHOWN_PAGE);
  out->count = 0;
  for (int wants_flags = 1; wants_flags >= 0; wants_flags--)
    for (size_t k = 0; k < all.count; k++)
      if ((all.fields[k]->role == TS_ROLE_FAULT) == wants_flags)
        out->fields[out->count++] = all.fields[k];
}

ts_status ts_html_put_table(FILE *file, ts_arena *arena, const ts_html_rows *rows) {
  columns shown;
  list_main(&shown);
  return put_row_table(file, arena, rows,
                       &(row_table){.name = "rows",
                                    .caption = "All rows, a row for each case, method and step",
                                    .shown = &shown,
                                    .has_outcome = true,
                                    .count = rows->source->count});
}

/// Whether a row has a value of any of the columns.
static bool has_any(const columns *shown, const ts_record *record) {
  for (size_t k = 0; k < shown->count; k++)
    if (ts_record_is_ok(record) && !isnan(ts_row_number(shown->fields[k], record)))
      return true;
  return false;
}

/// A row with its place among cases, to be sorted.
typedef struct placed_row {
  const ts_record *record;
  const columns *shown;
  size_t case_entry, index;
} placed_row;

/// Cells, each from its last step down.
static int compare_steps(const void *a, const void *b) {
  const placed_row *x = a, *y = b;
  int order = strcmp(x->record->cell, y->record->cell);
  return order ? order : (x->record->step < y->record->step) - (x->record->step > y->record->step);
}

/// Cases in their order, in each the worst first: by the first column that tells two rows apart.
static int compare_badness(const void *a, const void *b) {
  const placed_row *x = a, *y = b;
  if (x->case_entry != y->case_entry)
    return x->case_entry < y->case_entry ? -1 : 1;
  for (size_t k = 0; k < x->shown->count; k++) {
    const ts_field *field = x->shown->fields[k];
    double of_x = ts_field_badness(field, ts_row_number(field, x->record));
    double of_y = ts_field_badness(field, ts_row_number(field, y->record));
    if (isnan(of_x) != isnan(of_y))
      return isnan(of_x) ? 1 : -1;
    if (of_x != of_y && !isnan(of_x))
      return of_x > of_y ? -1 : 1;
  }
  return (x->index > y->index) - (x->index < y->index);
}

/// Finds the last row of each cell that has any of the columns, and drops columns that none has.
static ts_status find_coherent(placed_row **out, size_t *out_count, columns *shown, ts_arena *arena,
                               const ts_html_rows *rows) {
  const ts_format_source *source = rows->source;
  placed_row *found = ts_arena_array(arena, source->count, sizeof *found);
  if (!found)
    return TS_E_MEMORY;
  size_t count = 0, last_count = 0, column_count = 0;
  for (size_t i = 0; i < source->count; i++)
    if (has_any(shown, &source->records[i]))
      found[count++] = (placed_row){&source->records[i], shown, rows->cases.entry_of[i], i};
  qsort(found, count, sizeof *found, compare_steps);
  for (size_t i = 0; i < count; i++)
    if (i == 0 || strcmp(found[i].record->cell, found[last_count - 1].record->cell) != 0)
      found[last_count++] = found[i];
  for (size_t k = 0; k < shown->count; k++) {
    bool is_measured = false;
    for (size_t i = 0; i < last_count && !is_measured; i++)
      is_measured = !isnan(ts_row_number(shown->fields[k], found[i].record));
    if (is_measured)
      shown->fields[column_count++] = shown->fields[k];
  }
  shown->count = column_count;
  qsort(found, last_count, sizeof *found, compare_badness);
  *out = found;
  *out_count = last_count;
  return TS_OK;
}

static ts_status put_meanings(FILE *file, ts_arena *arena, const columns *shown) {
  fputs("<dl>\n", file);
  for (size_t k = 0; k < shown->count; k++) {
    const ts_field *field = shown->fields[k];
    fprintf(file, "<dt>%s</dt><dd>", ts_field_short_label(field));
    TS_TRY(ts_html_put(file, arena, field->meaning));
    fprintf(file, " <code>%s</code></dd>\n", field->column);
  }
  fputs("</dl>\n", file);
  return TS_OK;
}

ts_status ts_html_put_coherence(FILE *file, ts_arena *arena, const ts_html_rows *rows) {
  columns shown;
  shown.count = ts_fields_shown(shown.fields, TS_SHOWN_COHERENCE);
  placed_row *found;
  size_t count;
  TS_TRY(find_coherent(&found, &count, &shown, arena, rows));
  if (count == 0)
    return TS_OK;
  size_t *indices = ts_arena_array(arena, count, sizeof *indices);
  if (!indices)
    return TS_E_MEMORY;
  fputs("<section id=\"coherence\"><h2>Coherence</h2>\n"
        "<p>How the contacts of consecutive steps hold together, up to the last step of each case "
        "and method; the worst of a case first.</p>\n"
        "<script type=\"application/json\" id=\"coherence-rows\">[",
        file);
  for (size_t i = 0; i < count; i++) {
    indices[i] = found[i].index;
    fprintf(file, i > 0 ? ",%zu" : "%zu", indices[i]);
  }
  fputs("]</script>\n", file);
  TS_TRY(put_row_table(file, arena, rows,
                       &(row_table){.name = "coherence-table",
                                    .caption = "Coherence, a row for each case and method",
                                    .shown = &shown,
                                    .indices = indices,
                                    .count = count}));
  TS_TRY(put_meanings(file, arena, &shown));
  fputs("</section>\n", file);
  return TS_OK;
}
