// SPDX-License-Identifier: MIT
/// A study as a table for a paper.
#ifndef TS_REPORTS_LATEX_STUDY_H
#define TS_REPORTS_LATEX_STUDY_H

#include "reports/study/study.h"

#include <stdio.h>

/// Writes one table with the means of all methods, the notes as its caption. The preamble needs
/// booktabs, and graphicx to fit it to the width. TS_E_MEMORY.
ts_status ts_latex_put_study(FILE *file, ts_arena *arena, const ts_study *study);

#endif
