// SPDX-License-Identifier: MIT
#include "harness/picture/picture.h"

#include "base/status.h"
#include "geometry/vec3.h"
#include "harness/picture/exploded_view.h"
#include "harness/picture/svg.h"
#include "harness/picture/wireframe.h"

#include <inttypes.h>

/// Relative to a body's size: the gap between bodies in the exploded view, and the length of an
/// arrow.
#define GAP_SIZE   0.5
#define ARROW_SIZE 0.24

/// Position of regions and contacts within the gap: close to body a, since arrows point from a to
/// b.
#define SHARE_OF_GAP 0.15

/// The page [px].
#define WIDTH_MIN     680.0
#define WIDTH_MAX     900.0
#define HEIGHT_MAX    1000.0 // between title and legend
#define FEW_BODIES    4      // up to this number, use the height below
#define HEIGHT_OF_FEW 600.0
#define MARGIN        24.0
#define TITLE_HEIGHT  60.0
#define LEGEND_HEIGHT 84.0

#define POINT_STYLE   "fill=\"none\" stroke-width=\"1.6\""
#define SEGMENT_STYLE "fill=\"none\" stroke-width=\"3\" stroke-opacity=\"0.5\""
#define POLYGON_STYLE "fill-opacity=\"0.16\" stroke-width=\"0.8\""

/// State of a picture while it is drawn.
typedef struct picture {
  FILE *file;
  const ts_snapshot *snapshot;
  ts_view view;
  ts_vec3 *shifts;
  ts_wireframe wireframe;
  double arrow_m;
  double min_x, max_y, px_per_m, left, top, width, height;
} picture;

/// The drawn position of something between two bodies, in the frame of the view.
static ts_vec3 in_gap(const picture *p, size_t a, size_t b, ts_vec3 world) {
  ts_vec3 shift = ts_vec3_lerp(p->shifts[a], p->shifts[b], SHARE_OF_GAP);
  return ts_view_point(&p->view, ts_vec3_add(world, shift));
}

static ts_svg_point place(const picture *p, ts_vec3 in_view) {
  return (ts_svg_point){p->left + (in_view.x - p->min_x) * p->px_per_m,
                        p->top + (p->max_y - in_view.y) * p->px_per_m};
}

/// Start and end of a contact's arrow, in the frame of the view.
static void arrow_of(const picture *p, const ts_contact_row *row, ts_vec3 *from, ts_vec3 *to) {
  ts_vec3 along = ts_vec3_unit((ts_vec3){row->normal_x, row->normal_y, row->normal_z});
  *from = in_gap(p, (size_t)row->body_a, (size_t)row->body_b,
                 (ts_vec3){row->point_x_m, row->point_y_m, row->point_z_m});
  *to = ts_vec3_add_scaled(*from, p->arrow_m, ts_view_point(&p->view, along));
}

typedef struct bounds {
  ts_vec3 min, max;
} bounds;

static void include(bounds *b, ts_vec3 point) {
  b->min = ts_vec3_min(b->min, point);
  b->max = ts_vec3_max(b->max, point);
}

/// Bounds of everything that must be fully visible: the bodies except the ground, and the regions.
static bounds bounds_of_bodies(const picture *p) {
  const ts_snapshot *e = p->snapshot;
  bounds out = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
  for (size_t i = 0; i < e->body_count; i++) {
    const ts_snapshot_surface *s = &e->bodies[i].designed;
    for (size_t k = 0; !ts_exploded_view_is_ground(e, i) && k < s->mesh->vertex_count; k++)
      include(&out, ts_view_point(&p->view, ts_vec3_add(s->world[k], p->shifts[i])));
  }
  for (size_t i = 0; i < e->region_count; i++) {
    const ts_snapshot_region *r = &e->regions[i];
    for (size_t k = 0; k < r->vertex_count; k++)
      include(&out, in_gap(p, (size_t)r->body_a, (size_t)r->body_b, r->vertices[k]));
  }
  return out;
}

