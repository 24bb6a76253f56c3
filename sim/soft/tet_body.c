// SPDX-License-Identifier: MIT
#include "sim/soft/tet_body.h"

#include "base/status.h"
#include "sim/soft/tet_body_check.h"
#include "sim/soft/tet_rest.h"
#include "sim/soft/tet_system.h"

#include <stdlib.h>
#include <string.h>

struct ts_tet_body {
  ts_arena *arena; ///< of all arrays but those of CXSparse and the columns
  const char *name;
  ts_elastic elastic;
  ts_tet_law law;
  double dt_s, density_kg_m3, length_m;

  size_t node_count, element_count, unknown_count;
  ts_vec3 *rest;      ///< [node_count], as all to masses
  uint32_t *unknowns; ///< or TS_TET_CLAMPED
  double *masses;
  ts_tet_element *elements;
  double *unknown_masses; ///< [unknown_count]
  ts_tet_system *system;

  ts_vec3 *positions, *velocities; ///< [node_count]
  ts_vec3 *loads;                  ///< [node_count] constant forces

  // Since the last linearisation.
  ts_mat3 *rotations;      ///< [element_count]
  ts_mat3 *node_rotations; ///< [node_count]
  ts_vec3 *internal;       ///< [node_count]
  double *values;          ///< of A(q)
  ts_sparse_factor *now;

  ts_sparse_factor *at_rest; ///< NULL: not asked for yet
  ts_mat3 **rest_columns;    ///< [node_count], likewise each

  double *work, *work_2;   ///< [3 * unknown_count]
  double (*work_three)[3]; ///< [3 * unknown_count]
};

static ts_tet_terms terms_of(const ts_tet_body *body) {
  double h = body->dt_s; // all terms of a step without end are exactly 0
  return (ts_tet_terms){.masses = body->unknown_masses,
                        .mass_factor = (1 / h + body->elastic.mass_damping_1_s) / h,
                        .stiffness_factor = 1 + body->elastic.stiffness_damping_s / h,
                        .law = body->law};
}

static ts_status out_of_memory(const ts_tet_body *body) {
  return ts_fail(TS_E_MEMORY, "body \"%s\": out of memory for its tets", body->name);
}

/// Nodes that can move get numbers in the order of the nodes.
static void number_unknowns(ts_tet_body *body) {
  for (size_t i = 0; i < body->elastic.clamped_count; i++)
    body->unknowns[body->elastic.clamped[i]] = TS_TET_CLAMPED;
  for (size_t i = 0; i < body->node_count; i++)
    if (body->unknowns[i] != TS_TET_CLAMPED)
      body->unknowns[i] = (uint32_t)body->unknown_count++;
}

static void make_elements(ts_tet_body *body, const ts_mesh *mesh) {
  for (size_t e = 0; e < body->element_count; e++) {
    ts_tet_element *element = &body->elements[e];
    ts_tet_element_make(element, body->rest, mesh->tets[e]);
    for (int i = 0; i < 4; i++)
      body->masses[element->nodes[i]] += body->density_kg_m3 * element->volume_m3 / 4;
  }
  body->length_m = ts_tet_rest_length_m(body->elements, body->element_count, body->rest);
  for (size_t i = 0; i < body->node_count; i++)
    if (body->unknowns[i] != TS_TET_CLAMPED)
      body->unknown_masses[body->unknowns[i]] = body->masses[i];
}

static void place(ts_tet_body *body, const ts_body *source) {
  for (size_t i = 0; i < body->node_count; i++) {
    body->positions[i] = ts_pose_point(source->pose, body->rest[i]);
    if (body->unknowns[i] != TS_TET_CLAMPED)
      body->velocities[i] = ts_twist_velocity_at(source->twist, source->pose, body->positions[i]);
  }
}

#define NEW(array, count) ((array) = ts_arena_array(body->arena, (count), sizeof *(array)))

