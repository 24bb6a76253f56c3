// SPDX-License-Identifier: MIT
// covers: cases/scene/shape_state.c
#include "cases/scene/shape_state.h"
#include "tests/cases/case_fixture.h"

#include "base/status.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static const ts_shape_state surface_as_designed = {.offset_m = 0};
static const ts_shape_state tets_as_designed = {.offset_m = 0, .needs_tets = true};

static ts_arena *arena;

static void setup(void) {
  arena = case_fixture_arena();
  unsetenv("TOUCHSTONE_TETGEN");
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(cases_shape_state, .init = setup, .fini = teardown);

static const ts_mesh *in_state(const ts_scene *scene, size_t shape, ts_shape_state state) {
  const ts_mesh *mesh = NULL;
  cr_assert_eq(ts_shape_state_mesh(&mesh, arena, scene, shape, &state), TS_OK, "%s",
               ts_status_detail());
  return mesh;
}

static double surface_area(const ts_mesh *mesh) {
  double sum = 0;
  for (size_t t = 0; t < mesh->triangle_count; t++) {
    const uint32_t *v = mesh->triangles[t];
    ts_vec3 b = ts_vec3_sub(mesh->vertices[v[1]], mesh->vertices[v[0]]);
    ts_vec3 c = ts_vec3_sub(mesh->vertices[v[2]], mesh->vertices[v[0]]);
    sum += 0.5 * ts_vec3_norm(ts_vec3_cross(b, c));
  }
  return sum;
}

static double largest_tet(const ts_mesh *mesh) {
  double largest = 0;
  for (size_t t = 0; t < mesh->tet_count; t++) {
    ts_vec3 p[4];
    for (int i = 0; i < 4; i++)
      p[i] = mesh->vertices[mesh->tets[t][i]];
    ts_vec3 b = ts_vec3_sub(p[1], p[0]), c = ts_vec3_sub(p[2], p[0]), d = ts_vec3_sub(p[3], p[0]);
    largest = fmax(largest, ts_vec3_dot(b, ts_vec3_cross(c, d)) / 6);
  }
  return largest;
}

static void expect_same_solid(const ts_mesh *mesh, const ts_mesh *surface, const char *name) {
  double volume = ts_mesh_mass_properties(surface, 1).volume_m3, area = surface_area(surface);
  cr_expect_float_eq(ts_mesh_mass_properties(mesh, 1).volume_m3, volume, 1e-9 * volume, "%s", name);
  cr_expect_float_eq(surface_area(mesh), area, 1e-9 * area, "%s", name);
}

Test(cases_shape_state, nothing_to_do_gives_the_mesh_of_the_shape) {
  const ts_scene *scene = build_default(arena, "pillar");
  for (size_t i = 0; i < scene->shape_count; i++)
    cr_expect(in_state(scene, i, surface_as_designed) == scene->shapes[i].mesh);
}

Test(cases_shape_state, coarse_tets_keep_the_surface) {
  const ts_scene *scene = build_default(arena, "pillar");
  size_t tets = 0;
  for (size_t i = 0; i < scene->shape_count; i++) {
    const ts_mesh *mesh = in_state(scene, i, tets_as_designed), *given = scene->shapes[i].mesh;
    cr_assert_eq(mesh->triangle_count, given->triangle_count);
    cr_expect_arr_eq(mesh->triangles, given->triangles,
                     given->triangle_count * 3 * sizeof(uint32_t));
    tets += mesh->tet_count;
  }
  cr_expect_eq(tets, 126, "as the published pillar: %zu", tets);
}

// The slab, the largest shape, has its own test.
static bool is_quick(const ts_shape *shape) {
  return strcmp(shape->name, "slab") != 0;
}

/// Each level of every shape of these cases cuts more finely than the one before, and the same
/// solid.
static void expect_refined(const char *case_name, ts_shape_state state) {
  const ts_scene *levels[TS_REFINEMENT_MAX + 1];
  for (int level = 0; level <= TS_REFINEMENT_MAX; level++)
    levels[level] = build_case(arena, case_name, {"refinement", level});
  for (size_t i = 0; i < levels[0]->shape_count; i++) {
    const ts_shape *shape = &levels[0]->shapes[i];
    if (!is_quick(shape))
      continue;
    const ts_mesh *coarser = in_state(levels[0], i, state), *surface = coarser;
    for (int level = 1; level <= TS_REFINEMENT_MAX; level++) {
      const ts_mesh *mesh = in_state(levels[level], i, state);
      cr_expect_gt(mesh->tet_count, coarser->tet_count, "%s: %zu tets", shape->name,
                   mesh->tet_count);
      cr_expect_gt(mesh->triangle_count, coarser->triangle_count, "%s", shape->name);
      double bound_m3 = (shape->is_conical ? 0.00015 : 0.015) * (level == 1 ? 8 : 1);
      cr_expect_leq(largest_tet(mesh), bound_m3 * (1 + 1e-9), "%s", shape->name);
      expect_same_solid(mesh, surface, shape->name);
      coarser = mesh;
    }
  }
}

Test(cases_shape_state, each_level_cuts_the_structures_more_finely) {
  expect_refined("pillar", tets_as_designed);
  expect_refined("arch", tets_as_designed);
}

Test(cases_shape_state, each_level_cuts_the_wall_and_the_blocks_more_finely) {
  expect_refined("wall", tets_as_designed);
  expect_refined("spike_in_hole", tets_as_designed);
  expect_refined("wedge_in_crack", tets_as_designed);
}

Test(cases_shape_state, each_level_cuts_the_cubes_and_their_supports_more_finely) {
  expect_refined("cliff_edges", tets_as_designed);
  expect_refined("internal_edges", tets_as_designed);
}

// Eroded, the flat faces of these blocks are bent by a quarter of a degree and less: TetGen must
// not split them as if they were planes.
Test(cases_shape_state, slightly_bent_faces_are_refined_as_they_are) {
  ts_shape_state eroded = {.offset_m = -0.01, .needs_tets = true};
  expect_refined("spike_in_crack", eroded);
  expect_refined("internal_edges", eroded);
}

Test(cases_shape_state, the_slab_is_refined_at_both_levels) {
  size_t before = 12;
  for (int level = 1; level <= TS_REFINEMENT_MAX; level++) {
    const ts_scene *scene = build_case(arena, "sliding_spike", {"refinement", level});
    cr_assert_str_eq(scene->shapes[1].name, "slab");
    const ts_mesh *mesh = in_state(scene, 1, surface_as_designed);
    cr_expect_gt(mesh->tet_count, 4 * before, "%zu", mesh->tet_count);
    before = mesh->tet_count;
  }
}

Test(cases_shape_state, a_method_on_surfaces_gets_the_same_refined_body) {
  const ts_scene *scene = build_case(arena, "spikes", {"refinement", 1});
  const ts_mesh *surface = in_state(scene, 0, surface_as_designed);
  const ts_mesh *filled = in_state(scene, 0, tets_as_designed);
  cr_expect_gt(surface->triangle_count, scene->shapes[0].mesh->triangle_count);
  cr_assert_eq(surface->triangle_count, filled->triangle_count);
  cr_expect_arr_eq(surface->triangles, filled->triangles,
                   filled->triangle_count * 3 * sizeof(uint32_t));
}

Test(cases_shape_state, the_envelope_comes_before_the_refinement) {
  const ts_scene *plain = build_default(arena, "internal_edges");
  const ts_scene *fine = build_case(arena, "internal_edges", {"refinement", 1});
  for (int k = 0; k < 4; k++) {
    ts_shape_state state = {.offset_m = k % 2 ? 0.02 : -0.02, .moves_faces = k / 2};
    for (size_t i = 0; i < plain->shape_count; i++)
      expect_same_solid(in_state(fine, i, state), in_state(plain, i, state), plain->shapes[i].name);
  }
}

Test(cases_shape_state, bounds_follow_the_scale) {
  const double scales[] = {1e-3, 1e3};
  const ts_scene *plain = build_case(arena, "pillar", {"refinement", 2});
  for (int k = 0; k < 2; k++) {
    const ts_scene *scaled = build_case(arena, "pillar", {"refinement", 2}, {"scale", scales[k]});
    for (size_t i = 0; i < plain->shape_count; i++) {
      const ts_shape *shape = &scaled->shapes[i];
      const ts_mesh *mesh = in_state(scaled, i, tets_as_designed);
      double cube = scales[k] * scales[k] * scales[k];
      double bound_m3 = cube * (shape->is_conical ? 0.00015 : 0.015);
      cr_expect_leq(largest_tet(mesh), bound_m3 * (1 + 1e-9), "%s", shape->name);
      expect_same_solid(mesh, shape->mesh, shape->name);
      // Rounding changes TetGen's choices, but not by an order of magnitude.
      double ratio =
          (double)mesh->tet_count / (double)in_state(plain, i, tets_as_designed)->tet_count;
      cr_expect(ratio > 0.3 && ratio < 3, "%s at scale %g: %g", shape->name, scales[k], ratio);
    }
  }
}

Test(cases_shape_state, refinement_changes_neither_shapes_nor_truth) {
  const ts_scene *plain = build_default(arena, "pillar");
  const ts_scene *fine = build_case(arena, "pillar", {"refinement", 2});
  cr_assert_eq(plain->region_count, fine->region_count);
  for (size_t i = 0; i < plain->region_count; i++) {
    const ts_region *a = &plain->regions[i], *b = &fine->regions[i];
    cr_assert_eq(a->vertex_count, b->vertex_count);
    cr_expect_arr_eq(a->vertices, b->vertices, a->vertex_count * sizeof *a->vertices);
  }
  for (size_t i = 0; i < plain->shape_count; i++)
    cr_expect_eq(plain->shapes[i].mesh->triangle_count, fine->shapes[i].mesh->triangle_count);
}

Test(cases_shape_state, the_same_state_gives_the_same_bits) {
  const ts_scene *scene = build_case(arena, "pillar", {"refinement", 1});
  const ts_mesh *one = in_state(scene, 2, tets_as_designed);
  const ts_mesh *same = in_state(scene, 2, tets_as_designed);
  cr_assert_eq(one->vertex_count, same->vertex_count);
  cr_assert_eq(one->tet_count, same->tet_count);
  cr_expect_arr_eq(one->vertices, same->vertices, one->vertex_count * sizeof *one->vertices);
  cr_expect_arr_eq(one->tets, same->tets, one->tet_count * sizeof *one->tets);
}

Test(cases_shape_state, published_tets_are_for_two_states_only) {
  const ts_scene *scene = build_case(arena, "pillar", {"tets", TS_TETS_PUBLISHED}, {"scale", 1e-3});
  const ts_shape_state refused[] = {
      {.offset_m = -0.02e-3, .needs_tets = true},
      {.offset_m = -0.01, .needs_tets = true},
      {.offset_m = 0.01e-3, .needs_tets = true},
      {.offset_m = -0.01e-3, .moves_faces = true, .needs_tets = true},
  };
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    const ts_mesh *mesh;
    cr_expect_eq(ts_shape_state_mesh(&mesh, arena, scene, 2, &refused[i]), TS_E_INPUT, "%zu", i);
    const char *message = ts_status_detail();
    cr_expect(strstr(message, "the shape stone_1") && strstr(message, "leave out tets=published"),
              "%s", message);
  }
  cr_expect_eq(in_state(scene, 2, tets_as_designed)->tet_count, 18);
  ts_shape_state eroded = {.offset_m = -0.01e-3, .needs_tets = true};
  cr_expect_eq(in_state(scene, 2, eroded)->tet_count, 18);
}

