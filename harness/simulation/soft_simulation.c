// SPDX-License-Identifier: MIT
#include "harness/simulation/soft_simulation.h"

#include "base/array.h"
#include "base/clock.h"
#include "base/geometry_kind.h"
#include "base/status.h"
#include "cases/scene/excluded_pairs.h"
#include "geometry/distance/ground_gap.h"
#include "geometry/distance/mesh_gap.h"
#include "geometry/sparse_factor.h"
#include "harness/plan/simulation_params.h"
#include "harness/simulation/deformed_scene.h"
#include "harness/simulation/simulated_contacts.h"
#include "sim/soft/shape_error.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Gaps are looked for up to this, over the size of the pair.
#define GAP_REACH_RELATIVE 0.1

/// A world and how the method sees it.
typedef struct course {
  ts_soft_world *world;
  ts_narrow_phase *phase;
  ts_arena *step; ///< of the scene where the contacts of the step are found
  double prepare_ns;
} course;

/// Numbers in ascending order.
typedef struct sorted {
  double *items; ///< [count]
  size_t count, capacity;
} sorted;

struct ts_soft_simulation {
  const ts_scene *built;
  double dt_s;
  course tested, twin; ///< twin.world NULL: there is none
  ts_arena *contacts;  ///< of the twin, found in a step
  ts_arena *own;       ///< with their gaps without the envelope
  ts_arena *gaps;      ///< of the query for gaps
  ts_vec3 *centres;    ///< [body_count] of mass, as built
  double potential_built_j;
  ts_soft_report report;
  ts_shape_errors errors; ///< NaN without a twin
  /// Those at the largest deformation, and at the largest displacement, so far.
  ts_shape_errors at_deformed, at_displaced;
  sorted response_errors, defects;
  double force_n, gap_m, rotation_rad, drift_m;
  size_t unconverged;
};

static const ts_shape_errors no_errors = {NAN, NAN, NAN, NAN};

static ts_soft_world_params world_params(const ts_scene *built, const double *values) {
  ts_soft_world_params params = ts_soft_world_params_default();
  int kind = (int)values[TS_SIMULATION_RESPONSE] - TS_RESPONSE_EXACT;
  params.gravity_m_s2 = ts_vec3_scale(built->up, -values[TS_SIMULATION_GRAVITY]);
  params.dt_s = values[TS_SIMULATION_DT];
  params.friction = values[TS_SIMULATION_FRICTION];
  params.friction_fixed = values[TS_SIMULATION_FRICTION_FIXED];
  params.response = kind;
  params.solver = (ts_delassus_params){.sweeps = (int32_t)values[TS_SIMULATION_SWEEPS],
                                       .tolerance_m = values[TS_SIMULATION_RESIDUAL]};
  params.compares_exact =
      kind != TS_COMPLIANCE_EXACT && values[TS_SIMULATION_TWIN] == TS_TWIN_EXACT;
  return params;
}

static ts_status set_up_course(course *c, const ts_scene *built,
                               const ts_soft_world_params *params) {
  TS_TRY(ts_arena_create(&c->step));
  TS_TRY(ts_soft_world_create(&c->world, built->shapes, built->shape_count, built->bodies,
                              built->body_count, params));
  return ts_soft_world_set_forces(c->world, built->forces, built->force_count);
}

/// Centre of mass of a body.
static ts_vec3 centre_of(const ts_soft_simulation *s, size_t body) {
  const ts_soft_world *world = s->tested.world;
  const ts_tet_body *tets = ts_soft_world_tet_body(world, body);
  if (!tets) {
    const ts_shape *shape = &s->built->shapes[s->built->bodies[body].shape];
    return ts_pose_point(ts_soft_world_pose(world, body),
                         ts_shape_mass_properties(shape, 1).centre_local);
  }
  const ts_vec3 *nodes = ts_soft_world_nodes(world, body);
  const double *masses = ts_tet_body_masses(tets);
  ts_vec3 sum = {0, 0, 0};
  for (size_t i = 0; i < ts_tet_body_node_count(tets); i++)
    sum = ts_vec3_add_scaled(sum, masses[i], nodes[i]);
  return ts_vec3_scale(sum, 1 / ts_tet_body_mass_kg(tets));
}

