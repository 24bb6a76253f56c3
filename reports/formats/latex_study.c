// SPDX-License-Identifier: MIT
#include "reports/formats/latex_study.h"

#include "base/status.h"
#include "reports/formats/latex_text.h"
#include "reports/study/study_table.h"

static void put_row(FILE *file, const ts_study_table *table, const char *const *cells) {
  fputs("    ", file);
  for (size_t c = 0; c < table->column_count; c++) {
    fputs(c > 0 ? " & " : "", file);
    ts_latex_put(file, cells[c]);
  }
  fputs(" \\\\\n", file);
}

ts_status ts_latex_put_study(FILE *file, ts_arena *arena, const ts_study *study) {
  ts_study_table means;
  const char **notes;
  size_t note_count;
  TS_TRY(ts_study_means_table(&means, arena, study));
  TS_TRY(ts_study_notes(&notes, &note_count, arena, study));
  fputs(
      "% Made by touchstone report --format latex. The preamble needs \\usepackage{booktabs} and\n"
      "% \\usepackage{graphicx}.\n"
      "\\begin{table}[htp]\n  \\centering\n  \\caption{",
      file);
  for (size_t i = 0; i < note_count; i++) {
    fputs(i > 0 ? " " : "", file);
    ts_latex_put(file, notes[i]);
  }
  fputs("}\n  \\label{tab:touchstone-study}\n  \\resizebox{\\linewidth}{!}{%\n"
        "  \\begin{tabular}{",
        file);
  for (size_t c = 0; c < means.column_count; c++)
    fputc(means.is_text[c] ? 'l' : 'r', file);
  fputs("}\n    \\toprule\n", file);
  put_row(file, &means, means.heads);
  fputs("    \\midrule\n", file);
  for (size_t row = 0; row < means.row_count; row++)
    put_row(file, &means, &means.cells[row * means.column_count]);
  fputs("    \\bottomrule\n  \\end{tabular}}\n\\end{table}\n", file);
  return TS_OK;
}
