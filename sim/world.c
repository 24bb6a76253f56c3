// SPDX-License-Identifier: MIT
#include "sim/world.h"

#include "base/status.h"
#include "geometry/tolerances.h"
#include "sim/params_check.h"
#include "sim/world_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

ts_world_params ts_world_params_default(void) {
  return (ts_world_params){.gravity_m_s2 = {0, -9.82, 0},
                           .dt_s = 0.01,
                           .linear_damping_kg_s = 0.01,
                           .angular_damping_kg_m2_s = 0.01,
                           .solver = ts_solver_params_default()};
}

static ts_status check_params(const ts_world_params *params) {
  if (!ts_vec3_is_finite(params->gravity_m_s2))
    return ts_fail(TS_E_INPUT, "gravity_m_s2 is (%g, %g, %g): every component must be finite",
                   params->gravity_m_s2.x, params->gravity_m_s2.y, params->gravity_m_s2.z);
  if (!(params->dt_s > 0) || !isfinite(params->dt_s))
    return ts_fail(TS_E_INPUT, "dt_s is %g: give a time step above 0", params->dt_s);
  TS_TRY(ts_check_from_zero(params->linear_damping_kg_s, "linear_damping_kg_s"));
  TS_TRY(ts_check_from_zero(params->angular_damping_kg_m2_s, "angular_damping_kg_m2_s"));
  if (params->position_iterations < 0)
    return ts_fail(TS_E_INPUT, "position_iterations is %d: give a number from 0",
                   (int)params->position_iterations);
  TS_TRY(ts_check_from_zero(params->position_tolerance_m, "position_tolerance_m"));
  TS_TRY(ts_check_from_zero(params->position_reach_m, "position_reach_m"));
  return ts_solver_params_check(&params->solver);
}

static ts_vec3 angular_velocity(const ts_world *world, size_t body) {
  return ts_rigid_body_angular(&world->properties[body], &world->states[body]);
}

static void read_body(ts_world *world, size_t body) {
  world->states[body] = ts_rigid_body_read(&world->properties[body], &world->bodies[body]);
}

void ts_world_write_body(ts_world *world, size_t body) {
  ts_rigid_body_write(&world->bodies[body], &world->properties[body], &world->states[body]);
}

static ts_status fill_world(ts_world *world, size_t shape_count, const ts_body *bodies,
                            size_t body_count) {
  // One more than bodies, so that NULL always means out of memory.
  world->bodies = calloc(body_count + 1, sizeof *world->bodies);
  world->bodies_before = calloc(body_count + 1, sizeof *world->bodies_before);
  world->properties = calloc(body_count + 1, sizeof *world->properties);
  world->states = calloc(body_count + 1, sizeof *world->states);
  world->states_before = calloc(body_count + 1, sizeof *world->states_before);
  world->solver_bodies = calloc(body_count + 1, sizeof *world->solver_bodies);
  ts_position_work *position = &world->position;
  position->bodies = calloc(body_count + 1, sizeof *position->bodies);
  position->boxes = calloc(body_count + 1, sizeof *position->boxes);
  position->islands = calloc(body_count + 1, sizeof *position->islands);
  position->shares = calloc(body_count + 1, sizeof *position->shares);
  if (!position->bodies || !position->boxes || !position->islands || !position->shares ||
      !world->bodies || !world->bodies_before || !world->properties || !world->states ||
      !world->states_before || !world->solver_bodies)
    return ts_fail(TS_E_MEMORY, "out of memory: a world of %zu bodies", body_count);
  TS_TRY(ts_solver_create(&world->solver));
  if (world->params.position_iterations > 0 &&
      world->params.solver.response.kind == TS_RESPONSE_VOLUME)
    TS_TRY(ts_solver_create(&world->position_solver));
  world->body_count = body_count;
  double smallest_m = INFINITY;
  double damping = world->params.dt_s * world->params.angular_damping_kg_m2_s;
  for (size_t i = 0; i < body_count; i++) {
    world->bodies[i] = bodies[i];
    TS_TRY(ts_rigid_body_make(&world->properties[i], world->shapes, shape_count, &bodies[i], i,
                              damping));
    if (bodies[i].is_fixed)
      world->bodies[i].twist = (ts_twist){{0, 0, 0}, {0, 0, 0}};
    read_body(world, i);
    if (!bodies[i].is_fixed)
      smallest_m = fmin(smallest_m, ts_aabb_extent(world->shapes[bodies[i].shape].bounds_local));
  }
  if (!(world->params.position_tolerance_m > 0) && isfinite(smallest_m))
    world->params.position_tolerance_m = TS_POSITION_RELATIVE * smallest_m;
  return TS_OK;
}

