// SPDX-License-Identifier: MIT
// The position step of Allard 2010 (Algorithm 1, Eq. 18, 19): bodies that overlap by more than they
// should are displaced, without friction, so that to first order no volume is left over.
//
// The rates of volumes hold for small displacements only: where a large volume has a small rate,
// the first-order displacement throws bodies far away. Hence no vertex moves further than the
// smallest extent of the overlap of the boxes of its pair, by which the bodies would be apart. All
// bodies that push each other, directly or through others, are an island and move in proportion.
#include "sim/world_state.h"

#include "base/status.h"
#include "geometry/tolerances.h"
#include "sim/constraints.h"

#include <math.h>

static size_t island_of(size_t *islands, size_t body) {
  while (islands[body] != body)
    body = islands[body] = islands[islands[body]];
  return body;
}

/// Whether a pair overlaps by more than the tolerance: in a contact, or in the mean by area.
static bool overlaps(const ts_world *world, const ts_contact_set *set) {
  const ts_response_params *response = &world->params.solver.response;
  double beyond_m = world->params.position_tolerance_m;
  if (world->bodies[set->body_a].is_fixed && world->bodies[set->body_b].is_fixed)
    return false;
  double mean_area_m2 = ts_constraint_mean_area(set, response), excess_m3 = 0;
  for (size_t i = 0; i < set->count; i++) {
    if (response->rows == TS_ROWS_PAIR)
      excess_m3 -= ts_response_area_m2(set, i, response) * (set->contacts[i].gap_m + beyond_m);
    else if (ts_constraint_is_too_deep(set, i, mean_area_m2, beyond_m, response))
      return true;
  }
  return excess_m3 > 0;
}

/// Displacements that end the overlaps to first order.
static ts_status solve(ts_world *world, const ts_contact_set *sets, size_t set_count) {
  ts_solver_params params = world->params.solver;
  params.friction = params.friction_fixed = 0;
  params.warm_start = params.response.starts_even = 0;
  params.tolerance_kg_m_s *= world->params.dt_s; // of displacements
  params.corrects_beyond_m = world->params.position_tolerance_m;
  for (size_t i = 0; i < world->body_count; i++) {
    ts_world_show_solver(&world->position.bodies[i], world, i);
    world->position.bodies[i].linear_m_s = world->position.bodies[i].angular_rad_s =
        (ts_vec3){0, 0, 0};
  }
  TS_TRY(ts_solver_assemble(world->position_solver, world->position.bodies, world->body_count, sets,
                            set_count, &params, 1));
  ts_solver_report report;
  ts_solver_solve(&report, world->position_solver, &params);
  return TS_OK;
}

/// How far the vertices of a body move against another one by the difference of their displacements
/// [m]: the farthest.
static double farthest_move_m(const ts_world *world, size_t body, const ts_twist *difference,
                              ts_vec3 at) {
  const ts_mesh *mesh = world->shapes[world->bodies[body].shape].mesh;
  double farthest2 = 0;
  for (size_t i = 0; i < mesh->vertex_count; i++) {
    ts_vec3 arm = ts_vec3_sub(ts_pose_point(world->bodies[body].pose, mesh->vertices[i]), at);
    ts_vec3 move =
        ts_vec3_add(difference->linear_m_s, ts_vec3_cross(difference->angular_rad_s, arm));
    farthest2 = fmax(farthest2, ts_vec3_norm2(move));
  }
  return sqrt(farthest2);
}

/// The same of a pair. Two bodies that move together, as in a stack that is lifted, do not move
/// against each other.
static double pair_move_m(const ts_world *world, size_t a, size_t b) {
  const ts_position_work *w = &world->position;
  ts_twist of_a = ts_solver_change(world->position_solver, w->bodies, a);
  ts_twist of_b = ts_solver_change(world->position_solver, w->bodies, b);
  ts_vec3 at = world->states[a].centre;
  ts_vec3 arm = ts_vec3_sub(at, world->states[b].centre);
  ts_vec3 b_there = ts_vec3_add(of_b.linear_m_s, ts_vec3_cross(of_b.angular_rad_s, arm));
  ts_twist difference = {ts_vec3_sub(of_a.linear_m_s, b_there),
                         ts_vec3_sub(of_a.angular_rad_s, of_b.angular_rad_s)};
  return fmax(farthest_move_m(world, a, &difference, at),
              farthest_move_m(world, b, &difference, at));
}

