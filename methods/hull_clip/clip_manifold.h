// SPDX-License-Identifier: MIT
/// The contacts along a separating axis of two convex polyhedra.
#ifndef TS_METHODS_CLIP_MANIFOLD_H
#define TS_METHODS_CLIP_MANIFOLD_H

#include "methods/hull_clip/clip_axis.h"

/// Contacts in the frame of the pair, their a and b being bodies 0 and 1. The order of their
/// points depends on the shapes and how they lie to each other only.
typedef struct ts_clip_contacts {
  ts_contact *contacts; ///< [count], the host's scratch
  size_t count;
} ts_clip_contacts;

/// The corners of the incident face that is clipped by the sides of the reference face, up to a
/// gap of `reach_m`.
ts_status ts_clip_faces(ts_clip_contacts *out, const ts_clip_pair *pair,
                        const ts_clip_face_axis *axis, double reach_m);

/// The one where two edges pass each other; none when they are more than `reach_m` apart.
ts_status ts_clip_edges(ts_clip_contacts *out, const ts_clip_pair *pair,
                        const ts_clip_edge_axis *axis, double reach_m);

#endif
