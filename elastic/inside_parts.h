// SPDX-License-Identifier: MIT
/// What each connected part of an overlap has: areas, normals, triangles and sheets.
#ifndef TS_ELASTIC_INSIDE_PARTS_H
#define TS_ELASTIC_INSIDE_PARTS_H

#include "elastic/inside_joins.h"

/// Numbers the parts and moves the pieces to `out`. TS_SKIPPED where a part with depth has a
/// surface of one body only, or of none: its other faces are flush.
ts_status ts_inside_collect(ts_inside *out, ts_inside_graph *graph);

#endif
