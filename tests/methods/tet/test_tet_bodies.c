// SPDX-License-Identifier: MIT
// covers: methods/tet/tet_bodies.c
#include "base/status.h"
#include "geometry/mesh/mesh.h"
#include "methods/tet/tet_bodies.h"
#include "methods/tet/tet_kernels.h"
#include "tests/methods/method_fixture.h"

#include <criterion/criterion.h>
#include <string.h>

static const double paper[TS_TET_BODIES_PARAMS] = {TS_PROFILE_PAPER};

/// A box of six tets around the diagonal from vertex 0 to vertex 7.
static const ts_mesh *tet_box(method_fixture *f, ts_vec3 low, ts_vec3 high) {
  ts_vec3 vertices[8];
  for (int v = 0; v < 8; v++)
    vertices[v] = (ts_vec3){v & 1 ? high.x : low.x, v & 2 ? high.y : low.y, v & 4 ? high.z : low.z};
  static const uint32_t middle[6][2] = {{1, 3}, {3, 2}, {2, 6}, {6, 4}, {4, 5}, {5, 1}};
  uint32_t tets[6][4], triangles[12][3];
  size_t triangle_count = 0;
  for (int t = 0; t < 6; t++) {
    uint32_t i = middle[t][0], j = middle[t][1];
    memcpy(tets[t], (uint32_t[4]){0, j, i, 7}, sizeof tets[t]);
    ts_vec3 n =
        ts_vec3_cross(ts_vec3_sub(vertices[i], vertices[0]), ts_vec3_sub(vertices[j], vertices[0]));
    if (ts_vec3_dot(n, ts_vec3_sub(vertices[7], vertices[0])) > 0) {
      memcpy(tets[t], (uint32_t[4]){0, i, j, 7}, sizeof tets[t]);
    }
    // The faces opposite 7 and 0 are on the surface.
    memcpy(triangles[triangle_count++], (uint32_t[3]){0, tets[t][2], tets[t][1]},
           sizeof triangles[0]);
    memcpy(triangles[triangle_count++], (uint32_t[3]){7, tets[t][1], tets[t][2]},
           sizeof triangles[0]);
  }
  const ts_mesh *surface = fixture_mesh(f, vertices, 8, (const uint32_t(*)[3])triangles, 12);
  ts_mesh *mesh = NULL;
  cr_assert_eq(ts_mesh_with_vertices(&mesh, f->arena, surface, vertices), TS_OK);
  cr_assert_eq(ts_mesh_set_tets(mesh, f->arena, (const uint32_t(*)[4])tets, 6), TS_OK, "%s",
               ts_status_detail());
  return mesh;
}

/// Contacts of two boxes, in f->set, canonical.
static ts_status run(method_fixture *f, const ts_mesh *a, ts_pose pose_a, const ts_mesh *b,
                     ts_pose pose_b, ts_tet_kernel kernel) {
  ts_pair pair = {.struct_size = sizeof pair,
                  .body_b = 1,
                  .mesh_a = a,
                  .mesh_b = b,
                  .pose_a = pose_a,
                  .pose_b = pose_b,
                  .size_m = 1};
  void *shapes[2];
  cr_assert_eq(ts_tet_bodies_prepare(&shapes[0], &f->host, a, paper), TS_OK);
  cr_assert_eq(ts_tet_bodies_prepare(&shapes[1], &f->host, b, paper), TS_OK);
  ts_contact_set_clear(&f->set);
  const ts_tet_kernels kernels = {"test", kernel, NULL};
  ts_status status = ts_tet_bodies_generate(&f->host, &pair, shapes[0], shapes[1], &kernels, paper);
  ts_tet_bodies_release(shapes[0]);
  ts_tet_bodies_release(shapes[1]);
  if (status == TS_OK)
    cr_assert_eq(ts_contact_set_canonicalise(&f->set, 1), TS_OK);
  return status;
}

/// Boxes of side 1, the second on the first, shifted so that they share a face of 0.5 x 1.
static ts_status run_stacked(method_fixture *f, ts_pose motion, ts_tet_kernel kernel) {
  const ts_mesh *box = tet_box(f, ts_vec3_make(0, 0, 0), ts_vec3_make(1, 1, 1));
  return run(f, box, motion, box, ts_pose_mul(motion, fixture_shift(0.5, 1, 0)), kernel);
}

