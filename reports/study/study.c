// SPDX-License-Identifier: MIT
#include "reports/study/study.h"

#include "base/status.h"
#include "reports/compare/rank_test.h"
#include "reports/rows/outcome.h"
#include "reports/study/sign_test.h"
#include "reports/tables/field_text.h"
#include "reports/tables/table_axis.h"
#include "reports/tables/table_flags.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// What a study is made of.
typedef struct material {
  ts_arena *arena;
  const ts_record *built; ///< [count], the rows as built
  size_t count;
  ts_axis scenes, methods;  ///< of them
  size_t *strata;           ///< [scenes.count]: the rank of the name of the case
  const ts_record **cells;  ///< [methods.count][scenes.count]; NULL: no row
  double *scratch;          ///< [scenes.count]
  size_t *scratch_strata;   ///< [scenes.count]
  ts_study_method *results; ///< [methods.count]
} material;

const ts_field *ts_study_field(ts_study_measure measure) {
  static const char *const columns[TS_STUDY_MEASURE_COUNT] = {
      [TS_STUDY_QUALITY] = "quality_percent",
      [TS_STUDY_COVERAGE] = "coverage_percent",
      [TS_STUDY_EXCESS] = "excess_factor",
      [TS_STUDY_TIME] = "generate_ns_median"};
  return ts_row_find(&ts_summary_rows, columns[measure]);
}

/// Whether no contact was found although bodies touch: there is nothing to take the quality of.
static bool has_found_nothing(const ts_record *record) {
  return ts_record_is_ok(record) && isnan(record->quality_percent) &&
         !isnan(record->coverage_percent);
}

double ts_study_value_of(const ts_field *field, const ts_record *record) {
  bool is_share = ts_field_is_percent(field) && field->sense == TS_SENSE_HIGHER &&
                  field->shown & TS_SHOWN_TABLE;
  if (!ts_record_is_ok(record))
    return is_share && ts_record_has_failed(record) ? 0 : (double)NAN;
  double value = ts_row_number(field, record);
  // A method must not be ahead by finding nothing.
  return is_share && isnan(value) && has_found_nothing(record) ? 0 : value;
}

/// The value with which a cell, or NULL for none, counts; NaN: it does not.
static double value_of(const ts_record *record, ts_study_measure measure) {
  return record ? ts_study_value_of(ts_study_field(measure), record) : (double)NAN;
}

static bool is_perfect(const ts_record *record) {
  return ts_record_is_ok(record) && record->quality_percent == 100 &&
         record->coverage_percent == 100 && record->excess_factor == 1 && ts_flags_of(record) == 0;
}

static int compare_texts(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/// Numbers the cases by name, so that the order of the rows does not matter.
static ts_status find_strata(ts_study *out, material *m) {
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
  out->case_count = different;
  out->scene_count = count;
  out->has_draws = different < count;
  return TS_OK;
}

static ts_status gather(material *m, const ts_record *records, size_t count) {
  ts_record *built = ts_arena_array(m->arena, count, sizeof *built);
  if (!built)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++)
    if (records[i].step == 0)
      built[m->count++] = records[i];
  m->built = built;
  TS_TRY(ts_axis_of_cases(&m->scenes, m->arena, built, m->count));
  TS_TRY(ts_axis_of_methods(&m->methods, m->arena, built, m->count));
  size_t scene_count = m->scenes.count;
  m->cells = ts_arena_array(m->arena, m->methods.count * scene_count, sizeof *m->cells);
  m->scratch = ts_arena_array(m->arena, scene_count, sizeof *m->scratch);
  m->scratch_strata = ts_arena_array(m->arena, scene_count, sizeof *m->scratch_strata);
  m->results = ts_arena_array(m->arena, m->methods.count, sizeof *m->results);
  if (!m->cells || !m->scratch || !m->scratch_strata || !m->results)
    return TS_E_MEMORY;
  for (size_t i = 0; i < m->count; i++)
    m->cells[m->methods.entry_of[i] * scene_count + m->scenes.entry_of[i]] = &built[i];
  return TS_OK;
}

