/// What pairs of tets are compared with: slow, in long double, and written without the code tested.
#ifndef TS_TESTS_METHODS_TET_ORACLE_H
#define TS_TESTS_METHODS_TET_ORACLE_H

#include "methods/tet_pair.h"

#include <stdbool.h>

enum { ORACLE_POINTS_MAX = 56 };

/// The corners of the intersection of two tets: where three of the eight planes meet in a point
/// that is inside all of them, none twice. Returns their number. `*out_clear` tells whether no such
/// point is within `margin_m` of a plane that is not one of its three, so that rounding decides
/// nothing.
size_t oracle_corners(ts_vec3 out[ORACLE_POINTS_MAX], bool *out_clear, const ts_tet_pair *pair,
                      double margin_m);

/// The least overlap among face normals of `faces` and crosses of `edges` (a, b; bits as in
/// ts_tet_axes), and its axis; `*out_second_m`: the least along an axis that is another direction.
double oracle_least_overlap(ts_vec3 *out_axis, double *out_second_m, const ts_tet_pair *pair,
                            const unsigned faces[2], const unsigned edges[2]);

/// How far b must move along the unit direction to come after a.
double oracle_overlap_along(const ts_tet_pair *pair, ts_vec3 direction);

#endif