ts_status ts_world_create(ts_world **out, const ts_shape *shapes, size_t shape_count,
                          const ts_body *bodies, size_t body_count, const ts_world_params *params) {
  TS_TRY(check_params(params));
  if (body_count >= UINT32_MAX)
    return ts_fail(TS_E_INPUT, "%zu bodies are more than the %u that are supported", body_count,
                   UINT32_MAX - 1);
  ts_world *world = calloc(1, sizeof *world);
  if (!world)
    return ts_fail(TS_E_MEMORY, "out of memory: a world of %zu bodies", body_count);
  world->params = *params;
  world->shapes = shapes;
  ts_status status = fill_world(world, shape_count, bodies, body_count);
  if (status != TS_OK) {
    ts_world_destroy(world);
    return status;
  }
  *out = world;
  return TS_OK;
}

void ts_world_destroy(ts_world *world) {
  if (!world)
    return;
  ts_solver_destroy(world->solver);
  ts_solver_destroy(world->position_solver);
  free(world->position.bodies);
  free(world->position.boxes);
  free(world->position.islands);
  free(world->position.shares);
  free(world->bodies);
  free(world->bodies_before);
  free(world->properties);
  free(world->states);
  free(world->states_before);
  free(world->solver_bodies);
  free(world);
}

/// Half a step to the midpoint, with the angular velocity there: to the second order by one
/// correction of the one at the start.
static void move_to_midpoint(ts_world *world, size_t body) {
  ts_body_state *s = &world->states[body];
  double half_s = 0.5 * world->params.dt_s;
  ts_quat start = s->rotation;
  s->centre = ts_vec3_add_scaled(s->centre, half_s, s->velocity_m_s);
  s->rotation = ts_rigid_body_turned(start, angular_velocity(world, body), half_s);
  s->rotation = ts_rigid_body_turned(start, angular_velocity(world, body), half_s);
}

static void move_from_midpoint(ts_world *world, size_t body) {
  ts_body_state *s = &world->states[body];
  double half_s = 0.5 * world->params.dt_s;
  s->centre = ts_vec3_add_scaled(s->centre, half_s, s->velocity_m_s);
  s->rotation = ts_rigid_body_turned(s->rotation, angular_velocity(world, body), half_s);
}

/// What the constant forces do in a step.
static void apply_constant_forces(ts_world *world) {
  for (size_t i = 0; i < world->force_count; i++) {
    const ts_force *f = &world->forces[i];
    size_t body = (size_t)f->body;
    const ts_body_properties *p = &world->properties[body];
    ts_body_state *s = &world->states[body];
    ts_vec3 arm = ts_quat_rotate(s->rotation, ts_vec3_sub(f->point_local, p->centre_local));
    double dt_s = world->params.dt_s;
    s->velocity_m_s = ts_vec3_add_scaled(s->velocity_m_s, dt_s / p->mass_kg, f->force_n);
    s->spin_kg_m2_s = ts_vec3_add_scaled(s->spin_kg_m2_s, dt_s, ts_vec3_cross(arm, f->force_n));
  }
}

/// What gravity and damping do in a step.
static void apply_forces(ts_world *world, size_t body) {
  const ts_world_params *params = &world->params;
  const ts_body_properties *p = &world->properties[body];
  ts_body_state *s = &world->states[body];
  ts_vec3 pushed = ts_vec3_add_scaled(s->velocity_m_s, params->dt_s, params->gravity_m_s2);
  double slowed = 1 + params->dt_s * params->linear_damping_kg_s / p->mass_kg;
  s->velocity_m_s = ts_vec3_scale(pushed, 1 / slowed);
  if (params->angular_damping_kg_m2_s > 0) { // without, not even rounding is to touch the momentum
    ts_vec3 angular = ts_inertia_velocity(&p->damped, s->rotation, s->spin_kg_m2_s);
    s->spin_kg_m2_s = ts_inertia_momentum(&p->inertia, s->rotation, angular);
  }
}

void ts_world_show_solver(ts_solver_body *out, const ts_world *world, size_t body) {
  const ts_body_properties *p = &world->properties[body];
  const ts_body_state *s = &world->states[body];
  *out = (ts_solver_body){.is_fixed = world->bodies[body].is_fixed, .centre = s->centre};
  if (out->is_fixed)
    return;
  out->inverse_root_mass = 1 / sqrt(p->mass_kg);
  ts_inertia_inverse_root(out->inverse_root, &p->inertia, s->rotation);
  out->linear_m_s = s->velocity_m_s;
  out->angular_rad_s = angular_velocity(world, body);
}

