// SPDX-License-Identifier: MIT
/// Times an update of a contact in ts_solver_solve() against a loop that is not to change: the same
/// method row by row, with the Jacobian and its product with the inverse masses side by side. The
/// loop is the ruler, and checks the result too.
///
/// Then it times the responses to volumes on the same contacts, as ratios to contacts as points in
/// the same run.
///
/// usage: benchmark_solver [SWEEPS [REPEATS [RATIO_MAX]]]: fails when the results differ, and when
/// the ratio of the two times is above RATIO_MAX, if that is given and the build optimised.
#include "base/clock.h"
#include "base/random.h"
#include "base/status.h"
#include "sim/solver.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  LAYERS = 10,
  BRICKS = 8,
  BODIES = LAYERS * BRICKS + 1,
  SETS = 4 * BODIES,
  CONTACTS_MAX = 1000
};

typedef struct plain_contact {
  double jacobian[4][12]; ///< (linear, angular) of a, then of b
  double spread[4][12];   ///< inverse masses times the Jacobian
  double r[4], free[4], x[4];
  double friction;
  int32_t a, b;
} plain_contact;

typedef struct scene {
  ts_solver_body bodies[BODIES];
  ts_contact_set sets[SETS];
  size_t set_count;
  plain_contact contacts[CONTACTS_MAX];
  size_t contact_count;
  double velocity[BODIES][6];
} scene;

/// A wall of bricks, each in some motion, on a fixed ground.
static void fill_bodies(scene *s) {
  ts_random random = ts_random_seed(1, 0);
  s->bodies[0] = (ts_solver_body){.is_fixed = 1};
  for (int i = 1; i < BODIES; i++) {
    ts_solver_body *b = &s->bodies[i];
    int layer = (i - 1) / BRICKS, place = (i - 1) % BRICKS;
    b->inverse_root_mass = 0.1;
    for (int k = 0; k < 3; k++)
      b->inverse_root[k][k] = 1 / sqrt(5);
    b->centre = (ts_vec3){0.625 * place + 0.3125 * (layer % 2), 0.4 * (layer + 0.5), 0};
    b->linear_m_s = (ts_vec3){ts_random_uniform(&random, -0.1, 0.1), -0.0982,
                              ts_random_uniform(&random, -0.1, 0.1)};
  }
}

static int push_joint(scene *s, int32_t a, int32_t b, ts_vec3 middle, ts_vec3 normal, ts_vec3 u) {
  ts_contact_set *set = &s->sets[s->set_count++];
  set->body_a = a;
  set->body_b = b;
  for (int k = 0; k < 4; k++) {
    ts_contact contact = {
        .point = ts_vec3_add_scaled(middle, k & 1 ? 1 : -1, u), .normal = normal, .gap_m = -1e-3};
    contact.point.z = k & 2 ? 0.25 : -0.25;
    if (ts_contact_set_push(set, &contact, 1) != TS_OK)
      return 0;
  }
  return 1;
}

static int fill_sets(scene *s) {
  const ts_vec3 up = {0, 1, 0}, side = {1, 0, 0};
  for (int32_t b = 1; b < BODIES; b++) {
    ts_vec3 centre = s->bodies[b].centre;
    if (b <= BRICKS && !push_joint(s, 0, b, (ts_vec3){centre.x, 0, 0}, up, (ts_vec3){0.3125, 0, 0}))
      return 0;
    for (int32_t a = 1; a < b; a++) {
      ts_vec3 d = ts_vec3_sub(centre, s->bodies[a].centre);
      ts_vec3 middle = ts_vec3_mid(centre, s->bodies[a].centre);
      int is_above = fabs(d.y - 0.4) < 1e-9 && fabs(d.x) < 0.4;
      int is_beside = fabs(d.y) < 1e-9 && fabs(d.x - 0.625) < 1e-9;
      if ((is_above && !push_joint(s, a, b, middle, up, (ts_vec3){0.15625, 0, 0})) ||
          (is_beside && !push_joint(s, a, b, middle, side, (ts_vec3){0, 0.2, 0})))
        return 0;
    }
  }
  return 1;
}

static void fill_row(double *jacobian, double *spread, const ts_solver_body *body, ts_vec3 along,
                     ts_vec3 about, double sign) {
  const double j[6] = {along.x, along.y, along.z, about.x, about.y, about.z};
  for (int k = 0; k < 6; k++) {
    double root = k < 3 ? body->inverse_root_mass : body->inverse_root[k - 3][k - 3];
    jacobian[k] = body->is_fixed ? 0 : sign * j[k];
    spread[k] = body->is_fixed ? 0 : root * root * jacobian[k];
  }
}

