// SPDX-License-Identifier: MIT
/// What the suites of semi_local share: a host, meshes, and ways to run the method.
#ifndef TS_TESTS_METHODS_SEMI_FIXTURE_H
#define TS_TESTS_METHODS_SEMI_FIXTURE_H

#include "tests/methods/method_fixture.h"

extern const ts_method ts_method_semi_local;

/// The host of the current test, between semi_open() and semi_close(), the .init and .fini of a
/// suite.
extern method_fixture semi_fixture;
void semi_open(void);
void semi_close(void);

/// A box about the origin.
const ts_mesh *semi_box(double width, double height, double depth);

enum { SEMI_PROFILE_MAX = 16 };

/// A profile [count] in the xy plane, counter-clockwise, between z = -half_length and half_length;
/// `cap` [count - 2] cuts it into triangles.
const ts_mesh *semi_extruded(const double (*profile)[2], uint32_t count, const uint32_t (*cap)[3],
                             double half_length);

/// The canonical contacts of two bodies at rest, with the defaults; the test fails on any error.
fixture_contacts semi_run(const ts_mesh *a, ts_pose pose_a, const ts_mesh *b, ts_pose pose_b);

/// The same with another value of one parameter.
fixture_contacts semi_run_with(const char *name, double value, const fixture_pair *pair);

/// The same at another scale of the scene: lengths of the parameters go along.
fixture_contacts semi_run_scaled(double scale, const fixture_pair *pair);

/// The same with all alternatives, as groups.
fixture_contacts semi_run_groups(double scale, const fixture_pair *pair);

/// The mesh as it lies in a pose, multiplied by `scale`, coordinates rounded to single precision.
const ts_mesh *semi_in_float(const ts_mesh *mesh, ts_pose pose, double scale);

/// The contacts, as they are pushed, of body a in its own frame and of b, which moves at a
/// velocity; until the next run.
const ts_contact_set *semi_run_moving(const ts_mesh *a, const ts_mesh *b, ts_pose pose_b,
                                      ts_vec3 velocity);

#endif
