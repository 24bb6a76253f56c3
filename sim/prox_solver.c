// SPDX-License-Identifier: MIT
#include "sim/prox_solver.h"

#include "base/array.h"
#include "base/status.h"
#include "geometry/vec3.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 4 };

struct ts_prox_contact {
  size_t bodies[2];
  float jacobian[2][ROWS][6]; ///< normal, two tangents, spin
  float response[2][ROWS][6]; ///< inverse mass times the rows
  float free[ROWS];           ///< velocities along the rows without contacts
  float r[ROWS];
  float friction;
  float x[ROWS], kept[ROWS]; ///< multipliers, and those to roll back to
};

static const float reduction = 0.9F;

static float root(float a) {
  return (float)sqrt((double)a);
}

static void cross(float out[3], const float a[3], const float b[3]) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

/// t is unit and square to n and to an axis; s = t x n has the length of n.
static void set_tangents(float s[3], float t[3], const float n[3]) {
  float x = (float)fabs((double)n[0]), y = (float)fabs((double)n[1]), z = (float)fabs((double)n[2]);
  float axis[3] = {0, 0, 0};
  if (x > y)
    axis[x > z ? 1 : 0] = 1;
  else
    axis[y > z ? 2 : 0] = 1;
  cross(t, n, axis);
  float length = root(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]);
  float inverse = length > 0 ? 1 / length : 0;
  for (int i = 0; i < 3; i++)
    t[i] *= inverse;
  cross(s, t, n);
}

static void set_row(float out[6], const float arm[3], const float along[3], float sign) {
  float about[3];
  cross(about, arm, along);
  for (int i = 0; i < 3; i++) {
    out[i] = sign * along[i];
    out[3 + i] = sign * about[i];
  }
}

static void set_jacobian(ts_prox_contact *c, const ts_contact *contact,
                         const ts_prox_solver_body *bodies) {
  const float n[3] = {(float)contact->normal.x, (float)contact->normal.y, (float)contact->normal.z};
  const float p[3] = {(float)contact->point.x, (float)contact->point.y, (float)contact->point.z};
  float s[3], t[3];
  set_tangents(s, t, n);
  for (int side = 0; side < 2; side++) {
    const float *centre = bodies[c->bodies[side]].centre;
    const float arm[3] = {p[0] - centre[0], p[1] - centre[1], p[2] - centre[2]};
    float sign = side == 0 ? -1 : 1;
    float(*rows)[6] = c->jacobian[side];
    set_row(rows[0], arm, n, sign);
    set_row(rows[1], arm, t, sign);
    set_row(rows[2], arm, s, sign);
    for (int i = 0; i < 3; i++) {
      rows[3][i] = 0;
      rows[3][3 + i] = sign * n[i];
    }
  }
}

static float product(const float a[6], const float b[6]) {
  float sum = 0;
  for (int i = 0; i < 6; i++)
    sum += a[i] * b[i];
  return sum;
}

static void set_rest(ts_prox_contact *c, const ts_prox_solver_body *bodies) {
  for (int side = 0; side < 2; side++) {
    const ts_prox_solver_body *b = &bodies[c->bodies[side]];
    for (int row = 0; row < ROWS; row++) {
      const float *j = c->jacobian[side][row];
      float *out = c->response[side][row];
      for (int i = 0; i < 3; i++) {
        out[i] = b->inverse_mass * j[i];
        out[3 + i] = b->inverse_inertia[i][0] * j[3] + b->inverse_inertia[i][1] * j[4] +
                     b->inverse_inertia[i][2] * j[5];
      }
    }
  }
  const ts_prox_solver_body *a = &bodies[c->bodies[0]], *b = &bodies[c->bodies[1]];
  for (int row = 0; row < ROWS; row++) {
    const float *ja = c->jacobian[0][row], *jb = c->jacobian[1][row];
    float moving = product(ja, a->velocity) + product(jb, b->velocity);
    c->free[row] = moving + product(ja, a->change) + product(jb, b->change);
    float own = product(ja, c->response[0][row]) + product(jb, c->response[1][row]);
    c->r[row] = own > 0 ? 1 / own : 0;
    c->x[row] = c->kept[row] = 0;
  }
}

void ts_prox_solver_clear(ts_prox_solver *solver) {
  free(solver->contacts);
  free(solver->w);
  *solver = (ts_prox_solver){0};
}

static ts_status check(const ts_contact_set *set, size_t index) {
  const ts_contact *c = &set->contacts[index];
  if (ts_vec3_is_finite(c->point) && ts_vec3_is_finite(c->normal) && ts_vec3_norm2(c->normal) > 0)
    return TS_OK;
  return ts_fail(TS_E_INPUT,
                 "contact %zu of bodies %d and %d has the point (%g, %g, %g) and the normal (%g, "
                 "%g, %g): give finite numbers and a direction, or leave the contact out",
                 index, (int)set->body_a, (int)set->body_b, c->point.x, c->point.y, c->point.z,
                 c->normal.x, c->normal.y, c->normal.z);
}

