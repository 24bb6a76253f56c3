// SPDX-License-Identifier: MIT
// covers: cases/scene/stretch.c
#include "cases/scene/stretch.h"

#include "base/status.h"
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

TestSuite(cases_scene_stretch, .init = setup, .fini = teardown, .timeout = 60);

static const double x = 1.25, y = 0.75, z = 1.5;

#define STRETCHED                                                                                  \
  {"stretch_x", x}, {"stretch_y", y}, {                                                            \
    "stretch_z", z                                                                                 \
  }

static ts_vec3 stretched(ts_vec3 p) {
  return ts_vec3_make(x * p.x, y * p.y, z * p.z);
}

Test(cases_scene_stretch, every_vertex_of_every_body_is_at_its_stretched_place) {
  for (size_t i = 0; ts_cases[i]; i++) {
    const char *name = ts_cases[i]->name;
    const ts_scene *before = build_default(arena, name),
                   *after = build_case(arena, name, STRETCHED);
    cr_assert_eq(after->body_count, before->body_count);
    for (size_t b = 0; b < before->body_count; b++) {
      const ts_mesh *mesh = before->shapes[before->bodies[b].shape].mesh;
      for (size_t v = 0; v < mesh->vertex_count; v++) {
        ts_vec3 wanted = stretched(case_fixture_vertex(before, (int32_t)b, v));
        ts_vec3 is = case_fixture_vertex(after, (int32_t)b, v);
        cr_assert(ts_vec3_distance(wanted, is) <= 1e-14 * (1 + ts_vec3_norm(wanted)),
                  "%s, body %zu, vertex %zu: off by %g", name, b, v, ts_vec3_distance(wanted, is));
      }
    }
  }
}

Test(cases_scene_stretch, the_truth_is_the_stretched_one) {
  for (size_t i = 0; ts_cases[i]; i++) {
    const char *name = ts_cases[i]->name;
    const ts_scene *before = build_default(arena, name),
                   *after = build_case(arena, name, STRETCHED);
    if (strcmp(ts_cases[i]->suite, "growth") == 0)
      continue;
    cr_assert_eq(after->region_count, before->region_count, "%s", name);
    for (size_t r = 0; r < before->region_count; r++) {
      const ts_region *was = &before->regions[r], *is = &after->regions[r];
      cr_assert_eq(is->vertex_count, was->vertex_count, "%s", name);
      ts_vec3 normal = was->feasible[TS_REFERENCE_DESIGN].normals[0].normal;
      normal = ts_vec3_unit(ts_vec3_make(normal.x / x, normal.y / y, normal.z / z));
      cr_expect(ts_vec3_distance(normal, is->feasible[TS_REFERENCE_DESIGN].normals[0].normal) <
                    1e-12,
                "%s", name);
      for (size_t v = 0; v < was->vertex_count; v++) {
        double nearest_m = INFINITY; // the corners may begin elsewhere
        for (size_t k = 0; k < is->vertex_count; k++)
          nearest_m =
              fmin(nearest_m, ts_vec3_distance(stretched(was->vertices[v]), is->vertices[k]));
        cr_expect(nearest_m < 1e-12, "%s: off by %g", name, nearest_m);
      }
    }
  }
}

Test(cases_scene_stretch, a_shape_at_several_angles_becomes_several_with_names_of_their_own) {
  const ts_scene *before = build_default(arena, "arch"),
                 *after = build_case(arena, "arch", STRETCHED);
  cr_expect_gt(after->shape_count, before->shape_count);
  for (size_t i = 0; i < after->shape_count; i++)
    for (size_t k = 0; k < i; k++)
      cr_expect_str_neq(after->shapes[i].name, after->shapes[k].name);
  cr_expect_eq(build_case(arena, "wall", STRETCHED)->shape_count, 2, "not where angles are equal");
}

Test(cases_scene_stretch, motion_and_convex_pieces_follow) {
  const ts_scene *after = build_case(arena, "spike_in_hole", STRETCHED);
  cr_expect_float_eq(after->bodies[1].twist.linear_m_s.x, 0.8 * x, 1e-15);
  cr_expect_eq(after->shapes[0].piece_count, 4);
  cr_expect_eq(ts_scene_check_pieces(after), TS_OK, "%s", ts_status_detail());
}

Test(cases_scene_stretch, overlapping_spheres_have_no_known_truth_then) {
  cr_expect(build_case(arena, "spheres", STRETCHED)->truth_is_unknown);
  cr_expect(!build_default(arena, "spheres")->truth_is_unknown);
}
