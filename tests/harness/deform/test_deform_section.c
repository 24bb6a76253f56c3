// SPDX-License-Identifier: MIT
// covers: harness/deform/deform_section.c
#include "harness/deform/deform_section.h"

#include "base/status.h"
#include "tests/harness/deform/deform_fixture.h"

#include <stdlib.h>
#include <string.h>

TestSuite(harness_deform_section, .init = deform_setup, .fini = deform_teardown);

static char *drawn(const ts_deform_scene *scene) {
  char *text = NULL;
  size_t bytes;
  FILE *file = open_memstream(&text, &bytes);
  cr_assert(file);
  cr_assert_eq(ts_deform_section_write(file, deform_arena, &scene->pairs[0], &scene->shown), TS_OK,
               "%s", ts_status_detail());
  fclose(file);
  return text;
}

/// Lines in the paths of a stroke.
static size_t lines_of(const char *text, const char *stroke) {
  size_t count = 0;
  for (const char *end = text; (end = strstr(end, stroke));) {
    const char *start = end;
    while (start > text && *start != '<')
      start--;
    for (; start < end; start++)
      count += *start == 'M';
    end += strlen(stroke);
  }
  return count;
}

Test(harness_deform_section, both_bodies_and_their_surface_are_cut) {
  ts_deform_request request = deform_request(deform_spheres(true));
  ts_deform_scene scene = deform_run(&request);
  char *text = drawn(&scene);
  // A great circle of a sphere of 2048 triangles crosses some 100 of them, before and after.
  cr_expect_gt(lines_of(text, "stroke=\"#4477aa\""), 100);
  cr_expect_gt(lines_of(text, "stroke=\"#cc6677\""), 100);
  cr_expect_gt(lines_of(text, "stroke=\"#999933\""), 10);
  cr_expect(strstr(text, ">lower<") && strstr(text, ">upper<"), "the bodies are named");
  cr_expect_not(strstr(text, "nan"));
  free(text);
}

Test(harness_deform_section, a_picture_has_the_same_bytes_at_every_scale) {
  ts_deform_request request = deform_request(deform_stack(2, 0.9, 1, ts_pose_identity()));
  ts_deform_scene scene = deform_run(&request);
  char *one = drawn(&scene);
  request = deform_request(deform_stack(2, 0.9, 1024, ts_pose_identity()));
  scene = deform_run(&request);
  char *other = drawn(&scene);
  cr_expect_str_eq(one, other);
  free(one);
  free(other);
}
