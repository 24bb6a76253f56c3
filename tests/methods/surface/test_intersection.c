// SPDX-License-Identifier: MIT
// covers: methods/surface/intersection.c
#include "base/status.h"
#include "geometry/closest.h"
#include "geometry/mesh/mesh.h"
#include "geometry/tolerances.h"
#include "tests/methods/method_fixture.h"

#include <criterion/criterion.h>
#include <stdio.h>

extern const ts_method ts_method_intersection;

static const ts_method *const method = &ts_method_intersection;
static const ts_vec3 up = {0, 1, 0};

/// Two unit cubes, one `gap_m` over the other and shifted sideways; the diagonals of the faces that
/// meet cross.
static fixture_pair cubes(method_fixture *f, double x, double gap_m, double z) {
  ts_vec3 low = {0, 0, 0}, high = {1, 1, 1};
  return (fixture_pair){{fixture_box(f, low, high, 0, 0), fixture_box(f, low, high, 0, 1)},
                        {ts_pose_identity(), fixture_shift(x, 1 + gap_m, z)}};
}

/// A slab with its top at y = 0 and a spike upside down over (x, z).
static fixture_pair spike_on_slab(method_fixture *f, double x, double gap_m, double z) {
  return (fixture_pair){{fixture_box(f, ts_vec3_make(-2, -1, -2), ts_vec3_make(2, 0, 2), 0, 0),
                         fixture_spike(f, 0.8, 2.4)},
                        {ts_pose_identity(), fixture_upside_down(x, gap_m, z)}};
}

/// Two roofs whose ridges cross over the origin at an angle, the upper one upside down.
static fixture_pair roofs(method_fixture *f, double angle_rad, double gap_m) {
  const ts_mesh *wedge = fixture_wedge(f, 0.5, 1, 1.5);
  ts_pose turned = {ts_quat_from_axis_angle(up, angle_rad), {0, gap_m, 0}};
  return (fixture_pair){{wedge, wedge},
                        {ts_pose_identity(), ts_pose_mul(turned, fixture_upside_down(0.1, 0, 0))}};
}

static fixture_pair moved(fixture_pair pair, ts_pose motion) {
  for (int i = 0; i < 2; i++)
    pair.pose[i] = ts_pose_mul(motion, pair.pose[i]);
  return pair;
}

/// The contacts of a set between features of these kinds.
static fixture_contacts of_kinds(method_fixture *f, fixture_contacts set, ts_feature_kind a,
                                 ts_feature_kind b) {
  ts_contact *some = ts_arena_array(f->arena, set.count, sizeof *some);
  fixture_contacts out = {some, 0, 0};
  for (size_t i = 0; i < set.count; i++)
    if (set.contacts[i].feature_a.kind == (int32_t)a &&
        set.contacts[i].feature_b.kind == (int32_t)b)
      some[out.count++] = set.contacts[i];
  return out;
}

Test(methods_intersection, a_vertex_at_a_face_makes_a_contact_at_the_vertex_with_the_faces_normal) {
  method_fixture f;
  fixture_open(&f);
  static const double gaps[] = {0.006, 0, -0.006};
  for (int i = 0; i < 3; i++) {
    fixture_pair pair = spike_on_slab(&f, 1, gaps[i], 0.5);
    fixture_contacts set = fixture_run(&f, method, NULL, &pair);
    fixture_contacts tips = of_kinds(&f, set, TS_FEATURE_FACE, TS_FEATURE_VERTEX);
    cr_assert_eq(tips.count, 1, "gap %g: %zu", gaps[i], tips.count);
    cr_expect_leq(ts_vec3_distance(tips.contacts[0].point, ts_vec3_make(1, gaps[i], 0.5)), 1e-15);
    cr_expect_leq(ts_vec3_distance(tips.contacts[0].normal, up), 1e-15);
    cr_expect_float_eq(tips.contacts[0].gap_m, gaps[i], 1e-15);
    cr_expect_eq(tips.contacts[0].feature_b.index, 4);
    cr_expect_lt(tips.contacts[0].feature_a.index, 2);

    fixture_pair swapped = {{pair.mesh[1], pair.mesh[0]}, {pair.pose[1], pair.pose[0]}};
    set = fixture_run(&f, method, NULL, &swapped);
    tips = of_kinds(&f, set, TS_FEATURE_VERTEX, TS_FEATURE_FACE);
    cr_assert_eq(tips.count, 1);
    cr_expect_leq(ts_vec3_distance(tips.contacts[0].normal, ts_vec3_neg(up)), 1e-12);
    cr_expect_float_eq(tips.contacts[0].gap_m, gaps[i], 1e-12);
  }
  fixture_close(&f);
}

