// SPDX-License-Identifier: MIT
/// A snapshot made by hand: two tetrahedra with one mesh, a point, a segment and a polygon as
/// touching regions, and contacts of every kind.
#ifndef TS_TESTS_REPORTS_EXHIBIT_FIXTURE_H
#define TS_TESTS_REPORTS_EXHIBIT_FIXTURE_H

#include "reports/export/snapshot.h"

enum {
  FIXTURE_CORRECT = 0,
  FIXTURE_INCORRECT,
  FIXTURE_SPECULATIVE,
  FIXTURE_PHANTOM,
  FIXTURE_NO_NORMAL, ///< its normal is NaN
  FIXTURE_NOWHERE,   ///< its point is NaN
  FIXTURE_CONTACTS
};

/// The rows of fixture_snapshot(), which may be modified before use.
extern ts_contact_row fixture_contacts[FIXTURE_CONTACTS];

/// Body "lower" is at the origin; "upper" is 2 m above it, turned by 90 degrees about y, and has an
/// envelope with one tet. Borrowed; filled again by each call.
ts_snapshot fixture_snapshot(void);

#endif
