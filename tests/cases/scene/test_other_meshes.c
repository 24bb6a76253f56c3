// SPDX-License-Identifier: MIT
// covers: cases/scene/other_meshes.c
#include "cases/scene/other_meshes.h"

#include "base/status.h"
#include "geometry/mesh/tetgen.h"
#include "tests/cases/case_fixture.h"

#include <criterion/criterion.h>
#include <string.h>

static ts_arena *arena;

static void setup(void) {
  arena = case_fixture_arena();
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(cases_scene_other_meshes, .init = setup, .fini = teardown, .timeout = 60);

static const ts_shape *shape_of(const ts_scene *scene, size_t body) {
  return &scene->shapes[scene->bodies[body].shape];
}

static ts_vec3 centre_of(const ts_scene *scene, size_t body) {
  ts_vec3 local = ts_mesh_mass_properties(shape_of(scene, body)->mesh, 1).centre_local;
  return ts_pose_point(scene->bodies[body].pose, local);
}

/// Whether some vertex of the body is at a place.
static bool has_vertex(const ts_scene *scene, size_t body, ts_vec3 place) {
  const ts_mesh *mesh = shape_of(scene, body)->mesh;
  for (size_t v = 0; v < mesh->vertex_count; v++)
    if (ts_vec3_distance(case_fixture_vertex(scene, (int32_t)body, v), place) < 1e-13)
      return true;
  return false;
}

Test(cases_scene_other_meshes, bodies_are_where_they_were_and_as_large) {
  static const char *const names[] = {"pillar", "arch",        "spike_in_hole",   "internal_edges",
                                      "spikes", "peg_in_hole", "saddle_on_saddle"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    for (double seed = 1; seed <= 5; seed++) {
      const ts_scene *was = build_default(arena, names[i]);
      const ts_scene *is = build_case(arena, names[i], {"mesh_seed", seed});
      for (size_t b = 0; b < was->body_count; b++) {
        const ts_mesh *mesh = shape_of(was, b)->mesh;
        double volume_m3 = ts_mesh_mass_properties(mesh, 1).volume_m3;
        cr_expect_float_eq(ts_mesh_mass_properties(shape_of(is, b)->mesh, 1).volume_m3, volume_m3,
                           1e-13 * volume_m3, "%s", names[i]);
        cr_expect(ts_vec3_distance(centre_of(was, b), centre_of(is, b)) < 1e-13, "%s", names[i]);
        for (size_t v = 0; v < mesh->vertex_count; v++)
          cr_expect(has_vertex(is, b, case_fixture_vertex(was, (int32_t)b, v)), "%s", names[i]);
      }
      cr_expect_eq(ts_scene_check_pieces(is), TS_OK, "%s", ts_status_detail());
    }
}

Test(cases_scene_other_meshes, new_vertices_lie_on_the_old_surface) {
  size_t added = 0;
  for (double seed = 1; seed <= 5; seed++) {
    const ts_scene *was = build_default(arena, "peg_in_hole");
    const ts_scene *is = build_case(arena, "peg_in_hole", {"mesh_seed", seed});
    for (size_t b = 0; b < is->body_count; b++) {
      added += shape_of(is, b)->mesh->vertex_count - shape_of(was, b)->mesh->vertex_count;
      for (size_t v = 0; v < shape_of(is, b)->mesh->vertex_count; v++) {
        ts_vec3 place = case_fixture_vertex(is, (int32_t)b, v);
        cr_expect(case_fixture_surface_distance(was, (int32_t)b, place) < 1e-14);
      }
    }
  }
  cr_expect_gt(added, 10, "%zu vertices", added);
}

Test(cases_scene_other_meshes, truth_and_motion_of_the_centres_stay) {
  const ts_scene *was = build_default(arena, "spikes");
  const ts_scene *is = build_case(arena, "spikes", {"mesh_seed", 4});
  cr_assert_eq(is->region_count, was->region_count);
  cr_expect(ts_vec3_distance(was->regions[0].vertices[0], is->regions[0].vertices[0]) == 0);
  ts_vec3 v = was->bodies[1].twist.linear_m_s, w = is->bodies[1].twist.linear_m_s;
  cr_expect(v.x == w.x && v.y == w.y && v.z == w.z, "a body that does not spin");
  cr_expect_eq(is->joint_count, 0);
}

Test(cases_scene_other_meshes, order_cuts_and_frames_differ_from_seed_to_seed) {
  const ts_scene *one = build_case(arena, "cliff_edges", {"mesh_seed", 1});
  const ts_scene *again = build_case(arena, "cliff_edges", {"mesh_seed", 1});
  const ts_scene *other = build_case(arena, "cliff_edges", {"mesh_seed", 2});
  const ts_mesh *a = one->shapes[1].mesh, *b = again->shapes[1].mesh, *c = other->shapes[1].mesh;
  cr_assert_eq(a->vertex_count, b->vertex_count);
  cr_assert_eq(a->triangle_count, b->triangle_count);
  cr_expect_eq(memcmp(a->vertices, b->vertices, a->vertex_count * sizeof *a->vertices), 0);
  cr_expect_eq(memcmp(a->triangles, b->triangles, a->triangle_count * sizeof *a->triangles), 0);
  size_t count = a->triangle_count < c->triangle_count ? a->triangle_count : c->triangle_count;
  cr_expect_neq(memcmp(a->triangles, c->triangles, count * sizeof *a->triangles), 0);
  cr_expect(ts_vec3_distance(one->bodies[1].pose.translation, other->bodies[1].pose.translation) >
            1e-3);
}

Test(cases_scene_other_meshes, published_tets_are_of_the_designed_meshes) {
  const ts_case *c = ts_case_find("spikes");
  double values[TS_COMMON_COUNT];
  ts_scene *scene;
  for (int i = 0; i < TS_COMMON_COUNT; i++)
    values[i] = ts_common_params[i].default_value;
  values[TS_COMMON_TETS] = TS_TETS_PUBLISHED;
  values[TS_COMMON_MESH_SEED] = 1;
  cr_assert_eq(ts_case_build(&scene, arena, c, values), TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), "leave out mesh_seed"), "%s", ts_status_detail());
}

