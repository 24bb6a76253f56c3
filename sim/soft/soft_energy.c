// SPDX-License-Identifier: MIT
// Energies of a world of deformable and rigid bodies.
#include "sim/soft/soft_state.h"

static void add_deformable(ts_soft_energy *sum, const ts_tet_body *tet, ts_vec3 gravity_m_s2) {
  const ts_vec3 *at = ts_tet_body_positions(tet), *velocities = ts_tet_body_velocities(tet);
  const double *masses = ts_tet_body_masses(tet);
  for (size_t i = 0; i < ts_tet_body_node_count(tet); i++) {
    sum->kinetic_j += 0.5 * masses[i] * ts_vec3_norm2(velocities[i]);
    sum->potential_j -= masses[i] * ts_vec3_dot(gravity_m_s2, at[i]);
  }
  sum->elastic_j += ts_tet_body_elastic_energy(tet);
}

static void add_rigid(ts_soft_energy *sum, const ts_soft_body *b, ts_vec3 gravity_m_s2) {
  const ts_body_state *s = &b->state;
  double mass_kg = b->properties.mass_kg;
  ts_vec3 angular = ts_rigid_body_angular(&b->properties, s);
  sum->kinetic_j += 0.5 * mass_kg * ts_vec3_norm2(s->velocity_m_s);
  sum->kinetic_j += 0.5 * ts_vec3_dot(angular, s->spin_kg_m2_s);
  sum->potential_j -= mass_kg * ts_vec3_dot(gravity_m_s2, s->centre);
}

ts_soft_energy ts_soft_world_get_energy(const ts_soft_world *world) {
  ts_soft_energy sum = {0, 0, 0};
  for (size_t i = 0; i < world->body_count; i++) {
    const ts_soft_body *b = &world->bodies[i];
    if (b->tet)
      add_deformable(&sum, b->tet, world->params.gravity_m_s2);
    else if (!b->body.is_fixed)
      add_rigid(&sum, b, world->params.gravity_m_s2);
  }
  return sum;
}
