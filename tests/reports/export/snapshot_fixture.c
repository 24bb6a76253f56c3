// SPDX-License-Identifier: MIT
#include "tests/reports/export/snapshot_fixture.h"

#include <math.h>

ts_contact_row fixture_contacts[FIXTURE_CONTACTS];

static const ts_vec3 corners[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
static const uint32_t triangles[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
static const uint32_t twins[12] = {11, 6, 3, 2, 8, 9, 1, 10, 4, 5, 7, 0};
static const uint32_t tets[1][4] = {{0, 1, 2, 3}};
static const uint8_t tet_surface[1] = {15};
static const ts_mesh surface = {.vertex_count = 4,
                                .vertices = corners,
                                .triangle_count = 4,
                                .triangles = triangles,
                                .edge_twin = twins};
static const ts_mesh filled = {.vertex_count = 4,
                               .vertices = corners,
                               .triangle_count = 4,
                               .triangles = triangles,
                               .edge_twin = twins,
                               .tet_count = 1,
                               .tets = tets,
                               .tet_surface = tet_surface};
static const ts_vec3 raised[4] = {{0, 2, 0}, {0, 2, -1}, {0, 3, 0}, {1, 2, 0}};

static const ts_vec3 polygon[4] = {{0, 1, 0}, {0, 1, 1}, {1, 1, 1}, {1, 1, 0}};
static const ts_snapshot_normal normals[2] = {{{0, 1, 0}, 0.0, false}, {{1, 0, 0}, 0.5, true}};
static const ts_snapshot_region regions[3] = {{0, 1, 0, 4, polygon, true, 1, normals},
                                              {0, 1, 1, 1, polygon, false, 2, normals},
                                              {0, 1, 2, 2, polygon, true, 1, normals}};

static ts_contact_row contact(int index, ts_vec3 point, ts_vec3 normal) {
  ts_contact_row row;
  ts_row_init(&ts_contact_rows, &row);
  row.cell = "0123456789abcdef";
  row.case_name = "made";
  row.method = "hand";
  row.step = 0;
  row.body_a = 0;
  row.body_b = 1;
  row.index = index;
  row.point_x_m = point.x;
  row.point_y_m = point.y;
  row.point_z_m = point.z;
  row.normal_x = normal.x;
  row.normal_y = normal.y;
  row.normal_z = normal.z;
  row.gap_m = -0.125 * index;
  row.feature_a = row.feature_b = "none";
  row.correct = row.phantom = row.speculative = 0;
  row.region = 0;
  return row;
}

ts_snapshot fixture_snapshot(void) {
  const ts_vec3 up = {0, 1, 0}, none = {NAN, NAN, NAN};
  for (int i = 0; i < FIXTURE_CONTACTS; i++)
    fixture_contacts[i] = contact(i, (ts_vec3){0.25 * i, 1, 0}, up);
  fixture_contacts[FIXTURE_CORRECT].correct = 1;
  fixture_contacts[FIXTURE_INCORRECT].normal_x = 0.6;
  fixture_contacts[FIXTURE_INCORRECT].normal_y = -0.8;
  fixture_contacts[FIXTURE_SPECULATIVE].speculative = 1;
  fixture_contacts[FIXTURE_PHANTOM].phantom = 1;
  fixture_contacts[FIXTURE_PHANTOM].region = NAN;
  fixture_contacts[FIXTURE_NO_NORMAL] = contact(FIXTURE_NO_NORMAL, (ts_vec3){1, 1, 1}, none);
  fixture_contacts[FIXTURE_NOWHERE] = contact(FIXTURE_NOWHERE, none, up);

  static ts_snapshot_body bodies[2];
  const double half = 0.70710678118654752;
  bodies[0] = (ts_snapshot_body){.name = "lower",
                                 .is_fixed = true,
                                 .pose = {{1, 0, 0, 0}, {0, 0, 0}},
                                 .designed = {&surface, corners}};
  bodies[1] = (ts_snapshot_body){.name = "upper",
                                 .pose = {{half, 0, half, 0}, {0, 2, 0}},
                                 .designed = {&surface, raised},
                                 .enveloped = {&filled, raised}};
  return (ts_snapshot){.case_name = "made",
                       .method = "hand",
                       .up = up,
                       .body_size_m = 1,
                       .body_count = 2,
                       .bodies = bodies,
                       .region_count = 3,
                       .regions = regions,
                       .contact_count = FIXTURE_CONTACTS,
                       .contacts = fixture_contacts};
}
