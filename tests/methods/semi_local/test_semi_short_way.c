// SPDX-License-Identifier: MIT
// covers: methods/semi_local/semi_*.c
/// Small convex bodies take a short way (ts_semi_shape::beside): the contacts must be those of the
/// long way, bit for bit. TOUCHSTONE_SHORT_PAIRS in the environment is how many pairs to try,
/// TOUCHSTONE_SHORT_FIRST the first seed.
#include "base/param.h"
#include "geometry/mesh/mesh.h"
#include "methods/semi_local/semi_shape.h"
#include "tests/methods/semi_local/convex_meeting.h"
#include "tests/methods/semi_local/semi_fixture.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static const ts_method *const method = &ts_method_semi_local;

static ts_status prepare_for_long_way(void **out, const ts_host *host, const ts_mesh *mesh,
                                      const double *params) {
  ts_status status = method->prepare_shape(out, host, mesh, params);
  if (status == TS_OK) {
    ts_semi_shape *shape = *out;
    cr_assert(shape->patches->patch_count > TS_SEMI_BESIDE_MOST || shape->beside);
    shape->beside = NULL;
  }
  return status;
}

/// Compares both ways; returns how many contacts there are.
static size_t compare(const fixture_pair *pair, const double *values, uint64_t seed) {
  method_fixture *f = &semi_fixture;
  ts_method long_way = *method;
  long_way.prepare_shape = prepare_for_long_way;
  ts_arena_mark mark = ts_arena_get_mark(f->arena);
  ts_status expected_status = fixture_try(f, &long_way, values, pair);
  size_t count = f->set.count;
  ts_contact *expected = ts_arena_array(f->arena, count + 1, sizeof *expected);
  if (count)
    memcpy(expected, f->set.contacts, count * sizeof *expected);
  cr_assert_eq(fixture_try(f, method, values, pair), expected_status, "pair %llu",
               (unsigned long long)seed);
  cr_assert_eq(f->set.count, count, "pair %llu: %zu contacts, %zu by the long way",
               (unsigned long long)seed, f->set.count, count);
  for (size_t i = 0; i < count; i++)
    cr_assert_arr_eq(&f->set.contacts[i], &expected[i], sizeof *expected, "pair %llu: contact %zu",
                     (unsigned long long)seed, i);
  ts_arena_rewind(f->arena, mark);
  return count;
}

static double pick(ts_random *random, const double *from, size_t count) {
  return from[ts_random_u64(random) % count];
}

/// What bodies of a scene are turned by: not at all, nearly not, by right angles, or anyhow.
static ts_quat random_turn(ts_random *random) {
  static const double angles_rad[] = {0, 0, 1e-15, 1e-9, 1e-6, 1e-5, 3e-5, 1e-4, 1e-3, 0.01, 0.3};
  double half = 1.57079632679489662;
  ts_quat turn =
      ts_quat_from_axis_angle((ts_vec3){0, 1, 0}, half * (double)(ts_random_u64(random) % 4));
  ts_vec3 axis = {ts_random_uniform(random, -1, 1), ts_random_uniform(random, -1, 1),
                  ts_random_uniform(random, -1, 1)};
  if (ts_random_unit(random) < 0.3)
    axis = (ts_vec3){0, 1, 0};
  double angle_rad = pick(random, angles_rad, sizeof angles_rad / sizeof *angles_rad);
  return ts_quat_mul(ts_quat_from_axis_angle(ts_vec3_unit(axis), angle_rad), turn);
}

