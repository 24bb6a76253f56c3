// SPDX-License-Identifier: MIT
// covers: sim/soft/delassus.c sim/soft/delassus_solve.c
#include "base/random.h"
#include "base/status.h"
#include "sim/soft/delassus.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

enum { CONTACTS_MAX = 64 };

typedef struct problem {
  ts_arena *arena;
  ts_delassus *w;
  size_t count;
  ts_vec3 free_m[CONTACTS_MAX], forces[CONTACTS_MAX];
  double friction[CONTACTS_MAX];
  ts_delassus_params params;
  ts_delassus_report report;
} problem;

/// `bodies` NULL: all contacts are of body 0 and of one that does not move.
static void problem_init(problem *p, const int32_t (*bodies)[2], size_t count) {
  memset(p, 0, sizeof *p);
  int32_t alone[CONTACTS_MAX][2];
  for (size_t i = 0; i < count; i++) {
    alone[i][0] = -1;
    alone[i][1] = 0;
    p->friction[i] = 0.5;
  }
  p->count = count;
  p->params = (ts_delassus_params){1000, 1e-10};
  cr_assert_eq(ts_arena_create(&p->arena), TS_OK);
  cr_assert_eq(
      ts_delassus_create(&p->w, p->arena, bodies ? bodies : (const int32_t(*)[2])alone, count),
      TS_OK, "%s", ts_status_detail());
}

static void problem_release(problem *p) {
  ts_arena_destroy(p->arena);
}

static void add(problem *p, size_t i, size_t k, double n, double s, double t) {
  ts_mat3 block = {{{n, 0, 0}, {0, s, 0}, {0, 0, t}}};
  ts_delassus_add(p->w, i, k, &block);
}

static void solve(problem *p) {
  p->report = ts_delassus_solve(p->forces, p->w, p->free_m, p->friction, &p->params);
}

static ts_vec3 displacement(const problem *p, size_t i) {
  ts_delassus_row row = ts_delassus_get_row(p->w, i);
  ts_vec3 d = p->free_m[i];
  for (size_t k = 0; k < row.count; k++)
    d = ts_vec3_add(d, ts_mat3_apply(row.blocks[k], p->forces[row.contacts[k]]));
  return d;
}

/// That the forces obey both laws, with displacements up to `tolerance_m`.
static void check_laws(const problem *p, double tolerance_m) {
  for (size_t i = 0; i < p->count; i++) {
    ts_vec3 d = displacement(p, i), f = p->forces[i];
    cr_assert_geq(f.x, 0);
    cr_assert_geq(d.x, -tolerance_m, "contact %zu overlaps by %g", i, -d.x);
    cr_assert(f.x == 0 || fabs(d.x) <= tolerance_m, "contact %zu pulls over a gap of %g", i, d.x);
    double force = hypot(f.y, f.z), slide = hypot(d.y, d.z), most = p->friction[i] * f.x;
    cr_assert_leq(force, most * (1 + 1e-12));
    if (most > 0 && (force < most * (1 - 1e-9) || force == 0))
      cr_assert(slide <= tolerance_m || f.x == 0, "contact %zu slides by %g within its cone", i,
                slide);
    else if (most > 0)
      cr_assert_leq(hypot(d.y + slide * f.y / force, d.z + slide * f.z / force), tolerance_m,
                    "contact %zu slides, but not against its friction", i);
  }
}

Test(delassus, a_block_on_the_ground_carries_its_weight_over_its_compliance) {
  problem p;
  problem_init(&p, NULL, 1);
  add(&p, 0, 0, 2e-4, 1e-4, 1e-4);
  p.free_m[0] = (ts_vec3){-1e-3, 0, 0};
  solve(&p);
  cr_assert(p.report.converged);
  cr_assert_eq(p.report.sweeps, 2);
  cr_assert_float_eq(p.forces[0].x, 5, 1e-12);
  cr_assert_eq(p.forces[0].y, 0);
  problem_release(&p);
}

Test(delassus, a_contact_that_parts_has_no_force) {
  problem p;
  problem_init(&p, NULL, 1);
  add(&p, 0, 0, 1, 1, 1);
  p.free_m[0] = (ts_vec3){1e-3, 0.1, 0};
  solve(&p);
  cr_assert(p.report.converged);
  cr_assert_eq(p.forces[0].x, 0);
  cr_assert_eq(p.forces[0].y, 0);
  problem_release(&p);
}

