// SPDX-License-Identifier: MIT
/// A picture while it is drawn: what it shows, and where on the page that goes. Shared by the files
/// that each draw one layer of it.
#ifndef TS_HARNESS_DRAWING_H
#define TS_HARNESS_DRAWING_H

#include "harness/picture/svg.h"
#include "harness/picture/wireframe.h"
#include "reports/export/snapshot.h"

/// Points "in view" are in the frame of the view, in metres, of the bodies moved apart.
typedef struct ts_drawing {
  FILE *file;
  ts_arena *arena;
  const ts_snapshot *snapshot;
  ts_view view;
  ts_vec3 *shifts; ///< [body_count]
  ts_wireframe wireframe;
  double arrow_m; ///< length of an arrow in the plane of the page
  /// The frame: pixels = left + (x - min_x) px_per_m, top + (max_y - y) px_per_m.
  double min_x, max_y, px_per_m, left, top;
  double width, height; ///< of the frame, at whose edges everything is cut off
} ts_drawing;

/// Where something at a point in the world is drawn that belongs to a body.
ts_vec3 ts_drawing_on_body(const ts_drawing *d, size_t body, ts_vec3 world);

ts_svg_point ts_drawing_place(const ts_drawing *d, ts_vec3 in_view);

/// An arrow that belongs to a place where two bodies meet. It stands in the gap between them, a
/// leader goes from its start to the place itself.
typedef struct ts_drawn_arrow {
  ts_vec3 foot;     ///< in view, on the body where it can be seen, else on a
  ts_vec3 from, to; ///< in view
  bool is_hidden;   ///< `from` is behind a face
} ts_drawn_arrow;

/// `along`: from a to b, of any length but 0.
ts_drawn_arrow ts_drawing_arrow(const ts_drawing *d, size_t a, size_t b, ts_vec3 world,
                                ts_vec3 along);

/// The leader, in the stroke of the enclosing group.
void ts_drawing_put_leader(const ts_drawing *d, const ts_drawn_arrow *arrow);

#endif
