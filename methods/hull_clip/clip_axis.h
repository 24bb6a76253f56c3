// SPDX-License-Identifier: MIT
/// The separating axes of two convex polyhedra: normals of faces, and cross products of edges whose
/// arcs on the Gauss map cross. The gap along the best of them is negative where they overlap.
#ifndef TS_METHODS_CLIP_AXIS_H
#define TS_METHODS_CLIP_AXIS_H

#include "methods/hull_clip/clip_pair.h"

/// The best axis that is a normal of a face, and the face of the other body that lies opposite.
typedef struct ts_clip_face_axis {
  int body; ///< whose face it is
  uint32_t face;
  uint32_t incident; ///< of the other body: of the faces at its deepest vertices, the most opposite
  double gap_m;      ///< along the normal: -infinity when no face is a polygon
} ts_clip_face_axis;

/// Of equally good axes the one that is the most along the line through the centres, else the one
/// whose two faces are the most nearly opposite, else the first.
ts_status ts_clip_find_face_axis(ts_clip_face_axis *out, const ts_clip_pair *pair);

/// The best axis that is a cross product of an edge of either body.
typedef struct ts_clip_edge_axis {
  uint32_t edges[2];
  ts_vec3 normal; ///< unit, from body 0 to body 1
  double gap_m;
} ts_clip_edge_axis;

/// Looks for one with a gap above `face->gap_m + above_m`; sets `*out_found`. Of equally good ones
/// the first.
ts_status ts_clip_find_edge_axis(ts_clip_edge_axis *out, bool *out_found, const ts_clip_pair *pair,
                                 const ts_clip_face_axis *face, double above_m);

#endif
