// SPDX-License-Identifier: MIT
// covers: methods/tet/intersection_tets.c methods/tet/tet_pair.c
#include "base/status.h"
#include "geometry/closest.h"
#include "geometry/mesh/mesh.h"
#include "geometry/tolerances.h"
#include "methods/prox2018/prox_kernels.h"
#include "methods/tet/tet_bodies.h"
#include "methods/tet/tet_kernels.h"
#include "tests/geometry/random_geometry.h"
#include "tests/methods/method_fixture.h"
#include "tests/methods/prox2018/prox_in_double.h"
#include "tests/methods/prox2018/prox_run.h"
#include "tests/methods/tet/prox_reference.h"
#include "tests/methods/tet/tet_fixture.h"

#include <criterion/criterion.h>

extern const ts_method ts_method_intersection_tets;

static const ts_method *const method = &ts_method_intersection_tets;
static const ts_vec3 up = {0, 0, 1};

static ts_tet_contacts contacts; // large, and each test has a process of its own

static void run(const ts_tet_pair *pair) {
  ts_tet_intersection(&contacts, pair, 1);
}

/// Number of contacts at a point with a normal and a gap.
static size_t count_of(ts_vec3 point, ts_vec3 normal, double gap_m) {
  size_t count = 0;
  for (size_t i = 0; i < contacts.count; i++) {
    const ts_contact *c = &contacts.contacts[i];
    count += ts_vec3_distance(c->point, point) < 1e-9 &&
             ts_vec3_distance(c->normal, normal) < 1e-9 && fabs(c->gap_m - gap_m) < 1e-9;
  }
  return count;
}

typedef struct wide {
  long double x, y, z;
} wide;

static wide widen(ts_vec3 p) {
  return (wide){p.x, p.y, p.z};
}

static wide from(ts_vec3 a, ts_vec3 b) {
  wide p = widen(a), q = widen(b);
  return (wide){q.x - p.x, q.y - p.y, q.z - p.z};
}