static double plain_product(const double a[12], const double b[12]) {
  double sum = 0;
  for (int k = 0; k < 12; k++)
    sum += a[k] * b[k];
  return sum;
}

static void fill_plain(scene *s, const ts_contact_set *set, const ts_contact *contact,
                       const ts_solver_params *params) {
  plain_contact *c = &s->contacts[s->contact_count++];
  const ts_solver_body *a = &s->bodies[set->body_a], *b = &s->bodies[set->body_b];
  ts_vec3 along[4] = {contact->normal};
  ts_vec3_tangents(&along[1], &along[2], contact->normal);
  *c = (plain_contact){.friction = params->friction, .a = set->body_a, .b = set->body_b};
  for (int i = 0; i < 4; i++) {
    ts_vec3 spin = ts_vec3_scale(contact->normal, params->spin_length_m);
    ts_vec3 arm_a = ts_vec3_sub(contact->point, a->centre);
    ts_vec3 arm_b = ts_vec3_sub(contact->point, b->centre);
    fill_row(c->jacobian[i], c->spread[i], a, along[i],
             i == 3 ? spin : ts_vec3_cross(arm_a, along[i]), -1);
    fill_row(c->jacobian[i] + 6, c->spread[i] + 6, b, along[i],
             i == 3 ? spin : ts_vec3_cross(arm_b, along[i]), 1);
    c->r[i] = 1 / plain_product(c->jacobian[i], c->spread[i]);
    c->free[i] = ts_vec3_dot(along[i], b->linear_m_s) - ts_vec3_dot(along[i], a->linear_m_s);
  }
}

static void plain_update(scene *s, plain_contact *c) {
  double v[12], z[4], d[4];
  memcpy(v, s->velocity[c->a], 6 * sizeof *v);
  memcpy(v + 6, s->velocity[c->b], 6 * sizeof *v);
  for (int i = 0; i < 4; i++)
    z[i] = c->x[i] - c->r[i] * (plain_product(c->jacobian[i], v) + c->free[i]);
  z[0] = z[0] > 0 ? z[0] : 0;
  double norm = sqrt(z[1] * z[1] + z[2] * z[2] + z[3] * z[3]), radius = c->friction * z[0];
  for (int i = 1; i < 4 && norm > radius; i++)
    z[i] *= radius / norm;
  for (int i = 0; i < 4; i++) {
    d[i] = z[i] - c->x[i];
    c->x[i] = z[i];
  }
  for (int k = 0; k < 12; k++)
    for (int i = 0; i < 4; i++)
      v[k] += c->spread[i][k] * d[i];
  memcpy(s->velocity[c->a], v, 6 * sizeof *v);
  memcpy(s->velocity[c->b], v + 6, 6 * sizeof *v);
}

static void plain_solve(scene *s, int sweeps) {
  memset(s->velocity, 0, sizeof s->velocity);
  for (size_t i = 0; i < s->contact_count; i++)
    memset(s->contacts[i].x, 0, sizeof s->contacts[i].x);
  for (int sweep = 0; sweep < sweeps; sweep++)
    for (size_t i = 0; i < s->contact_count; i++)
      plain_update(s, &s->contacts[i]);
}

/// Largest difference of the two results [m/s].
static double difference(const scene *s, const ts_solver *solver) {
  double worst = 0;
  for (size_t i = 0; i < BODIES; i++) {
    ts_twist change = ts_solver_change(solver, s->bodies, i);
    const double *v = s->velocity[i];
    ts_vec3 linear = {v[0], v[1], v[2]}, angular = {v[3], v[4], v[5]};
    worst = fmax(worst, ts_vec3_distance(change.linear_m_s, linear));
    worst = fmax(worst, ts_vec3_distance(change.angular_rad_s, angular));
  }
  return worst;
}

