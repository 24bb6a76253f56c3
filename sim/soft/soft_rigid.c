// SPDX-License-Identifier: MIT
#include "sim/soft/soft_rigid.h"

#include <math.h>

void ts_soft_rigid_push(ts_soft_body *b, const ts_soft_world_params *params,
                        const ts_force *force) {
  const ts_body_properties *p = &b->properties;
  ts_body_state *s = &b->state;
  ts_vec3 arm = ts_quat_rotate(s->rotation, ts_vec3_sub(force->point_local, p->centre_local));
  ts_vec3 torque = ts_vec3_cross(arm, force->force_n);
  s->velocity_m_s = ts_vec3_add_scaled(s->velocity_m_s, params->dt_s / p->mass_kg, force->force_n);
  s->spin_kg_m2_s = ts_vec3_add_scaled(s->spin_kg_m2_s, params->dt_s, torque);
}

void ts_soft_rigid_move(ts_soft_body *b, const ts_soft_world_params *params) {
  double h = params->dt_s;
  ts_body_state *s = &b->state;
  ts_vec3 angular = ts_rigid_body_angular(&b->properties, s);
  s->velocity_m_s = ts_vec3_add_scaled(s->velocity_m_s, h, params->gravity_m_s2);
  s->centre = ts_vec3_add_scaled(s->centre, h, s->velocity_m_s);
  s->rotation = ts_rigid_body_turned(s->rotation, angular, h);
  ts_rigid_body_write(&b->body, &b->properties, s);
}

bool ts_soft_rigid_is_finite(const ts_soft_body *b) {
  return ts_vec3_is_finite(b->body.pose.translation) &&
         ts_vec3_is_finite(b->body.twist.linear_m_s) &&
         ts_vec3_is_finite(b->body.twist.angular_rad_s);
}

/// A row of a contact times the root of a body's inverse mass matrix.
typedef struct rigid_row {
  double x[6];
} rigid_row;

static double product(const rigid_row *a, const rigid_row *b) {
  double sum = 0;
  for (int j = 0; j < 6; j++)
    sum += a->x[j] * b->x[j];
  return sum;
}

ts_status ts_soft_rigid_blocks(ts_mat3 *out, const ts_soft_world *world, const ts_soft_body *b,
                               const ts_soft_sides *sides) {
  rigid_row(*rows)[3] = ts_arena_array(world->step_arena, sides->count, sizeof *rows);
  if (!rows)
    return TS_E_MEMORY;
  double root[3][3], root_mass = 1 / sqrt(b->properties.mass_kg), h = world->params.dt_s;
  ts_inertia_inverse_root(root, &b->properties.inertia, b->before.rotation);
  for (size_t i = 0; i < sides->count; i++)
    for (int r = 0; r < 3; r++) {
      const double *row = sides->rigid[i].frame.m[r];
      ts_vec3 about = ts_vec3_cross(sides->rigid[i].arm, (ts_vec3){row[0], row[1], row[2]});
      for (int k = 0; k < 3; k++) {
        rows[i][r].x[k] = h * row[k] * root_mass;
        rows[i][r].x[k + 3] =
            h * (about.x * root[0][k] + about.y * root[1][k] + about.z * root[2][k]);
      }
    }
  for (size_t i = 0; i < sides->count; i++)
    for (size_t k = 0; k < sides->count; k++)
      for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
          out[i * sides->count + k].m[r][c] = product(&rows[i][r], &rows[k][c]);
  return TS_OK;
}

void ts_soft_rigid_correct(ts_soft_body *b, const ts_soft_world_params *params,
                           const ts_soft_sides *sides, const ts_vec3 *forces) {
  double h = params->dt_s, mass_kg = b->properties.mass_kg;
  ts_body_state *s = &b->state;
  ts_vec3 force = {0, 0, 0}, torque = {0, 0, 0};
  for (size_t i = 0; i < sides->count; i++) {
    ts_vec3 f = ts_mat3_apply_transposed(sides->rigid[i].frame, forces[sides->contacts[i]]);
    force = ts_vec3_add(force, f);
    torque = ts_vec3_add(torque, ts_vec3_cross(sides->rigid[i].arm, f));
  }
  ts_vec3 angular =
      ts_inertia_velocity(&b->properties.inertia, b->before.rotation, ts_vec3_scale(torque, h));
  s->velocity_m_s = ts_vec3_add_scaled(s->velocity_m_s, h / mass_kg, force);
  s->centre = ts_vec3_add_scaled(s->centre, h * h / mass_kg, force);
  s->spin_kg_m2_s = ts_vec3_add_scaled(s->spin_kg_m2_s, h, torque);
  s->rotation = ts_rigid_body_turned(s->rotation, angular, h);
  ts_rigid_body_write(&b->body, &b->properties, s);
}