static ts_status fill(ts_tet_body *body, const ts_mesh *mesh, const ts_body *source) {
  size_t nodes = body->node_count = mesh->vertex_count;
  size_t tets = body->element_count = mesh->tet_count;
  body->rest = ts_arena_copy(body->arena, mesh->vertices, nodes, sizeof *body->rest);
  body->elastic.clamped = ts_arena_copy(body->arena, source->elastic->clamped,
                                        body->elastic.clamped_count, sizeof *body->elastic.clamped);
  if (!body->rest || !body->elastic.clamped || !NEW(body->unknowns, nodes))
    return out_of_memory(body);
  number_unknowns(body);
  size_t size = 3 * body->unknown_count;
  if (!NEW(body->masses, nodes) || !NEW(body->elements, tets) ||
      !NEW(body->unknown_masses, body->unknown_count) || !NEW(body->positions, nodes) ||
      !NEW(body->velocities, nodes) || !NEW(body->loads, nodes) || !NEW(body->rotations, tets) ||
      !NEW(body->node_rotations, nodes) || !NEW(body->internal, nodes) ||
      !NEW(body->rest_columns, nodes) || !NEW(body->work, size) || !NEW(body->work_2, size) ||
      !NEW(body->work_three, size))
    return out_of_memory(body);
  make_elements(body, mesh);
  place(body, source);
  TS_TRY(ts_tet_system_create(&body->system, body->elements, tets, body->unknowns,
                              body->unknown_count));
  return NEW(body->values, ts_tet_system_value_count(body->system)) ? TS_OK : out_of_memory(body);
}

ts_status ts_tet_body_create(ts_tet_body **out, const ts_shape *shape, const ts_body *body,
                             double dt_s) {
  *out = NULL;
  TS_TRY(ts_tet_body_check(shape->mesh, body, dt_s));
  ts_arena *arena = NULL;
  TS_TRY(ts_arena_create(&arena));
  ts_tet_body *made = ts_arena_array(arena, 1, sizeof *made);
  char *name = ts_arena_string(arena, ts_tet_body_name(body));
  if (!made || !name) {
    ts_arena_destroy(arena);
    return ts_fail(TS_E_MEMORY, "body \"%s\": out of memory", ts_tet_body_name(body));
  }
  *made = (ts_tet_body){.arena = arena,
                        .name = name,
                        .elastic = *body->elastic,
                        .law = ts_tet_law_make(body->elastic->young_pa, body->elastic->poisson),
                        .dt_s = dt_s,
                        .density_kg_m3 = body->density_kg_m3};
  ts_status status = fill(made, shape->mesh, body);
  if (status == TS_OK)
    *out = made;
  else
    ts_tet_body_destroy(made);
  return status;
}

void ts_tet_body_destroy(ts_tet_body *body) {
  if (!body)
    return;
  for (size_t i = 0; body->rest_columns && i < body->node_count; i++)
    free(body->rest_columns[i]);
  ts_sparse_factor_destroy(body->now);
  ts_sparse_factor_destroy(body->at_rest);
  ts_tet_system_destroy(body->system);
  ts_arena_destroy(body->arena);
}

size_t ts_tet_body_node_count(const ts_tet_body *body) {
  return body->node_count;
}

double ts_tet_body_mass_kg(const ts_tet_body *body) {
  double sum = 0;
  for (size_t i = 0; i < body->node_count; i++)
    sum += body->masses[i];
  return sum;
}

const ts_vec3 *ts_tet_body_positions(const ts_tet_body *body) {
  return body->positions;
}

const ts_vec3 *ts_tet_body_velocities(const ts_tet_body *body) {
  return body->velocities;
}

const ts_vec3 *ts_tet_body_rest(const ts_tet_body *body) {
  return body->rest;
}

const double *ts_tet_body_masses(const ts_tet_body *body) {
  return body->masses;
}

bool ts_tet_body_is_clamped(const ts_tet_body *body, size_t node) {
  return body->unknowns[node] == TS_TET_CLAMPED;
}

const ts_elastic *ts_tet_body_elastic(const ts_tet_body *body) {
  return &body->elastic;
}

void ts_tet_body_set_state(ts_tet_body *body, const ts_vec3 *positions, const ts_vec3 *velocities) {
  memcpy(body->positions, positions, body->node_count * sizeof *positions);
  memcpy(body->velocities, velocities, body->node_count * sizeof *velocities);
}

void ts_tet_body_clear_loads(ts_tet_body *body) {
  memset(body->loads, 0, body->node_count * sizeof *body->loads);
}

void ts_tet_body_add_load(ts_tet_body *body, ts_vec3 point_rest, ts_vec3 force_n) {
  ts_tet_point p = ts_tet_rest_point(body->elements, body->element_count, body->rest, point_rest);
  for (int i = 0; i < 4; i++) {
    ts_vec3 *load = &body->loads[p.nodes[i]];
    *load = ts_vec3_add_scaled(*load, p.weights[i], force_n);
  }
}

/// Entries of a vector over all nodes that belong to unknowns.
static void gather(double *out, const ts_tet_body *body, const ts_vec3 *nodes) {
  for (size_t i = 0; i < body->node_count; i++)
    if (body->unknowns[i] != TS_TET_CLAMPED)
      memcpy(out + 3 * (size_t)body->unknowns[i], &nodes[i], sizeof *nodes);
}