/// Fits the drawing to the page.
static void fit_page(picture *p) {
  bounds all = bounds_of_bodies(p);
  // A phantom contact may be anywhere; one far away is clipped, so that it does not shrink
  // everything else.
  ts_vec3 room = ts_vec3_scale(ts_vec3_sub(all.max, all.min), 0.15);
  bounds far = {ts_vec3_sub(all.min, room), ts_vec3_add(all.max, room)};
  for (size_t i = 0; i < p->snapshot->contact_count; i++) {
    ts_vec3 ends[2];
    if (!ts_contact_row_has_arrow(&p->snapshot->contacts[i]))
      continue;
    arrow_of(p, &p->snapshot->contacts[i], &ends[0], &ends[1]);
    for (int k = 0; k < 2; k++)
      include(&all, ts_vec3_max(ts_vec3_min(ends[k], far.max), far.min));
  }
  double width_m = all.max.x - all.min.x, height_m = all.max.y - all.min.y;
  double height_max = p->snapshot->body_count > FEW_BODIES ? HEIGHT_MAX : HEIGHT_OF_FEW;
  p->px_per_m = ts_min((WIDTH_MAX - 2 * MARGIN) / width_m, height_max / height_m);
  p->min_x = all.min.x;
  p->max_y = all.max.y;
  p->width = ts_max(width_m * p->px_per_m + 2 * MARGIN, WIDTH_MIN);
  p->height = height_m * p->px_per_m + TITLE_HEIGHT + LEGEND_HEIGHT + 2 * MARGIN;
  p->left = (p->width - width_m * p->px_per_m) / 2;
  p->top = TITLE_HEIGHT + MARGIN;
}

/// The pieces of edges of one style as a single path.
static void draw_wires(const picture *p, bool is_hidden, bool is_soft) {
  ts_svg_open_path(p->file);
  for (size_t i = 0; i < p->wireframe.wire_count; i++) {
    const ts_wire *w = &p->wireframe.wires[i];
    if (w->is_hidden == is_hidden && w->is_soft == is_soft)
      ts_svg_line_in_path(p->file, place(p, w->from), place(p, w->to));
  }
  const char *style = is_hidden ? "stroke=\"#d8d8d8\" stroke-width=\"0.6\""
                      : is_soft ? "stroke=\"#9a9a9a\" stroke-width=\"0.7\""
                                : "stroke=\"#3c3c3c\" stroke-width=\"1.1\"";
  ts_svg_close_path(p->file, style);
}

static void draw_region(const picture *p, const ts_snapshot_region *r) {
  size_t a = (size_t)r->body_a, b = (size_t)r->body_b;
  if (r->vertex_count == 1) {
    ts_svg_circle(p->file, place(p, in_gap(p, a, b, r->vertices[0])), 5, POINT_STYLE);
    return;
  }
  ts_svg_open_path(p->file);
  for (size_t i = 0; i < r->vertex_count; i++)
    ts_svg_vertex_in_path(p->file, place(p, in_gap(p, a, b, r->vertices[i])), i == 0);
  if (r->vertex_count > 2)
    ts_svg_end_in_path(p->file);
  ts_svg_close_path(p->file, r->vertex_count > 2 ? POLYGON_STYLE : SEGMENT_STYLE);
}

static void draw_truth(const picture *p) {
  char colour[8];
  ts_svg_colour(colour, ts_truth_colour);
  fprintf(p->file, "<g fill=\"%s\" stroke=\"%s\">\n", colour, colour);
  for (size_t i = 0; i < p->snapshot->region_count; i++)
    draw_region(p, &p->snapshot->regions[i]);
  fputs("</g>\n", p->file);
}

typedef enum mark { DOT, RING, CROSS, SQUARE } mark;

typedef struct arrow_style {
  const char *shaft;
  bool has_open_head;
  mark start;
} arrow_style;

#define SOLID  "stroke-width=\"1.3\""
#define DOTTED "stroke-width=\"1.1\" stroke-dasharray=\"1.5 2\""
#define DASHED "stroke-width=\"1.5\" stroke-dasharray=\"5 2.5\""

/// The arrow of a kind of contact. Kinds differ by shape as well as colour, for readers who cannot
/// tell the colours apart.
static void draw_arrow(FILE *file, ts_contact_kind kind, ts_svg_point from, ts_svg_point to) {
  static const arrow_style styles[TS_KIND_COUNT] = {
      [TS_KIND_CORRECT] = {SOLID, false, DOT},
      [TS_KIND_INCORRECT] = {SOLID, true, CROSS},
      [TS_KIND_SPECULATIVE] = {DOTTED, false, DOT},
      [TS_KIND_PHANTOM] = {DASHED, true, SQUARE},
      [TS_KIND_FLIPPED] = {SOLID, true, RING},
      [TS_KIND_GAP_WRONG] = {SOLID, false, SQUARE},
      [TS_KIND_SPECULATIVE_WRONG] = {DOTTED, true, CROSS}};
  const arrow_style *style = &styles[kind];
  ts_svg_open_path(file);
  ts_svg_line_in_path(file, from, to);
  ts_svg_close_path(file, style->shaft);
  ts_svg_arrow_head(file, from, to, 6, style->has_open_head);
  switch (style->start) {
  case DOT:
    ts_svg_circle(file, from, 1.8, "stroke=\"none\"");
    break;
  case RING:
    ts_svg_circle(file, from, 3, "fill=\"#fff\" stroke-width=\"1.3\"");
    break;
  case CROSS:
    ts_svg_cross(file, from, 3, "stroke-width=\"1.3\"");
    break;
  case SQUARE:
    ts_svg_square(file, from, 3.2, "fill=\"#fff\" stroke-width=\"1.3\"");
    break;
  }
}