Test(delassus, of_two_stacked_blocks_the_lower_contact_carries_both) {
  problem p;
  const int32_t bodies[2][2] = {{-1, 0}, {0, 1}};
  const double mass_kg = 3, g_m_s2 = 9.82, h_s = 0.01, c = h_s * h_s / mass_kg;
  problem_init(&p, bodies, 2);
  cr_assert_eq(ts_delassus_block_count(p.w), 4);
  add(&p, 0, 0, c, c, c);
  add(&p, 0, 1, -c, -c, -c);
  add(&p, 1, 0, -c, -c, -c);
  add(&p, 1, 1, 2 * c, 2 * c, 2 * c);
  p.free_m[0].x = -g_m_s2 * h_s * h_s;
  p.params.tolerance_m = 1e-14;
  solve(&p);
  cr_assert(p.report.converged);
  cr_assert_float_eq(p.forces[0].x, 2 * mass_kg * g_m_s2, 1e-7);
  cr_assert_float_eq(p.forces[1].x, mass_kg * g_m_s2, 1e-7);
  problem_release(&p);
}

Test(delassus, a_block_sticks_within_the_cone_and_slides_on_it) {
  for (int is_sliding = 0; is_sliding < 2; is_sliding++) {
    problem p;
    problem_init(&p, NULL, 1);
    add(&p, 0, 0, 1e-4, 1e-4, 1e-4);
    p.free_m[0] = (ts_vec3){-1e-3, is_sliding ? 0.9e-3 : 0.3e-3, is_sliding ? -1.2e-3 : 0.3e-3};
    solve(&p);
    ts_vec3 d = displacement(&p, 0);
    cr_assert_float_eq(p.forces[0].x, 10, 1e-9);
    if (is_sliding) { // against (0.6, -0.8), at half the normal force
      cr_assert_float_eq(p.forces[0].y, -3, 1e-9);
      cr_assert_float_eq(p.forces[0].z, 4, 1e-9);
      cr_assert_float_eq(hypot(d.y, d.z), 1.5e-3 - 0.5e-3, 1e-12);
    } else {
      cr_assert_float_eq(p.forces[0].y, -3, 1e-9);
      cr_assert_leq(hypot(d.y, d.z), 1e-15);
    }
    problem_release(&p);
  }
}

Test(delassus, a_contact_by_itself_is_solved_at_once_however_unlike_its_tangents_are) {
  ts_random random = ts_random_seed(1, 0);
  const double ratios[] = {1, 1e-3, 1e-6, 1e-12, 1e-15, 0};
  for (size_t r = 0; r < sizeof ratios / sizeof *ratios; r++)
    for (int draw = 0; draw < 50; draw++) {
      problem p;
      problem_init(&p, NULL, 1);
      double angle = ts_random_uniform(&random, 0, 6.3), c = cos(angle), s = sin(angle);
      double small = ratios[r];
      ts_mat3 block = {{{1, 0, 0},
                        {0, c * c + small * s * s, (1 - small) * c * s},
                        {0, (1 - small) * c * s, s * s + small * c * c}}};
      ts_delassus_add(p.w, 0, 0, &block);
      p.free_m[0] =
          (ts_vec3){-1, ts_random_uniform(&random, -1, 1), ts_random_uniform(&random, -1, 1)};
      if (small < 1e-14) { // where nothing yields there is no friction
        double along = c * p.free_m[0].y + s * p.free_m[0].z;
        p.free_m[0].y = c * along;
        p.free_m[0].z = s * along;
      }
      p.params.sweeps = 1;
      p.params.tolerance_m = 0;
      solve(&p);
      check_laws(&p, 1e-13);
      problem_release(&p);
    }
}

