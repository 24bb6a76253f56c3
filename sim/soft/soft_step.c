// SPDX-License-Identifier: MIT
// The step of a world of deformable bodies: the free motion, and the corrective one.
#include "base/clock.h"
#include "base/status.h"
#include "geometry/tolerances.h"
#include "sim/soft/soft_response.h"
#include "sim/soft/soft_rigid.h"

#include <math.h>
#include <stdlib.h>

static double ns_since(int64_t start) {
  return (double)(ts_clock_ns() - start);
}

/// What the constant forces do to rigid bodies in a step; deformable ones have theirs.
static void push_rigid_bodies(ts_soft_world *world) {
  for (size_t i = 0; i < world->force_count; i++) {
    ts_soft_body *b = &world->bodies[world->forces[i].body];
    if (!b->tet)
      ts_soft_rigid_push(b, &world->params, &world->forces[i]);
  }
}

static ts_status move_freely(ts_soft_world *world, size_t index) {
  ts_soft_body *b = &world->bodies[index];
  bool is_finite = true;
  if (b->tet) {
    int64_t start = ts_clock_ns();
    TS_TRY(ts_tet_body_linearise(b->tet));
    world->linearise_ns += ns_since(start);
    ts_tet_body_free_motion(b->free_m, b->tet, world->params.gravity_m_s2);
    const ts_vec3 *from = ts_tet_body_positions(b->tet);
    for (size_t i = 0; i < ts_tet_body_node_count(b->tet); i++) {
      b->nodes[i] = ts_vec3_add(from[i], b->free_m[i]);
      is_finite = is_finite && ts_vec3_is_finite(b->nodes[i]);
    }
  } else if (!b->body.is_fixed) {
    ts_soft_rigid_move(b, &world->params);
    is_finite = ts_soft_rigid_is_finite(b);
  }
  if (!is_finite)
    return ts_fail(TS_E_INPUT,
                   "body %zu has a velocity or position that overflows: look at the contacts that "
                   "it had, or take a shorter time step",
                   index);
  return TS_OK;
}

/// What deformable bodies are is changed by nothing before all is well.
static void undo_step(ts_soft_world *world) {
  for (size_t i = 0; i < world->body_count; i++) {
    ts_soft_body *b = &world->bodies[i];
    if (b->tet || b->body.is_fixed)
      continue;
    b->state = b->before;
    b->body = b->body_before;
  }
  world->is_mid_step = false;
}

ts_status ts_soft_world_begin_step(ts_soft_world *world) {
  if (world->is_mid_step)
    return ts_fail(TS_E_INPUT, "the step has begun already: end it first");
  int64_t start = ts_clock_ns();
  world->linearise_ns = 0;
  for (size_t i = 0; i < world->body_count; i++) {
    world->bodies[i].before = world->bodies[i].state;
    world->bodies[i].body_before = world->bodies[i].body;
  }
  push_rigid_bodies(world);
  for (size_t i = 0; i < world->body_count; i++) {
    ts_status status = move_freely(world, i);
    if (status != TS_OK) {
      undo_step(world);
      return status;
    }
  }
  world->free_ns = ns_since(start);
  world->is_mid_step = true;
  return TS_OK;
}

// What a step did.

/// |dq - dq_exact| / |dq_exact| over all deformable bodies.
static double response_error(const ts_soft_world *world) {
  double off2 = 0, exact2 = 0, size_m = 0;
  for (size_t b = 0; b < world->body_count; b++) {
    const ts_soft_body *body = &world->bodies[b];
    size_m = body->tet ? ts_max(size_m, body->size_m) : size_m;
    for (size_t i = 0; body->tet && i < ts_tet_body_node_count(body->tet); i++) {
      off2 += ts_vec3_norm2(ts_vec3_sub(body->correction_m[i], body->exact_m[i]));
      exact2 += ts_vec3_norm2(body->exact_m[i]);
    }
  }
  double exact = sqrt(exact2);
  return exact > 0 && exact >= TS_CORRECTION_LEAST_RELATIVE * size_m ? sqrt(off2) / exact
                                                                     : (double)NAN;
}

/// Of one deformable body: how far the momentum that its correction has is from that of the contact
/// forces, over the sum of their sizes.
static double momentum_defect(const ts_soft_world *world, const ts_soft_body *b,
                              const ts_soft_sides *sides, const ts_vec3 *forces) {
  double h = world->params.dt_s, sizes = 0;
  double factor = (1 / h + b->body.elastic->mass_damping_1_s) / h;
  const double *masses = ts_tet_body_masses(b->tet);
  ts_vec3 left = {0, 0, 0};
  for (size_t i = 0; i < ts_tet_body_node_count(b->tet); i++)
    left = ts_vec3_add_scaled(left, masses[i] * factor, b->correction_m[i]);
  for (size_t i = 0; i < sides->count; i++) {
    ts_vec3 force = ts_mat3_apply_transposed(sides->tet[i].frame, forces[sides->contacts[i]]);
    left = ts_vec3_sub(left, force);
    sizes += ts_vec3_norm(force);
  }
  return sizes > 0 ? ts_vec3_norm(left) / sizes : (double)NAN;
}

static double largest_momentum_defect(const ts_soft_world *world, const ts_soft_contacts *contacts,
                                      const ts_vec3 *forces) {
  double largest = (double)NAN;
  for (size_t i = 0; i < world->body_count; i++) {
    const ts_soft_body *b = &world->bodies[i];
    if (!b->tet || b->body.elastic->clamped_count > 0)
      continue;
    largest = fmax(largest, momentum_defect(world, b, &contacts->sides[i], forces));
  }
  return largest;
}