/// A contact without a direction.
static void draw_no_arrow(FILE *file, ts_svg_point at) {
  ts_svg_circle(file, at, 4, "fill=\"none\" stroke-width=\"1.3\"");
  ts_svg_cross(file, at, 2.8, "stroke-width=\"1.3\"");
}

static void draw_contact(const picture *p, const ts_contact_row *row, bool is_hidden) {
  ts_vec3 from, to;
  arrow_of(p, row, &from, &to);
  if (!ts_vec3_is_finite(from) || ts_wireframe_hides(&p->wireframe, from) != is_hidden)
    return;
  ts_svg_point begin = place(p, from), end = place(p, to);
  if (ts_contact_row_has_arrow(row))
    draw_arrow(p->file, ts_contact_row_kind(row), begin, end);
  else
    draw_no_arrow(p->file, begin);
}

static void open_kind(FILE *file, ts_contact_kind kind, bool is_hidden) {
  char colour[8];
  ts_svg_colour(colour, ts_contact_colours[kind]);
  fprintf(file, "<g fill=\"%s\" stroke=\"%s\"%s>\n", colour, colour,
          is_hidden ? " opacity=\"0.35\"" : "");
}

/// Draws contacts in front last, and wrong ones after correct ones, so that they stay visible.
static void draw_contacts(const picture *p) {
  for (int pass = 0; pass < 2; pass++)
    for (int kind = 0; kind < TS_KIND_COUNT; kind++) {
      open_kind(p->file, (ts_contact_kind)kind, pass == 0);
      for (size_t i = 0; i < p->snapshot->contact_count; i++)
        if ((int)ts_contact_row_kind(&p->snapshot->contacts[i]) == kind)
          draw_contact(p, &p->snapshot->contacts[i], pass == 0);
      fputs("</g>\n", p->file);
    }
}

static void draw_title(const picture *p) {
  const ts_snapshot *e = p->snapshot;
  char text[256], more[128] = "";
  snprintf(text, sizeof text, "%s%s%s", e->case_name, e->method ? ", " : "",
           e->method ? e->method : "");
  ts_svg_text(p->file, (ts_svg_point){MARGIN, 32}, text,
              "font-size=\"20\" font-weight=\"600\" fill=\"#111\"");
  char state[64] = "as built";
  if (e->step > 0)
    snprintf(state, sizeof state, "simulation step %" PRId64, e->step);
  if (e->method)
    snprintf(more, sizeof more, "%s, %zu contact%s", state, e->contact_count,
             e->contact_count == 1 ? "" : "s");
  bool is_cut = false;
  for (size_t i = 0; i < e->body_count; i++)
    is_cut = is_cut || ts_exploded_view_is_ground(e, i);
  snprintf(text, sizeof text, "%s%s%zu bodies, %s%s", more, *more ? "; " : "", e->body_count,
           e->region_count > 0 ? "exploded view" : "not touching",
           is_cut ? "; the ground is cut off" : "");
  ts_svg_text(p->file, (ts_svg_point){MARGIN, 52}, text, "font-size=\"13\" fill=\"#444\"");
}

/// The world axes in this view.
static void draw_triad(const picture *p, ts_svg_point origin) {
  static const ts_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  static const char *const names[3] = {"x", "y", "z"};
  fputs("<g fill=\"#444\" stroke=\"#444\">\n", p->file);
  for (int i = 0; i < 3; i++) {
    ts_vec3 v = ts_view_point(&p->view, axes[i]);
    ts_svg_point tip = {origin.x + 30 * v.x, origin.y - 30 * v.y};
    ts_svg_point label = {origin.x + 40 * v.x - 3, origin.y - 40 * v.y + 4};
    ts_svg_open_path(p->file);
    ts_svg_line_in_path(p->file, origin, tip);
    ts_svg_close_path(p->file, "stroke-width=\"1.2\"");
    ts_svg_arrow_head(p->file, origin, tip, 5, false);
    ts_svg_text(p->file, label, names[i], "font-size=\"12\" stroke=\"none\"");
  }
  fputs("</g>\n", p->file);
}

