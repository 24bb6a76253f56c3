// SPDX-License-Identifier: MIT
#include "harness/picture/draw_contacts.h"

#include "base/status.h"
#include "geometry/vec3.h"
#include "reports/rows/contacts_at_fault.h"

#include <stdlib.h>

static int by_fault(const void *a, const void *b) {
  const ts_contact_row *x = *(const ts_contact_row *const *)a,
                       *y = *(const ts_contact_row *const *)b;
  if (ts_fault_is_worse(x, y))
    return -1;
  return ts_fault_is_worse(y, x) ? 1 : (x > y) - (x < y);
}

static bool has_place(const ts_contact_row *row) {
  return isfinite(row->point_x_m) && isfinite(row->point_y_m) && isfinite(row->point_z_m);
}

ts_status ts_drawn_contacts_choose(ts_drawn_contacts *out, const ts_drawing *d) {
  const ts_snapshot *s = d->snapshot;
  *out = (ts_drawn_contacts){.rows = ts_arena_array(d->arena, s->contact_count, sizeof *out->rows)};
  if (!out->rows)
    return TS_E_MEMORY;
  for (size_t i = 0; i < s->contact_count; i++) {
    out->totals[ts_contact_row_kind(&s->contacts[i])]++;
    if (has_place(&s->contacts[i]))
      out->rows[out->count++] = &s->contacts[i];
  }
  out->nowhere = s->contact_count - out->count;
  qsort(out->rows, out->count, sizeof(ts_contact_row *), by_fault);
  out->count = out->count < TS_DRAWN_CONTACTS_MAX ? out->count : TS_DRAWN_CONTACTS_MAX;
  for (size_t i = 0; i < out->count; i++) {
    out->shown[ts_contact_row_kind(out->rows[i])]++;
    out->without_normal += !ts_contact_row_has_arrow(out->rows[i]);
  }
  return TS_OK;
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

/// Kinds differ by shape as well as colour, for readers who cannot tell the colours apart.
static void put_arrow(FILE *file, ts_contact_kind kind, ts_svg_point from, ts_svg_point to) {
  static const arrow_style styles[TS_KIND_COUNT] = {
      [TS_KIND_CORRECT] = {SOLID, false, DOT},
      [TS_KIND_INCORRECT] = {SOLID, true, CROSS},
      [TS_KIND_SPECULATIVE] = {DOTTED, false, DOT},
      [TS_KIND_PHANTOM] = {DASHED, true, SQUARE},
      [TS_KIND_FLIPPED] = {SOLID, true, RING},
      [TS_KIND_GAP_WRONG] = {SOLID, false, SQUARE},
      [TS_KIND_SPECULATIVE_WRONG] = {DOTTED, true, CROSS},
      [TS_KIND_UNTOLD] = {SOLID, false, RING}};
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

static void put_no_normal(FILE *file, ts_svg_point at) {
  ts_svg_circle(file, at, 4, "fill=\"none\" stroke-width=\"1.3\"");
  ts_svg_cross(file, at, 2.8, "stroke-width=\"1.3\"");
}

static void open_kind(FILE *file, ts_contact_kind kind, bool is_hidden) {
  char colour[8];
  ts_svg_colour(colour, ts_contact_colours[kind]);
  fprintf(file, "<g fill=\"%s\" stroke=\"%s\"%s>\n", colour, colour,
          is_hidden ? " opacity=\"0.35\"" : "");
}

static void draw_contact(const ts_drawing *d, const ts_contact_row *row, bool is_hidden) {
  bool has_arrow = ts_contact_row_has_arrow(row);
  const ts_vec3 along =
      has_arrow ? (ts_vec3){row->normal_x, row->normal_y, row->normal_z} : (ts_vec3){0, 0, 0};
  ts_drawn_arrow arrow =
      ts_drawing_arrow(d, (size_t)row->body_a, (size_t)row->body_b,
                       (ts_vec3){row->point_x_m, row->point_y_m, row->point_z_m}, along);
  if (arrow.is_hidden != is_hidden)
    return;
  open_kind(d->file, ts_contact_row_kind(row), is_hidden);
  ts_drawing_put_leader(d, &arrow);
  if (has_arrow)
    put_arrow(d->file, ts_contact_row_kind(row), ts_drawing_place(d, arrow.from),
              ts_drawing_place(d, arrow.to));
  else
    put_no_normal(d->file, ts_drawing_place(d, arrow.from));
  fputs("</g>\n", d->file);
}

void ts_draw_contacts(const ts_drawing *d, const ts_drawn_contacts *contacts) {
  for (int pass = 0; pass < 2; pass++)
    for (size_t i = contacts->count; i-- > 0;)
      draw_contact(d, contacts->rows[i], pass == 0);
}

void ts_draw_contact_sign(FILE *file, ts_contact_kind kind, ts_svg_point from, ts_svg_point to) {
  open_kind(file, kind, false);
  put_arrow(file, kind, from, to);
  fputs("</g>\n", file);
}

void ts_draw_no_normal_sign(FILE *file, ts_svg_point at) {
  fputs("<g fill=\"#444\" stroke=\"#444\">\n", file);
  put_no_normal(file, at);
  fputs("</g>\n", file);
}
