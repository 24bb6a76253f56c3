// SPDX-License-Identifier: MIT
/// Volume-SAT and Surface-SAT in PROX: the intersection points of overlapping tets, moved to the
/// middle of their extent along the axis of minimum overlap. That extent is the depth.
#include "methods/prox2018/prox_kernels.h"
#include "methods/prox2018/prox_overlap.h"
#include "methods/prox2018/prox_points.h"

static void find(ts_prox_contacts *out, const ts_prox_pair *pair, ts_tet_axes axes) {
  ts_prox_pair_planes planes;
  ts_prox_points points;
  ts_real3 axis;
  out->count = 0;
  if (!ts_prox_overlap_axis(&axis, &planes, pair, axes))
    return;
  ts_prox_points_find(&points, pair, &planes);
  ts_prox_points_report(out, &points, axis);
}

void ts_prox_volume_sat(ts_prox_contacts *out, const ts_prox_pair *pair) {
  find(out, pair, ts_tet_axes_all);
}

void ts_prox_surface_sat(ts_prox_contacts *out, const ts_prox_pair *pair) {
  find(out, pair, ts_tet_axes_of_surface(pair->surface));
}