Test(methods_tet_bodies, stacked_boxes_touch_in_their_common_face_after_any_motion) {
  static const ts_tet_kernel kernels[] = {ts_tet_opposing, ts_tet_volume_sat, ts_tet_surface_sat};
  for (int k = 0; k < 3; k++)
    for (int n = 0; n < 20; n++) {
      method_fixture f;
      fixture_open(&f);
      ts_pose motion = n ? fixture_motion((uint64_t)n, n % 2 ? 1 : 1e4) : ts_pose_identity();
      cr_assert_eq(run_stacked(&f, motion, kernels[k]), TS_OK);
      cr_assert_geq(f.set.count, 4);
      ts_vec3 up = ts_pose_direction(motion, ts_vec3_make(0, 1, 0));
      size_t corners = 0, up_count = 0;
      for (size_t i = 0; i < f.set.count; i++) {
        const ts_contact *c = &f.set.contacts[i];
        ts_vec3 local = ts_pose_point_local(motion, c->point);
        cr_assert_leq(fabs(local.y - 1), 1e-7, "kernel %d motion %d: y = %.17g", k, n, local.y);
        cr_assert(local.x >= 0.5 - 1e-7 && local.x <= 1 + 1e-7);
        cr_assert(local.z >= -1e-7 && local.z <= 1 + 1e-7);
        cr_assert_leq(fabs(c->gap_m), 1e-7);
        int is_up = ts_vec3_distance(c->normal, up) < 1e-6;
        up_count += is_up;
        corners += is_up && fmin(fabs(local.x - 0.5), fabs(local.x - 1)) < 1e-7 &&
                   fmin(fabs(local.z), fabs(local.z - 1)) < 1e-7;
      }
      // Each corner once; the other two methods may take axes of features that only touch.
      cr_expect_eq(corners, 4, "kernel %d motion %d: %zu corners", k, n, corners);
      if (k == 0)
        cr_expect_eq(up_count, f.set.count, "motion %d: %zu of %zu point up", n, up_count,
                     f.set.count);
      fixture_close(&f);
    }
}

/// Pairs seen by a kernel that finds nothing.
static struct {
  size_t count, visits[6][6];
  ts_tet_pair last;
} seen;

static void look(ts_tet_contacts *out, const ts_tet_pair *pair, double size_m) {
  (void)out;
  cr_assert_eq(size_m, 1);
  seen.count++;
  seen.visits[pair->tet[0]][pair->tet[1]]++;
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < 4; i++) {
      ts_vec3 n = pair->normals[side][i];
      cr_assert_float_eq(ts_vec3_norm(n), 1, 1e-14);
      ts_vec3 p = pair->corners[side][(i + 1) % 4];
      cr_assert_lt(ts_vec3_dot(n, ts_vec3_sub(pair->corners[side][i], p)), -0.1);
      cr_assert_leq(fabs(ts_vec3_dot(n, ts_vec3_sub(pair->corners[side][(i + 2) % 4], p))), 1e-14);
    }
  seen.last = *pair;
}

Test(methods_tet_bodies, every_pair_of_tets_whose_boxes_touch_is_visited_once) {
  method_fixture f;
  fixture_open(&f);
  const ts_mesh *box = tet_box(&f, ts_vec3_make(0, 0, 0), ts_vec3_make(1, 1, 1));
  memset(&seen, 0, sizeof seen);
  cr_assert_eq(run(&f, box, fixture_shift(7, 8, 9), box, fixture_shift(7.1, 8.2, 9.3), look),
               TS_OK);
  cr_assert_eq(seen.count, 36, "all boxes around tets of one box reach from corner to corner");
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++)
      cr_expect_eq(seen.visits[i][j], 1);
  cr_expect_eq(seen.last.surface[0], (1u << 0) | (1u << 3), "flags %u", seen.last.surface[0]);

  memset(&seen, 0, sizeof seen);
  cr_assert_eq(run(&f, box, ts_pose_identity(), box, fixture_shift(0, 1.01, 0), look), TS_OK);
  cr_assert_eq(seen.count, 0);
  fixture_close(&f);
}

Test(methods_tet_bodies, what_the_host_answers_is_the_result) {
  method_fixture f;
  fixture_open(&f);
  f.push_status = TS_E_MEMORY;
  cr_assert_eq(run_stacked(&f, ts_pose_identity(), ts_tet_opposing), TS_E_MEMORY);
  fixture_close(&f);
}

Test(methods_tet_bodies, a_mesh_without_tets_is_refused) {
  method_fixture f;
  fixture_open(&f);
  const ts_mesh *box = fixture_box(&f, ts_vec3_make(0, 0, 0), ts_vec3_make(1, 1, 1), 0, 0);
  void *shape = NULL;
  cr_assert_eq(ts_tet_bodies_prepare(&shape, &f.host, box, paper), TS_E_INPUT);
  cr_assert(strstr(ts_status_detail(), "no tetrahedra"));
  ts_tet_bodies_release(NULL);
  fixture_close(&f);
}
