// SPDX-License-Identifier: MIT
#include "tests/cases/case_fixture.h"

#include "base/param.h"
#include "base/status.h"
#include "cases/scene/shape_state.h"
#include "cases/scene_file/scene_file.h"
#include "geometry/closest.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool case_fixture_is_published(const ts_case *c) {
  return strcmp(c->suite, "erleben") == 0;
}

ts_arena *case_fixture_arena(void) {
  ts_arena *arena = NULL;
  cr_assert(ts_arena_create(&arena) == TS_OK);
  return arena;
}

ts_scene *case_fixture_build(ts_arena *arena, const char *name, const case_setting *settings,
                             size_t count) {
  const ts_case *c = ts_case_find(name);
  cr_assert(c != NULL, "there is no case %s", name);
  const ts_param *params = ts_case_params(arena, c);
  size_t param_count = ts_case_param_count(c);
  double values[32];
  ts_param_defaults(values, params, param_count);
  for (size_t i = 0; i < count; i++) {
    int index = ts_param_find(params, param_count, settings[i].name);
    cr_assert(index >= 0, "%s has no parameter %s", name, settings[i].name);
    cr_assert(ts_param_check(&params[index], settings[i].value) == TS_OK, "%s", ts_status_detail());
    values[index] = settings[i].value;
  }
  ts_scene *scene = NULL;
  cr_assert(ts_case_build(&scene, arena, c, values) == TS_OK, "%s: %s", name, ts_status_detail());
  return scene;
}

const ts_mesh *case_fixture_filled(ts_arena *arena, const ts_scene *scene, int32_t body) {
  static const ts_shape_state as_designed = {.needs_tets = true};
  const ts_mesh *mesh;
  ts_status status =
      ts_shape_state_mesh(&mesh, arena, scene, (size_t)scene->bodies[body].shape, &as_designed);
  cr_assert_eq(status, TS_OK, "%s", ts_status_detail());
  return mesh;
}

ts_scene *case_fixture_open(ts_arena *arena, const char *name) {
  ts_scene_file file;
  const char *path = ts_arena_format(arena, "%s/%s/scene.json", TS_SCENES_FOLDER, name);
  cr_assert(ts_scene_file_open(&file, arena, path) == TS_OK, "%s: %s", name, ts_status_detail());
  return file.scene;
}

void case_fixture_expect_totals(const ts_scene *scene, const char *what, size_t regions,
                                size_t minimum, double area_m2) {
  ts_truth_totals t = ts_scene_truth_totals(scene, TS_REFERENCE_DESIGN);
  cr_expect(t.regions == regions && t.minimum == minimum, "%s: %zu regions, minimum %zu", what,
            t.regions, t.minimum);
  cr_expect_float_eq(t.area_m2, area_m2, 1e-6, "%s: %g m2", what, t.area_m2);
}

ts_vec3 case_fixture_vertex(const ts_scene *scene, int32_t body, size_t vertex) {
  const ts_body *b = &scene->bodies[body];
  return ts_pose_point(b->pose, scene->shapes[b->shape].mesh->vertices[vertex]);
}

double case_fixture_surface_distance(const ts_scene *scene, int32_t body, ts_vec3 point) {
  const ts_body *b = &scene->bodies[body];
  const ts_mesh *mesh = scene->shapes[b->shape].mesh;
  ts_vec3 local = ts_pose_point_local(b->pose, point);
  double smallest = INFINITY;
  for (size_t t = 0; t < mesh->triangle_count; t++) {
    ts_vec3 corners[3];
    for (int i = 0; i < 3; i++)
      corners[i] = mesh->vertices[mesh->triangles[t][i]];
    smallest = fmin(smallest, ts_closest_point_triangle(local, corners).distance_m);
  }
  return smallest;
}

double case_fixture_pair_size(const ts_scene *scene, const ts_region *region) {
  return ts_pair_size_m(&scene->shapes[scene->bodies[region->body_a].shape],
                        &scene->shapes[scene->bodies[region->body_b].shape]);
}

const char *case_fixture_enter_folder(ts_arena *arena) {
  char *folder = ts_arena_string(arena, "/tmp/ts_scene_XXXXXX");
  cr_assert_not_null(mkdtemp(folder));
  cr_assert_eq(chdir(folder), 0);
  return folder;
}

void case_fixture_remove_folder(ts_arena *arena, const char *folder) {
  char *command = ts_arena_format(arena, "rm -rf %s", folder);
  cr_expect_eq(system(command), 0);
}

void case_fixture_put(const char *name, const char *text) {
  FILE *file = fopen(name, "wb");
  cr_assert_not_null(file);
  fputs(text, file);
  fclose(file);
}
