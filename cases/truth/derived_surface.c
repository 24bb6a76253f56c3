// SPDX-License-Identifier: MIT
#include "cases/truth/derived_surface.h"

#include "base/array.h"
#include "base/status.h"
#include "geometry/closest.h"
#include "geometry/outline.h"
#include "geometry/polygon.h"

#include <string.h>

ts_vec3 ts_derived_normal(const ts_derived_side *side, uint32_t patch) {
  return ts_pose_direction(side->to_frame, side->patches->patches[patch].normal);
}

void ts_derived_ends(ts_vec3 out[2], const ts_derived_side *side, uint32_t edge) {
  for (int i = 0; i < 2; i++)
    out[i] = side->vertices[side->patches->edges[edge].vertices[i]];
}

// ---- what is near -----------------------------------------------------------------------------

typedef struct marking {
  ts_derived_pair *pair;
  const ts_aabb *boxes[2];
} marking;

static ts_status mark_near(void *context, uint32_t triangle_a, uint32_t triangle_b) {
  marking *m = context;
  const uint32_t triangles[2] = {triangle_a, triangle_b};
  if (!ts_aabb_overlap(ts_aabb_inflate(m->boxes[0][triangle_a], m->pair->touch_m),
                       m->boxes[1][triangle_b]))
    return TS_OK;
  for (int s = 0; s < 2; s++) {
    ts_derived_side *side = &m->pair->side[s];
    side->is_near[side->patches->patch_of[triangles[s]]] = true;
  }
  return TS_OK;
}

static ts_status find_near(ts_derived_pair *pair, const ts_derived_shape *const shapes[2],
                           ts_pose b_to_a) {
  marking m = {.pair = pair};
  for (int s = 0; s < 2; s++) {
    ts_derived_side *side = &pair->side[s];
    const ts_mesh *mesh = side->patches->mesh;
    ts_aabb *boxes = ts_arena_array(pair->arena, mesh->triangle_count, sizeof *boxes);
    side->vertices = ts_arena_array(pair->arena, mesh->vertex_count, sizeof *side->vertices);
    side->is_near = ts_arena_array(pair->arena, side->patches->patch_count, sizeof *side->is_near);
    if (!boxes || !side->vertices || !side->is_near)
      return TS_E_MEMORY;
    for (size_t v = 0; v < mesh->vertex_count; v++)
      side->vertices[v] =
          s == 0 ? mesh->vertices[v] : ts_pose_point(side->to_frame, mesh->vertices[v]);
    for (size_t t = 0; t < mesh->triangle_count; t++) {
      boxes[t] = ts_aabb_empty();
      for (int i = 0; i < 3; i++)
        boxes[t] = ts_aabb_add(boxes[t], side->vertices[mesh->triangles[t][i]]);
    }
    m.boxes[s] = boxes;
  }
  return ts_bvh_tandem(shapes[0]->triangles, shapes[1]->triangles, b_to_a, pair->touch_m, mark_near,
                       &m);
}

/// The convex polygons of one patch, behind those that the side has: of its outline, so that how it
/// is cut into triangles does not show.
static ts_status add_parts(ts_derived_pair *pair, ts_derived_side *side, uint32_t index) {
  const ts_patches *patches = side->patches;
  const ts_patch *patch = &patches->patches[index];
  ts_outline_edge *outline = ts_arena_array(pair->arena, patch->edge_count, sizeof *outline);
  if (!outline)
    return TS_E_MEMORY;
  for (uint32_t i = 0; i < patch->edge_count; i++) {
    uint32_t edge = patches->edges_of_patches[patch->first_edge + i];
    int first = patches->edges[edge].patches[0] != index; // it lies to the left of the edge
    ts_vec3 ends[2];
    ts_derived_ends(ends, side, edge);
    outline[i] = (ts_outline_edge){ends[first], ends[1 - first]};
  }
  ts_outline_piece *pieces;
  size_t count;
  TS_TRY(ts_outline_cut(&pieces, &count, pair->arena, outline, patch->edge_count,
                        ts_derived_normal(side, index), pair->touch_m));
  ts_derived_part *parts = ts_arena_array(pair->arena, count, sizeof *parts);
  if (!parts)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++)
    parts[i] = (ts_derived_part){index, pieces[i].count, pieces[i].corners};
  TS_TRY(
      ts_derived_join(parts, &count, pair->arena, ts_derived_normal(side, index), pair->touch_m));
  TS_TRY(TS_ARENA_GROW(side->parts, side->part_capacity, side->part_count, count, pair->arena));
  for (size_t i = 0; i < count; i++)
    side->parts[side->part_count++] = parts[i];
  return TS_OK;
}

static ts_status add_edges(ts_derived_pair *pair, ts_derived_side *side) {
  const ts_patches *p = side->patches;
  side->edges = ts_arena_array(pair->arena, p->edge_count, sizeof *side->edges);
  side->corners = ts_arena_array(pair->arena, p->corner_count, sizeof *side->corners);
  bool *is_in = ts_arena_array(pair->arena, p->corner_count, sizeof *is_in);
  if (!side->edges || !side->corners || !is_in)
    return TS_E_MEMORY;
  for (uint32_t e = 0; e < p->edge_count; e++) {
    const ts_patch_edge *edge = &p->edges[e];
    if (!side->is_near[edge->patches[0]] && !side->is_near[edge->patches[1]])
      continue;
    side->edges[side->edge_count++] = e;
    for (int i = 0; i < 2; i++) {
      uint32_t corner = p->corner_of_vertex[edge->vertices[i]];
      if (!is_in[corner])
        side->corners[side->corner_count++] = edge->vertices[i];
      is_in[corner] = true;
    }
  }
  return TS_OK;
}

