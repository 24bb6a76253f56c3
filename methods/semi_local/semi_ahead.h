// SPDX-License-Identifier: MIT
/// Stage 7 of a pair: no more contacts ahead of a touch than keep the bodies apart within reach.
///
/// Around the point where a fine mesh touches another every facet within the range of gaps has a
/// contact with a normal of its own: thousands. A contact with the normal n at p and the gap g asks
/// of a motion, v at the middle c of the contacts and turning by w, that n . (v + w x (p - c)) is
/// no less than -g. That is implied by others when row and gap are a sum of theirs, with factors
/// not below 0 (Farkas' lemma). So contacts are rays of a cone in seven dimensions, and those that
/// are within the accuracy of the cone of others are left out.
///
/// The accuracy: whatever motion the contacts that stay allow, of a size s up to the largest gap
/// that is reported, none that is left out closes by more than TS_SEMI_AHEAD_GAP of its gap beyond
/// its gap, plus TS_SEMI_AHEAD_MOTION of s. The size is the length of (v, w L), L half of the
/// pair's size.
#ifndef TS_METHODS_SEMI_AHEAD_H
#define TS_METHODS_SEMI_AHEAD_H

#include "methods/semi_local/semi_contacts.h"

/// In: contacts. Out: those of them, in their order, that the others do not imply to that accuracy.
/// Those that touch or overlap always stay, and the deepest, those of a group, and those of flat
/// faces that lie on each other, other than facets of a curve. How many of the rest stay depends on
/// the accuracy and hardly on the mesh. Time: a small least squares problem for each contact, a few
/// times.
ts_status ts_semi_bound_ahead(ts_semi_contacts *out, const ts_semi_pair *pair,
                              const ts_semi_contacts *contacts);

#endif
