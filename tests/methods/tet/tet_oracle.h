// SPDX-License-Identifier: MIT
/// What pairs of tets are compared with: slow, in long double, and written without the code tested.
#ifndef TS_TESTS_METHODS_TET_ORACLE_H
#define TS_TESTS_METHODS_TET_ORACLE_H

#include "methods/tet/tet_pair.h"

#include <stdbool.h>

enum { ORACLE_POINTS_MAX = 56 };

/// The corners of the intersection of two tets: where three of the eight planes meet in a point
/// that is inside all of them, none twice. Returns their number. `*out_clear` is set when no such
/// point is within `margin_m` of a plane that is not one of its three, so that rounding decides
/// nothing.
size_t oracle_corners(ts_vec3 out[ORACLE_POINTS_MAX], bool *out_clear, const ts_tet_pair *pair,
                      double margin_m);

/// Outward unit normal of face f, which lies opposite node f, and the height of a point over its
/// plane, positive outside.
ts_vec3 oracle_outward(const ts_vec3 tet[4], int f);
double oracle_height_m(const ts_vec3 tet[4], int f, ts_vec3 p);

/// The least overlap among face normals of `faces` and crosses of `edges` (a, b; bits as in
/// ts_tet_axes), and its axis by brute force over all that are within `tie_m` of it: faces before
/// edges, then closest to the way between the centres, then the mean, zero when nothing is left of
/// that.
double oracle_least_overlap(ts_vec3 *out_axis, const ts_tet_pair *pair, const unsigned faces[2],
                            const unsigned edges[2], double tie_m);

/// What was seen on the lattice.
typedef struct oracle_tally {
  size_t with_axis, touching; ///< pairs with contacts; those of them with no overlap
  size_t without_axis;        ///< pairs that overlap or touch, but whose best axes cancel out
} oracle_tally;

/// Fails the test unless the kernel's normal and gap for pair `n`, of tet_pair_on_lattice, are
/// those of oracle_least_overlap, or there are no contacts because the tets are apart or the axes
/// cancel out.
void oracle_assert_axis_on_lattice(oracle_tally *tally, ts_tet_kernel kernel,
                                   const ts_tet_pair *pair, const unsigned faces[2],
                                   const unsigned edges[2], int n);

/// Fails the test unless the contacts are the corners, moved along the unit normal to the plane at
/// `offset_m`, with that normal and gap.
void oracle_assert_reported(const ts_tet_contacts *contacts, const ts_vec3 *corners, size_t count,
                            ts_vec3 normal, double offset_m, double gap_m, const char *what);

/// How far b must move along the unit direction to come after a.
double oracle_overlap_along(const ts_tet_pair *pair, ts_vec3 direction);

#endif
