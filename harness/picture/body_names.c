// SPDX-License-Identifier: MIT
#include "harness/picture/body_names.h"

#include "base/status.h"
#include "geometry/mesh/mesh.h"
#include "geometry/vec3.h"

#include <stdlib.h>
#include <string.h>

/// Size of the text, its distance from the outline, and the room that it keeps free [px].
#define FONT_SIZE   12.0
#define OUTLINE_GAP 4.0
#define ROOM        1.5

/// Where there are more bodies than names, a body gets its number if its name would hide anything:
/// between bricks of a wall, names cannot be read.
#define COST_MAX_OF_MANY 0.5

/// A body with a name of more bytes gets its number.
#define NAME_BYTES_MAX 28

#define TEXT_STYLE "font-size=\"12\" fill=\"#222\""
#define HALO_STYLE                                                                                 \
  "font-size=\"12\" fill=\"none\" stroke=\"#fff\" stroke-width=\"3\" stroke-linejoin=\"round\""

typedef struct box {
  double min_x, min_y, max_x, max_y;
} box;

/// The outline of a body on the page, as far as names need it.
typedef struct outline {
  size_t body, faults;
  ts_svg_point left, right, upper, lower; ///< the farthest vertices
} outline;

typedef struct work {
  const ts_drawing *d;
  outline *outlines; ///< [body_count], those with faults first
  size_t obstacle_count;
  ts_svg_point *obstacles; ///< [obstacle_count], where arrows start
  size_t box_count;
  box *boxes; ///< [box_count], of the names so far
} work;

static bool overlap(box a, box b) {
  return a.min_x < b.max_x && b.min_x < a.max_x && a.min_y < b.max_y && b.min_y < a.max_y;
}

static outline outline_of(const ts_drawing *d, size_t body) {
  const ts_snapshot_surface *s = &d->snapshot->bodies[body].designed;
  outline o = {.body = body,
               .left = {INFINITY, 0},
               .right = {-INFINITY, 0},
               .upper = {0, INFINITY},
               .lower = {0, -INFINITY}};
  for (size_t i = 0; i < s->mesh->vertex_count; i++) {
    ts_svg_point at = ts_drawing_place(d, ts_drawing_on_body(d, body, s->world[i]));
    o.left = at.x < o.left.x ? at : o.left;
    o.right = at.x > o.right.x ? at : o.right;
    o.upper = at.y < o.upper.y ? at : o.upper;
    o.lower = at.y > o.lower.y ? at : o.lower;
  }
  return o;
}

static int by_faults(const void *a, const void *b) {
  const outline *x = a, *y = b;
  if (x->faults != y->faults)
    return x->faults > y->faults ? -1 : 1;
  return (x->body > y->body) - (x->body < y->body);
}

/// Counts contacts at fault, and regions that are not met, of each body.
static void count_faults(outline *outlines, const ts_snapshot *s) {
  for (size_t i = 0; i < s->contact_count; i++)
    if (ts_contact_kind_is_fault(ts_contact_row_kind(&s->contacts[i]))) {
      outlines[(size_t)s->contacts[i].body_a].faults++;
      outlines[(size_t)s->contacts[i].body_b].faults++;
    }
  for (size_t i = 0; i < s->region_count; i++) {
    ts_region_state state = ts_snapshot_region_state(s, &s->regions[i]);
    if (state == TS_REGION_MISSED || state == TS_REGION_LACKING) {
      outlines[s->regions[i].body_a].faults++;
      outlines[s->regions[i].body_b].faults++;
    }
  }
}

static ts_status start(work *w, const ts_drawing *d, const ts_drawn_contacts *contacts) {
  size_t count = d->snapshot->body_count;
  *w = (work){.d = d,
              .outlines = ts_arena_array(d->arena, count, sizeof *w->outlines),
              .obstacles = ts_arena_array(d->arena, contacts->count, sizeof *w->obstacles),
              .boxes = ts_arena_array(d->arena, count, sizeof *w->boxes)};
  if (!w->outlines || !w->obstacles || !w->boxes)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++)
    w->outlines[i] = outline_of(d, i);
  count_faults(w->outlines, d->snapshot);
  qsort(w->outlines, count, sizeof *w->outlines, by_faults);
  for (size_t i = 0; i < contacts->count; i++) {
    const ts_contact_row *row = contacts->rows[i];
    const ts_vec3 at = {row->point_x_m, row->point_y_m, row->point_z_m};
    ts_drawn_arrow arrow =
        ts_drawing_arrow(d, (size_t)row->body_a, (size_t)row->body_b, at, (ts_vec3){0, 0, 0});
    w->obstacles[w->obstacle_count++] = ts_drawing_place(d, arrow.from);
  }
  return TS_OK;
}

