// SPDX-License-Identifier: MIT
// covers: methods/pressure/pressure_body.c
#include "base/status.h"
#include "geometry/mesh/mesh.h"
#include "geometry/vec3.h"
#include "methods/pressure/pressure_body.h"
#include "tests/methods/method_fixture.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static method_fixture f;

static void setup(void) {
  fixture_open(&f);
}

static void teardown(void) {
  fixture_close(&f);
}

TestSuite(methods_pressure_body, .init = setup, .fini = teardown);

static ts_pressure_body *body_of(const ts_mesh *mesh) {
  ts_pressure_body *body;
  cr_assert_eq(ts_pressure_body_create(&body, mesh), TS_OK, "%s", ts_status_detail());
  return body;
}

Test(methods_pressure_body, the_pressure_of_a_box_grows_from_each_face_to_the_centre) {
  static const double sizes_m[] = {1e-3, 1, 1e3};
  for (int s = 0; s < 3; s++) {
    ts_vec3 half = ts_vec3_scale((ts_vec3){1, 0.5, 2}, sizes_m[s]);
    ts_pressure_body *body = body_of(fixture_box(&f, ts_vec3_neg(half), half, 0, 1));
    cr_expect_float_eq(body->depth_m, 0.5 * sizes_m[s], 1e-15 * sizes_m[s]);
    cr_expect_eq(body->still_count, 0);
    ts_pose far = fixture_motion(3, 10 * sizes_m[s]);
    for (size_t t = 0; t < body->tet_count; t++) {
      ts_placed_tet placed;
      cr_assert(ts_pressure_place(&placed, &body->tets[t], far));
      ts_vec3 centre = ts_pose_point(far, (ts_vec3){0, 0, 0});
      cr_expect_float_eq(ts_linear_at(&placed.pressure, centre), 1, 1e-12);
      for (int i = 0; i < 4; i++) {
        ts_vec3 corner = placed.corners[i];
        cr_expect_float_eq(ts_linear_at(&placed.pressure, corner), body->tets[t].pressure[i],
                           1e-12);
        for (int k = 0; k < 4; k++) {
          double height_m = ts_linear_at(&placed.heights[k], corner);
          cr_expect(i == k ? height_m > 0 : fabs(height_m) <= 1e-13 * sizes_m[s]);
        }
      }
    }
    ts_arena_destroy(body->arena);
  }
}

Test(methods_pressure_body, vertices_inside_leave_a_box_convex) {
  const ts_mesh *box = fixture_box(&f, (ts_vec3){0, 0, 0}, (ts_vec3){1, 1, 1}, 0, 0);
  ts_vec3 vertices[9];
  memcpy(vertices, box->vertices, 8 * sizeof *vertices);
  vertices[8] = (ts_vec3){0.3, 0.4, 0.6};
  const ts_mesh *with_one = fixture_mesh(&f, vertices, 9, box->triangles, box->triangle_count);
  ts_pressure_body *body = body_of(with_one);
  cr_expect_eq(body->tet_count, 12);
  cr_expect_float_eq(body->depth_m, 0.5, 1e-15);
  ts_arena_destroy(body->arena);
}

/// Two tets that share a face, the second far to one side.
static ts_mesh *concave_mesh(void) {
  static const ts_vec3 vertices[5] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.2, 0.2, 1}, {2, 2, -0.5}};
  static const uint32_t triangles[6][3] = {{0, 1, 3}, {1, 2, 3}, {2, 0, 3},
                                           {1, 0, 4}, {2, 1, 4}, {0, 2, 4}};
  ts_mesh *mesh;
  cr_assert_eq(ts_mesh_create(&mesh, f.arena, vertices, 5, triangles, 6), TS_OK);
  return mesh;
}

Test(methods_pressure_body, a_concave_mesh_without_tets_is_refused) {
  ts_pressure_body *body;
  cr_expect_eq(ts_pressure_body_create(&body, concave_mesh()), TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), "fill it"), "%s", ts_status_detail());
}

Test(methods_pressure_body, tets_without_pressure_are_counted_and_split) {
  static const uint32_t tets[2][4] = {{0, 1, 2, 3}, {0, 2, 1, 4}};
  ts_mesh *mesh = concave_mesh();
  cr_assert_eq(ts_mesh_set_tets(mesh, f.arena, tets, 2), TS_OK);
  ts_pressure_body *body = body_of(mesh);
  cr_expect_eq(body->flat_count, 2);
  cr_expect_eq(body->still_count, 0);
  cr_expect_gt(body->depth_m, 0);
  double most = 0;
  for (size_t t = 0; t < body->tet_count; t++)
    for (int i = 0; i < 4; i++)
      most = fmax(most, body->tets[t].pressure[i]);
  cr_expect_eq(most, 1);
  ts_arena_destroy(body->arena);
}

Test(methods_pressure_body, a_flat_tet_has_no_slope) {
  const ts_pressure_tet flat = {.corners = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}},
                                .pressure = {0, 0, 0, 1}};
  ts_placed_tet placed;
  cr_expect_not(ts_pressure_place(&placed, &flat, ts_pose_identity()));
}
