// SPDX-License-Identifier: MIT
#include "harness/picture/draw_regions.h"

#include "base/status.h"
#include "geometry/vec3.h"

#include <stdlib.h>

/// Distance of hatching lines [px].
#define HATCH_STEP 5.0

/// Bodies closer than this on the page are not joined by a line [px].
#define JOINT_MIN 12.0

/// Corners of a region that are tested for being hidden are moved this far to its centre, so that a
/// face that only meets an edge hides nothing.
#define SHRINK 0.1

/// Signs: half of a square, radius of a point [px].
#define SIGN_HALF    7.0
#define POINT_RADIUS 5.0

typedef struct shape_style {
  const char *polygon, *segment, *point;
  int hatch_count; ///< directions of hatching
  bool is_double;  ///< segments and points have a white core
} shape_style;

static const shape_style styles[TS_REGION_STATE_COUNT] = {
    [TS_REGION_TRUE] = {.polygon = "fill-opacity=\"0.2\" stroke-width=\"1\"",
                        .segment = "fill=\"none\" stroke-width=\"3.5\" stroke-opacity=\"0.6\"",
                        .point = "fill-opacity=\"0.3\" stroke-width=\"1.6\""},
    [TS_REGION_MET] = {.polygon = "fill-opacity=\"0.2\" stroke-width=\"1\"",
                       .segment = "fill=\"none\" stroke-width=\"3.5\" stroke-opacity=\"0.6\"",
                       .point = "fill-opacity=\"0.3\" stroke-width=\"1.6\""},
    [TS_REGION_LACKING] = {.polygon = "fill=\"none\" stroke-width=\"1.4\" stroke-dasharray=\"6 3\"",
                           .segment = "fill=\"none\" stroke-width=\"3.5\" stroke-dasharray=\"7 4\"",
                           .point = "fill=\"none\" stroke-width=\"2\" stroke-dasharray=\"4 2.3\"",
                           .hatch_count = 1},
    [TS_REGION_MISSED] = {.polygon = "fill=\"none\" stroke-width=\"2\"",
                          .segment = "fill=\"none\" stroke-width=\"5.5\"",
                          .point = "fill=\"none\" stroke-width=\"1.6\"",
                          .hatch_count = 2,
                          .is_double = true},
    [TS_REGION_OPEN] = {.polygon = "fill=\"none\" stroke-width=\"0.8\" stroke-dasharray=\"1.5 3\"",
                        .segment = "fill=\"none\" stroke-width=\"1.2\" stroke-dasharray=\"1.5 3\"",
                        .point = "fill=\"none\" stroke-width=\"0.8\" stroke-dasharray=\"1.5 2\""},
};

/// By how bad they are; open ones, which need nothing, last.
static int rank_of(ts_region_state state) {
  static const int ranks[TS_REGION_STATE_COUNT] = {[TS_REGION_MISSED] = 0,
                                                   [TS_REGION_LACKING] = 1,
                                                   [TS_REGION_MET] = 2,
                                                   [TS_REGION_TRUE] = 2,
                                                   [TS_REGION_OPEN] = 3};
  return ranks[state];
}

static bool needs_normals(ts_region_state state) {
  return state == TS_REGION_TRUE || state == TS_REGION_LACKING || state == TS_REGION_MISSED;
}

/// Whether a contact along a normal of the region is needed, or could be, and none is there.
/// Contacts elsewhere, which do not serve it, may have the normals of a missed region.
static bool is_wanted(const ts_snapshot_region *r, const ts_snapshot_normal *normal) {
  return !normal->is_open && (r->is_missed || !normal->is_met);
}

/// Normals that are needed, or of which one is.
static size_t count_normals(const ts_snapshot_region *r) {
  size_t count = 0;
  for (size_t i = 0; i < r->normal_count; i++)
    count += is_wanted(r, &r->normals[i]);
  return count;
}

static void count_needed(ts_drawn_regions *out, const ts_snapshot_region *r) {
  size_t count = count_normals(r);
  out->normal_total += count;
  out->has_all |= count > 0 && (r->needs_all || count == 1);
  out->has_any |= count > 1 && !r->needs_all;
}

ts_status ts_drawn_regions_choose(ts_drawn_regions *out, const ts_drawing *d) {
  const ts_snapshot *s = d->snapshot;
  *out = (ts_drawn_regions){.regions =
                                ts_arena_array(d->arena, s->region_count, sizeof *out->regions)};
  if (!out->regions)
    return TS_E_MEMORY;
  for (int rank = 0; rank <= 3; rank++)
    for (size_t i = 0; i < s->region_count; i++) {
      ts_region_state state = ts_snapshot_region_state(s, &s->regions[i]);
      if (rank_of(state) != rank)
        continue;
      out->totals[state]++;
      if (needs_normals(state))
        count_needed(out, &s->regions[i]);
      if (out->count < TS_DRAWN_REGIONS_MAX)
        out->regions[out->count++] = &s->regions[i];
    }
  out->normal_count =
      out->normal_total < TS_DRAWN_NORMALS_MAX ? out->normal_total : TS_DRAWN_NORMALS_MAX;
  return TS_OK;
}

