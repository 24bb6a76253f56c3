// SPDX-License-Identifier: MIT
/// Balls of any number of triangles.
#ifndef TS_CASES_BALL_H
#define TS_CASES_BALL_H

#include "cases/scene/shapes.h"

/// Adds a ball about the local origin, cut like a regular octahedron: rings of 4, 8, 12 ...
/// vertices around each pole, each as far from the next, so that the triangles at the poles are as
/// good as those at the equator. It has the number of triangles nearest to `triangles` (8 at least)
/// that is 8 n^2. It is the same, bit for bit, when turned by a quarter about the axis through its
/// poles.
///
/// Vertex 0 is the upper pole (+y), vertices 1 to 4 are the ring around it: at +x, -z, -x, +z. The
/// last vertex is the lower pole. Triangle 0 is 0, 1, 2.
ts_status ts_shape_ball(int32_t *out, ts_scene *scene, double radius_m, double triangles);

#endif
