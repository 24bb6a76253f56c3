// SPDX-License-Identifier: MIT
/// Total orders of contacts.
#ifndef TS_GEOMETRY_CONTACT_SORT_H
#define TS_GEOMETRY_CONTACT_SORT_H

#include "base/types.h"

typedef enum ts_contact_order {
  /// By point, normal, gap, area, features and group; vectors by x, then y, then z; NaN last.
  TS_CONTACT_ORDER_CANONICAL,
  /// By point, normal and gap, vectors by y, then x, then z, as the simulator PROX does; then as
  /// above.
  TS_CONTACT_ORDER_PROX
} ts_contact_order;

/// Sorts; negative zeros become zeros and every NaN the same NaN. Equal contacts are equal in all
/// bits then, so that the order in which they came does not matter. Cost grows with n log(n), and
/// with n where few contacts have the same first coordinate.
void ts_contact_sort(ts_contact *contacts, size_t count, ts_contact_order order);

#endif
