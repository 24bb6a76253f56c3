// SPDX-License-Identifier: MIT
#include "harness/score/score_modify.h"

#include "base/clock.h"
#include "base/status.h"
#include "harness/run/modified_contacts.h"

static ts_pair pair_of(const ts_scene *scene, const ts_contact_set *set, ts_envelope envelope) {
  const ts_body *a = &scene->bodies[set->body_a], *b = &scene->bodies[set->body_b];
  const ts_shape *shape_a = &scene->shapes[a->shape], *shape_b = &scene->shapes[b->shape];
  return (ts_pair){.struct_size = sizeof(ts_pair),
                   .body_a = set->body_a,
                   .body_b = set->body_b,
                   .mesh_a = shape_a->mesh,
                   .mesh_b = shape_b->mesh,
                   .pose_a = a->pose,
                   .pose_b = b->pose,
                   .twist_a = a->twist,
                   .twist_b = b->twist,
                   .envelope = envelope,
                   .size_m = ts_pair_size_m(shape_a, shape_b),
                   .is_fixed_a = a->is_fixed,
                   .is_fixed_b = b->is_fixed};
}

/// Copies sets, to compare with what they become.
static ts_status copy_sets(ts_contact_set **out, ts_arena *arena, const ts_contact_set *sets,
                           size_t count) {
  ts_contact_set *copies = ts_arena_copy(arena, sets, count, sizeof *copies);
  if (!copies)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++) {
    copies[i].contacts =
        ts_arena_copy(arena, sets[i].contacts, sets[i].count, sizeof *copies[i].contacts);
    if (!copies[i].contacts)
      return TS_E_MEMORY;
  }
  *out = copies;
  return TS_OK;
}

/// Modifies a set, whose contacts are in an arena, in memory of its own.
static ts_status modify_set(ts_contact_set *set, ts_arena *arena, const ts_modifier_chain *chain,
                            const ts_pair *pair, double scale) {
  ts_contact_set own = {.body_a = set->body_a, .body_b = set->body_b};
  ts_status status = ts_contact_set_push(&own, set->contacts, set->count);
  if (status == TS_OK)
    status = ts_modifier_chain_apply(&own, arena, chain, pair, scale);
  if (status == TS_OK) {
    set->contacts = ts_arena_copy(arena, own.contacts, own.count, sizeof *own.contacts);
    set->count = set->capacity = own.count;
    status = set->contacts ? TS_OK : TS_E_MEMORY;
  }
  ts_contact_set_clear(&own);
  return status;
}

ts_status ts_score_modify(ts_record *record, ts_score *score, ts_arena *arena,
                          const ts_scene *scene, ts_contact_set *sets, size_t count) {
  ts_contact_set *before;
  if (score->modifiers.count == 0)
    return TS_OK;
  TS_TRY(copy_sets(&before, arena, sets, count));
  int64_t start_ns = ts_clock_ns();
  for (size_t i = 0; i < count; i++) {
    ts_pair pair = pair_of(scene, &sets[i], score->envelope);
    TS_TRY(modify_set(&sets[i], arena, &score->modifiers, &pair, scene->scale));
  }
  record->modify_ns_median = (double)(ts_clock_ns() - start_ns);
  return ts_modified_contacts_measure(record, scene, before, sets, count);
}
