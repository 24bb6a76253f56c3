// SPDX-License-Identifier: MIT
/// The kernels of the methods on tetrahedra; each is described in the file of its method.
#ifndef TS_METHODS_TET_KERNELS_H
#define TS_METHODS_TET_KERNELS_H

#include "methods/prox2018/prox_pair.h"
#include "methods/tet/tet_pair.h"

void ts_tet_closest_points(ts_tet_contacts *out, const ts_tet_pair *pair, double size_m);
void ts_tet_intersection(ts_tet_contacts *out, const ts_tet_pair *pair, double size_m);
void ts_tet_vertex_only(ts_tet_contacts *out, const ts_tet_pair *pair, double size_m);
void ts_tet_consistent_vertex(ts_tet_contacts *out, const ts_tet_pair *pair, double size_m);
void ts_tet_volume_sat(ts_tet_contacts *out, const ts_tet_pair *pair, double size_m);
void ts_tet_surface_sat(ts_tet_contacts *out, const ts_tet_pair *pair, double size_m);
void ts_tet_opposing(ts_tet_contacts *out, const ts_tet_pair *pair, double size_m);
void ts_tet_growth(ts_tet_contacts *out, const ts_tet_pair *pair, double size_m);

void ts_tet_volume_sat_overlapping(ts_tet_contacts *out, const ts_tet_pair *pair, double size_m);
void ts_tet_surface_sat_overlapping(ts_tet_contacts *out, const ts_tet_pair *pair, double size_m);
void ts_tet_opposing_overlapping(ts_tet_contacts *out, const ts_tet_pair *pair, double size_m);
void ts_tet_growth_overlapping(ts_tet_contacts *out, const ts_tet_pair *pair, double size_m);

/// What a method runs on pairs of tets.
typedef struct ts_tet_kernels {
  const char *name;        ///< never renamed: the rows of the benchmark depend on it
  ts_tet_kernel paper;     ///< profile=paper: what Erleben 2018 says; unit normals
  ts_prox_kernel prox2018; ///< profile=prox2018: what the author's simulator does, so that its
                           ///< tables can be reproduced; NULL: the paper's kernel there, too
  /// `paper` for a pair that is known to overlap (ts_tet_pair_overlaps); of others it makes no
  /// contacts. NULL: it makes no such difference.
  ts_tet_kernel overlapping;
} ts_tet_kernels;

enum {
  TS_TET_CLOSEST_POINTS,
  TS_TET_INTERSECTION,
  TS_TET_VERTEX_ONLY,
  TS_TET_CONSISTENT_VERTEX,
  TS_TET_VOLUME_SAT,
  TS_TET_SURFACE_SAT,
  TS_TET_OPPOSING,
  TS_TET_GROWTH,
  TS_TET_KERNELS
};
extern const ts_tet_kernels ts_tet_kernels_of[TS_TET_KERNELS];

#endif
