// SPDX-License-Identifier: MIT
#include "tests/methods/hull_clip/clip_fixture.h"

#include "geometry/mesh/hull.h"
#include "geometry/vec3.h"

#include <criterion/criterion.h>

enum { SIDES_MAX = 256 };

clip_params clip_defaults(double scale) {
  return (clip_params){0.02 * scale, 0.0025 * scale, 4};
}

fixture_contacts clip_run(method_fixture *f, clip_params params, const ts_mesh *a, ts_pose pose_a,
                          const ts_mesh *b, ts_pose pose_b) {
  const double values[] = {params.speculative_m, params.prefer_face_m, params.max_points};
  const fixture_pair pair = {{a, b}, {pose_a, pose_b}};
  return fixture_run(f, &ts_method_hull_clip, values, &pair);
}

const ts_mesh *clip_cube(method_fixture *f, double size_m) {
  double h = 0.5 * size_m;
  return fixture_box(f, ts_vec3_make(-h, -h, -h), ts_vec3_make(h, h, h), 0, 1);
}

const ts_mesh *clip_hull(method_fixture *f, const ts_vec3 *points, size_t count) {
  ts_hull hull;
  cr_assert_eq(ts_hull_of_points(&hull, f->arena, points, count), TS_OK);
  return fixture_mesh(f, hull.vertices, hull.vertex_count, (const uint32_t(*)[3])hull.triangles,
                      hull.triangle_count);
}

const ts_mesh *clip_prism(method_fixture *f, int sides, double radius_m, double height_m) {
  ts_vec3 points[2 * SIDES_MAX];
  cr_assert_leq(sides, SIDES_MAX);
  for (int i = 0; i < 2 * sides; i++) {
    double angle = 2 * 3.14159265358979323846 * (i / 2) / sides;
    points[i] =
        ts_vec3_make(radius_m * cos(angle), (i % 2 ? 0.5 : -0.5) * height_m, radius_m * sin(angle));
  }
  return clip_hull(f, points, 2 * (size_t)sides);
}
