// SPDX-License-Identifier: MIT
#include "reports/study/study_material.h"

#include "base/status.h"
#include "reports/tables/counted.h"
#include "reports/tables/draws.h"

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

/// Numbers in a text are compared as such, so that the tenth draw comes after the second.
static int compare_texts(const char *a, const char *b) {
  return a == b ? 0 : strverscmp(a, b);
}

/// A row as built, to be sorted.
typedef struct built_row {
  const ts_record *record;
  size_t index;
} built_row;

/// By scene, then by method, then as they are: an order that is that of the rows' contents.
static int compare_built(const void *a, const void *b) {
  const built_row *x = a, *y = b;
  const ts_record *r = x->record, *s = y->record;
  const char *const pairs[][2] = {{r->case_name, s->case_name},
                                  {r->case_parameters, s->case_parameters},
                                  {r->simulation_parameters, s->simulation_parameters},
                                  {r->method, s->method},
                                  {r->method_parameters, s->method_parameters},
                                  {r->scoring_parameters, s->scoring_parameters}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    int order = compare_texts(pairs[i][0], pairs[i][1]);
    if (order != 0)
      return order;
  }
  return (x->index > y->index) - (x->index < y->index);
}

/// Copies the rows as built in their canonical order: random signs and resamples are given to the
/// first one, the second one and so on, and must not depend on the order of the file.
static ts_status sort_built(ts_record **out, ts_study_material *m, const ts_record *records,
                            size_t count) {
  built_row *rows = ts_arena_array(m->arena, count, sizeof *rows);
  if (!rows)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++)
    if (records[i].step == 0)
      rows[m->built_count++] = (built_row){&records[i], i};
  if (m->built_count > 1)
    qsort(rows, m->built_count, sizeof *rows, compare_built);
  ts_record *built = ts_arena_array(m->arena, m->built_count, sizeof *built);
  m->built_from = ts_arena_array(m->arena, m->built_count, sizeof *m->built_from);
  if (!built || !m->built_from)
    return TS_E_MEMORY;
  for (size_t i = 0; i < m->built_count; i++) {
    built[i] = *rows[i].record;
    m->built_from[i] = rows[i].index;
  }
  *out = built;
  return TS_OK;
}

/// What remains of a scene when what was drawn with its seeds is taken off.
typedef struct stratum_key {
  const char *name, *parameters, *simulation;
  size_t scene;
} stratum_key;

static int compare_strata(const stratum_key *x, const stratum_key *y) {
  int order = compare_texts(x->name, y->name);
  order = order ? order : compare_texts(x->parameters, y->parameters);
  return order ? order : compare_texts(x->simulation, y->simulation);
}

static int compare_keys(const void *a, const void *b) {
  return compare_strata(a, b);
}

/// Finds the key of each scene.
static ts_status make_keys(stratum_key *out, const ts_study_material *m, const ts_record *built) {
  ts_record *stripped = ts_arena_array(m->arena, m->built_count, sizeof *stripped);
  if (!stripped)
    return TS_E_MEMORY;
  for (size_t i = 0; i < m->built_count; i++)
    stripped[i] = built[i];
  TS_TRY(ts_take_draws_off(m->arena, stripped, m->built_count));
  for (size_t i = 0; i < m->built_count; i++) {
    size_t scene = m->scenes.entry_of[i];
    out[scene] = (stratum_key){stripped[i].case_name, stripped[i].case_parameters,
                               stripped[i].simulation_parameters, scene};
  }
  return TS_OK;
}

/// Numbers the strata: scenes of one stratum differ in nothing but their seeds and what was drawn
/// with them.
static ts_status find_strata(ts_study_material *m, const ts_record *built) {
  size_t count = m->scenes.count;
  stratum_key *keys = ts_arena_array(m->arena, count, sizeof *keys);
  m->strata = ts_arena_array(m->arena, count, sizeof *m->strata);
  if (!keys || !m->strata)
    return TS_E_MEMORY;
  TS_TRY(make_keys(keys, m, built));
  if (count > 1)
    qsort(keys, count, sizeof *keys, compare_keys);
  for (size_t i = 0; i < count; i++) {
    m->case_count += i == 0 || strcmp(keys[i - 1].name, keys[i].name) != 0;
    m->stratum_count += i == 0 || compare_strata(&keys[i - 1], &keys[i]) != 0;
    m->strata[keys[i].scene] = m->stratum_count - 1;
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
  ts_record *built;
  TS_TRY(sort_built(&built, out, records, count));
  size_t built_count = out->built_count;
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
  return find_strata(out, built);
}

const ts_record *ts_study_cell(const ts_study_material *material, size_t method, size_t scene) {
  return material->cells[method * material->scenes.count + scene];
}

double ts_study_cell_value(const ts_study_material *material, size_t method, size_t scene,
                           ts_study_measure measure) {
  return material->values[measure][method * material->scenes.count + scene];
}
