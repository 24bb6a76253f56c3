// SPDX-License-Identifier: MIT
#include "reports/study/study_print.h"

#include "base/status.h"
#include "base/utf8.h"
#include "reports/study/study_table.h"

#include <string.h>

#define LINE_WIDTH ((size_t)100)

/// Writes text as a cell of a table, and then blanks up to a width; or before it, for numbers.
static void put_cell(FILE *file, const char *text, size_t width, bool is_text) {
  size_t length = strlen(text);
  int blanks = (int)(width > length ? width - length : 0);
  fprintf(file, "| %*s", is_text ? 0 : blanks, "");
  for (size_t control; *text; text += control > 0 ? control : 1) {
    control = ts_utf8_control_length(text);
    if (*text == '|')
      fputc('\\', file);
    fputc(control > 0 ? ' ' : *text, file);
  }
  fprintf(file, "%*s ", is_text ? blanks : 0, "");
}

static ts_status put_table(FILE *file, ts_arena *arena, const ts_study_table *t) {
  size_t *widths = ts_arena_array(arena, t->column_count, sizeof *widths);
  if (!widths)
    return TS_E_MEMORY;
  for (size_t c = 0; c < t->column_count; c++) {
    widths[c] = strlen(t->heads[c]);
    for (size_t row = 0; row < t->row_count; row++) {
      size_t length = strlen(t->cells[row * t->column_count + c]);
      widths[c] = length > widths[c] ? length : widths[c];
    }
  }
  for (size_t c = 0; c < t->column_count; c++)
    put_cell(file, t->heads[c], widths[c], t->is_text[c]);
  fputs("|\n", file);
  for (size_t c = 0; c < t->column_count; c++) {
    fputc('|', file);
    for (size_t i = 0; i < widths[c] + (t->is_text[c] ? 2 : 1); i++)
      fputc('-', file);
    fputs(t->is_text[c] ? "" : ":", file);
  }
  fputs("|\n", file);
  for (size_t row = 0; row < t->row_count; row++) {
    for (size_t c = 0; c < t->column_count; c++)
      put_cell(file, t->cells[row * t->column_count + c], widths[c], t->is_text[c]);
    fputs("|\n", file);
  }
  return TS_OK;
}

/// Writes a paragraph, broken at blanks.
static void put_paragraph(FILE *file, const char *text) {
  size_t column = 0;
  fputc('\n', file);
  for (const char *word = text; *word;) {
    size_t length = strcspn(word, " ");
    if (column > 0 && column + 1 + length > LINE_WIDTH) {
      fputc('\n', file);
      column = 0;
    }
    column += (size_t)fprintf(file, "%s%.*s", column > 0 ? " " : "", (int)length, word);
    word += length + (word[length] == ' ');
  }
  fputc('\n', file);
}

ts_status ts_study_print_means(FILE *file, ts_arena *arena, const ts_study *study) {
  ts_study_table means;
  const char **notes;
  size_t note_count;
  TS_TRY(ts_study_means_table(&means, arena, study));
  TS_TRY(ts_study_notes(&notes, &note_count, arena, study));
  TS_TRY(put_table(file, arena, &means));
  for (size_t i = 0; i < note_count; i++)
    put_paragraph(file, notes[i]);
  return TS_OK;
}

static ts_status put_titled(FILE *file, ts_arena *arena, const ts_study_table *table) {
  fprintf(file, "\n%s:\n\n", table->title);
  return put_table(file, arena, table);
}

ts_status ts_study_print(FILE *file, ts_arena *arena, const ts_study *study) {
  ts_study_table worst, pairs;
  TS_TRY(ts_study_worst_table(&worst, arena, study));
  TS_TRY(ts_study_pairs_table(&pairs, arena, study));
  TS_TRY(ts_study_print_means(file, arena, study));
  TS_TRY(put_titled(file, arena, &worst));
  return pairs.row_count > 0 ? put_titled(file, arena, &pairs) : TS_OK;
}
