// SPDX-License-Identifier: MIT
// covers: methods/surface/closest_points.c
#include "base/status.h"
#include "geometry/closest.h"
#include "geometry/mesh/mesh.h"
#include "geometry/tolerances.h"
#include "tests/methods/method_fixture.h"

#include <criterion/criterion.h>

extern const ts_method ts_method_closest_points;

static const ts_method *const method = &ts_method_closest_points;
static const ts_vec3 up = {0, 1, 0};

/// Two unit cubes, one `gap_m` over the other and shifted sideways; the diagonals of the faces that
/// meet cross unless `aligned`.
static fixture_pair cubes(method_fixture *f, double x, double gap_m, double z, int aligned) {
  ts_vec3 low = {0, 0, 0}, high = {1, 1, 1};
  return (fixture_pair){{fixture_box(f, low, high, 0, 0), fixture_box(f, low, high, 0, !aligned)},
                        {ts_pose_identity(), fixture_shift(x, 1 + gap_m, z)}};
}

/// A spike, and another upside down above it.
static fixture_pair spikes(method_fixture *f, double gap_m) {
  const ts_mesh *spike = fixture_spike(f, 0.8, 2.4);
  return (fixture_pair){{spike, spike}, {ts_pose_identity(), fixture_upside_down(0, gap_m, 0)}};
}

/// Two roofs whose ridges cross at the origin at an angle, the upper one upside down.
static fixture_pair roofs(method_fixture *f, double angle_rad, double gap_m) {
  const ts_mesh *wedge = fixture_wedge(f, 0.5, 1, 1.5);
  ts_pose turned = {ts_quat_from_axis_angle(up, angle_rad), {0, gap_m, 0}};
  return (fixture_pair){{wedge, wedge},
                        {ts_pose_identity(), ts_pose_mul(turned, fixture_upside_down(0.1, 0, 0))}};
}

static void expect_all(fixture_contacts set, size_t count, ts_vec3 normal, double gap_m) {
  cr_assert_eq(set.count, count, "%zu contacts, expected %zu", set.count, count);
  for (size_t i = 0; i < count; i++) {
    cr_expect_leq(ts_vec3_distance(set.contacts[i].normal, normal), 1e-12);
    cr_expect_float_eq(set.contacts[i].gap_m, gap_m, 1e-14);
  }
}

Test(methods_closest_points, stacked_cubes_have_contacts_at_corners_and_crossing_diagonals) {
  method_fixture f;
  fixture_open(&f);
  fixture_pair pair = cubes(&f, 0, 0.02, 0, 0);
  fixture_contacts set = fixture_run(&f, method, NULL, &pair);
  expect_all(set, 5, up, 0.02);
  for (int i = 0; i < 4; i++)
    cr_expect_eq(fixture_count_at(set, ts_vec3_make(i & 1, 1.01, i >> 1)), 1);
  cr_expect_eq(fixture_count_at(set, ts_vec3_make(0.5, 1.01, 0.5)), 1);
  cr_expect_eq(set.delivered, 5, "each pair of features is found once, delivered %zu",
               set.delivered);

  pair = cubes(&f, 0, 0.02, 0, 1);
  expect_all(fixture_run(&f, method, NULL, &pair), 4, up, 0.02);
  fixture_close(&f);
}

Test(methods_closest_points, shifted_cubes_have_contacts_at_corners_and_crossing_edges) {
  method_fixture f;
  fixture_open(&f);
  fixture_pair pair = cubes(&f, 0.5, 0.02, 0.25, 0);
  fixture_contacts set = fixture_run(&f, method, NULL, &pair);
  expect_all(set, 8, up, 0.02);
  // Two corners over faces, two crossings of rims, four of a rim or a diagonal with a diagonal.
  static const double at[8][2] = {{0.5, 0.25}, {1, 1},    {1, 0.25}, {0.5, 1},
                                  {0.5, 0.5},  {1, 0.75}, {0.75, 1}, {0.875, 0.875}};
  for (int i = 0; i < 8; i++)
    cr_expect_eq(fixture_count_at(set, ts_vec3_make(at[i][0], 1.01, at[i][1])), 1, "%d", i);
  fixture_close(&f);
}

