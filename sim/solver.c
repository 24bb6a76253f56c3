// SPDX-License-Identifier: MIT
#include "sim/solver.h"

#include "base/status.h"
#include "sim/contact_rows.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define CACHE_LINE ((size_t)64)

/// Scaled velocity of a body, less what it has without contacts; padded to a cache line. Slot 0
/// is that of every fixed body, slot i + 1 that of body i.
typedef struct slot {
  ts_lanes v[4]; ///< (linear, angular, unused)
} slot;

typedef struct multipliers {
  ts_lanes x[2];
} multipliers;

/// Where the constraints of a set are among all.
typedef struct set_span {
  int32_t body_a, body_b;
  size_t first, count;
} set_span;

/// Which constraint a contact is part of, and its share of the impulse; NO_ROW: none.
typedef struct contact_share {
  size_t row;
  double share;
} contact_share;
#define NO_ROW SIZE_MAX

struct ts_solver {
  ts_contact_rows *rows;  ///< [row_count], one for each constraint
  multipliers *from, *to; ///< [row_count]; a sweep reads the one and writes the other
  multipliers *soft;      ///< [row_count] softness of each row [1/kg]; read for a penalty alone
  ts_contact_frame *frames, *next_frames;
  size_t row_count, row_capacity;
  contact_share *contacts; ///< [contact_count]
  double *shares;          ///< [contact_capacity] of the contacts of one set
  size_t contact_count, contact_capacity;
  set_span *spans, *next_spans; ///< [span_count]
  size_t span_count, span_capacity;
  slot *slots, *kept; ///< [slot_count]; `kept`: to roll back to
  size_t slot_count, slot_capacity;
  size_t ignored_count, constraint_count;
  double explicit_ratio;
};

ts_solver_params ts_solver_params_default(void) {
  return (ts_solver_params){
      .friction = 0.5,
      .friction_fixed = 0.5,
      .spin_length_m = 1,
      .sweeps = 1000,
      .order = TS_ORDER_GIVEN,
      .r_strategy = TS_R_TANGENTS,
      .r_reduction = 0.9,
      .r_least = 0.5,
  };
}

static ts_status check_from_zero(double value, const char *name) {
  return value >= 0 && isfinite(value)
             ? TS_OK
             : ts_fail(TS_E_INPUT, "%s is %g: give a finite number, not below 0", name, value);
}

ts_status ts_solver_params_check(const ts_solver_params *params) {
  TS_TRY(check_from_zero(params->friction, "friction"));
  TS_TRY(check_from_zero(params->friction_fixed, "friction_fixed"));
  TS_TRY(check_from_zero(params->spin_length_m, "spin_length_m"));
  TS_TRY(check_from_zero(params->tolerance_kg_m_s, "tolerance_kg_m_s"));
  if (params->sweeps < 0)
    return ts_fail(TS_E_INPUT, "sweeps is %d: give a number from 0", (int)params->sweeps);
  if (params->order != TS_ORDER_GIVEN && params->order != TS_ORDER_FORTH_BACK)
    return ts_fail(TS_E_INPUT, "order is %d: give a ts_solver_order", (int)params->order);
  if (params->r_strategy < TS_R_ROWS || params->r_strategy > TS_R_FRICTION)
    return ts_fail(TS_E_INPUT, "r_strategy is %d: give a ts_solver_r", (int)params->r_strategy);
  if (!(params->r_reduction > 0 && params->r_reduction <= 1))
    return ts_fail(TS_E_INPUT, "r_reduction is %g: give a number above 0, up to 1",
                   params->r_reduction);
  if (!(params->r_least >= 0 && params->r_least <= 1))
    return ts_fail(TS_E_INPUT, "r_least is %g: give a number from 0 to 1", params->r_least);
  if (!(params->stabilisation >= 0 && params->stabilisation <= 1))
    return ts_fail(TS_E_INPUT, "stabilisation is %g: give a number from 0 to 1",
                   params->stabilisation);
  return ts_response_params_check(&params->response);
}

ts_status ts_solver_create(ts_solver **out) {
  ts_solver *solver = calloc(1, sizeof *solver);
  if (!solver)
    return ts_fail(TS_E_MEMORY, "out of memory");
  *out = solver;
  return TS_OK;
}

