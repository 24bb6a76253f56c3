// SPDX-License-Identifier: MIT
#include "tests/benchmark/bench_measure.h"

#include "base/clock.h"
#include "base/status.h"
#include "geometry/tet.h"
#include "geometry/tolerances.h"
#include "harness/run/timing.h"
#include "methods/tet/tet_bodies.h"
#include "tests/methods/prox2018/prox_run.h"
#include "tests/methods/tet/prox_reference.h"

#include <math.h>
#include <string.h>

ts_status bench_pairs_read(bench_pairs *out, ts_arena *arena, const char *folder) {
  prox_reference reference;
  TS_TRY(prox_reference_read(&reference, folder));
  out->count = reference.count;
  out->items = ts_arena_array(arena, out->count, sizeof *out->items);
  out->nodes = ts_arena_array(arena, out->count, sizeof *out->nodes);
  out->overlaps = ts_arena_array(arena, out->count, sizeof *out->overlaps);
  bool has_room = out->items && out->nodes && out->overlaps;
  for (size_t i = 0; i < out->count && has_room; i++) {
    const prox_pair *p = &reference.pairs[i];
    bench_pair *item = &out->items[i];
    *item = (bench_pair){
        .id = p->id, .pair = p->pair, .prox = prox_pair_of(&p->pair), .size_m = p->size_m};
    out->nodes[i] = (ts_tet_nodes_pair){item->pair.corners[0], item->pair.corners[1]};
  }
  prox_reference_close(&reference);
  return has_room ? TS_OK : TS_E_MEMORY;
}

ts_status bench_check_baseline(size_t *out_checked, const bench_pairs *pairs) {
  ts_tet_contacts found;
  *out_checked = 0;
  for (size_t i = 0; i < pairs->count; i++) {
    const bench_pair *p = &pairs->items[i];
    const ts_vec3 *a = p->pair.corners[0], *b = p->pair.corners[1];
    if (fabs(ts_tet_tet_least_overlap(a, b).overlap_m) <= TS_TOUCH_RELATIVE * p->size_m)
      continue;
    bench_baseline.kernels->paper(&found, &p->pair, p->size_m);
    bool overlaps = ts_tet_tet_overlap(a, b, 0) != 0;
    if (overlaps != (found.count > 0))
      return ts_fail(TS_E_INPUT,
                     "ts_tet_tet_overlap says that pair %d %s, but the baseline disagrees; one of "
                     "them is wrong",
                     p->id, overlaps ? "overlaps" : "is apart");
    ++*out_checked;
  }
  return TS_OK;
}

/// A kernel in a profile, and its measurements.
typedef struct subject {
  const bench_kernel *kernel;
  ts_profile profile;
  double contacts;     ///< over all pairs; negative before the first pass
  size_t count;        ///< timed passes
  double *time_ns;     ///< [count], of a pass over all pairs
  double *baseline_ns; ///< [count], mean of the baseline's passes before and after it
} subject;

/// Room for what a kernel finds.
typedef struct contact_room {
  ts_tet_contacts paper;
  ts_prox_contacts prox;
} contact_room;

static size_t run_all(const subject *s, const bench_pairs *pairs, contact_room *room) {
  const ts_tet_kernels *kernels = s->kernel->kernels;
  size_t contacts = 0;
  if (s->kernel->batch) {
    s->kernel->batch(pairs->overlaps, pairs->nodes, pairs->count);
    for (size_t i = 0; i < pairs->count; i++)
      contacts += pairs->overlaps[i];
    return contacts;
  }
  for (size_t i = 0; i < pairs->count; i++) {
    const bench_pair *p = &pairs->items[i];
    if (s->profile == TS_PROFILE_PROX2018) {
      kernels->prox2018(&room->prox, &p->prox);
      contacts += room->prox.count;
    } else {
      kernels->paper(&room->paper, &p->pair, p->size_m);
      contacts += room->paper.count;
    }
  }
  return contacts;
}

/// One pass over all pairs: its time, and whether the contacts are as many as before.
static ts_status pass(double *out_ns, subject *s, const bench_pairs *pairs, contact_room *room) {
  for (size_t i = 0; i < pairs->count; i++) {
    pairs->items[i].pair.reach_m = s->kernel->reach_m;
    pairs->items[i].prox.reach_m = (ts_real)s->kernel->reach_m;
  }
  int64_t start = ts_clock_ns();
  size_t contacts = run_all(s, pairs, room);
  *out_ns = (double)(ts_clock_ns() - start);
  if (s->contacts >= 0 && s->contacts != (double)contacts)
    return ts_fail(TS_E_INPUT, "%s gives %g contacts, then %zu, for the same pairs; it is wrong",
                   s->kernel->kernels->name, s->contacts, contacts);
  s->contacts = (double)contacts;
  return TS_OK;
}

/// Subject 0 is the baseline.
static ts_status measure_repeat(subject *subjects, size_t count, const bench_pairs *pairs,
                                contact_room *room, bool is_counted) {
  subject *baseline = &subjects[0];
  double before, after, own;
  TS_TRY(pass(&before, baseline, pairs, room));
  for (size_t i = 1; i < count; i++) {
    subject *s = &subjects[i];
    TS_TRY(pass(&own, s, pairs, room));
    TS_TRY(pass(&after, baseline, pairs, room));
    if (is_counted) {
      s->baseline_ns[s->count] = (before + after) / 2;
      s->time_ns[s->count++] = own;
      baseline->time_ns[baseline->count++] = after;
    }
    before = after;
  }
  return TS_OK;
}