static ts_status set_up(ts_soft_simulation *s, const double *values) {
  ts_soft_world_params params = world_params(s->built, values);
  s->dt_s = params.dt_s;
  TS_TRY(set_up_course(&s->tested, s->built, &params));
  TS_TRY(ts_arena_create(&s->contacts));
  TS_TRY(ts_arena_create(&s->own));
  TS_TRY(ts_arena_create(&s->gaps));
  if (params.compares_exact) {
    params.response = TS_COMPLIANCE_EXACT;
    params.compares_exact = false;
    TS_TRY(set_up_course(&s->twin, s->built, &params));
  }
  s->centres = calloc(s->built->body_count + 1, sizeof *s->centres);
  if (!s->centres)
    return ts_fail(TS_E_MEMORY, "out of memory");
  for (size_t i = 0; i < s->built->body_count; i++)
    s->centres[i] = centre_of(s, i);
  s->potential_built_j = ts_soft_world_get_energy(s->tested.world).potential_j;
  return TS_OK;
}

ts_status ts_soft_simulation_create(ts_soft_simulation **out, const ts_scene *built,
                                    ts_narrow_phase *phase, const double *values) {
  ts_soft_simulation *s = calloc(1, sizeof *s);
  if (!s)
    return ts_fail(TS_E_MEMORY, "out of memory");
  s->built = built;
  s->tested.phase = phase;
  s->errors = s->at_deformed = s->at_displaced = no_errors;
  ts_status status = set_up(s, values);
  if (status != TS_OK) {
    ts_soft_simulation_destroy(s);
    return status;
  }
  *out = s;
  return TS_OK;
}

void ts_soft_simulation_destroy(ts_soft_simulation *simulation) {
  if (!simulation)
    return;
  ts_narrow_phase_destroy(simulation->twin.phase); // that of the tested world is the caller's
  ts_soft_world_destroy(simulation->tested.world);
  ts_soft_world_destroy(simulation->twin.world);
  ts_arena_destroy(simulation->tested.step);
  ts_arena_destroy(simulation->twin.step);
  ts_arena_destroy(simulation->contacts);
  ts_arena_destroy(simulation->own);
  ts_arena_destroy(simulation->gaps);
  free(simulation->response_errors.items);
  free(simulation->defects.items);
  free(simulation->centres);
  free(simulation);
}

/// Says that a failure is of the twin world.
static ts_status name_twin(ts_status status) {
  char detail[600];
  if (status == TS_OK || status == TS_E_MEMORY)
    return status;
  snprintf(detail, sizeof detail, "%s", ts_status_detail());
  return ts_fail(
      status, "in the twin world with the exact compliance (twin=none leaves it out): %s", detail);
}

/// The free motion; then the method gets the meshes as they are there. `like` is the phase of which
/// the course gets a twin when it has none.
static ts_status begin_course(const ts_scene **out, course *c, const ts_scene *built,
                              const ts_narrow_phase *like) {
  TS_TRY(ts_soft_world_begin_step(c->world));
  if (c->phase)
    ts_narrow_phase_release(c->phase); // before the meshes that it was given go
  ts_arena_rewind(c->step, (ts_arena_mark){NULL, 0});
  ts_scene *scene;
  TS_TRY(ts_deformed_scene(&scene, c->step, built, c->world));
  TS_TRY(c->phase ? ts_narrow_phase_reshape(c->phase, scene)
                  : ts_narrow_phase_twin(&c->phase, like, scene));
  int64_t start_ns = ts_clock_ns();
  TS_TRY(ts_narrow_phase_prepare(c->phase));
  c->prepare_ns = (double)(ts_clock_ns() - start_ns);
  *out = scene;
  return TS_OK;
}

ts_status ts_soft_simulation_begin_step(const ts_scene **out, ts_soft_simulation *simulation) {
  return begin_course(out, &simulation->tested, simulation->built, NULL);
}

/// Without a gap nothing says by how much a contact must be corrected.
static ts_status check_gaps(const ts_contact_set *sets, size_t count) {
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < sets[i].count; k++)
      if (!isfinite(sets[i].contacts[k].gap_m))
        return ts_fail(TS_SKIPPED,
                       "deformable bodies move by the gaps of contacts, and the method gives none "
                       "for bodies %d and %d",
                       (int)sets[i].body_a, (int)sets[i].body_b);
  return TS_OK;
}

