// SPDX-License-Identifier: MIT
// covers: cases/scene/deformable.c cases/scene/scene.c cases/scene/stretch.c
// Shapes of tets, and the elastic data of bodies: what is refused, and what scale, stretch, motion
// and other meshes do to them.
#include "base/param.h"
#include "base/status.h"
#include "cases/scene/deformable.h"
#include "geometry/mesh/elastic.h"
#include "tests/cases/case_fixture.h"

#include <criterion/criterion.h>
#include <string.h>

static ts_arena *arena;
static ts_scene *scene;

static void setup(void) {
  arena = case_fixture_arena();
  cr_assert_eq(ts_scene_create(&scene, arena), TS_OK);
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(cases_deformable, .init = setup, .fini = teardown, .timeout = 60);

static const ts_elastic rubber = {.young_pa = 1e6, .poisson = 0.4};

/// Two tets on both sides of the triangle 0, 1, 2.
static const ts_vec3 pair_nodes[5] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, -1}};
static const uint32_t pair_tets[2][4] = {{0, 1, 2, 3}, {0, 2, 1, 4}};

static int32_t add_pair(void) {
  int32_t shape;
  cr_assert_eq(ts_scene_add_tets(&shape, scene, "pair", pair_nodes, 5, pair_tets, 2), TS_OK, "%s",
               ts_status_detail());
  return shape;
}

static int32_t add_body(int32_t shape, bool is_fixed) {
  int32_t body;
  cr_assert_eq(ts_scene_add_body(&body, scene, "b", shape, ts_pose_identity(), is_fixed), TS_OK);
  return body;
}

static void refuse(ts_status status, const char *words) {
  cr_expect_eq(status, TS_E_INPUT, "%s", words);
  cr_expect(strstr(ts_status_detail(), words), "%s: %s", words, ts_status_detail());
}

Test(cases_deformable, the_surface_is_what_one_tet_has_and_faces_out) {
  int32_t index = add_pair();
  const ts_shape *shape = &scene->shapes[index];
  cr_expect_str_eq(shape->name, "pair");
  cr_assert_eq(shape->mesh->triangle_count, 6, "all but the face between them");
  cr_assert_eq(shape->mesh->tet_count, 2);
  ts_vec3 middle = {0.2, 0.2, 0};
  for (size_t t = 0; t < 6; t++) {
    ts_vec3 corner = shape->mesh->vertices[shape->mesh->triangles[t][0]];
    cr_expect_gt(ts_vec3_dot(ts_mesh_face_normal(shape->mesh, t), ts_vec3_sub(corner, middle)), 0);
  }
  cr_expect_float_eq(ts_mesh_mass_properties(shape->mesh, 1).volume_m3, 1.0 / 3, 1e-15);
  for (int i = 0; i < 2; i++)
    cr_expect_eq(shape->mesh->tet_surface[i], 0x7, "all but the face opposite node 3");
}

Test(cases_deformable, tets_that_make_no_body_are_refused_and_leave_no_shape) {
  int32_t shape;
  const uint32_t inverted[2][4] = {{0, 1, 2, 3}, {0, 1, 2, 4}};
  refuse(ts_scene_add_tets(&shape, scene, "a", pair_nodes, 5, inverted, 2), "");
  const uint32_t thrice[3][4] = {{0, 1, 2, 3}, {0, 2, 1, 4}, {0, 1, 2, 3}};
  refuse(ts_scene_add_tets(&shape, scene, "a", pair_nodes, 5, thrice, 3), "");
  refuse(ts_scene_add_tets(&shape, scene, "a", pair_nodes, 5, NULL, 0), "no triangle");
  const uint32_t beyond[1][4] = {{0, 1, 2, 5}};
  refuse(ts_scene_add_tets(&shape, scene, "a", pair_nodes, 5, beyond, 1), "vertex 5");
  cr_expect_eq(scene->shape_count, 0);
}

Test(cases_deformable, elastic_data_is_copied_and_may_clamp_nodes) {
  uint32_t clamped[2] = {4, 1};
  ts_elastic e = rubber;
  e.clamped = clamped;
  e.clamped_count = 2;
  int32_t body = add_body(add_pair(), false);
  cr_expect(!ts_scene_is_deformable(scene));
  cr_assert_eq(ts_scene_make_deformable(scene, body, &e), TS_OK, "%s", ts_status_detail());
  cr_expect(ts_scene_is_deformable(scene));
  clamped[0] = 0;
  e.young_pa = 0;
  const ts_elastic *kept = scene->bodies[body].elastic;
  cr_expect(kept->young_pa == 1e6 && kept->clamped_count == 2 && kept->clamped[0] == 4);
}