/// W of body 0 under all contacts: the product of random rows and 0.2 times 1, all times `scale`,
/// and free displacements with it.
static void fill_random(problem *p, ts_random *random, int columns, double scale) {
  static double rows[3 * CONTACTS_MAX][3 * CONTACTS_MAX];
  for (size_t i = 0; i < 3 * p->count; i++)
    for (int c = 0; c < columns; c++)
      rows[i][c] = ts_random_uniform(random, -1, 1) / sqrt(columns);
  for (size_t i = 0; i < p->count; i++)
    for (size_t k = 0; k < p->count; k++) {
      ts_mat3 block;
      for (int r = 0; r < 3; r++)
        for (int s = 0; s < 3; s++) {
          block.m[r][s] = i == k && r == s ? 0.2 : 0;
          for (int c = 0; c < columns; c++)
            block.m[r][s] += rows[3 * i + (size_t)r][c] * rows[3 * k + (size_t)s][c];
        }
      block = ts_mat3_scale(block, scale);
      ts_delassus_add(p->w, i, k, &block);
    }
  for (size_t i = 0; i < p->count; i++) {
    double n = ts_random_uniform(random, -1, 0.5), t[2];
    for (int k = 0; k < 2; k++)
      t[k] = ts_random_uniform(random, -1, 1);
    p->free_m[i] = ts_vec3_scale((ts_vec3){n, t[0], t[1]}, scale);
  }
}

Test(delassus, random_contacts_obey_both_laws) {
  const double frictions[] = {0, 0.1, 0.5, 2};
  ts_random random = ts_random_seed(2, 0);
  for (size_t m = 0; m < sizeof frictions / sizeof *frictions; m++)
    for (int draw = 0; draw < 20; draw++) {
      problem p;
      problem_init(&p, NULL, 12);
      fill_random(&p, &random, 40, 1);
      for (size_t i = 0; i < p.count; i++)
        p.friction[i] = frictions[m];
      p.params = (ts_delassus_params){20000, 1e-12};
      solve(&p);
      cr_assert(p.report.converged, "friction %g, draw %d: %g m after %d sweeps", frictions[m],
                draw, p.report.residual_m, p.report.sweeps);
      check_laws(&p, 1e-9);
      problem_release(&p);
    }
}

/// Friction so high that sliding contacts wedge: sweeps may go in circles.
Test(delassus, at_any_friction_contacts_obey_both_laws_or_are_reported) {
  ts_random random = ts_random_seed(2, 1);
  int converged = 0;
  for (int draw = 0; draw < 20; draw++) {
    problem p;
    problem_init(&p, NULL, 12);
    fill_random(&p, &random, 40, 1);
    for (size_t i = 0; i < p.count; i++)
      p.friction[i] = 1e3;
    solve(&p);
    converged += p.report.converged;
    if (p.report.converged)
      check_laws(&p, 1e-6); // forces of some 1e3 times what they would be
    else
      cr_assert_gt(p.report.residual_m, p.params.tolerance_m);
    for (size_t i = 0; i < p.count; i++) {
      cr_assert_geq(p.forces[i].x, 0);
      cr_assert_leq(hypot(p.forces[i].y, p.forces[i].z), 1e3 * p.forces[i].x * (1 + 1e-12));
    }
    problem_release(&p);
  }
  cr_assert_geq(converged, 10);
}

Test(delassus, contacts_that_repeat_share_the_force_of_one) {
  problem p;
  problem_init(&p, NULL, 8);
  for (size_t i = 0; i < p.count; i++) {
    p.free_m[i] = (ts_vec3){-1e-3, 0.2e-3, 2e-3};
    for (size_t k = 0; k < p.count; k++)
      add(&p, i, k, 1e-4, 2e-4, 2e-4);
  }
  solve(&p);
  cr_assert(p.report.converged);
  check_laws(&p, 1e-9);
  ts_vec3 sum = {0, 0, 0};
  for (size_t i = 0; i < p.count; i++)
    sum = ts_vec3_add(sum, p.forces[i]);
  cr_assert_float_eq(sum.x, 10, 1e-5);
  cr_assert_float_eq(hypot(sum.y, sum.z), 5, 1e-5);
  problem_release(&p);
}

