// SPDX-License-Identifier: MIT
#include "tests/harness/deform/deform_fixture.h"

#include "base/param.h"
#include "base/status.h"
#include "cases/case.h"

#include <string.h>

ts_arena *deform_arena;

void deform_setup(void) {
  cr_assert_eq(ts_arena_create(&deform_arena), TS_OK);
}

void deform_teardown(void) {
  ts_arena_destroy(deform_arena);
}

ts_scene *deform_stack(size_t count, double step_m, double scale, ts_pose motion) {
  static const ts_vec3 corners[8] = {{-.5, -.5, -.5}, {.5, -.5, -.5}, {.5, .5, -.5}, {-.5, .5, -.5},
                                     {-.5, -.5, .5},  {.5, -.5, .5},  {.5, .5, .5},  {-.5, .5, .5}};
  static const uint32_t triangles[12][3] = {{3, 2, 1}, {3, 1, 0}, {4, 5, 6}, {4, 6, 7},
                                            {0, 1, 5}, {0, 5, 4}, {1, 2, 6}, {1, 6, 5},
                                            {2, 3, 7}, {2, 7, 6}, {3, 0, 4}, {3, 4, 7}};
  ts_scene *scene;
  int32_t shape, body;
  cr_assert_eq(ts_scene_create(&scene, deform_arena), TS_OK);
  cr_assert_eq(ts_scene_add_shape(&shape, scene, "box", corners, 8, triangles, 12), TS_OK);
  for (size_t i = 0; i < count; i++) {
    ts_pose pose = {ts_quat_identity(), {0, step_m * (double)i, 0}};
    cr_assert_eq(ts_scene_add_body(&body, scene, "box", shape, pose, false), TS_OK);
  }
  cr_assert_eq(ts_scene_transform(scene, scale, motion), TS_OK);
  return scene;
}

ts_scene *deform_spheres(bool lower_first) {
  const ts_case *c = ts_case_find("deep");
  cr_assert(c);
  size_t count = ts_case_param_count(c);
  const ts_param *params = ts_case_params(deform_arena, c);
  double *values = ts_arena_array(deform_arena, count, sizeof *values);
  cr_assert(params && values);
  ts_param_defaults(values, params, count);
  for (size_t i = 0; i < count; i++) {
    if (strcmp(params[i].name, "triangles") == 0)
      values[i] = 2048;
    for (int k = 0; strcmp(params[i].name, "shape") == 0 && params[i].choices[k]; k++)
      if (strcmp(params[i].choices[k], "two_spheres") == 0)
        values[i] = k;
  }
  ts_scene *scene;
  cr_assert_eq(ts_case_build(&scene, deform_arena, c, values), TS_OK);
  // Turned, so that the meshes are not each other's mirror image.
  scene->bodies[1].pose.rotation =
      ts_quat_from_axis_angle(ts_vec3_unit((ts_vec3){1, 0.3, 0.7}), 0.37);
  if (!lower_first) {
    ts_body swap = scene->bodies[0];
    scene->bodies[0] = scene->bodies[1];
    scene->bodies[1] = swap;
  }
  return scene;
}

ts_deform_request deform_request(const ts_scene *scene) {
  return (ts_deform_request){.case_name = "made",
                             .case_parameters = "",
                             .scene = scene,
                             .settings = {.stiffness_a = 0.5, .tau = -1, .extent = 0.5, .gamma = 1},
                             .edge_max_m = 0.2 * scene->scale};
}

ts_deform_scene deform_run(const ts_deform_request *request) {
  ts_deform_job job;
  ts_deform_scene out;
  cr_assert_eq(ts_deform_job_create(&job, deform_arena, request), TS_OK, "%s", ts_status_detail());
  cr_assert_eq(ts_deform_scene_run(&out, deform_arena, &job), TS_OK, "%s", ts_status_detail());
  return out;
}
