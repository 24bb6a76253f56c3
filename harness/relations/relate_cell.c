// SPDX-License-Identifier: MIT
#include "harness/relations/relate_cell.h"

#include "base/status.h"
#include "base/surroundings.h"
#include "geometry/mesh/helper_store.h"
#include "harness/isolation/kept_process.h"
#include "harness/run/cell.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/// The file begins with a hole, in which ends up, and does no harm, what a method writes to a
/// descriptor that it has found. A mark follows once the method has ended on the scene as built,
/// and a record for each relation that is wanted.
#define BUILT   4096
#define RECORDS (BUILT + (off_t)sizeof(uint32_t))
#define MARK    UINT32_C(0x72656c61)

/// What the process hands over of one relation.
typedef struct handed {
  uint32_t mark;
  int32_t relation, outcome;
  int32_t worst_a, worst_b;
  uint32_t worst_variant, pairs, pairs_measured, pairs_differ;
  double lost_max, added_max;
  char reason[512];
} handed;

double ts_relation_distance(const ts_relation_difference *difference) {
  return fmax(difference->lost_max, difference->added_max);
}

// ---- the process of the method -----------------------------------------------------------------

typedef struct relating {
  ts_arena *arena;
  const ts_cell *cell;
  const ts_kept_process *process;
  ts_relation_source source;
  ts_status built; ///< of the method on the scene as built; if not TS_OK `reason` says why
  const char *reason;
  ts_scene_contacts contacts; ///< on the scene as built
  size_t handed_count;
} relating;

ts_status ts_relate_contacts(ts_scene_contacts *out, ts_arena *arena, const ts_scene *scene,
                             const ts_method *method, const double *method_values) {
  ts_surroundings surroundings;
  ts_surroundings_save(&surroundings);
  ts_status status = ts_cell_contacts(&out->sets, &out->count, arena, scene, method, method_values);
  ts_surroundings_restore(&surroundings, NULL);
  return status;
}

static ts_status keep_reason(const char **out, ts_arena *arena) {
  *out = ts_arena_string(arena, ts_status_detail());
  return *out ? TS_OK : TS_E_MEMORY;
}

/// The contacts on the scene as built. What the method cannot do there is not an error.
static ts_status look_as_built(relating *r) {
  ts_scene *scene;
  TS_TRY(ts_case_build(&scene, r->arena, r->cell->c, r->cell->case_values));
  r->source = (ts_relation_source){r->cell->c, r->cell->case_values, scene};
  r->built =
      ts_relate_contacts(&r->contacts, r->arena, scene, r->cell->method, r->cell->method_values);
  return r->built == TS_OK ? TS_OK : keep_reason(&r->reason, r->arena);
}

/// What is there and what is not must not depend on the variant either.
static ts_status explain(ts_status status, const ts_relation *relation, size_t variant) {
  char detail[400];
  snprintf(detail, sizeof detail, "%s", ts_status_detail());
  if (status == TS_SKIPPED)
    return ts_fail(TS_E_INPUT,
                   "it has contacts on the scene as built, and skips variant %zu of %s: %s",
                   variant, relation->name, detail);
  return status == TS_E_IO
             ? status
             : ts_fail(status, "variant %zu of %s: %s", variant, relation->name, detail);
}

static ts_status compare_variant(ts_relation_difference *out, relating *r,
                                 const ts_relation *relation, size_t variant) {
  ts_variant made;
  ts_scene_contacts seen;
  ts_status status = ts_relation_make(&made, r->arena, relation, &r->source, variant);
  if (status == TS_OK)
    status =
        ts_relate_contacts(&seen, r->arena, made.scene, r->cell->method, r->cell->method_values);
  if (status != TS_OK)
    return explain(status, relation, variant);
  return ts_relation_difference_find(out, r->arena, r->source.scene, r->contacts, seen, &made);
}

static size_t larger(size_t a, size_t b) {
  return a > b ? a : b;
}

