// SPDX-License-Identifier: MIT
// covers: geometry/mesh/elastic.c
// What makes a deformable body, and what is refused: values, elements, nodes.
#include "base/status.h"
#include "geometry/mesh/elastic.h"
#include "geometry/tolerances.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static const ts_elastic good = {.young_pa = 1e6, .poisson = 0.4};

static void accept(ts_status status) {
  cr_expect_eq(status, TS_OK, "%s", ts_status_detail());
}

static void refuse(ts_status status, const char *words) {
  cr_expect_eq(status, TS_E_INPUT, "%s", words);
  cr_expect(strstr(ts_status_detail(), words), "%s: %s", words, ts_status_detail());
}

static void refuse_young(double value, const char *words) {
  ts_elastic e = good;
  e.young_pa = value;
  refuse(ts_elastic_check_values(&e), words);
}

static void refuse_poisson(double value, const char *words) {
  ts_elastic e = good;
  e.poisson = value;
  refuse(ts_elastic_check_values(&e), words);
}

Test(geometry_elastic, values_out_of_range_are_named) {
  accept(ts_elastic_check_values(&good));
  refuse_young(0, "young_pa is 0: give a finite number above 0");
  refuse_young(-1, "young_pa is -1");
  refuse_young(NAN, "young_pa is nan");
  refuse_young(INFINITY, "young_pa is inf");
  refuse_poisson(0.5, "poisson is 0.5: give a number from 0 to below 0.5");
  refuse_poisson(-0.1, "poisson is -0.1");
  refuse_poisson(NAN, "poisson is nan");
  ts_elastic e = good;
  e.poisson = 0;
  accept(ts_elastic_check_values(&e));
  e.mass_damping_1_s = -1;
  refuse(ts_elastic_check_values(&e), "mass_damping_1_s is -1");
  e = good;
  e.stiffness_damping_s = INFINITY;
  refuse(ts_elastic_check_values(&e), "stiffness_damping_s is inf");
}

/// A mesh of tets whose vertices are these, without triangles.
#define tets_of(points, elements)                                                                  \
  (ts_mesh) {                                                                                      \
    .vertex_count = sizeof(points) / sizeof *(points), .vertices = (points),                       \
    .tet_count = sizeof(elements) / sizeof *(elements), .tets = (elements)                         \
  }

Test(geometry_elastic, flat_and_inverted_elements_are_named_at_any_scale) {
  const uint32_t one[1][4] = {{0, 1, 2, 3}};
  for (int k = 0; k < 3; k++) {
    double s = k == 0 ? 1 : k == 1 ? 1e-3 : 1e3;
    ts_vec3 v[4] = {{0, 0, 0}, {s, 0, 0}, {0, s, 0}, {0, 0, s}};
    ts_mesh mesh = tets_of(v, one);
    accept(ts_elastic_check_mesh(&mesh));
    // The longest edge is sqrt(2) s, so that the height of the limit is 17e-6 s.
    v[3].z = 18e-6 * s;
    accept(ts_elastic_check_mesh(&mesh));
    v[3].z = 16e-6 * s;
    refuse(ts_elastic_check_mesh(&mesh), "tet 0 (nodes 0, 1, 2, 3) is flat");
    v[3].z = 0;
    refuse(ts_elastic_check_mesh(&mesh), "is flat");
    v[3].z = -s;
    refuse(ts_elastic_check_mesh(&mesh), "tet 0 (nodes 0, 1, 2, 3) is inverted");
  }
}

Test(geometry_elastic, nodes_at_one_place_are_flat) {
  const uint32_t one[1][4] = {{0, 1, 2, 3}};
  const ts_vec3 v[4] = {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3}};
  ts_mesh mesh = tets_of(v, one);
  refuse(ts_elastic_check_mesh(&mesh), "is flat");
}

Test(geometry_elastic, a_mesh_needs_tets_and_no_node_may_be_left_out) {
  const uint32_t two[2][4] = {{0, 1, 2, 3}, {1, 2, 3, 5}};
  const ts_vec3 v[6] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {9, 9, 9}, {1, 1, 1}};
  ts_mesh mesh = tets_of(v, two);
  refuse(ts_elastic_check_mesh(&mesh), "node 4 is in no tet");
  const uint32_t beyond[1][4] = {{0, 1, 2, 6}};
  mesh.tets = beyond;
  mesh.tet_count = 1;
  refuse(ts_elastic_check_mesh(&mesh), "tet 0 has node 6, but there are 6 nodes");
  mesh.tet_count = 0;
  refuse(ts_elastic_check_mesh(&mesh), "the mesh has no tets");
}

Test(geometry_elastic, clamped_nodes_exist_once_and_leave_some_free) {
  const uint32_t some[3] = {3, 0, 2}, twice[3] = {1, 0, 1}, beyond[1] = {4}, all[4] = {0, 1, 2, 3};
  ts_elastic e = good;
  accept(ts_elastic_check_clamped(&e, 4));
  e.clamped = some;
  refuse(ts_elastic_check_clamped(&e, 4), "the list of clamped nodes is empty");
  e.clamped_count = 3;
  accept(ts_elastic_check_clamped(&e, 4));
  e.clamped = twice;
  refuse(ts_elastic_check_clamped(&e, 4), "clamped node 1 is listed twice");
  e.clamped = beyond;
  e.clamped_count = 1;
  refuse(ts_elastic_check_clamped(&e, 4), "clamped node 4 does not exist: there are 4");
  e.clamped = all;
  e.clamped_count = 4;
  refuse(ts_elastic_check_clamped(&e, 4), "4 nodes are clamped, of 4");
}

Test(geometry_elastic, all_of_it_is_checked_together) {
  const uint32_t one[1][4] = {{0, 1, 2, 3}}, twice[2] = {1, 1};
  ts_vec3 v[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  ts_mesh mesh = tets_of(v, one);
  ts_elastic e = good;
  accept(ts_elastic_check(&e, &mesh));
  e.clamped = twice;
  e.clamped_count = 2;
  refuse(ts_elastic_check(&e, &mesh), "is listed twice");
  v[3].z = 0;
  refuse(ts_elastic_check(&e, &mesh), "is flat");
  e.young_pa = 0;
  refuse(ts_elastic_check(&e, &mesh), "young_pa");
}