Test(methods_closest_points, features_have_their_ids) {
  method_fixture f;
  fixture_open(&f);
  fixture_pair pair = cubes(&f, 0.5, 0.02, 0.25, 0);
  fixture_contacts set = fixture_run(&f, method, NULL, &pair);
  int vertex_face = 0, face_vertex = 0, edge_edge = 0, vertex_edge = 0;
  for (size_t i = 0; i < set.count; i++) {
    ts_feature a = set.contacts[i].feature_a, b = set.contacts[i].feature_b;
    if (a.kind == TS_FEATURE_FACE && b.kind == TS_FEATURE_VERTEX) {
      face_vertex++;
      cr_expect(a.index < 2, "the top is triangles 0 and 1");
      cr_expect_eq(b.index, 0);
    }
    vertex_face += a.kind == TS_FEATURE_VERTEX && b.kind == TS_FEATURE_FACE;
    edge_edge += a.kind == TS_FEATURE_EDGE && b.kind == TS_FEATURE_EDGE;
    vertex_edge += a.kind == TS_FEATURE_VERTEX && b.kind == TS_FEATURE_EDGE;
  }
  cr_expect_eq(face_vertex, 1);
  cr_expect_eq(vertex_face, 1);
  cr_expect_eq(edge_edge, 6);
  cr_expect_eq(vertex_edge, 0);
  fixture_close(&f);
}

Test(methods_closest_points, a_corner_over_an_edge_or_a_corner_makes_one_contact) {
  method_fixture f;
  fixture_open(&f);
  const ts_mesh *slab = fixture_box(&f, ts_vec3_make(-2, -1, -2), ts_vec3_make(2, 0, 2), 0, 0);
  const ts_mesh *spike = fixture_spike(&f, 0.8, 2.4);
  // Over the interior of a triangle, the diagonal, a rim, a corner.
  static const double at[4][2] = {{1, 0.5}, {0.5, 0.5}, {2, 0.25}, {2, 2}};
  static const int kinds[4] = {TS_FEATURE_FACE, TS_FEATURE_EDGE, TS_FEATURE_EDGE,
                               TS_FEATURE_VERTEX};
  for (int i = 0; i < 4; i++) {
    fixture_pair pair = {{slab, spike},
                         {ts_pose_identity(), fixture_upside_down(at[i][0], 0.015, at[i][1])}};
    fixture_contacts set = fixture_run(&f, method, NULL, &pair);
    expect_all(set, 1, up, 0.015);
    cr_expect_eq(set.contacts[0].feature_a.kind, kinds[i], "case %d", i);
    cr_expect_eq(set.contacts[0].feature_b.kind, TS_FEATURE_VERTEX);
    cr_expect_eq(set.contacts[0].feature_b.index, 4);
    cr_expect_eq(fixture_count_at(set, ts_vec3_make(at[i][0], 0.0075, at[i][1])), 1);
  }
  fixture_close(&f);
}

Test(methods_closest_points, a_corner_close_to_an_edge_of_the_mesh_has_a_contact_with_it_too) {
  method_fixture f;
  fixture_open(&f);
  const ts_mesh *slab = fixture_box(&f, ts_vec3_make(-2, -1, -2), ts_vec3_make(2, 0, 2), 0, 0);
  // 0.008 sideways from the diagonal: sqrt(0.015^2 + 0.008^2) = 0.017 is below the limit.
  double d = 0.008 / sqrt(2);
  fixture_pair pair = {{slab, fixture_spike(&f, 0.8, 2.4)},
                       {ts_pose_identity(), fixture_upside_down(1 + d, 0.015, 1 - d)}};
  fixture_contacts set = fixture_run(&f, method, NULL, &pair);
  cr_assert_eq(set.count, 2);
  cr_expect_eq(fixture_count_normal(set, up), 1);
  ts_vec3 slanted = ts_vec3_unit(ts_vec3_make(d, 0.015, -d));
  cr_expect_eq(fixture_count_normal(set, slanted), 1);
  fixture_close(&f);
}

