// SPDX-License-Identifier: MIT
#include "reports/formats/format.h"

#include "base/status.h"
#include "reports/rows/outcome.h"
#include "reports/tables/format_text.h"
#include "reports/tables/pivot.h"
#include "reports/tables/table_text.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#define METHODS_ACROSS ((size_t)3)  ///< that fit the width of a page, with three numbers each
#define ROWS_DOWN      ((size_t)45) ///< that fit its height

/// Text that LaTeX takes for nothing but text, in any encoding.
static void put_text(FILE *file, const char *text) {
  for (const char *c = text; *c; c++) {
    unsigned char byte = (unsigned char)*c;
    if (byte > 126)
      fputc('?', file);
    else if (iscntrl(byte))
      fputc(' ', file);
    else if (byte == '\\')
      fputs("\\textbackslash{}", file);
    else if (strchr("~^", *c))
      fprintf(file, "\\%c{}", *c);
    else if (strchr("<>|\"", *c)) // other signs in the encoding that LaTeX begins with
      fprintf(file, "{\\ttfamily %c}", *c);
    else if (*c == '-')
      fputs("-{}", file); // two of them would be a dash
    else
      fprintf(file, strchr("_%&#${}", *c) ? "\\%c" : "%c", *c);
  }
}

static void put_number(FILE *file, double value, bool is_percent) {
  char text[TS_NUMBER_BYTES];
  if (isnan(value))
    snprintf(text, sizeof text, "--");
  else if (is_percent)
    ts_text_percent(text, value);
  else
    ts_text_fixed(text, value, 2);
  fprintf(file, " & %s", text);
}

static void put_cell(FILE *file, const ts_record *record) {
  if (!record) {
    fputs(" & & & ", file);
    return;
  }
  if (ts_record_is_ok(record)) {
    put_number(file, record->quality_percent, true);
    put_number(file, record->coverage_percent, true);
    put_number(file, record->excess_factor, false);
    return;
  }
  fputs(" & \\multicolumn{3}{c}{\\emph{", file);
  put_text(file, ts_record_outcome_words(record));
  fputs("}}", file);
}

typedef struct part {
  size_t first_row, end_row, first_method, end_method;
} part;

/// The names of the methods, and below them what tells those of one name apart.
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
      fputs(" & \\multicolumn{3}{c}{", file);
      if (line == 0)
        put_text(file, method->name);
      else if (line <= method->word_count)
        put_text(file, method->words[line - 1]);
      fputs("}", file);
    }
    fputs(" \\\\\n", file);
  }
}

static void put_head(FILE *file, const ts_pivot *cross, const part *p) {
  size_t count = p->end_method - p->first_method;
  fputs("  \\begin{tabular}{l", file);
  for (size_t m = 0; m < count; m++)
    fputs(" rrr", file);
  fputs("}\n    \\toprule\n", file);
  put_method_lines(file, cross, p);
  fputs("   ", file);
  for (size_t m = 0; m < count; m++)
    fprintf(file, " \\cmidrule(lr){%zu-%zu}", 3 * m + 2, 3 * m + 4);
  fputs("\n    case", file);
  for (size_t m = 0; m < count; m++)
    fputs(" & qual. & cov. & exc.", file);
  fputs(" \\\\\n    \\midrule\n", file);
}

static void put_part(FILE *file, const ts_pivot *cross, const part *p, size_t number) {
  fputs("\\begin{table}[htp]\n  \\centering\\footnotesize\n  \\setlength{\\tabcolsep}{3pt}\n",
        file);
  fprintf(file,
          "  \\caption{Normal quality (qual.) and coverage (cov.) in percent, and excess (exc.), "
          "of each case and method%s}\n  \\label{tab:touchstone-%zu}\n",
          number > 1 ? ", continued." : ".", number);
  put_head(file, cross, p);
  for (size_t row = p->first_row; row < p->end_row; row++) {
    fputs("    ", file);
    put_text(file, cross->case_labels[row]);
    for (size_t m = p->first_method; m < p->end_method; m++)
      put_cell(file, ts_pivot_find(cross, row, m));
    fputs(" \\\\\n", file);
  }
  fputs("    \\bottomrule\n  \\end{tabular}\n\\end{table}\n", file);
}

static size_t least(size_t a, size_t b) {
  return a < b ? a : b;
}

static ts_status write_latex(FILE *file, ts_arena *arena, const ts_format_source *source) {
  ts_pivot cross;
  TS_TRY(ts_pivot_make(&cross, arena, source->records, source->count));
  fputs("% Made by touchstone report --format latex. The preamble needs \\usepackage{booktabs}.\n",
        file);
  size_t number = 0;
  for (size_t m = 0; m < cross.methods.count; m += METHODS_ACROSS)
    for (size_t row = 0; row < cross.cases.count; row += ROWS_DOWN) {
      const part p = {row, least(row + ROWS_DOWN, cross.cases.count), m,
                      least(m + METHODS_ACROSS, cross.methods.count)};
      put_part(file, &cross, &p, ++number);
    }
  return TS_OK;
}

const ts_format ts_format_latex = {
    .name = "latex",
    .readers = "papers",
    .summary = "Tables of quality, coverage and excess; the preamble needs \\usepackage{booktabs}.",
    .reads = "",
    .write = write_latex,
};
