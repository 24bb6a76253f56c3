// SPDX-License-Identifier: MIT
/// The table at the end of a run: cases down, methods across, like Table 8 of Erleben 2018.
#ifndef TS_REPORTS_TABLE_H
#define TS_REPORTS_TABLE_H

#include "base/arena.h"
#include "reports/rows/record.h"
#include "reports/tables/fold.h"

#include <stdio.h>

typedef struct ts_table_style {
  size_t width; ///< columns of the terminal, 0: no limit; methods that do not fit go into another
                ///< block
  bool colour;  ///< ANSI colours
} ts_table_style;

/// Prints for each method quality, coverage, excess, time (median, with a suitable unit) and, if
/// any cell has some, flags: letters for faults that the measures do not show, explained below the
/// table (table_flags.h). A case is labelled with those of its parameters that differ between rows,
/// and with the step. For a cell with many steps, the scene as built, step TS_PUBLISHED_STEP and
/// the last step are shown, and rows that are not ok. Cells that are not ok show their outcome; a
/// footnote counts them and gives their reasons. The file is flushed; TS_E_IO when it cannot be
/// written.
ts_status ts_table_print(FILE *file, ts_arena *arena, const ts_record *records, size_t count,
                         ts_table_style style);

/// The same of folded rows, each measure with its standard deviation over the draws.
ts_status ts_table_print_folded(FILE *file, ts_arena *arena, const ts_fold *fold,
                                ts_table_style style);

#endif
