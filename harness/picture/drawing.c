// SPDX-License-Identifier: MIT
#include "harness/picture/drawing.h"

#include "geometry/vec3.h"

/// Where an arrow starts, as a share of the gap: closer to body a, since arrows point from a to b,
/// and far enough from it that the leader can be seen.
#define SHARE_OF_GAP 0.22

/// A leader shorter than this says nothing [px].
#define LEADER_MIN 3.0

ts_vec3 ts_drawing_on_body(const ts_drawing *d, size_t body, ts_vec3 world) {
  return ts_view_point(&d->view, ts_vec3_add(world, d->shifts[body]));
}

ts_svg_point ts_drawing_place(const ts_drawing *d, ts_vec3 in_view) {
  return (ts_svg_point){d->left + (in_view.x - d->min_x) * d->px_per_m,
                        d->top + (d->max_y - in_view.y) * d->px_per_m};
}

ts_drawn_arrow ts_drawing_arrow(const ts_drawing *d, size_t a, size_t b, ts_vec3 world,
                                ts_vec3 along) {
  ts_vec3 on_a = ts_drawing_on_body(d, a, world), on_b = ts_drawing_on_body(d, b, world);
  bool is_seen_on_b =
      ts_wireframe_hides(&d->wireframe, on_a) && !ts_wireframe_hides(&d->wireframe, on_b);
  ts_vec3 from = ts_vec3_lerp(on_a, on_b, SHARE_OF_GAP);
  ts_vec3 unit = ts_view_point(&d->view, ts_vec3_unit(along));
  return (ts_drawn_arrow){.foot = is_seen_on_b ? on_b : on_a,
                          .from = from,
                          .to = ts_vec3_add_scaled(from, d->arrow_m, unit),
                          .is_hidden = ts_wireframe_hides(&d->wireframe, from)};
}

void ts_drawing_put_leader(const ts_drawing *d, const ts_drawn_arrow *arrow) {
  ts_svg_point foot = ts_drawing_place(d, arrow->foot), from = ts_drawing_place(d, arrow->from);
  if (hypot(foot.x - from.x, foot.y - from.y) < LEADER_MIN)
    return;
  ts_svg_open_path(d->file);
  ts_svg_line_in_path(d->file, foot, from);
  ts_svg_close_path(d->file, "stroke-width=\"0.6\" stroke-opacity=\"0.7\"");
}
