// SPDX-License-Identifier: MIT
#include "harness/simulation/simulation.h"

#include "base/clock.h"
#include "base/param.h"
#include "base/status.h"
#include "cases/scene/deformable.h"
#include "harness/plan/plan.h"
#include "harness/simulation/body_path.h"
#include "harness/simulation/simulated_contacts.h"
#include "harness/simulation/soft_simulation.h"
#include "methods/envelope.h"
#include "sim/prox_world.h"
#include "sim/world.h"
#include "sim/world_measures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Statistics of the number of contacts per time step (Welford's recurrence).
typedef struct count_statistics {
  double steps, mean, squares, min, max;
} count_statistics;

struct ts_simulation {
  const ts_scene *built;
  const ts_moved_truth *truth;
  ts_narrow_phase *phase;
  ts_world *world;
  ts_arena *arena; ///< of what lives as long as the simulation
  ts_arena *step;  ///< of the scene at the midpoint of the step
  ts_arena *gaps;  ///< of the contacts with the gaps of the bodies themselves
  /// Moves the bodies instead of the world, which is then updated; NULL: the world does.
  ts_prox_world *prox;
  /// Likewise, whatever the contacts are.
  ts_body_path *path;
  /// Of a scene with deformable bodies, in place of the world; NULL: all are rigid.
  ts_soft_simulation *soft;
  ts_body *path_bodies; ///< [body_count] on it
  int64_t path_step;    ///< steps begun
  double potential_built_j;
  count_statistics counts;
  ts_solver_report report; ///< of the last step
  double overlap_m, overlap_m3, elastic_j, force_n, solve_ns;
};

static ts_response_params response_params(const double *scaled, double scale) {
  // With masses that grow by the cube of the scale, and gravity by the scale, a scene at another
  // scale moves in the same way: stiffness goes down with the scale, viscosity up.
  return (ts_response_params){.kind = (int32_t)scaled[TS_SIMULATION_RESPONSE],
                              .rows = (int32_t)scaled[TS_SIMULATION_VOLUME_ROWS],
                              .integration = (int32_t)scaled[TS_SIMULATION_INTEGRATION],
                              .starts_even = scaled[TS_SIMULATION_PRESSURE_START] == 0,
                              .even_area_m2 = scaled[TS_SIMULATION_AREAS] == TS_AREAS_EVEN
                                                  ? TS_EVEN_AREA_M2 * scale * scale
                                                  : 0,
                              .stiffness_n_m5 = scaled[TS_SIMULATION_STIFFNESS] / scale,
                              .viscosity_n_s_m3 = scaled[TS_SIMULATION_VISCOSITY] * scale};
}

static ts_world_params world_params(const ts_scene *built, ts_envelope envelope,
                                    const double *values) {
  double scaled[TS_SIMULATION_COUNT], scale = built->scale, heaviest_kg = 0;
  ts_param_scale_lengths(scaled, ts_simulation_params, TS_SIMULATION_COUNT, values, scale);
  for (size_t i = 0; i < built->body_count; i++) {
    const ts_body *body = &built->bodies[i];
    const ts_shape *shape = &built->shapes[body->shape];
    if (!body->is_fixed)
      heaviest_kg = fmax(heaviest_kg, ts_shape_mass_properties(shape, body->density_kg_m3).mass_kg);
  }
  ts_world_params params = ts_world_params_default();
  params.dt_s = scaled[TS_SIMULATION_DT];
  params.gravity_m_s2 = ts_vec3_scale(built->up, -scaled[TS_SIMULATION_GRAVITY]);
  // The ratios of drag to mass and to inertia do not depend on the scale.
  double volume = scale * scale * scale;
  params.linear_damping_kg_s = volume * scaled[TS_SIMULATION_DAMPING];
  params.angular_damping_kg_m2_s = volume * scale * scale * scaled[TS_SIMULATION_DAMPING];
  ts_solver_params *solver = &params.solver;
  solver->friction = scaled[TS_SIMULATION_FRICTION];
  solver->friction_fixed = scaled[TS_SIMULATION_FRICTION_FIXED];
  solver->spin_length_m = scaled[TS_SIMULATION_SPIN_LENGTH];
  solver->sweeps = (int32_t)scaled[TS_SIMULATION_SWEEPS];
  solver->tolerance_kg_m_s =
      scaled[TS_SIMULATION_TOLERANCE] * heaviest_kg * scaled[TS_SIMULATION_GRAVITY] * params.dt_s;
  solver->order = (int32_t)scaled[TS_SIMULATION_ORDER];
  solver->r_strategy = (int32_t)scaled[TS_SIMULATION_R];
  solver->warm_start = (int32_t)scaled[TS_SIMULATION_START];
  solver->stabilisation = scaled[TS_SIMULATION_STABILISATION];
  solver->response = response_params(scaled, scale);
  double envelope_m = 2 * fabs(ts_envelope_offset_m(&envelope)); // of both bodies
  params.position_iterations = (int32_t)scaled[TS_SIMULATION_POSITION_ITERATIONS];
  params.position_tolerance_m = scaled[TS_SIMULATION_POSITION_TOLERANCE] * envelope_m;
  params.position_reach_m = envelope_m;
  return params;
}

