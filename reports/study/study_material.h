// SPDX-License-Identifier: MIT
/// What a study is made of: the rows as built, by method and scene.
#ifndef TS_REPORTS_STUDY_MATERIAL_H
#define TS_REPORTS_STUDY_MATERIAL_H

#include "reports/study/study.h"
#include "reports/tables/table_axis.h"

/// All of it is in the arena.
typedef struct ts_study_material {
  ts_arena *arena;
  ts_axis scenes, methods; ///< of the rows as built
  size_t built_count;      ///< rows as built, in the order of their scenes, then of their methods
  size_t *built_from;      ///< [built_count]: where each stands in the records
  size_t case_count;       ///< names of cases
  size_t stratum_count;    ///< cases with parameters that were not drawn
  size_t *strata;          ///< [scenes.count]: less than `stratum_count`
  const ts_record **cells; ///< [methods.count][scenes.count]; NULL: no row
  /// [methods.count][scenes.count], with what each cell counts; NaN: it does not.
  double *values[TS_STUDY_MEASURE_COUNT];
  double *scratch;          ///< [scenes.count]
  size_t *scratch_strata;   ///< [scenes.count]
  ts_study_method *results; ///< [methods.count], all 0
} ts_study_material;

/// Gathers the rows as built of records [count]. Axes and strata do not depend on the order of the
/// rows, nor does anything else: of two rows of one method and scene, the last one counts.
/// TS_E_MEMORY.
ts_status ts_study_gather(ts_study_material *out, ts_arena *arena, const ts_record *records,
                          size_t count);

/// The row of a method and a scene; NULL: there is none.
const ts_record *ts_study_cell(const ts_study_material *material, size_t method, size_t scene);

/// The value with which a cell counts; NaN: it does not.
double ts_study_cell_value(const ts_study_material *material, size_t method, size_t scene,
                           ts_study_measure measure);

#endif
