// SPDX-License-Identifier: MIT
#include "sim/prox_world.h"

#include "base/status.h"
#include "sim/prox_solver.h"

#include <math.h>
#include <stdlib.h>

typedef struct quat {
  float w, v[3];
} quat;

typedef struct properties {
  float mass_kg, inertia_kg_m2[3][3]; ///< local
} properties;

struct ts_prox_world {
  ts_prox_world_params params;
  size_t body_count;
  ts_body *bodies; ///< [body_count], as all below
  properties *properties;
  quat *midway; ///< orientations at the midpoint of the step
  ts_prox_solver_body *solver_bodies;
  ts_prox_solver *solver;
};

static float dot(const float a[3], const float b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static float root(float a) {
  return (float)sqrt((double)a);
}

/// The turn by an angle about the direction of `angular`; none when it has no direction.
static quat turn_about(const float angular[3], float dt_s) {
  float speed = root(dot(angular, angular));
  if (!(speed > 0))
    return (quat){1, {0, 0, 0}};
  float half = speed * dt_s / 2, inverse = 1 / speed;
  float axis[3] = {angular[0] * inverse, angular[1] * inverse, angular[2] * inverse};
  inverse = 1 / root(dot(axis, axis)); // made unit twice
  float sine = (float)sin((double)half);
  quat turn = {.w = (float)cos((double)half)};
  for (int i = 0; i < 3; i++)
    turn.v[i] = axis[i] * inverse * sine;
  return turn;
}

static quat product(quat a, quat b) {
  quat out = {.w = a.w * b.w - dot(a.v, b.v)};
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    out.v[i] = (a.w * b.v[i] + a.v[i] * b.w) + (a.v[j] * b.v[k] - a.v[k] * b.v[j]);
  }
  return out;
}

static quat unit(quat q) {
  float length = root(dot(q.v, q.v) + q.w * q.w);
  return (quat){q.w / length, {q.v[0] / length, q.v[1] / length, q.v[2] / length}};
}

static void copy(float to[3], ts_vec3 from) {
  to[0] = (float)from.x;
  to[1] = (float)from.y;
  to[2] = (float)from.z;
}

static quat orientation(const ts_body *body) {
  ts_quat r = body->pose.rotation;
  return (quat){(float)r.w, {(float)r.x, (float)r.y, (float)r.z}};
}

/// Moves a body by half a step with its twist, from this orientation, and returns the one that the
/// next half starts from. The body itself has it made unit once more, which rounding may change.
static quat move(ts_body *body, quat q, float half_s) {
  float at[3], velocity[3], angular[3];
  copy(at, body->pose.translation);
  copy(velocity, body->twist.linear_m_s);
  copy(angular, body->twist.angular_rad_s);
  for (int i = 0; i < 3; i++)
    at[i] = at[i] + half_s * velocity[i];
  q = unit(product(turn_about(angular, half_s), q));
  quat own = unit(q);
  body->pose = (ts_pose){{(double)own.w, (double)own.v[0], (double)own.v[1], (double)own.v[2]},
                         {(double)at[0], (double)at[1], (double)at[2]}};
  return q;
}

static float half_step_s(const ts_prox_world *world) {
  return (float)world->params.dt_s * 0.5F;
}

static ts_status fill(ts_prox_world *world, const ts_body *bodies, const ts_prox_mass *masses,
                      size_t count) {
  world->bodies = calloc(count + 1, sizeof *world->bodies);
  world->properties = calloc(count + 1, sizeof *world->properties);
  world->midway = calloc(count + 1, sizeof *world->midway);
  world->solver_bodies = calloc(count + 1, sizeof *world->solver_bodies);
  world->solver = calloc(1, sizeof *world->solver);
  if (!world->bodies || !world->properties || !world->midway || !world->solver_bodies ||
      !world->solver)
    return ts_fail(TS_E_MEMORY, "out of memory: a world of %zu bodies", count);
  world->body_count = count;
  for (size_t i = 0; i < count; i++) {
    world->bodies[i] = bodies[i];
    if (bodies[i].is_fixed) {
      world->bodies[i].twist = (ts_twist){{0, 0, 0}, {0, 0, 0}};
      continue;
    }
    const ts_prox_mass *m = &masses[i];
    if (!((float)m->mass_kg > 0) || !isfinite((float)m->mass_kg))
      return ts_fail(TS_E_INPUT, "body %zu has a mass of %g kg: give it one above 0, or fix it", i,
                     m->mass_kg);
    world->properties[i].mass_kg = (float)m->mass_kg;
    for (int r = 0; r < 3; r++)
      for (int c = 0; c < 3; c++)
        world->properties[i].inertia_kg_m2[r][c] = (float)m->inertia_kg_m2[r][c];
  }
  return TS_OK;
}

ts_status ts_prox_world_create(ts_prox_world **out, const ts_body *bodies,
                               const ts_prox_mass *masses, size_t body_count,
                               const ts_prox_world_params *params) {
  ts_prox_world *world = calloc(1, sizeof *world);
  if (!world)
    return ts_fail(TS_E_MEMORY, "out of memory: a world of %zu bodies", body_count);
  world->params = *params;
  ts_status status = fill(world, bodies, masses, body_count);
  if (status != TS_OK) {
    ts_prox_world_destroy(world);
    return status;
  }
  *out = world;
  return TS_OK;
}