Test(methods_intersection, the_prism_of_a_face_is_closed) {
  method_fixture f;
  fixture_open(&f);
  // Over the diagonal, a rim, a corner; then slightly outside a rim.
  static const double at[4][2] = {{0.5, 0.5}, {2, 0.25}, {2, 2}, {2 + 1e-7, 0.25}};
  for (int i = 0; i < 4; i++)
    for (uint64_t seed = 0; seed <= 20; seed++) {
      ts_pose motion = seed ? fixture_motion(seed, 10) : ts_pose_identity();
      fixture_pair pair = moved(spike_on_slab(&f, at[i][0], 0.004, at[i][1]), motion);
      fixture_contacts set = fixture_run(&f, method, NULL, &pair);
      cr_assert_eq(of_kinds(&f, set, TS_FEATURE_FACE, TS_FEATURE_VERTEX).count, i == 3 ? 0 : 1,
                   "place %d, seed %u", i, (unsigned)seed);
    }
  fixture_close(&f);
}

Test(methods_intersection, vertices_are_found_up_to_the_limit_and_not_beyond) {
  method_fixture f;
  fixture_open(&f);
  for (uint64_t seed = 0; seed <= 20; seed++) {
    ts_pose motion = seed ? fixture_motion(seed, 10) : ts_pose_identity();
    for (int below = 0; below < 2; below++)
      for (int beyond = 0; beyond < 2; beyond++) {
        double gap_m = (below ? -1 : 1) * (0.01 + (beyond ? 1e-7 : 0));
        fixture_pair pair = moved(spike_on_slab(&f, 1, gap_m, 0.5), motion);
        fixture_contacts set = fixture_run(&f, method, NULL, &pair);
        fixture_contacts tips = of_kinds(&f, set, TS_FEATURE_FACE, TS_FEATURE_VERTEX);
        cr_assert_eq(tips.count, beyond ? 0 : 1, "gap %g, seed %u", gap_m, (unsigned)seed);
        cr_assert(!beyond || below || set.count == 0, "bodies are too far apart for any contact");
      }
  }
  fixture_close(&f);
}

Test(methods_intersection, closeness_zero_finds_touching_features) {
  method_fixture f;
  fixture_open(&f);
  double values[1] = {0};
  for (uint64_t seed = 0; seed <= 20; seed++) {
    ts_pose motion = seed ? fixture_motion(seed, 10) : ts_pose_identity();
    fixture_pair pair = moved(spike_on_slab(&f, 1, 0, 0.5), motion);
    fixture_contacts set = fixture_run(&f, method, values, &pair);
    cr_assert_eq(of_kinds(&f, set, TS_FEATURE_FACE, TS_FEATURE_VERTEX).count, 1, "seed %u",
                 (unsigned)seed);
    pair = moved(spike_on_slab(&f, 1, 1e-6, 0.5), motion);
    cr_assert_eq(fixture_run(&f, method, values, &pair).count, 0);
  }
  fixture_close(&f);
}

Test(methods_intersection, crossing_ridges_push_along_their_cross_product) {
  method_fixture f;
  fixture_open(&f);
  static const double angles[] = {1.5707963267948966, 1, 0.1, 1e-3, 1e-6, 1e-8, 0};
  for (size_t i = 0; i < sizeof angles / sizeof angles[0]; i++) {
    fixture_pair pair = roofs(&f, angles[i], -0.004);
    fixture_contacts set = fixture_run(&f, method, NULL, &pair);
    size_t crossings = 0;
    for (size_t k = 0; k < set.count; k++) {
      const ts_contact *c = &set.contacts[k];
      if (c->feature_a.kind != TS_FEATURE_EDGE || ts_vec3_distance(c->normal, up) > 1e-7 ||
          ts_vec3_distance(c->point, ts_vec3_make(0, -0.002, 0)) > 1e-9)
        continue;
      crossings++;
      cr_expect_float_eq(c->gap_m, -0.004, 1e-9, "angle %g: gap %.17g", angles[i], c->gap_m);
    }
    cr_expect_eq(crossings, angles[i] > TS_PARALLEL_SINE ? 1 : 0, "angle %g: %zu", angles[i],
                 crossings);
  }
  fixture_close(&f);
}