static int measure(scene *s, ts_solver *solver, const ts_solver_params *params, long repeats,
                   double largest) {
  int64_t best = INT64_MAX, best_plain = INT64_MAX, best_assemble = INT64_MAX;
  ts_solver_report report;
  for (long i = 0; i < repeats; i++) {
    int64_t t0 = ts_clock_ns();
    if (ts_solver_assemble(solver, s->bodies, BODIES, s->sets, s->set_count, params, 0.01) != TS_OK)
      return 1;
    int64_t t1 = ts_clock_ns();
    ts_solver_solve(&report, solver, params);
    int64_t t2 = ts_clock_ns();
    plain_solve(s, report.sweeps);
    int64_t t3 = ts_clock_ns();
    best_assemble = t1 - t0 < best_assemble ? t1 - t0 : best_assemble;
    best = t2 - t1 < best ? t2 - t1 : best;
    best_plain = t3 - t2 < best_plain ? t3 - t2 : best_plain;
  }
  double updates = (double)report.contact_count * report.sweeps, off = difference(s, solver);
  double ratio = (double)best / (double)best_plain;
  printf("%zu contacts, %d sweeps, best of %ld: assembly %.1f ns a contact; update %.1f ns, plain "
         "loop %.1f ns, ratio %.3f; results differ by %.2g m/s\n",
         report.contact_count, (int)report.sweeps, repeats,
         (double)best_assemble / (double)report.contact_count, (double)best / updates,
         (double)best_plain / updates, ratio, off);
#ifndef __OPTIMIZE__
  largest = HUGE_VAL;
#endif
  return !(off <= 1e-9) || !(ratio <= largest) || report.sweeps == 0;
}

/// Time of an update of a row [ns], the least of all repeats; below 0 when it fails.
static double time_update(ts_solver *solver, const scene *s, const ts_solver_params *params,
                          long repeats) {
  int64_t best = INT64_MAX;
  ts_solver_report report;
  for (long i = 0; i < repeats; i++) {
    if (ts_solver_assemble(solver, s->bodies, BODIES, s->sets, s->set_count, params, 0.01) != TS_OK)
      return -1;
    int64_t start = ts_clock_ns();
    ts_solver_solve(&report, solver, params);
    int64_t time = ts_clock_ns() - start;
    best = time < best ? time : best;
  }
  double updates = (double)report.constraint_count * report.sweeps;
  return updates > 0 ? (double)best / updates : -1;
}

/// Prints what an update costs under each response, over that of a contact as a point.
static int compare_responses(ts_solver *solver, const scene *s, const ts_solver_params *points,
                             long repeats) {
  static const struct {
    const char *name;
    ts_response_params params;
  } responses[] = {
      {"volume, a row for each contact", {.kind = TS_RESPONSE_VOLUME}},
      {"volume, a row for each pair", {.kind = TS_RESPONSE_VOLUME, .rows = TS_ROWS_PAIR}},
      {"penalty", {.kind = TS_RESPONSE_PENALTY, .stiffness_n_m5 = 1e6}},
  };
  for (size_t i = 0; i < sizeof responses / sizeof *responses; i++) {
    ts_solver_params params = *points;
    params.response = responses[i].params;
    params.response.even_area_m2 = 1;
    params.spin_length_m = 0;
    double before = time_update(solver, s, points, repeats);
    double time = time_update(solver, s, &params, repeats);
    double after = time_update(solver, s, points, repeats);
    if (!(before > 0) || !(time > 0) || !(after > 0))
      return 1;
    printf("%s: update %.1f ns, over that of a point %.3f\n", responses[i].name, time,
           time / fmin(before, after));
  }
  return 0;
}

int main(int argc, char **argv) {
  long sweeps = argc > 1 ? strtol(argv[1], NULL, 10) : 1000;
  long repeats = argc > 2 ? strtol(argv[2], NULL, 10) : 5;
  double largest = argc > 3 ? strtod(argv[3], NULL) : HUGE_VAL;
  if (sweeps < 1 || sweeps > 1000000 || repeats < 1 || !(largest > 0)) {
    fprintf(stderr, "usage: benchmark_solver [SWEEPS [REPEATS [RATIO_MAX]]]\n");
    return 2;
  }
  ts_solver_params params = ts_solver_params_default();
  params.sweeps = (int32_t)sweeps;
  params.r_strategy = TS_R_ROWS; // the plain loop's, which also never rolls back
  params.r_reduction = 1;
  scene *s = calloc(1, sizeof *s);
  ts_solver *solver = NULL;
  if (!s || ts_solver_create(&solver) != TS_OK)
    return 2;
  fill_bodies(s);
  int failed = !fill_sets(s);
  for (size_t i = 0; i < s->set_count; i++)
    for (size_t k = 0; k < s->sets[i].count; k++)
      fill_plain(s, &s->sets[i], &s->sets[i].contacts[k], &params);
  failed = failed || measure(s, solver, &params, repeats, largest) ||
           compare_responses(solver, s, &params, repeats);
  for (size_t i = 0; i < s->set_count; i++)
    ts_contact_set_clear(&s->sets[i]);
  ts_solver_destroy(solver);
  free(s);
  return failed;
}