static double smallest_extent_m(ts_aabb a, ts_aabb b) {
  ts_vec3 low = ts_vec3_max(a.low, b.low), high = ts_vec3_min(a.high, b.high);
  ts_vec3 extent = ts_vec3_sub(high, low);
  return fmax(0, fmin(extent.x, fmin(extent.y, extent.z)));
}

/// Joins the bodies that push each other, and finds the share of its displacement that each island
/// may make.
static void limit_islands(ts_world *world, const ts_contact_set *sets, size_t set_count) {
  ts_position_work *w = &world->position;
  for (size_t i = 0; i < world->body_count; i++) {
    w->islands[i] = i;
    w->shares[i] = 1;
    w->boxes[i] = ts_body_bounds(&world->shapes[world->bodies[i].shape], world->bodies[i].pose);
  }
  for (size_t i = 0; i < set_count; i++)
    if (sets[i].count > 0 && !world->bodies[sets[i].body_a].is_fixed &&
        !world->bodies[sets[i].body_b].is_fixed)
      w->islands[island_of(w->islands, (size_t)sets[i].body_a)] =
          island_of(w->islands, (size_t)sets[i].body_b);
  for (size_t i = 0; i < set_count; i++) {
    if (!overlaps(world, &sets[i]))
      continue;
    size_t a = (size_t)sets[i].body_a, b = (size_t)sets[i].body_b;
    double most_m = smallest_extent_m(w->boxes[a], w->boxes[b]) + world->params.position_reach_m;
    double move_m = pair_move_m(world, a, b);
    double *share = &w->shares[island_of(w->islands, world->bodies[a].is_fixed ? b : a)];
    if (move_m > most_m * (1 + TS_POSITION_RELATIVE)) // what flat bodies need is just the extent
      *share = fmin(*share, most_m / move_m);
  }
}

static void move_bodies(ts_world *world) {
  ts_position_work *w = &world->position;
  for (size_t i = 0; i < world->body_count; i++) {
    if (world->bodies[i].is_fixed)
      continue;
    size_t island = island_of(w->islands, i);
    world->response.position_limited += island == i && w->shares[i] < 1;
    ts_twist move = ts_solver_change(world->position_solver, w->bodies, i);
    ts_body_state *s = &world->states[i];
    ts_vec3 step = ts_vec3_scale(move.linear_m_s, w->shares[island]);
    s->centre = ts_vec3_add(s->centre, step);
    s->rotation = ts_rigid_body_turned(s->rotation, move.angular_rad_s, w->shares[island]);
    world->response.position_energy_j -=
        world->properties[i].mass_kg * ts_vec3_dot(world->params.gravity_m_s2, step);
    ts_world_write_body(world, i);
  }
}

ts_status ts_world_correct(bool *out_moved, ts_world *world, const ts_contact_set *sets,
                           size_t set_count) {
  if (!world->is_mid_step)
    return ts_fail(TS_E_INPUT, "no step has begun: begin one first");
  *out_moved = false;
  if (!world->position_solver ||
      world->response.position_iterations >= world->params.position_iterations)
    return TS_OK;
  bool any = false;
  for (size_t i = 0; i < set_count && !any; i++)
    any = overlaps(world, &sets[i]);
  if (!any)
    return TS_OK;
  TS_TRY(solve(world, sets, set_count));
  limit_islands(world, sets, set_count);
  move_bodies(world);
  world->response.position_iterations++;
  *out_moved = true;
  return TS_OK;
}
