// SPDX-License-Identifier: MIT
// covers: methods/hull_clip/*.c
/// Random convex polyhedra: the gap along the axis that is chosen is that of all axes, no contact
/// is beside a body, and no order shows in any bit.
#include "tests/methods/hull_clip/clip_fixture.h"
#include "tests/methods/semi_local/convex_oracle.h"

#include "geometry/mesh/mesh.h"
#include "geometry/vec3.h"

#include <criterion/criterion.h>
#include <string.h>

enum { PAIRS = 60 };

/// Nothing is preferred and nothing left out, up to that gap.
static clip_params all_of(double reach_m) {
  return (clip_params){reach_m, 0, 0};
}

static double size_of(const fixture_pair *pair) {
  return fmin(ts_aabb_extent(ts_mesh_bounds(pair->mesh[0])),
              ts_aabb_extent(ts_mesh_bounds(pair->mesh[1])));
}

static fixture_contacts run_pair(method_fixture *f, clip_params params, const fixture_pair *pair) {
  return clip_run(f, params, pair->mesh[0], pair->pose[0], pair->mesh[1], pair->pose[1]);
}

static double deepest_of(fixture_contacts set) {
  double deepest = INFINITY;
  for (size_t i = 0; i < set.count; i++)
    deepest = fmin(deepest, set.contacts[i].gap_m);
  return deepest;
}

/// What rounding of the bodies may add: faces of coordinates on a grid are flat within 1e-6 of the
/// size (TS_CLIP_FLAT_RELATIVE) and taken as one plane.
static double tolerance_of(const convex_kind *kind, double size_m) {
  return (kind->grid == CONVEX_DOUBLES ? 1e-9 : 4e-6) * size_m + 4e-16 * kind->away_m;
}

Test(methods_clip_oracle, bodies_that_overlap_part_along_the_best_of_all_axes) {
  for (int k = 0; k < CONVEX_KIND_COUNT; k++)
    for (uint64_t seed = 0; seed < PAIRS; seed++) {
      method_fixture f;
      fixture_open(&f);
      const convex_kind *kind = &convex_kinds[k];
      ts_random random = ts_random_seed(seed, (uint64_t)k);
      double depth = seed % 3 == 0 ? 1e-3 : seed % 3 == 1 ? 0.02 : 0.2;
      fixture_pair pair = convex_random_pair(&f, &random, kind, -depth);
      double size_m = size_of(&pair), tolerance_m = tolerance_of(kind, size_m);
      convex_truth truth = convex_oracle(&pair);
      fixture_contacts got = run_pair(&f, all_of(0), &pair);
      cr_assert_gt(got.count, 0, "%s, seed %llu", kind->name, (unsigned long long)seed);
      cr_assert_float_eq(deepest_of(got), truth.gap_m, tolerance_m, "%s, seed %llu: %g, not %g",
                         kind->name, (unsigned long long)seed, deepest_of(got), truth.gap_m);
      for (size_t i = 0; i < got.count; i++)
        for (int body = 0; body < 2; body++) {
          double off_m = convex_distance(pair.mesh[body], pair.pose[body], got.contacts[i].point) -
                         fabs(got.contacts[i].gap_m);
          cr_assert_leq(off_m, tolerance_m, "%s, seed %llu: %g m beside a body", kind->name,
                        (unsigned long long)seed, off_m);
        }
      fixture_close(&f);
    }
}

Test(methods_clip_oracle, bodies_that_overlap_have_a_contact_whatever_is_preferred) {
  for (uint64_t seed = 0; seed < 4 * PAIRS; seed++) {
    method_fixture f;
    fixture_open(&f);
    ts_random random = ts_random_seed(seed, 98);
    fixture_pair pair = convex_random_pair(&f, &random, &convex_kinds[seed % 2], -1e-3);
    const clip_params params = {.prefer_face_m = 1e6, .max_points = 4};
    cr_assert_gt(run_pair(&f, params, &pair).count, 0, "seed %llu", (unsigned long long)seed);
    fixture_close(&f);
  }
}

/// How far body 1 begins above where body 0 ends, along a direction.
static double gap_along(const fixture_pair *pair, ts_vec3 normal) {
  double ends[2] = {INFINITY, INFINITY};
  for (int body = 0; body < 2; body++)
    for (size_t i = 0; i < pair->mesh[body]->vertex_count; i++) {
      ts_vec3 p = ts_pose_point(pair->pose[body], pair->mesh[body]->vertices[i]);
      ends[body] = fmin(ends[body], ts_vec3_dot(normal, p) * (body == 0 ? -1 : 1));
    }
  return ends[0] + ends[1];
}

