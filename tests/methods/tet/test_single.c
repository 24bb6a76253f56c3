// SPDX-License-Identifier: MIT
// The kernels in single precision against themselves in double, and what single precision alone
// decides.
#include "methods/registry.h"
#include "methods/tet/single.h"
#include "methods/tet/tet_kernels.h"
#include "tests/methods/method_fixture.h"
#include "tests/methods/tet/tet_fixture.h"

#include "base/random.h"
#include "base/status.h"
#include "geometry/mesh/mesh.h"

#include <criterion/criterion.h>
#include <math.h>

typedef struct twin {
  const char *name;
  ts_single_kernel single;
  ts_tet_kernel kernel;
  bool is_unit;   ///< normals are
  bool has_nodes; ///< points are nodes, closest points, or given by two edges
} twin;

static const twin twins[] = {
    {"closest_points", ts_single_closest_points, ts_tet_closest_points, true, true},
    {"intersection", ts_single_intersection, ts_tet_intersection, false, true},
    {"vertex_only", ts_single_vertex_only, ts_tet_vertex_only, true, true},
    {"consistent_vertex", ts_single_consistent_vertex, ts_tet_consistent_vertex, true, true},
    {"volume_sat", ts_single_volume_sat, ts_tet_volume_sat, true, false},
    {"surface_sat", ts_single_surface_sat, ts_tet_surface_sat, true, false},
    {"opposing", ts_single_opposing, ts_tet_opposing, true, false},
    {"growth", ts_single_growth, ts_tet_growth, true, false},
};
enum { TWINS = sizeof twins / sizeof *twins, PAIRS = 2000 };

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

static ts_single_pair single_of(const ts_tet_pair *pair) {
  ts_single_pair out = {.surface = {pair->surface[0], pair->surface[1]},
                        .reach_m = (float)pair->reach_m};
  for (int i = 0; i < 8; i++) {
    ts_vec3 p = pair->corners[i / 4][i % 4];
    float *to = out.corners[i / 4][i % 4];
    to[0] = (float)p.x;
    to[1] = (float)p.y;
    to[2] = (float)p.z;
  }
  return out;
}

static double distance(const float a[3], ts_vec3 b) {
  return ts_vec3_distance((ts_vec3){(double)a[0], (double)a[1], (double)a[2]}, b);
}

/// Whether each normal of one is near one of the other, and of nodes the point as well.
static bool are_alike(const ts_single_contacts *got, const ts_tet_contacts *expected,
                      bool with_points, double tolerance) {
  for (size_t i = 0; i < got->count; i++) {
    size_t k = 0;
    while (k < expected->count &&
           !((!with_points ||
              distance(got->contacts[i].point, expected->contacts[k].point) < tolerance) &&
             distance(got->contacts[i].normal, expected->contacts[k].normal) < tolerance))
      k++;
    if (k == expected->count)
      return false;
  }
  return true;
}

// Rounding decides which crossings of edges with planes are kept, so that other points are found;
// but they lie in the same plane, but for a few pairs whose axis of least overlap rounding chooses.
Test(methods_single, kernels_find_what_they_find_in_double) {
  static ts_tet_contacts expected;
  static ts_single_contacts got;
  for (int t = 0; t < TWINS; t++) {
    ts_random random = ts_random_seed(71, 0);
    int compared = 0, alike = 0;
    for (int n = 0; n < PAIRS; n++) {
      ts_tet_pair pair = float_pair(&random, 0.2 * (n % 5));
      ts_single_pair single = single_of(&pair);
      twins[t].kernel(&expected, &pair, TS_PROFILE_PROX2018, 1);
      twins[t].single(&got, &single);
      if (got.count == 0 || expected.count == 0)
        continue;
      compared++;
      alike += are_alike(&got, &expected, twins[t].has_nodes, 1e-3);
    }
    cr_expect_gt(compared, 50, "%s: %d", twins[t].name, compared);
    cr_expect_gt(alike, compared * 9 / 10, "%s: %d of %d alike", twins[t].name, alike, compared);
  }
}

Test(methods_single, normals_are_unit_to_single_precision) {
  static ts_single_contacts got;
  for (int t = 0; t < TWINS; t++) {
    ts_random random = ts_random_seed(72, 0);
    size_t count = 0;
    for (int n = 0; n < PAIRS && twins[t].is_unit; n++) {
      ts_tet_pair pair = float_pair(&random, 0.1 * (n % 5));
      ts_single_pair single = single_of(&pair);
      twins[t].single(&got, &single);
      for (size_t i = 0; i < got.count; i++, count++) {
        double length = distance(got.contacts[i].normal, (ts_vec3){0, 0, 0});
        cr_assert_float_eq(length, 1, 1e-6, "%s: %g", twins[t].name, length);
      }
    }
    cr_expect(count > 0 || !twins[t].is_unit, "%s finds nothing", twins[t].name);
  }
}

/// A tet over a triangle that spans `size` to all sides, with its apex at this height.
static void tet_on_floor(float out[4][3], float size, float floor, float apex) {
  const float corners[4][3] = {
      {-size, floor, -size}, {size, floor, -size}, {0, floor, size}, {0, apex, 0}};
  bool is_up = apex > floor;
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < 3; k++)
      out[i][k] = corners[is_up && i < 2 ? 1 - i : i][k];
}

// One unit of rounding apart is apart, and no allowance hides it.
Test(methods_single, a_touch_is_decided_by_the_last_bit) {
  static ts_single_contacts got;
  ts_single_pair pair = {.surface = {15, 15}};
  tet_on_floor(pair.corners[0], 1, 1, 0);
  for (int t = 0; t < TWINS; t++) {
    if (twins[t].kernel == ts_tet_closest_points || twins[t].kernel == ts_tet_intersection)
      continue;
    tet_on_floor(pair.corners[1], 0.5F, nextafterf(1, 2), 2);
    twins[t].single(&got, &pair);
    cr_expect_eq(got.count, 0, "%s: %zu contacts apart", twins[t].name, got.count);
    tet_on_floor(pair.corners[1], 0.5F, 1 - 1e-3F, 2);
    twins[t].single(&got, &pair);
    cr_expect_gt(got.count, 0, "%s", twins[t].name);
  }
}

/// The contacts of two bodies of one tet each, under the profile, in f->set.
static void run_bodies(method_fixture *f, const ts_single_pair *pair, double profile) {
  fixture_pair bodies = {{NULL, NULL}, {ts_pose_identity(), ts_pose_identity()}};
  for (int side = 0; side < 2; side++) {
    ts_vec3 points[4];
    for (int i = 0; i < 4; i++) {
      const float *p = pair->corners[side][i];
      points[i] = (ts_vec3){(double)p[0], (double)p[1], (double)p[2]};
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

Test(methods_single, methods_under_prox2018_give_floats_and_under_paper_they_do_not) {
  method_fixture f;
  fixture_open(&f);
  ts_single_pair pair = {.surface = {15, 15}};
  tet_on_floor(pair.corners[0], 1, 1, 0);
  tet_on_floor(pair.corners[1], 0.7F, 0.99F, 2.1F);
  pair.corners[1][0][0] += 0.123F;
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