static wide cross(wide a, wide b) {
  return (wide){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static long double dot(wide a, wide b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

/// What the method's text says of a pair, feature by feature, in long double.
typedef struct oracle {
  const ts_tet_pair *pair;
  ts_tet_contacts found;
  size_t vertex_count;
  bool is_clear; ///< no decision is close to its limit
} oracle;

static bool decide(oracle *o, long double value) {
  o->is_clear &= fabsl(value) > 1e-6L;
  return value > 0;
}

static void oracle_push(oracle *o, ts_vec3 point, wide normal, long double gap_m) {
  long double length = sqrtl(dot(normal, normal));
  o->found.contacts[o->found.count++] =
      (ts_contact){.point = point,
                   .normal = {(double)(normal.x / length), (double)(normal.y / length),
                              (double)(normal.z / length)},
                   .gap_m = (double)gap_m};
}

/// The foot of the vertex on the plane has three areas of one sign with the edges of the face.
static void oracle_vertex_face(oracle *o, int side, int i, int face) {
  const ts_vec3 *tet = o->pair->corners[1 - side];
  ts_vec3 p = o->pair->corners[side][i], q[3];
  for (int k = 0, n = 0; k < 4; k++)
    if (k != face)
      q[n++] = tet[k];
  wide n = cross(from(q[0], q[1]), from(q[0], q[2]));
  if (dot(n, from(q[0], tet[face])) > 0)
    n = (wide){-n.x, -n.y, -n.z};
  long double area2 = dot(n, n), gap_m = dot(n, from(q[0], p)) / sqrtl(area2);
  bool inside = decide(o, (long double)o->pair->reach_m - fabsl(gap_m));
  long double sum = 0, share[3];
  for (int k = 0; k < 3; k++) {
    share[k] = dot(cross(from(p, q[k]), from(p, q[(k + 1) % 3])), n) / area2;
    sum += share[k];
  }
  for (int k = 0; k < 3; k++)
    inside &= decide(o, share[k] / sum);
  if (side == 0)
    n = (wide){-n.x, -n.y, -n.z};
  if (inside)
    oracle_push(o, p, n, gap_m);
}

static void project(long double out[2], wide axis, const ts_vec3 tet[4], ts_vec3 origin) {
  out[0] = INFINITY, out[1] = -INFINITY;
  for (int i = 0; i < 4; i++) {
    long double h = dot(axis, from(origin, tet[i]));
    out[0] = fminl(out[0], h), out[1] = fmaxl(out[1], h);
  }
}

/// By the normal equations of the closest points of the two lines.
static void oracle_edges(oracle *o, int i, int j, int k, int l) {
  const ts_vec3 *a = o->pair->corners[0], *b = o->pair->corners[1];
  wide u = from(a[i], a[j]), v = from(b[k], b[l]), w = from(a[i], b[k]), n = cross(u, v);
  long double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), uw = dot(u, w), vw = dot(v, w);
  long double det = uu * vv - uv * uv;
  long double s = (uw * vv - vw * uv) / det, t = (uw * uv - vw * uu) / det;
  long double length = sqrtl(dot(n, n)), of_a[2], of_b[2];
  n = (wide){n.x / length, n.y / length, n.z / length};
  project(of_a, n, a, a[i]);
  project(of_b, n, b, a[i]);
  long double forth = of_a[1] - of_b[0], back = of_b[1] - of_a[0];
  bool on_both = decide(o, s), overlap = decide(o, forth);
  on_both &= decide(o, 1 - s);
  on_both &= decide(o, t);
  on_both &= decide(o, 1 - t);
  overlap &= decide(o, back);
  if (!on_both || !overlap)
    return;
  if (!decide(o, back - forth)) {
    n = (wide){-n.x, -n.y, -n.z};
    forth = back;
  }
  wide p = widen(a[i]), q = widen(b[k]);
  oracle_push(o,
              (ts_vec3){(double)(0.5L * (p.x + s * u.x + q.x + t * v.x)),
                        (double)(0.5L * (p.y + s * u.y + q.y + t * v.y)),
                        (double)(0.5L * (p.z + s * u.z + q.z + t * v.z))},
              n, -forth);
}

/// Whether a node, or the edge to another one, has a face of the set around it.
static bool is_on_surface(unsigned faces, int i, int j) {
  for (int f = 0; f < 4; f++)
    if (faces >> f & 1 && f != i && f != j)
      return true;
  return false;
}

static void oracle_find(oracle *o, const ts_tet_pair *pair) {
  o->pair = pair;
  o->found.count = 0;
  o->is_clear = true;
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < 4; i++)
      for (int face = 0; face < 4; face++)
        if (pair->surface[1 - side] >> face & 1 && is_on_surface(pair->surface[side], i, i))
          oracle_vertex_face(o, side, i, face);
  o->vertex_count = o->found.count;
  double distance_m = ts_closest_tet_tet(pair->corners[0], pair->corners[1]).distance_m;
  if (distance_m > 0 && !decide(o, (long double)(pair->reach_m - distance_m)))
    return;
  for (int i = 0; i < 4; i++)
    for (int j = i + 1; j < 4; j++)
      for (int k = 0; k < 4; k++)
        for (int l = k + 1; l < 4; l++)
          if (is_on_surface(pair->surface[0], i, j) && is_on_surface(pair->surface[1], k, l))
            oracle_edges(o, i, j, k, l);
}

Test(methods_intersection_tets, every_pair_of_features_on_the_surfaces_is_looked_at) {
  ts_random random = ts_random_seed(21, 0);
  static oracle expected;
  size_t vertices = 0, edges = 0, ahead = 0, unclear = 0;
  for (int n = 0; n < 4000; n++) {
    ts_tet_pair pair = tet_pair_random(&random, 0.7);
    pair.reach_m = n % 2 ? 0.1 : 0.01;
    oracle_find(&expected, &pair);
    if (!expected.is_clear) {
      unclear++;
      continue;
    }
    run(&pair);
    tet_contacts_assert_same(&contacts, &expected.found, 1e-9, 1, "random");
    vertices += expected.vertex_count;
    edges += expected.found.count - expected.vertex_count;
    ahead += expected.found.count > 0 &&
             ts_closest_tet_tet(pair.corners[0], pair.corners[1]).distance_m > 0;
  }
  cr_expect_gt(vertices, 300, "%zu", vertices);
  cr_expect_gt(edges, 5000, "%zu", edges);
  cr_expect_gt(ahead, 50, "%zu", ahead);
  cr_expect_lt(unclear, 10, "%zu", unclear);
}

/// Faces in one plane where one corner of b and two crossings of edges bound the common area.
static ts_tet_pair over_the_rim(double gap_m) {
  ts_tet_pair pair = tet_pair_stacked(gap_m);
  for (int i = 0; i < 4; i++)
    pair.corners[1][i].x -= 0.75;
  pair.reach_m = 0.01;
  return pair;
}

Test(methods_intersection_tets, faces_that_touch_give_the_corners_of_what_they_share) {
  ts_random random = ts_random_seed(22, 0);
  static const double reaches[] = {0, 0.01};
  for (int n = 0; n < 200; n++) {
    ts_tet_pair pair = over_the_rim(0);
    pair.reach_m = reaches[n % 2];
    ts_pose pose = random_pose(&random, n % 4 < 2 ? 1 : 1e4);
    if (n % 3 == 0)
      pair.surface[0] = pair.surface[1] = 1u << 3;
    static ts_tet_contacts expected;
    expected.count = 0;
    static const double at[3][2] = {{0.75, 0.25}, {0, 0.4375}, {0, 1.1875}};
    for (int i = 0; i < 3; i++)
      expected.contacts[expected.count++] =
          (ts_contact){.point = {at[i][0], at[i][1], 0}, .normal = up};
    tet_contacts_move(&expected, 1, pose);
    ts_tet_pair moved = tet_pair_moved(&pair, 1, pose);
    run(&moved);
    tet_contacts_assert_same(&contacts, &expected, 1e-10, 1, "touching");
    moved = tet_pair_swapped(&moved);
    run(&moved);
    tet_contacts_swap(&contacts);
    tet_contacts_assert_same(&contacts, &expected, 1e-10, 1, "touching, swapped");
  }
}

Test(methods_intersection_tets, vertices_reach_to_both_sides_and_edges_only_into_overlap) {
  for (size_t n = 0; n < 2; n++) {
    double gap_m = n ? -0.004 : 0.004;
    ts_tet_pair pair = over_the_rim(gap_m);
    run(&pair);
    cr_expect_eq(count_of(ts_vec3_make(0.75, 0.25, gap_m), up, gap_m), 1, "gap %g", gap_m);
    // Apart, the cross product of edges in parallel planes separates the tets.
    for (int i = 0; i < 2; i++)
      cr_expect_eq(count_of(ts_vec3_make(0, i ? 1.1875 : 0.4375, gap_m / 2), up, gap_m), n);
    cr_expect_eq(contacts.count, n ? 3 : 1, "%zu", contacts.count);
  }
}

Test(methods_intersection_tets, vertices_are_found_up_to_the_reach_wherever_they_are) {
  ts_random random = ts_random_seed(23, 0);
  for (int n = 0; n < 80; n++) {
    double beyond_m = n % 2 ? 1e-7 : 0, sign = n % 4 < 2 ? 1 : -1;
    ts_tet_pair pair = tet_pair_stacked(sign * (0.01 + beyond_m));
    pair.reach_m = 0.01;
    ts_tet_pair moved = tet_pair_moved(&pair, 1, random_pose(&random, 100));
    run(&moved);
    cr_assert_eq(contacts.count, n % 2 ? 0 : 3, "%zu at %g", contacts.count, sign);
  }
}

/// Two tets upon each other whose ridges, 2 long, cross at an angle over the origin.
static ts_tet_pair ridges(double angle_rad, double gap_m) {
  ts_tet_pair pair = {.corners = {{{-1, 0, 0}, {1, 0, 0}, {0.75, -1, -1}, {0.5, 1, -1}},
                                  {{-1, 0, 0}, {1, 0, 0}, {-0.5, -1, 1}, {-0.75, 1, 1}}},
                      .surface = {15, 15},
                      .reach_m = 0.01};
  ts_pose pose = {ts_quat_from_axis_angle(up, angle_rad), {0, 0, gap_m}};
  for (int i = 0; i < 4; i++)
    pair.corners[1][i] = ts_pose_point(pose, pair.corners[1][i]);
  ts_tet_pair_set_normals(&pair);
  return pair;
}

Test(methods_intersection_tets, crossing_ridges_push_along_their_cross_product_unless_parallel) {
  static const double angles[] = {1.5, 1, 0.1, 1e-3, 1e-6, 1e-8, 0};
  for (int n = 0; n < 7; n++) {
    ts_tet_pair pair = ridges(angles[n], -0.004);
    run(&pair);
    size_t expected = angles[n] > TS_PARALLEL_SINE;
    cr_expect_eq(count_of(ts_vec3_make(0, 0, -0.002), up, -0.004), expected, "angle %g", angles[n]);
    pair = tet_pair_swapped(&pair);
    run(&pair);
    cr_expect_eq(count_of(ts_vec3_make(0, 0, -0.002), ts_vec3_neg(up), -0.004), expected);
    pair = ridges(angles[n], 0.004);
    run(&pair);
    for (size_t i = 0; i < contacts.count; i++)
      cr_expect_gt(ts_vec3_distance(contacts.contacts[i].point, ts_vec3_make(0, 0, 0.002)), 0.1);
  }
}

Test(methods_intersection_tets, centres_decide_where_both_ways_out_are_as_long) {
  // Along z both tets reach from -1 to 1, and b's centre lies 0.05 above a's.
  ts_tet_pair pair = {.corners = {{{-1, 0, 0}, {1, 0, 0}, {0.25, -1, 1}, {-0.25, 1, -1}},
                                  {{0, -1, 0.1}, {0, 1, 0.1}, {1, 0.25, 1}, {-1, -0.25, -1}}},
                      .surface = {15, 15}};
  ts_tet_pair_set_normals(&pair);
  run(&pair);
  ts_vec3 point = {0, 0, 0.05}, down = ts_vec3_neg(up);
  cr_expect_eq(count_of(point, up, -2), 1);
  cr_expect_eq(count_of(point, down, -2), 0);
  pair = tet_pair_swapped(&pair);
  run(&pair);
  cr_expect_eq(count_of(point, up, -2), 0);
  cr_expect_eq(count_of(point, down, -2), 1);
}

Test(methods_intersection_tets, both_directions_are_given_where_they_are_equally_good) {
  // The two tets in a cube: the diagonals of its faces cross in their centres.
  ts_tet_pair pair = {.corners = {{{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}},
                                  {{-1, -1, -1}, {-1, 1, 1}, {1, -1, 1}, {1, 1, -1}}},
                      .surface = {15, 15}};
  ts_tet_pair_set_normals(&pair);
  ts_random random = ts_random_seed(24, 0);
  for (int n = 0; n < 20; n++) {
    ts_pose pose = random_pose(&random, 10);
    ts_tet_pair moved = tet_pair_moved(&pair, 1, pose);
    run(&moved);
    for (int i = 0; i < 6; i++) {
      double sign = i < 3 ? 1 : -1;
      ts_vec3 axis = {i % 3 == 0 ? sign : 0, i % 3 == 1 ? sign : 0, i % 3 == 2 ? sign : 0};
      ts_vec3 point = ts_pose_point(pose, axis), normal = ts_pose_direction(pose, axis);
      cr_expect_eq(count_of(point, normal, -2), 1);
      cr_expect_eq(count_of(point, ts_vec3_neg(normal), -2), 1);
    }
  }
}

Test(methods_intersection_tets, tets_side_by_side_are_too_far_whatever_their_edges_say) {
  // The ridges' lines are closest within both; only sideways, where no edges cross, is there a gap.
  ts_tet_pair pair = {.corners = {{{0, 0, 0}, {0, 0, 4}, {-3, 1, 1}, {-3, -1, 3}},
                                  {{0.02, -2, 2}, {0.02, 2, 2}, {3, 0, 1}, {3, 0.5, 3}}},
                      .surface = {15, 15}};
  ts_tet_pair_set_normals(&pair);
  static const double reaches[] = {0.021, 0.019};
  for (int n = 0; n < 2; n++) {
    pair.reach_m = reaches[n];
    run(&pair);
    cr_expect_eq(contacts.count > 0, n == 0, "reach %g: %zu", reaches[n], contacts.count);
  }
}

Test(methods_intersection_tets, nothing_but_the_frame_changes_with_motion_scale_and_order) {
  tet_kernel_assert_invariant(ts_tet_intersection);
  tet_kernel_assert_invariant_within(ts_tet_intersection, 0.1);
}

Test(methods_intersection_tets, degenerate_tets_give_sound_contacts) {
  tet_kernel_assert_sound(TS_TET_INTERSECTION);
  tet_kernel_assert_sound_within(TS_TET_INTERSECTION, 0.1);
}

Test(methods_intersection_tets, prox2018_has_normals_twice_the_area_long_and_no_lower_bound) {
  // Faces that are parallel do not cross: the ones of b's sides do.
  ts_tet_pair pair = tet_pair_stacked(-0.25);
  prox_in_double(TS_TET_INTERSECTION)(&contacts, &pair, 1);
  cr_expect_eq(contacts.count, 0);
  pair.surface[1] = 15;
  for (int n = 0; n < 2; n++) {
    prox_in_double(TS_TET_INTERSECTION)(&contacts, &pair, 1);
    size_t of_faces = 0;
    for (size_t i = 0; i < contacts.count; i++)
      of_faces += fabs(ts_vec3_norm(contacts.contacts[i].normal) - 9) < 1e-9;
    cr_expect_eq(of_faces, 6, "%zu", of_faces);
    // Each corner is found from the two sides that it is on.
    for (int i = 0; i < 3; i++)
      cr_expect_eq(count_of(pair.corners[1][i], ts_vec3_make(0, 0, 9), -2.25), 2);
    // The same mirrored by a change of order.
    for (int side = 0; side < 2; side++) {
      ts_vec3 first = pair.corners[side][0];
      pair.corners[side][0] = pair.corners[side][1];
      pair.corners[side][1] = first;
    }
    ts_tet_pair_set_normals(&pair);
  }
}

/// Two edges are found from every face beside them. In double precision that gives equal contacts.
static void drop_equal_contacts(void) {
  size_t kept = 0;
  for (size_t i = 0; i < contacts.count; i++)
    if (!kept ||
        !prox_same_contacts(&contacts.contacts[i], 1, &contacts.contacts[kept - 1], 1, 1e-14))
      contacts.contacts[kept++] = contacts.contacts[i];
  contacts.count = kept;
}

Test(methods_intersection_tets, prox2018_ends_a_pair_where_edges_just_touch) {
  ts_tet_pair pair = ridges(1, -0.004);
  prox_in_double(TS_TET_INTERSECTION)(&contacts, &pair, 1);
  drop_equal_contacts();
  cr_expect_eq(count_of(ts_vec3_make(0, 0, -0.002), up, -0.004), 1);
  pair = ridges(1, 0);
  prox_in_double(TS_TET_INTERSECTION)(&contacts, &pair, 1);
  cr_expect_eq(contacts.count, 0);
  run(&pair);
  cr_expect_eq(count_of(ts_vec3_make(0, 0, 0), up, 0), 1);
}

Test(methods_intersection_tets, prox2018_gives_what_the_reference_has) {
  prox_reference reference;
  prox_reference_open(&reference);
  prox_agreement agreement = prox_reference_compare(&reference, PROX_INTERSECTION,
                                                    prox_in_double(TS_TET_INTERSECTION), NULL);
  cr_expect_eq(agreement.agree, reference.count, "%zu of %zu pairs agree", agreement.agree,
               reference.count);
  cr_expect_gt(agreement.with_contacts, 500);
  prox_reference_close(&reference);
}

/// A body that is one tet.
static const ts_mesh *one_tet(method_fixture *f, const ts_vec3 points[4]) {
  ts_mesh *mesh = NULL;
  uint32_t tet[1][4] = {{0, 1, 2, 3}};
  const ts_mesh *surface = fixture_tet(f, points);
  cr_assert_eq(ts_mesh_with_vertices(&mesh, f->arena, surface, surface->vertices), TS_OK);
  ts_vec3 base =
      ts_vec3_cross(ts_vec3_sub(points[1], points[0]), ts_vec3_sub(points[2], points[0]));
  if (ts_vec3_dot(base, ts_vec3_sub(points[3], points[0])) < 0)
    tet[0][2] = 3, tet[0][3] = 2;
  cr_assert_eq(ts_mesh_set_tets(mesh, f->arena, (const uint32_t(*)[4])tet, 1), TS_OK, "%s",
               ts_status_detail());
  return mesh;
}

/// The method on two bodies of one tet each, moved; its contacts come back in f->set.
static ts_status run_method(method_fixture *f, const double *values, const ts_tet_pair *pair,
                            ts_pose motion) {
  fixture_pair bodies = {{one_tet(f, pair->corners[0]), one_tet(f, pair->corners[1])},
                         {motion, motion}};
  ts_contact_set_clear(&f->set);
  return fixture_try(f, method, values, &bodies);
}

Test(methods_intersection_tets, the_method_is_its_kernel_in_the_world) {
  method_fixture f;
  fixture_open(&f);
  static const double gaps[] = {0.008, 0, -0.1};
  for (int n = 0; n < 24; n++) {
    ts_tet_pair pair = over_the_rim(gaps[n % 3]);
    pair.surface[0] = pair.surface[1] = 15;
    pair.reach_m = 0.01;
    double values[2] = {n % 2 ? TS_PROFILE_PROX2018 : TS_PROFILE_PAPER, 0.01};
    // The original is only itself as it lies, and in single precision.
    ts_pose motion = n < 3 || n % 2 ? ts_pose_identity() : fixture_motion((uint64_t)n, 10);
    if (n % 2)
      prox_run(&contacts, &pair, ts_prox_intersection);
    else
      ts_tet_intersection(&contacts, &pair, 1);
    tet_contacts_move(&contacts, 1, motion);
    cr_assert_eq(run_method(&f, n < 3 && n != 1 ? NULL : values, &pair, motion), TS_OK);
    static ts_tet_contacts got;
    got.count = f.set.count;
    for (size_t i = 0; i < f.set.count; i++)
      got.contacts[i] = f.set.contacts[i];
    cr_assert(n % 2 || got.count > 0);
    tet_contacts_assert_same(&got, &contacts, 1e-12, 1, "method");
  }
  fixture_close(&f);
}

Test(methods_intersection_tets, closeness_is_the_reach_and_there_is_no_envelope) {
  ts_envelope envelope;
  double values[2] = {TS_PROFILE_PAPER, 0.03};
  cr_assert_eq(method->envelope(&envelope, values), TS_OK);
  cr_expect_eq(envelope.kind, TS_ENVELOPE_NONE);
  cr_expect_eq(envelope.size_m, 0);
  cr_expect_eq(envelope.reach_m, 0.03);

  method_fixture f;
  fixture_open(&f);
  ts_tet_pair pair = tet_pair_stacked(0.025);
  cr_assert_eq(run_method(&f, values, &pair, ts_pose_identity()), TS_OK);
  cr_expect_gt(f.set.count, 0);
  cr_assert_eq(run_method(&f, NULL, &pair, ts_pose_identity()), TS_OK);
  cr_expect_eq(f.set.count, 0);
  fixture_close(&f);
}

Test(methods_intersection_tets, a_refusal_of_the_host_is_the_result) {
  method_fixture f;
  fixture_open(&f);
  f.push_status = TS_E_MEMORY;
  ts_tet_pair pair = tet_pair_stacked(0);
  cr_assert_eq(run_method(&f, NULL, &pair, ts_pose_identity()), TS_E_MEMORY);
  fixture_close(&f);
}