Test(methods_clip_oracle, bodies_apart_have_contacts_along_the_best_axis_and_within_reach) {
  size_t with_contacts = 0;
  for (uint64_t seed = 0; seed < 4 * PAIRS; seed++) {
    method_fixture f;
    fixture_open(&f);
    ts_random random = ts_random_seed(seed, 99);
    fixture_pair pair = convex_random_pair(&f, &random, &convex_kinds[0], seed % 2 ? 0.05 : 1e-3);
    double gap_m = convex_oracle(&pair).gap_m;
    cr_assert_eq(run_pair(&f, all_of(0.99 * gap_m), &pair).count, 0);
    fixture_contacts got = run_pair(&f, all_of(2 * gap_m), &pair);
    with_contacts += got.count > 0;
    for (size_t i = 0; i < got.count; i++) {
      cr_assert_leq(got.contacts[i].gap_m, 2 * gap_m + 1e-8);
      cr_assert_float_eq(gap_along(&pair, got.contacts[i].normal), gap_m, 1e-9);
    }
    fixture_close(&f);
  }
  cr_assert_geq(with_contacts, 3 * PAIRS);
}

/// Fails unless the places, normals and gaps are equal in all bits, normals times `sign`.
static void expect_bits(fixture_contacts got, fixture_contacts expected, double sign,
                        const char *what, uint64_t seed) {
  cr_assert_eq(got.count, expected.count, "%s, seed %llu", what, (unsigned long long)seed);
  for (size_t i = 0; i < got.count; i++) {
    const ts_contact *a = &got.contacts[i], *b = &expected.contacts[i];
    const double differences[7] = {
        a->point.x - b->point.x,          a->point.y - b->point.y,
        a->point.z - b->point.z,          a->gap_m - b->gap_m,
        a->normal.x - sign * b->normal.x, a->normal.y - sign * b->normal.y,
        a->normal.z - sign * b->normal.z};
    for (int k = 0; k < 7; k++)
      cr_assert(differences[k] == 0, "%s, seed %llu: contact %zu differs by %g", what,
                (unsigned long long)seed, i, differences[k]);
  }
}

/// Swaps the bodies and shuffles their meshes, one after the other and all together.
static void expect_no_order(method_fixture *f, const fixture_pair *pair, clip_params params,
                            const char *what, uint64_t seed) {
  fixture_contacts expected = run_pair(f, params, pair);
  for (int way = 1; way < 4; way++) {
    fixture_pair other = *pair;
    if (way & 1)
      other = (fixture_pair){{pair->mesh[1], pair->mesh[0]}, {pair->pose[1], pair->pose[0]}};
    for (int k = 0; k < 2 && (way & 2); k++)
      other.mesh[k] = fixture_shuffled(f, other.mesh[k], seed + (uint64_t)k);
    expect_bits(run_pair(f, params, &other), expected, way & 1 ? -1 : 1, what, seed);
  }
}

Test(methods_clip_oracle, no_order_shows_in_the_contacts_of_random_bodies) {
  for (int k = 0; k < CONVEX_KIND_COUNT; k++)
    for (uint64_t seed = 0; seed < PAIRS / 2; seed++) {
      method_fixture f;
      fixture_open(&f);
      ts_random random = ts_random_seed(seed, (uint64_t)k);
      fixture_pair pair =
          convex_random_pair(&f, &random, &convex_kinds[k], seed % 2 ? 1e-3 : -0.05);
      expect_no_order(&f, &pair, clip_defaults(convex_kinds[k].scale), convex_kinds[k].name, seed);
      fixture_close(&f);
    }
}

/// Bodies with the most symmetries, so that axes and corners are equally good, at random places of
/// a grid: faces, edges and corners that touch exactly. Whether half a turn may exchange the
/// bodies.
static bool make_on_grid(fixture_pair *out, method_fixture *f, uint64_t seed) {
  ts_random random = ts_random_seed(seed, 5);
  const ts_mesh *bodies[3] = {clip_cube(f, 1), fixture_spike(f, 0.5, 1), clip_prism(f, 8, 1, 1)};
  bool is_down[2];
  for (int k = 0; k < 2; k++) {
    out->mesh[k] = bodies[ts_random_u64(&random) % 3];
    is_down[k] = ts_random_u64(&random) % 2;
    out->pose[k] = is_down[k] ? fixture_upside_down(0, 0, 0) : ts_pose_identity();
  }
  double steps[3];
  for (int i = 0; i < 3; i++)
    steps[i] = 0.5 * (double)(ts_random_u64(&random) % 5) - 1;
  out->pose[1].translation = ts_vec3_make(steps[0], steps[1], steps[2]);
  return out->mesh[0] == out->mesh[1] && is_down[0] != is_down[1];
}

