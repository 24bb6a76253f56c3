// SPDX-License-Identifier: MIT
#include "sim/soft/soft_world.h"

#include "base/status.h"
#include "sim/params_check.h"
#include "sim/soft/soft_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

ts_soft_world_params ts_soft_world_params_default(void) {
  return (ts_soft_world_params){.gravity_m_s2 = {0, -9.82, 0},
                                .dt_s = 0.01,
                                .friction = 0.5,
                                .friction_fixed = 0.5,
                                .response = TS_COMPLIANCE_EXACT,
                                .solver = {.sweeps = 1000, .tolerance_m = 1e-10}};
}

static ts_status check_params(const ts_soft_world_params *params) {
  if (!ts_vec3_is_finite(params->gravity_m_s2))
    return ts_fail(TS_E_INPUT, "gravity_m_s2 is (%g, %g, %g): every component must be finite",
                   params->gravity_m_s2.x, params->gravity_m_s2.y, params->gravity_m_s2.z);
  if (!(params->dt_s > 0) || !isfinite(params->dt_s))
    return ts_fail(TS_E_INPUT, "dt_s is %g: give a time step above 0", params->dt_s);
  TS_TRY(ts_check_from_zero(params->friction, "friction"));
  TS_TRY(ts_check_from_zero(params->friction_fixed, "friction_fixed"));
  TS_TRY(ts_check_from_zero(params->solver.tolerance_m, "tolerance_m"));
  if (params->solver.sweeps < 0)
    return ts_fail(TS_E_INPUT, "sweeps is %d: give a number from 0", (int)params->solver.sweeps);
  if (params->response < 0 || params->response >= TS_COMPLIANCE_COUNT)
    return ts_fail(TS_E_INPUT, "response is %d: give a ts_compliance_kind", (int)params->response);
  return TS_OK;
}

static ts_status make_deformable(ts_soft_body *out, ts_soft_world *world, size_t index) {
  if (out->body.is_fixed)
    return ts_fail(TS_E_INPUT,
                   "body %zu is deformable and fixed: clamp some of its nodes, or make it rigid",
                   index);
  const ts_shape *shape = &world->shapes[out->body.shape];
  TS_TRY(ts_tet_body_create(&out->tet, shape, &out->body, world->params.dt_s));
  out->body.elastic = ts_tet_body_elastic(out->tet); // which lives as long as the world
  size_t count = ts_tet_body_node_count(out->tet);
  out->nodes = ts_arena_array(world->arena, count, sizeof *out->nodes);
  out->free_m = ts_arena_array(world->arena, count, sizeof *out->free_m);
  out->correction_m = ts_arena_array(world->arena, count, sizeof *out->correction_m);
  out->exact_m = ts_arena_array(world->arena, count, sizeof *out->exact_m);
  return out->nodes && out->free_m && out->correction_m && out->exact_m ? TS_OK : TS_E_MEMORY;
}

static ts_status make_body(ts_soft_world *world, size_t shape_count, const ts_body *bodies,
                           size_t index) {
  ts_soft_body *out = &world->bodies[index];
  out->body = bodies[index];
  // Mass and inertia of a deformable body are those of its tets; all else is checked here.
  ts_body checked = bodies[index];
  checked.is_fixed = checked.is_fixed || checked.elastic;
  TS_TRY(ts_rigid_body_make(&out->properties, world->shapes, shape_count, &checked, index, 0));
  out->size_m = ts_aabb_extent(world->shapes[out->body.shape].bounds_local);
  if (out->body.elastic)
    return make_deformable(out, world, index);
  if (out->body.is_fixed)
    out->body.twist = (ts_twist){{0, 0, 0}, {0, 0, 0}};
  out->state = out->before = ts_rigid_body_read(&out->properties, &out->body);
  return TS_OK;
}

static ts_status fill_world(ts_soft_world *world, size_t shape_count, const ts_body *bodies,
                            size_t body_count) {
  TS_TRY(ts_arena_create(&world->arena));
  TS_TRY(ts_arena_create(&world->step_arena));
  world->bodies = ts_arena_array(world->arena, body_count, sizeof *world->bodies);
  if (!world->bodies)
    return TS_E_MEMORY;
  world->body_count = body_count;
  for (size_t i = 0; i < body_count; i++)
    TS_TRY(make_body(world, shape_count, bodies, i));
  return TS_OK;
}