static ts_status step_twin(ts_soft_simulation *s) {
  const ts_scene *scene;
  TS_TRY(begin_course(&scene, &s->twin, s->built, s->tested.phase));
  ts_arena_rewind(s->contacts, (ts_arena_mark){NULL, 0});
  ts_contact_set *sets;
  TS_TRY(ts_narrow_phase_collect(&sets, s->twin.phase, s->contacts));
  size_t count = ts_narrow_phase_pair_count(s->twin.phase);
  TS_TRY(ts_simulated_contacts_check(sets, count));
  const ts_contact_set *own;
  TS_TRY(ts_simulated_contacts_own(&own, s->own, s->twin.phase, sets, count));
  TS_TRY(check_gaps(own, count));
  return ts_soft_world_end_step(NULL, s->twin.world, own, count);
}

static ts_status insert(sorted *into, double value) {
  if (isnan(value))
    return TS_OK;
  TS_TRY(TS_HEAP_GROW(into->items, into->capacity, into->count, 1));
  size_t i = into->count++;
  for (; i > 0 && into->items[i - 1] > value; i--)
    into->items[i] = into->items[i - 1];
  into->items[i] = value;
  return TS_OK;
}

static double median(const sorted *of) {
  size_t half = of->count / 2;
  if (of->count == 0)
    return NAN;
  return of->count % 2 ? of->items[half] : (of->items[half - 1] + of->items[half]) / 2;
}

/// The surface of a body after the step, and its pose.
static ts_pose surface_of(ts_mesh *out, const ts_soft_simulation *s, size_t body) {
  *out = *s->built->shapes[s->built->bodies[body].shape].mesh;
  if (!ts_soft_world_tet_body(s->tested.world, body))
    return ts_soft_world_pose(s->tested.world, body);
  out->vertices = ts_soft_world_nodes(s->tested.world, body);
  return ts_pose_identity();
}

/// The gap of two bodies, one of which may be ground, of which meshes say only a part.
static ts_status gap_of_pair(double *out_m, ts_soft_simulation *s, size_t a, size_t b) {
  const ts_scene *built = s->built;
  const ts_shape *shape_a = &built->shapes[built->bodies[a].shape];
  const ts_shape *shape_b = &built->shapes[built->bodies[b].shape];
  double reach_m = GAP_REACH_RELATIVE * ts_pair_size_m(shape_a, shape_b);
  ts_mesh of_a, of_b;
  ts_pose pose_a = surface_of(&of_a, s, a), pose_b = surface_of(&of_b, s, b);
  ts_arena_rewind(s->gaps, (ts_arena_mark){NULL, 0});
  if (ts_geometry_is_ground(shape_a->geometry.kind))
    return ts_ground_gap(out_m, s->gaps, shape_a, pose_a, &of_b, pose_b, reach_m);
  if (ts_geometry_is_ground(shape_b->geometry.kind))
    return ts_ground_gap(out_m, s->gaps, shape_b, pose_b, &of_a, pose_a, reach_m);
  return ts_mesh_gap(out_m, s->gaps, &of_a, pose_a, &of_b, pose_b, reach_m);
}

static ts_status measure_gap(ts_soft_simulation *s) {
  const ts_scene *built = s->built;
  s->gap_m = INFINITY;
  for (size_t a = 0; a < built->body_count; a++)
    for (size_t b = a + 1; b < built->body_count; b++) {
      if ((built->bodies[a].is_fixed && built->bodies[b].is_fixed) ||
          ts_scene_excludes(built, (int32_t)a, (int32_t)b))
        continue;
      double gap_m;
      TS_TRY(gap_of_pair(&gap_m, s, a, b));
      s->gap_m = fmin(s->gap_m, gap_m);
    }
  return TS_OK;
}

/// The largest normal force of a pair.
static void measure_forces(ts_soft_simulation *s, const ts_contact_set *sets, size_t set_count) {
  size_t contact = 0;
  s->force_n = 0;
  for (size_t i = 0; i < set_count; i++) {
    double force_n = 0;
    for (size_t k = 0; k < sets[i].count; k++)
      force_n += ts_soft_world_force_n(s->tested.world, contact++);
    s->force_n = fmax(s->force_n, force_n);
  }
}

static void compare_shapes(ts_soft_simulation *s) {
  ts_shape_compare(&s->errors, s->tested.world, s->twin.world, s->built->shapes, s->built->bodies);
  if (!(s->errors.exact_deformation_m <= s->at_deformed.exact_deformation_m))
    s->at_deformed = s->errors;
  if (!(s->errors.exact_displacement_m <= s->at_displaced.exact_displacement_m))
    s->at_displaced = s->errors;
}

