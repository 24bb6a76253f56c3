// SPDX-License-Identifier: MIT
/// The kernels of the methods on tetrahedra; each is what its method file tells. Those given a
/// pair that does not overlap find that out themselves.
#ifndef TS_METHODS_TET_KERNELS_H
#define TS_METHODS_TET_KERNELS_H

#include "methods/tet/tet_pair.h"

void ts_tet_closest_points(ts_tet_contacts *out, const ts_tet_pair *pair, ts_profile profile,
                           double size_m);
void ts_tet_intersection(ts_tet_contacts *out, const ts_tet_pair *pair, ts_profile profile,
                         double size_m);
void ts_tet_vertex_only(ts_tet_contacts *out, const ts_tet_pair *pair, ts_profile profile,
                        double size_m);
void ts_tet_consistent_vertex(ts_tet_contacts *out, const ts_tet_pair *pair, ts_profile profile,
                              double size_m);
void ts_tet_volume_sat(ts_tet_contacts *out, const ts_tet_pair *pair, ts_profile profile,
                       double size_m);
void ts_tet_surface_sat(ts_tet_contacts *out, const ts_tet_pair *pair, ts_profile profile,
                        double size_m);
void ts_tet_opposing(ts_tet_contacts *out, const ts_tet_pair *pair, ts_profile profile,
                     double size_m);
void ts_tet_growth(ts_tet_contacts *out, const ts_tet_pair *pair, ts_profile profile,
                   double size_m);

#endif
