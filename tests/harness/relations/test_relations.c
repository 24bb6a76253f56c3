// SPDX-License-Identifier: MIT
// covers: harness/relations/relation.c harness/relations/scene_variants.c
// covers: harness/relations/relation_compare.c harness/relations/expected_violations.c
#include "base/param.h"
#include "base/status.h"
#include "cases/case.h"
#include "geometry/pose.h"
#include "harness/relations/expected_violations.h"
#include "harness/relations/relation_compare.h"
#include "harness/relations/scene_variants.h"
#include "harness/run/cell.h"
#include "methods/registry.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static ts_arena *arena;

static void open_arena(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
}

static void close_arena(void) {
  ts_arena_destroy(arena);
}

TestSuite(harness_relations, .init = open_arena, .fini = close_arena, .timeout = 120);

static ts_relation_source source_of(const char *name) {
  const ts_case *c = ts_case_find(name);
  cr_assert_not_null(c);
  size_t count = ts_case_param_count(c);
  double *values = ts_arena_array(arena, count, sizeof *values);
  ts_param_defaults(values, ts_case_params(arena, c), count);
  ts_scene *scene;
  cr_assert_eq(ts_case_build(&scene, arena, c, values), TS_OK, "%s", ts_status_detail());
  return (ts_relation_source){.c = c, .values = values, .scene = scene};
}

static ts_scene_contacts contacts_of(const ts_scene *scene, const char *method_name) {
  const ts_method *method = ts_method_find(method_name);
  double *values = ts_arena_array(arena, method->param_count, sizeof *values);
  ts_param_defaults(values, method->params, method->param_count);
  ts_scene_contacts found;
  cr_assert_eq(ts_cell_contacts(&found.sets, &found.count, arena, scene, method, values), TS_OK,
               "%s", ts_status_detail());
  return found;
}

static ts_relation_difference difference(const ts_relation_source *source,
                                         const ts_variant *variant, const char *method) {
  ts_relation_difference out;
  cr_assert_eq(ts_relation_difference_find(&out, arena, source->scene,
                                           contacts_of(source->scene, method),
                                           contacts_of(variant->scene, method), variant),
               TS_OK);
  return out;
}

Test(harness_relations, semi_local_keeps_each_of_them) {
  ts_relation_source source = source_of("cliff_edges");
  for (int r = 0; r < TS_RELATION_COUNT; r++)
    for (size_t v = 0; v < ts_relations[r].variant_count; v++) {
      ts_variant variant;
      cr_assert_eq(ts_relation_make(&variant, arena, &ts_relations[r], &source, v), TS_OK, "%s",
                   ts_status_detail());
      ts_relation_difference d = difference(&source, &variant, "semi_local");
      cr_expect_eq(d.pairs, 1);
      cr_expect(d.lost_max < 1e-6 && d.added_max < 1e-6, "%s: %g, %g", ts_relations[r].name,
                d.lost_max, d.added_max);
    }
}

// What a variant is brought back by must be wrong in no part: another motion, or none, is noticed.
Test(harness_relations, contacts_that_are_brought_back_wrongly_differ) {
  ts_relation_source source = source_of("cliff_edges");
  const ts_relation *motion = &ts_relations[TS_RELATION_MOTION];
  ts_variant variant;
  cr_assert_eq(ts_relation_make(&variant, arena, motion, &source, 0), TS_OK);
  ts_variant wrong = variant;
  wrong.motion = ts_pose_identity();
  ts_relation_difference d = difference(&source, &wrong, "semi_local");
  cr_expect_gt(fmax(d.lost_max, d.added_max), 0.1);
  cr_expect_eq(d.pairs_differ, 1);
}

Test(harness_relations, a_mirror_is_its_own_opposite_and_keeps_volumes) {
  ts_relation_source source = source_of("arch");
  ts_scene *once, *twice;
  cr_assert_eq(ts_scene_mirrored(&once, arena, source.scene), TS_OK, "%s", ts_status_detail());
  cr_assert_eq(ts_scene_mirrored(&twice, arena, once), TS_OK, "%s", ts_status_detail());
  for (size_t i = 0; i < twice->body_count; i++) {
    const ts_mesh *a = source.scene->shapes[source.scene->bodies[i].shape].mesh;
    const ts_mesh *b = twice->shapes[twice->bodies[i].shape].mesh;
    cr_assert_eq(a->vertex_count, b->vertex_count);
    for (size_t v = 0; v < a->vertex_count; v++) {
      ts_vec3 p = ts_pose_point(source.scene->bodies[i].pose, a->vertices[v]);
      ts_vec3 q = ts_pose_point(twice->bodies[i].pose, b->vertices[v]);
      cr_expect_lt(ts_vec3_distance(p, q), 1e-12);
    }
  }
}

Test(harness_relations, split_triangles_stay_on_the_surface) {
  ts_relation_source source = source_of("internal_edges");
  ts_scene *split;
  cr_assert_eq(ts_scene_with_split_triangles(&split, arena, source.scene), TS_OK, "%s",
               ts_status_detail());
  for (size_t i = 0; i < split->shape_count; i++)
    cr_expect_eq(split->shapes[i].mesh->triangle_count,
                 3 * source.scene->shapes[i].mesh->triangle_count);
}

Test(harness_relations, each_expected_violation_is_of_a_relation_and_has_a_reason) {
  for (const ts_expected_violation *row = ts_expected_violations; row->method; row++) {
    cr_expect(row->relations != 0 && row->relations < 1u << TS_RELATION_COUNT, "%s", row->method);
    cr_expect_gt(strlen(row->reason), 20, "%s", row->method);
    cr_expect(!row->only || ts_case_find(row->only), "%s", row->method);
  }
  cr_expect_null(ts_expected_violation_find("semi_local", TS_RELATION_SWAP, "wall"));
  cr_expect_not_null(ts_expected_violation_find("closest_points", TS_RELATION_SPLIT, "wall"));
  for (int r = 0; r < TS_RELATION_COUNT; r++)
    cr_expect_eq((int)ts_relation_find(ts_relations[r].name), r);
  cr_expect_eq((int)ts_relation_find("nothing"), TS_RELATION_COUNT);
}
