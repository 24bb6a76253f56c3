// SPDX-License-Identifier: MIT
// Edges of one body that lie on the other: they are cut wherever their neighbourhood changes, so
// that each stretch can be examined in its middle.
#include "base/array.h"
#include "base/status.h"
#include "cases/truth/derived_search.h"
#include "geometry/closest.h"
#include "geometry/polygon.h"

#include <stdlib.h>

/// A stretch of an edge that lies on a part of the other body.
typedef struct on_edge {
  uint32_t edge;   ///< index into side->edges
  double from, to; ///< parameters along it
} on_edge;

typedef struct edge_work {
  ts_derived_search *s;
  int side;
  size_t count, capacity;
  on_edge *of;
} edge_work;

static ts_status note_on_edge(edge_work *w, on_edge item) {
  TS_TRY(TS_ARENA_GROW(w->of, w->capacity, w->count, 1, w->s->pair->arena));
  w->of[w->count++] = item;
  return TS_OK;
}

static double along(const ts_vec3 ends[2], ts_vec3 p) {
  return ts_closest_point_segment(p, ends[0], ends[1]);
}

/// An edge and a part of the other body: the stretch that lies on it, or the point where it goes
/// through. Edges that cross without being parallel are seen here too: each goes through the plane
/// of some face of the other, at its rim.
static ts_status meet_edge_part(void *context, uint32_t near_edge, uint32_t part_index) {
  edge_work *w = context;
  const ts_derived_pair *pair = w->s->pair;
  const ts_derived_side *other = &pair->side[1 - w->side];
  const ts_derived_part *part = &other->parts[part_index];
  ts_vec3 ends[2], clipped[2], normal = ts_derived_normal(other, part->patch);
  ts_derived_ends(ends, &pair->side[w->side], pair->side[w->side].edges[near_edge]);
  double from = ts_vec3_dot(normal, ts_vec3_sub(ends[0], part->corners[0]));
  double to = ts_vec3_dot(normal, ts_vec3_sub(ends[1], part->corners[0]));
  if (fmin(from, to) < -pair->touch_m && fmax(from, to) > pair->touch_m) {
    ts_vec3 through = ts_vec3_lerp(ends[0], ends[1], from / (from - to));
    if (ts_convex_distance(through, part->corners, part->count, normal) <= pair->touch_m)
      return ts_derived_note_point(w->s, through);
    return TS_OK;
  }
  if (ts_polygon_clip(clipped, ends, 2, part->corners, part->count, normal, pair->touch_m) < 2)
    return TS_OK;
  for (int i = 0; i < 2; i++)
    if (!(ts_derived_height(part, normal, clipped[i]) <= 2 * pair->touch_m))
      return TS_OK;
  return note_on_edge(w, (on_edge){near_edge, along(ends, clipped[0]), along(ends, clipped[1])});
}

static ts_status meet_b_edge_part(void *context, uint32_t part, uint32_t edge) {
  return meet_edge_part(context, edge, part);
}

static ts_status collect_edges(edge_work *w) {
  const ts_derived_side *a = &w->s->pair->side[0], *b = &w->s->pair->side[1];
  bool is_a = w->side == 0;
  return ts_bvh_tandem(is_a ? a->edge_boxes : a->part_boxes, is_a ? b->part_boxes : b->edge_boxes,
                       ts_pose_identity(), w->s->pair->touch_m,
                       is_a ? meet_edge_part : meet_b_edge_part, w);
}

static int compare_on_edge(const void *left, const void *right) {
  const on_edge *l = left, *r = right;
  if (l->edge != r->edge)
    return l->edge < r->edge ? -1 : 1;
  if (l->from != r->from)
    return l->from < r->from ? -1 : 1;
  return (l->to > r->to) - (l->to < r->to);
}

static int compare_numbers(const void *left, const void *right) {
  const double *l = left, *r = right;
  return (*l > *r) - (*l < *r);
}

/// A stretch of an edge between two neighbouring changes.
typedef struct stretch {
  double from, to;
  ts_derived_terms terms;
  bool is_covered;
} stretch;

static bool is_covered(const on_edge *of, size_t count, double t) {
  for (size_t i = 0; i < count; i++)
    if (of[i].from <= t && t <= of[i].to)
      return true;
  return false;
}

