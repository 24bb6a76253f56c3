// SPDX-License-Identifier: MIT
#include "harness/picture/caption.h"

#include "base/status.h"
#include "harness/picture/exploded_view.h"

#include <inttypes.h>

#define TITLE_SIZE 20.0
#define LINE_SIZE  14.0

/// Pairs whose truth is unknown that are named; more are counted.
#define UNKNOWN_NAMED_MAX 3

/// "20,265"; of some texts at a time.
typedef struct digits {
  char text[32];
} digits;

static digits group_digits(size_t number) {
  char plain[24];
  digits out;
  size_t count = (size_t)snprintf(plain, sizeof plain, "%zu", number), at = 0;
  for (size_t i = 0; i < count; i++) {
    if (i > 0 && (count - i) % 3 == 0)
      out.text[at++] = ',';
    out.text[at++] = plain[i];
  }
  out.text[at] = '\0';
  return out;
}

static const char *plural(size_t count) {
  return count == 1 ? "" : "s";
}

static ts_status say(ts_caption *c, const char *line) {
  if (!line)
    return TS_E_MEMORY;
  c->lines[c->line_count++] = line;
  return TS_OK;
}

/// "simulation step 3: 200 of 18,000 contacts, the worst first".
static ts_status say_contacts(ts_caption *c, ts_arena *arena) {
  const ts_snapshot *s = c->drawing->snapshot;
  if (!s->method)
    return TS_OK;
  const char *state =
      s->step > 0 ? ts_arena_format(arena, "simulation step %" PRId64, s->step) : "as built";
  size_t drawable = s->contact_count - c->contacts->nowhere;
  const char *nowhere = c->contacts->nowhere == 0
                            ? ""
                            : ts_arena_format(arena, "; %s without a place %s not drawn",
                                              group_digits(c->contacts->nowhere).text,
                                              c->contacts->nowhere == 1 ? "is" : "are");
  if (!state || !nowhere)
    return TS_E_MEMORY;
  return say(c, c->contacts->count < drawable
                    ? ts_arena_format(arena, "%s: %s of %s contacts, the worst first%s", state,
                                      group_digits(c->contacts->count).text,
                                      group_digits(s->contact_count).text, nowhere)
                    : ts_arena_format(arena, "%s: %s contact%s%s", state,
                                      group_digits(s->contact_count).text, plural(s->contact_count),
                                      nowhere));
}

/// "2 bodies, moved apart where they touch; the ground is cut off".
static ts_status say_bodies(ts_caption *c, ts_arena *arena) {
  const ts_snapshot *s = c->drawing->snapshot;
  bool is_cut = false;
  for (size_t i = 0; i < s->body_count; i++)
    is_cut = is_cut || ts_exploded_view_is_ground(s, i);
  const char *how = s->region_count > 0    ? ", moved apart where they touch"
                    : s->is_truth_unknown  ? ""
                    : s->unknown_count > 0 ? ", which touch nowhere else"
                    : s->body_count > 1    ? ", which touch nowhere"
                                           : "";
  return say(c, ts_arena_format(arena, "%s bod%s%s%s", group_digits(s->body_count).text,
                                s->body_count == 1 ? "y" : "ies", how,
                                is_cut ? "; the ground is cut off" : ""));
}

