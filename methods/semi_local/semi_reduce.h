// SPDX-License-Identifier: MIT
/// Stages 6 and 7 of a pair: fewer contacts that block the same motions.
#ifndef TS_METHODS_SEMI_REDUCE_H
#define TS_METHODS_SEMI_REDUCE_H

#include "methods/semi_local/semi_contacts.h"

/// In: contacts, and the regions and choices that they are of. Out: those of them, in their order,
/// that others do not imply. Left out are contacts of choices under a region with their normal, and
/// of those of one face and one connected surface over it all but the lower hull of their gaps.
/// n . v is linear in the point, so that what is left out blocks nothing that the rest does not;
/// the deepest always stays.
ts_status ts_semi_reduce(ts_semi_contacts *out, const ts_semi_pair *pair,
                         const ts_semi_regions *regions, const ts_semi_choices *choices,
                         const ts_semi_contacts *contacts);

/// In: all contacts. Out: those of them, in their order, that the others do not imply, to an
/// accuracy: no more contacts ahead of a touch than keep the bodies apart within reach. Around the
/// point where one fine mesh nearly touches another, each facet within the range of gaps has a
/// contact with a normal of its own, thousands of them.
///
/// A contact with the normal n at p and the gap g asks of a motion, v at the middle c of the
/// contacts and a turn w, that n . (v + w x (p - c)) >= -g. Others imply it when it is a sum of
/// them, rows and gaps alike, with factors not below 0 (Farkas' lemma). The accuracy: whatever
/// motion the contacts that stay allow, up to the largest gap reported, no contact that was left
/// out closes farther than its gap by more than TS_SEMI_AHEAD_GAP of that gap. The size of a motion
/// is the length of (v, w L), L half of the pair's size.
///
/// Left out are contacts of facets of a finely meshed curve that are ahead of a touch; of faces
/// that lie on each other when both are facets. Those that touch or overlap always stay, as do the
/// deepest and those of a group. How many others stay depends on the accuracy much more than on the
/// mesh. Each takes a few small least squares problems.
ts_status ts_semi_reduce_ahead(ts_semi_contacts *out, const ts_semi_pair *pair,
                               const ts_semi_contacts *contacts);

#endif
