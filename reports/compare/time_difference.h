// SPDX-License-Identifier: MIT
/// Whether cells became slower: the raw samples of two runs, cell by cell, against what the run as
/// a whole gained or lost.
#ifndef TS_REPORTS_TIME_DIFFERENCE_H
#define TS_REPORTS_TIME_DIFFERENCE_H

#include "reports/compare/difference.h"

/// What makes a time count as changed: all of it together.
///
/// Repeats of one run are not independent: a neighbour on the machine slows many in a row, and with
/// hundreds of repeats the rank test alone calls any two runs different. So a change must be
/// significant *and* large *and* seen in the fastest repeat too, for a neighbour slows repeats but
/// makes none faster than the code is; *and* out of the ordinary among the cells of these two runs.
typedef struct ts_time_limits {
  double alpha;     ///< most p, after Holm's correction for all cells
  double effect;    ///< least share of the pairs of samples in which one run's is the slower
  double ratio;     ///< least ratio of times, above 1
  double spread;    ///< least change, in spreads of the cells' (logarithmic) ratios
  bool is_absolute; ///< Do not take out the factor of the run as a whole.
} ts_time_limits;

extern const ts_time_limits ts_time_limits_default;

typedef enum ts_time_verdict {
  TS_TIME_UNTESTED, ///< one side has no samples that are not crowded
  TS_TIME_SAME,
  TS_TIME_SLOWER,
  TS_TIME_FASTER
} ts_time_verdict;

/// The times of one pair of rows that both have some; ratios are new over old.
typedef struct ts_time_change {
  size_t pair;
  size_t old_count, new_count; ///< samples, without those that are crowded (ts_clock_was_crowded)
  double old_ns, new_ns;       ///< medians
  double ratio;                ///< of the medians
  double ratio_least;          ///< of the fastest repeats; NaN without samples
  double ratio_to_run;         ///< `ratio` over the factor of the run
  double new_is_slower;        ///< share of the pairs of samples, those of new over the factor; NaN
  double p;                    ///< corrected; NaN without samples
  ts_time_verdict verdict;
} ts_time_change;

typedef struct ts_time_difference {
  size_t count;
  ts_time_change *changes; ///< [count]: slower ones first, then faster ones, the largest first;
                           ///< then the others in the order of the pairs
  size_t slower_count, faster_count, tested_count;
  size_t old_lacking_count, new_lacking_count; ///< cells of which samples.csv has not all repeats
  bool has_samples;                            ///< both sides have a samples.csv
  double factor;       ///< of the run as a whole: median of the cells' ratios; 1 with few cells
  double factor_least; ///< the same of the fastest repeats
  double spread;       ///< of the logarithms of the cells' ratios, about that of 68 % of them
} ts_time_difference;

/// Cells that a run must have for a factor and a spread of its own.
#define TS_TIME_CELLS_MIN 8

/// Compares the rows that are ok on both sides. The paths are those of samples.csv; NULL for one
/// that is not there: then the medians of the rows are told and nothing is tested.
ts_status ts_time_difference_make(ts_time_difference *out, ts_arena *arena,
                                  const ts_difference *difference, const char *old_samples,
                                  const char *new_samples, const ts_time_limits *limits);

#endif