/// The way back: 0 at clamped nodes.
static void scatter(ts_vec3 *nodes, const ts_tet_body *body, const double *in) {
  for (size_t i = 0; i < body->node_count; i++)
    if (body->unknowns[i] != TS_TET_CLAMPED)
      memcpy(&nodes[i], in + 3 * (size_t)body->unknowns[i], sizeof *nodes);
    else
      nodes[i] = (ts_vec3){0, 0, 0};
}

static void find_rotations_and_forces(ts_tet_body *body) {
  memset(body->internal, 0, body->node_count * sizeof *body->internal);
  memset(body->node_rotations, 0, body->node_count * sizeof *body->node_rotations);
  for (size_t e = 0; e < body->element_count; e++) {
    const ts_tet_element *element = &body->elements[e];
    ts_mat3 f = ts_tet_element_deformation(element, body->positions);
    ts_mat3 r = body->rotations[e] = ts_mat3_rotation(f);
    ts_mat3 weighted = ts_mat3_scale(r, element->volume_m3);
    ts_vec3 forces[4];
    ts_tet_element_forces(forces, element, body->law, f, r);
    for (int i = 0; i < 4; i++) {
      uint32_t node = element->nodes[i];
      body->internal[node] = ts_vec3_add(body->internal[node], forces[i]);
      body->node_rotations[node] = ts_mat3_add(body->node_rotations[node], weighted);
    }
  }
  for (size_t i = 0; i < body->node_count; i++) {
    body->node_rotations[i] = ts_mat3_rotation(body->node_rotations[i]);
    if (body->unknowns[i] == TS_TET_CLAMPED)
      body->internal[i] = (ts_vec3){0, 0, 0};
  }
}

static ts_status check_forces(const ts_tet_body *body) {
  for (size_t i = 0; i < body->node_count; i++)
    if (!ts_vec3_is_finite(body->internal[i]))
      return ts_fail(TS_E_INPUT,
                     "body \"%s\": the forces at node %zu, which is at (%g, %g, %g), are not "
                     "finite: use a smaller step",
                     body->name, i, body->positions[i].x, body->positions[i].y,
                     body->positions[i].z);
  return TS_OK;
}

static ts_status factor(ts_sparse_factor **out, const ts_tet_body *body, double *values) {
  TS_TRY(ts_sparse_factor_create(out, ts_tet_system_pattern(body->system), values));
  if (*out)
    return TS_OK;
  return ts_fail(TS_E_INPUT,
                 "body \"%s\": its system is not positive definite in double precision: beside its "
                 "stiffness (young_pa %g) its mass over the square of the step is lost "
                 "(density_kg_m3 %g, dt_s %g): give it a higher density, a lower modulus or a "
                 "shorter step, or clamp more of its nodes",
                 body->name, body->elastic.young_pa, body->density_kg_m3, body->dt_s);
}

ts_status ts_tet_body_linearise(ts_tet_body *body) {
  ts_sparse_factor_destroy(body->now); // first, so that there is never more than one
  body->now = NULL;
  find_rotations_and_forces(body);
  TS_TRY(check_forces(body));
  ts_tet_terms terms = terms_of(body);
  ts_tet_system_assemble(body->values, body->system, body->elements, body->rotations, &terms);
  return factor(&body->now, body, body->values);
}

static ts_status need_rest_factor(ts_tet_body *body) {
  if (body->at_rest)
    return TS_OK;
  double *values = malloc(ts_tet_system_value_count(body->system) * sizeof *values);
  if (!values)
    return out_of_memory(body);
  ts_tet_terms terms = terms_of(body);
  ts_tet_system_assemble(values, body->system, body->elements, NULL, &terms);
  ts_status status = factor(&body->at_rest, body, values);
  free(values);
  return status;
}

void ts_tet_body_free_motion(ts_vec3 *out_m, ts_tet_body *body, ts_vec3 gravity_m_s2) {
  for (size_t i = 0; i < body->node_count; i++) {
    ts_vec3 push = ts_vec3_scale(body->velocities[i], body->masses[i] / body->dt_s);
    push = ts_vec3_add_scaled(push, body->masses[i], gravity_m_s2);
    out_m[i] = ts_vec3_sub(ts_vec3_add(push, body->loads[i]), body->internal[i]);
  }
  gather(body->work, body, out_m);
  ts_sparse_factor_solve(body->work, body->work_2, body->now);
  scatter(out_m, body, body->work);
}

