// SPDX-License-Identifier: MIT
/// Text in LaTeX.
#ifndef TS_REPORTS_LATEX_TEXT_H
#define TS_REPORTS_LATEX_TEXT_H

#include <stdio.h>

/// Writes text with everything escaped that is special in LaTeX, in any encoding.
void ts_latex_put(FILE *file, const char *text);

#endif
