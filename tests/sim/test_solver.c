// SPDX-License-Identifier: MIT
// covers: sim/contact_check.c sim/contact_rows.c sim/constraints.c sim/solver.c sim/solver_assemble.c
#include "base/random.h"
#include "base/status.h"
#include "sim/solver.h"

#include <criterion/criterion.h>
#include <string.h>

enum { BODIES = 6, SETS = 8 };

/// Bodies without shapes, and contacts between them.
typedef struct problem {
  ts_solver_body bodies[BODIES];
  size_t body_count;
  ts_contact_set sets[SETS];
  size_t set_count;
  ts_solver_params params;
  ts_solver *solver;
  ts_solver_report report;
} problem;

static const double dt_s = 0.01;

static void problem_init(problem *p) {
  memset(p, 0, sizeof *p);
  p->params = ts_solver_params_default();
  cr_assert_eq(ts_solver_create(&p->solver), TS_OK);
}

static void problem_release(problem *p) {
  for (size_t i = 0; i < SETS; i++)
    ts_contact_set_clear(&p->sets[i]);
  ts_solver_destroy(p->solver);
}

static int32_t add_fixed(problem *p) {
  p->bodies[p->body_count] = (ts_solver_body){.is_fixed = 1};
  return (int32_t)p->body_count++;
}

/// A body with the moments of inertia of a box with edges `size`.
static int32_t add_box(problem *p, double mass_kg, ts_vec3 size, ts_vec3 centre) {
  ts_solver_body *b = &p->bodies[p->body_count];
  *b = (ts_solver_body){.inverse_root_mass = 1 / sqrt(mass_kg), .centre = centre};
  double x2 = size.x * size.x, y2 = size.y * size.y, z2 = size.z * size.z;
  b->inverse_root[0][0] = 1 / sqrt(mass_kg * (y2 + z2) / 12);
  b->inverse_root[1][1] = 1 / sqrt(mass_kg * (x2 + z2) / 12);
  b->inverse_root[2][2] = 1 / sqrt(mass_kg * (x2 + y2) / 12);
  return (int32_t)p->body_count++;
}

static void add_contact(problem *p, size_t set, ts_vec3 point, ts_vec3 normal, double gap_m) {
  ts_contact contact = {.point = point, .normal = normal, .gap_m = gap_m, .area_m2 = NAN};
  cr_assert_eq(ts_contact_set_push(&p->sets[set], &contact, 1), TS_OK);
}

static size_t add_set(problem *p, int32_t a, int32_t b) {
  p->sets[p->set_count].body_a = a;
  p->sets[p->set_count].body_b = b;
  return p->set_count++;
}

static ts_status assemble(problem *p) {
  return ts_solver_assemble(p->solver, p->bodies, p->body_count, p->sets, p->set_count, &p->params,
                            dt_s);
}

static void solve(problem *p) {
  cr_assert_eq(assemble(p), TS_OK, "%s", ts_status_detail());
  ts_solver_solve(&p->report, p->solver, &p->params);
}

/// Velocity of a body after the solve, at a point.
static ts_vec3 velocity_after(const problem *p, int32_t body, ts_vec3 point, ts_vec3 *out_angular) {
  const ts_solver_body *b = &p->bodies[body];
  ts_twist change = ts_solver_change(p->solver, p->bodies, (size_t)body);
  *out_angular = ts_vec3_add(b->angular_rad_s, change.angular_rad_s);
  return ts_vec3_add(ts_vec3_add(b->linear_m_s, change.linear_m_s),
                     ts_vec3_cross(*out_angular, ts_vec3_sub(point, b->centre)));
}

/// Velocity of b against a along (normal, s, t, spin) of a contact after the solve.
static void relative_velocity(double out[4], const problem *p, const ts_contact_set *set,
                              const ts_contact *contact) {
  ts_vec3 n = ts_vec3_unit(contact->normal), s, t, angular_a, angular_b;
  ts_vec3_tangents(&s, &t, n);
  ts_vec3 a = velocity_after(p, set->body_a, contact->point, &angular_a);
  ts_vec3 b = velocity_after(p, set->body_b, contact->point, &angular_b);
  ts_vec3 u = ts_vec3_sub(b, a);
  out[0] = ts_vec3_dot(u, n);
  out[1] = ts_vec3_dot(u, s);
  out[2] = ts_vec3_dot(u, t);
  out[3] = p->params.spin_length_m * ts_vec3_dot(ts_vec3_sub(angular_b, angular_a), n);
}