static void open_state(FILE *file, ts_region_state state, bool is_faint) {
  char colour[8];
  ts_svg_colour(colour, ts_region_colours[state]);
  fprintf(file, "<g fill=\"%s\" stroke=\"%s\"%s>\n", colour, colour,
          is_faint ? " opacity=\"0.3\"" : "");
}

/// The outline of a region, as a part of a path.
static void put_outline(FILE *file, const ts_svg_point *corners, size_t count) {
  ts_svg_open_path(file);
  for (size_t i = 0; i < count; i++)
    ts_svg_vertex_in_path(file, corners[i], i == 0);
  if (count > 2)
    ts_svg_end_in_path(file);
}

/// Lines at 45 degrees across a convex polygon, one of them through its centre; `slope` 1: up to
/// the right, -1: down to the right. Patterns of SVG are not used: they need an id.
static void put_hatching(FILE *file, const ts_svg_point *corners, size_t count, double slope) {
  double min = INFINITY, max = -INFINITY, centre = 0;
  for (size_t i = 0; i < count; i++) {
    double at = corners[i].y + slope * corners[i].x;
    min = ts_min(min, at);
    max = ts_max(max, at);
    centre += at / (double)count;
  }
  const double step = HATCH_STEP * 1.4142135623730951;
  ts_svg_open_path(file);
  for (double at = centre - step * floor((centre - min) / step); at < max; at += step) {
    ts_svg_point ends[2];
    int found = 0;
    for (size_t i = 0; i < count && found < 2; i++) {
      ts_svg_point a = corners[i], b = corners[(i + 1) % count];
      double to_a = a.y + slope * a.x - at, to_b = b.y + slope * b.x - at;
      if ((to_a <= 0) == (to_b <= 0))
        continue;
      double share = to_a / (to_a - to_b);
      ends[found++] = (ts_svg_point){a.x + share * (b.x - a.x), a.y + share * (b.y - a.y)};
    }
    if (found == 2)
      ts_svg_line_in_path(file, ends[0], ends[1]);
  }
  ts_svg_close_path(file, "fill=\"none\" stroke-width=\"0.8\"");
}

/// A region with these corners [count] on the page, in the colours of the enclosing group.
static void put_shape(FILE *file, ts_region_state state, const ts_svg_point *corners,
                      size_t count) {
  const shape_style *style = &styles[state];
  if (count == 1) {
    ts_svg_circle(file, corners[0], POINT_RADIUS, style->point);
    if (style->is_double)
      ts_svg_circle(file, corners[0], POINT_RADIUS + 3.2, style->point);
    return;
  }
  put_outline(file, corners, count);
  ts_svg_close_path(file, count > 2 ? style->polygon : style->segment);
  if (count == 2 && style->is_double) {
    put_outline(file, corners, count);
    ts_svg_close_path(file, "fill=\"none\" stroke=\"#fff\" stroke-width=\"2.5\"");
  }
  for (int i = 0; i < style->hatch_count && count > 2; i++)
    put_hatching(file, corners, count, i == 0 ? 1 : -1);
}

void ts_draw_region_sign(FILE *file, ts_region_state state, size_t vertex_count, ts_svg_point at) {
  const ts_svg_point square[4] = {{at.x - SIGN_HALF, at.y - SIGN_HALF},
                                  {at.x + SIGN_HALF, at.y - SIGN_HALF},
                                  {at.x + SIGN_HALF, at.y + SIGN_HALF},
                                  {at.x - SIGN_HALF, at.y + SIGN_HALF}};
  const ts_svg_point segment[2] = {{at.x - SIGN_HALF - 3, at.y}, {at.x + SIGN_HALF + 3, at.y}};
  open_state(file, state, false);
  put_shape(file, state,
            vertex_count == 1   ? &at
            : vertex_count == 2 ? segment
                                : square,
            vertex_count < 3 ? vertex_count : 4);
  fputs("</g>\n", file);
}

/// Whether most of a region, drawn on a body, is behind a face.
static bool is_hidden_on(const ts_drawing *d, const ts_snapshot_region *r, size_t body) {
  ts_vec3 centre = ts_snapshot_region_centre(r);
  size_t hidden = ts_wireframe_hides(&d->wireframe, ts_drawing_on_body(d, body, centre));
  for (size_t i = 0; i < r->vertex_count && r->vertex_count > 1; i++) {
    ts_vec3 corner = ts_vec3_lerp(r->vertices[i], centre, SHRINK);
    hidden += ts_wireframe_hides(&d->wireframe, ts_drawing_on_body(d, body, corner));
  }
  return 2 * hidden > (r->vertex_count > 1 ? r->vertex_count + 1 : 1);
}

