// SPDX-License-Identifier: MIT
/// Choosing a few contacts of many, as engines reduce a manifold.
#ifndef TS_GEOMETRY_CONTACT_REDUCE_H
#define TS_GEOMETRY_CONTACT_REDUCE_H

#include "base/types.h"

/// Chooses at most `points` of the contacts [count], which are canonical: the deepest, the farthest
/// from it, the one that spans the largest triangle with both, and then, each time, the one that
/// adds the largest area outside of what is spanned, seen along the normal of that triangle. Depths
/// are different only when they differ by more than TS_REDUCE_DEPTH_RELATIVE * size_m, lengths and
/// areas likewise (of size_m squared); of equal ones the deepest is chosen, so that of contacts in
/// one place it is not the order of the bodies that decides, and of equally deep ones the first. It
/// ends early where none adds a length or an area: of coincident contacts one is chosen, of
/// collinear ones two. No more than `points` contacts are all chosen. An unknown gap counts as the
/// shallowest. `chosen` [points] are indices in ascending order; returns how many there are.
size_t ts_contacts_reduce(size_t *chosen, const ts_contact *contacts, size_t count, size_t points,
                          double size_m);

#endif