/// The legend, from `at` to the right: symbol, name and count of each kind of item in the picture.
static void draw_legend(const picture *p, ts_svg_point at) {
  char colour[8], text[96];
  ts_svg_colour(colour, ts_truth_colour);
  fprintf(p->file, "<g fill=\"%s\" stroke=\"%s\">\n", colour, colour);
  size_t vertex_count = p->snapshot->region_count > 0 ? p->snapshot->regions[0].vertex_count : 3;
  ts_svg_point sign = {at.x + 12, at.y - 4};
  if (vertex_count == 1)
    ts_svg_circle(p->file, sign, 5, POINT_STYLE);
  else
    ts_svg_square(p->file, sign, 7, vertex_count == 2 ? SEGMENT_STYLE : POLYGON_STYLE);
  fputs("</g>\n", p->file);
  snprintf(text, sizeof text, "touching regions (%zu)", p->snapshot->region_count);
  ts_svg_text(p->file, (ts_svg_point){at.x + 28, at.y}, text, "font-size=\"13\" fill=\"#222\"");
  at.x += 182;
  for (int kind = 0; kind < TS_KIND_COUNT; kind++) {
    size_t count = 0;
    for (size_t i = 0; i < p->snapshot->contact_count; i++)
      count += (int)ts_contact_row_kind(&p->snapshot->contacts[i]) == kind;
    if (count == 0)
      continue;
    open_kind(p->file, (ts_contact_kind)kind, false);
    draw_arrow(p->file, (ts_contact_kind)kind, (ts_svg_point){at.x, at.y - 4},
               (ts_svg_point){at.x + 28, at.y - 4});
    fputs("</g>\n", p->file);
    snprintf(text, sizeof text, "%s (%zu)", ts_contact_kind_words[kind], count);
    ts_svg_text(p->file, (ts_svg_point){at.x + 36, at.y}, text, "font-size=\"13\" fill=\"#222\"");
    at.x += fmax(142, 56 + 7 * (double)strlen(text));
  }
  size_t without = 0;
  for (size_t i = 0; i < p->snapshot->contact_count; i++)
    without += !ts_contact_row_has_arrow(&p->snapshot->contacts[i]);
  if (without == 0)
    return;
  fputs("<g fill=\"#444\" stroke=\"#444\">\n", p->file);
  draw_no_arrow(p->file, (ts_svg_point){at.x + 8, at.y - 4});
  fputs("</g>\n", p->file);
  snprintf(text, sizeof text, "of which without a normal (%zu)", without);
  ts_svg_text(p->file, (ts_svg_point){at.x + 20, at.y}, text, "font-size=\"13\" fill=\"#222\"");
}

static void draw(const picture *p) {
  ts_svg_open(p->file, p->width, p->height, p->snapshot->case_name);
  draw_title(p);
  double bottom = p->height - LEGEND_HEIGHT;
  ts_svg_open_frame(p->file, (ts_svg_point){0, TITLE_HEIGHT}, (ts_svg_point){p->width, bottom});
  fputs("<g fill=\"none\" stroke-linecap=\"round\">\n", p->file);
  draw_wires(p, true, true);
  draw_wires(p, true, false);
  fputs("</g>\n", p->file);
  draw_truth(p);
  fputs("<g fill=\"none\" stroke-linecap=\"round\">\n", p->file);
  draw_wires(p, false, true);
  draw_wires(p, false, false);
  fputs("</g>\n", p->file);
  draw_contacts(p);
  ts_svg_close_frame(p->file);
  draw_triad(p, (ts_svg_point){MARGIN + 24, p->height - 40});
  draw_legend(p, (ts_svg_point){MARGIN + 76, p->height - 24});
  ts_svg_close(p->file);
}

ts_status ts_picture_write(FILE *file, ts_arena *arena, const ts_snapshot *snapshot) {
  picture p = {.file = file,
               .snapshot = snapshot,
               .view = ts_view_three_quarter(snapshot->up),
               .arrow_m = ARROW_SIZE * snapshot->body_size_m};
  TS_TRY(ts_exploded_view(&p.shifts, arena, snapshot, GAP_SIZE * snapshot->body_size_m));
  TS_TRY(ts_wireframe_create(&p.wireframe, arena, snapshot, p.shifts, &p.view));
  fit_page(&p);
  draw(&p);
  return TS_OK;
}
