// SPDX-License-Identifier: MIT
/// The table at the end of a run: cases down, methods across, in the manner of Erleben's Table 8.
#ifndef TS_REPORTS_TABLE_H
#define TS_REPORTS_TABLE_H

#include "base/arena.h"
#include "reports/rows/record.h"

#include <stdio.h>

typedef struct ts_table_style {
  size_t width; ///< columns of the terminal, 0: no limit; methods that do not fit go to a new block
  bool colour;  ///< ANSI colours
} ts_table_style;

/// For each method quality, coverage, excess, time (median, with a unit that fits) and, where some
/// cell has any, flags: letters for what the measures hide, explained below (table_flags.h). A case
/// is labelled with those of its parameters that differ between rows, and with the step. Of a cell
/// with many steps the scene as built, step TS_PUBLISHED_STEP and the last one are shown, and what
/// did not end well. Cells that did not end well
/// show their outcome; a footnote counts them and gives their reasons. The file is flushed; TS_E_IO
/// when it cannot be written.
ts_status ts_table_print(FILE *file, ts_arena *arena, const ts_record *records, size_t count,
                         ts_table_style style);

#endif
