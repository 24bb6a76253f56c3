// SPDX-License-Identifier: MIT
/// The kernels of profile=prox2018: what the simulator PROX does with two tets, operation by
/// operation where rounding decides the outcome. The paper's kernels: methods/tet/tet_kernels.h.
#ifndef TS_METHODS_PROX_KERNELS_H
#define TS_METHODS_PROX_KERNELS_H

#include "methods/prox2018/prox_pair.h"

void ts_prox_closest_points(ts_prox_contacts *out, const ts_prox_pair *pair);
void ts_prox_intersection(ts_prox_contacts *out, const ts_prox_pair *pair);
void ts_prox_vertex_only(ts_prox_contacts *out, const ts_prox_pair *pair);
void ts_prox_consistent_vertex(ts_prox_contacts *out, const ts_prox_pair *pair);
void ts_prox_volume_sat(ts_prox_contacts *out, const ts_prox_pair *pair);
void ts_prox_surface_sat(ts_prox_contacts *out, const ts_prox_pair *pair);
void ts_prox_opposing(ts_prox_contacts *out, const ts_prox_pair *pair);
void ts_prox_growth(ts_prox_contacts *out, const ts_prox_pair *pair);

#endif
