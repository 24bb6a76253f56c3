// SPDX-License-Identifier: MIT
/// Surface-SAT (Erleben 2018, section 6): Volume-SAT, but only axes made by features of the surface
/// are considered. An edge counts as one when a face of the same tet beside it is on the surface.
///
/// profile=prox2018: methods/prox2018/prox_sat.c.
#include "methods/tet/tet_bodies.h"
#include "methods/tet/tet_kernels.h"
#include "methods/tet/tet_sat.h"

void ts_tet_surface_sat_overlapping(ts_tet_contacts *out, const ts_tet_pair *pair, double size_m) {
  ts_tet_sat(out, pair, ts_tet_axes_of_surface(pair->surface), size_m);
}

void ts_tet_surface_sat(ts_tet_contacts *out, const ts_tet_pair *pair, double size_m) {
  out->count = 0;
  if (ts_tet_pair_overlaps(pair, size_m))
    ts_tet_surface_sat_overlapping(out, pair, size_m);
}

TS_TET_METHOD(surface_sat, TS_TET_SURFACE_SAT,
              "Intersection points of tetrahedra, normal along the axis of minimum overlap among "
              "those made by features of the surface.",
              "Erleben 2018, section 6", .locality = TS_LOCALITY_LOCAL,
              .testing = TS_TESTING_SURFACE, .normals = TS_NORMALS_FEATURES,
              .instant = TS_INSTANT_DISCRETE, .exact = TS_SUPPORT_FULL,
              .continuous = TS_SUPPORT_FULL, .deformable = TS_SUPPORT_FULL,
              .topology = TS_SUPPORT_FULL, .limits = "considers surfaces only")