Test(methods_intersection, a_cross_product_that_separates_makes_no_contact) {
  method_fixture f;
  fixture_open(&f);
  static const double gaps[] = {1e-6, 0.004};
  for (int i = 0; i < 2; i++) {
    fixture_pair pair = roofs(&f, 1, gaps[i]);
    fixture_contacts set = fixture_run(&f, method, NULL, &pair);
    cr_expect_eq(fixture_count_normal(set, up), 0, "gap %g", gaps[i]);
  }
  fixture_close(&f);
}

Test(methods_intersection, faces_in_one_plane_orient_the_normals_of_their_edges) {
  method_fixture f;
  fixture_open(&f);
  for (uint64_t seed = 0; seed <= 20; seed++) {
    ts_pose motion = seed ? fixture_motion(seed, 10) : ts_pose_identity();
    fixture_pair pair = moved(cubes(&f, 0.5, 0, 0.25), motion);
    fixture_contacts set = fixture_run(&f, method, NULL, &pair);
    // The diagonals of the two faces and their rims cross at these points.
    static const double at[6][2] = {{1, 0.25}, {0.5, 1},  {0.5, 0.5},
                                    {1, 0.75}, {0.75, 1}, {0.875, 0.875}};
    for (int i = 0; i < 6; i++) {
      ts_vec3 p = ts_pose_point(motion, ts_vec3_make(at[i][0], 1, at[i][1]));
      size_t upward = 0, downward = 0;
      for (size_t k = 0; k < set.count; k++) {
        if (ts_vec3_distance(set.contacts[k].point, p) > 1e-9)
          continue;
        double y = ts_vec3_dot(set.contacts[k].normal, ts_pose_direction(motion, up));
        upward += fabs(y - 1) < 1e-9;
        downward += fabs(y + 1) < 1e-9;
      }
      cr_assert_eq(upward, 1, "seed %u, crossing %d: %zu", (unsigned)seed, i, upward);
      cr_assert_eq(downward, 0, "seed %u, crossing %d: %zu", (unsigned)seed, i, downward);
    }
  }
  fixture_close(&f);
}

Test(methods_intersection, faces_flush_in_one_plane_give_both_directions) {
  method_fixture f;
  fixture_open(&f);
  // Side by side: both tops face up, and the diagonal of one ends on the rim of the other.
  ts_vec3 low = {0, 0, 0}, high = {1, 1, 1};
  const ts_mesh *box = fixture_box(&f, low, high, 0, 0);
  for (uint64_t seed = 0; seed <= 20; seed++) {
    ts_pose motion = seed ? fixture_motion(seed, 10) : ts_pose_identity();
    fixture_pair pair = {{box, box}, {ts_pose_identity(), fixture_shift(1, 0, 0.25)}};
    pair = moved(pair, motion);
    fixture_contacts set = fixture_run(&f, method, NULL, &pair);
    ts_vec3 p = ts_pose_point(motion, ts_vec3_make(1, 1, 0.25));
    size_t both[2] = {0, 0};
    for (size_t k = 0; k < set.count; k++) {
      double y = ts_vec3_dot(set.contacts[k].normal, ts_pose_direction(motion, up));
      // Where the sides of the two boxes cross there, the overlap is their height.
      if (ts_vec3_distance(set.contacts[k].point, p) <= 1e-9 && fabs(fabs(y) - 1) <= 1e-9 &&
          fabs(set.contacts[k].gap_m) <= 1e-9)
        both[y > 0]++;
    }
    cr_assert_eq(both[0], 1, "seed %u: %zu", (unsigned)seed, both[0]);
    cr_assert_eq(both[1], 1, "seed %u: %zu", (unsigned)seed, both[1]);
  }
  fixture_close(&f);
}

Test(methods_intersection, stacked_cubes_have_contacts_at_corners_and_crossing_diagonals) {
  method_fixture f;
  fixture_open(&f);
  fixture_pair pair = cubes(&f, 0, 0, 0);
  fixture_contacts set = fixture_run(&f, method, NULL, &pair);
  for (int i = 0; i < 5; i++) {
    ts_vec3 p = i == 4 ? ts_vec3_make(0.5, 1, 0.5) : ts_vec3_make(i & 1, 1, i >> 1);
    size_t upward = 0;
    for (size_t k = 0; k < set.count; k++)
      upward += ts_vec3_distance(set.contacts[k].point, p) <= 1e-9 &&
                ts_vec3_distance(set.contacts[k].normal, up) <= 1e-9 &&
                fabs(set.contacts[k].gap_m) <= 1e-12;
    cr_expect_eq(upward, 1, "place %d: %zu", i, upward);
  }
  // Edges of the sides cross, too: right by the definition of the method, wrong as contacts.
  cr_expect_gt(set.count, 5);
  cr_expect_eq(fixture_count_normal(set, ts_vec3_neg(up)), 0);
  fixture_close(&f);
}