/// Keeps the larger of two differences, number by number, and the worst pair.
static void keep_worse(ts_relation_finding *kept, const ts_relation_difference *found,
                       size_t variant) {
  ts_relation_difference *d = &kept->difference;
  double before = ts_relation_distance(d);
  if (isnan(before) || ts_relation_distance(found) > before) {
    d->worst_a = found->worst_a;
    d->worst_b = found->worst_b;
    kept->worst_variant = variant;
  }
  d->pairs = larger(d->pairs, found->pairs);
  d->pairs_measured = larger(d->pairs_measured, found->pairs_measured);
  d->pairs_differ = larger(d->pairs_differ, found->pairs_differ);
  d->lost_max = fmax(d->lost_max, found->lost_max);
  d->added_max = fmax(d->added_max, found->added_max);
}

static ts_status compare_relation(ts_relation_finding *out, relating *r,
                                  const ts_relation *relation) {
  for (size_t variant = 0; variant < relation->variant_count; variant++) {
    ts_arena_mark mark = ts_arena_get_mark(r->arena);
    ts_relation_difference found;
    TS_TRY(compare_variant(&found, r, relation, variant));
    keep_worse(out, &found, variant);
    ts_arena_rewind(r->arena, mark);
  }
  return TS_OK;
}

static ts_status write_at(const relating *r, off_t at, const void *bytes, size_t count) {
  ts_kept_process_check(r->process);
  ssize_t written;
  do
    written = pwrite(TS_KEEPER_RESULT_FILE, bytes, count, at);
  while (written < 0 && errno == EINTR);
  return written == (ssize_t)count
             ? TS_OK
             : ts_fail(TS_E_IO, "cannot hand over what was found of a method: %s; see ulimit -f",
                       strerror(errno));
}

static ts_status hand_over(relating *r, ts_relation_kind relation, const ts_relation_finding *of) {
  const ts_relation_difference *d = &of->difference;
  handed h = {.mark = MARK,
              .relation = (int32_t)relation,
              .outcome = (int32_t)of->outcome,
              .worst_a = d->worst_a,
              .worst_b = d->worst_b,
              .worst_variant = (uint32_t)of->worst_variant,
              .pairs = (uint32_t)d->pairs,
              .pairs_measured = (uint32_t)d->pairs_measured,
              .pairs_differ = (uint32_t)d->pairs_differ,
              .lost_max = d->lost_max,
              .added_max = d->added_max};
  snprintf(h.reason, sizeof h.reason, "%s", of->reason);
  return write_at(r, RECORDS + (off_t)(r->handed_count++ * sizeof h), &h, sizeof h);
}

/// One relation of a cell, handed over with its outcome.
static ts_status relate_one(relating *r, ts_relation_kind relation) {
  ts_relation_finding found = {
      .reason = "",
      .difference = {.lost_max = NAN, .added_max = NAN, .worst_a = -1, .worst_b = -1}};
  ts_status status = r->built;
  if (status == TS_OK) {
    ts_arena_mark mark = ts_arena_get_mark(r->arena);
    status = compare_relation(&found, r, &ts_relations[relation]);
    ts_arena_rewind(r->arena, mark);
    if (status != TS_OK)
      found.reason = ts_status_detail();
  } else {
    found.reason = r->reason;
  }
  if (status == TS_E_IO)
    return status; // of this machine, not of the method
  found.outcome = ts_cell_outcome(status);
  return hand_over(r, relation, &found);
}

static ts_status relate_all(relating *r, const bool *is_wanted) {
  const uint32_t mark = MARK;
  TS_TRY(look_as_built(r));
  TS_TRY(write_at(r, BUILT, &mark, sizeof mark));
  for (int relation = 0; relation < TS_RELATION_COUNT; relation++)
    if (is_wanted[relation])
      TS_TRY(relate_one(r, (ts_relation_kind)relation));
  return TS_OK;
}

typedef struct work {
  const ts_relate_cell *cell;
  double memory_bytes;
} work;

static _Noreturn void run_work(void *context, ts_keeper_complaint *complaint, pid_t keeper) {
  const work *w = context;
  ts_kept_process process;
  ts_kept_process_begin(&process, keeper, w->memory_bytes);
  relating r = {.cell = w->cell->cell, .process = &process};
  ts_status status = ts_arena_create(&r.arena);
  if (status == TS_OK)
    status = relate_all(&r, w->cell->is_wanted);
  ts_kept_process_check(&process);
  if (status != TS_OK)
    ts_kept_process_complain(&process, complaint);
  _exit(0);
}