/// Contacts between two fixed bodies are left out.
static ts_status assemble(size_t *out_count, ts_prox_solver *solver,
                          const ts_prox_solver_body *bodies, size_t body_count,
                          const ts_contact_set *sets, size_t set_count,
                          const ts_prox_solver_params *params) {
  size_t count = 0, filled = 0;
  for (size_t i = 0; i < set_count; i++)
    count += sets[i].count;
  TS_TRY(TS_HEAP_GROW(solver->contacts, solver->capacity, 0, count));
  TS_TRY(TS_HEAP_GROW(solver->w, solver->body_capacity, 0, body_count));
  for (size_t i = 0; i < set_count; i++) {
    size_t a = (size_t)sets[i].body_a, b = (size_t)sets[i].body_b;
    bool is_fixed[2] = {bodies[a].is_fixed, bodies[b].is_fixed};
    for (size_t k = 0; k < sets[i].count; k++) {
      TS_TRY(check(&sets[i], k));
      if (is_fixed[0] && is_fixed[1])
        continue;
      ts_prox_contact *c = &solver->contacts[filled++];
      *c = (ts_prox_contact){.bodies = {a, b},
                             .friction = is_fixed[0] || is_fixed[1] ? params->friction_fixed
                                                                    : params->friction};
      set_jacobian(c, &sets[i].contacts[k], bodies);
      set_rest(c, bodies);
    }
  }
  *out_count = filled;
  return TS_OK;
}

/// The closest point of the cone's section: no pull, friction in a ball over all three rows.
static void project(float x[ROWS], const float z[ROWS], float friction) {
  x[0] = z[0] > 0 ? z[0] : 0;
  if (!(x[0] > 0)) {
    x[1] = x[2] = x[3] = 0;
    return;
  }
  float radius = friction * x[0];
  float square = z[1] * z[1] + z[2] * z[2] + z[3] * z[3];
  float scale = square <= radius * radius ? 1 : radius / root(square);
  for (int row = 1; row < ROWS; row++)
    x[row] = scale * z[row];
}

static void spread(float w[6], const float response[ROWS][6], const float change[ROWS]) {
  for (int i = 0; i < 6; i++) {
    float sum = 0;
    for (int row = 0; row < ROWS; row++)
      sum += response[row][i] * change[row];
    w[i] += sum;
  }
}

static void update(ts_prox_contact *c, float (*w)[6]) {
  float z[ROWS], change[ROWS];
  float *wa = w[c->bodies[0]], *wb = w[c->bodies[1]];
  for (int row = 0; row < ROWS; row++) {
    float moving = product(c->jacobian[0][row], wa) + product(c->jacobian[1][row], wb);
    z[row] = c->x[row] - c->r[row] * (moving + c->free[row]);
    change[row] = c->x[row];
  }
  project(c->x, z, c->friction);
  for (int row = 0; row < ROWS; row++)
    change[row] = c->x[row] - change[row];
  spread(wa, (const float(*)[6])c->response[0], change);
  spread(wb, (const float(*)[6])c->response[1], change);
}

static float largest_change(const ts_prox_contact *contacts, size_t count) {
  float largest = 0;
  for (size_t k = 0; k < count; k++)
    for (int row = 0; row < ROWS; row++) {
      float change = (float)fabs((double)(contacts[k].kept[row] - contacts[k].x[row]));
      largest = change > largest ? change : largest;
    }
  return largest;
}

static void roll_back(ts_prox_contact *c) {
  for (int row = 0; row < ROWS; row++) {
    c->x[row] = c->kept[row];
    c->r[row] *= reduction;
  }
}

static void sweep_all(ts_prox_report *out, ts_prox_solver *solver, size_t count, int32_t sweeps) {
  ts_prox_contact *contacts = solver->contacts;
  float last = INFINITY;
  for (; out->sweeps < sweeps && last > 0; out->sweeps++) {
    for (size_t k = 0; k < count; k++)
      update(&contacts[k], solver->w);
    float residual = largest_change(contacts, count);
    if (residual > last) {
      out->rollbacks++;
      for (size_t k = 0; k < count; k++)
        roll_back(&contacts[k]);
      continue;
    }
    last = residual;
    for (size_t k = 0; k < count; k++)
      memcpy(contacts[k].kept, contacts[k].x, sizeof contacts[k].kept);
  }
  out->residual_kg_m_s = isfinite(last) ? (double)last : 0;
}

ts_status ts_prox_solver_solve(ts_prox_report *out, ts_prox_solver *solver,
                               ts_prox_solver_body *bodies, size_t body_count,
                               const ts_contact_set *sets, size_t set_count,
                               const ts_prox_solver_params *params) {
  size_t count;
  *out = (ts_prox_report){0};
  TS_TRY(assemble(&count, solver, bodies, body_count, sets, set_count, params));
  for (size_t i = 0; i < body_count; i++)
    memset(solver->w[i], 0, sizeof solver->w[i]);
  if (count > 0)
    sweep_all(out, solver, count, params->sweeps);
  // The velocities of the multipliers, which may not be those of the last sweep.
  for (size_t i = 0; i < body_count; i++)
    memset(solver->w[i], 0, sizeof solver->w[i]);
  for (size_t k = 0; k < count; k++) {
    const ts_prox_contact *c = &solver->contacts[k];
    for (int side = 0; side < 2; side++)
      spread(solver->w[c->bodies[side]], (const float(*)[6])c->response[side], c->x);
  }
  for (size_t i = 0; i < body_count; i++)
    for (int k = 0; k < 6 && !bodies[i].is_fixed; k++)
      bodies[i].velocity[k] = bodies[i].velocity[k] + bodies[i].change[k] + solver->w[i][k];
  return TS_OK;
}
