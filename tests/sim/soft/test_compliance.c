// SPDX-License-Identifier: MIT
// covers: sim/soft/compliance.c sim/soft/tet_body.c
#include "tests/sim/soft/tet_grid.h"

#include "base/random.h"
#include "base/status.h"

#include <criterion/criterion.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

enum { SIDES_MAX = 32 };

/// A body, some contacts, and W of each kind [count * count].
typedef struct stage {
  ts_arena *arena;
  ts_tet_body *body;
  size_t node_count, count;
  ts_tet_side sides[SIDES_MAX];
  ts_mat3 *w[TS_COMPLIANCE_COUNT];
  ts_compliance_times times[TS_COMPLIANCE_COUNT];
} stage;

static void stage_init(stage *s) {
  memset(s, 0, sizeof *s);
  cr_assert_eq(ts_arena_create(&s->arena), TS_OK);
}

static void stage_release(stage *s) {
  ts_tet_body_destroy(s->body);
  ts_arena_destroy(s->arena);
}

static void stage_block(stage *s, bool clamps, double dt_s) {
  tet_grid grid = {2, 2, 3, {-0.1, -0.1, 0}, {0.1, 0.1, 0.3}};
  ts_elastic elastic = {.young_pa = 1e5, .poisson = 0.4, .mass_damping_1_s = 3};
  ts_body body = tet_grid_body(&elastic);
  s->body = tet_grid_create(s->arena, &grid, &body, clamps, dt_s);
  s->node_count = ts_tet_body_node_count(s->body);
}

static void find_blocks(stage *s) {
  cr_assert_eq(ts_tet_body_linearise(s->body), TS_OK, "%s", ts_status_detail());
  for (int k = 0; k < TS_COMPLIANCE_COUNT; k++) {
    s->w[k] = ts_arena_array(s->arena, s->count * s->count, sizeof *s->w[k]);
    cr_assert_eq(ts_compliances[k].blocks(s->w[k], &s->times[k], s->body, s->sides, s->count),
                 TS_OK);
  }
}

static ts_mat3 rotation_matrix(ts_quat q) {
  return ts_mat3_columns(ts_quat_rotate(q, (ts_vec3){1, 0, 0}),
                         ts_quat_rotate(q, (ts_vec3){0, 1, 0}),
                         ts_quat_rotate(q, (ts_vec3){0, 0, 1}));
}

static ts_quat random_quat(ts_random *random) {
  double u[3];
  for (int i = 0; i < 3; i++)
    u[i] = ts_random_unit(random);
  return ts_quat_uniform(u[0], u[1], u[2]);
}

/// Contacts anywhere: three nodes or fewer, of either body, some at the same nodes.
static void random_sides(stage *s, size_t count, ts_random *random) {
  s->count = count;
  for (size_t i = 0; i < count; i++) {
    ts_tet_side *side = &s->sides[i];
    uint32_t first = (uint32_t)(ts_random_unit(random) * ((double)s->node_count - 2));
    double a = ts_random_unit(random), b = ts_random_unit(random) * (1 - a);
    *side = (ts_tet_side){.nodes = {first, first + 1, first + 2}, .weights = {a, b, 1 - a - b}};
    if (i % 3 == 2)
      *side = (ts_tet_side){.nodes = {first, first, first}, .weights = {0, 1, 0}};
    side->frame =
        ts_mat3_scale(rotation_matrix(random_quat(random)), ts_random_unit(random) < 0.5 ? 1 : -1);
    if (i % 5 == 4)
      memcpy(side, &s->sides[i - 1], sizeof *side);
  }
}

static void set_still(stage *s, const ts_vec3 *x) {
  ts_vec3 *v = ts_arena_array(s->arena, s->node_count, sizeof *v);
  ts_tet_body_set_state(s->body, x, v);
}

/// Moves all nodes by a pose, and each by some noise.
static void set_pose(stage *s, ts_pose pose, double noise_m) {
  ts_random random = ts_random_seed(3, 0);
  ts_vec3 *x = ts_arena_array(s->arena, s->node_count, sizeof *x);
  for (size_t i = 0; i < s->node_count; i++) {
    x[i] = ts_pose_point(pose, ts_tet_body_rest(s->body)[i]);
    x[i].x += ts_random_uniform(&random, -noise_m, noise_m);
    x[i].z += ts_random_uniform(&random, -noise_m, noise_m);
  }
  set_still(s, x);
}

