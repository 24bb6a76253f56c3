// SPDX-License-Identifier: MIT
/// All contacts of one pair at one pose.
#ifndef TS_GEOMETRY_CONTACT_SET_H
#define TS_GEOMETRY_CONTACT_SET_H

#include "base/types.h"
#include "geometry/aabb.h"

/// `contacts` is malloc'ed by ts_contact_set_push and freed by ts_contact_set_clear. All zero is an
/// empty set.
typedef struct ts_contact_set {
  int32_t body_a, body_b; ///< body_a < body_b
  ts_contact *contacts;   ///< [count]
  size_t count, capacity;
  size_t delivered; ///< contacts pushed, before duplicates were dropped
} ts_contact_set;

/// Appends copies. TS_E_MEMORY leaves the set as it was.
ts_status ts_contact_set_push(ts_contact_set *set, const ts_contact *contacts, size_t count);

/// A box, extended to the points of contacts [count] that are finite.
ts_aabb ts_contact_points_box(ts_aabb box, const ts_contact *contacts, size_t count);

/// Frees the contacts; the bodies stay.
void ts_contact_set_clear(ts_contact_set *set);

/// Makes the set canonical: contacts are sorted (TS_CONTACT_ORDER_CANONICAL), and those equal to an
/// earlier one that is kept within TS_SAME_POINT_RELATIVE * size_m and TS_SAME_NORMAL in point,
/// normal and gap, and of the same group, are dropped, near duplicates that are not neighbours in
/// the order too; the one that is kept has their areas as well. Contacts whose point, normal or gap
/// is not finite are never duplicates. Groups are numbered from 1 in the order of their first
/// contacts. The order in which the contacts came does not matter. Cost grows with n log(n), also
/// when many share a plane or a point. TS_E_MEMORY leaves the set sorted, with duplicates.
ts_status ts_contact_set_canonicalise(ts_contact_set *set, double size_m);

/// Sorted and with duplicates dropped as the simulator PROX does, whose published counts come from
/// it: the order is by y, then x, then z of points and normals, then gap; only a contact equal to
/// the last one kept, within TS_PROX_SAME_CONTACT, goes, so that near duplicates which are not
/// neighbours stay.
void ts_contact_set_canonicalise_prox(ts_contact_set *set);

/// Continues `hash` over bodies and contacts, bit for bit, in their order; the area and
/// the feature ids too.
uint64_t ts_contact_set_hash(uint64_t hash, const ts_contact_set *set);

#endif
