// SPDX-License-Identifier: MIT
// covers: methods/prox2018/*.c
// The kernels of methods/prox2018/ against themselves in double precision, and what single
// precision alone decides.
#include "base/random.h"
#include "base/status.h"
#include "geometry/mesh/mesh.h"
#include "methods/registry.h"
#include "methods/tet/tet_bodies.h"
#include "tests/methods/method_fixture.h"
#include "tests/methods/prox2018/prox_in_double.h"
#include "tests/methods/prox2018/prox_run.h"
#include "tests/methods/tet/tet_fixture.h"

#include <criterion/criterion.h>
#include <math.h>

enum { PAIRS = 2000 };

/// Normals of all but this kernel are unit.
static bool is_unit(int row) {
  return row != TS_TET_INTERSECTION;
}

/// Its points are nodes, closest points, or given by two edges.
static bool has_nodes(int row) {
  return row == TS_TET_CLOSEST_POINTS || row == TS_TET_INTERSECTION || row == TS_TET_VERTEX_ONLY ||
         row == TS_TET_CONSISTENT_VERTEX;
}

static double rounded(double x) {
  return (double)(float)x;
}

/// A pair whose nodes are floats.
static ts_tet_pair float_pair(ts_random *random, double offset) {
  ts_tet_pair pair = tet_pair_random(random, offset);
  for (int i = 0; i < 8; i++) {
    ts_vec3 *p = &pair.corners[i / 4][i % 4];
    *p = (ts_vec3){rounded(p->x), rounded(p->y), rounded(p->z)};
  }
  ts_tet_pair_set_normals(&pair);
  pair.surface[0] = pair.surface[1] = 15;
  pair.reach_m = 0.05;
  return pair;
}

/// Whether each normal of one is near one of the other, and of nodes the point as well.
static bool are_alike(const ts_tet_contacts *got, const ts_tet_contacts *expected, bool with_points,
                      double tolerance) {
  for (size_t i = 0; i < got->count; i++) {
    const ts_contact *c = &got->contacts[i];
    size_t k = 0;
    while (
        k < expected->count &&
        !((!with_points || ts_vec3_distance(c->point, expected->contacts[k].point) < tolerance) &&
          ts_vec3_distance(c->normal, expected->contacts[k].normal) < tolerance))
      k++;
    if (k == expected->count)
      return false;
  }
  return true;
}

// Rounding decides which crossings of edges with planes are kept, so that other points are found;
// but they lie in the same plane, but for a few pairs whose axis of least overlap rounding chooses.
Test(methods_prox_kernels, kernels_find_what_they_find_in_double) {
  static ts_tet_contacts expected, got;
  for (int t = 0; t < TS_TET_KERNELS; t++) {
    ts_random random = ts_random_seed(71, 0);
    int compared = 0, alike = 0;
    for (int n = 0; n < PAIRS; n++) {
      ts_tet_pair pair = float_pair(&random, 0.2 * (n % 5));
      prox_in_double(t)(&expected, &pair, 1);
      prox_run(&got, &pair, ts_tet_kernels_of[t].prox2018);
      if (got.count == 0 || expected.count == 0)
        continue;
      compared++;
      alike += are_alike(&got, &expected, has_nodes(t), 1e-3);
    }
    cr_expect_gt(compared, 50, "%s: %d", ts_tet_kernels_of[t].name, compared);
    cr_expect_gt(alike, compared * 9 / 10, "%s: %d of %d alike", ts_tet_kernels_of[t].name, alike,
                 compared);
  }
}

Test(methods_prox_kernels, normals_are_unit_to_single_precision) {
  static ts_tet_contacts got;
  for (int t = 0; t < TS_TET_KERNELS; t++) {
    ts_random random = ts_random_seed(72, 0);
    size_t count = 0;
    for (int n = 0; n < PAIRS && is_unit(t); n++) {
      ts_tet_pair pair = float_pair(&random, 0.1 * (n % 5));
      prox_run(&got, &pair, ts_tet_kernels_of[t].prox2018);
      for (size_t i = 0; i < got.count; i++, count++) {
        double length = ts_vec3_norm(got.contacts[i].normal);
        cr_assert_float_eq(length, 1, 1e-6, "%s: %g", ts_tet_kernels_of[t].name, length);
      }
    }
    cr_expect(count > 0 || !is_unit(t), "%s finds nothing", ts_tet_kernels_of[t].name);
  }
}

