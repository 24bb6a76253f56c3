// SPDX-License-Identifier: MIT
/// Methods in the order of their quality over all cases: the short answer that a run ends with.
#ifndef TS_REPORTS_RANKING_H
#define TS_REPORTS_RANKING_H

#include "base/arena.h"
#include "reports/tables/table.h"

#include <stdio.h>

/// What a method comes to over the scenes as built, in which all methods see the same bodies. NaN
/// where no row has a figure.
typedef struct ts_rank {
  const char *method;      ///< its label: the name, and the parameters that differ between rows
  double quality_percent;  ///< mean over the rows whose truth is known; 0 for a row that failed or
                           ///< in which no contact was found
  double coverage_percent; ///< likewise
  double excess_factor;    ///< mean over the rows that were measured
  double time_ns;          ///< likewise the geometric mean of generate_ns_median, as in studies
  size_t failed, skipped;  ///< scenes as built
} ts_rank;

typedef struct ts_ranking {
  size_t count;
  const ts_rank *ranks; ///< [count], best quality first, then best coverage, then by name
  size_t scene_count;   ///< cases, with the parameters that differ between rows
  size_t failed_later;  ///< rows in motion that failed; they count for nothing
} ts_ranking;

ts_status ts_ranking_make(ts_ranking *out, ts_arena *arena, const ts_record *records, size_t count);

/// Prints the table and how to read it.
void ts_ranking_print(FILE *file, const ts_ranking *ranking, ts_table_style style);

#endif