static ts_status draw_on_body(const ts_drawing *d, const ts_snapshot_region *r, size_t body) {
  ts_arena_mark mark = ts_arena_get_mark(d->arena);
  ts_svg_point *corners = ts_arena_array(d->arena, r->vertex_count, sizeof *corners);
  if (!corners)
    return TS_E_MEMORY;
  for (size_t i = 0; i < r->vertex_count; i++)
    corners[i] = ts_drawing_place(d, ts_drawing_on_body(d, body, r->vertices[i]));
  put_shape(d->file, ts_snapshot_region_state(d->snapshot, r), corners, r->vertex_count);
  ts_arena_rewind(d->arena, mark);
  return TS_OK;
}

/// From the region on one body to the same on the other.
static void draw_joint(const ts_drawing *d, const ts_snapshot_region *r) {
  ts_vec3 centre = ts_snapshot_region_centre(r);
  ts_svg_point a = ts_drawing_place(d, ts_drawing_on_body(d, (size_t)r->body_a, centre));
  ts_svg_point b = ts_drawing_place(d, ts_drawing_on_body(d, (size_t)r->body_b, centre));
  if (hypot(a.x - b.x, a.y - b.y) >= JOINT_MIN)
    ts_svg_line_in_path(d->file, a, b);
}

/// The regions that are hidden on a body, or those that are not: on body a if `side` is 0, else b.
static ts_status draw_side(const ts_drawing *d, const ts_drawn_regions *regions, bool is_hidden,
                           int side) {
  for (size_t i = regions->count; i-- > 0;) { // the worst are drawn last
    const ts_snapshot_region *r = regions->regions[i];
    size_t body = (size_t)(side == 0 ? r->body_a : r->body_b);
    if (is_hidden_on(d, r, body) != is_hidden)
      continue;
    open_state(d->file, ts_snapshot_region_state(d->snapshot, r), is_hidden);
    TS_TRY(draw_on_body(d, r, body));
    fputs("</g>\n", d->file);
  }
  return TS_OK;
}

ts_status ts_draw_regions(const ts_drawing *d, const ts_drawn_regions *regions) {
  for (int side = 0; side < 2; side++)
    TS_TRY(draw_side(d, regions, true, side));
  ts_svg_open_path(d->file);
  for (size_t i = 0; i < regions->count; i++)
    draw_joint(d, regions->regions[i]);
  ts_svg_close_path(d->file,
                    "fill=\"none\" stroke=\"#888\" stroke-width=\"0.6\" stroke-dasharray=\"1 3\"");
  for (int side = 0; side < 2; side++)
    TS_TRY(draw_side(d, regions, false, side));
  return TS_OK;
}

static void put_arrow(FILE *file, bool is_one_of, ts_svg_point from, ts_svg_point to) {
  ts_svg_open_path(file);
  ts_svg_line_in_path(file, from, to);
  ts_svg_close_path(file, is_one_of ? "fill=\"none\" stroke-width=\"2\" stroke-dasharray=\"5 2.5\""
                                    : "fill=\"none\" stroke-width=\"2\"");
  ts_svg_arrow_head(file, from, to, 8, false);
}

void ts_draw_normal_sign(FILE *file, ts_region_state state, bool is_one_of, ts_svg_point from,
                         ts_svg_point to) {
  open_state(file, state, false);
  put_arrow(file, is_one_of, from, to);
  fputs("</g>\n", file);
}

void ts_draw_needed_normals(const ts_drawing *d, const ts_drawn_regions *regions) {
  size_t left = regions->normal_count;
  for (size_t i = 0; i < regions->count && left > 0; i++) {
    const ts_snapshot_region *r = regions->regions[i];
    ts_region_state state = ts_snapshot_region_state(d->snapshot, r);
    if (!needs_normals(state))
      continue;
    bool is_one_of = !r->needs_all && count_normals(r) > 1;
    open_state(d->file, state, false);
    for (size_t k = 0; k < r->normal_count && left > 0; k++) {
      if (!is_wanted(r, &r->normals[k]))
        continue;
      ts_drawn_arrow arrow = ts_drawing_arrow(d, (size_t)r->body_a, (size_t)r->body_b,
                                              ts_snapshot_region_centre(r), r->normals[k].normal);
      ts_drawing_put_leader(d, &arrow);
      put_arrow(d->file, is_one_of, ts_drawing_place(d, arrow.from), ts_drawing_place(d, arrow.to));
      left--;
    }
    fputs("</g>\n", d->file);
  }
}
