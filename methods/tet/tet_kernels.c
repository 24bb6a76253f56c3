// SPDX-License-Identifier: MIT
#include "methods/tet/tet_kernels.h"

#include "methods/prox2018/prox_kernels.h"

// clang-format off
const ts_tet_kernels ts_tet_kernels_of[TS_TET_KERNELS] = {
    //                            name                 profile=paper             profile=prox2018           known to overlap
    [TS_TET_CLOSEST_POINTS]    = {"closest_points",    ts_tet_closest_points,    ts_prox_closest_points,    NULL},
    [TS_TET_INTERSECTION]      = {"intersection",      ts_tet_intersection,      ts_prox_intersection,      NULL},
    [TS_TET_VERTEX_ONLY]       = {"vertex_only",       ts_tet_vertex_only,       ts_prox_vertex_only,       NULL},
    [TS_TET_CONSISTENT_VERTEX] = {"consistent_vertex", ts_tet_consistent_vertex, ts_prox_consistent_vertex, NULL},
    [TS_TET_VOLUME_SAT]        = {"volume_sat",        ts_tet_volume_sat,        ts_prox_volume_sat,        ts_tet_volume_sat_overlapping},
    [TS_TET_SURFACE_SAT]       = {"surface_sat",       ts_tet_surface_sat,       ts_prox_surface_sat,       ts_tet_surface_sat_overlapping},
    [TS_TET_OPPOSING]          = {"opposing",          ts_tet_opposing,          ts_prox_opposing,          ts_tet_opposing_overlapping},
    [TS_TET_GROWTH]            = {"growth",            ts_tet_growth,            ts_prox_growth,            ts_tet_growth_overlapping},
};
// clang-format on