void ts_solver_destroy(ts_solver *solver) {
  if (!solver)
    return;
  void *const arrays[] = {solver->rows,        solver->from,  solver->to,         solver->soft,
                          solver->frames,      solver->spans, solver->next_spans, solver->contacts,
                          solver->next_frames, solver->slots, solver->kept,       solver->shares};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
    free(arrays[i]);
  free(solver);
}

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

static ts_status check_contact(const ts_contact_set *set, size_t index) {
  const ts_contact *contact = &set->contacts[index];
  double length = ts_vec3_norm(contact->normal);
  if (!(length > 0) || !isfinite(length))
    return ts_fail(TS_E_INPUT,
                   "contact %zu of bodies %d and %d has the normal (%g, %g, %g): give it a "
                   "direction, or leave the contact out",
                   index, (int)set->body_a, (int)set->body_b, contact->normal.x, contact->normal.y,
                   contact->normal.z);
  if (!ts_vec3_is_finite(contact->point) || !isfinite(contact->gap_m))
    return ts_fail(TS_E_INPUT,
                   "contact %zu of bodies %d and %d has the point (%g, %g, %g) and the gap %g: "
                   "every number must be finite",
                   index, (int)set->body_a, (int)set->body_b, contact->point.x, contact->point.y,
                   contact->point.z, contact->gap_m);
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
    if (set->body_a < 0 || set->body_a >= set->body_b || (size_t)set->body_b >= body_count)
      return ts_fail(TS_E_INPUT,
                     "contact set %zu is of bodies %d and %d, but there are %zu bodies, counted "
                     "from 0, and the lower comes first",
                     i, (int)set->body_a, (int)set->body_b, body_count);
    for (size_t k = 0; k < set->count; k++) {
      TS_TRY(check_contact(set, k));
      if (needs_area)
        TS_TRY(check_area(set, k));
    }
  }
  return TS_OK;
}

/// The span of the pair in the solve before; NULL when it was in none. `cursor` is where to
/// try first: sets tend to come in the same order again.
static const set_span *find_past(const ts_solver *solver, const ts_contact_set *set,
                                 size_t *cursor) {
  for (size_t step = 0; step < solver->span_count; step++) {
    size_t index = (*cursor + step) % solver->span_count;
    const set_span *span = &solver->spans[index];
    if (span->body_a == set->body_a && span->body_b == set->body_b) {
      *cursor = index + 1;
      return span;
    }
  }
  return NULL;
}

static multipliers turn_multipliers(multipliers x, const ts_contact_frame *from,
                                    const ts_contact_frame *to) {
  ts_vec3 friction = ts_vec3_scale(from->s, x.x[0][1]);
  friction = ts_vec3_add_scaled(friction, x.x[1][0], from->t);
  return (multipliers){
      {{x.x[0][0], ts_vec3_dot(friction, to->s)}, {ts_vec3_dot(friction, to->t), x.x[1][1]}}};
}

/// A set while its rows are made.
typedef struct assembly {
  ts_solver *solver;
  const ts_contact_set *set;
  const ts_solver_body *a, *b;
  const ts_solver_params *params;
  double dt_s;
  const set_span *past; ///< The pair in the solve before; NULL: start from no impulse.
} assembly;

/// Adds a constraint, with no impulse to start from.
static size_t add_rows(assembly *w, const ts_constraint *constraint) {
  ts_solver *solver = w->solver;
  size_t row = solver->row_count++;
  ts_contact_rows *rows = &solver->rows[row];
  ts_contact_rows_fill(rows, &solver->next_frames[row], constraint, w->a, w->b, w->params);
  rows->slot_a = w->a->is_fixed ? 0 : (uint32_t)w->set->body_a + 1;
  rows->slot_b = w->b->is_fixed ? 0 : (uint32_t)w->set->body_b + 1;
  solver->to[row] = (multipliers){{{0, 0}, {0, 0}}};
  bool is_ignored = w->a->is_fixed && w->b->is_fixed;
  solver->constraint_count += constraint->has_normal && !is_ignored;
  return row;
}

