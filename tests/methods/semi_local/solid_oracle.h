// SPDX-License-Identifier: MIT
/// Random bodies that are not convex, of which it is known whether they overlap: they are made of
/// tetrahedra, and overlap where two of those do.
#ifndef TS_TESTS_METHODS_SOLID_ORACLE_H
#define TS_TESTS_METHODS_SOLID_ORACLE_H

#include "tests/methods/semi_local/convex_oracle.h"

typedef struct solid_kind {
  const char *name;
  convex_grid grid; ///< what coordinates are rounded to
  double thinness;  ///< of one extent over the others
  double ratio;     ///< of the sizes of both bodies, at most
  bool is_bent;     ///< cells with slanted and bent sides; otherwise boxes
  bool is_turned;   ///< against each other
} solid_kind;

enum { SOLID_KIND_COUNT = 10 };
extern const solid_kind solid_kinds[SOLID_KIND_COUNT];

/// A connected set of cells of a grid of 3 by 3 by up to 3, of any widths: an L, a U, a frame, a
/// comb, a stair. The mesh has tets, and is not convex.
const ts_mesh *solid_random(method_fixture *f, ts_random *random, const solid_kind *kind,
                            double size_m);

/// How deep some tet of one body is in some tet of the other [m], by all 44 axes; 0 where none is.
/// The bodies overlap exactly where this is above rounding, and by as much or more.
double solid_depth(const fixture_pair *pair);

/// Distance [m] of a point from a body, 0 inside.
double solid_distance(const ts_mesh *mesh, ts_pose pose, ts_vec3 point);

/// Two bodies, the second of which was moved from where it is outside of the first, perhaps in a
/// hollow of it, to where it overlaps it; and then stopped `way_of_size` times the pair's size
/// beyond where the overlap begins, or before that when it is negative. `*out_size_m`: that size.
fixture_pair solid_random_pair(method_fixture *f, ts_random *random, const solid_kind *kind,
                               double way_of_size, double *out_size_m);

#endif