Test(cases_scene_other_meshes, a_shape_with_tets_of_its_own_keeps_its_triangles) {
  ts_scene *scene = build_default(arena, "spikes");
  ts_mesh *filled;
  cr_assert_eq(ts_tetgen_fill(&filled, arena, scene->shapes[0].mesh, &ts_tetgen_coarse), TS_OK,
               "%s", ts_status_detail());
  scene->shapes[0].mesh = filled;
  ts_vec3 tip = case_fixture_vertex(scene, 1, 0);
  cr_assert_eq(ts_scene_other_meshes(scene, 3), TS_OK, "%s", ts_status_detail());
  const ts_mesh *mesh = scene->shapes[0].mesh;
  cr_expect_eq(mesh->tet_count, filled->tet_count);
  cr_expect_eq(memcmp(mesh->triangles, filled->triangles,
                      filled->triangle_count * sizeof *filled->triangles),
               0);
  cr_expect(ts_vec3_distance(mesh->vertices[0], filled->vertices[0]) > 1e-3, "another frame");
  cr_expect(ts_vec3_distance(case_fixture_vertex(scene, 1, 0), tip) < 1e-14);
}

Test(cases_scene_other_meshes, where_the_oracle_is_the_truth_frames_stay) {
  // The oracle's answers are about motions along local axes; nothing else of them is looked at.
  static const double stands_for_an_oracle[8] = {0};
  ts_scene *scene = build_default(arena, "spikes");
  ts_pose pose = scene->bodies[1].pose;
  scene->oracle = (const ts_oracle_truth *)(const void *)stands_for_an_oracle;
  cr_assert_eq(ts_scene_other_meshes(scene, 3), TS_OK, "%s", ts_status_detail());
  cr_expect_eq(memcmp(&scene->bodies[1].pose, &pose, sizeof pose), 0);
}
