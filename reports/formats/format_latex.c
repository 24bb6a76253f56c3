// SPDX-License-Identifier: MIT
#include "reports/formats/format.h"

#include "base/status.h"
#include "reports/formats/latex_study.h"
#include "reports/formats/latex_text.h"
#include "reports/rows/outcome.h"
#include "reports/tables/field_text.h"
#include "reports/tables/format_text.h"
#include "reports/tables/pivot.h"

#include <ctype.h>
#include <math.h>

#define METHODS_ACROSS ((size_t)3)  ///< how many fit the width of a page
#define ROWS_DOWN      ((size_t)45) ///< how many fit its height

/// The measures of the table at the end of a run; no times, since these depend on the machine.
typedef struct measures {
  const ts_field *fields[TS_RECORD_FIELD_COUNT]; ///< [count]
  size_t count;
} measures;

static measures find_measures(void) {
  const ts_field *shown[TS_RECORD_FIELD_COUNT];
  size_t shown_count = ts_fields_shown(shown, TS_SHOWN_TABLE);
  measures m = {.count = 0};
  for (size_t i = 0; i < shown_count; i++)
    if (shown[i]->role != TS_ROLE_TIME)
      m.fields[m.count++] = shown[i];
  return m;
}

/// A label for use within a sentence.
static void put_lower(FILE *file, const char *label) {
  const char text[] = {(char)tolower((unsigned char)label[0]), '\0'};
  ts_latex_put(file, text);
  ts_latex_put(file, label + 1);
}

static void put_values(FILE *file, const measures *m, const ts_record *record) {
  for (size_t i = 0; i < m->count; i++) {
    char text[TS_NUMBER_BYTES] = "--";
    double value = ts_row_number(m->fields[i], record);
    if (!isnan(value))
      ts_field_number_text(text, m->fields[i], value);
    fprintf(file, " & %s", text);
  }
}

static void put_cell(FILE *file, const measures *m, const ts_record *record) {
  if (record && ts_record_is_ok(record)) {
    put_values(file, m, record);
    return;
  }
  fprintf(file, " & \\multicolumn{%zu}{c}{\\emph{", m->count);
  ts_latex_put(file, record ? ts_record_outcome_words(record) : "");
  fputs("}}", file);
}

/// The column heading of a measure, with a full stop if it is abbreviated.
static void put_label(FILE *file, const ts_field *field) {
  put_lower(file, ts_field_narrow_label(field));
  fputs(field->narrow_label ? "." : "", file);
}

/// "Normal quality (qual., percent), normal coverage (cov., percent), excess of contacts (excess)".
static void put_legend(FILE *file, const measures *m) {
  for (size_t i = 0; i < m->count; i++) {
    const ts_field *field = m->fields[i];
    if (i > 0) {
      fputs(", ", file);
      put_lower(file, field->label);
    } else {
      ts_latex_put(file, field->label);
    }
    fputs(" (", file);
    put_label(file, field);
    fputs(field->unit[0] ? ", " : "", file);
    ts_latex_put(file, field->unit);
    fputs(")", file);
  }
}

typedef struct part {
  const measures *measures;
  size_t first_row, end_row, first_method, end_method;
} part;

/// The names of the methods, and below them what distinguishes those with the same name.
static void put_method_lines(FILE *file, const ts_pivot *cross, const part *p) {
  size_t lines = 1;
  for (size_t m = p->first_method; m < p->end_method; m++) {
    size_t count = 1 + cross->methods.entries[m].word_count;
    lines = count > lines ? count : lines;
  }
  for (size_t line = 0; line < lines; line++) {
    fputs("   ", file);
    for (size_t m = p->first_method; m < p->end_method; m++) {
      const ts_axis_entry *method = &cross->methods.entries[m];
      fprintf(file, " & \\multicolumn{%zu}{c}{", p->measures->count);
      if (line == 0)
        ts_latex_put(file, method->name);
      else if (line <= method->word_count)
        ts_latex_put(file, method->words[line - 1]);
      fputs("}", file);
    }
    fputs(" \\\\\n", file);
  }
}

static void put_head(FILE *file, const ts_pivot *cross, const part *p) {
  size_t count = p->end_method - p->first_method;
  fputs("  \\begin{tabular}{l", file);
  for (size_t m = 0; m < count; m++) {
    fputc(' ', file);
    for (size_t i = 0; i < p->measures->count; i++)
      fputc('r', file);
  }
  fputs("}\n    \\toprule\n", file);
  put_method_lines(file, cross, p);
  fputs("   ", file);
  for (size_t m = 0, width = p->measures->count; m < count; m++)
    fprintf(file, " \\cmidrule(lr){%zu-%zu}", width * m + 2, width * (m + 1) + 1);
  fputs("\n    case", file);
  for (size_t m = 0; m < count; m++)
    for (size_t i = 0; i < p->measures->count; i++) {
      fputs(" & ", file);
      put_label(file, p->measures->fields[i]);
    }
  fputs(" \\\\\n    \\midrule\n", file);
}

static void put_part(FILE *file, const ts_pivot *cross, const part *p, size_t number) {
  fputs("\\begin{table}[htp]\n  \\centering\\footnotesize\n  \\setlength{\\tabcolsep}{3pt}\n",
        file);
  fputs("  \\caption{", file);
  put_legend(file, p->measures);
  fprintf(file, ", of each case and method%s}\n  \\label{tab:touchstone-%zu}\n",
          number > 1 ? ", continued." : ".", number);
  put_head(file, cross, p);
  for (size_t row = p->first_row; row < p->end_row; row++) {
    fputs("    ", file);
    ts_latex_put(file, cross->case_labels[row]);
    for (size_t m = p->first_method; m < p->end_method; m++)
      put_cell(file, p->measures, ts_pivot_find(cross, row, m));
    fputs(" \\\\\n", file);
  }
  fputs("    \\bottomrule\n  \\end{tabular}\n\\end{table}\n", file);
}

static size_t least(size_t a, size_t b) {
  return a < b ? a : b;
}

static ts_status write_latex(FILE *file, ts_arena *arena, const ts_format_source *source) {
  ts_study study;
  TS_TRY(ts_study_make(&study, arena, source->records, source->count));
  if (study.has_draws && source->study_fault)
    return ts_fail(TS_E_INPUT, "%s", source->study_fault);
  if (study.has_draws)
    return ts_latex_put_study(file, arena, &study);
  ts_pivot cross;
  TS_TRY(ts_pivot_make(&cross, arena, source->records, source->count));
  fputs("% Made by touchstone report --format latex. The preamble needs \\usepackage{booktabs}.\n",
        file);
  const measures shown = find_measures();
  size_t number = 0;
  for (size_t m = 0; m < cross.methods.count; m += METHODS_ACROSS)
    for (size_t row = 0; row < cross.cases.count; row += ROWS_DOWN) {
      const part p = {&shown, row, least(row + ROWS_DOWN, cross.cases.count), m,
                      least(m + METHODS_ACROSS, cross.methods.count)};
      put_part(file, &cross, &p, ++number);
    }
  return TS_OK;
}

const ts_format ts_format_latex = {
    .name = "latex",
    .readers = "papers",
    .summary =
        "Tables for booktabs: the measures in the table of a run, cases down, methods across; with "
        "several seeds one table of the means of all methods.",
    .reads = "",
    .write = write_latex,
};