Test(methods_clip_oracle, no_order_shows_where_axes_are_equally_good) {
  for (uint64_t seed = 0; seed < 200; seed++) {
    method_fixture f;
    fixture_pair pair;
    fixture_open(&f);
    (void)make_on_grid(&pair, &f, seed);
    expect_no_order(&f, &pair, clip_defaults(1), "grid", seed);
    fixture_close(&f);
  }
}

static ts_vec3 vertex_at(const ts_mesh *mesh, ts_pose pose, uint32_t corner) {
  return ts_pose_point(pose, mesh->vertices[mesh->triangles[corner / 3][corner % 3]]);
}

/// Distance of a point from a vertex, from the line of an edge or from the plane of a triangle.
static double distance_from(ts_feature feature, const ts_mesh *mesh, ts_pose pose, ts_vec3 point) {
  if (feature.kind == TS_FEATURE_VERTEX)
    return ts_vec3_distance(point, ts_pose_point(pose, mesh->vertices[feature.index]));
  uint32_t h = feature.index;
  if (feature.kind == TS_FEATURE_EDGE) {
    ts_vec3 from = vertex_at(mesh, pose, h);
    ts_vec3 along = ts_vec3_sub(vertex_at(mesh, pose, mesh->edge_twin[h]), from);
    return ts_vec3_norm(ts_vec3_cross(ts_vec3_unit(along), ts_vec3_sub(point, from)));
  }
  ts_vec3 normal = ts_pose_direction(pose, ts_mesh_face_normal(mesh, h));
  return fabs(ts_vec3_dot(normal, ts_vec3_sub(point, vertex_at(mesh, pose, 3 * h))));
}

Test(methods_clip_oracle, contacts_are_midway_between_the_features_that_they_name) {
  for (uint64_t seed = 0; seed < 200 + PAIRS; seed++) {
    method_fixture f;
    fixture_pair pair;
    fixture_open(&f);
    ts_random random = ts_random_seed(seed, 6);
    if (seed < 200)
      (void)make_on_grid(&pair, &f, seed);
    else
      pair = convex_random_pair(&f, &random, &convex_kinds[0], -0.02);
    fixture_contacts got = run_pair(&f, all_of(0.02), &pair);
    for (size_t i = 0; i < got.count; i++) {
      const ts_contact *c = &got.contacts[i];
      const ts_feature features[2] = {c->feature_a, c->feature_b};
      for (int body = 0; body < 2; body++) {
        double off_m = distance_from(features[body], pair.mesh[body], pair.pose[body], c->point) -
                       0.5 * fabs(c->gap_m);
        cr_assert_leq(off_m, 1e-9, "seed %llu: %g m off feature %d of body %d",
                      (unsigned long long)seed, off_m, features[body].kind, body);
      }
    }
    fixture_close(&f);
  }
}

static void expect_motion(method_fixture *f, const fixture_pair *pair, uint64_t seed) {
  fixture_contacts expected = run_pair(f, clip_defaults(1), pair);
  ts_pose motion = fixture_motion(seed, 100);
  fixture_pair moved = *pair;
  for (int k = 0; k < 2; k++)
    moved.pose[k] = ts_pose_mul(motion, pair->pose[k]);
  fixture_expect_same(run_pair(f, clip_defaults(1), &moved), expected, motion, 1, 1e-9, 1e-9,
                      "moved");
}

Test(methods_clip_oracle, contacts_move_with_bodies_whose_axes_are_equally_good) {
  for (uint64_t seed = 0; seed < 200; seed++) {
    method_fixture f;
    fixture_pair pair;
    fixture_open(&f);
    if (!make_on_grid(&pair, &f, seed))
      expect_motion(&f, &pair, seed);
    fixture_close(&f);
  }
}

Test(methods_clip_oracle, contacts_move_with_random_bodies) {
  for (uint64_t seed = 0; seed < PAIRS; seed++) {
    method_fixture f;
    fixture_open(&f);
    ts_random random = ts_random_seed(seed, 7);
    fixture_pair pair = convex_random_pair(&f, &random, &convex_kinds[8], seed % 2 ? 1e-3 : -0.05);
    expect_motion(&f, &pair, seed);
    fixture_close(&f);
  }
}