static ts_status add_subject(subject *out, ts_arena *arena, const bench_kernel *kernel,
                             ts_profile profile, size_t capacity) {
  *out = (subject){.kernel = kernel, .profile = profile, .contacts = -1};
  out->time_ns = ts_arena_array(arena, capacity, sizeof(double));
  out->baseline_ns = ts_arena_array(arena, capacity, sizeof(double));
  return out->time_ns && out->baseline_ns ? TS_OK : TS_E_MEMORY;
}

static ts_status list_subjects(subject **out, size_t *out_count, ts_arena *arena, const char *only,
                               size_t repeats) {
  size_t profiles = 0, count = 1;
  while (ts_profile_names[profiles])
    profiles++;
  subject *subjects = ts_arena_array(arena, 1 + bench_kernel_count * profiles, sizeof *subjects);
  if (!subjects)
    return TS_E_MEMORY;
  for (size_t i = 0; i < bench_kernel_count; i++) {
    const bench_kernel *k = &bench_kernels[i];
    if (only && strcmp(k->kernels->name, only) != 0)
      continue;
    for (size_t p = 0; p < (k->kernels->prox2018 ? profiles : 1); p++)
      TS_TRY(add_subject(&subjects[count++], arena, k, (ts_profile)p, repeats));
  }
  TS_TRY(
      add_subject(&subjects[0], arena, &bench_baseline, TS_PROFILE_PAPER, repeats * (count - 1)));
  subjects[0].baseline_ns = subjects[0].time_ns; // relative to itself
  *out = subjects;
  *out_count = count;
  return TS_OK;
}

static ts_status fill_row(bench_row *out, ts_arena *arena, const subject *s, size_t pair_count) {
  double pairs = (double)pair_count;
  double *ratio = ts_arena_array(arena, s->count, sizeof *ratio);
  if (!ratio)
    return TS_E_MEMORY;
  for (size_t i = 0; i < s->count; i++)
    ratio[i] = s->time_ns[i] / s->baseline_ns[i];
  ts_time_statistics time, relative;
  ts_samples times = {.time_ns = s->time_ns, .count = s->count, .passes = 1};
  ts_samples ratios = {.time_ns = ratio, .count = s->count, .passes = 1};
  TS_TRY(ts_samples_statistics(&time, arena, times));
  TS_TRY(ts_samples_statistics(&relative, arena, ratios));
  *out = (bench_row){
      .kernel = s->kernel->kernels->name,
      .profile = s->kernel->kernels->prox2018 ? ts_profile_names[s->profile] : BENCH_NO_PROFILE,
      .pairs = pairs,
      .contacts = s->contacts,
      .repeats = (double)s->count,
      .ns_per_pair_min = time.min_ns / pairs,
      .ns_per_pair_median = time.median_ns / pairs,
      .ns_per_pair_mad = time.mad_ns / pairs,
      .pairs_per_s = 1e9 * pairs / time.median_ns,
      .ratio = relative.median_ns,
      .ratio_mad = relative.mad_ns,
      .author_ns_per_pair = s->kernel->author_ns_per_pair,
      .share_of_author = time.median_ns / pairs / s->kernel->author_ns_per_pair,
  };
  return TS_OK;
}

/// Means over the methods, which are the kernels with profiles.
static bench_row geometric_mean(const bench_rows *rows, const char *profile) {
  const double none = (double)NAN;
  bench_row mean = {.kernel = BENCH_MEAN,
                    .profile = profile,
                    .ns_per_pair_min = none,
                    .ns_per_pair_median = none,
                    .ns_per_pair_mad = none,
                    .pairs_per_s = none,
                    .ratio_mad = none,
                    .author_ns_per_pair = none};
  double log_ratio = 0, log_share = 0, count = 0;
  for (size_t i = 0; i < rows->count; i++) {
    const bench_row *row = &rows->items[i];
    if (strcmp(row->profile, profile) != 0)
      continue;
    mean.pairs = row->pairs;
    mean.repeats = row->repeats;
    mean.contacts += row->contacts;
    log_ratio += log(row->ratio);
    log_share += log(row->share_of_author);
    count++;
  }
  mean.ratio = exp(log_ratio / count);
  mean.share_of_author = exp(log_share / count);
  return mean;
}

ts_status bench_measure(bench_rows *out, ts_arena *arena, const bench_pairs *pairs,
                        const char *only, size_t repeats) {
  subject *subjects;
  size_t count;
  TS_TRY(list_subjects(&subjects, &count, arena, only, repeats));
  size_t profiles = 0;
  while (ts_profile_names[profiles])
    profiles++;
  contact_room *room = ts_arena_alloc(arena, sizeof *room);
  out->count = 0;
  out->items = ts_arena_array(arena, count + profiles, sizeof *out->items);
  if (!room || !out->items)
    return TS_E_MEMORY;
  for (size_t repeat = 0; repeat <= repeats; repeat++)
    TS_TRY(measure_repeat(subjects, count, pairs, room, repeat > 0));
  for (size_t i = 0; i < count; i++)
    TS_TRY(fill_row(&out->items[out->count++], arena, &subjects[i], pairs->count));
  for (size_t p = 0; p < profiles && !only; p++) {
    bench_row mean = geometric_mean(out, ts_profile_names[p]);
    out->items[out->count++] = mean;
  }
  return TS_OK;
}
