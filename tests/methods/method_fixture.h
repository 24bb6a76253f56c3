// SPDX-License-Identifier: MIT
/// A host for one method and one pair of bodies, and meshes simple enough to know the answer for.
#ifndef TS_TESTS_METHODS_METHOD_FIXTURE_H
#define TS_TESTS_METHODS_METHOD_FIXTURE_H

#include "base/arena.h"
#include "base/random.h"
#include "geometry/contact_set.h"
#include "geometry/pose.h"
#include "methods/method.h"

#include <stdbool.h>

typedef struct method_fixture method_fixture;
struct method_fixture {
  ts_host host;         ///< first, so that the host's functions find the rest
  method_fixture *self; ///< for the functions that get a const host
  ts_arena *arena, *scratch;
  ts_contact_set set;
  size_t push_count;
  ts_status push_status; ///< what push() answers
};

/// Two bodies as a test thinks of them.
typedef struct fixture_pair {
  const ts_mesh *mesh[2];
  ts_pose pose[2];
} fixture_pair;

/// Contacts in the fixture's arena, canonical: sorted, without duplicates.
typedef struct fixture_contacts {
  const ts_contact *contacts;
  size_t count, delivered;
} fixture_contacts;

/// Which random inputs a test is to look at.
typedef struct fixture_seeds {
  uint64_t first, count;
  bool is_asked; ///< by the environment: then a test prints what it counts
} fixture_seeds;

/// As many as TOUCHSTONE_<what>_PAIRS says, else `count` (fewer with sanitizers), from
/// TOUCHSTONE_<what>_FIRST on, else 0.
fixture_seeds fixture_seeds_of(const char *what, uint64_t count);

void fixture_open(method_fixture *f);
void fixture_close(method_fixture *f);

const ts_mesh *fixture_mesh(method_fixture *f, const ts_vec3 *vertices, size_t vertex_count,
                            const uint32_t (*triangles)[3], size_t triangle_count);

/// A box. The diagonals of its top and bottom run from (-x, -z) to (+x, +z) when the flag is 0,
/// from
/// (+x, -z) to (-x, +z) when it is 1. Vertex index: 1 for +x, 2 for +y, 4 for +z.
const ts_mesh *fixture_box(method_fixture *f, ts_vec3 low, ts_vec3 high, int top_diagonal,
                           int bottom_diagonal);

/// A square pyramid, tip (vertex 4) at the origin, base of half side `half_m` at y = -height.
const ts_mesh *fixture_spike(method_fixture *f, double half_m, double height_m);

/// A roof: ridge from (-length, 0, 0) to (length, 0, 0), base of half sides length and `half_m` at
/// y = -height.
const ts_mesh *fixture_wedge(method_fixture *f, double half_m, double length_m, double height_m);

/// The tetrahedron of four points, in either orientation.
const ts_mesh *fixture_tet(method_fixture *f, const ts_vec3 points[4]);

/// The same surface with vertices and triangles in another order and triangles that start at other
/// corners.
const ts_mesh *fixture_shuffled(method_fixture *f, const ts_mesh *mesh, uint64_t seed);

/// A copy with every coordinate multiplied.
const ts_mesh *fixture_scaled(method_fixture *f, const ts_mesh *mesh, double scale);

/// A rotation about x by half a turn, then a shift: puts an upright body upside down.
ts_pose fixture_upside_down(double x, double y, double z);
ts_pose fixture_shift(double x, double y, double z);

/// A rigid motion, translation within `reach_m` along each axis.
ts_pose fixture_motion(uint64_t seed, double reach_m);

/// Runs a method on a pair; `values` NULL: the defaults. Fails the test on any error. Every contact
/// is checked to have a unit normal, finite numbers, no area, and features that are there.
fixture_contacts fixture_run(method_fixture *f, const ts_method *method, const double *values,
                             const fixture_pair *pair);

/// The status of a run that may fail.
ts_status fixture_try(method_fixture *f, const ts_method *method, const double *values,
                      const fixture_pair *pair);

/// Fails the test unless both sets are the same up to order and feature ids, `expected` moved by
/// `motion` and its normals multiplied by `sign`.
void fixture_expect_same(fixture_contacts got, fixture_contacts expected, ts_pose motion,
                         double sign, double tolerance_m, double tolerance_normal,
                         const char *what);

/// Number of contacts of a set at a point, within 1e-9 m.
size_t fixture_count_at(fixture_contacts set, ts_vec3 point);

/// Number of contacts of a set with a normal, within 1e-9.
size_t fixture_count_normal(fixture_contacts set, ts_vec3 normal);

#endif
