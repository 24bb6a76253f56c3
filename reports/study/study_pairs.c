// SPDX-License-Identifier: MIT
#include "reports/study/study_pairs.h"

#include "base/status.h"
#include "reports/compare/rank_test.h"
#include "reports/study/sign_test.h"
#include "reports/tables/counted.h"

#include <math.h>
#include <stdlib.h>

/// Sets interval and p from the differences [count] in the scratch memory. The interval is that of
/// Student's t: the bootstrap of all pairs would take minutes for a hundred methods.
static ts_status test_differences(ts_study_comparison *out, const ts_study_material *m,
                                  size_t count) {
  ts_strata strata;
  ts_arena_mark start = ts_arena_get_mark(m->arena);
  TS_TRY(ts_strata_make(&strata, m->arena, m->scratch, m->scratch_strata, count));
  double half = ts_strata_half_width(&strata);
  out->difference = (ts_interval){strata.mean, strata.mean - half, strata.mean + half, count,
                                  ts_strata_exceptions(&strata)};
  // Compared measures are shares: a difference is at most 100.
  if (!isnan(half)) {
    out->difference.low = fmax(out->difference.low, -100);
    out->difference.high = fmin(out->difference.high, 100);
  }
  TS_TRY(ts_sign_test(&out->p, m->arena, &strata));
  ts_arena_rewind(m->arena, start);
  return TS_OK;
}

static ts_status compare_methods(ts_study_comparison *out, const ts_study_material *m, size_t first,
                                 size_t second, ts_study_measure measure) {
  const ts_field *field = ts_study_field(measure);
  size_t count = 0;
  for (size_t s = 0; s < m->scenes.count; s++) {
    double a = ts_study_cell_value(m, first, s, measure);
    double b = ts_study_cell_value(m, second, s, measure);
    if (isnan(a) || isnan(b))
      continue;
    double more = ts_field_badness(field, b) - ts_field_badness(field, a);
    out->better += more > 0;
    out->worse += more < 0;
    out->equal += more == 0;
    m->scratch[count] = a - b;
    m->scratch_strata[count++] = m->strata[s];
  }
  return test_differences(out, m, count);
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

/// The first measure that tells the methods of a pair apart. A later one decides only where those
/// before it are equal in every cell: would it decide wherever they are not told apart, three
/// methods could be ahead of each other in a circle.
static ts_study_measure find_telling(const ts_study_pair *pair) {
  for (int i = 0; i < TS_STUDY_COMPARED_COUNT; i++) {
    const ts_study_comparison *c = &pair->compared[i];
    if (c->p_adjusted <= TS_STUDY_ALPHA)
      return (ts_study_measure)i;
    if (c->better + c->worse > 0)
      break;
  }
  return TS_STUDY_COMPARED_COUNT;
}

/// Narrows the possible places of two methods that are told apart.
static void tell_apart(ts_study_method *methods, ts_study_pair *pair) {
  ts_study_measure told = find_telling(pair);
  pair->told_by = told;
  if (told == TS_STUDY_COMPARED_COUNT)
    return;
  // Compared measures are shares of which more is better.
  bool is_first = pair->compared[told].difference.mean > 0;
  methods[is_first ? pair->first : pair->second].rank_last--;
  methods[is_first ? pair->second : pair->first].rank_first++;
}

static ts_status compare_all(ts_study_pair **out_pairs, ts_study *out, const ts_study_material *m) {
  size_t count = m->methods.count, ranked = 0;
  for (size_t i = 0; i < count; i++)
    ranked += m->results[i].judged > 0;
  for (size_t i = 0; i < count; i++)
    if (m->results[i].judged > 0) {
      m->results[i].rank_first = 1;
      m->results[i].rank_last = ranked;
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

static int compare_placed(const void *a, const void *b) {
  const placed *x = a, *y = b;
  if ((x->method.judged > 0) != (y->method.judged > 0))
    return x->method.judged > 0 ? -1 : 1;
  size_t x_middle = x->method.rank_first + x->method.rank_last;
  size_t y_middle = y->method.rank_first + y->method.rank_last;
  if (x_middle != y_middle)
    return x_middle < y_middle ? -1 : 1;
  for (int i = 0; i < TS_STUDY_COMPARED_COUNT; i++) {
    int order = ts_order_of_means(x->method.values[i].mean.mean, y->method.values[i].mean.mean);
    if (order != 0)
      return order;
  }
  return ts_order_of_labels(x->method.label, y->method.label);
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
static ts_status put_in_order(ts_study *out, const ts_study_material *m, ts_study_pair *pairs) {
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

ts_status ts_study_compare(ts_study *out, const ts_study_material *material) {
  ts_study_pair *pairs;
  TS_TRY(compare_all(&pairs, out, material));
  return put_in_order(out, material, pairs);
}

const ts_study_pair *ts_study_find_pair(const ts_study *study, size_t a, size_t b) {
  size_t first = a < b ? a : b, second = a < b ? b : a;
  if (first == second || study->pair_count == 0)
    return NULL;
  // Before those of `first` are those of each method i before it: method_count - 1 - i each.
  size_t before = first * (2 * study->method_count - first - 1) / 2;
  return &study->pairs[before + second - first - 1];
}
