// SPDX-License-Identifier: MIT
#include "reports/compare/time_difference.h"

#include "base/array.h"
#include "base/clock.h"
#include "base/status.h"
#include "reports/compare/rank_test.h"
#include "reports/rows/outcome.h"
#include "reports/rows/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const ts_time_limits ts_time_limits_default = {
    .alpha = 0.01, .effect = 0.9, .ratio = 1.5, .spread = 5, .is_absolute = false};

typedef struct samples {
  double *times; ///< [count], malloc'd
  size_t count, capacity;
  size_t seen; ///< including crowded ones
} samples;

/// A row of one side, and its samples.
typedef struct slot {
  const char *cell;
  double step;
  samples *samples;
} slot;

typedef struct reading {
  slot *slots; ///< [count], sorted
  size_t count;
  const slot *last; ///< samples of a row are consecutive
} reading;

/// Samples of both sides of one pair.
typedef struct timed_pair {
  samples old, new;
} timed_pair;

static int compare_slots(const void *a, const void *b) {
  const slot *x = a, *y = b;
  int order = strcmp(x->cell, y->cell);
  return order != 0 ? order : (x->step > y->step) - (x->step < y->step);
}

static int compare_doubles(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static ts_status add_sample(samples *s, double time_ns) {
  TS_TRY(TS_HEAP_GROW(s->times, s->capacity, s->count, 1));
  s->times[s->count++] = time_ns;
  return TS_OK;
}

static ts_status take_sample(void *context, const void *row) {
  reading *r = context;
  const ts_sample_row *sample = row;
  if (strcmp(sample->phase, "generate") != 0 || !isfinite(sample->time_ns))
    return TS_OK;
  slot wanted = {sample->cell, sample->step, NULL};
  if (!r->last || compare_slots(r->last, &wanted) != 0)
    r->last = bsearch(&wanted, r->slots, r->count, sizeof wanted, compare_slots);
  if (!r->last)
    return TS_OK;
  r->last->samples->seen++;
  return ts_clock_was_crowded(sample->time_ns, sample->waited_ns)
             ? TS_OK
             : add_sample(r->last->samples, sample->time_ns);
}

static double middle(const double *sorted, size_t count) {
  return count % 2 ? sorted[count / 2] : (sorted[count / 2 - 1] + sorted[count / 2]) / 2;
}

static ts_status read_side(timed_pair *pairs, ts_arena *arena, const ts_difference *d,
                           const ts_time_difference *t, const ts_samples_of *of, bool is_new) {
  slot *slots = ts_arena_array(arena, t->count, sizeof *slots);
  if (!slots)
    return TS_E_MEMORY;
  for (size_t i = 0; i < t->count; i++) {
    const ts_row_pair *rows = &d->pairs[t->changes[i].pair];
    const ts_record *record = is_new ? rows->new : rows->old;
    slots[i] = (slot){of->cells ? of->cells[record - of->records] : record->cell, record->step,
                      is_new ? &pairs[i].new : &pairs[i].old};
  }
  qsort(slots, t->count, sizeof *slots, compare_slots);
  reading r = {slots, t->count, NULL};
  TS_TRY(ts_rows_visit(&ts_sample_rows, of->path, take_sample, &r));
  for (size_t i = 0; i < t->count; i++) {
    samples *s = slots[i].samples;
    if (s->count > 0)
      qsort(s->times, s->count, sizeof *s->times, compare_doubles);
  }
  return TS_OK;
}

/// Whether a row has a time at all: steps of a simulation have none.
static bool is_timed(const ts_record *record) {
  return record->repeats > 0 || record->generate_ns_median > 0;
}

/// Median of the ratios and, if `out_spread` is given, their spread; 1 and 0 if there are too few.
static ts_status find_factor(double *out, double *out_spread, ts_arena *arena,
                             const ts_time_difference *t, size_t offset) {
  double *logs = ts_arena_array(arena, t->count, sizeof *logs);
  size_t count = 0;
  *out = 1;
  if (out_spread)
    *out_spread = 0;
  if (!logs)
    return TS_E_MEMORY;
  for (size_t i = 0; i < t->count; i++) {
    double ratio;
    memcpy(&ratio, (const char *)&t->changes[i] + offset, sizeof ratio);
    if (ratio > 0 && isfinite(ratio))
      logs[count++] = log(ratio);
  }
  if (count < TS_TIME_CELLS_MIN)
    return TS_OK;
  qsort(logs, count, sizeof *logs, compare_doubles);
  double centre = middle(logs, count);
  *out = exp(centre);
  if (!out_spread)
    return TS_OK;
  for (size_t i = 0; i < count; i++)
    logs[i] = fabs(logs[i] - centre);
  qsort(logs, count, sizeof *logs, compare_doubles);
  *out_spread =
      1.4826 * middle(logs, count); // the standard deviation if they were normally distributed
  return TS_OK;
}

/// The rank test of one cell, with the factor of the run divided out of the samples of new.
static ts_status test_pair(ts_time_change *c, ts_arena *arena, const timed_pair *pair,
                           double factor) {
  ts_arena_mark start = ts_arena_get_mark(arena);
  double *scaled = ts_arena_array(arena, pair->new.count, sizeof *scaled);
  if (!scaled)
    return TS_E_MEMORY;
  for (size_t i = 0; i < pair->new.count; i++)
    scaled[i] = pair->new.times[i] / factor;
  ts_rank_test test;
  ts_status status =
      ts_rank_test_run(&test, arena, pair->old.times, pair->old.count, scaled, pair->new.count);
  c->new_is_slower = test.new_is_larger;
  c->p = test.p;
  ts_arena_rewind(arena, start);
  return status;
}

static ts_status test_pairs(ts_time_difference *t, ts_arena *arena, const timed_pair *pairs) {
  double *p = ts_arena_array(arena, t->count, sizeof *p);
  if (!p)
    return TS_E_MEMORY;
  for (size_t i = 0; i < t->count; i++) {
    TS_TRY(test_pair(&t->changes[i], arena, &pairs[i], t->factor));
    p[i] = t->changes[i].p;
  }
  TS_TRY(ts_rank_adjust(p, arena, t->count));
  for (size_t i = 0; i < t->count; i++)
    t->changes[i].p = p[i];
  return TS_OK;
}

/// The smaller of the changes of median and fastest repeat; 0 if they have opposite signs.
static double least_change(const ts_time_change *c, const ts_time_difference *t) {
  double of_median = log(c->ratio_to_run), of_least = log(c->ratio_least / t->factor_least);
  if (!(of_median * of_least > 0))
    return 0;
  return fabs(of_median) < fabs(of_least) ? of_median : of_least;
}

static ts_time_verdict judge(const ts_time_change *c, const ts_time_difference *t,
                             const ts_time_limits *limits) {
  if (isnan(c->p))
    return TS_TIME_UNTESTED;
  double change = least_change(c, t);
  double least = fmax(log(limits->ratio), limits->spread * t->spread);
  double effect = change > 0 ? c->new_is_slower : 1 - c->new_is_slower;
  if (!(c->p <= limits->alpha) || !(effect >= limits->effect) || !(fabs(change) >= least) ||
      change == 0)
    return TS_TIME_SAME;
  return change > 0 ? TS_TIME_SLOWER : TS_TIME_FASTER;
}

static void measure(ts_time_difference *t, const ts_difference *d, const timed_pair *pairs) {
  for (size_t i = 0; i < t->count; i++) {
    ts_time_change *c = &t->changes[i];
    const samples *old = &pairs[i].old, *new = &pairs[i].new;
    const ts_row_pair *rows = &d->pairs[c->pair];
    bool has_both = old->count > 0 && new->count > 0;
    c->old_count = old->count;
    c->new_count = new->count;
    c->old_ns = has_both ? middle(old->times, old->count) : rows->old->generate_ns_median;
    c->new_ns = has_both ? middle(new->times, new->count) : rows->new->generate_ns_median;
    c->ratio = c->new_ns / c->old_ns;
    c->ratio_least = has_both ? new->times[0] / old->times[0] : (double)NAN;
    c->new_is_slower = c->p = (double)NAN;
  }
}

/// Sort order: slower, faster, the others.
static int place_of(ts_time_verdict verdict) {
  return verdict == TS_TIME_SLOWER ? 0 : verdict == TS_TIME_FASTER ? 1 : 2;
}

static int compare_changes(const void *a, const void *b) {
  const ts_time_change *x = a, *y = b;
  int order = place_of(x->verdict) - place_of(y->verdict);
  if (order != 0)
    return order;
  double by = fabs(log(y->ratio_to_run)) - fabs(log(x->ratio_to_run));
  if (place_of(x->verdict) < 2 && by != 0)
    return by > 0 ? 1 : -1;
  return (x->pair > y->pair) - (x->pair < y->pair);
}

/// Whether samples.csv lacks repeats that the row counts, or all of them.
static bool lacks_samples(const samples *s, const ts_record *record) {
  return (s->seen == 0 && is_timed(record)) ||
         (record->repeats > 0 && (double)s->seen < record->repeats);
}

static ts_status judge_all(ts_time_difference *t, ts_arena *arena, const ts_difference *d,
                           const timed_pair *pairs, const ts_time_limits *limits) {
  measure(t, d, pairs);
  TS_TRY(find_factor(&t->factor, &t->spread, arena, t, offsetof(ts_time_change, ratio)));
  TS_TRY(find_factor(&t->factor_least, NULL, arena, t, offsetof(ts_time_change, ratio_least)));
  if (limits->is_absolute)
    t->factor = t->factor_least = 1;
  for (size_t i = 0; i < t->count; i++)
    t->changes[i].ratio_to_run = t->changes[i].ratio / t->factor;
  TS_TRY(test_pairs(t, arena, pairs));
  for (size_t i = 0; i < t->count; i++) {
    ts_time_change *c = &t->changes[i];
    c->verdict = judge(c, t, limits);
    t->slower_count += c->verdict == TS_TIME_SLOWER;
    t->faster_count += c->verdict == TS_TIME_FASTER;
    t->tested_count += c->verdict != TS_TIME_UNTESTED;
    t->old_lacking_count += lacks_samples(&pairs[i].old, d->pairs[c->pair].old);
    t->new_lacking_count += lacks_samples(&pairs[i].new, d->pairs[c->pair].new);
  }
  qsort(t->changes, t->count, sizeof *t->changes, compare_changes);
  return TS_OK;
}

static ts_status choose_pairs(ts_time_difference *out, ts_arena *arena, const ts_difference *d) {
  out->changes = ts_arena_array(arena, d->matched_count, sizeof *out->changes);
  if (!out->changes)
    return TS_E_MEMORY;
  for (size_t i = 0; i < d->pair_count; i++) {
    const ts_row_pair *pair = &d->pairs[i];
    bool are_ok = pair->old && pair->new &&ts_record_is_ok(pair->old) && ts_record_is_ok(pair->new);
    if (are_ok && (is_timed(pair->old) || is_timed(pair->new)))
      out->changes[out->count++].pair = i;
  }
  return TS_OK;
}

ts_status ts_time_difference_make(ts_time_difference *out, ts_arena *arena,
                                  const ts_difference *difference, const ts_samples_of *old,
                                  const ts_samples_of *new, const ts_time_limits *limits) {
  *out =
      (ts_time_difference){.has_samples = old->path && new->path, .factor = 1, .factor_least = 1};
  TS_TRY(choose_pairs(out, arena, difference));
  timed_pair *pairs = ts_arena_array(arena, out->count, sizeof *pairs);
  if (!pairs)
    return TS_E_MEMORY;
  ts_status status = TS_OK;
  if (out->has_samples) {
    status = read_side(pairs, arena, difference, out, old, false);
    if (status == TS_OK)
      status = read_side(pairs, arena, difference, out, new, true);
  }
  if (status == TS_OK)
    status = judge_all(out, arena, difference, pairs, limits);
  for (size_t i = 0; i < out->count; i++) {
    free(pairs[i].old.times);
    free(pairs[i].new.times);
  }
  return status;
}