/// Boxes, wedges and spikes on a box, with rims that are flush, nearly, or elsewhere.
static fixture_pair random_stack(ts_random *random, double scale) {
  static const double sides[] = {2e-5, 1e-4, 1e-3, 0.1, 0.2, 0.5, 0.5, 1, 1, 3},
                      noises[] = {0, 0, 1e-16, 1e-9, 1e-6, 1e-5, 1e-4, 0.01};
  static const double gaps_m[] = {0,     0,     1e-16,  -1e-16, 1e-7,  -1e-7, 1e-5,  -1e-5, 1e-4,
                                  -1e-4, 0.001, -0.001, 0.01,   -0.01, 0.03,  -0.06, 0.5};
  enum { SIDES = sizeof sides / sizeof *sides, GAPS = sizeof gaps_m / sizeof *gaps_m };
  method_fixture *f = &semi_fixture;
  ts_vec3 half[2];
  fixture_pair pair;
  for (int i = 0; i < 2; i++) {
    half[i] = (ts_vec3){0.5 * scale * pick(random, sides, SIDES),
                        0.5 * scale * pick(random, sides, SIDES),
                        0.5 * scale * pick(random, sides, SIDES)};
    pair.mesh[i] = fixture_box(f, ts_vec3_neg(half[i]), half[i], (int)(ts_random_u64(random) % 2),
                               (int)(ts_random_u64(random) % 2));
  }
  double noise = pick(random, noises, sizeof noises / sizeof *noises);
  ts_vec3 at = {0, half[0].y + half[1].y + scale * pick(random, gaps_m, GAPS), 0};
  double whole = (double)(ts_random_u64(random) % 4);
  at.x = 0.5 * whole * half[0].x + scale * noise * ts_random_uniform(random, -1, 1);
  at.z = ts_random_unit(random) < 0.5 ? half[0].z - half[1].z : half[0].z + half[1].z;
  at.z += scale * noise * ts_random_uniform(random, -1, 1);
  double kind = ts_random_unit(random);
  if (kind < 0.2)
    pair.mesh[1] = fixture_wedge(f, half[1].x, half[1].z, half[1].y);
  else if (kind < 0.3)
    pair.mesh[1] = fixture_spike(f, half[1].x, half[1].y);
  pair.pose[0] = ts_pose_identity();
  pair.pose[1] = (ts_pose){random_turn(random), at};
  if (kind >= 0.2 && kind < 0.3)
    pair.pose[1].rotation = ts_quat_mul(
        pair.pose[1].rotation, ts_quat_from_axis_angle((ts_vec3){1, 0, 0}, 3.14159265358979));
  return pair;
}

/// Puts a pair somewhere in the world, as it is or turned.
static void move(fixture_pair *pair, ts_random *random, double scale) {
  double kind = ts_random_unit(random);
  ts_pose motion = {random_turn(random), {0, 0, 0}};
  if (kind < 0.3)
    motion.rotation = ts_quat_identity();
  if (kind > 0.8)
    motion.translation = (ts_vec3){1000 * scale, -300 * scale, 77 * scale};
  for (int i = 0; i < 2; i++)
    pair->pose[i] = ts_pose_mul(motion, pair->pose[i]);
}

static double *values_at(double scale) {
  static double values[16];
  ts_param_defaults(values, method->params, method->param_count);
  for (size_t i = 0; i < method->param_count; i++)
    if (method->params[i].is_length)
      values[i] *= scale;
  return values;
}

TestSuite(semi_short_way, .init = semi_open, .fini = semi_close);

Test(semi_short_way, stacked_bodies_have_the_contacts_of_the_long_way) {
  fixture_seeds seeds = fixture_seeds_of("SHORT", 6000);
  static const double scales[] = {1, 1, 1e-3, 1e3};
  size_t with_contacts = 0;
  for (uint64_t seed = seeds.first; seed < seeds.first + seeds.count; seed++) {
    ts_random random = ts_random_seed(seed, 4);
    double scale = pick(&random, scales, 4);
    fixture_pair pair = random_stack(&random, scale);
    move(&pair, &random, scale);
    double *values = values_at(scale);
    if (ts_random_unit(&random) < 0.2)
      values[ts_param_find(method->params, method->param_count, "slack")] = seed % 2 ? 0 : 30;
    with_contacts += compare(&pair, values, seed) > 0;
  }
  cr_assert_gt(with_contacts, seeds.count / 2);
}

Test(semi_short_way, bodies_that_meet_in_any_features_have_the_contacts_of_the_long_way) {
  fixture_seeds seeds = fixture_seeds_of("SHORT", 2000);
  for (uint64_t seed = seeds.first; seed < seeds.first + seeds.count; seed++) {
    ts_random random = ts_random_seed(seed, 5);
    const convex_kind *kind = &convex_kinds[seed % CONVEX_KIND_COUNT];
    convex_meeting meeting = convex_random_meeting(&semi_fixture, &random, kind);
    double deep_m = kind->scale * (seed % 3 == 0 ? 0 : ts_random_uniform(&random, -0.01, 0.01));
    ts_vec3 *at = &meeting.pair.pose[1].translation;
    *at = ts_vec3_add_scaled(*at, deep_m, meeting.normal);
    (void)compare(&meeting.pair, values_at(kind->scale), seed);
  }
}