/// Why nothing, or not everything, is known of where the bodies touch.
static ts_status say_unknown(ts_caption *c, ts_arena *arena) {
  const ts_snapshot *s = c->drawing->snapshot;
  if (s->is_truth_unknown)
    return say(c, s->method && s->contact_count > 0
                      ? "where they touch is unknown: the scene does not tell it, so that the "
                        "contacts are not judged"
                      : "where they touch is unknown: the scene does not tell it");
  if (s->unknown_count == 0)
    return TS_OK;
  const char *pairs = "";
  size_t named = s->unknown_count < UNKNOWN_NAMED_MAX ? s->unknown_count : UNKNOWN_NAMED_MAX;
  for (size_t i = 0; i < named && pairs; i++)
    pairs = ts_arena_format(arena, "%s%s%d-%d (%s)", pairs, i > 0 ? ", " : "", s->unknown[i].body_a,
                            s->unknown[i].body_b, s->unknown[i].reason);
  if (pairs && named < s->unknown_count)
    pairs = ts_arena_format(arena, "%s and %s more", pairs,
                            group_digits(s->unknown_count - named).text);
  return say(c, pairs ? ts_arena_format(arena,
                                        "truth unknown for %s pair%s, whose contacts are not "
                                        "judged: %s",
                                        group_digits(s->unknown_count).text,
                                        plural(s->unknown_count), pairs)
                      : NULL);
}

/// What does not fit into a picture.
static ts_status say_limits(ts_caption *c, ts_arena *arena) {
  const ts_drawn_regions *r = c->regions;
  size_t total = c->drawing->snapshot->region_count;
  if (r->count < total)
    TS_TRY(say(c, ts_arena_format(arena, "%s of %s regions, those that are missed first",
                                  group_digits(r->count).text, group_digits(total).text)));
  if (r->normal_count < r->normal_total)
    TS_TRY(
        say(c, ts_arena_format(arena, "%s of %s needed normals", group_digits(r->normal_count).text,
                               group_digits(r->normal_total).text)));
  if (c->names.numbered > 0)
    TS_TRY(
        say(c, ts_arena_format(arena, "names where there is room%s; %s bod%s only the number",
                               c->drawing->snapshot->method ? ", of bodies with faults first" : "",
                               group_digits(c->names.numbered).text,
                               c->names.numbered == 1 ? "y has" : "ies have")));
  if (c->names.left_out > 0)
    TS_TRY(say(c, ts_arena_format(arena, "%s bod%s no room for a name",
                                  group_digits(c->names.left_out).text,
                                  c->names.left_out == 1 ? "y has" : "ies have")));
  return c->drawing->wireframe.is_thinned ? say(c, "inner edges of curved surfaces are left out")
                                          : TS_OK;
}

static ts_status say_parameters(ts_caption *c, ts_arena *arena, const char *of, const char *list) {
  return list && *list ? say(c, ts_arena_format(arena, "%s: %s", of, list)) : TS_OK;
}

ts_status ts_caption_fill(ts_caption *out, ts_arena *arena) {
  const ts_snapshot *s = out->drawing->snapshot;
  out->title = s->method ? ts_arena_format(arena, "%s, %s", s->case_name, s->method) : s->case_name;
  if (!out->title)
    return TS_E_MEMORY;
  TS_TRY(say_contacts(out, arena));
  TS_TRY(say_bodies(out, arena));
  TS_TRY(say_unknown(out, arena));
  TS_TRY(say_limits(out, arena));
  TS_TRY(say_parameters(out, arena, "case", s->case_parameters));
  return say_parameters(out, arena, "method", s->method_parameters);
}

const char *ts_caption_text(ts_arena *arena, const ts_caption *caption) {
  const char *text = "";
  for (size_t i = 0; i < caption->line_count && text; i++)
    text = ts_arena_format(arena, "%s%s%s", text, i > 0 ? "; " : "", caption->lines[i]);
  return text;
}

double ts_caption_put(FILE *file, const ts_caption *caption, ts_svg_point at, double width) {
  double top = at.y;
  at.y += TITLE_SIZE;
  at.y += TS_SVG_LINE * TITLE_SIZE *
          (double)ts_svg_paragraph(file, at, caption->title, width, TITLE_SIZE, true, "#111");
  at.y += LINE_SIZE - TITLE_SIZE;
  for (size_t i = 0; i < caption->line_count; i++)
    at.y += TS_SVG_LINE * LINE_SIZE *
            (double)ts_svg_paragraph(file, at, caption->lines[i], width, LINE_SIZE, false, "#444");
  return at.y - LINE_SIZE - top;
}
