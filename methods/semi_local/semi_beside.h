// SPDX-License-Identifier: MIT
/// Contacts that claim what the bodies do not show: those beside a body, and overlap of bodies that
/// do not overlap.
#ifndef TS_METHODS_SEMI_BESIDE_H
#define TS_METHODS_SEMI_BESIDE_H

#include "methods/semi_local/semi_contacts.h"

/// Whether a point is farther from a body than that; within it, it is not.
ts_status ts_semi_is_far(bool *out, const ts_semi_pair *pair, int body, ts_vec3 point,
                         double near_m);

/// In: contacts. Out: those that are not beside the bodies, farther from them than the gap that
/// they report and TS_POSITION_RELATIVE; those of regions stay. Beside convex bodies is what is
/// this far from either of them, or overlaps and does not begin and end on them. Of others it has
/// to be far from both: a tip that is about to enter a pit is held by walls which it has not
/// reached yet.
ts_status ts_semi_leave_out_beside(ts_semi_contacts *out, const ts_semi_pair *pair,
                                   const ts_semi_contacts *contacts);

/// In: contacts of bodies that do not overlap by more than `touch_m`, and are apart by `gap_m` or
/// not known to be, 0. Out: those that do not overlap either, with the others as deep as the bodies
/// are, where they are not beside one then. A member of a group stays where another one does not
/// overlap.
ts_status ts_semi_lift(ts_semi_contacts *out, const ts_semi_pair *pair,
                       const ts_semi_contacts *contacts, double gap_m, double touch_m);

/// Whether a contact is of two faces that lie on each other, whose normal and depth are those of
/// the larger one, up to the angle between them.
static inline bool ts_semi_is_of_region(const ts_semi_contact *c) {
  return c->choice == TS_SEMI_NO_CHOICE && c->at.patches[0] != TS_SEMI_NO_PATCH &&
         c->at.patches[1] != TS_SEMI_NO_PATCH;
}

#endif
