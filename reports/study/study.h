// SPDX-License-Identifier: MIT
/// A study: what methods come to over many cases and seeds, with intervals, compared with each
/// other on the same cells. The unit is the cell as built (step 0), in which all methods see the
/// same bodies; the steps of a cell in motion depend on each other and are left out.
#ifndef TS_REPORTS_STUDY_H
#define TS_REPORTS_STUDY_H

#include "base/arena.h"
#include "reports/rows/record.h"
#include "reports/study/bootstrap.h"

#include <stdbool.h>

/// The columns that are summed up.
typedef enum ts_study_measure {
  TS_STUDY_QUALITY,  ///< quality_percent
  TS_STUDY_COVERAGE, ///< coverage_percent
  TS_STUDY_EXCESS,   ///< excess_factor
  TS_STUDY_TIME,     ///< generate_ns_median, whose mean is the geometric one
  TS_STUDY_MEASURE_COUNT
} ts_study_measure;

/// Methods are compared by the measures before this one, in their order.
#define TS_STUDY_COMPARED_COUNT TS_STUDY_EXCESS

/// Two methods are told apart when the p of their difference, adjusted for all comparisons, is at
/// most this.
#define TS_STUDY_ALPHA 0.05

/// With more methods there are no pairs, and any place is possible for each method: the work grows
/// with the square of their number.
#define TS_STUDY_PAIRED_MAX 100

/// The first column of summary.csv that a study is made of and that a file lacks; NULL: it has them
/// all. `has_column` [ts_summary_rows.field_count]. Without one, every cell would look as if it had
/// failed, or not been measured.
const char *ts_study_missing_column(const bool *has_column);

/// The column of a measure.
const ts_field *ts_study_field(ts_study_measure measure);

/// One measure of one method over its cells. In a failed cell, and where a method found no contact
/// although bodies touch, a share of which more is better counts as 0; other measures count where
/// they were measured.
typedef struct ts_study_value {
  ts_interval mean; ///< resampled within each case and its chosen parameters
  double worst;     ///< by the sense of the column; NaN without values
  /// The first one that has it, in the order of cases and parameters; NULL without values.
  const ts_record *worst_cell;
  /// Its case with the parameters that differ between scenes, or if they are many with its cell;
  /// "" without values.
  const char *worst_label;
} ts_study_value;

typedef struct ts_study_method {
  const char *name;
  const char *label; ///< the name, and the parameters that differ between rows of that name
  ts_study_value values[TS_STUDY_MEASURE_COUNT];
  size_t cells;         ///< ok or failed
  size_t failed;        ///< of them
  size_t found_nothing; ///< of them: no contact, although bodies touch
  size_t judged;        ///< of them: failed, or with a known truth
  size_t perfect;       ///< of those: quality and coverage 100, excess 1, and no fault
  size_t skipped;       ///< in addition to `cells`
  size_t failed_later;  ///< rows in motion that failed; they count for nothing else
  /// The first and the last place that it may have: methods that are told apart from it, to its
  /// disadvantage, come before it, and those it is ahead of come after it. 0: nothing was judged,
  /// so that it has no place; such methods come last.
  size_t rank_first, rank_last;
} ts_study_method;

/// One measure of two methods, over the cells that were measured for both: the first minus the
/// second.
typedef struct ts_study_comparison {
  ts_interval difference; ///< by Student's t within each stratum
  double p;               ///< two-sided, of ts_sign_test(); NaN without common cells
  double p_adjusted;      ///< by Holm, for all pairs and compared measures of the study
  /// Cells in which the first method is better, as good, or worse by the sense of the column.
  size_t better, equal, worse;
} ts_study_comparison;

typedef struct ts_study_pair {
  size_t first, second; ///< indices of methods, first < second
  ts_study_comparison compared[TS_STUDY_COMPARED_COUNT];
  /// The first compared measure in which they are told apart, if those before it are equal in every
  /// cell; TS_STUDY_COMPARED_COUNT: none.
  ts_study_measure told_by;
} ts_study_pair;

typedef struct ts_study {
  size_t method_count;
  /// [method_count], by the middle of their possible places, then by their means.
  const ts_study_method *methods;
  size_t pair_count;
  const ts_study_pair *pairs; ///< [pair_count], each two methods, in the order of `methods`
  size_t case_count;          ///< names of cases
  size_t stratum_count;       ///< cases with the parameters that were chosen, as by a sweep
  size_t scene_count;         ///< cases with all their parameters, also those that were drawn
  /// Whether these have several draws: then intervals are about other draws of them, otherwise
  /// about other scenes like these.
  bool has_draws;
} ts_study;

/// Makes a study of records [count], which are borrowed. Rows of the same method and scene: the
/// last one counts. TS_E_MEMORY.
ts_status ts_study_make(ts_study *out, ts_arena *arena, const ts_record *records, size_t count);

/// The pair of two methods, in either order; NULL for one and the same.
const ts_study_pair *ts_study_find_pair(const ts_study *study, size_t a, size_t b);

/// Share in percent of the judged cells that are perfect; NaN without any.
double ts_study_perfect_percent(const ts_study_method *method);

#endif
