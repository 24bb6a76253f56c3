// SPDX-License-Identifier: MIT
#include "harness/deform/deform_section.h"

#include "base/number.h"
#include "base/status.h"
#include "harness/picture/svg.h"

#define WIDTH           640.0
#define HEIGHT          420.0
#define MARGIN          20.0
/// The largest part of the picture is this many times as wide as the contact surface.
#define VIEW_OF_SURFACE 3.2

/// The plane of the cut, in the frame of the pair, and where it is on the page.
typedef struct section {
  FILE *file;
  const ts_deform_pair *pair;
  ts_vec3 at, right, up, out; ///< a point of it; unit; out: towards the viewer
  ts_vec3 middle;             ///< of the page
  double px_per_m;
} section;

static ts_svg_point on_page(const section *s, ts_vec3 point) {
  ts_vec3 p = ts_vec3_sub(point, s->middle);
  return (ts_svg_point){WIDTH / 2 + s->px_per_m * ts_vec3_dot(p, s->right),
                        HEIGHT / 2 - s->px_per_m * ts_vec3_dot(p, s->up)};
}

/// Where a polygon crosses the plane. A corner on the plane counts as in front of it, so that
/// pieces of a closed surface join.
static bool cut_polygon(ts_vec3 out[2], const section *s, const ts_vec3 *corners, size_t count) {
  size_t found = 0;
  for (size_t i = 0; i < count && found < 2; i++) {
    ts_vec3 p = corners[i], q = corners[(i + 1) % count];
    double side_p = ts_vec3_dot(ts_vec3_sub(p, s->at), s->out);
    double side_q = ts_vec3_dot(ts_vec3_sub(q, s->at), s->out);
    if ((side_p >= 0) != (side_q >= 0))
      out[found++] = ts_vec3_lerp(p, q, side_p / (side_p - side_q));
  }
  return found == 2;
}

static void draw_body(const section *s, int which, bool is_after, const char *style) {
  const ts_deform_side *side = &s->pair->sides[which];
  const ts_vec3 *vertices = is_after ? side->after : side->before;
  ts_svg_open_path(s->file);
  for (size_t t = 0; t < side->mesh->triangle_count; t++) {
    ts_vec3 corners[3], ends[2];
    for (int i = 0; i < 3; i++)
      corners[i] = vertices[side->mesh->triangles[t][i]];
    if (cut_polygon(ends, s, corners, 3))
      ts_svg_line_in_path(s->file, on_page(s, ends[0]), on_page(s, ends[1]));
  }
  ts_svg_close_path(s->file, style);
}

/// A polygon of the contact surface or of a zone, which has no more corners than its triangles
/// give.
static void draw_polygon(const section *s, const ts_contact_surface *surface,
                         const ts_surface_corner *corners, size_t count) {
  enum { CORNERS_MAX = 32 };
  ts_vec3 points[CORNERS_MAX], ends[2];
  if (count > CORNERS_MAX)
    return;
  for (size_t i = 0; i < count; i++)
    points[i] = ts_contact_surface_point(surface, &corners[i]);
  if (cut_polygon(ends, s, points, count))
    ts_svg_line_in_path(s->file, on_page(s, ends[0]), on_page(s, ends[1]));
}

static void draw_surfaces(const section *s, bool zone, const char *style) {
  ts_svg_open_path(s->file);
  for (size_t k = 0; k < s->pair->used_count; k++) {
    const ts_contact_surface *surface = s->pair->used[k].surface;
    const ts_zone *z = s->pair->used[k].zone;
    for (size_t i = 0; !zone && i < surface->polygon_count; i++)
      draw_polygon(s, surface, surface->corners + surface->polygons[i].first_corner,
                   surface->polygons[i].corner_count);
    for (size_t i = 0; zone && i < z->polygon_count; i++)
      draw_polygon(s, surface, z->corners + z->polygons[i].first_corner,
                   z->polygons[i].corner_count);
  }
  ts_svg_close_path(s->file, style);
}

/// How wide the contact surfaces are in the plane, and their middle.
static void fit_page(section *s) {
  double low = INFINITY, high = -INFINITY;
  for (size_t k = 0; k < s->pair->used_count; k++) {
    const ts_contact_surface *surface = s->pair->used[k].surface;
    for (size_t i = 0; i < surface->corner_count; i++) {
      ts_vec3 p = ts_contact_surface_point(surface, &surface->corners[i]);
      double along = ts_vec3_dot(ts_vec3_sub(p, s->at), s->right);
      low = ts_min(low, along);
      high = ts_max(high, along);
    }
  }
  double size = s->pair->pair->size_m;
  double width = high > low ? VIEW_OF_SURFACE * (high - low) : size;
  // Never more than what both bodies fill, nor so little that the bulge is off the page.
  width = ts_min(ts_max(width, 2 * s->pair->extent_m), 3 * size);
  s->middle = high > low ? ts_vec3_add_scaled(s->at, (low + high) / 2, s->right) : s->at;
  s->px_per_m = (WIDTH - 2 * MARGIN) / width;
}

