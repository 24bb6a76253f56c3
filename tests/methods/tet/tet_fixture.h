// SPDX-License-Identifier: MIT
/// Random pairs of tets and what must not matter to a method: motion, scale, order.
#ifndef TS_TESTS_METHODS_TET_FIXTURE_H
#define TS_TESTS_METHODS_TET_FIXTURE_H

#include "base/random.h"
#include "geometry/pose.h"
#include "geometry/vec3.h"
#include "methods/tet/tet_pair.h"

/// The larger extent of the smaller tet.
double tet_pair_size_m(const ts_tet_pair *pair);

/// Nodes in the unit cube, of b in one moved by up to `offset` along each axis; at least one
/// surface face each.
ts_tet_pair tet_pair_random(ts_random *random, double offset);

/// Nodes with coordinates 0, 1 or 2 m, both tets with a volume, at least one surface face each:
/// such pairs touch as often as not, in faces, edges and nodes, and are full of ties.
ts_tet_pair tet_pair_on_lattice(ts_random *random);

/// Two tets with the faces opposite node 3 in one plane, z = 0, a below and b above; faces of other
/// shapes that overlap. `gap_m` lifts b.
ts_tet_pair tet_pair_stacked(double gap_m);

/// The same pair scaled about the origin, then moved.
ts_tet_pair tet_pair_moved(const ts_tet_pair *pair, double scale, ts_pose pose);
ts_tet_pair tet_pair_swapped(const ts_tet_pair *pair);
/// The same tets with their nodes turned round by `steps`, and two of them exchanged.
ts_tet_pair tet_pair_reordered(const ts_tet_pair *pair, int steps);

/// Contacts of a pair in the frame and in the order of another.
void tet_contacts_move(ts_tet_contacts *contacts, double scale, ts_pose pose);
void tet_contacts_swap(ts_tet_contacts *contacts);

/// Fails the test unless both have the same contacts within `tolerance` times `size_m` (points,
/// gaps) and `tolerance` (normals).
void tet_contacts_assert_same(const ts_tet_contacts *got, const ts_tet_contacts *expected,
                              double tolerance, double size_m, const char *what);

/// Fails the test when a number is not finite or a normal not unit.
void tet_contacts_assert_sound(const ts_tet_contacts *contacts, const char *what);

/// Runs a kernel of the paper over random pairs and over pairs on a lattice, moved,
/// scaled, swapped and reordered, and fails the test when anything but the frame changes.
void tet_kernel_assert_invariant(ts_tet_kernel kernel);
/// Runs a kernel of the paper over tet_pair_stacked(0), moved in many ways, and fails
/// the test unless the three nodes of b that touch are found, with the normal of the face and no
/// gap.
void tet_kernel_assert_finds_a_touch(ts_tet_kernel kernel);
/// Runs both kernels of a row of ts_tet_kernels_of, that of prox2018 in double precision, over
/// degenerate pairs: flat, without extent, coincident, far away, tiny, large. The paper's gives
/// sound contacts, that of prox2018 finite ones.
void tet_kernel_assert_sound(int row);

/// The same with a reach, for methods that have contacts ahead of a touch; it scales with the pair.
void tet_kernel_assert_invariant_within(ts_tet_kernel kernel, double reach_m);
void tet_kernel_assert_sound_within(int row, double reach_m);

#endif