/// Times differ by orders of magnitude between cases: their geometric mean is moved alike by a
/// method that is twice as fast on a fast case and on a slow one.
ts_status ts_study_mean(ts_interval *out, ts_arena *arena, const ts_field *field, double *values,
                        const size_t *strata, size_t count) {
  bool is_geometric = field->role == TS_ROLE_TIME;
  double least = INFINITY;
  for (size_t i = 0; i < count; i++) {
    least = fmin(least, values[i]);
    values[i] = is_geometric ? log(values[i]) : values[i];
  }
  TS_TRY(ts_bootstrap_mean(out, arena, values, strata, count));
  if (is_geometric)
    *out =
        (ts_interval){exp(out->mean), exp(out->low), exp(out->high), out->count, out->exceptions};
  if (out->count > 1 && least >= 0)
    out->low = fmax(out->low, 0);
  if (out->count > 1 && ts_field_is_percent(field))
    out->high = fmin(out->high, 100);
  return TS_OK;
}

/// More words than this, as drawn cases have, hide what they should tell.
#define LABEL_WORDS_MAX 2

static ts_status label_worst(ts_study_value *out, const material *m, size_t scene) {
  const ts_axis_entry *entry = &m->scenes.entries[scene];
  out->worst_label =
      entry->word_count <= LABEL_WORDS_MAX
          ? ts_axis_label(m->arena, entry)
          : ts_arena_format(m->arena, "%s (cell %s)", entry->name, out->worst_cell->cell);
  return out->worst_label ? TS_OK : TS_E_MEMORY;
}

