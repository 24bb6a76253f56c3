// SPDX-License-Identifier: MIT
#include "harness/shrink/shrink.h"

#include "base/array.h"
#include "base/status.h"
#include "harness/run/interrupt.h"

#include <stdlib.h>
#include <string.h>

/// An answer, by the fingerprint of the draft.
typedef struct answer {
  uint64_t hash;
  bool fails;
} answer;

typedef struct search {
  ts_arena *arena;
  const ts_shrink_job *job;
  ts_draft *best;
  ts_interrupt interrupt;
  answer *answers;
  size_t answer_count, answer_capacity;
  size_t tries;
  bool is_over; ///< tries have run out, or a signal came
} search;

static const answer *find_answer(const search *s, uint64_t hash) {
  for (size_t i = 0; i < s->answer_count; i++)
    if (s->answers[i].hash == hash)
      return &s->answers[i];
  return NULL;
}

static void show(const search *s) {
  if (!s->job->progress)
    return;
  ts_draft_size size = ts_draft_measure(s->best);
  fprintf(s->job->progress, "\r\033[K%zu bodies, %zu triangles, %zu digits; %zu tries", size.bodies,
          size.triangles, size.digits, s->tries);
  fflush(s->job->progress);
}

static ts_status ask(bool *out, search *s, const ts_draft *draft) {
  uint64_t hash = ts_draft_hash(draft);
  const answer *known = find_answer(s, hash);
  *out = known && known->fails;
  if (known)
    return TS_OK;
  s->is_over = s->is_over || s->tries >= s->job->tries_max || ts_interrupt_check(&s->interrupt);
  if (s->is_over)
    return TS_OK;
  s->tries++;
  TS_TRY(s->job->still_fails(out, s->job->context, draft));
  TS_TRY(TS_HEAP_GROW(s->answers, s->answer_capacity, s->answer_count, 1));
  s->answers[s->answer_count++] = (answer){hash, *out};
  show(s);
  return TS_OK;
}

/// Takes a changed copy of the best draft as the best if it still fails.
static ts_status try_it(bool *out_took, search *s, const ts_draft *changed) {
  TS_TRY(ask(out_took, s, changed));
  return *out_took ? ts_draft_copy(s->best, s->arena, changed) : TS_OK;
}

// ---- bodies -------------------------------------------------------------------------------------

/// The best draft without bodies first to last.
static ts_status try_without(bool *out_took, search *s, size_t first, size_t count) {
  ts_draft changed;
  TS_TRY(ts_draft_copy(&changed, s->arena, s->best));
  for (size_t i = 0; i < count; i++)
    ts_draft_remove(&changed, first);
  return try_it(out_took, s, &changed);
}

/// Leaves out stretches of bodies, each half as long as those before.
static ts_status remove_bodies(bool *out_any, search *s) {
  for (size_t length = s->best->body_count / 2; length > 0 && !s->is_over;) {
    bool took_any = false;
    for (size_t first = 0; first < s->best->body_count && s->best->body_count > 1;) {
      size_t rest = s->best->body_count - first;
      size_t count = length < rest ? length : rest;
      bool took = false;
      if (count < s->best->body_count)
        TS_TRY(try_without(&took, s, first, count));
      took_any = took_any || took;
      first += took ? 0 : count;
    }
    *out_any = *out_any || took_any;
    if (!took_any || length > 1)
      length /= 2;
  }
  return TS_OK;
}

// ---- triangles ----------------------------------------------------------------------------------

static ts_status try_collapse(bool *out_took, search *s, size_t body, uint32_t from, uint32_t to) {
  ts_arena_mark mark = ts_arena_get_mark(s->arena);
  ts_draft changed;
  *out_took = false;
  TS_TRY(ts_draft_copy(&changed, s->arena, s->best));
  if (ts_draft_collapse(&changed.bodies[body], from, to))
    TS_TRY(try_it(out_took, s, &changed));
  if (!*out_took)
    ts_arena_rewind(s->arena, mark);
  return TS_OK;
}

/// Collapses edges of one body, in the order of its vertices, until none can be.
static ts_status collapse_body(bool *out_any, search *s, size_t body) {
  bool took;
  do {
    took = false;
    for (uint32_t from = 0; from < s->best->bodies[body].vertex_count && !s->is_over; from++)
      for (uint32_t to = 0; to < s->best->bodies[body].vertex_count && !s->is_over; to++) {
        bool took_this = false;
        if (from != to)
          TS_TRY(try_collapse(&took_this, s, body, from, to));
        took = took || took_this;
        if (took_this)
          to = UINT32_MAX; // another vertex has its number: begin with it again
      }
    *out_any = *out_any || took;
  } while (took && !s->is_over);
  return TS_OK;
}

// ---- digits -------------------------------------------------------------------------------------

static const int decimals[] = {0, 1, 2, 3, 6};
enum { DECIMALS_COUNT = sizeof decimals / sizeof *decimals };

static double *coordinate(ts_draft_body *body, size_t index) {
  ts_vec3 *v = &body->vertices[index / 3];
  return index % 3 == 0 ? &v->x : index % 3 == 1 ? &v->y : &v->z;
}

/// Rounds coordinates [count] of a body, from the first on, to as few decimals as will do.
static ts_status round_some(bool *out_any, search *s, size_t body, size_t first, size_t count) {
  for (int d = 0; d < DECIMALS_COUNT && !s->is_over; d++) {
    ts_arena_mark mark = ts_arena_get_mark(s->arena);
    ts_draft changed;
    bool is_other = false, took = false;
    TS_TRY(ts_draft_copy(&changed, s->arena, s->best));
    for (size_t i = first; i < first + count; i++) {
      double *value = coordinate(&changed.bodies[body], i);
      double rounded = ts_draft_round(*value, decimals[d]);
      is_other = is_other || rounded != *value;
      *value = rounded;
    }
    if (!is_other) { // it has no more than that
      ts_arena_rewind(s->arena, mark);
      return TS_OK;
    }
    TS_TRY(try_it(&took, s, &changed));
    if (took) {
      *out_any = true;
      return TS_OK;
    }
    ts_arena_rewind(s->arena, mark);
  }
  return TS_OK;
}

static ts_status round_body(bool *out_any, search *s, size_t body) {
  size_t count = 3 * s->best->bodies[body].vertex_count;
  TS_TRY(round_some(out_any, s, body, 0, count));
  for (size_t i = 0; i < count && !s->is_over; i++)
    TS_TRY(round_some(out_any, s, body, i, 1));
  return TS_OK;
}

static ts_status run(search *s) {
  bool took;
  do {
    took = false;
    TS_TRY(remove_bodies(&took, s));
    for (size_t i = 0; i < s->best->body_count && !s->is_over; i++)
      TS_TRY(collapse_body(&took, s, i));
    if (took)
      continue; // digits last
    for (size_t i = 0; i < s->best->body_count && !s->is_over; i++)
      TS_TRY(round_body(&took, s, i));
  } while (took && !s->is_over);
  return TS_OK;
}

ts_status ts_shrink(ts_shrunk *out, ts_draft *draft, ts_arena *arena, const ts_shrink_job *job) {
  search s = {.arena = arena, .job = job, .best = draft};
  ts_interrupt_start(&s.interrupt);
  ts_status status = run(&s);
  ts_interrupt_end(&s.interrupt);
  free(s.answers);
  if (job->progress)
    fputs("\r\033[K", job->progress);
  *out = (ts_shrunk){.tries = s.tries, .is_smallest = !s.is_over};
  return status;
}