Test(cases_deformable, what_cannot_deform_says_why) {
  int32_t shape = add_pair(), primitive, surface;
  refuse(ts_scene_make_deformable(scene, add_body(shape, true), &rubber), "this one is fixed");
  const ts_geometry ball = {.kind = TS_GEOMETRY_SPHERE, .radius_m = 1};
  cr_assert_eq(ts_scene_add_primitive(&primitive, scene, "ball", &ball, 0.1), TS_OK);
  refuse(ts_scene_make_deformable(scene, add_body(primitive, false), &rubber),
         "shape ball is an exact sphere");
  const ts_mesh *pair = scene->shapes[shape].mesh;
  cr_assert_eq(ts_scene_add_shape(&surface, scene, "hollow", pair->vertices, 5, pair->triangles, 6),
               TS_OK);
  refuse(ts_scene_make_deformable(scene, add_body(surface, false), &rubber), "no tets");
  const uint32_t half[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
  cr_assert_eq(ts_scene_add_piece(scene, shape, pair_nodes, 4, half, 4), TS_OK, "%s",
               ts_status_detail());
  refuse(ts_scene_make_deformable(scene, add_body(shape, false), &rubber), "convex pieces");
}

Test(cases_deformable, a_scene_is_similar_at_every_scale) {
  static const char *const names[] = {"soft_beam", "soft_chain", "soft_block", "soft_rain"};
  static const double scales[] = {1e-3, 1e3, 0.7};
  for (size_t i = 0; i < 4; i++)
    for (size_t k = 0; k < 3; k++) {
      double s = scales[k];
      const ts_scene *one = build_default(arena, names[i]);
      const ts_scene *scaled = build_case(arena, names[i], {"scale", s});
      for (size_t b = 0; b < one->body_count; b++) {
        const ts_elastic *e = one->bodies[b].elastic, *f = scaled->bodies[b].elastic;
        for (size_t v = 0; v < one->shapes[one->bodies[b].shape].mesh->vertex_count && e; v++) {
          ts_vec3 wanted = ts_vec3_scale(case_fixture_vertex(one, (int32_t)b, v), s);
          ts_vec3 is = case_fixture_vertex(scaled, (int32_t)b, v);
          cr_assert(ts_vec3_distance(wanted, is) <= 1e-15 * s, "%s %zu", names[i], v);
        }
        cr_assert_eq(e == NULL, f == NULL);
        if (!e)
          continue;
        cr_expect_float_eq(f->young_pa / (e->young_pa * s * s), 1, 1e-15);
        cr_expect(f->poisson == e->poisson && f->mass_damping_1_s == e->mass_damping_1_s &&
                  f->stiffness_damping_s == e->stiffness_damping_s);
        cr_expect_eq(f->clamped_count, e->clamped_count);
        cr_expect_eq(ts_elastic_check(f, scaled->shapes[scaled->bodies[b].shape].mesh), TS_OK);
      }
    }
}

Test(cases_deformable, the_torus_of_a_ring_grows_with_it_and_is_none_once_stretched) {
  ts_torus_radii small = build_case(arena, "soft_chain", {"scale", 1e-3})->shapes[0].torus;
  cr_expect_float_eq(small.ring_m, 1e-4, 1e-19);
  cr_expect_float_eq(small.tube_m, 3e-5, 1e-19);
  cr_expect_eq(build_case(arena, "soft_chain", {"stretch_x", 1.1})->shapes[0].torus.tube_m, 0);
}

Test(cases_deformable, scaling_changes_no_data_that_is_shared_with_another_scene) {
  int32_t body = add_body(add_pair(), false);
  cr_assert_eq(ts_scene_make_deformable(scene, body, &rubber), TS_OK);
  ts_scene *copy;
  cr_assert_eq(ts_scene_move(&copy, arena, scene, scene->bodies), TS_OK);
  cr_assert_eq(ts_scene_transform(copy, 2, ts_pose_identity()), TS_OK);
  cr_expect_eq(copy->bodies[body].elastic->young_pa, 4e6);
  cr_expect_eq(scene->bodies[body].elastic->young_pa, 1e6);
}

Test(cases_deformable, motion_noise_stretch_and_other_meshes_leave_nodes_and_data) {
  const ts_scene *plain = build_default(arena, "soft_beam");
  const ts_scene *others[] = {build_case(arena, "soft_beam", {"motion_seed", 3}),
                              build_case(arena, "soft_beam", {"perturb_m", 0.01}),
                              build_case(arena, "soft_beam", {"stretch_x", 1.3}),
                              build_case(arena, "soft_beam", {"mesh_seed", 5})};
  const ts_mesh *mesh = plain->shapes[plain->bodies[1].shape].mesh;
  for (size_t i = 0; i < 4; i++) {
    const ts_elastic *e = plain->bodies[1].elastic, *f = others[i]->bodies[1].elastic;
    const ts_mesh *m = others[i]->shapes[others[i]->bodies[1].shape].mesh;
    cr_assert(f && f->clamped_count == e->clamped_count);
    cr_expect_eq(memcmp(f->clamped, e->clamped, e->clamped_count * sizeof *e->clamped), 0);
    cr_expect_eq(f->young_pa, e->young_pa);
    cr_assert_eq(m->tet_count, mesh->tet_count);
    cr_expect_eq(memcmp(m->tets, mesh->tets, m->tet_count * sizeof *m->tets), 0, "%zu", i);
    cr_expect_eq(ts_elastic_check(f, m), TS_OK, "%s", ts_status_detail());
  }
  // Clamped nodes are at z = 0 still: the frame is another one, the world is not.
  for (size_t k = 0; k < 25; k++)
    cr_expect_float_eq(case_fixture_vertex(others[3], 1, k).z, 0, 1e-15);
  cr_expect_neq(others[3]->shapes[1].mesh->vertices[0].z, mesh->vertices[0].z);
}

static void refuse_case(const char *name, int common, double value, const char *words) {
  const ts_case *c = ts_case_find(name);
  double values[32];
  ts_scene *out;
  ts_param_defaults(values, ts_case_params(arena, c), ts_case_param_count(c));
  values[common] = value;
  refuse(ts_case_build(&out, arena, c, values), words);
}

Test(cases_deformable, bodies_whose_nodes_are_given_are_not_cut_anew) {
  refuse_case("soft_beam", TS_COMMON_REFINEMENT, 1, "leave out refinement=1");
  refuse_case("soft_chain", TS_COMMON_REFINEMENT, 2, "leave out refinement=2");
  refuse_case("soft_block", TS_COMMON_TETS, TS_TETS_PUBLISHED, "leave out the published tets");
}