Test(methods_closest_points, tips_are_found_up_to_the_limit_and_not_beyond) {
  method_fixture f;
  fixture_open(&f);
  for (uint64_t seed = 0; seed <= 20; seed++) {
    ts_pose motion = seed ? fixture_motion(seed, 10) : ts_pose_identity();
    for (int beyond = 0; beyond < 2; beyond++) {
      fixture_pair pair = spikes(&f, beyond ? 0.02 + 1e-7 : 0.02);
      for (int i = 0; i < 2; i++)
        pair.pose[i] = ts_pose_mul(motion, pair.pose[i]);
      fixture_contacts set = fixture_run(&f, method, NULL, &pair);
      cr_assert_eq(set.count, beyond ? 0 : 1, "seed %u", (unsigned)seed);
      if (beyond)
        continue;
      ts_vec3 normal = ts_pose_direction(motion, up);
      cr_expect_leq(ts_vec3_distance(set.contacts[0].normal, normal), 1e-12);
      cr_expect_eq(set.contacts[0].feature_a.kind, TS_FEATURE_VERTEX);
    }
  }
  fixture_close(&f);
}

Test(methods_closest_points, the_limit_is_twice_the_erosion) {
  method_fixture f;
  fixture_open(&f);
  double values[2] = {0.05, 0};
  fixture_pair pair = spikes(&f, 0.1);
  cr_expect_eq(fixture_run(&f, method, values, &pair).count, 1);
  values[0] = 0.0499;
  cr_expect_eq(fixture_run(&f, method, values, &pair).count, 0);
  fixture_close(&f);
}

Test(methods_closest_points, ridges_have_a_contact_where_they_cross_unless_they_are_parallel) {
  method_fixture f;
  fixture_open(&f);
  static const double angles[] = {1.5707963267948966, 1, 0.1, 1e-3, 1e-6, 1e-8, 0};
  for (size_t i = 0; i < sizeof angles / sizeof angles[0]; i++) {
    fixture_pair pair = roofs(&f, angles[i], 0.02);
    fixture_contacts set = fixture_run(&f, method, NULL, &pair);
    size_t crossings = 0;
    for (size_t k = 0; k < set.count; k++) {
      const ts_contact *c = &set.contacts[k];
      cr_expect_leq(ts_vec3_distance(c->normal, up), angles[i] < 1e-2 ? 0.02 : 1e-12,
                    "angle %g, normal %g %g %g", angles[i], c->normal.x, c->normal.y, c->normal.z);
      cr_expect_leq(c->gap_m, 0.02 + 3e-9);
      if (c->feature_a.kind == TS_FEATURE_EDGE && c->feature_b.kind == TS_FEATURE_EDGE) {
        crossings++;
        cr_expect_leq(ts_vec3_distance(c->point, ts_vec3_make(0, 0.01, 0)), 1e-9);
        cr_expect_leq(ts_vec3_distance(c->normal, up), 1e-7);
      }
    }
    cr_expect_eq(crossings, angles[i] > TS_PARALLEL_SINE ? 1 : 0, "angle %g: %zu", angles[i],
                 crossings);
    cr_expect(angles[i] > 1e-6 || set.count >= 2, "ends of parallel ridges meet: angle %g, %zu",
              angles[i], set.count);
  }
  fixture_close(&f);
}