static ts_status measure(ts_soft_simulation *s, const ts_contact_set *sets, size_t count) {
  measure_forces(s, sets, count);
  s->unconverged += !s->report.solver.converged;
  TS_TRY(insert(&s->response_errors, 100 * s->report.response_error));
  TS_TRY(insert(&s->defects, s->report.momentum_defect));
  s->rotation_rad = ts_shape_largest_rotation_rad(s->tested.world, s->built->bodies);
  s->drift_m = 0;
  for (size_t i = 0; i < s->built->body_count; i++)
    s->drift_m = fmax(s->drift_m, ts_vec3_distance(centre_of(s, i), s->centres[i]));
  return measure_gap(s);
}

ts_status ts_soft_simulation_end_step(ts_soft_simulation *simulation, const ts_contact_set *sets,
                                      size_t count) {
  ts_soft_simulation *s = simulation;
  TS_TRY(check_gaps(sets, count));
  TS_TRY(ts_soft_world_end_step(&s->report, s->tested.world, sets, count));
  if (s->twin.world) {
    TS_TRY(name_twin(step_twin(s)));
    compare_shapes(s);
  }
  return measure(s, sets, count);
}

double ts_soft_simulation_impulse(const ts_soft_simulation *simulation, size_t contact) {
  return simulation->dt_s * ts_soft_world_force_n(simulation->tested.world, contact);
}

/// What the bodies are made of.
static void record_bodies(ts_record *record, const ts_soft_simulation *s) {
  record->nodes = record->tets = record->step_wave_ratio = 0;
  for (size_t i = 0; i < s->built->body_count; i++) {
    const ts_tet_body *body = ts_soft_world_tet_body(s->tested.world, i);
    if (!body)
      continue;
    record->nodes += (double)ts_tet_body_node_count(body);
    record->tets += (double)s->built->shapes[s->built->bodies[i].shape].mesh->tet_count;
    record->step_wave_ratio = fmax(record->step_wave_ratio, ts_tet_body_wave_ratio(body));
  }
  record->linear_solver = ts_sparse_factor_solver;
}

static void record_times(ts_record *record, const ts_soft_simulation *s) {
  const ts_soft_report *report = &s->report;
  if (isnan(record->prepare_ns)) // where the method is timed it is the fastest of some
    record->prepare_ns = s->tested.prepare_ns;
  record->solve_ns = report->solve_ns;
  record->free_motion_ns = report->free_ns;
  record->compliance_ns = report->compliance_ns;
  record->compliance_rest_ns = report->compliance_rest_ns;
  record->compliance_exact_ns = report->compliance_exact_ns;
  record->correction_ns = report->correction_ns;
}

static void record_energies(ts_record *record, const ts_soft_simulation *s) {
  ts_soft_energy energy = ts_soft_world_get_energy(s->tested.world);
  record->kinetic_energy_j = energy.kinetic_j;
  record->potential_energy_j = energy.potential_j - s->potential_built_j;
  record->elastic_energy_j = energy.elastic_j;
}

void ts_soft_simulation_record(ts_record *record, const ts_soft_simulation *simulation) {
  const ts_soft_simulation *s = simulation;
  const ts_soft_report *report = &s->report;
  record_bodies(record, s);
  record_times(record, s);
  record_energies(record, s);
  record->detections = 1;
  record->constraints = (double)report->constraint_count;
  record->sweeps = report->solver.sweeps;
  record->residual_m = report->solver.residual_m;
  record->steps_unconverged = (double)s->unconverged;
  record->contact_force_n_max = s->force_n;
  record->drift_m_max = s->drift_m;
  record->rotation_deg_max = s->rotation_rad * 180 / M_PI;
  record->response_error_percent = 100 * report->response_error;
  record->response_error_percent_median = median(&s->response_errors);
  record->momentum_defect = report->momentum_defect;
  record->momentum_defect_median = median(&s->defects);
  record->deformation_error_percent = 100 * s->errors.deformation;
  record->displacement_error_percent = 100 * s->errors.displacement;
  record->deformation_error_percent_at_largest = 100 * s->at_deformed.deformation;
  record->displacement_error_percent_at_largest = 100 * s->at_displaced.displacement;
  record->gap_min_m = isfinite(s->gap_m) ? s->gap_m : (double)NAN;
  record->overlap_left_m = fmax(0, -s->gap_m);
}
