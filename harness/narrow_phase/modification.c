// SPDX-License-Identifier: MIT
#include "harness/narrow_phase/modification.h"

#include "base/array.h"
#include "base/clock.h"
#include "base/quantile.h"
#include "base/status.h"

#include <stdlib.h>

/// Whole bodies as designed, the lower one first.
static ts_pair whole_pair(const ts_candidate *candidate, const ts_pair *pairs,
                          const ts_scene *scene) {
  ts_pair pair = pairs[candidate->first];
  pair.mesh_a = scene->shapes[scene->bodies[pair.body_a].shape].mesh;
  pair.mesh_b = scene->shapes[scene->bodies[pair.body_b].shape].mesh;
  pair.size_m = candidate->size_m;
  if (!candidate->is_turned)
    return pair;
  ts_pair turned = pair;
  turned.body_a = pair.body_b, turned.body_b = pair.body_a;
  turned.mesh_a = pair.mesh_b, turned.mesh_b = pair.mesh_a;
  turned.pose_a = pair.pose_b, turned.pose_b = pair.pose_a;
  turned.twist_a = pair.twist_b, turned.twist_b = pair.twist_a;
  turned.is_fixed_a = pair.is_fixed_b, turned.is_fixed_b = pair.is_fixed_a;
  return turned;
}

static void forget_sets(ts_modification *m) {
  for (size_t i = 0; i < m->count; i++)
    ts_contact_set_clear(&m->before[i]);
  free(m->before);
  m->before = NULL;
  m->count = 0;
}

static ts_status keep_sets(ts_modification *m, const ts_contact_set *sets, size_t count) {
  forget_sets(m);
  m->before = calloc(count + 1, sizeof *m->before); // not of 0 bytes
  if (!m->before)
    return TS_E_MEMORY;
  m->count = count;
  for (size_t i = 0; i < count; i++) {
    m->before[i].body_a = sets[i].body_a;
    m->before[i].body_b = sets[i].body_b;
    TS_TRY(ts_contact_set_push(&m->before[i], sets[i].contacts, sets[i].count));
  }
  return TS_OK;
}

ts_status ts_modification_apply(ts_modification *modification, ts_contact_set *sets,
                                const ts_candidates *candidates, const ts_pair *pairs, bool is_here,
                                const ts_scene *scene, ts_arena *scratch) {
  ts_modification *m = modification;
  if (!m->chain || m->chain->count == 0)
    return TS_OK;
  if (is_here)
    TS_TRY(keep_sets(m, sets, candidates->count));
  TS_TRY(TS_HEAP_GROW(m->times_ns, m->time_capacity, m->time_count, 1));
  int64_t start_ns = ts_clock_ns();
  for (size_t i = 0; i < candidates->count; i++) {
    const ts_candidate *candidate = &candidates->items[i];
    if (sets[i].count == 0)
      continue; // perhaps without a pair of parts
    ts_pair pair = whole_pair(candidate, pairs, scene);
    TS_TRY(ts_modifier_chain_apply(&sets[i], scratch, m->chain, &pair, scene->scale));
  }
  m->times_ns[m->time_count++] = (double)(ts_clock_ns() - start_ns);
  return TS_OK;
}

void ts_modification_clear(ts_modification *modification) {
  forget_sets(modification);
  free(modification->times_ns);
  *modification = (ts_modification){.chain = modification->chain};
}

double ts_modification_ns(ts_modification *modification) {
  return ts_quantile(modification->times_ns, modification->time_count, 0.5);
}