const ts_mat3 *ts_tet_body_node_rotations(const ts_tet_body *body) {
  return body->node_rotations;
}

const ts_vec3 *ts_tet_body_internal_forces(const ts_tet_body *body) {
  return body->internal;
}

void ts_tet_body_apply(ts_vec3 *out, const ts_tet_body *body, const ts_vec3 *displacement_m) {
  gather(body->work, body, displacement_m);
  ts_tet_system_apply(body->work_2, body->system, body->values, body->work);
  scatter(out, body, body->work_2);
}

ts_status ts_tet_body_solve(ts_vec3 *values, ts_tet_body *body, ts_tet_factor which) {
  if (which == TS_TET_FACTOR_REST)
    TS_TRY(need_rest_factor(body));
  gather(body->work, body, values);
  ts_sparse_factor_solve(body->work, body->work_2,
                         which == TS_TET_FACTOR_REST ? body->at_rest : body->now);
  scatter(values, body, body->work);
  return TS_OK;
}

size_t ts_tet_body_half_length(const ts_tet_body *body) {
  return 3 * body->unknown_count;
}

/// The same with any of the two factors.
static size_t half_solve(double (*out)[3], const ts_tet_body *body, const ts_sparse_factor *factor,
                         const uint32_t *nodes, const ts_mat3 *forces, size_t count) {
  size_t first = 3 * body->unknown_count;
  memset(out, 0, first * sizeof *out);
  for (size_t i = 0; i < count; i++) {
    uint32_t unknown = body->unknowns[nodes[i]];
    for (size_t k = 0; unknown != TS_TET_CLAMPED && k < 3; k++) {
      size_t place = ts_sparse_factor_place(factor, 3 * (size_t)unknown + k);
      memcpy(out[place], forces[i].m[k], sizeof *out);
      first = place < first ? place : first;
    }
  }
  ts_sparse_factor_lower(out, factor, first);
  return first;
}

size_t ts_tet_body_half_solve(double (*out)[3], const ts_tet_body *body, const uint32_t *nodes,
                              const ts_mat3 *forces, size_t count) {
  return half_solve(out, body, body->now, nodes, forces, count);
}

static void make_rest_column(ts_mat3 *column, ts_tet_body *body, uint32_t node) {
  ts_mat3 unit = ts_mat3_identity();
  half_solve(body->work_three, body, body->at_rest, &node, &unit, 1);
  ts_sparse_factor_upper(body->work_three, body->at_rest);
  for (size_t i = 0; i < body->node_count; i++)
    for (size_t k = 0; k < 3; k++)
      if (body->unknowns[i] != TS_TET_CLAMPED)
        memcpy(column[i].m[k],
               body->work_three[ts_sparse_factor_place(body->at_rest,
                                                       3 * (size_t)body->unknowns[i] + k)],
               sizeof column[i].m[k]);
      else
        memset(column[i].m[k], 0, sizeof column[i].m[k]);
}

ts_status ts_tet_body_rest_column(const ts_mat3 **out, bool *out_is_new, ts_tet_body *body,
                                  uint32_t node) {
  TS_TRY(need_rest_factor(body));
  bool is_new = !body->rest_columns[node];
  if (is_new) {
    ts_mat3 *column = malloc(body->node_count * sizeof *column);
    if (!column)
      return out_of_memory(body);
    make_rest_column(column, body, node);
    body->rest_columns[node] = column;
  }
  if (out_is_new)
    *out_is_new = is_new;
  *out = body->rest_columns[node];
  return TS_OK;
}

void ts_tet_body_move(ts_tet_body *body, const ts_vec3 *displacement_m) {
  for (size_t i = 0; i < body->node_count; i++)
    if (body->unknowns[i] != TS_TET_CLAMPED) {
      body->positions[i] = ts_vec3_add(body->positions[i], displacement_m[i]);
      body->velocities[i] = ts_vec3_scale(displacement_m[i], 1 / body->dt_s);
    }
}

double ts_tet_body_wave_ratio(const ts_tet_body *body) {
  return body->dt_s * sqrt(body->elastic.young_pa / body->density_kg_m3) / body->length_m;
}

double ts_tet_body_elastic_energy(const ts_tet_body *body) {
  double sum = 0;
  for (size_t e = 0; e < body->element_count; e++) {
    ts_mat3 f = ts_tet_element_deformation(&body->elements[e], body->positions);
    sum += ts_tet_element_energy(&body->elements[e], body->law, f, ts_mat3_rotation(f));
  }
  return sum;
}
