// SPDX-License-Identifier: MIT
#include "methods/tet/tet_sat.h"

#include "geometry/tolerances.h"
#include "methods/tet/tet_pair.h"
#include "methods/tet/tet_points.h"

void ts_tet_sat(ts_tet_contacts *out, const ts_tet_pair *pair, ts_tet_axes axes, double size_m) {
  const ts_vec3 *a = pair->corners[0], *b = pair->corners[1];
  double allowance_m = TS_TOUCH_RELATIVE * size_m;
  out->count = 0;
  ts_tet_points points;
  ts_tet_points_find(&points, pair, size_m);
  if (!points.count)
    return;
  ts_tet_overlap least = ts_tet_tet_least_overlap_among(a, b, axes, allowance_m);
  if (isfinite(least.overlap_m) && ts_vec3_norm2(least.axis) > 0)
    ts_tet_points_report_average(out, &points, least.axis, -least.overlap_m, size_m);
}
