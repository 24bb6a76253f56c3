// SPDX-License-Identifier: MIT
// covers: methods/surface/surface.c
#include "methods/surface/surface.h"

#include "tests/methods/method_fixture.h"

#include <criterion/criterion.h>

/// A tower with a notch: an L from the side, as a prism along z. Has a valley edge, saddle vertices
/// and flat edges.
static const ts_mesh *notched(method_fixture *f) {
  static const ts_vec3 outline[6] = {{0, 0, 0}, {2, 0, 0}, {2, 1, 0},
                                     {1, 1, 0}, {1, 3, 0}, {0, 3, 0}};
  static const uint32_t cap[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 5}, {3, 4, 5}};
  ts_vec3 vertices[12];
  uint32_t triangles[20][3];
  for (uint32_t i = 0; i < 6; i++) {
    uint32_t j = (i + 1) % 6;
    vertices[i] = vertices[i + 6] = outline[i];
    vertices[i + 6].z = 1.5;
    uint32_t sides[2][3] = {{i, i + 6, j + 6}, {i, j + 6, j}};
    for (int k = 0; k < 3; k++) {
      triangles[8 + 2 * i][k] = sides[0][2 - k];
      triangles[9 + 2 * i][k] = sides[1][2 - k];
    }
  }
  for (int t = 0; t < 4; t++)
    for (int k = 0; k < 3; k++) {
      triangles[t][k] = cap[t][2 - k];
      triangles[4 + t][k] = cap[t][k] + 6;
    }
  return fixture_mesh(f, vertices, 12, (const uint32_t(*)[3])triangles, 20);
}

/// Solid angle of the surface seen from a point, over the full one: 1 inside, 0 outside (Van
/// Oosterom and Strackee 1983).
static double winding(const ts_mesh *mesh, ts_vec3 p) {
  double sum = 0;
  for (size_t t = 0; t < mesh->triangle_count; t++) {
    ts_vec3 r[3];
    for (int i = 0; i < 3; i++)
      r[i] = ts_vec3_unit(ts_vec3_sub(mesh->vertices[mesh->triangles[t][i]], p));
    double top = ts_vec3_dot(r[0], ts_vec3_cross(r[1], r[2]));
    double bottom = 1 + ts_vec3_dot(r[0], r[1]) + ts_vec3_dot(r[1], r[2]) + ts_vec3_dot(r[2], r[0]);
    sum += 2 * atan2(top, bottom);
  }
  return sum / 12.566370614359172;
}

static ts_vec3 random_direction(ts_random *random) {
  double u[3];
  for (int i = 0; i < 3; i++)
    u[i] = ts_random_uniform(random, -1, 1);
  return ts_vec3_unit(ts_vec3_make(u[0], u[1], u[2]));
}

static ts_vec3 random_point(ts_random *random, ts_aabb box) {
  double x = ts_random_uniform(random, box.low.x, box.high.x);
  double y = ts_random_uniform(random, box.low.y, box.high.y);
  double z = ts_random_uniform(random, box.low.z, box.high.z);
  return ts_vec3_make(x, y, z);
}

/// Compares is_outward with a step of 1e-4 along the direction; returns how often they agreed that
/// it is outside. Directions too close to the surface for that step are left out.
static int compare(const ts_surface *s, ts_feature feature, ts_vec3 from, ts_vec3 direction) {
  ts_vec3 p = ts_vec3_add_scaled(from, 1e-4, direction);
  double share = winding(s->mesh, p);
  int outside = share < 0.5;
  cr_assert_lt(fmin(fabs(share), fabs(1 - share)), 1e-6, "the oracle itself is not sure");
  cr_assert_eq(ts_surface_is_outward(s, feature, direction, 0), outside,
               "feature %d %u, direction %g %g %g", feature.kind, feature.index, direction.x,
               direction.y, direction.z);
  return outside;
}

static void compare_all_vertices(method_fixture *f, const ts_mesh *mesh) {
  void *state;
  cr_assert_eq(ts_surface_prepare(&state, &f->host, mesh, NULL), TS_OK);
  ts_random random = ts_random_seed(1, 2);
  for (uint32_t v = 0; v < mesh->vertex_count; v++) {
    int outside = 0;
    for (int k = 0; k < 200; k++) {
      // Half of them towards the body, so that the sharpest tip is entered as well.
      ts_vec3 direction =
          k % 2 ? random_direction(&random)
                : ts_vec3_unit(
                      ts_vec3_sub(random_point(&random, ts_mesh_bounds(mesh)), mesh->vertices[v]));
      outside += compare(state, (ts_feature){TS_FEATURE_VERTEX, v}, mesh->vertices[v], direction);
    }
    cr_assert(outside > 0 && outside < 200);
  }
  ts_surface_release(state);
}

