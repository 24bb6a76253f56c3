// SPDX-License-Identifier: MIT
/// Exact solids of every kind for the tests of this folder.
#ifndef TS_TESTS_SOLID_FIXTURE_H
#define TS_TESTS_SOLID_FIXTURE_H

#include "geometry/solid/solid_separation.h"

/// Sphere, capsule, cylinder, cone, box, hull of points, coin, needle of a cone, thin capsule.
#define SOLID_KINDS 9

/// Whether solid `kind` has a curved surface.
bool solid_fixture_is_curved(int kind);

/// Of kind 0 to SOLID_KINDS - 1, about a metre large times `scale`, at a pose; fails the test when
/// that fails. Equal kinds have equal shapes.
ts_solid solid_fixture_make(ts_arena *arena, int kind, double scale, ts_pose pose);

/// The same, moved.
ts_solid solid_fixture_moved(ts_arena *arena, const ts_solid *solid, ts_vec3 by);

/// The convex mesh of a curved solid that is off by about `error_relative` of its radius, at the
/// same pose, and by how much it is off.
ts_solid solid_fixture_mesh(double *out_error_m, ts_arena *arena, const ts_solid *solid,
                            double error_relative);

/// The largest gap of some thousand directions all around, and of those that are better and better
/// from the best of them; `*out_normal` is its direction.
double solid_fixture_search(ts_vec3 *out_normal, const ts_solid *a, const ts_solid *b);

/// `b` moved along the way that the separation finds until the gap is `gap_m`.
ts_solid solid_fixture_at_gap(ts_arena *arena, const ts_solid *a, const ts_solid *b, double gap_m);

#endif
