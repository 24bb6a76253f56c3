// SPDX-License-Identifier: MIT
/// How thick a sheet may be where its surface lies behind itself.
#ifndef TS_GEOMETRY_SHEET_LAYERS_H
#define TS_GEOMETRY_SHEET_LAYERS_H

#include "base/types.h"

/// Makes `*thickness_m` [m] less where the prism below a triangle, twice as long, meets another
/// triangle: then it is half of the way to it at most where that faces away, as the back of a wall,
/// and a twentieth where it faces the prism, as ground below a bridge, so that what fits in between
/// still does. `up`: against which prisms go; zero: each against the normal of its triangle.
/// Triangles closer than `layer_m` behind another are passed over: neighbours, and layers between
/// which nothing fits; INFINITY: there are no others, so that none are looked for. Of many prisms
/// that lie across each other the length is halved until they are few: time grows with n log n.
///
/// TS_E_INPUT, with the triangles, for one that faces away and is closer than that: whatever the
/// length of the prism, it would stand out there.
ts_status ts_sheet_limit(double *thickness_m, const ts_open_mesh *mesh, ts_vec3 up, double layer_m);

#endif