Test(methods_surface, a_direction_from_a_vertex_is_outward_when_a_step_along_it_is_outside) {
  method_fixture f;
  fixture_open(&f);
  compare_all_vertices(&f, fixture_box(&f, ts_vec3_make(0, 0, 0), ts_vec3_make(1, 2, 3), 0, 1));
  compare_all_vertices(&f, fixture_spike(&f, 0.1, 3));
  compare_all_vertices(&f, fixture_wedge(&f, 0.05, 1, 2));
  compare_all_vertices(&f, notched(&f));
  fixture_close(&f);
}

Test(methods_surface,
     a_direction_perpendicular_to_an_edge_is_outward_when_a_step_along_it_is_outside) {
  method_fixture f;
  fixture_open(&f);
  const ts_mesh *mesh = notched(&f);
  void *state;
  cr_assert_eq(ts_surface_prepare(&state, &f.host, mesh, NULL), TS_OK);
  ts_random random = ts_random_seed(3, 4);
  for (uint32_t t = 0; t < mesh->triangle_count; t++)
    for (int i = 0; i < 3; i++) {
      if (!ts_surface_owns_edge(state, t, i))
        continue;
      ts_vec3 p = mesh->vertices[mesh->triangles[t][i]];
      ts_vec3 q = mesh->vertices[mesh->triangles[t][(i + 1) % 3]];
      ts_vec3 along = ts_vec3_unit(ts_vec3_sub(q, p));
      for (int k = 0; k < 50; k++) {
        ts_vec3 direction = random_direction(&random);
        direction =
            ts_vec3_unit(ts_vec3_add_scaled(direction, -ts_vec3_dot(direction, along), along));
        compare(state, ts_surface_edge(state, t, i), ts_vec3_mid(p, q), direction);
      }
    }
  ts_surface_release(state);
  fixture_close(&f);
}

Test(methods_surface, a_direction_along_the_surface_is_not_outward) {
  method_fixture f;
  fixture_open(&f);
  const ts_mesh *mesh = fixture_box(&f, ts_vec3_make(0, 0, 0), ts_vec3_make(1, 1, 1), 0, 1);
  void *state;
  cr_assert_eq(ts_surface_prepare(&state, &f.host, mesh, NULL), TS_OK);
  // Triangles 0 and 1 are the top; the edge from corner 2 of triangle 0 is its diagonal.
  ts_vec3 across = ts_vec3_unit(ts_vec3_make(1, 0, -1));
  cr_assert_not(ts_surface_is_outward(state, ts_surface_face(0), across, 1e-9));
  cr_assert_not(ts_surface_is_outward(state, ts_surface_edge(state, 0, 2), across, 1e-9));
  cr_assert_not(ts_surface_is_outward(state, (ts_feature){TS_FEATURE_VERTEX, 2},
                                      ts_vec3_make(1, 0, 0), 1e-9));
  cr_assert(ts_surface_is_outward(state, (ts_feature){TS_FEATURE_VERTEX, 2}, ts_vec3_make(-1, 0, 0),
                                  1e-9));
  ts_surface_release(state);
  fixture_close(&f);
}

Test(methods_surface, each_vertex_and_edge_belongs_to_one_triangle) {
  method_fixture f;
  fixture_open(&f);
  const ts_mesh *mesh = notched(&f);
  void *state;
  cr_assert_eq(ts_surface_prepare(&state, &f.host, mesh, NULL), TS_OK);
  size_t vertices = 0, edges = 0;
  for (uint32_t t = 0; t < mesh->triangle_count; t++)
    for (int i = 0; i < 3; i++) {
      vertices += ts_surface_owns_vertex(state, t, i);
      edges += ts_surface_owns_edge(state, t, i);
    }
  cr_assert_eq(vertices, mesh->vertex_count);
  cr_assert_eq(2 * edges, 3 * mesh->triangle_count);
  ts_surface_release(state);
  fixture_close(&f);
}

Test(methods_surface, fans_hold_the_triangles_around_a_vertex_and_skip_unused_vertices) {
  method_fixture f;
  fixture_open(&f);
  static const ts_vec3 vertices[5] = {{0, 0, 0}, {9, 9, 9}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  static const uint32_t triangles[4][3] = {{0, 3, 2}, {0, 2, 4}, {2, 3, 4}, {0, 4, 3}};
  const ts_mesh *mesh = fixture_mesh(&f, vertices, 5, triangles, 4);
  void *state;
  cr_assert_eq(ts_surface_prepare(&state, &f.host, mesh, NULL), TS_OK);
  const ts_surface *s = state;
  for (uint32_t v = 0; v < 5; v++) {
    cr_assert_eq(s->fan_start[v + 1] - s->fan_start[v], v == 1 ? 0 : 3);
    for (uint32_t i = s->fan_start[v]; i < s->fan_start[v + 1]; i++) {
      cr_assert_eq(mesh->triangles[s->fan[i] / 3][s->fan[i] % 3], v);
      cr_assert(i == s->fan_start[v] || s->fan[i - 1] < s->fan[i]);
    }
  }
  ts_surface_release(state);
  fixture_close(&f);
}
