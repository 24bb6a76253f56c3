// SPDX-License-Identifier: MIT
/// Runs of hull_clip with parameters by name.
#ifndef TS_TESTS_METHODS_CLIP_FIXTURE_H
#define TS_TESTS_METHODS_CLIP_FIXTURE_H

#include "tests/methods/method_fixture.h"

extern const ts_method ts_method_hull_clip;

typedef struct clip_params {
  double speculative_m, prefer_face_m, max_points;
} clip_params;

/// The defaults, for a scene that is multiplied by `scale`.
clip_params clip_defaults(double scale);

/// The canonical contacts; fails the test on any error.
fixture_contacts clip_run(method_fixture *f, clip_params params, const ts_mesh *a, ts_pose pose_a,
                          const ts_mesh *b, ts_pose pose_b);

/// A cube about the local origin.
const ts_mesh *clip_cube(method_fixture *f, double size_m);

/// The hull of points.
const ts_mesh *clip_hull(method_fixture *f, const ts_vec3 *points, size_t count);

/// A prism about the local origin on a regular polygon of `sides`, of that radius and height (y).
const ts_mesh *clip_prism(method_fixture *f, int sides, double radius_m, double height_m);

#endif