static double norm3(const double v[3]) {
  return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/// Signorini and Coulomb at each contact, from the velocities and multipliers alone. Friction has
/// to oppose (s, t, spin) where `is_ball`, else (s, t) where there is no spin.
static void expect_laws(const problem *p, double tolerance, int is_ball) {
  size_t index = 0;
  for (size_t i = 0; i < p->set_count; i++)
    for (size_t k = 0; k < p->sets[i].count; k++, index++) {
      double u[4], x[4];
      relative_velocity(u, p, &p->sets[i], &p->sets[i].contacts[k]);
      ts_solver_multipliers(x, p->solver, index);
      int is_fixed = p->bodies[p->sets[i].body_a].is_fixed;
      double radius = (is_fixed ? p->params.friction_fixed : p->params.friction) * x[0];
      cr_expect(x[0] >= 0 && u[0] >= -tolerance, "contact %zu: x %g u %g", index, x[0], u[0]);
      cr_expect(x[0] * u[0] <= tolerance, "contact %zu: x %g u %g", index, x[0], u[0]);
      cr_expect_leq(norm3(x + 1), radius * (1 + 1e-14));
      if (norm3(x + 1) < radius * (1 - 1e-9)) {
        cr_expect_leq(norm3(u + 1), tolerance, "contact %zu sticks, slips %g", index, norm3(u + 1));
      } else if (is_ball && radius > 0) {
        double opposed = -(u[1] * x[1] + u[2] * x[2] + u[3] * x[3]);
        cr_expect_geq(opposed, norm3(u + 1) * norm3(x + 1) - tolerance, "contact %zu", index);
      }
    }
  cr_expect_gt(index, 0);
}

/// A heap of four boxes with tripods between them, in random motion: no share of a contact is left
/// undetermined.
static void random_heap(problem *p, uint64_t seed) {
  ts_random random = ts_random_seed(seed, 0);
  add_fixed(p);
  for (int i = 1; i <= 4; i++) {
    ts_vec3 centre = {ts_random_uniform(&random, -0.1, 0.1), 0.3 * i,
                      ts_random_uniform(&random, -0.1, 0.1)};
    int32_t box = add_box(p, ts_random_uniform(&random, 1, 20), (ts_vec3){1, 0.3, 0.8}, centre);
    p->bodies[box].linear_m_s =
        (ts_vec3){ts_random_uniform(&random, -1, 1), -1, ts_random_uniform(&random, -1, 1)};
    p->bodies[box].angular_rad_s =
        (ts_vec3){ts_random_uniform(&random, -1, 1), ts_random_uniform(&random, -3, 3),
                  ts_random_uniform(&random, -1, 1)};
    size_t set = add_set(p, box - 1, box);
    for (int k = 0; k < 3; k++) {
      ts_vec3 foot = {k == 0 ? 0 : k == 1 ? 0.4 : -0.4, 0, k == 0 ? 0.4 : -0.3};
      ts_vec3 tilt = {ts_random_uniform(&random, -0.2, 0.2), 1,
                      ts_random_uniform(&random, -0.2, 0.2)};
      add_contact(p, set, ts_vec3_add(ts_vec3_add(centre, (ts_vec3){0, -0.15, 0}), foot),
                  ts_vec3_unit(tilt), 0);
    }
  }
}

Test(sim_solver, signorini_and_coulomb_hold) {
  for (int strategy = TS_R_ROWS; strategy <= TS_R_FRICTION; strategy++)
    for (uint64_t seed = 1; seed <= 10; seed++) {
      problem p;
      problem_init(&p);
      random_heap(&p, seed);
      p.params.r_strategy = strategy;
      p.params.sweeps = 100000;
      p.params.tolerance_kg_m_s = 1e-12;
      p.params.spin_length_m = 0.3;
      solve(&p);
      // Of ten heaps two are stiff, and TS_R_FRICTION is slow with them.
      double reached = strategy == TS_R_FRICTION ? 1e-6 : 1e-12;
      cr_expect_leq(p.report.residual_kg_m_s, reached, "seed %d strategy %d: %g", (int)seed,
                    strategy, p.report.residual_kg_m_s);
      expect_laws(&p, strategy == TS_R_FRICTION ? 1e-6 : 1e-9, strategy == TS_R_FRICTION);
      problem_release(&p);
    }
}

Test(sim_solver, tangents_oppose_the_slip_where_nothing_spins) {
  for (int strategy = TS_R_TANGENTS; strategy <= TS_R_FRICTION; strategy++)
    for (uint64_t seed = 1; seed <= 10; seed++) {
      problem p;
      problem_init(&p);
      random_heap(&p, seed);
      p.params.r_strategy = strategy;
      p.params.sweeps = 20000;
      p.params.tolerance_kg_m_s = 1e-12;
      p.params.spin_length_m = 0;
      solve(&p);
      expect_laws(&p, 1e-9, 1);
      problem_release(&p);
    }
}

/// Largest difference of the changes of all bodies [m/s, rad/s].
static double difference(const problem *p, const problem *q) {
  double worst = 0;
  for (size_t i = 0; i < p->body_count; i++) {
    ts_twist a = ts_solver_change(p->solver, p->bodies, i);
    ts_twist b = ts_solver_change(q->solver, q->bodies, i);
    worst = fmax(worst, fmax(ts_vec3_distance(a.linear_m_s, b.linear_m_s),
                             ts_vec3_distance(a.angular_rad_s, b.angular_rad_s)));
  }
  return worst;
}

static void reverse(ts_contact_set *set) {
  for (size_t i = 0, k = set->count - 1; i < k; i++, k--) {
    ts_contact swapped = set->contacts[i];
    set->contacts[i] = set->contacts[k];
    set->contacts[k] = swapped;
  }
}

Test(sim_solver, order_and_copies_change_nothing_when_converged) {
  for (uint64_t seed = 1; seed <= 5; seed++) {
    problem p, back, forth_back, twice;
    problem *all[] = {&p, &back, &forth_back, &twice};
    for (int i = 0; i < 4; i++) {
      problem_init(all[i]);
      random_heap(all[i], seed);
      all[i]->params.sweeps = 20000;
      all[i]->params.tolerance_kg_m_s = 1e-12;
    }
    forth_back.params.order = TS_ORDER_FORTH_BACK;
    ts_contact_set first = back.sets[0];
    back.sets[0] = back.sets[3];
    back.sets[3] = first;
    for (size_t i = 0; i < 4; i++) {
      reverse(&back.sets[i]);
      ts_contact copies[3];
      memcpy(copies, twice.sets[i].contacts, sizeof copies);
      cr_assert_eq(ts_contact_set_push(&twice.sets[i], copies, 3), TS_OK);
    }
    for (int i = 0; i < 4; i++) {
      solve(all[i]);
      cr_expect_lt(difference(all[i], &p), 1e-8, "seed %d, %d: %g", (int)seed, i,
                   difference(all[i], &p));
    }
    for (int i = 0; i < 4; i++)
      problem_release(all[i]);
  }
}

Test(sim_solver, same_rows_give_the_same_bits) {
  problem p, q;
  problem_init(&p);
  problem_init(&q);
  random_heap(&p, 3);
  random_heap(&q, 3);
  solve(&q);
  solve(&q); // what a cold solve follows does not matter
  solve(&p);
  for (size_t i = 0; i < 12; i++) {
    double x[4], y[4];
    ts_solver_multipliers(x, p.solver, i);
    ts_solver_multipliers(y, q.solver, i);
    cr_expect_eq(memcmp(x, y, sizeof x), 0);
  }
  problem_release(&p);
  problem_release(&q);
}

Test(sim_solver, momentum_only_goes_from_body_to_body) {
  problem p;
  problem_init(&p);
  random_heap(&p, 7);
  p.bodies[0] = p.bodies[1];
  p.bodies[0].centre.y = 0;
  p.bodies[0].linear_m_s.y = 3;
  solve(&p);
  ts_vec3 linear = {0, 0, 0}, angular = {0, 0, 0};
  double size = 0;
  for (size_t i = 0; i < p.body_count; i++) {
    const ts_solver_body *b = &p.bodies[i];
    ts_twist change = ts_solver_change(p.solver, p.bodies, i);
    double mass = 1 / (b->inverse_root_mass * b->inverse_root_mass);
    ts_vec3 push = ts_vec3_scale(change.linear_m_s, mass);
    linear = ts_vec3_add(linear, push);
    angular = ts_vec3_add(angular, ts_vec3_cross(b->centre, push));
    double *axes[3] = {&angular.x, &angular.y, &angular.z};
    const double spin[3] = {change.angular_rad_s.x, change.angular_rad_s.y, change.angular_rad_s.z};
    for (int k = 0; k < 3; k++)
      *axes[k] += spin[k] / (b->inverse_root[k][k] * b->inverse_root[k][k]);
    size = fmax(size, ts_vec3_norm(push));
  }
  cr_expect_gt(size, 1);
  cr_expect_leq(ts_vec3_norm(linear), 1e-12 * size);
  cr_expect_leq(ts_vec3_norm(angular), 1e-12 * size);
  problem_release(&p);
}

/// One contact far from a small body, with high friction: that presses the bodies apart again as
/// much as the normal brought them together, and each sweep takes back what the one before did.
static void far_contact(problem *p, double r_reduction) {
  problem_init(p);
  add_fixed(p);
  int32_t box = add_box(p, 1, (ts_vec3){0.1, 0.1, 0.1}, (ts_vec3){0, 0, 0});
  p->bodies[box].linear_m_s = (ts_vec3){-0.07, -1, -0.93};
  p->bodies[box].angular_rad_s = (ts_vec3){-0.57, -0.7, 0.08};
  add_contact(p, add_set(p, 0, box), (ts_vec3){0.43, 0.07, -0.49}, (ts_vec3){0.95, 1, -0.67}, 0);
  p->params.spin_length_m = 4.7;
  p->params.friction_fixed = 1.26;
  p->params.r_reduction = r_reduction;
}

Test(sim_solver, rolling_back_ends_a_cycle) {
  problem p;
  far_contact(&p, 1);
  solve(&p);
  cr_expect_eq(p.report.rollbacks, 0);
  cr_expect_gt(p.report.residual_kg_m_s, 1e-3, "%g", p.report.residual_kg_m_s);
  problem_release(&p);
  far_contact(&p, 0.9);
  solve(&p);
  cr_expect_gt(p.report.rollbacks, 0);
  cr_expect(p.report.r_scale < 1 && p.report.r_scale >= 0.5, "%g", p.report.r_scale);
  cr_expect_lt(p.report.residual_kg_m_s, 1e-9, "%g", p.report.residual_kg_m_s);
  expect_laws(&p, 1e-6, 0);
  problem_release(&p);
}

Test(sim_solver, r_least_ends_the_rolling_back) {
  problem p;
  far_contact(&p, 0.9);
  p.params.r_least = 0.95;
  solve(&p);
  cr_expect_eq(p.report.rollbacks, 1);
  cr_expect_eq(p.report.r_scale, 0.95);
  problem_release(&p);
}

Test(sim_solver, a_warm_start_takes_fewer_sweeps) {
  int32_t sweeps[2];
  for (int32_t warm = 0; warm < 2; warm++) {
    problem p;
    problem_init(&p);
    random_heap(&p, 2);
    p.params.sweeps = 20000;
    p.params.tolerance_kg_m_s = 1e-9;
    p.params.warm_start = warm;
    solve(&p);
    cr_expect_gt(p.report.sweeps, 20);
    solve(&p);
    sweeps[warm] = p.report.sweeps;
    expect_laws(&p, 1e-6, 0);
    if (warm) { // another number of contacts: that set starts cold
      p.sets[1].count = 2;
      solve(&p);
      cr_expect_gt(p.report.sweeps, sweeps[1]);
      expect_laws(&p, 1e-6, 0);
    }
    problem_release(&p);
  }
  cr_expect_leq(sweeps[1], 3, "%d", (int)sweeps[1]);
  cr_expect_gt(sweeps[0], 20);
}

Test(sim_solver, a_warm_start_turns_impulses_with_the_normal) {
  problem p;
  problem_init(&p);
  add_fixed(&p);
  int32_t ball = add_box(&p, 2, (ts_vec3){1, 1, 1}, (ts_vec3){0, 0, 0});
  p.bodies[ball].linear_m_s = (ts_vec3){0.1, -1, -0.2};
  add_contact(&p, add_set(&p, 0, ball), (ts_vec3){0, -0.5, 0}, (ts_vec3){0, 1, 0}, 0);
  p.params.warm_start = 1;
  solve(&p);
  double x[4], y[4];
  ts_solver_multipliers(x, p.solver, 0);
  // The frame jumps about n between these two normals.
  p.sets[0].contacts[0].normal = (ts_vec3){1e-9, 1, 2e-9};
  solve(&p);
  p.sets[0].contacts[0].normal = (ts_vec3){2e-9, 1, 1e-9};
  p.params.sweeps = 0;
  solve(&p);
  ts_solver_multipliers(y, p.solver, 0);
  ts_vec3 s, t, before_s, before_t;
  ts_vec3_tangents(&before_s, &before_t, (ts_vec3){0, 1, 0});
  ts_vec3_tangents(&s, &t, ts_vec3_unit(p.sets[0].contacts[0].normal));
  ts_vec3 was = ts_vec3_add(ts_vec3_scale(before_s, x[1]), ts_vec3_scale(before_t, x[2]));
  ts_vec3 is = ts_vec3_add(ts_vec3_scale(s, y[1]), ts_vec3_scale(t, y[2]));
  cr_expect_gt(ts_vec3_norm(was), 0.05);
  cr_expect_lt(ts_vec3_distance(was, is), 1e-7, "%g", ts_vec3_distance(was, is));
  cr_expect_float_eq(y[0], x[0], 1e-7);
  // Without a sweep the change is what the start gives.
  cr_expect_gt(ts_solver_change(p.solver, p.bodies, 1).linear_m_s.y, 0.9);
  problem_release(&p);
}

Test(sim_solver, stabilisation_is_off_until_asked_for) {
  for (int i = 0; i < 3; i++) {
    problem p;
    problem_init(&p);
    add_fixed(&p);
    int32_t box = add_box(&p, 2, (ts_vec3){1, 1, 1}, (ts_vec3){0, 0, 0});
    p.bodies[box].linear_m_s = (ts_vec3){0, -1, 0};
    add_contact(&p, add_set(&p, 0, box), (ts_vec3){0, -0.5, 0}, (ts_vec3){0, 3, 0},
                i == 2 ? 0.03 : -0.03);
    p.params.stabilisation = i ? 0.2 : 0;
    solve(&p);
    ts_vec3 angular;
    double after = velocity_after(&p, box, (ts_vec3){0, -0.5, 0}, &angular).y;
    cr_expect_float_eq(after, i == 1 ? 0.2 * 0.03 / dt_s : 0, 1e-12, "%d: %g", i, after);
    problem_release(&p);
  }
}

Test(sim_solver, contacts_of_two_fixed_bodies_are_left_out) {
  problem p;
  problem_init(&p);
  add_fixed(&p);
  add_fixed(&p);
  int32_t box = add_box(&p, 2, (ts_vec3){1, 1, 1}, (ts_vec3){0, 0.5, 0});
  p.bodies[box].linear_m_s.y = -1;
  size_t fixed = add_set(&p, 0, 1);
  add_contact(&p, fixed, (ts_vec3){0, 0, 0}, (ts_vec3){0, 1, 0}, -1);
  p.params.stabilisation = 1;
  solve(&p);
  cr_expect_eq(p.report.ignored_count, 1);
  cr_expect_eq(p.report.contact_count, 0);
  cr_expect_eq(p.report.sweeps, 0);
  add_contact(&p, add_set(&p, 1, box), (ts_vec3){0, 0, 0}, (ts_vec3){0, 1, 0}, 0);
  solve(&p);
  double x[4];
  ts_solver_multipliers(x, p.solver, 0);
  cr_expect(x[0] == 0 && x[1] == 0 && x[2] == 0 && x[3] == 0);
  cr_expect_eq(p.report.contact_count, 1);
  cr_expect_float_eq(p.report.largest_kg_m_s, 2, 1e-12);
  cr_expect_eq(ts_vec3_norm(ts_solver_change(p.solver, p.bodies, 0).linear_m_s), 0);
  p.sets[1].body_b = 3;
  cr_expect_eq(assemble(&p), TS_E_INPUT);
  ts_solver_solve(&p.report, p.solver, &p.params);
  cr_expect_eq(p.report.contact_count + p.report.ignored_count, 0);
  cr_expect_eq(ts_vec3_norm(ts_solver_change(p.solver, p.bodies, 2).linear_m_s), 0);
  problem_release(&p);
}

Test(sim_solver, contacts_that_say_nothing_are_refused) {
  const ts_vec3 up = {0, 1, 0}, zero = {0, 0, 0};
  const struct {
    ts_vec3 point, normal;
    double gap_m;
    const char *words;
  } bad[] = {
      {zero, zero, 0, "contact 1 of bodies 0 and 1 has the normal"},
      {zero, {0, NAN, 0}, 0, "contact 1 of bodies 0 and 1 has the normal"},
      {zero, {INFINITY, 1, 0}, 0, "contact 1 of bodies 0 and 1 has the normal"},
      {{0, INFINITY, 0}, up, 0, "contact 1 of bodies 0 and 1 has the point"},
      {zero, up, NAN, "every number must be finite"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    problem p;
    problem_init(&p);
    add_fixed(&p);
    add_box(&p, 1, (ts_vec3){1, 1, 1}, (ts_vec3){0, 0.5, 0});
    size_t set = add_set(&p, 0, 1);
    add_contact(&p, set, zero, up, 0);
    add_contact(&p, set, bad[i].point, bad[i].normal, bad[i].gap_m);
    cr_expect_eq(assemble(&p), TS_E_INPUT, "%zu", i);
    cr_expect(strstr(ts_status_detail(), bad[i].words), "%s", ts_status_detail());
    ts_solver_solve(&p.report, p.solver, &p.params);
    cr_expect_eq(p.report.contact_count + (size_t)p.report.sweeps, 0);
    problem_release(&p);
  }
}

Test(sim_solver, sets_of_missing_bodies_are_refused) {
  const int32_t pairs[][2] = {{-1, 1}, {1, 1}, {1, 0}, {0, 2}};
  for (size_t i = 0; i < 4; i++) {
    problem p;
    problem_init(&p);
    add_fixed(&p);
    add_fixed(&p);
    add_set(&p, pairs[i][0], pairs[i][1]);
    cr_expect_eq(assemble(&p), TS_E_INPUT, "%zu", i);
    cr_expect(strstr(ts_status_detail(), "contact set 0"), "%s", ts_status_detail());
    problem_release(&p);
  }
}

Test(sim_solver, friction_with_a_fixed_body_has_its_own_coefficient) {
  for (int is_fixed = 0; is_fixed < 2; is_fixed++) {
    problem p;
    problem_init(&p);
    add_box(&p, 1e9, (ts_vec3){1, 1, 1}, (ts_vec3){0, 0, 0});
    p.bodies[0].is_fixed = is_fixed;
    int32_t crumb = add_box(&p, 1e-3, (ts_vec3){1, 1, 1}, (ts_vec3){0, 0.5, 0});
    p.bodies[crumb].linear_m_s = (ts_vec3){9, -1, 0};
    add_contact(&p, add_set(&p, 0, crumb), (ts_vec3){0, 0.5, 0}, (ts_vec3){0, 1, 0}, 0);
    p.params.friction = 0.25;
    p.params.friction_fixed = 0.75;
    solve(&p);
    ts_twist change = ts_solver_change(p.solver, p.bodies, (size_t)crumb);
    cr_expect_float_eq(change.linear_m_s.x, is_fixed ? -0.75 : -0.25, 1e-9);
    problem_release(&p);
  }
}

Test(sim_solver, bad_parameters_are_named) {
  const ts_solver_params good = ts_solver_params_default();
  cr_expect_eq(ts_solver_params_check(&good), TS_OK);
  enum { BAD = 16 };
  ts_solver_params bad[BAD];
  for (int i = 0; i < BAD; i++)
    bad[i] = good;
  bad[0].friction = NAN;
  bad[1].friction_fixed = -1;
  bad[2].spin_length_m = INFINITY;
  bad[3].sweeps = -1;
  bad[4].tolerance_kg_m_s = -1e-9;
  bad[5].order = 2;
  bad[6].r_strategy = -1;
  bad[7].r_reduction = 0;
  bad[8].r_least = 1.5;
  bad[9].stabilisation = 1.1;
  bad[10].response.kind = 3;
  bad[11].response.rows = -1;
  bad[12].response.integration = 2;
  bad[13].response.even_area_m2 = -1;
  bad[14].response.stiffness_n_m5 = NAN;
  bad[15].response.viscosity_n_s_m3 = INFINITY;
  const char *names[BAD] = {
      "friction",       "friction_fixed", "spin_length_m",  "sweeps",
      "tolerance",      "order",          "r_strategy",     "r_reduction",
      "r_least",        "stabilisation",  "response.kind",  "response.rows",
      "response.integ", "even_area_m2",   "stiffness_n_m5", "viscosity_n_s_m3"};
  for (int i = 0; i < BAD; i++) {
    cr_expect_eq(ts_solver_params_check(&bad[i]), TS_E_INPUT, "%s", names[i]);
    cr_expect_eq(strncmp(ts_status_detail(), names[i], strlen(names[i])), 0, "%s",
                 ts_status_detail());
  }
}
