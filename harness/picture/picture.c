// SPDX-License-Identifier: MIT
#include "harness/picture/picture.h"

#include "base/status.h"
#include "geometry/vec3.h"
#include "harness/picture/caption.h"
#include "harness/picture/draw_unknown.h"
#include "harness/picture/exploded_view.h"
#include "harness/picture/legend.h"

#include <stdlib.h>

/// Relative to a body's size: the gap between bodies in the exploded view, and the length of an
/// arrow.
#define GAP_SIZE   0.5
#define ARROW_SIZE 0.24

/// The page [px]. It is narrow, so that its text can be read where it is scaled down to a phone.
#define WIDTH_MIN     560.0
#define WIDTH_MAX     680.0
#define WIDTH_OF_MANY 860.0
#define HEIGHT_MAX    900.0 // of the drawing
#define FEW_BODIES    4     // up to this number, use the height below
#define HEIGHT_OF_FEW 500.0
#define MANY_BODIES   40 // from this number on, the larger width
#define MARGIN        20.0
#define NAME_MARGIN   70.0 // beside the drawing, for names
#define TRIAD_WIDTH   88.0
#define TRIAD_HEIGHT  96.0

typedef struct bounds {
  ts_vec3 min, max;
} bounds;

static void include(bounds *b, ts_vec3 point) {
  b->min = ts_vec3_min(b->min, point);
  b->max = ts_vec3_max(b->max, point);
}

/// Bounds of everything that must be fully visible: the bodies except the ground, and the regions.
static bounds bounds_of_bodies(const ts_drawing *d) {
  const ts_snapshot *s = d->snapshot;
  bounds out = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
  for (size_t i = 0; i < s->body_count; i++) {
    const ts_snapshot_surface *surface = &s->bodies[i].designed;
    for (size_t k = 0; !ts_exploded_view_is_ground(s, i) && k < surface->mesh->vertex_count; k++)
      include(&out, ts_drawing_on_body(d, i, surface->world[k]));
  }
  for (size_t i = 0; i < s->region_count; i++) {
    const ts_snapshot_region *r = &s->regions[i];
    for (size_t k = 0; k < r->vertex_count; k++) {
      include(&out, ts_drawing_on_body(d, (size_t)r->body_a, r->vertices[k]));
      include(&out, ts_drawing_on_body(d, (size_t)r->body_b, r->vertices[k]));
    }
  }
  return out;
}

/// Fits the drawing to its frame.
static void fit_frame(ts_drawing *d, const ts_drawn_contacts *contacts) {
  bounds all = bounds_of_bodies(d);
  // A phantom contact may be anywhere; one far away is cut off, so that it does not shrink
  // everything else.
  ts_vec3 room = ts_vec3_scale(ts_vec3_sub(all.max, all.min), 0.15);
  bounds far = {ts_vec3_sub(all.min, room), ts_vec3_add(all.max, room)};
  for (size_t i = 0; i < contacts->count; i++) {
    const ts_contact_row *row = contacts->rows[i];
    if (!ts_contact_row_has_arrow(row))
      continue;
    ts_drawn_arrow arrow =
        ts_drawing_arrow(d, (size_t)row->body_a, (size_t)row->body_b,
                         (ts_vec3){row->point_x_m, row->point_y_m, row->point_z_m},
                         (ts_vec3){row->normal_x, row->normal_y, row->normal_z});
    include(&all, ts_vec3_max(ts_vec3_min(arrow.from, far.max), far.min));
    include(&all, ts_vec3_max(ts_vec3_min(arrow.to, far.max), far.min));
  }
  double width_m = all.max.x - all.min.x, height_m = all.max.y - all.min.y;
  double height_max = d->snapshot->body_count > FEW_BODIES ? HEIGHT_MAX : HEIGHT_OF_FEW;
  double width_max = d->snapshot->body_count < MANY_BODIES ? WIDTH_MAX : WIDTH_OF_MANY;
  d->px_per_m = ts_min((width_max - 2 * NAME_MARGIN) / width_m, height_max / height_m);
  d->min_x = all.min.x;
  d->max_y = all.max.y;
  d->width = ts_max(width_m * d->px_per_m + 2 * NAME_MARGIN, WIDTH_MIN);
  d->height = height_m * d->px_per_m + 2 * MARGIN;
  d->left = (d->width - width_m * d->px_per_m) / 2;
  d->top = MARGIN;
}

/// The pieces of edges of one style as a single path.
static void draw_wires(const ts_drawing *d, bool is_hidden, bool is_soft) {
  ts_svg_open_path(d->file);
  for (size_t i = 0; i < d->wireframe.wire_count; i++) {
    const ts_wire *w = &d->wireframe.wires[i];
    if (w->is_hidden == is_hidden && w->is_soft == is_soft)
      ts_svg_line_in_path(d->file, ts_drawing_place(d, w->from), ts_drawing_place(d, w->to));
  }
  const char *style = is_hidden ? "stroke=\"#d8d8d8\" stroke-width=\"0.6\""
                      : is_soft ? "stroke=\"#b0b0b0\" stroke-width=\"0.6\""
                                : "stroke=\"#3c3c3c\" stroke-width=\"1.1\"";
  ts_svg_close_path(d->file, style);
}

