// SPDX-License-Identifier: MIT
/// Pairs of all kinds of shapes that touch in one point, with the contact known in closed form: a
/// tip of one body, such as a corner or the end of a capsule, above a seat of the other, such as a
/// face or the side of a cylinder.
#ifndef TS_TESTS_ENGINES_SHAPE_PAIRS_H
#define TS_TESTS_ENGINES_SHAPE_PAIRS_H

#include "tests/methods/engines/engine_driver.h"

#include <stdbool.h>

/// A place on the surface of a shape, in its frame, and a unit direction that is normal there.
typedef struct shape_place {
  const char *name;
  int32_t kind; ///< ts_geometry_kind
  ts_vec3 point, outward;
} shape_place;

#define SEAT_COUNT 11
#define TIP_COUNT  6

/// Seats have a tangent plane or are round; tips have one point that is farthest along `outward`.
/// At scale 1.
extern const shape_place shape_seats[SEAT_COUNT], shape_tips[TIP_COUNT];

/// One pair and its right contact.
typedef struct shape_pair {
  char name[80];
  const ts_mesh *mesh[2];
  ts_pose pose[2];
  ts_vec3 point, normal;
} shape_pair;

/// Meshes with their geometry for all kinds at one scale; borrowed from a driver.
typedef struct shape_kinds {
  const ts_mesh *of_kind[TS_GEOMETRY_KIND_COUNT];
  double scale;
} shape_kinds;

/// Shapes of the kinds that the driver's method takes have a geometry.
void shape_kinds_make(shape_kinds *out, engine_driver *d, double scale);

/// A tip over a seat, `gap_m` apart (overlapping below 0), the whole moved by `motion`. Swapped,
/// the body of the tip is a.
shape_pair shape_pair_make(const shape_kinds *kinds, const shape_place *seat,
                           const shape_place *tip, double gap_m, ts_pose motion, bool is_swapped);

/// How far off the deepest contact of a set is. NaN without one.
typedef struct shape_errors {
  double normal_rad, gap_m, point_m;
} shape_errors;

shape_errors shape_errors_of(const ts_contact_set *set, const shape_pair *pair, double gap_m);

#endif