static ts_status sum_up_measure(ts_study_value *out, const material *m, size_t method,
                                ts_study_measure measure) {
  const ts_field *field = ts_study_field(measure);
  size_t count = 0, worst_scene = 0;
  out->worst = (double)NAN;
  out->worst_label = "";
  for (size_t s = 0; s < m->scenes.count; s++) {
    const ts_record *record = m->cells[method * m->scenes.count + s];
    double value = value_of(record, measure);
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

static ts_status sum_up_method(const material *m, size_t method) {
  ts_study_method *out = &m->results[method];
  out->name = m->methods.entries[method].name;
  out->label = ts_axis_label(m->arena, &m->methods.entries[method]);
  if (!out->label)
    return TS_E_MEMORY;
  for (size_t s = 0; s < m->scenes.count; s++) {
    const ts_record *record = m->cells[method * m->scenes.count + s];
    if (!record)
      continue;
    bool has_failed = ts_record_has_failed(record), is_ok = ts_record_is_ok(record);
    out->cells += has_failed || is_ok;
    out->failed += has_failed;
    out->skipped += !has_failed && !is_ok;
    out->found_nothing += has_found_nothing(record);
    out->judged += isnan(value_of(record, TS_STUDY_QUALITY)) ? 0 : 1;
    out->perfect += is_perfect(record);
  }
  for (int i = 0; i < TS_STUDY_MEASURE_COUNT; i++)
    TS_TRY(sum_up_measure(&out->values[i], m, method, (ts_study_measure)i));
  return TS_OK;
}

/// Counts failures in motion. Methods that have no row as built have no place in a study.
static ts_status count_later(const material *m, const ts_record *records, size_t count) {
  ts_axis all;
  TS_TRY(ts_axis_of_methods(&all, m->arena, records, count));
  size_t *method_of = ts_arena_array(m->arena, all.count, sizeof *method_of);
  if (!method_of)
    return TS_E_MEMORY;
  memset(method_of, 0xff, all.count * sizeof *method_of);
  for (size_t i = 0, b = 0; i < count; i++)
    if (records[i].step == 0)
      method_of[all.entry_of[i]] = m->methods.entry_of[b++];
  for (size_t i = 0; i < count; i++) {
    size_t method = method_of[all.entry_of[i]];
    if (method != SIZE_MAX && records[i].step != 0)
      m->results[method].failed_later += ts_record_has_failed(&records[i]);
  }
  return TS_OK;
}

static ts_status compare_methods(ts_study_comparison *out, const material *m, size_t first,
                                 size_t second, ts_study_measure measure) {
  const ts_field *field = ts_study_field(measure);
  size_t count = 0;
  for (size_t s = 0; s < m->scenes.count; s++) {
    double a = value_of(m->cells[first * m->scenes.count + s], measure);
    double b = value_of(m->cells[second * m->scenes.count + s], measure);
    if (isnan(a) || isnan(b))
      continue;
    double more = ts_field_badness(field, b) - ts_field_badness(field, a);
    out->better += more > 0;
    out->worse += more < 0;
    out->equal += more == 0;
    m->scratch[count] = a - b;
    m->scratch_strata[count++] = m->strata[s];
  }
  TS_TRY(ts_sign_test(&out->p, m->arena, m->scratch, m->scratch_strata, count));
  return ts_bootstrap_mean(&out->difference, m->arena, m->scratch, m->scratch_strata, count);
}

/// Adjusts p for all comparisons together.
static ts_status adjust(ts_arena *arena, ts_study_pair *pairs, size_t count) {
  size_t total = count * TS_STUDY_COMPARED_COUNT;
  double *p = ts_arena_array(arena, total, sizeof *p);
  if (!p)
    return TS_E_MEMORY;
  for (size_t i = 0; i < total; i++)
    p[i] = pairs[i / TS_STUDY_COMPARED_COUNT].compared[i % TS_STUDY_COMPARED_COUNT].p;
  TS_TRY(ts_rank_adjust(p, arena, total));
  for (size_t i = 0; i < total; i++)
    pairs[i / TS_STUDY_COMPARED_COUNT].compared[i % TS_STUDY_COMPARED_COUNT].p_adjusted = p[i];
  return TS_OK;
}

/// Narrows the possible places of two methods that are told apart.
static void tell_apart(ts_study_method *methods, ts_study_pair *pair) {
  int told = 0;
  while (told < TS_STUDY_COMPARED_COUNT && !(pair->compared[told].p_adjusted <= TS_STUDY_ALPHA))
    told++;
  pair->told_by = (ts_study_measure)told;
  if (told == TS_STUDY_COMPARED_COUNT)
    return;
  // Compared measures are shares of which more is better.
  bool is_first = pair->compared[told].difference.mean > 0;
  methods[is_first ? pair->first : pair->second].rank_last--;
  methods[is_first ? pair->second : pair->first].rank_first++;
}

static ts_status compare_all(ts_study_pair **out_pairs, ts_study *out, const material *m) {
  size_t count = m->methods.count;
  for (size_t i = 0; i < count; i++) {
    m->results[i].rank_first = 1;
    m->results[i].rank_last = count;
  }
  out->pair_count = count > TS_STUDY_PAIRED_MAX || count < 2 ? 0 : count * (count - 1) / 2;
  ts_study_pair *pairs = ts_arena_array(m->arena, out->pair_count, sizeof *pairs);
  if (!pairs)
    return TS_E_MEMORY;
  out->pairs = *out_pairs = pairs;
  for (size_t i = 0, n = 0; n < out->pair_count; i++)
    for (size_t k = i + 1; k < count; k++, n++) {
      pairs[n] = (ts_study_pair){.first = i, .second = k};
      for (int c = 0; c < TS_STUDY_COMPARED_COUNT; c++)
        TS_TRY(compare_methods(&pairs[n].compared[c], m, i, k, (ts_study_measure)c));
    }
  TS_TRY(adjust(m->arena, pairs, out->pair_count));
  for (size_t n = 0; n < out->pair_count; n++)
    tell_apart(m->results, &pairs[n]);
  return TS_OK;
}

/// A method, and where it was before it was moved to its place.
typedef struct placed {
  ts_study_method method;
  size_t place;
} placed;

/// Descending, NaN last.
static int compare_means(double a, double b) {
  if (isnan(a) || isnan(b))
    return isnan(a) - isnan(b);
  return (b > a) - (b < a);
}

static int compare_placed(const void *a, const void *b) {
  const placed *x = a, *y = b;
  size_t x_middle = x->method.rank_first + x->method.rank_last;
  size_t y_middle = y->method.rank_first + y->method.rank_last;
  if (x_middle != y_middle)
    return x_middle < y_middle ? -1 : 1;
  for (int i = 0; i < TS_STUDY_COMPARED_COUNT; i++) {
    int order = compare_means(x->method.values[i].mean.mean, y->method.values[i].mean.mean);
    if (order != 0)
      return order;
  }
  return (x->place > y->place) - (x->place < y->place);
}

static int compare_pairs(const void *a, const void *b) {
  const ts_study_pair *x = a, *y = b;
  if (x->first != y->first)
    return x->first < y->first ? -1 : 1;
  return (x->second > y->second) - (x->second < y->second);
}

/// Makes the pair that of the second method and the first.
static void turn_pair(ts_study_pair *pair) {
  size_t first = pair->first;
  pair->first = pair->second;
  pair->second = first;
  for (int i = 0; i < TS_STUDY_COMPARED_COUNT; i++) {
    ts_study_comparison *c = &pair->compared[i];
    size_t better = c->better;
    ts_interval d = c->difference;
    c->difference = (ts_interval){-d.mean, -d.high, -d.low, d.count, d.exceptions};
    c->better = c->worse;
    c->worse = better;
  }
}

/// Brings methods and pairs into the order of the places.
static ts_status put_in_order(ts_study *out, const material *m, ts_study_pair *pairs) {
  size_t count = m->methods.count;
  placed *order = ts_arena_array(m->arena, count, sizeof *order);
  size_t *place_of = ts_arena_array(m->arena, count, sizeof *place_of);
  if (!order || !place_of)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++)
    order[i] = (placed){m->results[i], i};
  if (count > 1)
    qsort(order, count, sizeof *order, compare_placed);
  for (size_t i = 0; i < count; i++) {
    m->results[i] = order[i].method;
    place_of[order[i].place] = i;
  }
  for (size_t n = 0; n < out->pair_count; n++) {
    pairs[n].first = place_of[pairs[n].first];
    pairs[n].second = place_of[pairs[n].second];
    if (pairs[n].first > pairs[n].second)
      turn_pair(&pairs[n]);
  }
  if (out->pair_count > 1)
    qsort(pairs, out->pair_count, sizeof *pairs, compare_pairs);
  out->method_count = count;
  out->methods = m->results;
  return TS_OK;
}

ts_status ts_study_make(ts_study *out, ts_arena *arena, const ts_record *records, size_t count) {
  *out = (ts_study){0};
  material m = {.arena = arena};
  TS_TRY(gather(&m, records, count));
  TS_TRY(find_strata(out, &m));
  for (size_t i = 0; i < m.methods.count; i++)
    TS_TRY(sum_up_method(&m, i));
  TS_TRY(count_later(&m, records, count));
  ts_study_pair *pairs;
  TS_TRY(compare_all(&pairs, out, &m));
  return put_in_order(out, &m, pairs);
}

const ts_study_pair *ts_study_find_pair(const ts_study *study, size_t a, size_t b) {
  size_t first = a < b ? a : b, second = a < b ? b : a;
  if (first == second || study->pair_count == 0)
    return NULL;
  // Before those of `first` are those of each method i before it: method_count - 1 - i each.
  size_t before = first * (2 * study->method_count - first - 1) / 2;
  return &study->pairs[before + second - first - 1];
}

double ts_study_perfect_percent(const ts_study_method *method) {
  return method->judged > 0 ? 100 * (double)method->perfect / (double)method->judged : (double)NAN;
}