Test(cases_shape_state, without_a_need_for_tets_the_published_surfaces_are_offset_like_others) {
  const ts_scene *plain = build_default(arena, "pillar");
  const ts_scene *published = build_case(arena, "pillar", {"tets", TS_TETS_PUBLISHED});
  const ts_shape_state states[] = {
      {.offset_m = 0}, {.offset_m = -0.01}, {.offset_m = -0.02, .moves_faces = true}};
  for (size_t k = 0; k < sizeof states / sizeof *states; k++) {
    const ts_mesh *a = in_state(plain, 1, states[k]), *b = in_state(published, 1, states[k]);
    cr_assert_eq(a->vertex_count, b->vertex_count);
    for (size_t v = 0; v < a->vertex_count; v++)
      cr_expect_lt(ts_vec3_distance(ts_pose_point(plain->bodies[1].pose, a->vertices[v]),
                                    ts_pose_point(published->bodies[1].pose, b->vertices[v])),
                   1e-6);
    cr_expect_eq(b->tet_count, 0);
  }
}

Test(cases_shape_state, published_tets_need_no_helper) {
  setenv("TOUCHSTONE_TETGEN", "/nowhere/touchstone-tetgen", 1);
  const ts_scene *scene = build_case(arena, "pillar", {"tets", TS_TETS_PUBLISHED});
  cr_expect_eq(in_state(scene, 0, tets_as_designed)->tet_count, 12);
}