static void assemble_contacts(assembly *w) {
  ts_solver *solver = w->solver;
  bool is_volume = w->params->response.kind != TS_RESPONSE_POINTS;
  for (size_t k = 0; k < w->set->count; k++) {
    contact_share *of = &solver->contacts[solver->contact_count + k];
    *of = (contact_share){NO_ROW, 0};
    if (is_volume && !(ts_constraint_area(w->set, k, &w->params->response) > 0))
      continue;
    ts_constraint constraint;
    ts_constraint_of_contact(&constraint, &w->set->contacts[k], w->a, w->b, w->params, w->dt_s);
    *of = (contact_share){add_rows(w, &constraint), 1};
  }
}

/// All contacts as one; returns the length of its area vector [m2], 0 when it makes no row.
static double assemble_pair(assembly *w, ts_constraint *constraint, bool only_overlapping) {
  ts_solver *solver = w->solver;
  contact_share *contacts = &solver->contacts[solver->contact_count];
  double length_m2 = ts_constraint_of_pair(constraint, solver->shares, w->set, w->a, w->b,
                                           w->params, w->dt_s, only_overlapping);
  for (size_t k = 0; k < w->set->count; k++)
    contacts[k] = length_m2 > 0 ? (contact_share){solver->row_count, solver->shares[k]}
                                : (contact_share){NO_ROW, 0};
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
      w->solver->contacts[w->solver->contact_count + k] = (contact_share){NO_ROW, 0};
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
  w->solver->soft[row] = (multipliers){{{constraint.soft_normal, 0}, {0, 0}}};
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
  w->solver->soft[row] = (multipliers){{{0, soft}, {soft, 0}}};
  if (response->integration != TS_INTEGRATION_EXPLICIT)
    return;
  const ts_lanes *free = w->solver->rows[row].free;
  w->solver->to[row] = (multipliers){{{0, -drag_kg * free[0][1]}, {-drag_kg * free[1][0], 0}}};
}

static void assemble_viscosity(assembly *w) {
  ts_constraint constraint;
  if (w->params->response.rows == TS_ROWS_PAIR) {
    double area_m2 = ts_constraint_of_pair(&constraint, w->solver->shares, w->set, w->a, w->b,
                                           w->params, w->dt_s, true);
    if (area_m2 > 0)
      add_viscosity(w, &constraint, area_m2);
    return;
  }
  for (size_t k = 0; k < w->set->count; k++) {
    double area_m2 = ts_constraint_area(w->set, k, &w->params->response);
    if (!(area_m2 > 0) || !(w->set->contacts[k].gap_m < 0))
      continue;
    ts_constraint_of_contact(&constraint, &w->set->contacts[k], w->a, w->b, w->params, w->dt_s);
    add_viscosity(w, &constraint, area_m2);
  }
}

static double normal_impulse(const ts_solver *solver, const set_span *span) {
  double sum = 0;
  for (size_t i = 0; i < span->count; i++)
    sum += solver->from[span->first + i].x[0][0];
  return sum;
}

/// Where the solve before left a row of the pair.
static multipliers past_row(const assembly *w, size_t index, size_t row) {
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
    area_m2 += ts_constraint_area(w->set, k, response);
  for (size_t k = 0; k < w->set->count; k++) {
    size_t row = solver->contacts[solver->contact_count + k].row;
    if (row != NO_ROW)
      solver->to[row].x[0][0] = impulse * ts_constraint_area(w->set, k, response) / area_m2;
  }
}

static void assemble_set(assembly *w) {
  ts_solver *solver = w->solver;
  const ts_response_params *response = &w->params->response;
  size_t first = solver->row_count;
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

static void swap_buffers(ts_solver *solver) {
  multipliers *from = solver->from;
  solver->from = solver->to;
  solver->to = from;
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
  solver->ignored_count = solver->constraint_count = 0;
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
    size_t first = solver->row_count;
    assemble_set(&w);
    solver->next_spans[i] =
        (set_span){sets[i].body_a, sets[i].body_b, first, solver->row_count - first};
  }
  swap_buffers(solver);
  ts_contact_frame *frames = solver->frames;
  solver->frames = solver->next_frames;
  solver->next_frames = frames;
  set_span *spans = solver->spans;
  solver->spans = solver->next_spans;
  solver->next_spans = spans;
  solver->span_count = set_count;
  return TS_OK;
}

