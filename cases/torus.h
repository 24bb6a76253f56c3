// SPDX-License-Identifier: MIT
/// Tori of any number of triangles, smooth or with bumps.
#ifndef TS_CASES_TORUS_H
#define TS_CASES_TORUS_H

#include "cases/scene/scene.h"

/// The surface of a torus about the y axis whose tube is alternately thicker and thinner, around
/// the axis and around the tube. It is one smooth surface whatever the number of triangles, which
/// only says how finely it is sampled.
typedef struct ts_torus {
  double axis_radius_m, tube_radius_m;
  double bump_relative; ///< of the tube's radius; 0: smooth
  uint32_t bumps_around_axis, bumps_around_tube;
  uint32_t multiple; ///< of which the vertices around the axis and around the tube are a number
} ts_torus;

/// The ring of the suite "response": smooth, and with vertices where its surface is farthest out
/// along x, y and z, and innermost.
extern const ts_torus ts_torus_ring;

/// Adds the shape "torus": of a grid of about square cells, two triangles each, with the nearest
/// number of triangles that it can have. Vertices are on the surface; the first is on the outermost
/// circle at +x.
ts_status ts_shape_torus(int32_t *out, ts_scene *scene, const ts_torus *torus, double triangles);

#endif