Test(methods_closest_points, touching_and_overlapping_bodies_have_no_contact) {
  method_fixture f;
  fixture_open(&f);
  static const double gaps[] = {0, -1e-12, 1e-12, -0.005, -0.3};
  for (size_t i = 0; i < sizeof gaps / sizeof gaps[0]; i++)
    for (uint64_t seed = 0; seed <= 5; seed++) {
      ts_pose motion = seed ? fixture_motion(seed, 1) : ts_pose_identity();
      fixture_pair pairs[4] = {cubes(&f, 0, gaps[i], 0, 0), cubes(&f, 0.5, gaps[i], 0.25, 0),
                               spikes(&f, gaps[i]), roofs(&f, 1, gaps[i])};
      for (int k = 0; k < 4; k++) {
        for (int side = 0; side < 2; side++)
          pairs[k].pose[side] = ts_pose_mul(motion, pairs[k].pose[side]);
        fixture_contacts set = fixture_run(&f, method, NULL, &pairs[k]);
        cr_expect_eq(set.count, 0, "gap %g, pair %d, seed %u: %zu contacts", gaps[i], k,
                     (unsigned)seed, set.count);
      }
    }
  fixture_close(&f);
}

Test(methods_closest_points, no_contact_is_found_through_a_thin_body) {
  method_fixture f;
  fixture_open(&f);
  const ts_mesh *plate = fixture_box(&f, ts_vec3_make(0, 0, 0), ts_vec3_make(1, 0.004, 1), 0, 1);
  const ts_mesh *cube =
      fixture_box(&f, ts_vec3_make(0.3, -1, 0.2), ts_vec3_make(0.9, 0, 0.6), 1, 0);
  fixture_pair pair = {{cube, plate}, {ts_pose_identity(), fixture_shift(0, 0.01, 0)}};
  fixture_contacts set = fixture_run(&f, method, NULL, &pair);
  cr_assert_gt(set.count, 4);
  for (size_t i = 0; i < set.count; i++) {
    cr_expect_gt(set.contacts[i].normal.y, 0);
    cr_expect_float_eq(set.contacts[i].point.y, 0.005, 1e-12);
  }
  fixture_close(&f);
}

/// Pairs with all kinds of contacts, for tests that compare two runs.
static size_t samples(method_fixture *f, fixture_pair out[6]) {
  out[0] = cubes(f, 0, 0.02, 0, 0);
  out[1] = cubes(f, 0.5, 0.0115, 0.25, 0);
  out[2] = spikes(f, 0.02);
  out[3] = roofs(f, 0.7, 0.02);
  out[4] = cubes(f, 0.004, 0.012, 0.007, 0);
  out[5] = cubes(f, 1, 0.012, 0.4, 1);
  return 6;
}

Test(methods_closest_points, a_rigid_motion_moves_the_contacts) {
  method_fixture f;
  fixture_open(&f);
  fixture_pair pairs[6];
  size_t count = samples(&f, pairs);
  for (size_t k = 0; k < count; k++) {
    fixture_contacts before = fixture_run(&f, method, NULL, &pairs[k]);
    cr_assert_gt(before.count, 0);
    for (uint64_t seed = 1; seed <= 20; seed++) {
      double reach_m = seed % 2 ? 10 : 1e4;
      ts_pose motion = fixture_motion(seed, reach_m);
      fixture_pair moved = pairs[k];
      for (int i = 0; i < 2; i++)
        moved.pose[i] = ts_pose_mul(motion, moved.pose[i]);
      double tolerance_m = 1e-15 * (reach_m + 10) * 10;
      fixture_expect_same(fixture_run(&f, method, NULL, &moved), before, motion, 1, tolerance_m,
                          tolerance_m / 0.01, "moved");
    }
  }
  fixture_close(&f);
}

Test(methods_closest_points, swapping_the_bodies_negates_the_normals) {
  method_fixture f;
  fixture_open(&f);
  fixture_pair pairs[6];
  size_t count = samples(&f, pairs);
  for (size_t k = 0; k < count; k++) {
    fixture_pair swapped = {{pairs[k].mesh[1], pairs[k].mesh[0]},
                            {pairs[k].pose[1], pairs[k].pose[0]}};
    fixture_contacts before = fixture_run(&f, method, NULL, &pairs[k]);
    fixture_expect_same(fixture_run(&f, method, NULL, &swapped), before, ts_pose_identity(), -1,
                        1e-13, 1e-11, "swapped");
  }
  fixture_close(&f);
}

