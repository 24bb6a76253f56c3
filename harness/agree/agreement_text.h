// SPDX-License-Identifier: MIT
/// The agreement of methods as a table in a terminal, and as CSV.
#ifndef TS_HARNESS_AGREEMENT_TEXT_H
#define TS_HARNESS_AGREEMENT_TEXT_H

#include "harness/agree/agreement.h"

#include <stdio.h>

/// The matrix, from the methods of the rows to those of the columns, which have their numbers for
/// headings; and below it what was compared, and in which methods cases are missing.
ts_status ts_agreement_print(FILE *file, ts_arena *arena, const ts_agreement *agreement,
                             const ts_plot_source *source);

/// A row for each ordered pair of different methods, with the place where they are farthest apart.
/// `records` are those that were compared.
ts_status ts_agreement_write_csv(FILE *file, ts_arena *arena, const ts_agreement *agreement,
                                 const ts_plot_source *source, const ts_record *records);

#endif