static void draw_bodies(const ts_drawing *d, bool is_hidden) {
  fputs("<g fill=\"none\" stroke-linecap=\"round\">\n", d->file);
  draw_wires(d, is_hidden, true);
  draw_wires(d, is_hidden, false);
  fputs("</g>\n", d->file);
}

/// The world axes in this view.
static void draw_triad(FILE *file, const ts_view *view, ts_svg_point origin) {
  static const ts_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  static const char *const names[3] = {"x", "y", "z"};
  fputs("<g fill=\"#444\" stroke=\"#444\">\n", file);
  for (int i = 0; i < 3; i++) {
    ts_vec3 v = ts_view_point(view, axes[i]);
    ts_svg_point tip = {origin.x + 30 * v.x, origin.y - 30 * v.y};
    ts_svg_point label = {origin.x + 40 * v.x - 3, origin.y - 40 * v.y + 4};
    ts_svg_open_path(file);
    ts_svg_line_in_path(file, origin, tip);
    ts_svg_close_path(file, "stroke-width=\"1.2\"");
    ts_svg_arrow_head(file, origin, tip, 5, false);
    ts_svg_text(file, label, names[i], "font-size=\"12\" stroke=\"none\"");
  }
  fputs("</g>\n", file);
}

/// What is within the frame.
static ts_status draw_frame(ts_caption *caption) {
  const ts_drawing *d = caption->drawing;
  draw_bodies(d, true);
  TS_TRY(ts_draw_regions(d, caption->regions));
  draw_bodies(d, false);
  ts_draw_unknown(d);
  ts_draw_contacts(d, caption->contacts);
  ts_draw_needed_normals(d, caption->regions);
  return ts_draw_body_names(&caption->names, d, caption->contacts);
}

/// Puts words and frame together; the height of the words follows from what was drawn.
static ts_status write_page(FILE *file, ts_arena *arena, ts_caption *caption, const char *frame) {
  const ts_drawing *d = caption->drawing;
  TS_TRY(ts_caption_fill(caption, arena));
  const char *description = ts_caption_text(arena, caption);
  if (!description)
    return TS_E_MEMORY;
  double width = d->width - 2 * MARGIN, legend_width = width - TRIAD_WIDTH;
  ts_svg_point at = {MARGIN, MARGIN};
  double top = MARGIN + ts_caption_put(NULL, caption, at, width);
  double legend = ts_legend_put(NULL, caption, at, legend_width);
  double bottom = top + d->height, height = bottom + ts_max(legend + MARGIN, TRIAD_HEIGHT);
  ts_svg_open(file, d->width, height, caption->title, description);
  ts_caption_put(file, caption, at, width);
  ts_svg_open_frame(file, (ts_svg_point){0, top}, d->width, d->height);
  fputs(frame, file);
  ts_svg_close_frame(file);
  draw_triad(file, &d->view, (ts_svg_point){MARGIN + 24, bottom + 52});
  ts_legend_put(file, caption, (ts_svg_point){MARGIN + TRIAD_WIDTH, bottom + 8}, legend_width);
  ts_svg_close(file);
  return TS_OK;
}

ts_status ts_picture_write(FILE *file, ts_arena *arena, const ts_snapshot *snapshot) {
  ts_drawing d = {.arena = arena,
                  .snapshot = snapshot,
                  .view = ts_view_three_quarter(snapshot->up),
                  .arrow_m = ARROW_SIZE * snapshot->body_size_m};
  TS_TRY(ts_exploded_view(&d.shifts, arena, snapshot, GAP_SIZE * snapshot->body_size_m));
  TS_TRY(ts_wireframe_create(&d.wireframe, arena, snapshot, d.shifts, &d.view));
  ts_drawn_contacts contacts;
  ts_drawn_regions regions;
  TS_TRY(ts_drawn_contacts_choose(&contacts, &d));
  TS_TRY(ts_drawn_regions_choose(&regions, &d));
  fit_frame(&d, &contacts);
  ts_caption caption = {.drawing = &d, .contacts = &contacts, .regions = &regions};
  char *frame = NULL;
  size_t bytes;
  d.file = open_memstream(&frame, &bytes);
  if (!d.file)
    return ts_fail(TS_E_MEMORY, "out of memory");
  ts_status status = draw_frame(&caption);
  bool is_whole = !ferror(d.file);
  if ((fclose(d.file) != 0 || !is_whole) && status == TS_OK)
    status = ts_fail(TS_E_MEMORY, "out of memory");
  if (status == TS_OK)
    status = write_page(file, arena, &caption, frame);
  free(frame);
  return status;
}
