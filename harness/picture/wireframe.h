// SPDX-License-Identifier: MIT
/// The edges of bodies as a viewer far away sees them: cut where they go behind a face.
#ifndef TS_HARNESS_WIREFRAME_H
#define TS_HARNESS_WIREFRAME_H

#include "base/arena.h"
#include "reports/export/snapshot.h"

/// Orthonormal, right-handed: x to the right of the page, y up, z towards the viewer.
typedef struct ts_view {
  ts_vec3 right, above, towards;
} ts_view;

/// The view from the right front, from above, of a world with this `up`.
ts_view ts_view_three_quarter(ts_vec3 up);

/// A point of the world in the frame of the view.
ts_vec3 ts_view_point(const ts_view *view, ts_vec3 world);

/// A piece of an edge between two faces that are not in one plane.
typedef struct ts_wire {
  ts_vec3 from, to; ///< in the frame of the view
  bool is_hidden;   ///< behind a face
  bool is_soft;     ///< between faces of nearly one direction, as on something round
} ts_wire;

typedef struct ts_wireframe {
  size_t wire_count;
  ts_wire *wires; ///< body after body, edge after edge
  size_t triangle_count;
  struct ts_view_triangle *triangles; ///< that face the viewer
  double size_m;                      ///< of all in view
} ts_wireframe;

/// The bodies as designed, each moved by its of `shifts` [body_count]. Cost grows with edges x
/// triangles.
ts_status ts_wireframe_create(ts_wireframe *out, ts_arena *arena, const ts_snapshot *snapshot,
                              const ts_vec3 *shifts, const ts_view *view);

/// Whether a face is between the viewer and a point in the frame of the view.
bool ts_wireframe_hides(const ts_wireframe *wireframe, ts_vec3 point);

#endif