ts_status ts_soft_world_create(ts_soft_world **out, const ts_shape *shapes, size_t shape_count,
                               const ts_body *bodies, size_t body_count,
                               const ts_soft_world_params *params) {
  TS_TRY(check_params(params));
  if (body_count > INT32_MAX)
    return ts_fail(TS_E_INPUT, "%zu bodies are more than the %d that are supported", body_count,
                   INT32_MAX);
  ts_soft_world *world = calloc(1, sizeof *world);
  if (!world)
    return ts_fail(TS_E_MEMORY, "out of memory: a world of %zu bodies", body_count);
  world->params = *params;
  world->shapes = shapes;
  ts_status status = fill_world(world, shape_count, bodies, body_count);
  if (status != TS_OK) {
    ts_soft_world_destroy(world);
    return status;
  }
  *out = world;
  return TS_OK;
}

void ts_soft_world_destroy(ts_soft_world *world) {
  if (!world)
    return;
  for (size_t i = 0; i < world->body_count; i++)
    ts_tet_body_destroy(world->bodies[i].tet);
  if (world->arena)
    ts_arena_destroy(world->arena);
  if (world->step_arena)
    ts_arena_destroy(world->step_arena);
  free(world->forces_n);
  free(world);
}

size_t ts_soft_world_body_count(const ts_soft_world *world) {
  return world->body_count;
}

const ts_tet_body *ts_soft_world_tet_body(const ts_soft_world *world, size_t body) {
  return world->bodies[body].tet;
}

const ts_vec3 *ts_soft_world_nodes(const ts_soft_world *world, size_t body) {
  const ts_soft_body *b = &world->bodies[body];
  return world->is_mid_step ? b->nodes : ts_tet_body_positions(b->tet);
}

ts_pose ts_soft_world_pose(const ts_soft_world *world, size_t body) {
  return world->bodies[body].body.pose;
}

double ts_soft_world_force_n(const ts_soft_world *world, size_t contact) {
  return world->forces_n[contact];
}

ts_status ts_soft_world_set_nodes(ts_soft_world *world, size_t body, const ts_vec3 *positions,
                                  const ts_vec3 *velocities) {
  if (world->is_mid_step)
    return ts_fail(TS_E_INPUT, "a step is being done: end it first");
  if (body >= world->body_count || !world->bodies[body].tet)
    return ts_fail(TS_E_INPUT, "there is no deformable body %zu", body);
  ts_tet_body *tet = world->bodies[body].tet;
  for (size_t i = 0; i < ts_tet_body_node_count(tet); i++)
    if (!ts_vec3_is_finite(positions[i]) || !ts_vec3_is_finite(velocities[i]))
      return ts_fail(TS_E_INPUT,
                     "node %zu of body %zu has a position or velocity that is not finite", i, body);
  ts_tet_body_set_state(tet, positions, velocities);
  return TS_OK;
}

static ts_status check_force(const ts_soft_world *world, const ts_force *force, size_t index) {
  if (force->body < 0 || (size_t)force->body >= world->body_count ||
      !ts_soft_body_moves(&world->bodies[force->body]))
    return ts_fail(TS_E_INPUT, "force %zu acts on body %d: name one that can move, of %zu", index,
                   (int)force->body, world->body_count);
  if (!ts_vec3_is_finite(force->point_local) || !ts_vec3_is_finite(force->force_n))
    return ts_fail(TS_E_INPUT, "force %zu has a point or a vector that is not finite", index);
  return TS_OK;
}

ts_status ts_soft_world_set_forces(ts_soft_world *world, const ts_force *forces, size_t count) {
  for (size_t i = 0; i < count; i++)
    TS_TRY(check_force(world, &forces[i], i));
  for (size_t i = 0; i < world->body_count; i++)
    if (world->bodies[i].tet)
      ts_tet_body_clear_loads(world->bodies[i].tet);
  for (size_t i = 0; i < count; i++) {
    ts_tet_body *tet = world->bodies[forces[i].body].tet;
    if (tet)
      ts_tet_body_add_load(tet, forces[i].point_local, forces[i].force_n);
  }
  world->forces = forces;
  world->force_count = count;
  return TS_OK;
}