static void apply_change(ts_world *world, size_t body) {
  ts_body_state *s = &world->states[body];
  ts_twist change = ts_solver_change(world->solver, world->solver_bodies, body);
  s->velocity_m_s = ts_vec3_add(s->velocity_m_s, change.linear_m_s);
  s->spin_kg_m2_s =
      ts_vec3_add(s->spin_kg_m2_s, ts_inertia_momentum(&world->properties[body].inertia,
                                                       s->rotation, change.angular_rad_s));
}

static ts_status check_finite(const ts_world *world, size_t body) {
  const ts_body_state *s = &world->states[body];
  if (ts_vec3_is_finite(s->centre) && ts_vec3_is_finite(s->velocity_m_s) &&
      ts_vec3_is_finite(world->bodies[body].twist.angular_rad_s) &&
      ts_vec3_is_finite(world->bodies[body].twist.linear_m_s))
    return TS_OK;
  return ts_fail(
      TS_E_INPUT,
      "body %zu has a velocity or position that overflows after %lld steps: look at the contacts "
      "that it had, or take a shorter time step",
      body, (long long)world->step_count);
}

ts_status ts_world_begin_step(ts_world *world) {
  if (world->is_mid_step)
    return ts_fail(TS_E_INPUT, "the step has begun already: end it first");
  memcpy(world->states_before, world->states, world->body_count * sizeof *world->states);
  memcpy(world->bodies_before, world->bodies, world->body_count * sizeof *world->bodies);
  world->is_mid_step = 1;
  world->position.energy_before_j = world->response.position_energy_j;
  world->response.position_iterations = world->response.position_limited = 0;
  for (size_t i = 0; i < world->body_count; i++)
    if (!world->bodies[i].is_fixed) {
      move_to_midpoint(world, i);
      ts_world_write_body(world, i);
    }
  return TS_OK;
}

static void apply_all_forces(ts_world *world) {
  apply_constant_forces(world);
  for (size_t i = 0; i < world->body_count; i++)
    if (!world->bodies[i].is_fixed)
      apply_forces(world, i);
}

/// Builds the rows of a step. Pressures that are to start even need the impulse of each pair: where
/// one has none from the step before, a solve with one row for each pair finds them.
static ts_status assemble(ts_world *world, const ts_contact_set *sets, size_t set_count) {
  const ts_solver_params *params = &world->params.solver;
  const ts_response_params *response = &params->response;
  TS_TRY(ts_solver_assemble(world->solver, world->solver_bodies, world->body_count, sets, set_count,
                            params, world->params.dt_s));
  if (response->kind != TS_RESPONSE_VOLUME || response->rows != TS_ROWS_CONTACT ||
      !response->starts_even || params->warm_start || ts_solver_new_pairs(world->solver) == 0)
    return TS_OK;
  ts_solver_params of_pairs = *params;
  of_pairs.response.rows = TS_ROWS_PAIR;
  ts_solver_report report;
  TS_TRY(ts_solver_assemble(world->solver, world->solver_bodies, world->body_count, sets, set_count,
                            &of_pairs, world->params.dt_s));
  ts_solver_solve(&report, world->solver, &of_pairs);
  return ts_solver_assemble(world->solver, world->solver_bodies, world->body_count, sets, set_count,
                            params, world->params.dt_s);
}

static ts_status finish_step(ts_solver_report *report, ts_world *world, const ts_contact_set *sets,
                             size_t set_count) {
  const ts_world_params *params = &world->params;
  const ts_response_params *response = &params->solver.response;
  // Explicit forces are those at the velocities as they are, before all other forces.
  bool is_explicit =
      response->kind == TS_RESPONSE_PENALTY && response->integration == TS_INTEGRATION_EXPLICIT;
  if (!is_explicit)
    apply_all_forces(world);
  for (size_t i = 0; i < world->body_count; i++)
    ts_world_show_solver(&world->solver_bodies[i], world, i);
  TS_TRY(assemble(world, sets, set_count));
  ts_solver_solve(report, world->solver, &params->solver);
  if (is_explicit)
    apply_all_forces(world);
  for (size_t i = 0; i < world->body_count; i++)
    if (!world->bodies[i].is_fixed) {
      apply_change(world, i);
      move_from_midpoint(world, i);
      ts_world_write_body(world, i);
      TS_TRY(check_finite(world, i));
    }
  return TS_OK;
}