static ts_status make_boxes(ts_derived_pair *pair, ts_derived_side *side) {
  size_t max_count = side->part_count + side->edge_count + side->corner_count;
  ts_aabb *boxes = ts_arena_array(pair->arena, max_count, sizeof *boxes);
  if (!boxes)
    return TS_E_MEMORY;
  for (size_t i = 0; i < side->part_count; i++) {
    boxes[i] = ts_aabb_empty();
    for (size_t c = 0; c < side->parts[i].count; c++)
      boxes[i] = ts_aabb_add(boxes[i], side->parts[i].corners[c]);
  }
  TS_TRY(ts_bvh_create(&side->part_boxes, pair->arena, boxes, side->part_count));
  for (size_t i = 0; i < side->edge_count; i++) {
    ts_vec3 ends[2];
    ts_derived_ends(ends, side, side->edges[i]);
    boxes[i] = ts_aabb_add(ts_aabb_add(ts_aabb_empty(), ends[0]), ends[1]);
  }
  TS_TRY(ts_bvh_create(&side->edge_boxes, pair->arena, boxes, side->edge_count));
  for (size_t i = 0; i < side->corner_count; i++)
    boxes[i] = ts_aabb_add(ts_aabb_empty(), side->vertices[side->corners[i]]);
  return ts_bvh_create(&side->corner_boxes, pair->arena, boxes, side->corner_count);
}

ts_status ts_derived_pair_prepare(ts_derived_pair *pair, const ts_derived_shape *a,
                                  const ts_derived_shape *b, ts_pose b_to_a) {
  const ts_derived_shape *const shapes[2] = {a, b};
  for (int s = 0; s < 2; s++)
    pair->side[s] = (ts_derived_side){.patches = shapes[s]->patches,
                                      .to_frame = s == 0 ? ts_pose_identity() : b_to_a};
  TS_TRY(find_near(pair, shapes, b_to_a));
  for (int s = 0; s < 2; s++) {
    ts_derived_side *side = &pair->side[s];
    for (uint32_t p = 0; p < side->patches->patch_count; p++)
      if (side->is_near[p])
        TS_TRY(add_parts(pair, side, p));
    TS_TRY(add_edges(pair, side));
    TS_TRY(make_boxes(pair, side));
  }
  return TS_OK;
}

// ---- around a point ---------------------------------------------------------------------------

typedef struct local_query {
  ts_derived_around *out;
  const ts_derived_side *side;
  ts_vec3 point;
  double touch_m;
} local_query;

/// Index of a patch among the faces, added when it is new; -1 when there are too many.
static int face_of(local_query *q, uint32_t patch) {
  ts_local_surface *surface = &q->out->surface;
  for (int i = 0; i < surface->face_count; i++)
    if (q->out->patches[i] == patch)
      return i;
  if (surface->face_count == TS_LOCAL_FACES_MAX)
    return -1;
  int face = surface->face_count++;
  q->out->patches[face] = patch;
  surface->normals[face] = ts_derived_normal(q->side, patch);
  return face;
}

static ts_status too_many(void) {
  return ts_fail(TS_E_UNSUPPORTED,
                 "more than %d faces meet in one corner, which is too many to work out what it "
                 "stops; make the mesh coarser there",
                 TS_LOCAL_FACES_MAX);
}

static ts_status see_edge(void *context, uint32_t near, uint32_t unused) {
  (void)unused;
  local_query *q = context;
  uint32_t index = q->side->edges[near];
  const ts_patch_edge *edge = &q->side->patches->edges[index];
  ts_vec3 ends[2];
  ts_derived_ends(ends, q->side, index);
  double t = ts_closest_point_segment(q->point, ends[0], ends[1]);
  if (!(ts_vec3_distance(q->point, ts_vec3_lerp(ends[0], ends[1], t)) <= q->touch_m))
    return TS_OK;
  int first = face_of(q, edge->patches[0]), second = face_of(q, edge->patches[1]);
  if (first < 0 || second < 0)
    return too_many();
  ts_local_surface *surface = &q->out->surface;
  uint32_t *with = edge->is_convex ? surface->convex_with : surface->concave_with;
  with[first] |= 1u << second;
  with[second] |= 1u << first;
  return TS_OK;
}

static ts_status see_part(void *context, uint32_t near, uint32_t unused) {
  (void)unused;
  local_query *q = context;
  const ts_derived_part *part = &q->side->parts[near];
  ts_vec3 normal = ts_derived_normal(q->side, part->patch);
  if (ts_convex_distance(q->point, part->corners, part->count, normal) <= q->touch_m &&
      face_of(q, part->patch) < 0)
    return too_many();
  return TS_OK;
}

ts_status ts_derived_look_around(ts_derived_around *out, const ts_derived_pair *pair, int side,
                                 ts_vec3 point) {
  memset(out, 0, sizeof *out);
  // A place that touches may be off by the tolerance on either body, and was found from a feature
  // that is off by it too.
  local_query q = {
      .out = out, .side = &pair->side[side], .point = point, .touch_m = 3 * pair->touch_m};
  TS_TRY(ts_bvh_near(q.side->edge_boxes, point, q.touch_m, see_edge, &q));
  if (out->surface.face_count == 0)
    TS_TRY(ts_bvh_near(q.side->part_boxes, point, q.touch_m, see_part, &q));
  return ts_derived_find_runs(out, pair, side, point);
}
