// SPDX-License-Identifier: MIT
/// How different the forces are that two sets of contacts can transmit.
#ifndef TS_GEOMETRY_WRENCH_DISTANCE_H
#define TS_GEOMETRY_WRENCH_DISTANCE_H

#include "base/arena.h"
#include "geometry/twist/twist_cone.h"

/// `*out` is the largest distance of the wrench of a contact of `from` [from_count] from the cone
/// of the wrenches of `to` [to_count], without friction: 0 when contacts of `from` block no motion
/// that those of `to` leave free, 1 when one is at a right angle to them or `to` is empty; 0 when
/// `from` is empty. Wrenches are unit, in the frame; contacts that are not finite are left out.
/// `*worst` is the index of a contact with that distance, from_count for none; NULL is allowed.
/// NaN when one of the sets has alternatives (ts_contact::group): they have no cone. Rounding is
/// about 1e-12. TS_E_MEMORY.
ts_status ts_wrench_distance(double *out, size_t *worst, const ts_twist_frame *frame,
                             const ts_contact *from, size_t from_count, const ts_contact *to,
                             size_t to_count);

/// The wrenches of a set of contacts, to be compared with several others.
typedef struct ts_wrench_set {
  bool has_alternatives; ///< then there are no rows
  size_t count;
  const ts_twist_row *rows; ///< [count] unit
  const size_t *contacts;   ///< [count] of which contact each is
  size_t generator_count;   ///< the first rows, whose cone is that of all of them
} ts_wrench_set;

/// Takes the wrenches of contacts [count], into the arena. TS_E_MEMORY.
ts_status ts_wrench_set_make(ts_wrench_set *out, ts_arena *arena, const ts_twist_frame *frame,
                             const ts_contact *contacts, size_t count);

/// As ts_wrench_distance(), of sets in the same frame. `*worst` (not NULL) is SIZE_MAX for none.
double ts_wrench_set_distance(size_t *worst, const ts_wrench_set *from, const ts_wrench_set *to);

#endif
