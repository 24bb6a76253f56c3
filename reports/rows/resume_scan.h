// SPDX-License-Identifier: MIT
/// The cells of a results folder that are whole in all its files. Nothing is changed.
#ifndef TS_REPORTS_RESUME_SCAN_H
#define TS_REPORTS_RESUME_SCAN_H

#include "reports/rows/results_files.h"
#include "reports/rows/rows.h"

typedef struct ts_resume_scan {
  ts_record_list list; ///< all rows of the summary; the owner frees `list.records`
  size_t kept_records; ///< those of the cells that are whole, which are the first ones
  size_t lost_cells;   ///< cells with rows that are not kept
  bool has_header[TS_RESULTS_FILE_COUNT];
  int64_t kept_end[TS_RESULTS_FILE_COUNT]; ///< size of each file with the rows that are kept
} ts_resume_scan;

/// Scans the open files of `results`, whose journal has been read. `last_step` is the step of the
/// last row of a cell that is ok throughout; NaN: unknown. TS_E_INPUT, naming the file, for what
/// neither a kill nor a power cut leaves behind: see ts_results_resume.
ts_status ts_resume_scan_files(ts_resume_scan *out, ts_arena *arena, ts_results *results,
                               double last_step);

#endif