/// The published mass of a body if there is one, otherwise that of its mesh.
static ts_prox_mass mass_of(const ts_scene *built, size_t body) {
  const ts_body *b = &built->bodies[body];
  ts_prox_mass out = {.mass_kg = 0};
  if (built->published_masses) {
    const ts_principal_mass *m = &built->published_masses[body];
    double volume = built->scale * built->scale * built->scale;
    out.mass_kg = volume * m->mass_kg;
    for (int i = 0; i < 3; i++)
      out.inertia_kg_m2[i][i] = volume * built->scale * built->scale * m->inertia_kg_m2[i];
    return out;
  }
  ts_mass_properties m = ts_shape_mass_properties(&built->shapes[b->shape], b->density_kg_m3);
  out.mass_kg = m.mass_kg;
  memcpy(out.inertia_kg_m2, m.inertia_kg_m2, sizeof out.inertia_kg_m2);
  return out;
}

static ts_status set_up_prox(ts_simulation *s, const ts_world_params *params) {
  const ts_scene *built = s->built;
  if (built->force_count > 0)
    return ts_fail(TS_SKIPPED, "stepper=prox2018 has gravity only, and a force acts on the bodies "
                               "of this scene: leave stepper at touchstone");
  ts_prox_mass *masses = ts_arena_array(s->step, built->body_count, sizeof *masses);
  if (!masses)
    return TS_E_MEMORY;
  for (size_t i = 0; i < built->body_count; i++)
    masses[i] = mass_of(built, i);
  ts_prox_world_params prox = {.gravity_m_s2 = params->gravity_m_s2,
                               .dt_s = params->dt_s,
                               .linear_damping_kg_s = params->linear_damping_kg_s,
                               .angular_damping_kg_m2_s = params->angular_damping_kg_m2_s,
                               .friction = params->solver.friction,
                               .friction_fixed = params->solver.friction_fixed,
                               .sweeps = params->solver.sweeps};
  return ts_prox_world_create(&s->prox, built->bodies, masses, built->body_count, &prox);
}

static ts_status set_up_path(ts_simulation *s, const double *values) {
  double scaled[TS_SIMULATION_COUNT];
  ts_param_scale_lengths(scaled, ts_simulation_params, TS_SIMULATION_COUNT, values,
                         s->built->scale);
  const ts_body_path_params params = {.length_m = scaled[TS_SIMULATION_PATH],
                                      .noise_m = scaled[TS_SIMULATION_NOISE],
                                      .steps = scaled[TS_SIMULATION_PATH_STEPS],
                                      .seed = (uint64_t)scaled[TS_SIMULATION_PATH_SEED]};
  s->path_bodies = ts_arena_array(s->arena, s->built->body_count, sizeof *s->path_bodies);
  return s->path_bodies ? ts_body_path_create(&s->path, s->arena, s->built, &params) : TS_E_MEMORY;
}

static ts_status set_up_soft(ts_simulation *s, const double *values) {
  double scaled[TS_SIMULATION_COUNT];
  ts_param_scale_lengths(scaled, ts_simulation_params, TS_SIMULATION_COUNT, values,
                         s->built->scale);
  return ts_soft_simulation_create(&s->soft, s->built, s->phase, scaled);
}

