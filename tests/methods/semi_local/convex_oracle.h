// SPDX-License-Identifier: MIT
/// The exact separation of two convex polyhedra, by all axes, and random pairs of them.
#ifndef TS_TESTS_METHODS_CONVEX_ORACLE_H
#define TS_TESTS_METHODS_CONVEX_ORACLE_H

#include "base/random.h"
#include "tests/methods/method_fixture.h"

#include <stdbool.h>

/// The largest separation along any axis, from mesh 0 to mesh 1: that of a face of either or of a
/// cross product of edges. Below zero the bodies overlap, and its opposite is the length of the
/// shortest translation of mesh 1, along the normal, that ends it.
typedef struct convex_truth {
  double gap_m;
  ts_vec3 normal;
} convex_truth;

/// Projections are compared in a number type of at least 64 bits of mantissa; poses are taken as
/// they are, with their quaternions made unit in that type.
convex_truth convex_oracle(const fixture_pair *pair);

/// Distance [m] of a point from a convex body, 0 inside.
double convex_distance(const ts_mesh *mesh, ts_pose pose, ts_vec3 point);

/// What coordinates of a random body are rounded to.
typedef enum convex_grid { CONVEX_DOUBLES, CONVEX_FLOATS, CONVEX_MILLIMETRES } convex_grid;

double convex_on_grid(double x, convex_grid grid);

typedef struct convex_kind {
  const char *name;
  convex_grid grid;
  double thinness; ///< of the thinnest extent over the others
  double ratio;    ///< of the sizes of both bodies, at most
  double scale;    ///< of everything
  double away_m;   ///< of both bodies from the origin of the world
  bool is_turned;  ///< bodies at poses, not in world coordinates
} convex_kind;

enum { CONVEX_KIND_COUNT = 12 };
extern const convex_kind convex_kinds[CONVEX_KIND_COUNT];

/// The hull of 8 to 40 random points about the origin; NULL where they are degenerate.
const ts_mesh *convex_random(method_fixture *f, ts_random *random, const convex_kind *kind,
                             double size_m);

/// Two random bodies at the same place.
fixture_pair convex_random_bodies(method_fixture *f, ts_random *random, const convex_kind *kind);

/// Two random bodies whose separation is `gap_of_size` times the pair's size, up to rounding.
fixture_pair convex_random_pair(method_fixture *f, ts_random *random, const convex_kind *kind,
                                double gap_of_size);

#endif
