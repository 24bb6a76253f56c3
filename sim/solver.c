// SPDX-License-Identifier: MIT
#include "sim/solver.h"

#include "base/status.h"
#include "sim/contact_rows.h"

#include <math.h>
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

/// Where the contacts of a set are among all.
typedef struct set_span {
  int32_t body_a, body_b;
  size_t first, count;
} set_span;

struct ts_solver {
  ts_contact_rows *rows;  ///< [contact_count]
  multipliers *from, *to; ///< [contact_count]; a sweep reads the one and writes the other
  ts_contact_frame *frames, *next_frames;
  size_t contact_count, contact_capacity;
  set_span *spans, *next_spans; ///< [span_count]
  size_t span_count, span_capacity;
  slot *slots, *kept; ///< [slot_count]; `kept`: to roll back to
  size_t slot_count, slot_capacity;
  size_t ignored_count;
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
  TS_TRY(check_from_zero(params->allowance_m, "allowance_m"));
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
  return TS_OK;
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
  void *const arrays[] = {solver->rows,        solver->from,  solver->to,
                          solver->frames,      solver->spans, solver->next_spans,
                          solver->next_frames, solver->slots, solver->kept};
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
  if (contacts > solver->contact_capacity) {
    size_t capacity = grown_capacity(solver->contact_capacity, contacts);
    REGROW(solver->rows, capacity, 0);
    REGROW(solver->from, capacity, solver->contact_count);
    REGROW(solver->to, capacity, 0);
    REGROW(solver->frames, capacity, solver->contact_count);
    REGROW(solver->next_frames, capacity, 0);
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

static ts_status check_sets(const ts_contact_set *sets, size_t set_count, size_t body_count) {
  for (size_t i = 0; i < set_count; i++) {
    const ts_contact_set *set = &sets[i];
    if (set->body_a < 0 || set->body_a >= set->body_b || (size_t)set->body_b >= body_count)
      return ts_fail(TS_E_INPUT,
                     "contact set %zu is of bodies %d and %d, but there are %zu bodies, counted "
                     "from 0, and the lower comes first",
                     i, (int)set->body_a, (int)set->body_b, body_count);
    for (size_t k = 0; k < set->count; k++)
      TS_TRY(check_contact(set, k));
  }
  return TS_OK;
}

/// The span of the pair in the solve before; NULL when it has another count. `cursor` is where to
/// try first: sets tend to come in the same order again.
static const set_span *find_past(const ts_solver *solver, const ts_contact_set *set,
                                 size_t *cursor) {
  for (size_t step = 0; step < solver->span_count; step++) {
    size_t index = (*cursor + step) % solver->span_count;
    const set_span *span = &solver->spans[index];
    if (span->body_a == set->body_a && span->body_b == set->body_b) {
      *cursor = index + 1;
      return span->count == set->count ? span : NULL;
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

static void fill_set(ts_solver *solver, const ts_contact_set *set, size_t first,
                     const set_span *past, const ts_solver_body *bodies,
                     const ts_solver_params *params, double dt_s) {
  const ts_solver_body *a = &bodies[set->body_a], *b = &bodies[set->body_b];
  for (size_t k = 0; k < set->count; k++) {
    ts_contact_rows *rows = &solver->rows[first + k];
    ts_contact_frame *frame = &solver->next_frames[first + k];
    ts_contact_rows_fill(rows, frame, &set->contacts[k], a, b, params, dt_s);
    rows->slot_a = a->is_fixed ? 0 : (uint32_t)set->body_a + 1;
    rows->slot_b = b->is_fixed ? 0 : (uint32_t)set->body_b + 1;
    solver->to[first + k] = past ? turn_multipliers(solver->from[past->first + k],
                                                    &solver->frames[past->first + k], frame)
                                 : (multipliers){{{0, 0}, {0, 0}}};
  }
  if (a->is_fixed && b->is_fixed)
    solver->ignored_count += set->count;
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
  ts_status status = check_sets(sets, set_count, body_count);
  if (status == TS_OK)
    status = make_room(solver, count, set_count, body_count + 1);
  if (status != TS_OK) {
    solver->contact_count = solver->span_count = solver->slot_count = 0;
    solver->ignored_count = 0;
    return status;
  }
  solver->slot_count = body_count + 1;
  solver->ignored_count = count = 0;
  for (size_t i = 0; i < set_count; i++) {
    const set_span *past = params->warm_start ? find_past(solver, &sets[i], &cursor) : NULL;
    fill_set(solver, &sets[i], count, past, bodies, params, dt_s);
    solver->next_spans[i] = (set_span){sets[i].body_a, sets[i].body_b, count, sets[i].count};
    count += sets[i].count;
  }
  swap_buffers(solver);
  ts_contact_frame *frames = solver->frames;
  solver->frames = solver->next_frames;
  solver->next_frames = frames;
  set_span *spans = solver->spans;
  solver->spans = solver->next_spans;
  solver->next_spans = spans;
  solver->contact_count = count;
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

/// One contact: new multipliers from the velocities as they are, and new velocities from those. All
/// four rows see the same velocities. Returns the largest change of a multiplier.
static inline double update(multipliers *to, const multipliers *from, const ts_contact_rows *c,
                            slot *slots, double r_scale) {
  slot *a = &slots[c->slot_a], *b = &slots[c->slot_b];
  ts_lanes u0 = sum_pairs(product(c->row[0], a->v, b->v), product(c->row[1], a->v, b->v));
  ts_lanes u1 = sum_pairs(product(c->row[2], a->v, b->v), product(c->row[3], a->v, b->v));
  ts_lanes z0 = from->x[0] - c->r[0] * r_scale * (u0 + c->free[0]);
  ts_lanes z1 = from->x[1] - c->r[1] * r_scale * (u1 + c->free[1]);
  double x[TS_ROWS] = {z0[0], z0[1], z1[0], z1[1]};
  project(x, c->friction);
  to->x[0] = (ts_lanes){x[TS_ROW_NORMAL], x[TS_ROW_S]};
  to->x[1] = (ts_lanes){x[TS_ROW_T], x[TS_ROW_SPIN]};
  ts_lanes d0 = to->x[0] - from->x[0], d1 = to->x[1] - from->x[1];
  spread(a, b, c, d0, d1);
  return larger(larger(fabs(d0[0]), fabs(d0[1])), larger(fabs(d1[0]), fabs(d1[1])));
}

static double sweep(ts_solver *solver, double r_scale, int backwards) {
  const ts_contact_rows *rows = solver->rows;
  const multipliers *from = solver->from;
  multipliers *to = solver->to;
  slot *slots = solver->slots;
  double residual = 0;
  size_t count = solver->contact_count;
  if (backwards)
    for (size_t i = count; i-- > 0;)
      residual = larger(update(&to[i], &from[i], &rows[i], slots, r_scale), residual);
  else
    for (size_t i = 0; i < count; i++)
      residual = larger(update(&to[i], &from[i], &rows[i], slots, r_scale), residual);
  return residual;
}

/// Scaled velocities that follow from the multipliers of a warm start.
static void start_velocities(ts_solver *solver) {
  if (solver->slot_count == 0) // nothing is assembled
    return;
  memset(solver->slots, 0, solver->slot_count * sizeof *solver->slots);
  for (size_t i = 0; i < solver->contact_count; i++) {
    const ts_contact_rows *c = &solver->rows[i];
    spread(&solver->slots[c->slot_a], &solver->slots[c->slot_b], c, solver->from[i].x[0],
           solver->from[i].x[1]);
  }
}

void ts_solver_solve(ts_solver_report *out, ts_solver *solver, const ts_solver_params *params) {
  ts_solver_report report = {.contact_count = solver->contact_count - solver->ignored_count,
                             .ignored_count = solver->ignored_count,
                             .r_scale = 1};
  start_velocities(solver);
  double last[2] = {INFINITY, INFINITY}; // forwards, backwards
  size_t slot_bytes = solver->slot_count * sizeof *solver->slots;
  int is_done = report.contact_count == 0;
  while (report.sweeps < params->sweeps && !is_done) {
    int may_roll_back = params->r_reduction < 1 && report.r_scale > params->r_least;
    if (may_roll_back)
      memcpy(solver->kept, solver->slots, slot_bytes);
    int backwards =
        params->order == TS_ORDER_FORTH_BACK && (report.sweeps - report.rollbacks) % 2 != 0;
    double residual = sweep(solver, report.r_scale, backwards);
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
  for (size_t i = 0; i < solver->contact_count; i++)
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
  const multipliers *x = &solver->from[contact];
  for (int i = 0; i < TS_ROWS; i++)
    out[i] = x->x[i / 2][i % 2];
}
