// SPDX-License-Identifier: MIT
// covers: sim/soft/tet_body_check.c
#include "tests/sim/soft/tet_grid.h"

#include "base/status.h"

#include <criterion/criterion.h>
#include <string.h>

/// Two tets with a face in common; all that ts_tet_body_create() is told, to be spoiled.
typedef struct recipe {
  ts_vec3 vertices[6];
  uint32_t tets[2][4];
  uint32_t clamped[5];
  ts_mesh mesh;
  ts_elastic elastic;
  ts_body body;
  double dt_s;
} recipe;

static void recipe_init(recipe *r) {
  *r = (recipe){.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}},
                .tets = {{0, 1, 2, 3}, {1, 2, 3, 4}},
                .clamped = {0, 1, 2, 3, 4},
                .elastic = {.young_pa = 1e5, .poisson = 0.3, .clamped_count = 3},
                .dt_s = 0.01};
  r->mesh = (ts_mesh){.vertex_count = 5,
                      .vertices = r->vertices,
                      .tet_count = 2,
                      .tets = (const uint32_t(*)[4])r->tets};
  r->elastic.clamped = r->clamped;
  r->body = tet_grid_body(&r->elastic);
}

static ts_status attempt(const recipe *r) {
  ts_shape shape = {.name = "two", .mesh = &r->mesh};
  ts_tet_body *made = NULL;
  ts_status status = ts_tet_body_create(&made, &shape, &r->body, r->dt_s);
  cr_expect_eq(made != NULL, status == TS_OK);
  ts_tet_body_destroy(made);
  return status;
}

static void expect_refused(const recipe *r, const char *part) {
  cr_expect_eq(attempt(r), TS_E_INPUT, "%s", part);
  cr_expect(strstr(ts_status_detail(), part), "\"%s\" has no \"%s\"", ts_status_detail(), part);
}

/// One line of a test: spoils a fresh recipe and looks for a part of the message.
#define REFUSED(spoil, part)                                                                       \
  do {                                                                                             \
    recipe r;                                                                                      \
    recipe_init(&r);                                                                               \
    spoil;                                                                                         \
    expect_refused(&r, part);                                                                      \
  } while (0)

Test(sim_soft_tet_body_check, the_recipe_is_fine) {
  recipe r;
  recipe_init(&r);
  cr_expect_eq(attempt(&r), TS_OK, "%s", ts_status_detail());
  r.elastic.clamped = NULL;
  r.elastic.clamped_count = 0;
  cr_expect_eq(attempt(&r), TS_OK, "%s", ts_status_detail());
}

Test(sim_soft_tet_body_check, tets_are_there_and_have_volume) {
  REFUSED(r.mesh.tet_count = 0, "the mesh has no tets");
  REFUSED(r.tets[1][1] = 3; r.tets[1][2] = 2, "is inverted");
  REFUSED(r.vertices[4] = ((ts_vec3){0.5, 0.25, 0.25}), "is flat");
  REFUSED(r.tets[1][3] = 1, "is flat");
  REFUSED(r.tets[0][2] = 9, "tet 0 has node 9, but there are 5 nodes");
  REFUSED(r.vertices[3].y = NAN, "node 3 is at (0, nan, 1)");
  REFUSED(r.mesh.vertex_count = 6, "node 5 is in no tet");
}

Test(sim_soft_tet_body_check, flatness_does_not_depend_on_scale) {
  for (double scale = 1e-6; scale < 1e7; scale *= 1e3) {
    recipe r;
    recipe_init(&r);
    for (int i = 0; i < 5; i++)
      r.vertices[i] = ts_vec3_scale(r.vertices[i], scale);
    cr_expect_eq(attempt(&r), TS_OK, "%g: %s", scale, ts_status_detail());
    r.vertices[4] = ts_vec3_scale((ts_vec3){1.0 / 3 + 1e-6, 1.0 / 3, 1.0 / 3}, scale);
    expect_refused(&r, "is flat");
  }
}

Test(sim_soft_tet_body_check, values_are_in_their_ranges) {
  REFUSED(r.elastic.young_pa = 0, "body \"block\": young_pa is 0");
  REFUSED(r.elastic.young_pa = NAN, "young_pa is nan");
  REFUSED(r.elastic.poisson = 0.5, "poisson is 0.5");
  REFUSED(r.elastic.poisson = -0.1, "poisson is -0.1");
  REFUSED(r.elastic.mass_damping_1_s = -1, "mass_damping_1_s is -1");
  REFUSED(r.elastic.stiffness_damping_s = INFINITY, "stiffness_damping_s is inf");
  REFUSED(r.body.density_kg_m3 = 0, "density_kg_m3 is 0");
  REFUSED(r.body.elastic = NULL, "has no elastic data");
  REFUSED(r.body.pose.rotation.w = 2, "has the rotation (2, 0, 0, 0)");
  REFUSED(r.body.pose.translation.z = NAN, "give a unit quaternion and finite numbers");
  REFUSED(r.body.twist.angular_rad_s.x = INFINITY, "has a twist that is not finite");
  REFUSED(r.dt_s = 0, "dt_s is 0");
  REFUSED(r.dt_s = NAN, "dt_s is nan");
  REFUSED(r.body.name = NULL; r.elastic.young_pa = -1, "body \"unnamed\": young_pa is -1");
}

Test(sim_soft_tet_body_check, clamped_nodes_are_some_of_the_nodes_once) {
  REFUSED(r.elastic.clamped_count = 0, "the list of clamped nodes is empty");
  REFUSED(r.elastic.clamped_count = 5, "5 nodes are clamped, of 5");
  REFUSED(r.elastic.clamped_count = SIZE_MAX, "nodes are clamped, of 5");
  REFUSED(r.clamped[1] = 7, "clamped node 7 does not exist");
  REFUSED(r.clamped[2] = 1, "clamped node 1 is listed twice");
}