/// A tet over a triangle that spans `size` to all sides, with its apex at this height.
static void tet_on_floor(ts_vec3 out[4], double size, double floor, double apex) {
  const ts_vec3 corners[4] = {
      {-size, floor, -size}, {size, floor, -size}, {0, floor, size}, {0, apex, 0}};
  bool is_up = apex > floor;
  for (int i = 0; i < 4; i++)
    out[i] = corners[is_up && i < 2 ? 1 - i : i];
}

// One unit of rounding apart is apart, and no allowance hides it.
Test(methods_prox_kernels, a_touch_is_decided_by_the_last_bit) {
  static ts_tet_contacts got;
  ts_tet_pair pair = {.surface = {15, 15}};
  tet_on_floor(pair.corners[0], 1, 1, 0);
  for (int t = 0; t < TS_TET_KERNELS; t++) {
    if (t == TS_TET_CLOSEST_POINTS || t == TS_TET_INTERSECTION)
      continue;
    tet_on_floor(pair.corners[1], 0.5, (double)nextafterf(1, 2), 2);
    prox_run(&got, &pair, ts_tet_kernels_of[t].prox2018);
    cr_expect_eq(got.count, 0, "%s: %zu contacts apart", ts_tet_kernels_of[t].name, got.count);
    tet_on_floor(pair.corners[1], 0.5, 1 - 1e-3, 2);
    prox_run(&got, &pair, ts_tet_kernels_of[t].prox2018);
    cr_expect_gt(got.count, 0, "%s", ts_tet_kernels_of[t].name);
  }
}

/// The contacts of two bodies of one tet each, under the profile, in f->set.
static void run_bodies(method_fixture *f, const ts_tet_pair *pair, double profile) {
  fixture_pair bodies = {{NULL, NULL}, {ts_pose_identity(), ts_pose_identity()}};
  for (int side = 0; side < 2; side++) {
    ts_vec3 points[4];
    for (int i = 0; i < 4; i++) {
      ts_vec3 p = pair->corners[side][i];
      points[i] = (ts_vec3){rounded(p.x), rounded(p.y), rounded(p.z)};
    }
    const ts_mesh *surface = fixture_tet(f, points);
    ts_mesh *mesh = NULL;
    uint32_t tet[1][4] = {{0, 1, 2, 3}};
    ts_vec3 base =
        ts_vec3_cross(ts_vec3_sub(points[1], points[0]), ts_vec3_sub(points[2], points[0]));
    if (ts_vec3_dot(base, ts_vec3_sub(points[3], points[0])) < 0)
      tet[0][2] = 3, tet[0][3] = 2;
    cr_assert_eq(ts_mesh_with_vertices(&mesh, f->arena, surface, surface->vertices), TS_OK);
    cr_assert_eq(ts_mesh_set_tets(mesh, f->arena, (const uint32_t(*)[4])tet, 1), TS_OK);
    bodies.mesh[side] = mesh;
  }
  ts_contact_set_clear(&f->set);
  const double values[2] = {profile, 0.01};
  cr_assert_eq(fixture_try(f, ts_method_find("intersection_tets"), values, &bodies), TS_OK);
}

Test(methods_prox_kernels, methods_under_prox2018_give_floats_and_under_paper_they_do_not) {
  method_fixture f;
  fixture_open(&f);
  ts_tet_pair pair = {.surface = {15, 15}};
  tet_on_floor(pair.corners[0], 1, 1, 0);
  tet_on_floor(pair.corners[1], 0.7, 0.99, 2.1);
  pair.corners[1][0].x += 0.123;
  size_t floats[2] = {0, 0};
  for (int profile = 0; profile < 2; profile++) {
    run_bodies(&f, &pair, profile);
    cr_assert_gt(f.set.count, 0, "profile %d", profile);
    for (size_t i = 0; i < f.set.count; i++) {
      ts_vec3 p = f.set.contacts[i].point;
      floats[profile] += p.x == rounded(p.x) && p.y == rounded(p.y) && p.z == rounded(p.z);
    }
    cr_expect(profile == TS_PROFILE_PROX2018 ? floats[profile] == f.set.count
                                             : floats[profile] < f.set.count,
              "profile %d: %zu of %zu", profile, floats[profile], f.set.count);
  }
  fixture_close(&f);
}
