// SPDX-License-Identifier: MIT
/// Where the surface of a body is nearest to a node of another one.
#ifndef TS_HARNESS_NODE_FOOT_H
#define TS_HARNESS_NODE_FOOT_H

#include "geometry/mesh/body.h"
#include "methods/surface/surface.h"

/// In the frame of the body.
typedef struct ts_node_foot {
  double gap_m;       ///< below 0: the node is inside; INFINITY: out of reach
  ts_vec3 outward;    ///< unit, out of the body
  ts_feature feature; ///< the triangle of its mesh; none on an exact surface
} ts_node_foot;

/// The place nearest to `from`, local. By the exact surface where `shape` is a sphere, a box, a
/// plane or a torus. Otherwise (`shape` may be NULL) by the nearest triangle of `surface` within
/// `reach_m`, of equally near ones the first, and for a point inside however far it is; which side
/// it is on is decided by the pseudo-normal there (Baerentzen and Aanaes 2005), which is also the
/// normal within TS_TOUCH_RELATIVE of the surface. TS_E_MEMORY.
ts_status ts_node_foot_find(ts_node_foot *out, const ts_shape *shape, const ts_surface *surface,
                            ts_vec3 from, double reach_m);

#endif