static ts_status set_up(ts_simulation *s, const double *values) {
  const ts_scene *built = s->built;
  TS_TRY(ts_arena_create(&s->arena));
  TS_TRY(ts_arena_create(&s->step));
  TS_TRY(ts_arena_create(&s->gaps));
  if (ts_scene_is_deformable(built))
    return set_up_soft(s, values);
  ts_world_params params = world_params(built, ts_narrow_phase_envelope(s->phase), values);
  TS_TRY(ts_world_create(&s->world, built->shapes, built->shape_count, built->bodies,
                         built->body_count, &params));
  TS_TRY(ts_world_set_forces(s->world, built->forces, built->force_count));
  if (values[TS_SIMULATION_STEPPER] == TS_STEPPER_PROX)
    TS_TRY(set_up_prox(s, &params));
  if (values[TS_SIMULATION_STEPPER] == TS_STEPPER_PATH)
    TS_TRY(set_up_path(s, values));
  s->potential_built_j = ts_world_get_energy(s->world).potential_j;
  return TS_OK;
}

ts_status ts_simulation_create(ts_simulation **out, const ts_scene *built,
                               const ts_moved_truth *truth, ts_narrow_phase *phase,
                               const double *values) {
  ts_simulation *s = calloc(1, sizeof *s);
  if (!s)
    return ts_fail(TS_E_MEMORY, "out of memory");
  s->built = built;
  s->truth = truth;
  s->phase = phase;
  ts_status status = set_up(s, values);
  if (status != TS_OK) {
    ts_simulation_destroy(s);
    return status;
  }
  *out = s;
  return TS_OK;
}

void ts_simulation_destroy(ts_simulation *simulation) {
  if (!simulation)
    return;
  ts_soft_simulation_destroy(simulation->soft);
  ts_world_destroy(simulation->world);
  ts_arena_destroy(simulation->arena);
  ts_arena_destroy(simulation->step);
  ts_arena_destroy(simulation->gaps);
  ts_prox_world_destroy(simulation->prox);
  free(simulation);
}

/// Ends the step of PROX, and copies its poses and twists to the world.
static ts_status end_prox(ts_simulation *s, const ts_contact_set *sets, size_t count) {
  ts_prox_report report;
  TS_TRY(ts_prox_world_end_step(&report, s->prox, sets, count));
  s->report = (ts_solver_report){.sweeps = report.sweeps,
                                 .rollbacks = report.rollbacks,
                                 .residual_kg_m_s = report.residual_kg_m_s};
  const ts_body *bodies = ts_prox_world_bodies(s->prox);
  for (size_t i = 0; i < s->built->body_count; i++)
    TS_TRY(ts_world_set_state(s->world, i, bodies[i].pose, bodies[i].twist));
  return TS_OK;
}

/// Moves the bodies to where the contacts of the step are found.
static ts_status move_bodies(const ts_body **out, ts_simulation *s) {
  if (s->path) {
    ts_body_path_at(s->path, s->path_bodies, ++s->path_step);
    for (size_t i = 0; i < s->built->body_count; i++)
      TS_TRY(ts_world_set_state(s->world, i, s->path_bodies[i].pose, s->path_bodies[i].twist));
    *out = s->path_bodies;
  } else if (s->prox) {
    ts_prox_world_begin_step(s->prox);
    *out = ts_prox_world_bodies(s->prox);
  } else {
    TS_TRY(ts_world_begin_step(s->world));
    *out = ts_world_bodies(s->world);
  }
  return TS_OK;
}

/// The scene where the bodies are, to which the narrow phase goes.
static ts_status place_bodies(const ts_scene **out, ts_simulation *s, const ts_body *bodies) {
  ts_arena_rewind(s->step, (ts_arena_mark){NULL, 0});
  ts_scene *scene;
  TS_TRY(ts_scene_at(&scene, s->step, s->built, bodies, s->truth));
  *out = scene;
  return ts_narrow_phase_move(s->phase, scene);
}

ts_status ts_simulation_begin_step(const ts_scene **out, ts_simulation *simulation) {
  if (simulation->soft)
    return ts_soft_simulation_begin_step(out, simulation->soft);
  const ts_body *bodies;
  TS_TRY(move_bodies(&bodies, simulation));
  return place_bodies(out, simulation, bodies);
}