/// Frobenius norm of the difference of two W over that of the second; of the nn entries alone.
static double relative_error(const stage *s, int kind, bool normals_alone) {
  double error = 0, size = 0;
  for (size_t i = 0; i < s->count * s->count; i++)
    for (int r = 0; r < (normals_alone ? 1 : 3); r++)
      for (int c = 0; c < (normals_alone ? 1 : 3); c++) {
        double exact = s->w[TS_COMPLIANCE_EXACT][i].m[r][c], off = s->w[kind][i].m[r][c] - exact;
        error += off * off;
        size += exact * exact;
      }
  return sqrt(error / size);
}

/// The 25 nodes at the lower side of the beam near its free end; n is the outward normal at rest,
/// turned with the node.
static void beam_sides(stage *s) {
  for (uint32_t i = 0; i < s->node_count; i++) {
    ts_vec3 rest = ts_tet_body_rest(s->body)[i];
    if (rest.y > 1e-9 || rest.z < 0.8 - 1e-9)
      continue;
    ts_tet_side *side = &s->sides[s->count++];
    *side = tet_grid_side(i);
    ts_mat3 rows = {{{0, -1, 0}, {0, 0, 1}, {-1, 0, 0}}};
    side->frame = ts_mat3_mul_transposed(rows, ts_tet_body_node_rotations(s->body)[i]);
  }
  cr_assert_eq(s->count, 25);
}

static void beam(stage *s, double dt_s, double degrees, bool twists) {
  stage_init(s);
  s->body = tet_grid_beam(s->arena, 4, dt_s);
  s->node_count = ts_tet_body_node_count(s->body);
  (twists ? tet_grid_twist : tet_grid_bend)(s->arena, s->body, degrees * pi / 180);
  cr_assert_eq(ts_tet_body_linearise(s->body), TS_OK, "%s", ts_status_detail());
  beam_sides(s);
  find_blocks(s);
}

/// To 1 percent, or to half a unit of the last digit that the reference has.
static void expect_percent(double got, double expected, double digit, const char *what, double h,
                           double degrees) {
  cr_expect_leq(fabs(100 * got - expected), fmax(0.01 * expected, 0.5001 * digit),
                "%s, h %g, %g degrees: %.4f %%, not %g", what, h, degrees, 100 * got, expected);
}