static void undo_step(ts_world *world) {
  memcpy(world->states, world->states_before, world->body_count * sizeof *world->states);
  memcpy(world->bodies, world->bodies_before, world->body_count * sizeof *world->bodies);
  world->response.position_energy_j = world->position.energy_before_j;
  world->is_mid_step = 0;
}

ts_status ts_world_end_step(ts_solver_report *out, ts_world *world, const ts_contact_set *sets,
                            size_t set_count) {
  if (!world->is_mid_step)
    return ts_fail(TS_E_INPUT, "no step has begun: begin one first");
  ts_solver_report report = {0};
  ts_status status = finish_step(&report, world, sets, set_count);
  if (status != TS_OK) {
    undo_step(world);
    return status;
  }
  world->is_mid_step = 0;
  world->step_count++;
  if (out)
    *out = report;
  return TS_OK;
}

/// Finds the contacts of the step that has begun, and makes position steps until they are as they
/// should be.
static ts_status find_contacts(const ts_contact_set **sets, size_t *set_count, ts_world *world,
                               ts_world_contacts contacts, void *context) {
  bool has_moved;
  do {
    TS_TRY(contacts(context, sets, set_count, world->bodies, world->body_count));
    TS_TRY(ts_world_correct(&has_moved, world, *sets, *set_count));
  } while (has_moved);
  return TS_OK;
}

ts_status ts_world_step(ts_solver_report *out, ts_world *world, ts_world_contacts contacts,
                        void *context) {
  const ts_contact_set *sets = NULL;
  size_t set_count = 0;
  TS_TRY(ts_world_begin_step(world));
  if (contacts) {
    ts_status status = find_contacts(&sets, &set_count, world, contacts, context);
    if (status != TS_OK) {
      undo_step(world);
      return status;
    }
  }
  return ts_world_end_step(out, world, sets, set_count);
}

ts_status ts_world_set_forces(ts_world *world, const ts_force *forces, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const ts_force *f = &forces[i];
    if (f->body < 0 || (size_t)f->body >= world->body_count || world->bodies[f->body].is_fixed)
      return ts_fail(TS_E_INPUT, "force %zu acts on body %d: name one that can move, of %zu", i,
                     (int)f->body, world->body_count);
    if (!ts_vec3_is_finite(f->point_local) || !ts_vec3_is_finite(f->force_n))
      return ts_fail(TS_E_INPUT, "force %zu has a point or a vector that is not finite", i);
  }
  world->forces = forces;
  world->force_count = count;
  return TS_OK;
}

ts_world_response ts_world_get_response(const ts_world *world) {
  return world->response;
}

const ts_body *ts_world_bodies(const ts_world *world) {
  return world->bodies;
}

size_t ts_world_body_count(const ts_world *world) {
  return world->body_count;
}

double ts_world_time_s(const ts_world *world) {
  return (double)world->step_count * world->params.dt_s;
}

ts_status ts_world_set_state(ts_world *world, size_t body, ts_pose pose, ts_twist twist) {
  if (world->is_mid_step)
    return ts_fail(TS_E_INPUT, "a step is being done: end it first");
  if (body >= world->body_count)
    return ts_fail(TS_E_INPUT, "there is no body %zu: there are %zu, counted from 0", body,
                   world->body_count);
  TS_TRY(ts_rigid_body_check_state(body, pose, twist));
  world->bodies[body].pose = pose;
  if (!world->bodies[body].is_fixed)
    world->bodies[body].twist = twist;
  read_body(world, body);
  return TS_OK;
}

double ts_world_impulse(const ts_world *world, size_t contact) {
  double multipliers[4];
  ts_solver_multipliers(multipliers, world->solver, contact);
  return multipliers[0];
}

ts_world_motion ts_world_get_motion(const ts_world *world, size_t body) {
  const ts_body_state *s = &world->states[body];
  return (ts_world_motion){.mass_kg = world->properties[body].mass_kg,
                           .centre = s->centre,
                           .velocity_m_s = s->velocity_m_s,
                           .angular_rad_s = world->bodies[body].is_fixed
                                                ? (ts_vec3){0, 0, 0}
                                                : angular_velocity(world, body),
                           .spin_kg_m2_s = s->spin_kg_m2_s};
}

const ts_shape *ts_world_shape(const ts_world *world, size_t body) {
  return &world->shapes[world->bodies[body].shape];
}

ts_pose ts_world_rest_pose(const ts_world *world, size_t body) {
  return world->properties[body].rest;
}

const ts_world_params *ts_world_get_params(const ts_world *world) {
  return &world->params;
}