void ts_prox_world_destroy(ts_prox_world *world) {
  if (!world)
    return;
  if (world->solver)
    ts_prox_solver_clear(world->solver);
  free(world->solver);
  free(world->solver_bodies);
  free(world->midway);
  free(world->properties);
  free(world->bodies);
  free(world);
}

void ts_prox_world_begin_step(ts_prox_world *world) {
  for (size_t i = 0; i < world->body_count; i++) {
    ts_body *body = &world->bodies[i];
    if (!body->is_fixed)
      world->midway[i] = move(body, orientation(body), half_step_s(world));
  }
}

static void set_matrix(float out[3][3], ts_quat rotation) {
  float w = (float)rotation.w;
  const float v[3] = {(float)rotation.x, (float)rotation.y, (float)rotation.z};
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    int low = j < k ? j : k, high = j < k ? k : j;
    out[i][i] = 1 - 2 * (v[low] * v[low] + v[high] * v[high]);
    out[j][i] = 2 * (v[i] * v[j] + w * v[k]);
    out[i][j] = 2 * (v[i] * v[j] - w * v[k]);
  }
}

/// R m R^T.
static void turn_tensor(float out[3][3], ts_quat rotation, const float m[3][3]) {
  float r[3][3];
  set_matrix(r, rotation);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      out[i][j] = 0;
      for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++)
          out[i][j] += r[i][k] * r[j][l] * m[k][l];
    }
}

static void invert(float out[3][3], const float m[3][3]) {
  float cofactor[3][3];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      int a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
      cofactor[i][j] = m[a][c] * m[b][d] - m[a][d] * m[b][c];
    }
  float determinant =
      m[0][0] * cofactor[0][0] + m[0][1] * cofactor[0][1] + m[0][2] * cofactor[0][2];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      out[j][i] = cofactor[i][j] / determinant;
}

/// What gravity, damping and the gyroscopic torque change in a step, and what the solver knows.
static void show_solver(ts_prox_world *world, size_t body) {
  const ts_prox_world_params *p = &world->params;
  const ts_body *b = &world->bodies[body];
  ts_prox_solver_body *out = &world->solver_bodies[body];
  *out = (ts_prox_solver_body){.is_fixed = b->is_fixed};
  copy(out->centre, b->pose.translation);
  if (b->is_fixed)
    return;
  copy(out->velocity, b->twist.linear_m_s);
  copy(out->velocity + 3, b->twist.angular_rad_s);
  const properties *own = &world->properties[body];
  float tensor[3][3];
  turn_tensor(tensor, b->pose.rotation, (const float(*)[3])own->inertia_kg_m2);
  invert(out->inverse_inertia, (const float(*)[3])tensor);
  out->inverse_mass = 1 / own->mass_kg;
  float gravity[3], momentum[3], torque[3], dt_s = (float)p->dt_s;
  const float *w = out->velocity + 3;
  copy(gravity, p->gravity_m_s2);
  for (int i = 0; i < 3; i++) {
    momentum[i] = 0;
    for (int j = 0; j < 3; j++)
      momentum[i] += tensor[i][j] * w[j];
  }
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    float force = own->mass_kg * gravity[i] - out->velocity[i] * (float)p->linear_damping_kg_s;
    out->change[i] = out->inverse_mass * (dt_s * force);
    float gyroscopic = w[j] * momentum[k] - w[k] * momentum[j];
    torque[i] = dt_s * (-(w[i] * (float)p->angular_damping_kg_m2_s) - gyroscopic);
  }
  for (int i = 0; i < 3; i++)
    out->change[3 + i] = out->inverse_inertia[i][0] * torque[0] +
                         out->inverse_inertia[i][1] * torque[1] +
                         out->inverse_inertia[i][2] * torque[2];
}

ts_status ts_prox_world_end_step(ts_prox_report *out, ts_prox_world *world,
                                 const ts_contact_set *sets, size_t set_count) {
  for (size_t i = 0; i < world->body_count; i++)
    show_solver(world, i);
  const ts_prox_solver_params params = {.friction = (float)world->params.friction,
                                        .friction_fixed = (float)world->params.friction_fixed,
                                        .sweeps = world->params.sweeps};
  TS_TRY(ts_prox_solver_solve(out, world->solver, world->solver_bodies, world->body_count, sets,
                              set_count, &params));
  for (size_t i = 0; i < world->body_count; i++) {
    ts_body *body = &world->bodies[i];
    if (body->is_fixed)
      continue;
    const float *u = world->solver_bodies[i].velocity;
    body->twist = (ts_twist){{(double)u[0], (double)u[1], (double)u[2]},
                             {(double)u[3], (double)u[4], (double)u[5]}};
    move(body, world->midway[i], half_step_s(world));
  }
  return TS_OK;
}

const ts_body *ts_prox_world_bodies(const ts_prox_world *world) {
  return world->bodies;
}
