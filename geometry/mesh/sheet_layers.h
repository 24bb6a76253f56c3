// SPDX-License-Identifier: MIT
/// How thick a sheet may be where its surface lies behind itself.
#ifndef TS_GEOMETRY_SHEET_LAYERS_H
#define TS_GEOMETRY_SHEET_LAYERS_H

#include "base/types.h"

/// Makes `*thickness_m` [m] less where the prism below a triangle, twice as long, meets another
/// triangle: then at most half of the way to it. `up`: against which prisms go; zero: each against
/// the normal of its triangle. Triangles closer than `layer_m` behind another are passed over:
/// neighbours, and layers between which nothing fits; INFINITY: there are no others, so that none
/// are looked for. Of many prisms that lie across each other the length is halved until they are
/// few: time grows with n log n.
///
/// TS_E_INPUT, with the triangles, for one that faces along the prism of another that begins in it:
/// whatever its length, the prism would stand out of it.
ts_status ts_sheet_limit(double *thickness_m, const ts_open_mesh *mesh, ts_vec3 up, double layer_m);

#endif