Test(cases_shape_state, without_the_helper_it_is_skipped_and_the_packages_are_named) {
  setenv("TOUCHSTONE_TETGEN", "/nowhere/touchstone-tetgen", 1);
  const ts_scene *coarse = build_default(arena, "pillar");
  const ts_scene *fine = build_case(arena, "pillar", {"refinement", 1});
  const ts_mesh *mesh;
  cr_expect_eq(ts_shape_state_mesh(&mesh, arena, coarse, 0, &tets_as_designed), TS_SKIPPED);
  cr_expect(strstr(ts_status_detail(), "libtet1.5-dev") != NULL, "%s", ts_status_detail());
  cr_expect_eq(ts_shape_state_mesh(&mesh, arena, fine, 0, &surface_as_designed), TS_SKIPPED);
  cr_expect(strstr(ts_status_detail(), "libtet1.5-dev") != NULL, "%s", ts_status_detail());
}

Test(cases_shape_state, a_body_too_thin_for_its_envelope_is_named) {
  const ts_scene *scene = build_case(arena, "pillar", {"refinement", 1});
  const ts_mesh *mesh;
  ts_shape_state state = {.offset_m = -0.5, .needs_tets = true};
  cr_expect_eq(ts_shape_state_mesh(&mesh, arena, scene, 1, &state), TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), "stone_0 cannot be eroded by 0.5 m") != NULL, "%s",
            ts_status_detail());
}