Test(delassus, a_body_squeezed_between_walls_is_not_converged_and_its_forces_still_push) {
  problem p;
  problem_init(&p, NULL, 2);
  for (size_t i = 0; i < 2; i++) {
    p.free_m[i].x = -1e-3;
    for (size_t k = 0; k < 2; k++)
      add(&p, i, k, i == k ? 1 : -1, 1, 1);
  }
  solve(&p);
  cr_assert_not(p.report.converged);
  cr_assert_eq(p.report.sweeps, 1000);
  cr_assert_geq(p.report.residual_m, 1e-3);
  for (size_t i = 0; i < 2; i++) {
    cr_assert_gt(p.forces[i].x, 0);
    cr_assert(isfinite(p.forces[i].x));
  }
  problem_release(&p);
}

Test(delassus, opposing_contacts_that_fit_exactly_converge) {
  problem p;
  problem_init(&p, NULL, 2);
  for (size_t i = 0; i < 2; i++)
    for (size_t k = 0; k < 2; k++)
      add(&p, i, k, i == k ? 1 : -1, 1, 1);
  p.free_m[0].x = -1e-3;
  p.free_m[1].x = 1e-3;
  solve(&p);
  cr_assert(p.report.converged);
  check_laws(&p, 1e-9);
  problem_release(&p);
}

Test(delassus, contacts_of_bodies_that_do_not_move_have_a_zero_block_and_no_force) {
  problem p;
  const int32_t bodies[3][2] = {{-1, -1}, {-1, 0}, {-1, -1}};
  problem_init(&p, bodies, 3);
  for (size_t i = 0; i < 3; i++) {
    p.free_m[i] = (ts_vec3){-1, 1, 1};
    p.forces[i] = (ts_vec3){5, 9, 9};
    ts_delassus_row row = ts_delassus_get_row(p.w, i);
    cr_assert_eq(row.count, 1);
    cr_assert_eq(row.own, 0);
    cr_assert_eq(row.contacts[0], i);
  }
  solve(&p);
  cr_assert(p.report.converged);
  for (size_t i = 0; i < 3; i++)
    cr_assert_eq(ts_vec3_norm(p.forces[i]), 0);
  problem_release(&p);
}

Test(delassus, without_a_sweep_forces_are_within_the_cone_and_nothing_is_measured) {
  problem p;
  problem_init(&p, NULL, 3);
  const ts_vec3 given[3] = {{-1, 2, 2}, {1, 30, -40}, {(double)NAN, 0, 0}};
  for (size_t i = 0; i < 3; i++) {
    add(&p, i, i, 1, 1, 1);
    p.forces[i] = given[i];
  }
  p.params.sweeps = 0;
  solve(&p);
  cr_assert_not(p.report.converged);
  cr_assert(isnan(p.report.residual_m));
  cr_assert_eq(ts_vec3_norm(p.forces[0]), 0);
  cr_assert_float_eq(p.forces[1].y, 0.3, 1e-15);
  cr_assert_float_eq(p.forces[1].z, -0.4, 1e-15);
  cr_assert_eq(ts_vec3_norm(p.forces[2]), 0);
  problem_release(&p);
}

Test(delassus, without_a_sweep_it_has_converged_where_no_contact_would_move) {
  for (int is_deep = 0; is_deep < 2; is_deep++) {
    problem p;
    problem_init(&p, NULL, 2);
    for (size_t i = 0; i < 2; i++) {
      add(&p, i, i, 1, 1, 1);
      p.free_m[i] = (ts_vec3){0.01, 0.2, 0}; // apart, and it slides
      p.forces[i] = (ts_vec3){0, 0, 0};
    }
    p.free_m[1].x = is_deep ? -1e-3 : 0;
    p.params.sweeps = 0;
    solve(&p);
    cr_expect_eq(p.report.converged, !is_deep);
    cr_expect_eq(p.report.sweeps, 0);
    cr_expect_eq(ts_vec3_norm(p.forces[1]), 0, "no sweep was asked for");
    problem_release(&p);
  }
}

Test(delassus, without_contacts_it_has_converged) {
  problem p;
  problem_init(&p, NULL, 0);
  solve(&p);
  cr_assert(p.report.converged);
  cr_assert_eq(p.report.sweeps, 0);
  cr_assert_eq(p.report.residual_m, 0);
  problem_release(&p);
}

Test(delassus, a_tolerance_of_0_makes_all_sweeps) {
  problem p;
  problem_init(&p, NULL, 1);
  add(&p, 0, 0, 1, 1, 1);
  p.free_m[0].x = -1;
  p.params = (ts_delassus_params){7, 0};
  solve(&p);
  cr_assert_eq(p.report.sweeps, 7);
  cr_assert(p.report.converged, "the last sweep moved nothing");
  problem_release(&p);
}