/// The direction in the plane across m along which the contact surface bends most: across a ridge
/// and not along it. `fallback` where it bends as much to all sides, or is flat.
static ts_vec3 find_across(const ts_deform_pair *pair, ts_vec3 fallback) {
  const ts_contact_surface *surface = pair->used[0].surface;
  const ts_zone *zone = pair->used[0].zone;
  double xx = 0, xy = 0, yy = 0;
  for (size_t i = 0; i < zone->polygon_count; i++) {
    double x = ts_vec3_dot(zone->polygons[i].normal, surface->x);
    double y = ts_vec3_dot(zone->polygons[i].normal, surface->y);
    xx += zone->polygons[i].area_m2 * x * x;
    xy += zone->polygons[i].area_m2 * x * y;
    yy += zone->polygons[i].area_m2 * y * y;
  }
  double mean = (xx + yy) / 2, apart = sqrt((xx - yy) * (xx - yy) / 4 + xy * xy);
  if (!(mean > 1e-6 * zone->area_m2) || apart < mean / 2)
    return fallback;
  // Of the two forms of the eigenvector, the one that does not cancel.
  double large = mean + apart;
  ts_vec3 across =
      xx >= yy ? ts_vec3_add(ts_vec3_scale(surface->x, large - yy), ts_vec3_scale(surface->y, xy))
               : ts_vec3_add(ts_vec3_scale(surface->x, xy), ts_vec3_scale(surface->y, large - xx));
  across = ts_vec3_unit(across);
  return ts_vec3_norm2(across) > 0 ? across : fallback;
}

/// Middle of the zone of the largest part.
static ts_vec3 zone_middle(const ts_deform_pair *pair) {
  const ts_contact_surface *surface = pair->used[0].surface;
  const ts_zone *zone = pair->used[0].zone;
  ts_vec3 sum = {0, 0, 0};
  double area_m2 = 0;
  for (size_t i = 0; i < zone->polygon_count; i++) {
    const ts_zone_polygon *p = &zone->polygons[i];
    for (size_t k = 0; k < p->corner_count; k++) {
      ts_vec3 corner = ts_contact_surface_point(surface, &zone->corners[p->first_corner + k]);
      sum = ts_vec3_add_scaled(sum, p->area_m2 / (double)p->corner_count, corner);
    }
    area_m2 += p->area_m2;
  }
  return area_m2 > 0 ? ts_vec3_scale(sum, 1 / area_m2) : sum;
}

static void place_section(section *s) {
  ts_vec3 other;
  s->up = ts_deform_pair_direction(s->pair);
  ts_vec3_tangents(&s->right, &other, s->up);
  s->right = find_across(s->pair, s->right);
  s->out = ts_vec3_cross(s->right, s->up);
  // Not along edges, where neighbours may both take themselves to be beside the plane.
  s->at = ts_vec3_add_scaled(zone_middle(s->pair), 1e-4 * s->pair->pair->size_m, s->out);
  fit_page(s);
}

static void draw_legend(const section *s, double y, const char *const names[2]) {
  static const struct {
    const char *colour, *style;
  } lines[] = {{"#4477aa", "stroke-width=\"1.8\""},
               {"#cc6677", "stroke-width=\"1.8\""},
               {"#777777", "stroke-width=\"1\" stroke-dasharray=\"4 3\""},
               {"#999933", "stroke-width=\"3.2\" opacity=\"0.8\""}};
  const char *const words[] = {names[0], names[1], "before", "contact zone"};
  double x = MARGIN;
  for (int i = 0; i < 4; i++) {
    char style[128];
    snprintf(style, sizeof style, "fill=\"none\" stroke=\"%s\" %s", lines[i].colour,
             lines[i].style);
    ts_svg_open_path(s->file);
    ts_svg_line_in_path(s->file, (ts_svg_point){x, y - 4}, (ts_svg_point){x + 26, y - 4});
    ts_svg_close_path(s->file, style);
    ts_svg_text(s->file, (ts_svg_point){x + 32, y}, words[i], "font-size=\"13\" fill=\"#222\"");
    x += 32 + ts_svg_text_width(words[i], 13, false) + 22;
  }
}

static void draw_frame(const section *s) {
  static const char *const before[2] = {
      "fill=\"none\" stroke=\"#4477aa\" stroke-width=\"1\" stroke-dasharray=\"4 3\"",
      "fill=\"none\" stroke=\"#cc6677\" stroke-width=\"1\" stroke-dasharray=\"4 3\""};
  static const char *const after[2] = {
      "fill=\"none\" stroke=\"#4477aa\" stroke-width=\"1.8\" stroke-linecap=\"round\"",
      "fill=\"none\" stroke=\"#cc6677\" stroke-width=\"1.8\" stroke-linecap=\"round\""};
  draw_surfaces(s, false, "fill=\"none\" stroke=\"#bbbbbb\" stroke-width=\"2.4\"");
  draw_surfaces(s, true, "fill=\"none\" stroke=\"#999933\" stroke-width=\"4\" opacity=\"0.8\"");
  for (int which = 0; which < 2; which++)
    draw_body(s, which, false, before[which]);
  for (int which = 0; which < 2; which++)
    draw_body(s, which, true, after[which]);
}

ts_status ts_deform_section_write(FILE *file, ts_arena *arena, const ts_deform_case_pair *pair,
                                  const ts_deformed_scene *scene) {
  section s = {.file = file, .pair = &pair->pair};
  place_section(&s);
  const char *const names[2] = {scene->bodies[pair->bodies.body_a].name,
                                scene->bodies[pair->bodies.body_b].name};
  const char *title =
      ts_arena_format(arena, "%s: %s and %s give way", scene->case_name, names[0], names[1]);
  if (!title)
    return TS_E_MEMORY;
  ts_svg_open(file, WIDTH, HEIGHT + 40, title,
              "A cut along the mapping direction: both bodies before (dashed) and after, and their "
              "contact surface (grey) with the zone (bold)");
  ts_svg_open_frame(file, (ts_svg_point){0, 0}, WIDTH, HEIGHT);
  draw_frame(&s);
  ts_svg_close_frame(file);
  draw_legend(&s, HEIGHT + 24, names);
  ts_svg_close(file);
  return TS_OK;
}
