// SPDX-License-Identifier: MIT
#include "reports/formats/latex_text.h"

#include <ctype.h>
#include <string.h>

void ts_latex_put(FILE *file, const char *text) {
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
    else if (strchr("<>|\"", *c)) // would be other characters in LaTeX's default encoding
      fprintf(file, "{\\ttfamily %c}", *c);
    else if (*c == '-')
      fputs("-{}", file); // two of them would become a dash
    else
      fprintf(file, strchr("_%&#${}", *c) ? "\\%c" : "%c", *c);
  }
}
