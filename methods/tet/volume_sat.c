// SPDX-License-Identifier: MIT
/// Volume-SAT (Erleben 2018, section 6): of all axes that may separate two tets, the one with the
/// minimum overlap, faces before edge crosses; the intersection points are moved to the plane
/// through their average, square to it, with that overlap as depth. Of axes that are as good, as at
/// any touch, ts_tet_tet_least_overlap_among takes the one towards the other tet's centre.
///
/// profile=prox2018: methods/prox2018/prox_sat.c.
#include "methods/tet/tet_bodies.h"
#include "methods/tet/tet_kernels.h"
#include "methods/tet/tet_sat.h"

void ts_tet_volume_sat_overlapping(ts_tet_contacts *out, const ts_tet_pair *pair, double size_m) {
  ts_tet_sat(out, pair, ts_tet_axes_all, size_m);
}

void ts_tet_volume_sat(ts_tet_contacts *out, const ts_tet_pair *pair, double size_m) {
  out->count = 0;
  if (ts_tet_pair_overlaps(pair, size_m))
    ts_tet_volume_sat_overlapping(out, pair, size_m);
}

TS_TET_METHOD(volume_sat, TS_TET_VOLUME_SAT,
              "Intersection points of tetrahedra, normal along the axis of minimum overlap.",
              "Erleben 2018, section 6", .locality = TS_LOCALITY_LOCAL,
              .testing = TS_TESTING_VOLUME, .normals = TS_NORMALS_FEATURES,
              .instant = TS_INSTANT_DISCRETE, .exact = TS_SUPPORT_FULL,
              .continuous = TS_SUPPORT_FULL, .deformable = TS_SUPPORT_FULL,
              .topology = TS_SUPPORT_FULL, .limits = "volume meshes only")
