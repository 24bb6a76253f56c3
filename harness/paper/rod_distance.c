// SPDX-License-Identifier: MIT
#include "harness/paper/rod_distance.h"

#include "base/status.h"
#include "geometry/mesh/mesh.h"
#include "harness/picture/cell_snapshot.h"

#include <math.h>

/// Below this speed friction fades. Creeping at it for half a second moves nothing that one would
/// see in a table of percents of the length.
static const double creep_m_s = 1e-5;

enum { NEWTON_STEPS = 200, HALVINGS = 40 };

/// One time step: minimise |u - free|^2 / 2, weighted by the mass matrix, plus what friction
/// dissipates. u is the velocity of the middle along x and z, and the rate of turning.
typedef struct slide_step {
  const ts_rod *rod;
  double cosine, sine; ///< of the turn
  double inertia_m2;   ///< over the mass
  double impulse_m_s;  ///< of friction on the whole rod, over the mass
  ts_vec3 free;
} slide_step;

static double place_m(const slide_step *s, int i) {
  return s->rod->length_m * ((i + 0.5) / TS_ROD_POINTS - 0.5);
}

static double dissipation(const slide_step *s, ts_vec3 u) {
  ts_vec3 d = ts_vec3_sub(u, s->free);
  double sum = 0.5 * (d.x * d.x + d.y * d.y + s->inertia_m2 * d.z * d.z);
  for (int i = 0; i < TS_ROD_POINTS; i++) {
    double at_m = place_m(s, i);
    double along = u.x - u.z * at_m * s->sine, across = u.y + u.z * at_m * s->cosine;
    sum += s->impulse_m_s / TS_ROD_POINTS *
           sqrt(along * along + across * across + creep_m_s * creep_m_s);
  }
  return sum;
}

/// Slope of the dissipation, and its second derivatives as columns.
static void derive(ts_vec3 *slope, ts_vec3 columns[3], const slide_step *s, ts_vec3 u) {
  ts_vec3 d = ts_vec3_sub(u, s->free);
  *slope = ts_vec3_make(d.x, d.y, s->inertia_m2 * d.z);
  double xx = 1, xy = 0, yy = 1, xz = 0, yz = 0, zz = s->inertia_m2;
  for (int i = 0; i < TS_ROD_POINTS; i++) {
    double arm_x = -place_m(s, i) * s->sine, arm_y = place_m(s, i) * s->cosine;
    double vx = u.x + u.z * arm_x, vy = u.y + u.z * arm_y;
    double speed = sqrt(vx * vx + vy * vy + creep_m_s * creep_m_s);
    double weight = s->impulse_m_s / TS_ROD_POINTS / speed;
    double hxx = weight * (1 - vx * vx / (speed * speed));
    double hyy = weight * (1 - vy * vy / (speed * speed));
    double hxy = -weight * vx * vy / (speed * speed);
    *slope = ts_vec3_add(
        *slope, ts_vec3_make(weight * vx, weight * vy, weight * (arm_x * vx + arm_y * vy)));
    xx += hxx;
    xy += hxy;
    yy += hyy;
    xz += hxx * arm_x + hxy * arm_y;
    yz += hxy * arm_x + hyy * arm_y;
    zz += hxx * arm_x * arm_x + 2 * hxy * arm_x * arm_y + hyy * arm_y * arm_y;
  }
  columns[0] = ts_vec3_make(xx, xy, xz);
  columns[1] = ts_vec3_make(xy, yy, yz);
  columns[2] = ts_vec3_make(xz, yz, zz);
}

/// x with columns x = b, by Cramer's rule.
static ts_vec3 solve(const ts_vec3 columns[3], ts_vec3 b) {
  ts_vec3 across = ts_vec3_cross(columns[1], columns[2]);
  double volume = ts_vec3_dot(columns[0], across);
  return ts_vec3_make(ts_vec3_dot(b, across) / volume,
                      ts_vec3_dot(columns[0], ts_vec3_cross(b, columns[2])) / volume,
                      ts_vec3_dot(columns[0], ts_vec3_cross(columns[1], b)) / volume);
}