/// Pairs with all kinds of contacts, for tests that compare two runs.
static size_t samples(method_fixture *f, fixture_pair out[7]) {
  out[0] = cubes(f, 0, 0, 0);
  out[1] = cubes(f, 0.5, 0, 0.25);
  out[2] = cubes(f, 0.5, -0.004, 0.25);
  out[3] = spike_on_slab(f, 0.5, 0, 0.5);
  out[4] = roofs(f, 0.7, -0.004);
  out[5] = roofs(f, 0.3, 0.004);
  out[6] = cubes(f, 1, -1, 0.25);
  return 7;
}

Test(methods_intersection, a_rigid_motion_moves_the_contacts) {
  method_fixture f;
  fixture_open(&f);
  fixture_pair pairs[7];
  size_t count = samples(&f, pairs);
  for (size_t k = 0; k < count; k++) {
    fixture_contacts before = fixture_run(&f, method, NULL, &pairs[k]);
    cr_assert_gt(before.count, 0);
    for (uint64_t seed = 1; seed <= 20; seed++) {
      double reach_m = seed % 2 ? 10 : 1e4;
      ts_pose motion = fixture_motion(seed, reach_m);
      fixture_pair pair = moved(pairs[k], motion);
      double tolerance_m = 1e-15 * (reach_m + 10) * 10;
      char what[64];
      snprintf(what, sizeof what, "pair %zu, seed %u", k, (unsigned)seed);
      fixture_expect_same(fixture_run(&f, method, NULL, &pair), before, motion, 1, tolerance_m,
                          1e-9, what);
    }
  }
  fixture_close(&f);
}