/// A response to volumes needs areas.
static ts_status check_areas(const ts_simulation *s, const ts_contact_set *sets, size_t count) {
  const ts_response_params *response = &ts_world_get_params(s->world)->solver.response;
  if (response->kind == TS_RESPONSE_POINTS || response->even_area_m2 > 0)
    return TS_OK;
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < sets[i].count; k++)
      if (isnan(sets[i].contacts[k].area_m2))
        return ts_fail(TS_SKIPPED,
                       "response=%s needs areas, and the method gives none for bodies %d and %d: "
                       "add --set areas=even, or leave response at points",
                       response->kind == TS_RESPONSE_VOLUME ? "volume" : "penalty",
                       (int)sets[i].body_a, (int)sets[i].body_b);
  return TS_OK;
}

bool ts_simulation_displaces(const ts_simulation *simulation) {
  if (simulation->soft)
    return false;
  const ts_world_params *params = ts_world_get_params(simulation->world);
  return !simulation->path && !simulation->prox &&
         params->solver.response.kind == TS_RESPONSE_VOLUME && params->position_iterations > 0;
}

ts_status ts_simulation_find_contacts(ts_contact_set **out, size_t *out_count,
                                      const ts_scene **scene, ts_simulation *s, ts_arena *arena) {
  bool has_moved = false;
  do {
    ts_arena_mark mark = ts_arena_get_mark(arena);
    TS_TRY(ts_narrow_phase_collect(out, s->phase, arena));
    *out_count = ts_narrow_phase_pair_count(s->phase);
    if (!ts_simulation_displaces(s))
      break;
    TS_TRY(ts_simulated_contacts_check(*out, *out_count));
    TS_TRY(check_areas(s, *out, *out_count));
    const ts_contact_set *own;
    TS_TRY(ts_simulated_contacts_own(&own, s->gaps, s->phase, *out, *out_count));
    TS_TRY(ts_world_correct(&has_moved, s->world, own, *out_count));
    if (has_moved) {
      ts_arena_rewind(arena, mark);
      TS_TRY(place_bodies(scene, s, ts_world_bodies(s->world)));
    }
  } while (has_moved);
  return TS_OK;
}

/// Whether every contact has an area.
static bool has_areas(const ts_simulation *s, const ts_contact_set *sets, size_t set_count) {
  const ts_response_params *response = &ts_world_get_params(s->world)->solver.response;
  for (size_t i = 0; i < set_count; i++)
    for (size_t k = 0; k < sets[i].count; k++)
      if (isnan(ts_response_area_m2(&sets[i], k, response)))
        return false;
  return true;
}

/// Volumes of overlap beyond what the envelope makes, and the energy of a penalty on them.
static void measure_volumes(ts_simulation *s, const ts_contact_set *own, size_t set_count) {
  const ts_response_params *response = &ts_world_get_params(s->world)->solver.response;
  s->overlap_m3 = 0;
  s->elastic_j = response->kind == TS_RESPONSE_PENALTY ? 0 : (double)NAN;
  for (size_t i = 0; i < set_count; i++) {
    double volume_m3 = 0;
    for (size_t k = 0; k < own[i].count; k++)
      volume_m3 += ts_response_area_m2(&own[i], k, response) * fmax(0, -own[i].contacts[k].gap_m);
    s->overlap_m3 += volume_m3;
    s->elastic_j += 0.5 * response->stiffness_n_m5 * volume_m3 * volume_m3;
  }
}

/// The largest normal force of a pair.
static void measure_forces(ts_simulation *s, const ts_contact_set *sets, size_t set_count) {
  double dt_s = ts_world_get_params(s->world)->dt_s;
  size_t contact = 0;
  s->force_n = 0;
  for (size_t i = 0; i < set_count; i++) {
    double impulse = 0;
    for (size_t k = 0; k < sets[i].count; k++)
      impulse += ts_world_impulse(s->world, contact++);
    s->force_n = fmax(s->force_n, impulse / dt_s);
  }
}

