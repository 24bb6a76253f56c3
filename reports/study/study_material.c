// SPDX-License-Identifier: MIT
#include "reports/study/study_material.h"

#include "base/status.h"
#include "reports/tables/counted.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const ts_field *ts_study_field(ts_study_measure measure) {
  static const char *const columns[TS_STUDY_MEASURE_COUNT] = {
      [TS_STUDY_QUALITY] = "quality_percent",
      [TS_STUDY_COVERAGE] = "coverage_percent",
      [TS_STUDY_EXCESS] = "excess_factor",
      [TS_STUDY_TIME] = "generate_ns_median"};
  return ts_row_find(&ts_summary_rows, columns[measure]);
}

static int compare_texts(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/// Numbers the cases by name, so that the order of the rows does not matter.
static ts_status find_strata(ts_study_material *m) {
  size_t count = m->scenes.count, different = 0;
  const char **names = ts_arena_array(m->arena, count, sizeof *names);
  m->strata = ts_arena_array(m->arena, count, sizeof *m->strata);
  if (!names || !m->strata)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++)
    names[i] = m->scenes.entries[i].name;
  if (count > 1)
    qsort(names, count, sizeof *names, compare_texts);
  for (size_t i = 0; i < count; i++)
    if (i == 0 || strcmp(names[i], names[different - 1]) != 0)
      names[different++] = names[i];
  for (size_t i = 0; i < count; i++) {
    const char **found =
        bsearch(&m->scenes.entries[i].name, names, different, sizeof *names, compare_texts);
    m->strata[i] = (size_t)(found - names);
  }
  m->case_count = different;
  return TS_OK;
}

/// The value of a parameter in "name=value;name=value", up to the next ";"; "" without it. Scene
/// files have parameters that say then_ before the name.
static const char *find_value(const char *text, const char *name) {
  size_t length = strlen(name);
  for (const char *at = strstr(text, name); at; at = strstr(at + 1, name))
    if ((at == text || at[-1] == ';' || at[-1] == '_') && at[length] == '=')
      return at + length + 1;
  return "";
}

static bool has_same_seed(const char *a, const char *b, const char *name) {
  const char *x = find_value(a, name), *y = find_value(b, name);
  size_t length = strcspn(x, ";");
  return length == strcspn(y, ";") && strncmp(x, y, length) == 0;
}

/// Compares each scene with the first one of its case.
static ts_status find_seeds(ts_study_material *m, const ts_record *built, size_t count) {
  const char **firsts = ts_arena_array(m->arena, m->case_count, sizeof *firsts);
  if (!firsts)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count && !m->has_seeds; i++) {
    const char **first = &firsts[m->strata[m->scenes.entry_of[i]]];
    const char *here = built[i].case_parameters;
    *first = *first ? *first : here;
    m->has_seeds = *first != here && (!has_same_seed(*first, here, "motion_seed") ||
                                      !has_same_seed(*first, here, "perturb_seed"));
  }
  return TS_OK;
}

static ts_status find_values(ts_study_material *m) {
  size_t count = m->methods.count * m->scenes.count;
  for (int k = 0; k < TS_STUDY_MEASURE_COUNT; k++) {
    const ts_field *field = ts_study_field((ts_study_measure)k);
    m->values[k] = ts_arena_array(m->arena, count, sizeof *m->values[k]);
    if (!m->values[k])
      return TS_E_MEMORY;
    for (size_t i = 0; i < count; i++)
      m->values[k][i] = m->cells[i] ? ts_row_counted(field, m->cells[i]) : (double)NAN;
  }
  return TS_OK;
}

ts_status ts_study_gather(ts_study_material *out, ts_arena *arena, const ts_record *records,
                          size_t count) {
  *out = (ts_study_material){.arena = arena};
  ts_record *built = ts_arena_array(arena, count, sizeof *built);
  size_t built_count = 0;
  if (!built)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++)
    if (records[i].step == 0)
      built[built_count++] = records[i];
  TS_TRY(ts_axis_of_cases(&out->scenes, arena, built, built_count));
  TS_TRY(ts_axis_of_methods(&out->methods, arena, built, built_count));
  size_t scene_count = out->scenes.count, method_count = out->methods.count;
  out->cells = ts_arena_array(arena, method_count * scene_count, sizeof *out->cells);
  out->scratch = ts_arena_array(arena, scene_count, sizeof *out->scratch);
  out->scratch_strata = ts_arena_array(arena, scene_count, sizeof *out->scratch_strata);
  out->results = ts_arena_array(arena, method_count, sizeof *out->results);
  if (!out->cells || !out->scratch || !out->scratch_strata || !out->results)
    return TS_E_MEMORY;
  for (size_t i = 0; i < built_count; i++)
    out->cells[out->methods.entry_of[i] * scene_count + out->scenes.entry_of[i]] = &built[i];
  TS_TRY(find_values(out));
  TS_TRY(find_strata(out));
  return find_seeds(out, built, built_count);
}

const ts_record *ts_study_cell(const ts_study_material *material, size_t method, size_t scene) {
  return material->cells[method * material->scenes.count + scene];
}

double ts_study_cell_value(const ts_study_material *material, size_t method, size_t scene,
                           ts_study_measure measure) {
  return material->values[measure][method * material->scenes.count + scene];
}