Test(delassus, lengths_and_compliances_of_any_scale_give_the_same_forces) {
  problem p, q;
  problem_init(&p, NULL, 6);
  problem_init(&q, NULL, 6);
  ts_random random = ts_random_seed(3, 0), again = random;
  fill_random(&p, &random, 30, 1);
  fill_random(&q, &again, 30, ldexp(1, -60));
  p.params = q.params = (ts_delassus_params){300, 0};
  solve(&p);
  solve(&q);
  for (size_t i = 0; i < p.count; i++)
    cr_assert_eq(ts_vec3_distance(p.forces[i], q.forces[i]), 0);
  problem_release(&p);
  problem_release(&q);
}

Test(delassus, the_same_problem_gives_the_same_bits) {
  ts_vec3 first[CONTACTS_MAX];
  for (int run = 0; run < 2; run++) {
    problem p;
    problem_init(&p, NULL, 20);
    ts_random random = ts_random_seed(4, 0);
    fill_random(&p, &random, 50, 1);
    solve(&p);
    if (run == 0)
      memcpy(first, p.forces, sizeof first);
    cr_assert_eq(memcmp(first, p.forces, p.count * sizeof *first), 0);
    problem_release(&p);
  }
}

Test(delassus, rows_hold_the_contacts_that_share_a_body_once_each_and_sorted) {
  problem p;
  const int32_t bodies[6][2] = {{0, 1}, {2, 1}, {0, 1}, {-1, 2}, {3, 3}, {0, 2}};
  const uint32_t expected[6][6] = {{0, 1, 2, 5}, {0, 1, 2, 3, 5}, {0, 1, 2, 5}, {1, 3, 5},
                                   {4},          {0, 1, 2, 3, 5}};
  const size_t counts[6] = {4, 5, 4, 3, 1, 5};
  problem_init(&p, bodies, 6);
  for (size_t i = 0; i < 6; i++) {
    ts_delassus_row row = ts_delassus_get_row(p.w, i);
    cr_assert_eq(row.count, counts[i]);
    cr_assert_eq(memcmp(row.contacts, expected[i], counts[i] * sizeof **expected), 0);
    cr_assert_eq(row.contacts[row.own], i);
  }
  cr_assert_eq(ts_delassus_block_count(p.w), 22);
  problem_release(&p);
}

Test(delassus, asymmetry_is_the_difference_of_mirrored_entries_over_the_largest) {
  problem p;
  problem_init(&p, NULL, 2);
  cr_assert_eq(ts_delassus_asymmetry(p.w), 0);
  for (size_t i = 0; i < 2; i++)
    add(&p, i, i, 4, 4, 4);
  ts_mat3 block = {{{0, 1, 0}, {0, 0, 0}, {0, 0, 0}}}, mirror = ts_mat3_transpose(block);
  ts_delassus_add(p.w, 0, 1, &block);
  cr_assert_eq(ts_delassus_asymmetry(p.w), 0.25);
  ts_delassus_add(p.w, 1, 0, &mirror);
  cr_assert_eq(ts_delassus_asymmetry(p.w), 0);
  problem_release(&p);
}

Test(delassus, memory_grows_with_the_contacts_of_a_body_and_too_many_are_refused) {
  enum { MANY = 4097 };
  static int32_t bodies[MANY][2];
  ts_arena *arena;
  ts_delassus *w;
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
  for (int32_t i = 0; i < MANY; i++) {
    bodies[i][0] = -1;
    bodies[i][1] = i;
  }
  cr_assert_eq(ts_delassus_create(&w, arena, (const int32_t(*)[2])bodies, MANY), TS_OK);
  cr_assert_eq(ts_delassus_block_count(w), MANY);
  memset(bodies, 0, sizeof bodies);
  cr_assert_eq(ts_delassus_create(&w, arena, (const int32_t(*)[2])bodies, MANY), TS_E_INPUT);
  cr_assert_not_null(strstr(ts_status_detail(), "4096 of 4097 contacts"), "%s", ts_status_detail());
  ts_arena_destroy(arena);
}
