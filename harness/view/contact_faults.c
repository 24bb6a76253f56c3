// SPDX-License-Identifier: MIT
#include "harness/view/contact_faults.h"

#include "geometry/tolerances.h"
#include "geometry/vec3.h"

#include <math.h>

// A column that a file of an older version lacks is NaN, which is not above zero.
unsigned ts_contact_faults(const ts_contact_row *row) {
  double length = ts_vec3_norm((ts_vec3){row->normal_x, row->normal_y, row->normal_z});
  bool is_judged = !(row->phantom > 0 || row->speculative > 0 || isnan(row->correct));
  unsigned faults = 0;
  faults |= (unsigned)(row->phantom > 0) << TS_VIEW_PHANTOM;
  faults |= (unsigned)(row->speculative_wrong > 0) << TS_VIEW_SPECULATIVE_WRONG;
  faults |= (unsigned)(is_judged && !(row->correct > 0)) << TS_VIEW_NORMAL_INCORRECT;
  faults |= (unsigned)(row->flipped > 0) << TS_VIEW_NORMAL_FLIPPED;
  faults |= (unsigned)!(fabs(length - 1) <= TS_UNIT_NORMAL) << TS_VIEW_NORMAL_INVALID;
  faults |= (unsigned)(row->gap_wrong > 0) << TS_VIEW_GAP_WRONG;
  return faults;
}