// ---- the program -------------------------------------------------------------------------------

ts_status ts_relate_start(ts_kept **out, const ts_relate_cell *cell, const ts_limits *limits) {
  ts_helper_store_open(); // the cells of a run fill the same shapes
  work w = {cell, limits->memory_bytes};
  return ts_kept_start(out, &(ts_kept_job){.work = run_work,
                                           .context = &w,
                                           .case_name = cell->cell->c->name,
                                           .method = cell->cell->method->name,
                                           .limits = *limits});
}

static bool is_distance(double value) {
  return isnan(value) || (value >= 0 && value <= 2);
}

/// Whether a record can be one of the relation: the method may have written to the file, too.
static bool is_readable(const handed *h, int relation) {
  return h->mark == MARK && h->relation == relation && h->outcome >= TS_OUTCOME_OK &&
         h->outcome < TS_OUTCOME_UNKNOWN && h->pairs_measured <= h->pairs &&
         h->pairs_differ <= h->pairs && is_distance(h->lost_max) && is_distance(h->added_max) &&
         h->worst_a >= -1 && h->worst_b >= -1 &&
         h->worst_variant < ts_relations[relation].variant_count;
}

static ts_status take(ts_relation_finding *out, ts_arena *arena, handed *h) {
  h->reason[sizeof h->reason - 1] = '\0';
  ts_fail(TS_E_INPUT, "%s", h->reason); // which makes text of what may be none
  *out = (ts_relation_finding){.outcome = (ts_outcome)h->outcome,
                               .worst_variant = h->worst_variant,
                               .difference = {.pairs = h->pairs,
                                              .pairs_measured = h->pairs_measured,
                                              .pairs_differ = h->pairs_differ,
                                              .lost_max = h->lost_max,
                                              .added_max = h->added_max,
                                              .worst_a = h->worst_a,
                                              .worst_b = h->worst_b}};
  return keep_reason(&out->reason, arena);
}

/// The relations that the cell did not get to, with how it ended, and in which scene.
static ts_status fill_rest(ts_relation_finding *out, ts_arena *arena, const ts_relate_cell *cell,
                           int first, ts_outcome outcome, const char *ending, const char *scene) {
  const char *reason = ts_arena_format(arena, "%s, in %s", ending, scene);
  if (!reason)
    return TS_E_MEMORY;
  for (int relation = first; relation < TS_RELATION_COUNT; relation++)
    if (cell->is_wanted[relation])
      out[relation] = (ts_relation_finding){
          .outcome = outcome,
          .reason = reason,
          .difference = {.lost_max = NAN, .added_max = NAN, .worst_a = -1, .worst_b = -1}};
  return TS_OK;
}

ts_status ts_relate_collect(ts_relation_finding *out, ts_arena *arena, const ts_relate_cell *cell,
                            const ts_kept *kept) {
  TS_TRY(ts_kept_check_machine(kept));
  int relation = 0;
  bool is_whole = true, is_damaged = false;
  off_t at = RECORDS;
  uint32_t mark = 0;
  bool has_built =
      pread(ts_kept_results(kept), &mark, sizeof mark, BUILT) == sizeof mark && mark == MARK;
  for (; relation < TS_RELATION_COUNT && is_whole; relation++) {
    handed h;
    if (!cell->is_wanted[relation])
      continue;
    ssize_t got = pread(ts_kept_results(kept), &h, sizeof h, at);
    is_whole = got == (ssize_t)sizeof h && is_readable(&h, relation);
    is_damaged = got > 0 && !is_whole;
    if (!is_whole)
      break;
    TS_TRY(take(&out[relation], arena, &h));
    at += (off_t)sizeof h;
  }
  char ending[TS_KEPT_REASON_BYTES] = "";
  ts_outcome outcome = ts_kept_outcome(ending, kept, is_whole, is_damaged);
  // One that ended badly after its last record, as for its memory, has lost that one.
  while (relation == TS_RELATION_COUNT || !cell->is_wanted[relation])
    relation--;
  const char *scene = has_built ? ts_relations[relation].name : "the scene as built";
  return outcome == TS_OUTCOME_OK ? TS_OK
                                  : fill_rest(out, arena, cell, relation, outcome, ending, scene);
}
