// SPDX-License-Identifier: MIT
#include "sim/soft/soft_response.h"

#include "base/clock.h"
#include "base/status.h"
#include "sim/soft/soft_rigid.h"

#include <math.h>
#include <string.h>

/// Adds what one body yields at its contacts to W.
static ts_status add_body(ts_delassus *w, ts_compliance_times *times, const ts_soft_world *world,
                          const ts_soft_contacts *contacts, int32_t kind, size_t body) {
  const ts_soft_sides *sides = &contacts->sides[body];
  const ts_soft_body *b = &world->bodies[body];
  size_t count = sides->count;
  if (count == 0)
    return TS_OK;
  ts_arena_mark mark = ts_arena_get_mark(world->step_arena);
  ts_mat3 *blocks = ts_arena_array(world->step_arena, count * count, sizeof *blocks);
  if (!blocks)
    return TS_E_MEMORY;
  ts_status status = b->tet ? ts_compliances[kind].blocks(blocks, times, b->tet, sides->tet, count)
                            : ts_soft_rigid_blocks(blocks, world, b, sides);
  for (size_t i = 0; status == TS_OK && i < count; i++)
    for (size_t k = 0; k < count; k++)
      ts_delassus_add(w, sides->contacts[i], sides->contacts[k], &blocks[i * count + k]);
  ts_arena_rewind(world->step_arena, mark);
  return status;
}

ts_status ts_soft_answer_make(ts_soft_answer *out, const ts_soft_world *world,
                              const ts_soft_contacts *contacts, int32_t kind) {
  *out = (ts_soft_answer){.kind = kind};
  int64_t start = ts_clock_ns();
  ts_compliance_times times = {0};
  ts_delassus *w;
  TS_TRY(ts_delassus_create(&w, world->step_arena, (const int32_t(*)[2])contacts->bodies,
                            contacts->count));
  out->forces = ts_arena_array(world->step_arena, contacts->count, sizeof *out->forces);
  if (!out->forces)
    return TS_E_MEMORY;
  for (size_t i = 0; i < world->body_count; i++)
    TS_TRY(add_body(w, &times, world, contacts, kind, i));
  int64_t made = ts_clock_ns();
  out->w = w;
  out->solver = ts_delassus_solve(out->forces, w, contacts->free_m, contacts->friction,
                                  &world->params.solver);
  if (out->solver.sweeps > 0 && !isfinite(out->solver.residual_m))
    return ts_fail(TS_E_INPUT, "the contact forces overflow: look at the gaps and at what moves "
                               "the bodies so far apart or into each other");
  out->solve_ns = (double)(ts_clock_ns() - made);
  out->rest_ns = times.rest_ns;
  out->blocks_ns = (double)(made - start) - times.rest_ns;
  return TS_OK;
}

ts_status ts_soft_answer_correct(ts_vec3 *out_m, const ts_soft_world *world,
                                 const ts_soft_contacts *contacts, const ts_soft_answer *answer,
                                 size_t body) {
  const ts_soft_sides *sides = &contacts->sides[body];
  if (sides->count == 0) { // and no factor at rest is made before it is needed
    memset(out_m, 0, ts_tet_body_node_count(world->bodies[body].tet) * sizeof *out_m);
    return TS_OK;
  }
  ts_vec3 *forces = ts_arena_array(world->step_arena, sides->count, sizeof *forces);
  if (!forces)
    return TS_E_MEMORY;
  for (size_t i = 0; i < sides->count; i++)
    forces[i] = answer->forces[sides->contacts[i]];
  return ts_compliances[answer->kind].correct(out_m, world->bodies[body].tet, sides->tet, forces,
                                              sides->count);
}
