// SPDX-License-Identifier: MIT
/// Whether cells became slower: compares the raw samples of two runs cell by cell, relative to the
/// change of the run as a whole.
#ifndef TS_REPORTS_TIME_DIFFERENCE_H
#define TS_REPORTS_TIME_DIFFERENCE_H

#include "reports/compare/difference.h"

/// Conditions for a time to count as changed; all of them must hold.
///
/// Repeats of one run are not independent: another process on the machine slows down many in a row,
/// and with hundreds of repeats the rank test alone finds any two runs different. So a change must
/// be significant *and* large *and* also present in the fastest repeat, which other processes
/// cannot make faster; *and* unusual among the cells of these two runs.
typedef struct ts_time_limits {
  double alpha;     ///< maximum p, after Holm's correction for all cells
  double effect;    ///< minimum share of the pairs of samples in which the same run is slower
  double ratio;     ///< minimum ratio of times, above 1
  double spread;    ///< minimum change, in units of the spread of the cells' logarithmic ratios
  bool is_absolute; ///< Do not divide out the factor of the run as a whole.
} ts_time_limits;

extern const ts_time_limits ts_time_limits_default;

typedef enum ts_time_verdict {
  TS_TIME_UNTESTED, ///< one side has only crowded samples, or none
  TS_TIME_SAME,
  TS_TIME_SLOWER,
  TS_TIME_FASTER
} ts_time_verdict;

/// The times of one pair of rows of which both have times; ratios are new over old.
typedef struct ts_time_change {
  size_t pair;
  size_t old_count, new_count; ///< number of samples, without crowded ones (ts_clock_was_crowded)
  double old_ns, new_ns;       ///< medians
  double ratio;                ///< of the medians
  double ratio_least;          ///< of the fastest repeats; NaN without samples
  double ratio_to_run;         ///< `ratio` divided by the factor of the run
  double new_is_slower; ///< share of the pairs of samples, with those of new divided by the factor;
                        ///< NaN
  double p;             ///< corrected; NaN without samples
  ts_time_verdict verdict;
} ts_time_change;

typedef struct ts_time_difference {
  size_t count;
  ts_time_change *changes; ///< [count]: slower ones first, then faster ones, the largest first;
                           ///< then the others in the order of the pairs
  size_t slower_count, faster_count, tested_count;
  size_t old_lacking_count, new_lacking_count; ///< rows of which samples.csv lacks repeats
  bool has_samples;                            ///< both sides have a samples.csv
  double factor; ///< of the run as a whole: median of the cells' ratios; 1 if there are few cells
  double factor_least; ///< the same of the fastest repeats
  double spread;       ///< of the logarithms of the cells' ratios: about 68 % of them are within it
} ts_time_difference;

/// Minimum number of cells for which a factor and a spread of the run are computed.
#define TS_TIME_CELLS_MIN 8

/// The samples of one side.
typedef struct ts_samples_of {
  const char *path; ///< of samples.csv; NULL: there is none
  /// Where rows have other cells there than they are compared under: the rows of the side, and
  /// the cell of each there. NULL: they are the same.
  const ts_record *records;
  const char *const *cells;
} ts_samples_of;

/// Compares the rows that are ok on both sides, unless neither has a time. If a side has no
/// samples, the medians of the rows are compared and nothing is tested.
ts_status ts_time_difference_make(ts_time_difference *out, ts_arena *arena,
                                  const ts_difference *difference, const ts_samples_of *old,
                                  const ts_samples_of *new, const ts_time_limits *limits);

#endif