Test(methods_closest_points, the_order_of_vertices_and_triangles_does_not_matter) {
  method_fixture f;
  fixture_open(&f);
  fixture_pair pairs[6];
  size_t count = samples(&f, pairs);
  for (size_t k = 0; k < count; k++) {
    fixture_contacts before = fixture_run(&f, method, NULL, &pairs[k]);
    for (uint64_t seed = 1; seed <= 20; seed++) {
      fixture_pair shuffled = pairs[k];
      shuffled.mesh[0] = fixture_shuffled(&f, pairs[k].mesh[0], seed);
      shuffled.mesh[1] = fixture_shuffled(&f, pairs[k].mesh[1], seed + 100);
      fixture_expect_same(fixture_run(&f, method, NULL, &shuffled), before, ts_pose_identity(), 1,
                          1e-13, 1e-11, "shuffled");
    }
  }
  fixture_close(&f);
}

Test(methods_closest_points, contacts_scale_with_the_bodies_and_the_erosion) {
  method_fixture f;
  fixture_open(&f);
  fixture_pair pairs[6];
  size_t count = samples(&f, pairs);
  static const double scales[] = {1e-3, 1e3};
  for (size_t k = 0; k < count; k++)
    for (size_t s = 0; s < 2; s++) {
      double values[2] = {0.01 * scales[s], 0};
      fixture_pair scaled = pairs[k];
      for (int i = 0; i < 2; i++) {
        scaled.mesh[i] = fixture_scaled(&f, pairs[k].mesh[i], scales[s]);
        scaled.pose[i].translation = ts_vec3_scale(scaled.pose[i].translation, scales[s]);
      }
      fixture_contacts set = fixture_run(&f, method, values, &scaled);
      ts_contact *back = ts_arena_array(f.arena, set.count, sizeof *back);
      for (size_t i = 0; i < set.count; i++) {
        back[i] = set.contacts[i];
        back[i].point = ts_vec3_scale(back[i].point, 1 / scales[s]);
        back[i].gap_m /= scales[s];
      }
      set.contacts = back;
      fixture_expect_same(set, fixture_run(&f, method, NULL, &pairs[k]), ts_pose_identity(), 1,
                          1e-13, 1e-11, "scaled");
    }
  fixture_close(&f);
}

/// Whether a point is outside a convex body, by its planes.
static int outside(const ts_mesh *mesh, ts_pose pose, ts_vec3 p) {
  ts_vec3 local = ts_pose_point_local(pose, p);
  for (size_t t = 0; t < mesh->triangle_count; t++)
    if (ts_vec3_dot(ts_mesh_face_normal(mesh, t),
                    ts_vec3_sub(local, mesh->vertices[mesh->triangles[t][0]])) > 1e-12)
      return 1;
  return 0;
}

/// The expected contacts between two convex bodies, from every pair of features, without ownership,
/// hierarchy or frames.
static void oracle_add(ts_contact_set *set, const fixture_pair *pair, ts_vec3 on_a, ts_vec3 on_b,
                       double limit_m) {
  double distance_m = ts_vec3_distance(on_a, on_b);
  ts_vec3 normal = ts_vec3_unit(ts_vec3_sub(on_b, on_a));
  if (distance_m > limit_m ||
      !outside(pair->mesh[0], pair->pose[0], ts_vec3_add_scaled(on_a, 1e-7, normal)) ||
      !outside(pair->mesh[1], pair->pose[1], ts_vec3_add_scaled(on_b, -1e-7, normal)))
    return;
  ts_contact contact = {.point = ts_vec3_mid(on_a, on_b), .normal = normal, .gap_m = distance_m};
  cr_assert_eq(ts_contact_set_push(set, &contact, 1), TS_OK);
}