/// How much a text there would hide; infinite where it must not be.
static double cost_of(const work *w, box b, size_t body) {
  const ts_drawing *d = w->d;
  if (b.min_x < 0 || b.max_x > d->width || b.min_y < 0 || b.max_y > d->height)
    return INFINITY;
  for (size_t i = 0; i < w->box_count; i++)
    if (overlap(b, w->boxes[i]))
      return INFINITY;
  double cost = 0;
  for (size_t i = 0; i < w->obstacle_count; i++) {
    ts_svg_point at = w->obstacles[i];
    cost += at.x > b.min_x && at.x < b.max_x && at.y > b.min_y && at.y < b.max_y;
  }
  for (size_t i = 0; i < d->snapshot->body_count; i++) {
    const outline *o = &w->outlines[i];
    const box other = {o->left.x, o->upper.y, o->right.x, o->lower.y};
    cost += o->body != body && overlap(b, other);
  }
  return cost;
}

/// Puts a text beside the outline of a body, or in its middle, where it hides at most `cost_max`
/// things. False: there is no such place.
static bool put_text(work *w, const outline *o, const char *text, double cost_max) {
  double width = ts_svg_text_width(text, FONT_SIZE, false), half = FONT_SIZE / 2;
  ts_svg_point middle = {(ts_max(o->left.x, 0) + ts_min(o->right.x, w->d->width) - width) / 2,
                         (ts_max(o->upper.y, 0) + ts_min(o->lower.y, w->d->height)) / 2};
  // The middle of the left end of the text.
  const ts_svg_point places[] = {
      {o->right.x + OUTLINE_GAP, o->right.y},
      {o->left.x - OUTLINE_GAP - width, o->left.y},
      {o->upper.x - width / 2, o->upper.y - OUTLINE_GAP - half},
      {o->lower.x - width / 2, o->lower.y + OUTLINE_GAP + half},
      middle,
  };
  double least = INFINITY;
  size_t best = 0;
  box best_box = {0};
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    const box b = {places[i].x - ROOM, places[i].y - half - ROOM, places[i].x + width + ROOM,
                   places[i].y + half + ROOM};
    double cost = cost_of(w, b, o->body) + 0.01 * (double)i;
    if (cost < least) {
      least = cost;
      best = i;
      best_box = b;
    }
  }
  if (!(least <= cost_max) || !isfinite(least))
    return false;
  w->boxes[w->box_count++] = best_box;
  ts_svg_point base = {places[best].x, places[best].y + 0.36 * FONT_SIZE};
  ts_svg_text(w->d->file, base, text, HALO_STYLE);
  ts_svg_text(w->d->file, base, text, TEXT_STYLE);
  return true;
}

ts_status ts_draw_body_names(ts_body_names *out, const ts_drawing *d,
                             const ts_drawn_contacts *contacts) {
  *out = (ts_body_names){0};
  work w;
  TS_TRY(start(&w, d, contacts));
  double cost_max =
      d->snapshot->body_count > TS_NAMED_BODIES_MAX ? COST_MAX_OF_MANY : (double)INFINITY;
  for (size_t i = 0; i < d->snapshot->body_count; i++) {
    const outline *o = &w.outlines[i];
    const char *name = d->snapshot->bodies[o->body].name;
    const char *number = ts_arena_format(d->arena, "%zu", o->body);
    const char *full = ts_arena_format(d->arena, "%zu %s", o->body, name);
    if (!number || !full)
      return TS_E_MEMORY;
    bool may_be_named = out->named < TS_NAMED_BODIES_MAX && strlen(name) <= NAME_BYTES_MAX;
    if (may_be_named && put_text(&w, o, full, cost_max))
      out->named++;
    else if (out->numbered < TS_NUMBERED_BODIES_MAX && put_text(&w, o, number, INFINITY))
      out->numbered++;
    else
      out->left_out++;
  }
  return TS_OK;
}