/// The normal multiplier does not pull; those of friction are in the ball.
static inline void project(double x[TS_ROWS], double friction) {
  x[TS_ROW_NORMAL] = x[TS_ROW_NORMAL] > 0 ? x[TS_ROW_NORMAL] : 0;
  double radius = friction * x[TS_ROW_NORMAL];
  double norm2 =
      x[TS_ROW_S] * x[TS_ROW_S] + x[TS_ROW_T] * x[TS_ROW_T] + x[TS_ROW_SPIN] * x[TS_ROW_SPIN];
  if (norm2 > radius * radius) {
    double scale = radius / sqrt(norm2);
    x[TS_ROW_S] *= scale;
    x[TS_ROW_T] *= scale;
    x[TS_ROW_SPIN] *= scale;
  }
}

static inline ts_lanes product(const ts_lanes row[6], const ts_lanes a[3], const ts_lanes b[3]) {
  return (row[0] * a[0] + row[3] * b[0]) + (row[1] * a[1] + row[4] * b[1]) +
         (row[2] * a[2] + row[5] * b[2]);
}

static inline ts_lanes sum_pairs(ts_lanes a, ts_lanes b) {
  return (ts_lanes){a[0], b[0]} + (ts_lanes){a[1], b[1]};
}

/// Adds what a change of the multipliers does to the scaled velocities of a contact's bodies.
static inline void spread(slot *a, slot *b, const ts_contact_rows *c, ts_lanes normal_s,
                          ts_lanes t_spin) {
  const ts_lanes d[TS_ROWS] = {{normal_s[0], normal_s[0]},
                               {normal_s[1], normal_s[1]},
                               {t_spin[0], t_spin[0]},
                               {t_spin[1], t_spin[1]}};
  for (int i = 0; i < 3; i++) {
    a->v[i] +=
        (c->row[0][i] * d[0] + c->row[1][i] * d[1]) + (c->row[2][i] * d[2] + c->row[3][i] * d[3]);
    b->v[i] += (c->row[0][i + 3] * d[0] + c->row[1][i + 3] * d[1]) +
               (c->row[2][i + 3] * d[2] + c->row[3][i + 3] * d[3]);
  }
}

static inline double larger(double a, double b) {
  return a > b ? a : b;
}

/// One constraint: new multipliers from the velocities as they are, and new velocities from those.
/// All four rows see the same velocities. `soft` NULL: all are hard. Returns the largest change of
/// a multiplier.
static inline double update(multipliers *to, const multipliers *from, const ts_contact_rows *c,
                            const multipliers *soft, slot *slots, double r_scale) {
  slot *a = &slots[c->slot_a], *b = &slots[c->slot_b];
  ts_lanes u0 = sum_pairs(product(c->row[0], a->v, b->v), product(c->row[1], a->v, b->v));
  ts_lanes u1 = sum_pairs(product(c->row[2], a->v, b->v), product(c->row[3], a->v, b->v));
  u0 += c->free[0];
  u1 += c->free[1];
  if (soft) {
    u0 += soft->x[0] * from->x[0];
    u1 += soft->x[1] * from->x[1];
  }
  ts_lanes z0 = from->x[0] - c->r[0] * r_scale * u0;
  ts_lanes z1 = from->x[1] - c->r[1] * r_scale * u1;
  double x[TS_ROWS] = {z0[0], z0[1], z1[0], z1[1]};
  if (soft)
    x[TS_ROW_NORMAL] = x[TS_ROW_NORMAL] > 0 ? x[TS_ROW_NORMAL] : 0;
  else
    project(x, c->friction);
  to->x[0] = (ts_lanes){x[TS_ROW_NORMAL], x[TS_ROW_S]};
  to->x[1] = (ts_lanes){x[TS_ROW_T], x[TS_ROW_SPIN]};
  ts_lanes d0 = to->x[0] - from->x[0], d1 = to->x[1] - from->x[1];
  spread(a, b, c, d0, d1);
  return larger(larger(fabs(d0[0]), fabs(d0[1])), larger(fabs(d1[0]), fabs(d1[1])));
}

/// Inlined with `is_soft` known, so that hard rows do not pay for it.
static inline double sweep_rows(ts_solver *solver, double r_scale, int backwards, bool is_soft) {
  const ts_contact_rows *rows = solver->rows;
  const multipliers *from = solver->from, *soft = solver->soft;
  multipliers *to = solver->to;
  slot *slots = solver->slots;
  double residual = 0;
  size_t count = solver->row_count;
  if (backwards)
    for (size_t i = count; i-- > 0;)
      residual = larger(
          update(&to[i], &from[i], &rows[i], is_soft ? &soft[i] : NULL, slots, r_scale), residual);
  else
    for (size_t i = 0; i < count; i++)
      residual = larger(
          update(&to[i], &from[i], &rows[i], is_soft ? &soft[i] : NULL, slots, r_scale), residual);
  return residual;
}