/// Newton's method from `u`, each step halved until the dissipation falls.
static ts_vec3 minimise(const slide_step *s, ts_vec3 u) {
  for (int i = 0; i < NEWTON_STEPS; i++) {
    ts_vec3 slope, columns[3];
    derive(&slope, columns, s, u);
    ts_vec3 step = ts_vec3_neg(solve(columns, slope));
    double fall = -ts_vec3_dot(slope, step), now = dissipation(s, u), share = 1;
    int halvings = 0;
    while (dissipation(s, ts_vec3_add(u, ts_vec3_scale(step, share))) > now - 0.1 * share * fall &&
           halvings++ < HALVINGS)
      share *= 0.5;
    if (halvings > HALVINGS) // as low as the digits allow
      break;
    u = ts_vec3_add(u, ts_vec3_scale(step, share));
    if (fall < 1e-20)
      break;
  }
  return u;
}

ts_rod_place ts_rod_slide(const ts_rod *rod, double time_s, double step_s) {
  ts_rod_place at = {0};
  ts_vec3 u = {0};
  double count = ceil(time_s / step_s), dt_s = time_s / fmax(count, 1);
  slide_step s = {.rod = rod,
                  .inertia_m2 = (rod->length_m * rod->length_m + rod->width_m * rod->width_m) / 12,
                  .impulse_m_s = dt_s * rod->friction_m_s2};
  for (double i = 0; i < count; i++) {
    s.cosine = cos(at.turn_rad);
    s.sine = sin(at.turn_rad);
    double push_m_s = dt_s * rod->pull_m_s2;
    s.free = ts_vec3_make(u.x, u.y + push_m_s,
                          u.z + 0.5 * rod->length_m * s.cosine * push_m_s / s.inertia_m2);
    u = minimise(&s, u);
    at = (ts_rod_place){at.x_m + dt_s * u.x, at.z_m + dt_s * u.y, at.turn_rad + dt_s * u.z};
  }
  return at;
}

ts_rod_distance ts_rod_compare(ts_rod_place a, ts_rod_place b, double length_m) {
  ts_rod_distance out = {0, 0};
  for (int i = 0; i <= TS_ROD_POINTS; i++) { // both ends are among them
    double at_m = length_m * ((double)i / TS_ROD_POINTS - 0.5);
    double x = a.x_m - b.x_m + at_m * (cos(a.turn_rad) - cos(b.turn_rad));
    double z = a.z_m - b.z_m + at_m * (sin(a.turn_rad) - sin(b.turn_rad));
    double apart = sqrt(x * x + z * z) / length_m;
    out.mean += apart / (TS_ROD_POINTS + 1);
    out.max = fmax(out.max, apart);
  }
  return out;
}

ts_status ts_rod_distance_of(ts_rod_distance *out, ts_arena *arena, const ts_cell *cell,
                             int64_t step) {
  ts_scene *scene;
  TS_TRY(ts_cell_scene_at(&scene, arena, cell, step));
  if (scene->force_count != 1)
    return ts_fail(TS_E_INPUT, "%s has %zu forces: a rod that is pulled has one", cell->c->name,
                   scene->force_count);
  const ts_force *pull = &scene->forces[0];
  const ts_body *body = &scene->bodies[pull->body];
  const ts_shape *shape = &scene->shapes[body->shape];
  ts_aabb box = shape->bounds_local;
  ts_vec3 size = ts_vec3_sub(box.high, box.low);
  double mass_kg = ts_shape_mass_properties(shape, body->density_kg_m3).mass_kg;
  const double *values = cell->simulation_values;
  const ts_rod rod = {.length_m = size.x,
                      .width_m = size.z,
                      .pull_m_s2 = ts_vec3_norm(pull->force_n) / mass_kg,
                      .friction_m_s2 =
                          values[TS_SIMULATION_FRICTION_FIXED] * values[TS_SIMULATION_GRAVITY]};
  ts_vec3 axis = ts_pose_direction(body->pose, ts_vec3_make(1, 0, 0));
  const ts_rod_place there = {body->pose.translation.x, body->pose.translation.z,
                              atan2(axis.z, axis.x)};
  double time_s = ts_cell_contacts_time_s(cell, step);
  *out = ts_rod_compare(there, ts_rod_slide(&rod, time_s, 0.1 * values[TS_SIMULATION_DT]),
                        rod.length_m);
  return TS_OK;
}