/// Cuts an edge where anything changes, which is where it enters or leaves some part: the corners
/// and edges of the other body that it passes are ends of parts that it lies on; `out` has room for
/// 2 count.
static ts_status cut_edge(stretch *out, size_t *out_count, edge_work *w, const on_edge *of,
                          size_t count, const ts_vec3 ends[2]) {
  double *at = ts_arena_array(w->s->pair->arena, 2 * count, sizeof *at);
  if (!at)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++) {
    at[2 * i] = of[i].from;
    at[2 * i + 1] = of[i].to;
  }
  qsort(at, 2 * count, sizeof *at, compare_numbers);
  double min_length = 3 * w->s->pair->touch_m / ts_vec3_distance(ends[0], ends[1]), from = at[0];
  *out_count = 0;
  for (size_t i = 1; i < 2 * count && !w->s->out->overlap; i++) {
    if (at[i] - from <= min_length)
      continue;
    stretch *next = &out[(*out_count)++];
    double middle = 0.5 * (from + at[i]);
    *next = (stretch){.from = from, .to = at[i], .is_covered = is_covered(of, count, middle)};
    from = at[i];
    if (!next->is_covered)
      continue;
    ts_vec3 point = ts_vec3_lerp(ends[0], ends[1], middle);
    TS_TRY(ts_derived_list_terms(&next->terms, w->s, point));
  }
  return TS_OK;
}

/// Whether the stretch demands the term too, which is then taken from it.
static bool take_term(const ts_derived_search *s, stretch *next, const ts_term *term) {
  for (size_t i = 0; next->is_covered && i < next->terms.count; i++)
    if (ts_derived_follows(s, term, &next->terms.terms[i]) &&
        ts_derived_follows(s, &next->terms.terms[i], term)) {
      next->terms.terms[i] = next->terms.terms[--next->terms.count];
      return true;
    }
  return false;
}

/// Terms that go on from one stretch to the next are one demand.
static ts_status add_segments(edge_work *w, stretch *of, size_t count, const ts_vec3 ends[2]) {
  for (size_t i = 0; i < count; i++)
    while (of[i].is_covered && of[i].terms.count > 0) {
      size_t last = i;
      ts_term term = of[i].terms.terms[0];
      for (size_t k = 1; k < of[i].terms.count; k++)
        of[i].terms.terms[k - 1] = of[i].terms.terms[k];
      of[i].terms.count--;
      while (last + 1 < count && take_term(w->s, &of[last + 1], &term))
        last++;
      ts_vec3 *vertices = ts_arena_array(w->s->pair->arena, 2, sizeof *vertices);
      if (!vertices)
        return TS_E_MEMORY;
      vertices[0] = ts_vec3_lerp(ends[0], ends[1], of[i].from);
      vertices[1] = of[last].to < 1 ? ts_vec3_lerp(ends[0], ends[1], of[last].to) : ends[1];
      TS_TRY(ts_derived_add_demand(w->s, vertices, 2, term));
    }
  return TS_OK;
}

ts_status ts_derived_find_segments(ts_derived_search *s, int side_index) {
  edge_work work = {.s = s, .side = side_index}, *w = &work;
  const ts_derived_side *side = &s->pair->side[w->side];
  TS_TRY(collect_edges(w));
  if (w->count > 1)
    qsort(w->of, w->count, sizeof *w->of, compare_on_edge);
  for (size_t first = 0, end; first < w->count && !s->out->overlap; first = end) {
    for (end = first + 1; end < w->count && w->of[end].edge == w->of[first].edge;)
      end++;
    ts_vec3 ends[2];
    ts_derived_ends(ends, side, side->edges[w->of[first].edge]);
    size_t count = end - first, stretch_count;
    stretch *stretches = ts_arena_array(s->pair->arena, 2 * count, sizeof *stretches);
    if (!stretches)
      return TS_E_MEMORY;
    TS_TRY(cut_edge(stretches, &stretch_count, w, &w->of[first], count, ends));
    if (!s->out->overlap)
      TS_TRY(add_segments(w, stretches, stretch_count, ends));
  }
  return TS_OK;
}