Test(methods_intersection, swapping_the_bodies_negates_the_normals) {
  method_fixture f;
  fixture_open(&f);
  fixture_pair pairs[7];
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

Test(methods_intersection, the_order_of_vertices_and_triangles_does_not_matter) {
  method_fixture f;
  fixture_open(&f);
  fixture_pair pairs[7];
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

Test(methods_intersection, contacts_scale_with_the_bodies_and_the_closeness) {
  method_fixture f;
  fixture_open(&f);
  fixture_pair pairs[7];
  size_t count = samples(&f, pairs);
  static const double scales[] = {1e-3, 1e3};
  for (size_t k = 0; k < count; k++)
    for (size_t s = 0; s < 2; s++) {
      double values[1] = {0.01 * scales[s]};
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

static void oracle_push(ts_contact_set *set, ts_vec3 point, ts_vec3 normal, double gap_m) {
  ts_contact contact = {.point = point, .normal = normal, .gap_m = gap_m};
  cr_assert_eq(ts_contact_set_push(set, &contact, 1), TS_OK);
}

static ts_vec3 plane_normal(const ts_vec3 t[3]) {
  return ts_vec3_unit(ts_vec3_cross(ts_vec3_sub(t[1], t[0]), ts_vec3_sub(t[2], t[0])));
}

/// Vertex p against face t: within the limit of the plane, and with its projection on the triangle.
static void oracle_vertex(ts_contact_set *set, ts_vec3 p, const ts_vec3 t[3], double sign,
                          double limit_m) {
  ts_vec3 normal = plane_normal(t);
  double gap_m = ts_vec3_dot(normal, ts_vec3_sub(p, t[0]));
  ts_vec3 foot = ts_vec3_add_scaled(p, -gap_m, normal);
  if (fabs(gap_m) <= limit_m && ts_closest_point_triangle(foot, t).distance_m < 1e-12)
    oracle_push(set, p, ts_vec3_scale(normal, sign), gap_m);
}

/// Edges p and q of two triangles, by the normal equations of the closest points of their lines.
static void oracle_edges(ts_contact_set *set, const ts_vec3 a[3], int i, const ts_vec3 b[3],
                         int j) {
  ts_vec3 p = a[i], q = b[j], u = ts_vec3_sub(a[(i + 1) % 3], p),
          v = ts_vec3_sub(b[(j + 1) % 3], q);
  ts_vec3 w = ts_vec3_sub(q, p), axis = ts_vec3_unit(ts_vec3_cross(u, v));
  double uu = ts_vec3_dot(u, u), uv = ts_vec3_dot(u, v), vv = ts_vec3_dot(v, v);
  double uw = ts_vec3_dot(u, w), vw = ts_vec3_dot(v, w), det = uu * vv - uv * uv;
  double s = (uw * vv - vw * uv) / det, t = (uw * uv - vw * uu) / det;
  if (s < 0 || s > 1 || t < 0 || t > 1)
    return;
  double low_a = INFINITY, high_a = -INFINITY, low_b = INFINITY, high_b = -INFINITY;
  for (int k = 0; k < 3; k++) {
    low_a = fmin(low_a, ts_vec3_dot(axis, a[k])), high_a = fmax(high_a, ts_vec3_dot(axis, a[k]));
    low_b = fmin(low_b, ts_vec3_dot(axis, b[k])), high_b = fmax(high_b, ts_vec3_dot(axis, b[k]));
  }
  double forth = high_a - low_b, back = high_b - low_a;
  if (forth < 0 || back < 0)
    return;
  ts_vec3 point = ts_vec3_mid(ts_vec3_add_scaled(p, s, u), ts_vec3_add_scaled(q, t, v));
  oracle_push(set, point, ts_vec3_scale(axis, forth < back ? 1 : -1), -fmin(forth, back));
}

static fixture_contacts oracle(method_fixture *f, const fixture_pair *pair, double limit_m) {
  ts_contact_set set = {0};
  for (size_t t = 0; t < pair->mesh[0]->triangle_count; t++)
    for (size_t u = 0; u < pair->mesh[1]->triangle_count; u++) {
      ts_vec3 a[3], b[3];
      for (int i = 0; i < 3; i++) {
        a[i] = pair->mesh[0]->vertices[pair->mesh[0]->triangles[t][i]];
        b[i] = pair->mesh[1]->vertices[pair->mesh[1]->triangles[u][i]];
      }
      if (ts_closest_triangle_triangle(a, b).distance_m > limit_m)
        continue;
      for (int i = 0; i < 3; i++) {
        oracle_vertex(&set, a[i], b, -1, limit_m);
        oracle_vertex(&set, b[i], a, 1, limit_m);
        for (int j = 0; j < 3; j++)
          oracle_edges(&set, a, i, b, j);
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

Test(methods_intersection, random_tetrahedra_agree_with_brute_force_over_triangles) {
  method_fixture f;
  fixture_open(&f);
  ts_random random = ts_random_seed(8, 8);
  double values[1] = {0.1};
  size_t vertices = 0, edges = 0;
  for (int n = 0; n < 150; n++) {
    fixture_pair pair;
    for (int side = 0; side < 2; side++) {
      ts_vec3 points[4];
      for (int i = 0; i < 4; i++) {
        double u[3];
        for (int k = 0; k < 3; k++)
          u[k] = ts_random_unit(&random);
        points[i] = ts_vec3_make(u[0] + 0.5 * side, u[1], u[2]);
      }
      pair.mesh[side] = fixture_tet(&f, points);
      pair.pose[side] = ts_pose_identity();
    }
    fixture_contacts set = fixture_run(&f, method, values, &pair);
    fixture_expect_same(set, oracle(&f, &pair, 0.1), ts_pose_identity(), 1, 1e-9, 1e-8, "random");
    size_t of_edges = of_kinds(&f, set, TS_FEATURE_EDGE, TS_FEATURE_EDGE).count;
    edges += of_edges;
    vertices += set.count - of_edges;
  }
  cr_assert_gt(vertices, 50, "%zu", vertices);
  cr_assert_gt(edges, 50, "%zu", edges);
  fixture_close(&f);
}

Test(methods_intersection, there_is_no_envelope_and_the_reach_is_the_closeness) {
  ts_envelope envelope;
  double values[1] = {0.03};
  cr_assert_eq(method->envelope(&envelope, values), TS_OK);
  cr_expect_eq(envelope.kind, TS_ENVELOPE_NONE);
  cr_expect_eq(envelope.size_m, 0);
  cr_expect_eq(envelope.reach_m, 0.03);
}

Test(methods_intersection, a_failure_of_push_is_the_result) {
  method_fixture f;
  fixture_open(&f);
  fixture_pair pair = cubes(&f, 0, 0, 0);
  f.push_status = TS_E_MEMORY;
  cr_assert_eq(fixture_try(&f, method, NULL, &pair), TS_E_MEMORY);
  fixture_close(&f);
}
