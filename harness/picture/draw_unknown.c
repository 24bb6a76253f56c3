// SPDX-License-Identifier: MIT
#include "harness/picture/draw_unknown.h"

#include "geometry/mesh/mesh.h"
#include "geometry/vec3.h"
#include "harness/picture/exploded_view.h"

/// Most signs in a picture.
#define SIGNS_MAX ((size_t)200)

void ts_draw_unknown_sign(FILE *file, ts_svg_point at) {
  ts_svg_circle(file, at, 8, "fill=\"#fff\" stroke=\"#444\" stroke-width=\"1.2\"");
  ts_svg_text(file, (ts_svg_point){at.x, at.y + 4.5}, "?",
              "font-size=\"13\" font-weight=\"600\" text-anchor=\"middle\" fill=\"#222\"");
}

/// The vertex of a body that is closest to the box around another one.
static ts_vec3 closest_vertex(const ts_snapshot_surface *of, const ts_snapshot_surface *other) {
  ts_vec3 min = other->world[0], max = min, best = of->world[0];
  for (size_t i = 1; i < other->mesh->vertex_count; i++) {
    min = ts_vec3_min(min, other->world[i]);
    max = ts_vec3_max(max, other->world[i]);
  }
  double least = INFINITY;
  for (size_t i = 0; i < of->mesh->vertex_count; i++) {
    ts_vec3 in_box = ts_vec3_min(ts_vec3_max(of->world[i], min), max);
    double distance = ts_vec3_distance(in_box, of->world[i]);
    if (distance < least) {
      least = distance;
      best = of->world[i];
    }
  }
  return best;
}

void ts_draw_unknown(const ts_drawing *d) {
  const ts_snapshot *s = d->snapshot;
  for (size_t i = 0; i < s->unknown_count && i < SIGNS_MAX; i++) {
    size_t a = (size_t)s->unknown[i].body_a, b = (size_t)s->unknown[i].body_b;
    bool is_b = ts_exploded_view_is_ground(s, a);
    ts_vec3 at = is_b ? closest_vertex(&s->bodies[b].designed, &s->bodies[a].designed)
                      : closest_vertex(&s->bodies[a].designed, &s->bodies[b].designed);
    ts_svg_point on_a = ts_drawing_place(d, ts_drawing_on_body(d, a, at));
    ts_svg_point on_b = ts_drawing_place(d, ts_drawing_on_body(d, b, at));
    ts_svg_open_path(d->file);
    ts_svg_line_in_path(d->file, on_a, on_b);
    ts_svg_close_path(d->file, "fill=\"none\" stroke=\"#444\" stroke-dasharray=\"2 3\"");
    ts_draw_unknown_sign(d->file, (ts_svg_point){(on_a.x + on_b.x) / 2, (on_a.y + on_b.y) / 2});
  }
}