/// Errors of W in percent, by a reference implementation in double precision.
Test(sim_soft_compliance, bent_and_twisted_beams_have_the_errors_of_the_reference) {
  static const double steps[] = {0.001, 0.01, 0.1, INFINITY};
  static const struct {
    double degrees;
    bool twists;
    double warped[4], initial[4];
    double digits[4]; ///< of warped
  } rows[] = {
      {10, false, {0.12, 0.99, 5.11, 5.88}, {8.8, 8.9, 9.6, 9.9}, {0.01, 0.01, 0.01, 0.01}},
      {30, false, {0.35, 2.92, 15.1, 17.6}, {25.7, 25.9, 27.6, 28.9}, {0.01, 0.01, 0.1, 0.1}},
      {60, false, {0.70, 5.69, 28.9, 34.5}, {46.6, 47.1, 50.1, 53.3}, {0.01, 0.01, 0.1, 0.1}},
      {90, false, {1.04, 8.33, 41.0, 49.5}, {59.4, 61.2, 66.1, 71.3}, {0.01, 0.01, 0.1, 0.1}},
      {30, true, {0.28, 3.19, 5.58, 5.76}, {28.5, 34.0, 12.3, 8.6}, {0.01, 0.01, 0.01, 0.01}},
      {90, true, {0.84, 9.52, 17.2, 18.8}, {63.8, 75.6, 30.6, 24.9}, {0.01, 0.01, 0.1, 0.1}},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for (int k = 0; k < 4; k++) {
      stage s;
      beam(&s, steps[k], rows[i].degrees, rows[i].twists);
      expect_percent(relative_error(&s, TS_COMPLIANCE_WARPED, false), rows[i].warped[k],
                     rows[i].digits[k], rows[i].twists ? "twist, warped" : "arc, warped", steps[k],
                     rows[i].degrees);
      expect_percent(relative_error(&s, TS_COMPLIANCE_INITIAL, false), rows[i].initial[k], 0.1,
                     rows[i].twists ? "twist, initial" : "arc, initial", steps[k], rows[i].degrees);
      stage_release(&s);
    }
}

Test(sim_soft_compliance, on_normals_alone_bent_beams_have_the_errors_of_the_reference) {
  static const double degrees[] = {10, 30, 60, 90}, expected[] = {0.16, 0.45, 0.96, 1.78};
  for (int i = 0; i < 4; i++) {
    stage s;
    beam(&s, 0.01, degrees[i], false);
    expect_percent(relative_error(&s, TS_COMPLIANCE_WARPED, true), expected[i], 0.01,
                   "normals alone", 0.01, degrees[i]);
    stage_release(&s);
  }
}

Test(sim_soft_compliance, a_straight_beam_has_no_error) {
  stage s;
  beam(&s, 0.01, 0, false);
  cr_expect_leq(relative_error(&s, TS_COMPLIANCE_WARPED, false), 1e-12);
  cr_expect_leq(relative_error(&s, TS_COMPLIANCE_INITIAL, false), 1e-12);
  stage_release(&s);
}

/// At any rotation and step: to 1e-10, where the initial one is wrong.
Test(sim_soft_compliance, a_rigid_motion_has_no_error_but_without_rotations) {
  static const double steps[] = {1e-5, 0.001, 0.1, 10, INFINITY};
  ts_random random = ts_random_seed(21, 0);
  for (int i = 0; i < 30; i++) {
    stage s;
    stage_init(&s);
    double dt_s = steps[i % 5];
    stage_block(&s, dt_s == INFINITY, dt_s);
    ts_pose pose = {random_quat(&random), {2, -3, 1}};
    if (i < 3)
      pose.rotation = (ts_quat){0, i == 0, i == 1, i == 2}; // by 180 degrees
    set_pose(&s, pose, 0);
    random_sides(&s, 12, &random);
    find_blocks(&s);
    cr_expect_leq(relative_error(&s, TS_COMPLIANCE_WARPED, false), 1e-10, "h %g: off by %g", dt_s,
                  relative_error(&s, TS_COMPLIANCE_WARPED, false));
    if (dt_s >= 0.1)
      cr_expect_gt(relative_error(&s, TS_COMPLIANCE_INITIAL, false), 1e-3);
    stage_release(&s);
  }
}

/// Cholesky of W with a little more on the diagonal: whether none of its eigenvalues is below
/// -`shift`.
static bool is_semidefinite(double *a, size_t n, double shift) {
  for (size_t k = 0; k < n; k++) {
    for (size_t i = k; i < n; i++) {
      double sum = a[i * n + k] + (i == k ? shift : 0);
      for (size_t j = 0; j < k; j++)
        sum -= a[i * n + j] * a[k * n + j];
      if (i == k && !(sum > 0))
        return false;
      a[i * n + k] = i == k ? sqrt(sum) : sum / a[k * n + k];
    }
  }
  return true;
}

Test(sim_soft_compliance, w_is_symmetric_to_the_bit_and_positive_semidefinite) {
  static const double steps[] = {1e-4, 0.01, INFINITY};
  ts_random random = ts_random_seed(22, 0);
  for (int i = 0; i < 12; i++) {
    stage s;
    stage_init(&s);
    stage_block(&s, true, steps[i % 3]);
    set_pose(&s, (ts_pose){random_quat(&random), {0, 0, 0}}, 0.03);
    random_sides(&s, 30, &random); // more rows than they have nodes: singular
    find_blocks(&s);
    for (int kind = 0; kind < TS_COMPLIANCE_COUNT; kind++) {
      size_t n = 3 * s.count;
      double *dense = ts_arena_array(s.arena, n * n, sizeof *dense), largest = 0;
      for (size_t r = 0; r < n; r++)
        for (size_t c = 0; c < n; c++) {
          double value = s.w[kind][r / 3 * s.count + c / 3].m[r % 3][c % 3];
          dense[r * n + c] = value;
          largest = fmax(largest, fabs(value));
          cr_expect_eq(value, s.w[kind][c / 3 * s.count + r / 3].m[c % 3][r % 3]);
        }
      cr_expect_gt(largest, 0);
      cr_expect(is_semidefinite(dense, n, 1e-12 * largest), "%s, h %g", ts_compliances[kind].name,
                steps[i % 3]);
    }
    stage_release(&s);
  }
}

/// What contacts are solved for is what happens: H dq = W f.
Test(sim_soft_compliance, the_correction_moves_contacts_as_w_says) {
  ts_random random = ts_random_seed(23, 0);
  for (int trial = 0; trial < 6; trial++) {
    stage s;
    stage_init(&s);
    stage_block(&s, trial % 2, 0.01);
    set_pose(&s, (ts_pose){random_quat(&random), {1, 2, 3}}, 0.03);
    random_sides(&s, 15, &random);
    find_blocks(&s);
    ts_vec3 forces[SIDES_MAX], *moved = ts_arena_array(s.arena, s.node_count, sizeof *moved);
    for (size_t i = 0; i < s.count; i++)
      forces[i] = (ts_vec3){ts_random_unit(&random), ts_random_unit(&random) - 0.5, 0.25};
    for (int kind = 0; kind < TS_COMPLIANCE_COUNT; kind++) {
      cr_assert_eq(ts_compliances[kind].correct(moved, s.body, s.sides, forces, s.count), TS_OK);
      for (size_t i = 0; i < s.count; i++) {
        ts_vec3 along = {0, 0, 0}, point = {0, 0, 0};
        for (size_t k = 0; k < s.count; k++)
          along = ts_vec3_add(along, ts_mat3_apply(s.w[kind][i * s.count + k], forces[k]));
        for (int a = 0; a < 3; a++)
          point = ts_vec3_add_scaled(point, s.sides[i].weights[a], moved[s.sides[i].nodes[a]]);
        point = ts_mat3_apply(s.sides[i].frame, point);
        cr_expect_leq(ts_vec3_distance(point, along), 1e-12 * (1e-4 + ts_vec3_norm(along)));
      }
    }
    stage_release(&s);
  }
}

/// Sum of m dq (1/h^2 + a/h) less that of the forces, over that of their sizes.
static double momentum_defect(stage *s, int kind, const ts_vec3 *forces) {
  const double h = 0.01, a = 3;
  ts_vec3 *moved = ts_arena_array(s->arena, s->node_count, sizeof *moved), sum = {0, 0, 0};
  double size = 0;
  cr_assert_eq(ts_compliances[kind].correct(moved, s->body, s->sides, forces, s->count), TS_OK);
  for (size_t i = 0; i < s->node_count; i++)
    sum = ts_vec3_add_scaled(sum, ts_tet_body_masses(s->body)[i] * (1 / (h * h) + a / h), moved[i]);
  for (size_t i = 0; i < s->count; i++) {
    sum = ts_vec3_sub(sum, ts_mat3_apply_transposed(s->sides[i].frame, forces[i]));
    size += ts_vec3_norm(forces[i]);
  }
  return ts_vec3_norm(sum) / size;
}

Test(sim_soft_compliance, exact_keeps_momentum_and_warped_does_where_nothing_is_deformed) {
  ts_random random = ts_random_seed(24, 0);
  for (int is_bent = 0; is_bent < 2; is_bent++) {
    stage s;
    stage_init(&s);
    stage_block(&s, false, 0.01);
    if (is_bent)
      tet_grid_bend(s.arena, s.body, 3);
    else
      set_pose(&s, (ts_pose){random_quat(&random), {1, 2, 3}}, 0);
    random_sides(&s, 10, &random);
    find_blocks(&s);
    ts_vec3 forces[SIDES_MAX];
    for (size_t i = 0; i < s.count; i++)
      forces[i] = (ts_vec3){1 + ts_random_unit(&random), 0.1, -0.2};
    cr_expect_leq(momentum_defect(&s, TS_COMPLIANCE_EXACT, forces), 1e-10);
    cr_expect_leq(momentum_defect(&s, TS_COMPLIANCE_INITIAL, forces), 1e-10);
    double warped = momentum_defect(&s, TS_COMPLIANCE_WARPED, forces);
    cr_expect(is_bent ? warped > 1e-3 : warped <= 1e-10, "defect %g", warped);
    stage_release(&s);
  }
}

Test(sim_soft_compliance, contacts_at_clamped_nodes_feel_nothing) {
  stage s;
  stage_init(&s);
  stage_block(&s, true, 0.01);
  s.count = 2;
  s.sides[0] = (ts_tet_side){.nodes = {0, 1, 3}, .weights = {0.5, 0.25, 0.25}};
  s.sides[0].frame = ts_mat3_identity();
  s.sides[1] = tet_grid_side((uint32_t)s.node_count - 1);
  find_blocks(&s);
  for (int kind = 0; kind < TS_COMPLIANCE_COUNT; kind++)
    for (int i = 0; i < 4; i++)
      for (int c = 0; c < 3; c++)
        cr_expect(i == 3 ? s.w[kind][i].m[c][c] > 0 : s.w[kind][i].m[c][c] == 0);
  stage_release(&s);
}

Test(sim_soft_compliance, no_contacts_have_no_blocks_and_move_nothing) {
  stage s;
  stage_init(&s);
  stage_block(&s, false, 0.01);
  find_blocks(&s);
  for (int kind = 0; kind < TS_COMPLIANCE_COUNT; kind++) {
    ts_vec3 *moved = ts_arena_array(s.arena, s.node_count, sizeof *moved);
    moved[0].x = 1;
    cr_assert_eq(ts_compliances[kind].correct(moved, s.body, NULL, NULL, 0), TS_OK);
    for (size_t i = 0; i < s.node_count; i++)
      cr_expect_eq(ts_vec3_norm(moved[i]), 0);
  }
  stage_release(&s);
}

Test(sim_soft_compliance, columns_at_rest_are_paid_for_once) {
  stage s;
  stage_init(&s);
  stage_block(&s, false, 0.01);
  ts_random random = ts_random_seed(25, 0);
  random_sides(&s, 10, &random);
  find_blocks(&s);
  cr_expect_gt(s.times[TS_COMPLIANCE_WARPED].rest_ns, 0);
  cr_expect_gt(s.times[TS_COMPLIANCE_WARPED].blocks_ns, 0);
  cr_expect_eq(s.times[TS_COMPLIANCE_INITIAL].rest_ns, 0);
  cr_expect_eq(s.times[TS_COMPLIANCE_EXACT].rest_ns, 0);
  double before = s.times[TS_COMPLIANCE_WARPED].blocks_ns;
  cr_assert_eq(ts_compliances[TS_COMPLIANCE_WARPED].blocks(s.w[TS_COMPLIANCE_WARPED],
                                                           &s.times[TS_COMPLIANCE_WARPED], s.body,
                                                           s.sides, s.count),
               TS_OK);
  cr_expect_gt(s.times[TS_COMPLIANCE_WARPED].blocks_ns, before, "times are added");
  stage_release(&s);
}

/// A force at one node of one free tet, by hand: with a step of 0 rigidity it is f h^2 / m.
Test(sim_soft_compliance, in_a_short_step_a_node_answers_by_its_mass_alone) {
  stage s;
  stage_init(&s);
  const ts_vec3 corners[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  static const uint32_t tet[1][4] = {{0, 1, 2, 3}};
  ts_elastic elastic = {.young_pa = 1e5, .poisson = 0.3};
  ts_body body = tet_grid_body(&elastic);
  ts_shape shape = {.name = "tet", .mesh = tet_grid_around(s.arena, corners, 4, tet, 1)};
  cr_assert_eq(ts_tet_body_create(&s.body, &shape, &body, 1e-6), TS_OK);
  s.node_count = 4;
  s.count = 2;
  s.sides[0] = tet_grid_side(0);
  s.sides[1] = tet_grid_side(1);
  find_blocks(&s);
  double expected = 1e-12 / (1000.0 / 24);
  for (int kind = 0; kind < TS_COMPLIANCE_COUNT; kind++)
    for (int c = 0; c < 3; c++) {
      cr_expect_leq(fabs(s.w[kind][0].m[c][c] / expected - 1), 1e-6);
      cr_expect_leq(fabs(s.w[kind][1].m[c][c]), 1e-6 * expected);
    }
  stage_release(&s);
}