static void count_contacts(ts_simulation *s, const ts_contact_set *sets, size_t set_count) {
  double count = 0;
  s->overlap_m = 0;
  for (size_t i = 0; i < set_count; i++) {
    count += (double)sets[i].count;
    for (size_t k = 0; k < sets[i].count; k++)
      if (-sets[i].contacts[k].gap_m > s->overlap_m)
        s->overlap_m = -sets[i].contacts[k].gap_m;
  }
  count_statistics *c = &s->counts;
  c->min = c->steps > 0 ? fmin(c->min, count) : count;
  c->max = c->steps > 0 ? fmax(c->max, count) : count;
  c->steps += 1;
  double from_mean = count - c->mean;
  c->mean += from_mean / c->steps;
  c->squares += from_mean * (count - c->mean);
}

ts_status ts_simulation_end_step(ts_simulation *simulation, const ts_contact_set *sets,
                                 size_t count) {
  ts_simulation *s = simulation;
  if (!s->path)
    TS_TRY(ts_simulated_contacts_check(sets, count));
  count_contacts(s, sets, count);
  const ts_contact_set *own = sets;
  if (s->soft) {
    TS_TRY(ts_simulated_contacts_own(&own, s->gaps, s->phase, sets, count));
    return ts_soft_simulation_end_step(s->soft, own, count);
  }
  if (has_areas(s, sets, count) || ts_world_get_params(s->world)->solver.stabilisation > 0)
    TS_TRY(ts_simulated_contacts_own(&own, s->gaps, s->phase, sets, count));
  measure_volumes(s, own, count);
  if (s->path)
    return TS_OK;
  int64_t start = ts_clock_ns();
  if (s->prox) {
    TS_TRY(end_prox(s, sets, count));
  } else {
    TS_TRY(check_areas(s, sets, count));
    start = ts_clock_ns();
    TS_TRY(ts_world_end_step(&s->report, s->world, own, count));
  }
  s->solve_ns = (double)(ts_clock_ns() - start);
  if (!s->prox)
    measure_forces(s, sets, count);
  return TS_OK;
}

double ts_simulation_impulse(const ts_simulation *simulation, size_t contact) {
  if (simulation->soft)
    return ts_soft_simulation_impulse(simulation->soft, contact);
  bool is_known = !simulation->prox && !simulation->path;
  return is_known ? ts_world_impulse(simulation->world, contact) : (double)NAN;
}

static void record_response(ts_record *record, const ts_simulation *s) {
  const ts_response_params *params = &ts_world_get_params(s->world)->solver.response;
  ts_world_response response = ts_world_get_response(s->world);
  record->contact_force_n_max = s->force_n;
  record->constraints = (double)s->report.constraint_count;
  record->detections = 1 + (double)response.position_iterations;
  record->position_iterations = response.position_iterations;
  record->position_limited = response.position_limited;
  record->position_energy_j = response.position_energy_j;
  record->elastic_energy_j = s->elastic_j;
  if (params->kind == TS_RESPONSE_PENALTY && params->integration == TS_INTEGRATION_EXPLICIT)
    record->explicit_ratio = s->report.explicit_ratio;
}

static void record_rigid(ts_record *record, const ts_simulation *simulation) {
  record->overlap_m3 = simulation->overlap_m3;
  record->tilt_deg_max = ts_world_largest_tilt_deg(simulation->world, simulation->built->up);
  record->drift_m_max = ts_world_largest_drift_m(simulation->world);
  if (!simulation->path) { // nothing is solved on a path, and no work is done
    ts_world_energy energy = ts_world_get_energy(simulation->world);
    record->kinetic_energy_j = energy.linear_j + energy.angular_j;
    record->potential_energy_j = energy.potential_j - simulation->potential_built_j;
    record->sweeps = simulation->report.sweeps;
    record->residual_kg_m_s = simulation->report.residual_kg_m_s;
    record->solve_ns = simulation->solve_ns;
  }
  if (!simulation->path && !simulation->prox)
    record_response(record, simulation);
}

void ts_simulation_record(ts_record *record, const ts_simulation *simulation) {
  const count_statistics *c = &simulation->counts;
  record->overlap_m_max = simulation->overlap_m;
  if (simulation->soft)
    ts_soft_simulation_record(record, simulation->soft);
  else
    record_rigid(record, simulation);
  record->contacts_mean = c->mean;
  record->contacts_min = c->min;
  record->contacts_max = c->max;
  record->contacts_stddev = c->steps > 1 ? sqrt(c->squares / (c->steps - 1)) : 0;
}
