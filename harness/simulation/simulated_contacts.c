// SPDX-License-Identifier: MIT
#include "harness/simulation/simulated_contacts.h"

#include "base/status.h"

#include <math.h>

// A method that gives no direction where bodies touch exactly has not failed: its rows count the
// invalid normals. It leaves nothing to simulate.
ts_status ts_simulated_contacts_check(const ts_contact_set *sets, size_t set_count) {
  size_t invalid = 0;
  const ts_contact_set *first = NULL;
  for (size_t i = 0; i < set_count; i++)
    for (size_t k = 0; k < sets[i].count; k++) {
      double length = ts_vec3_norm(sets[i].contacts[k].normal);
      if (length > 0 && isfinite(length))
        continue;
      first = first ? first : &sets[i];
      invalid++;
    }
  if (invalid == 0)
    return TS_OK;
  return ts_fail(TS_SKIPPED,
                 "nothing to simulate: the method gave %zu zero or NaN normal%s, first for bodies "
                 "%d and %d (column normals_invalid)",
                 invalid, invalid == 1 ? "" : "s", (int)first->body_a, (int)first->body_b);
}

ts_status ts_simulated_contacts_own(const ts_contact_set **out, ts_arena *arena,
                                    const ts_narrow_phase *phase, const ts_contact_set *sets,
                                    size_t set_count) {
  ts_arena_rewind(arena, (ts_arena_mark){NULL, 0});
  ts_contact_set *own = ts_arena_array(arena, set_count, sizeof *own);
  if (!own)
    return TS_E_MEMORY;
  for (size_t i = 0; i < set_count; i++) {
    own[i] = sets[i];
    own[i].contacts = ts_arena_array(arena, sets[i].count, sizeof *own[i].contacts);
    if (!own[i].contacts)
      return TS_E_MEMORY;
    for (size_t k = 0; k < sets[i].count; k++) {
      own[i].contacts[k] = sets[i].contacts[k];
      own[i].contacts[k].gap_m += ts_narrow_phase_added_overlap_m(phase, &sets[i], k);
    }
  }
  *out = own;
  return TS_OK;
}
