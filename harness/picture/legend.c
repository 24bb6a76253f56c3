// SPDX-License-Identifier: MIT
#include "harness/picture/legend.h"

#include "harness/picture/draw_unknown.h"

#include <string.h>

#define TEXT_SIZE  14.0
#define LINE       22.0
#define SIGN_WIDTH 36.0 ///< with the blank after it
#define ENTRY_GAP  18.0

/// Entries beside each other, in as many lines as they take.
typedef struct flow {
  FILE *file; ///< NULL: only measures
  ts_svg_point start, at;
  double width;
} flow;

/// Makes room for an entry, and writes its text. Returns where its sign goes: the middle of its
/// left end.
static ts_svg_point enter(flow *f, const char *text) {
  double width = SIGN_WIDTH + ts_svg_text_width(text, TEXT_SIZE, false);
  if (f->at.x > f->start.x && f->at.x + width > f->start.x + f->width)
    f->at = (ts_svg_point){f->start.x, f->at.y + LINE};
  ts_svg_point sign = {f->at.x, f->at.y + LINE / 2};
  if (f->file)
    ts_svg_text(f->file, (ts_svg_point){sign.x + SIGN_WIDTH, sign.y + 0.36 * TEXT_SIZE}, text,
                "font-size=\"14\" fill=\"#222\"");
  f->at.x += width + ENTRY_GAP;
  return sign;
}

static ts_svg_point right_of(ts_svg_point at, double distance) {
  return (ts_svg_point){at.x + distance, at.y};
}

/// Vertices of the first region of a state, whose sign looks like it.
static size_t vertices_of(const ts_snapshot *s, ts_region_state state) {
  for (size_t i = 0; i < s->region_count; i++)
    if (ts_snapshot_region_state(s, &s->regions[i]) == state)
      return s->regions[i].vertex_count;
  return 3;
}

static void put_regions(flow *f, const ts_caption *c) {
  static const char *const words[TS_REGION_STATE_COUNT] = {[TS_REGION_TRUE] = "touching regions",
                                                           [TS_REGION_MET] = "regions that are met",
                                                           [TS_REGION_LACKING] = "lacking a normal",
                                                           [TS_REGION_MISSED] = "missed",
                                                           [TS_REGION_OPEN] =
                                                               "open, need no contact"};
  static const ts_region_state order[] = {TS_REGION_TRUE, TS_REGION_MET, TS_REGION_LACKING,
                                          TS_REGION_MISSED, TS_REGION_OPEN};
  for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
    ts_region_state state = order[i];
    if (c->regions->totals[state] == 0)
      continue;
    // Also alone in its line, the word must say what is missed.
    bool needs_noun = c->regions->totals[TS_REGION_MET] == 0 && state != TS_REGION_TRUE;
    char text[96];
    snprintf(text, sizeof text, "%s%s (%zu)", needs_noun ? "regions " : "", words[state],
             c->regions->totals[state]);
    ts_svg_point sign = enter(f, text);
    if (f->file)
      ts_draw_region_sign(f->file, state, vertices_of(c->drawing->snapshot, state),
                          right_of(sign, SIGN_WIDTH / 2 - 4));
  }
}

/// The state whose colour an arrow of a needed normal has: that of the first one drawn.
static ts_region_state colour_of_normals(const ts_caption *c) {
  return c->regions->totals[TS_REGION_MISSED] > 0    ? TS_REGION_MISSED
         : c->regions->totals[TS_REGION_LACKING] > 0 ? TS_REGION_LACKING
                                                     : TS_REGION_TRUE;
}

static void put_normals(flow *f, const ts_caption *c) {
  static const char *const words[2] = {"normal that is needed", "one of these is needed"};
  const bool is_there[2] = {c->regions->has_all, c->regions->has_any};
  for (int i = 0; i < 2; i++) {
    if (!is_there[i])
      continue;
    ts_svg_point sign = enter(f, words[i]);
    if (f->file)
      ts_draw_normal_sign(f->file, colour_of_normals(c), i == 1, sign, right_of(sign, 28));
  }
}

static void put_contacts(flow *f, const ts_caption *c) {
  char text[96];
  for (int kind = 0; kind < TS_KIND_COUNT; kind++) {
    size_t total = c->contacts->totals[kind], shown = c->contacts->shown[kind];
    if (total == 0)
      continue;
    if (shown == total)
      snprintf(text, sizeof text, "%s (%zu)", ts_contact_kind_words[kind], total);
    else
      snprintf(text, sizeof text, "%s (%zu of %zu)", ts_contact_kind_words[kind], shown, total);
    ts_svg_point sign = enter(f, text);
    if (f->file)
      ts_draw_contact_sign(f->file, (ts_contact_kind)kind, sign, right_of(sign, 28));
  }
  if (c->contacts->without_normal == 0)
    return;
  snprintf(text, sizeof text, "of which without a normal (%zu)", c->contacts->without_normal);
  ts_svg_point sign = enter(f, text);
  if (f->file)
    ts_draw_no_normal_sign(f->file, right_of(sign, SIGN_WIDTH / 2 - 4));
}

static void put_unknown(flow *f, const ts_caption *c) {
  char text[96];
  size_t count = c->drawing->snapshot->unknown_count;
  if (count == 0)
    return;
  snprintf(text, sizeof text, "pair whose truth is unknown (%zu)", count);
  ts_svg_point sign = enter(f, text);
  if (f->file)
    ts_draw_unknown_sign(f->file, right_of(sign, SIGN_WIDTH / 2 - 4));
}

double ts_legend_put(FILE *file, const ts_caption *caption, ts_svg_point at, double width) {
  flow f = {file, at, at, width};
  put_regions(&f, caption);
  put_unknown(&f, caption);
  put_normals(&f, caption);
  put_contacts(&f, caption);
  return f.at.y + (f.at.x > at.x ? LINE : 0) - at.y;
}
