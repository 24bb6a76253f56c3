// SPDX-License-Identifier: MIT
/// Wireframe with hidden-line removal: the edges of bodies in parallel projection, split where they
/// go behind a face.
#ifndef TS_HARNESS_WIREFRAME_H
#define TS_HARNESS_WIREFRAME_H

#include "harness/picture/view_grid.h"
#include "reports/export/snapshot.h"

/// Orthonormal, right-handed: x to the right of the page, y up, z towards the viewer.
typedef struct ts_view {
  ts_vec3 right, above, towards;
} ts_view;

/// The view from the front right and above, for a world with this `up`.
ts_view ts_view_three_quarter(ts_vec3 up);

/// A world point in the frame of the view.
ts_vec3 ts_view_point(const ts_view *view, ts_vec3 world);

/// Most pieces of soft edges: more would be a grey area, and a large file.
#define TS_WIREFRAME_SOFT_MAX ((size_t)12000)

/// A piece of an edge between two faces that are not coplanar.
typedef struct ts_wire {
  ts_vec3 from, to; ///< in the frame of the view
  bool is_hidden;   ///< behind a face
  /// Between faces of nearly the same direction, as on a curved surface, that both face the viewer
  /// or both do not; otherwise it is the outline.
  bool is_soft;
} ts_wire;

typedef struct ts_wireframe {
  size_t wire_count;
  ts_wire *wires;    ///< by body, then by edge
  ts_view_grid grid; ///< triangles that face the viewer
  double size_m;     ///< of everything in view
  bool is_thinned;   ///< soft edges were left out: there were more than TS_WIREFRAME_SOFT_MAX
} ts_wireframe;

/// The bodies as designed, each moved by its entry of `shifts` [body_count].
ts_status ts_wireframe_create(ts_wireframe *out, ts_arena *arena, const ts_snapshot *snapshot,
                              const ts_vec3 *shifts, const ts_view *view);

/// Whether a face hides a point (in the frame of the view) from the viewer.
bool ts_wireframe_hides(const ts_wireframe *wireframe, ts_vec3 point);

#endif
