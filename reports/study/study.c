// SPDX-License-Identifier: MIT
#include "reports/study/study.h"

#include "base/status.h"
#include "reports/rows/outcome.h"
#include "reports/study/study_material.h"
#include "reports/study/study_mean.h"
#include "reports/study/study_pairs.h"
#include "reports/tables/counted.h"
#include "reports/tables/field_text.h"
#include "reports/tables/table_flags.h"

#include <math.h>
#include <string.h>

const char *ts_study_missing_column(const bool *has_column) {
  static const char *const others[] = {"outcome", "contacts"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (!has_column[ts_row_find(&ts_summary_rows, others[i]) - ts_summary_rows.fields])
      return others[i];
  for (int k = 0; k < TS_STUDY_MEASURE_COUNT; k++) {
    const ts_field *field = ts_study_field((ts_study_measure)k);
    if (!has_column[field - ts_summary_rows.fields])
      return field->column;
  }
  return NULL;
}

static bool is_perfect(const ts_record *record) {
  return ts_record_is_ok(record) && record->quality_percent == 100 &&
         record->coverage_percent == 100 && record->excess_factor == 1 && ts_flags_of(record) == 0;
}

/// More words than this, as drawn cases have, hide what they should tell.
#define LABEL_WORDS_MAX 2

static ts_status label_worst(ts_study_value *out, const ts_study_material *m, size_t scene) {
  const ts_axis_entry *entry = &m->scenes.entries[scene];
  out->worst_label =
      entry->word_count <= LABEL_WORDS_MAX
          ? ts_axis_label(m->arena, entry)
          : ts_arena_format(m->arena, "%s (cell %s)", entry->name, out->worst_cell->cell);
  return out->worst_label ? TS_OK : TS_E_MEMORY;
}

static ts_status sum_up_measure(ts_study_value *out, const ts_study_material *m, size_t method,
                                ts_study_measure measure) {
  const ts_field *field = ts_study_field(measure);
  size_t count = 0, worst_scene = 0;
  out->worst = (double)NAN;
  out->worst_label = "";
  for (size_t s = 0; s < m->scenes.count; s++) {
    const ts_record *record = ts_study_cell(m, method, s);
    double value = ts_study_cell_value(m, method, s, measure);
    if (isnan(value) || (field->role == TS_ROLE_TIME && value <= 0))
      continue;
    if (!out->worst_cell || ts_field_badness(field, value) > ts_field_badness(field, out->worst)) {
      out->worst = value;
      out->worst_cell = record;
      worst_scene = s;
    }
    m->scratch[count] = value;
    m->scratch_strata[count++] = m->strata[s];
  }
  if (out->worst_cell)
    TS_TRY(label_worst(out, m, worst_scene));
  return ts_study_mean(&out->mean, m->arena, ts_study_field(measure), m->scratch, m->scratch_strata,
                       count);
}

static ts_status sum_up_method(const ts_study_material *m, size_t method) {
  ts_study_method *out = &m->results[method];
  out->name = m->methods.entries[method].name;
  out->label = ts_axis_label(m->arena, &m->methods.entries[method]);
  if (!out->label)
    return TS_E_MEMORY;
  for (size_t s = 0; s < m->scenes.count; s++) {
    const ts_record *record = ts_study_cell(m, method, s);
    if (!record)
      continue;
    bool has_failed = ts_record_has_failed(record), is_ok = ts_record_is_ok(record);
    out->cells += has_failed || is_ok;
    out->failed += has_failed;
    out->skipped += !has_failed && !is_ok;
    out->found_nothing += ts_row_found_nothing(record);
    out->judged += isnan(ts_study_cell_value(m, method, s, TS_STUDY_QUALITY)) ? 0 : 1;
    out->perfect += is_perfect(record);
  }
  for (int i = 0; i < TS_STUDY_MEASURE_COUNT; i++)
    TS_TRY(sum_up_measure(&out->values[i], m, method, (ts_study_measure)i));
  return TS_OK;
}

/// Counts failures in motion. Methods that have no row as built have no place in a study.
static ts_status count_later(const ts_study_material *m, const ts_record *records, size_t count) {
  ts_axis all;
  TS_TRY(ts_axis_of_methods(&all, m->arena, records, count));
  size_t *method_of = ts_arena_array(m->arena, all.count, sizeof *method_of);
  if (!method_of)
    return TS_E_MEMORY;
  memset(method_of, 0xff, all.count * sizeof *method_of);
  for (size_t i = 0; i < m->built_count; i++)
    method_of[all.entry_of[m->built_from[i]]] = m->methods.entry_of[i];
  for (size_t i = 0; i < count; i++) {
    size_t method = method_of[all.entry_of[i]];
    if (method != SIZE_MAX && records[i].step != 0)
      m->results[method].failed_later += ts_record_has_failed(&records[i]);
  }
  return TS_OK;
}

ts_status ts_study_make(ts_study *out, ts_arena *arena, const ts_record *records, size_t count) {
  ts_study_material m;
  TS_TRY(ts_study_gather(&m, arena, records, count));
  *out = (ts_study){.case_count = m.case_count,
                    .stratum_count = m.stratum_count,
                    .scene_count = m.scenes.count,
                    .has_draws = m.stratum_count < m.scenes.count};
  for (size_t i = 0; i < m.methods.count; i++)
    TS_TRY(sum_up_method(&m, i));
  TS_TRY(count_later(&m, records, count));
  return ts_study_compare(out, &m);
}

double ts_study_perfect_percent(const ts_study_method *method) {
  return method->judged > 0 ? 100 * (double)method->perfect / (double)method->judged : (double)NAN;
}
