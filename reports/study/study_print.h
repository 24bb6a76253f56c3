// SPDX-License-Identifier: MIT
/// A study as text: tables in Markdown whose columns are aligned, for a terminal or to be pasted.
#ifndef TS_REPORTS_STUDY_PRINT_H
#define TS_REPORTS_STUDY_PRINT_H

#include "reports/study/study.h"

#include <stdio.h>

/// Prints the means of the methods and how to read them. The study has methods. TS_E_MEMORY.
ts_status ts_study_print_means(FILE *file, ts_arena *arena, const ts_study *study);

/// Prints the means, the worst cells and the pairs.
ts_status ts_study_print(FILE *file, ts_arena *arena, const ts_study *study);

#endif
