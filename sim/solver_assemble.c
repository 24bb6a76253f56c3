// SPDX-License-Identifier: MIT
// How contacts become rows: which constraints they make under each response, and from which
// impulses the solve starts.
#include "base/status.h"
#include "sim/contact_check.h"
#include "sim/solver_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CACHE_LINE ((size_t)64)

/// `count` items on a cache line, the first `kept_count` copied from `*array`, which they replace.
static ts_status regrow(void **array, size_t count, size_t size, size_t kept_count) {
  if (count > (SIZE_MAX - CACHE_LINE) / size)
    return ts_fail(TS_E_MEMORY, "out of memory: room for %zu contacts requested", count);
  size_t bytes = (count * size + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
  void *made = aligned_alloc(CACHE_LINE, bytes);
  if (!made)
    return ts_fail(TS_E_MEMORY, "out of memory: %zu bytes for contacts requested", bytes);
  if (kept_count)
    memcpy(made, *array, kept_count * size);
  free(*array);
  *array = made;
  return TS_OK;
}

// A pointer to any type is not a `void **`: hence the copy.
#define REGROW(array, count, kept_count)                                                           \
  do {                                                                                             \
    void *regrown = (array);                                                                       \
    ts_status regrow_status = regrow(&regrown, (count), sizeof *(array), (kept_count));            \
    (array) = regrown;                                                                             \
    if (regrow_status != TS_OK)                                                                    \
      return regrow_status;                                                                        \
  } while (0)

static size_t grown_capacity(size_t capacity, size_t needed) {
  return needed > capacity / 2 * 3 ? needed : capacity / 2 * 3;
}

/// Makes room. What the solve before left stays, for a warm start.
static ts_status make_room(ts_solver *solver, size_t contacts, size_t spans, size_t slots) {
  // A penalty has up to one constraint for each contact and one more for each pair.
  size_t rows = contacts + spans;
  if (rows > solver->row_capacity) {
    size_t capacity = grown_capacity(solver->row_capacity, rows);
    REGROW(solver->rows, capacity, 0);
    REGROW(solver->from, capacity, solver->row_count);
    REGROW(solver->to, capacity, 0);
    REGROW(solver->soft, capacity, 0);
    REGROW(solver->frames, capacity, solver->row_count);
    REGROW(solver->next_frames, capacity, 0);
    solver->row_capacity = capacity;
  }
  if (contacts > solver->contact_capacity) {
    size_t capacity = grown_capacity(solver->contact_capacity, contacts);
    REGROW(solver->contacts, capacity, 0);
    REGROW(solver->shares, capacity, 0);
    solver->contact_capacity = capacity;
  }
  if (spans > solver->span_capacity) {
    size_t capacity = grown_capacity(solver->span_capacity, spans);
    REGROW(solver->spans, capacity, solver->span_count);
    REGROW(solver->next_spans, capacity, 0);
    solver->span_capacity = capacity;
  }
  if (slots > solver->slot_capacity) {
    REGROW(solver->slots, slots, 0);
    REGROW(solver->kept, slots, 0);
    solver->slot_capacity = slots;
  }
  return TS_OK;
}

static ts_status check_area(const ts_contact_set *set, size_t index) {
  double area_m2 = set->contacts[index].area_m2;
  return area_m2 >= 0 && isfinite(area_m2)
             ? TS_OK
             : ts_fail(TS_E_INPUT,
                       "contact %zu of bodies %d and %d has an area of %g m2: give each a finite "
                       "one, not below 0, or let the contacts of a pair share an even one",
                       index, (int)set->body_a, (int)set->body_b, area_m2);
}

static ts_status check_sets(const ts_contact_set *sets, size_t set_count, size_t body_count,
                            const ts_response_params *response) {
  bool needs_area = response->kind != TS_RESPONSE_POINTS && !(response->even_area_m2 > 0);
  for (size_t i = 0; i < set_count; i++) {
    const ts_contact_set *set = &sets[i];
    TS_TRY(ts_check_contact_bodies(set, i, body_count));
    for (size_t k = 0; k < set->count; k++) {
      TS_TRY(ts_check_contact(set, k));
      if (needs_area)
        TS_TRY(check_area(set, k));
    }
  }
  return TS_OK;
}

/// The span of the pair in the solve before; NULL when it was in none. `cursor` is where to
/// try first: sets tend to come in the same order again.
static const ts_set_span *find_past(const ts_solver *solver, const ts_contact_set *set,
                                    size_t *cursor) {
  for (size_t step = 0; step < solver->span_count; step++) {
    size_t index = (*cursor + step) % solver->span_count;
    const ts_set_span *span = &solver->spans[index];
    if (span->body_a == set->body_a && span->body_b == set->body_b) {
      *cursor = index + 1;
      return span;
    }
  }
  return NULL;
}

static ts_multipliers turn_multipliers(ts_multipliers x, const ts_contact_frame *from,
                                       const ts_contact_frame *to) {
  ts_vec3 friction = ts_vec3_scale(from->s, x.x[0][1]);
  friction = ts_vec3_add_scaled(friction, x.x[1][0], from->t);
  return (ts_multipliers){
      {{x.x[0][0], ts_vec3_dot(friction, to->s)}, {ts_vec3_dot(friction, to->t), x.x[1][1]}}};
}

/// A set while its rows are made.
typedef struct assembly {
  ts_solver *solver;
  const ts_contact_set *set;
  const ts_solver_body *a, *b;
  const ts_solver_params *params;
  double dt_s;
  const ts_set_span *past; ///< The pair in the solve before; NULL: start from no impulse.
} assembly;

/// Adds a constraint, with no impulse to start from.
static size_t add_rows(assembly *w, const ts_constraint *constraint) {
  ts_solver *solver = w->solver;
  size_t row = solver->row_count++;
  ts_contact_rows *rows = &solver->rows[row];
  ts_contact_rows_fill(rows, &solver->next_frames[row], constraint, w->a, w->b, w->params);
  rows->slot_a = w->a->is_fixed ? 0 : (uint32_t)w->set->body_a + 1;
  rows->slot_b = w->b->is_fixed ? 0 : (uint32_t)w->set->body_b + 1;
  solver->to[row] = (ts_multipliers){{{0, 0}, {0, 0}}};
  bool is_ignored = w->a->is_fixed && w->b->is_fixed;
  solver->constraint_count += constraint->has_normal && !is_ignored;
  return row;
}

static void assemble_contacts(assembly *w) {
  ts_solver *solver = w->solver;
  bool is_volume = w->params->response.kind != TS_RESPONSE_POINTS;
  double beyond_m = w->params->corrects_beyond_m;
  double mean_area_m2 =
      beyond_m > 0 ? ts_constraint_mean_area(w->set, &w->params->response) : (double)NAN;
  for (size_t k = 0; k < w->set->count; k++) {
    ts_contact_share *of = &solver->contacts[solver->contact_count + k];
    *of = (ts_contact_share){TS_NO_ROW, 0};
    if (is_volume && !(ts_response_area_m2(w->set, k, &w->params->response) > 0))
      continue;
    ts_constraint constraint;
    ts_constraint_of_contact(&constraint, &w->set->contacts[k], w->a, w->b, w->params, w->dt_s);
    if (beyond_m > 0 && constraint.parting_m_s > 0 &&
        !ts_constraint_is_too_deep(w->set, k, mean_area_m2, beyond_m, &w->params->response))
      constraint.parting_m_s = 0;
    *of = (ts_contact_share){add_rows(w, &constraint), 1};
  }
}

/// All contacts as one; returns the length of its area vector [m2], 0 when it makes no row.
static double assemble_pair(assembly *w, ts_constraint *constraint, bool only_overlapping) {
  ts_solver *solver = w->solver;
  ts_contact_share *contacts = &solver->contacts[solver->contact_count];
  double length_m2 = ts_constraint_of_pair(constraint, solver->shares, w->set, w->a, w->b,
                                           w->params, w->dt_s, only_overlapping);
  for (size_t k = 0; k < w->set->count; k++)
    contacts[k] = length_m2 > 0 ? (ts_contact_share){solver->row_count, solver->shares[k]}
                                : (ts_contact_share){TS_NO_ROW, 0};
  return length_m2;
}

/// The penalty of the pair: V at the end of the step by its rate there, V - h A u, pushes with k A
/// times that; explicitly, V as it is.
static void assemble_penalty(assembly *w) {
  const ts_response_params *response = &w->params->response;
  ts_constraint constraint;
  double area_m2 = assemble_pair(w, &constraint, true);
  if (!(area_m2 > 0) || !(response->stiffness_n_m5 > 0)) {
    for (size_t k = 0; k < w->set->count; k++)
      w->solver->contacts[w->solver->contact_count + k] = (ts_contact_share){TS_NO_ROW, 0};
    return;
  }
  double overlap_m = 0;
  for (size_t k = 0; k < w->set->count; k++)
    overlap_m -= w->solver->shares[k] * w->set->contacts[k].gap_m;
  double per_step = w->dt_s * response->stiffness_n_m5 * area_m2 * area_m2; // kg/s
  constraint.has_friction = false;
  constraint.parting_m_s = overlap_m / w->dt_s;
  constraint.soft_normal = 1 / (w->dt_s * per_step);
  size_t row = add_rows(w, &constraint);
  w->solver->soft[row] = (ts_multipliers){{{constraint.soft_normal, 0}, {0, 0}}};
  if (response->integration != TS_INTEGRATION_EXPLICIT)
    return;
  w->solver->to[row].x[0][0] = per_step * overlap_m;
  double r = w->solver->rows[row].r[0][0]; // 1 / (1/m + soft)
  if (r > 0)
    w->solver->explicit_ratio = fmax(w->solver->explicit_ratio,
                                     sqrt(w->dt_s * per_step * (1 / r - constraint.soft_normal)));
}

/// A viscous force against the tangential velocity, over an area.
static void add_viscosity(assembly *w, ts_constraint *constraint, double area_m2) {
  const ts_response_params *response = &w->params->response;
  double drag_kg = w->dt_s * response->viscosity_n_s_m3 * area_m2;
  constraint->has_normal = false;
  constraint->soft_tangent = 1 / drag_kg;
  size_t row = add_rows(w, constraint);
  double soft = constraint->soft_tangent;
  w->solver->soft[row] = (ts_multipliers){{{0, soft}, {soft, 0}}};
  if (response->integration != TS_INTEGRATION_EXPLICIT)
    return;
  const ts_lanes *free = w->solver->rows[row].free;
  w->solver->to[row] = (ts_multipliers){{{0, -drag_kg * free[0][1]}, {-drag_kg * free[1][0], 0}}};
}

/// Notes how close the drag of a pair as a whole, at its mean point, is to what explicit steps
/// hold.
static void note_drag(assembly *w, const ts_constraint *pair, double area_m2) {
  ts_contact_rows rows;
  ts_contact_frame frame;
  ts_contact_rows_fill(&rows, &frame, pair, w->a, w->b, w->params);
  double r_kg = rows.r[0][1]; // the mass that the drag meets; 0 when nothing can move
  double drag_kg = w->dt_s * w->params->response.viscosity_n_s_m3 * area_m2;
  if (r_kg > 0)
    w->solver->explicit_ratio = fmax(w->solver->explicit_ratio, drag_kg / r_kg);
}

static void assemble_viscosity(assembly *w) {
  ts_constraint constraint;
  double pair_m2 = ts_constraint_of_pair(&constraint, w->solver->shares, w->set, w->a, w->b,
                                         w->params, w->dt_s, true);
  if (w->params->response.integration == TS_INTEGRATION_EXPLICIT && pair_m2 > 0)
    note_drag(w, &constraint, pair_m2);
  if (w->params->response.rows == TS_ROWS_PAIR) {
    if (pair_m2 > 0)
      add_viscosity(w, &constraint, pair_m2);
    return;
  }
  for (size_t k = 0; k < w->set->count; k++) {
    double area_m2 = ts_response_area_m2(w->set, k, &w->params->response);
    if (!(area_m2 > 0) || !(w->set->contacts[k].gap_m < 0))
      continue;
    ts_constraint_of_contact(&constraint, &w->set->contacts[k], w->a, w->b, w->params, w->dt_s);
    add_viscosity(w, &constraint, area_m2);
  }
}

static double normal_impulse(const ts_solver *solver, const ts_set_span *span) {
  double sum = 0;
  for (size_t i = 0; i < span->count; i++)
    sum += solver->from[span->first + i].x[0][0];
  return sum;
}

/// Where the solve before left a row of the pair.
static ts_multipliers past_row(const assembly *w, size_t index, size_t row) {
  size_t past = w->past->first + index;
  return turn_multipliers(w->solver->from[past], &w->solver->frames[past],
                          &w->solver->next_frames[row]);
}

/// Starts rows [count] of the pair, from `first` on, where the solve before ended, row by row if it
/// had as many: with all impulses if the start is warm; if it is even with those of friction, and
/// with the normal impulse of the pair spread over its contacts by their area. Pressures of rigid
/// bodies are not unique, and Gauss-Seidel leaves them far from even when it starts from none.
static void start_rows(assembly *w, size_t first, size_t count) {
  ts_solver *solver = w->solver;
  const ts_response_params *response = &w->params->response;
  if (!w->past)
    return;
  bool is_warm = w->params->warm_start;
  bool is_even = response->starts_even && response->kind != TS_RESPONSE_POINTS;
  if (w->past->count == count && (is_warm || is_even))
    for (size_t k = 0; k < count; k++)
      solver->to[first + k] = past_row(w, k, first + k);
  if (count == 0 || !is_even || (is_warm && w->past->count == count))
    return;
  double impulse = normal_impulse(solver, w->past), area_m2 = 0;
  if (response->kind == TS_RESPONSE_PENALTY || response->rows == TS_ROWS_PAIR) {
    solver->to[first].x[0][0] = impulse; // the pair's own row is the first
    return;
  }
  for (size_t k = 0; k < w->set->count; k++)
    area_m2 += ts_response_area_m2(w->set, k, response);
  for (size_t k = 0; k < w->set->count; k++) {
    size_t row = solver->contacts[solver->contact_count + k].row;
    if (row != TS_NO_ROW)
      solver->to[row].x[0][0] = impulse * ts_response_area_m2(w->set, k, response) / area_m2;
  }
}

static void assemble_set(assembly *w) {
  ts_solver *solver = w->solver;
  const ts_response_params *response = &w->params->response;
  size_t first = solver->row_count;
  if (w->set->count == 0)
    return;
  bool is_explicit = false;
  if (response->kind == TS_RESPONSE_PENALTY) {
    assemble_penalty(w);
    if (response->viscosity_n_s_m3 > 0)
      assemble_viscosity(w);
    is_explicit = response->integration == TS_INTEGRATION_EXPLICIT;
  } else if (response->kind == TS_RESPONSE_VOLUME && response->rows == TS_ROWS_PAIR) {
    ts_constraint constraint;
    if (assemble_pair(w, &constraint, false) > 0)
      add_rows(w, &constraint);
  } else {
    assemble_contacts(w);
  }
  if (!is_explicit) // that has its impulses already
    start_rows(w, first, solver->row_count - first);
  if (w->a->is_fixed && w->b->is_fixed)
    solver->ignored_count += w->set->count;
  solver->contact_count += w->set->count;
}

ts_status ts_solver_assemble(ts_solver *solver, const ts_solver_body *bodies, size_t body_count,
                             const ts_contact_set *sets, size_t set_count,
                             const ts_solver_params *params, double dt_s) {
  size_t count = 0, cursor = 0;
  for (size_t i = 0; i < set_count; i++)
    count += sets[i].count;
  ts_status status = check_sets(sets, set_count, body_count, &params->response);
  if (status == TS_OK)
    status = make_room(solver, count, set_count, body_count + 1);
  solver->row_count = solver->contact_count = 0;
  solver->ignored_count = solver->constraint_count = solver->new_pairs = 0;
  solver->explicit_ratio = 0;
  if (status != TS_OK) {
    solver->span_count = solver->slot_count = 0;
    return status;
  }
  solver->slot_count = body_count + 1;
  for (size_t i = 0; i < set_count; i++) {
    assembly w = {.solver = solver,
                  .set = &sets[i],
                  .a = &bodies[sets[i].body_a],
                  .b = &bodies[sets[i].body_b],
                  .params = params,
                  .dt_s = dt_s};
    if (params->warm_start || params->response.starts_even)
      w.past = find_past(solver, &sets[i], &cursor);
    bool can_move = !w.a->is_fixed || !w.b->is_fixed;
    solver->new_pairs += sets[i].count > 0 && can_move && (!w.past || w.past->count == 0);
    size_t first = solver->row_count;
    assemble_set(&w);
    solver->next_spans[i] =
        (ts_set_span){sets[i].body_a, sets[i].body_b, first, solver->row_count - first};
  }
  ts_solver_swap_multipliers(solver);
  ts_contact_frame *frames = solver->frames;
  solver->frames = solver->next_frames;
  solver->next_frames = frames;
  ts_set_span *spans = solver->spans;
  solver->spans = solver->next_spans;
  solver->next_spans = spans;
  solver->span_count = set_count;
  return TS_OK;
}