static double sweep(ts_solver *solver, double r_scale, int backwards, bool is_soft) {
  return is_soft ? sweep_rows(solver, r_scale, backwards, true)
                 : sweep_rows(solver, r_scale, backwards, false);
}

/// Scaled velocities that follow from the multipliers of a warm start.
static void start_velocities(ts_solver *solver) {
  if (solver->slot_count == 0) // nothing is assembled
    return;
  memset(solver->slots, 0, solver->slot_count * sizeof *solver->slots);
  for (size_t i = 0; i < solver->row_count; i++) {
    const ts_contact_rows *c = &solver->rows[i];
    spread(&solver->slots[c->slot_a], &solver->slots[c->slot_b], c, solver->from[i].x[0],
           solver->from[i].x[1]);
  }
}

void ts_solver_solve(ts_solver_report *out, ts_solver *solver, const ts_solver_params *params) {
  ts_solver_report report = {.contact_count = solver->contact_count - solver->ignored_count,
                             .ignored_count = solver->ignored_count,
                             .constraint_count = solver->constraint_count,
                             .r_scale = 1,
                             .explicit_ratio = solver->explicit_ratio};
  bool is_soft = params->response.kind == TS_RESPONSE_PENALTY;
  bool is_explicit = is_soft && params->response.integration == TS_INTEGRATION_EXPLICIT;
  start_velocities(solver);
  double last[2] = {INFINITY, INFINITY}; // forwards, backwards
  size_t slot_bytes = solver->slot_count * sizeof *solver->slots;
  int is_done = report.contact_count == 0 || is_explicit; // all is known then
  while (report.sweeps < params->sweeps && !is_done) {
    int may_roll_back = params->r_reduction < 1 && report.r_scale > params->r_least;
    if (may_roll_back)
      memcpy(solver->kept, solver->slots, slot_bytes);
    int backwards =
        params->order == TS_ORDER_FORTH_BACK && (report.sweeps - report.rollbacks) % 2 != 0;
    double residual = sweep(solver, report.r_scale, backwards, is_soft);
    report.sweeps++;
    if (may_roll_back && residual >= last[backwards]) {
      memcpy(solver->slots, solver->kept, slot_bytes);
      report.r_scale = larger(report.r_scale * params->r_reduction, params->r_least);
      report.rollbacks++;
    } else {
      swap_buffers(solver);
      last[backwards] = residual;
      report.residual_kg_m_s = residual / report.r_scale;
      is_done = report.residual_kg_m_s <= params->tolerance_kg_m_s;
    }
  }
  for (size_t i = 0; i < solver->row_count; i++)
    report.largest_kg_m_s = larger(solver->from[i].x[0][0], report.largest_kg_m_s);
  *out = report;
}

ts_twist ts_solver_change(const ts_solver *solver, const ts_solver_body *bodies, size_t body) {
  if (bodies[body].is_fixed || body + 1 >= solver->slot_count)
    return (ts_twist){{0, 0, 0}, {0, 0, 0}};
  const ts_lanes *v = solver->slots[body + 1].v;
  const double(*m)[3] = bodies[body].inverse_root;
  double w[3] = {v[1][1], v[2][0], v[2][1]};
  ts_vec3 linear = {v[0][0], v[0][1], v[1][0]};
  return (ts_twist){ts_vec3_scale(linear, bodies[body].inverse_root_mass),
                    {m[0][0] * w[0] + m[0][1] * w[1] + m[0][2] * w[2],
                     m[1][0] * w[0] + m[1][1] * w[1] + m[1][2] * w[2],
                     m[2][0] * w[0] + m[2][1] * w[1] + m[2][2] * w[2]}};
}

void ts_solver_multipliers(double out[4], const ts_solver *solver, size_t contact) {
  const contact_share *of = &solver->contacts[contact];
  for (int i = 0; i < TS_ROWS; i++)
    out[i] = of->row == NO_ROW ? 0 : of->share * solver->from[of->row].x[i / 2][i % 2];
}
