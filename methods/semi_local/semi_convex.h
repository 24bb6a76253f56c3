// SPDX-License-Identifier: MIT
/// The last stage of a pair of convex bodies, whose overlap has one depth and one shortest way out;
/// and the way out of a body that is all inside another.
#ifndef TS_METHODS_SEMI_CONVEX_H
#define TS_METHODS_SEMI_CONVEX_H

#include "methods/semi_local/semi_contacts.h"

/// Whether both bodies stand for smooth ones. The shortest way out of the faces is that of none of
/// the smooth bodies, whose contact is the mean of several faces.
static inline bool ts_semi_are_smooth(const ts_semi_pair *pair) {
  return pair->side[0].shape->is_smooth && pair->side[1].shape->is_smooth;
}

/// In: two convex bodies and their contacts, which may miss some. Out: where some direction
/// separates the bodies, the contacts as they are, but for those that overlap. Otherwise
/// none is deeper than the bodies are in each other, the deepest is as deep, and where they overlap
/// by more than the snap length all have the normal of the shortest way out, or one within the
/// angle up to which faces lie on each other; contacts at the features that meet along it are added
/// where none is as deep. Members of groups stay as they are. TS_E_UNSUPPORTED, with the reason,
/// when a body is all inside the other, deeper than the settings' depth, and has no contact.
ts_status ts_semi_settle_convex(ts_semi_contacts *out, const ts_semi_pair *pair,
                                const ts_semi_contacts *contacts);

/// In: bodies, one of them all inside the other. Out: the contacts of a way out, the shortest where
/// both are convex, otherwise one that is long enough for all of either body. TS_E_UNSUPPORTED,
/// with the depth that it needs, when that is more than the settings'.
ts_status ts_semi_leave(ts_semi_contacts *out, const ts_semi_pair *pair);

#endif