// The corrective motion.

static ts_status correct_all(ts_soft_world *world, const ts_soft_contacts *contacts,
                             const ts_soft_answer *answer, bool is_to_compare) {
  for (size_t i = 0; i < world->body_count; i++) {
    ts_soft_body *b = &world->bodies[i];
    if (b->tet)
      TS_TRY(ts_soft_answer_correct(is_to_compare ? b->exact_m : b->correction_m, world, contacts,
                                    answer, i));
  }
  return TS_OK;
}

/// Compares the corrections with those by the exact compliance at the same contacts.
static ts_status compare_exact(ts_soft_report *report, ts_soft_world *world,
                               const ts_soft_contacts *contacts, const ts_soft_answer *answer) {
  ts_soft_answer exact = *answer;
  if (answer->kind != TS_COMPLIANCE_EXACT)
    TS_TRY(ts_soft_answer_make(&exact, world, contacts, TS_COMPLIANCE_EXACT));
  TS_TRY(correct_all(world, contacts, &exact, true));
  report->compliance_exact_ns = exact.blocks_ns + world->linearise_ns;
  report->response_error = response_error(world);
  return TS_OK;
}

static ts_status solve_step(ts_soft_report *report, ts_soft_answer *answer, ts_soft_world *world,
                            const ts_soft_contacts *contacts) {
  int32_t kind = world->params.response;
  TS_TRY(ts_soft_answer_make(answer, world, contacts, kind));
  int64_t start = ts_clock_ns();
  TS_TRY(correct_all(world, contacts, answer, false));
  *report = (ts_soft_report){
      .constraint_count = contacts->constraint_count,
      .solver = answer->solver,
      .free_ns = world->free_ns,
      .compliance_ns = answer->blocks_ns + (kind == TS_COMPLIANCE_EXACT ? world->linearise_ns : 0),
      .compliance_rest_ns = answer->rest_ns,
      .compliance_exact_ns = (double)NAN,
      .solve_ns = answer->solve_ns,
      .correction_ns = ns_since(start),
      .response_error = (double)NAN,
      .momentum_defect = largest_momentum_defect(world, contacts, answer->forces)};
  for (size_t i = 0; i < contacts->count; i++)
    report->normal_force_n += answer->forces[i].x;
  return world->params.compares_exact ? compare_exact(report, world, contacts, answer) : TS_OK;
}

/// The whole displacement of each deformable body into its correction, and rigid bodies to where
/// they end; they can be undone.
static ts_status add_motions(ts_soft_world *world, const ts_soft_contacts *contacts,
                             const ts_soft_answer *answer) {
  for (size_t i = 0; i < world->body_count; i++) {
    ts_soft_body *b = &world->bodies[i];
    bool is_finite = true;
    for (size_t k = 0; b->tet && k < ts_tet_body_node_count(b->tet); k++) {
      is_finite = is_finite && ts_vec3_is_finite(b->correction_m[k]);
      b->correction_m[k] = ts_vec3_add(b->free_m[k], b->correction_m[k]);
    }
    if (!b->tet && !b->body.is_fixed) {
      ts_soft_rigid_correct(b, &world->params, &contacts->sides[i], answer->forces);
      is_finite = ts_soft_rigid_is_finite(b);
    }
    if (!is_finite)
      return ts_fail(TS_E_INPUT,
                     "the contact forces move body %zu out of what can be computed "
                     "with: look at its contacts, or take a shorter time step",
                     i);
  }
  return TS_OK;
}

static ts_status keep_forces(ts_soft_world *world, const ts_vec3 *forces, size_t count) {
  double *kept = realloc(world->forces_n, (count + 1) * sizeof *kept); // never of 0 bytes
  if (!kept)
    return ts_fail(TS_E_MEMORY, "out of memory for %zu contact forces", count);
  world->forces_n = kept;
  for (size_t i = 0; i < count; i++)
    kept[i] = forces[i].x;
  return TS_OK;
}

static ts_status finish_step(ts_soft_report *report, ts_soft_world *world,
                             const ts_contact_set *sets, size_t count) {
  ts_soft_contacts contacts;
  ts_soft_answer answer;
  TS_TRY(ts_soft_contacts_make(&contacts, world, sets, count));
  TS_TRY(solve_step(report, &answer, world, &contacts));
  TS_TRY(add_motions(world, &contacts, &answer));
  TS_TRY(keep_forces(world, answer.forces, contacts.count));
  for (size_t i = 0; i < world->body_count; i++)
    if (world->bodies[i].tet)
      ts_tet_body_move(world->bodies[i].tet, world->bodies[i].correction_m);
  return TS_OK;
}

ts_status ts_soft_world_end_step(ts_soft_report *out, ts_soft_world *world,
                                 const ts_contact_set *sets, size_t count) {
  if (!world->is_mid_step)
    return ts_fail(TS_E_INPUT, "no step has begun: begin one first");
  ts_soft_report report;
  ts_arena_mark mark = ts_arena_get_mark(world->step_arena);
  ts_status status = finish_step(&report, world, sets, count);
  ts_arena_rewind(world->step_arena, mark);
  if (status != TS_OK) {
    undo_step(world);
    return status;
  }
  world->is_mid_step = false;
  if (out)
    *out = report;
  return TS_OK;
}