static void world_triangle(ts_vec3 out[3], const fixture_pair *pair, int side, size_t t) {
  for (int i = 0; i < 3; i++)
    out[i] = ts_pose_point(pair->pose[side],
                           pair->mesh[side]->vertices[pair->mesh[side]->triangles[t][i]]);
}

static fixture_contacts oracle(method_fixture *f, const fixture_pair *pair, double limit_m) {
  ts_contact_set set = {0};
  for (size_t t = 0; t < pair->mesh[0]->triangle_count; t++)
    for (size_t u = 0; u < pair->mesh[1]->triangle_count; u++) {
      ts_vec3 a[3], b[3];
      world_triangle(a, pair, 0, t);
      world_triangle(b, pair, 1, u);
      for (int i = 0; i < 3; i++) {
        oracle_add(&set, pair, a[i], ts_closest_point_triangle(a[i], b).point, limit_m);
        oracle_add(&set, pair, ts_closest_point_triangle(b[i], a).point, b[i], limit_m);
        for (int j = 0; j < 3; j++) {
          double s, v;
          ts_closest c =
              ts_closest_segment_segment(&s, &v, a[i], a[(i + 1) % 3], b[j], b[(j + 1) % 3]);
          if (s > 1e-7 && s < 1 - 1e-7 && v > 1e-7 && v < 1 - 1e-7)
            oracle_add(&set, pair, c.on_a, c.on_b, limit_m);
        }
      }
    }
  cr_assert_eq(ts_contact_set_canonicalise(&set, 1), TS_OK);
  ts_contact *copy = ts_arena_array(f->arena, set.count, sizeof *copy);
  for (size_t i = 0; i < set.count; i++)
    copy[i] = set.contacts[i];
  fixture_contacts out = {copy, set.count, set.delivered};
  ts_contact_set_clear(&set);
  return out;
}

Test(methods_closest_points, random_tetrahedra_agree_with_brute_force_over_features) {
  method_fixture f;
  fixture_open(&f);
  ts_random random = ts_random_seed(7, 7);
  double values[2] = {0.15, 0};
  size_t total = 0;
  for (int n = 0; n < 150; n++) {
    fixture_pair pair;
    for (int side = 0; side < 2; side++) {
      ts_vec3 points[4];
      for (int i = 0; i < 4; i++) {
        double u[3];
        for (int k = 0; k < 3; k++)
          u[k] = ts_random_unit(&random);
        points[i] = ts_vec3_make(u[0] + 0.9 * side, u[1], u[2]);
      }
      pair.mesh[side] = fixture_tet(&f, points);
      pair.pose[side] = ts_pose_identity();
    }
    fixture_contacts set = fixture_run(&f, method, values, &pair);
    fixture_expect_same(set, oracle(&f, &pair, 0.3), ts_pose_identity(), 1, 1e-10, 1e-8, "random");
    total += set.count;
  }
  cr_assert_gt(total, 100, "%zu contacts", total);
  fixture_close(&f);
}

Test(methods_closest_points, the_envelope_is_the_erosion_and_its_reach_the_limit) {
  ts_envelope envelope;
  double values[2] = {0.03, 0};
  cr_assert_eq(method->envelope(&envelope, values), TS_OK);
  cr_expect_eq(envelope.kind, TS_ENVELOPE_ERODED);
  cr_expect_eq(envelope.mode, TS_ENVELOPE_VERTICES);
  cr_expect_eq(envelope.size_m, 0.03);
  cr_expect_eq(envelope.reach_m, 0.06);
  values[1] = 1;
  cr_assert_eq(method->envelope(&envelope, values), TS_OK);
  cr_expect_eq(envelope.mode, TS_ENVELOPE_FACES);
}

Test(methods_closest_points, a_failure_of_push_is_the_result) {
  method_fixture f;
  fixture_open(&f);
  fixture_pair pair = cubes(&f, 0, 0.02, 0, 0);
  f.push_status = TS_E_MEMORY;
  cr_assert_eq(fixture_try(&f, method, NULL, &pair), TS_E_MEMORY);
  fixture_close(&f);
}
