// SPDX-License-Identifier: MIT
/// Scenes of bodies that overlap, for the tests of what gives way.
#ifndef TS_TESTS_HARNESS_DEFORM_FIXTURE_H
#define TS_TESTS_HARNESS_DEFORM_FIXTURE_H

#include "harness/deform/deform_scene.h"

#include <criterion/criterion.h>

extern ts_arena *deform_arena;
void deform_setup(void);
void deform_teardown(void);

/// Unit boxes, each `step_m` above the one before, at this scale, turned and moved as told.
ts_scene *deform_stack(size_t count, double step_m, double scale, ts_pose motion);

/// Two spheres of radius 0.5 m, one 0.1 m deep in the other, with 2048 triangles each; the first of
/// them below or above.
ts_scene *deform_spheres(bool lower_first);

/// k 0.5, tau -1, extent 0.5, edges of 0.2 m at scale 1.
ts_deform_request deform_request(const ts_scene *scene);

/// Runs it; asserts that it is fine.
ts_deform_scene deform_run(const ts_deform_request *request);

#endif
