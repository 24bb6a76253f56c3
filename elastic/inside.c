// SPDX-License-Identifier: MIT
#include "elastic/inside.h"

#include "base/status.h"
#include "elastic/inside_parts.h"
#include "geometry/tolerances.h"

#include <stdbool.h>

/// How a triangle is to the other body's surface. From PLACE_INSIDE on it is inside: the winding
/// number of the other body there is the place less PLACE_OUTSIDE.
typedef enum place {
  PLACE_UNKNOWN,
  PLACE_NEAR,
  PLACE_OUTSIDE,
  PLACE_INSIDE,
  PLACE_DEEPEST = 255
} place;

typedef struct finder {
  const ts_elastic_pair *pair;
  ts_arena *scratch;
  ts_cutter cutters[TS_INSIDE_GROUPS];
  uint8_t *places[2]; ///< [triangle_count] of each body, places
  double near_m;
  bool may_be_flush; ///< two triangles that face one way are in one plane
} finder;

/// How the corners of a triangle are to another's plane.
typedef enum side {
  SIDE_BESIDE, ///< on one side of it, and not close to it
  SIDE_CROSSING,
  SIDE_IN_PLANE ///< all close to it
} side;

static side side_of(const ts_vec3 corners[3], ts_vec3 origin, ts_vec3 normal, double near_m) {
  int above = 0, below = 0;
  for (int i = 0; i < 3; i++) {
    double height = ts_vec3_dot(normal, ts_vec3_sub(corners[i], origin));
    above += height > near_m;
    below += height < -near_m;
  }
  if (above == 3 || below == 3)
    return SIDE_BESIDE;
  return above + below == 0 ? SIDE_IN_PLANE : SIDE_CROSSING;
}

static ts_status mark_near(void *context, uint32_t triangle_a, uint32_t triangle_b) {
  finder *f = context;
  const ts_elastic_body *a = &f->pair->body[0], *b = &f->pair->body[1];
  ts_vec3 corners_a[3], corners_b[3];
  ts_elastic_corners(corners_a, a, triangle_a);
  ts_elastic_corners(corners_b, b, triangle_b);
  ts_vec3 normal_a = a->normals[triangle_a], normal_b = b->normals[triangle_b];
  side b_to_a = side_of(corners_b, corners_a[0], normal_a, f->near_m);
  side a_to_b = side_of(corners_a, corners_b[0], normal_b, f->near_m);
  if (b_to_a == SIDE_BESIDE || a_to_b == SIDE_BESIDE)
    return TS_OK;
  f->may_be_flush |=
      (b_to_a == SIDE_IN_PLANE || a_to_b == SIDE_IN_PLANE) && ts_vec3_dot(normal_a, normal_b) > 0;
  f->places[0][triangle_a] = PLACE_NEAR;
  f->places[1][triangle_b] = PLACE_NEAR;
  return TS_OK;
}

/// Where a triangle is that does not come near the other surface: all inside, or all outside.
static ts_status place_of(place *out, finder *f, int body, uint32_t triangle) {
  const ts_elastic_body *other = &f->pair->body[1 - body];
  ts_vec3 corners[3];
  ts_elastic_corners(corners, &f->pair->body[body], triangle);
  *out = PLACE_OUTSIDE;
  ts_aabb room = ts_aabb_inflate(ts_bvh_bounds(other->bvh), f->near_m);
  ts_pose to_local = ts_pose_inverse(other->to_frame);
  if (!ts_aabb_contains(room, ts_pose_point(to_local, corners[0])))
    return TS_OK;
  ts_cutter *cutter = &f->cutters[body];
  size_t pieces = cutter->piece_count, joins = cutter->join_count, ends = cutter->end_count;
  ts_vec3 winding_before = cutter->winding_m2;
  TS_TRY(ts_cut_triangle(cutter, triangle));
  double inside_m2 = 0;
  for (size_t i = pieces; i < cutter->piece_count; i++)
    inside_m2 += cutter->pieces[i].area_m2;
  cutter->piece_count = pieces;
  cutter->join_count = joins;
  cutter->end_count = ends;
  double winding_m2 = ts_vec3_dot(ts_vec3_sub(cutter->winding_m2, winding_before),
                                  f->pair->body[body].normals[triangle]);
  cutter->winding_m2 = winding_before;
  double area_m2 = 0.5 * ts_vec3_norm(ts_vec3_cross(ts_vec3_sub(corners[1], corners[0]),
                                                    ts_vec3_sub(corners[2], corners[0])));
  if (inside_m2 > 0.5 * area_m2)
    *out = (place)ts_min(ts_max(PLACE_OUTSIDE + round(winding_m2 / area_m2), PLACE_INSIDE),
                         PLACE_DEEPEST);
  return TS_OK;
}

/// Gives all triangles that are connected to `first` without coming near the other surface its
/// place. `is_closed`: they are a surface of their own.
static ts_status flood(bool *is_closed, place *where, finder *f, int body, uint32_t first,
                       uint32_t *queue) {
  const ts_mesh *mesh = f->pair->body[body].mesh;
  uint8_t *places = f->places[body];
  TS_TRY(place_of(where, f, body, first));
  size_t count = 0;
  *is_closed = true;
  places[first] = (uint8_t)*where;
  queue[count++] = first;
  for (size_t i = 0; i < count; i++)
    for (uint32_t k = 0; k < 3; k++) {
      uint32_t next = mesh->edge_twin[3 * queue[i] + k] / 3;
      if (places[next] == PLACE_NEAR)
        *is_closed = false;
      if (places[next] != PLACE_UNKNOWN)
        continue;
      places[next] = (uint8_t)*where;
      queue[count++] = next;
    }
  return TS_OK;
}

static ts_status place_triangles(finder *f, int body) {
  size_t count = f->pair->body[body].mesh->triangle_count;
  uint32_t *queue = ts_arena_array(f->scratch, count, sizeof *queue);
  if (!queue)
    return TS_E_MEMORY;
  for (uint32_t t = 0; t < count; t++) {
    bool is_closed;
    place where;
    if (f->places[body][t] != PLACE_UNKNOWN)
      continue;
    TS_TRY(flood(&is_closed, &where, f, body, t, queue));
    if (is_closed && where >= PLACE_INSIDE)
      return ts_fail(TS_SKIPPED,
                     "body %c is inside body %c without touching its surface: there is no way out "
                     "that geometry prefers; move it so that their surfaces cross",
                     "ab"[body], "ab"[1 - body]);
  }
  return TS_OK;
}

/// The pieces of a group, by triangle, and the first of each.
static ts_status cut_group(uint32_t **first_piece, finder *f, int group) {
  ts_cutter *cutter = &f->cutters[group];
  int body = cutter->body;
  size_t count = f->pair->body[body].mesh->triangle_count;
  uint32_t *first = ts_arena_array(f->scratch, count + 1, sizeof *first);
  if (!first)
    return TS_E_MEMORY;
  for (uint32_t t = 0; t < count; t++) {
    first[t] = (uint32_t)cutter->piece_count;
    if (f->places[body][t] == PLACE_NEAR)
      TS_TRY(ts_cut_triangle(cutter, t));
    else if (f->places[body][t] >= PLACE_INSIDE)
      TS_TRY(ts_cut_whole(cutter, t, f->places[body][t] - PLACE_OUTSIDE));
  }
  first[count] = (uint32_t)cutter->piece_count;
  *first_piece = first;
  return TS_OK;
}

/// Half of what the integral of the winding number over a body changes by where its triangles are
/// taken to be moved inwards and not outwards. Over faces that are flush with faces of the other
/// body, and so outside for both, that is half the normal; over faces that touch back to back, and
/// so are inside for both, it is half the normal less, which the other body makes up for.
static ts_status find_flush(ts_vec3 *out, finder *f, int body) {
  ts_cutter cutters[2];
  for (int i = 0; i < 2; i++) {
    cutters[i] = (ts_cutter){.pair = f->pair,
                             .body = body,
                             .offset_m = (i == 0 ? -1 : 1) * f->cutters[body].offset_m,
                             .scratch = f->scratch};
    for (uint32_t t = 0; t < f->pair->body[body].mesh->triangle_count; t++) {
      cutters[i].piece_count = cutters[i].join_count = cutters[i].end_count = 0;
      if (f->places[body][t] == PLACE_NEAR)
        TS_TRY(ts_cut_triangle(&cutters[i], t));
    }
  }
  *out = ts_vec3_scale(ts_vec3_sub(cutters[0].winding_m2, cutters[1].winding_m2), 0.5);
  return TS_OK;
}

static ts_status check_open(finder *f, ts_vec3 open, double area_m2) {
  double size_m = f->pair->size_m;
  if (ts_vec3_norm(open) <= TS_ELASTIC_OPEN * area_m2 + TS_ELASTIC_JOIN * size_m * size_m)
    return TS_OK;
  return ts_fail(TS_SKIPPED,
                 "the surfaces inside the other body do not close off the overlap: %g m2 of %g m2 "
                 "are open, as where a mesh overlaps itself and faces are flush; make such a mesh "
                 "one solid, or move the bodies a little",
                 ts_vec3_norm(open), area_m2);
}

/// The pieces and faces that are flush close off the overlap, and those that are of no part close
/// off something, too. Where they do not a piece has been lost, and with it whatever is made of
/// the parts.
static ts_status check_closed(finder *f, const ts_inside *inside) {
  double area_m2 = 0;
  ts_vec3 of_no_part = {0, 0, 0};
  for (int body = 0; body < 2; body++)
    for (size_t i = 0; i < inside->piece_count[body]; i++) {
      const ts_inside_piece *piece = &inside->pieces[body][i];
      area_m2 += piece->area_m2;
      if (piece->part == TS_NO_PART)
        of_no_part = ts_vec3_add_scaled(of_no_part, piece->area_m2,
                                        f->pair->body[body].normals[piece->triangle]);
    }
  TS_TRY(check_open(f, of_no_part, area_m2));
  ts_vec3 open = ts_vec3_add(f->cutters[0].winding_m2, f->cutters[1].winding_m2);
  if (check_open(f, open, area_m2) == TS_OK)
    return TS_OK;
  for (int body = 0; body < 2; body++) {
    ts_vec3 flush;
    TS_TRY(find_flush(&flush, f, body));
    open = ts_vec3_add(open, flush);
  }
  return check_open(f, open, area_m2);
}

static ts_status join_pieces(ts_inside_graph *out, ts_inside_joins *joins, finder *f) {
  *joins = (ts_inside_joins){.pair = f->pair, .scratch = f->scratch};
  for (int group = 0; group < TS_INSIDE_GROUPS; group++) {
    joins->cutters[group] = &f->cutters[group];
    if (group != TS_INSIDE_FLUSH || f->may_be_flush)
      TS_TRY(cut_group(&joins->first_piece[group], f, group));
  }
  return ts_inside_join(out, joins);
}

static ts_status find(ts_inside *out, finder *f) {
  const ts_elastic_pair *pair = f->pair;
  const ts_elastic_body *a = &pair->body[0], *b = &pair->body[1];
  double flush_m = TS_ELASTIC_FLUSH * pair->size_m;
  for (int group = 0; group < TS_INSIDE_GROUPS; group++)
    f->cutters[group] = (ts_cutter){.pair = pair,
                                    .body = group == TS_INSIDE_B,
                                    .offset_m = group == TS_INSIDE_FLUSH ? -flush_m : flush_m,
                                    .scratch = f->scratch};
  for (int body = 0; body < 2; body++) {
    f->places[body] = ts_arena_array(f->scratch, pair->body[body].mesh->triangle_count, 1);
    if (!f->places[body])
      return TS_E_MEMORY;
  }
  TS_TRY(ts_bvh_tandem(a->bvh, b->bvh, ts_pose_relative(a->to_frame, b->to_frame), f->near_m,
                       mark_near, f));
  TS_TRY(place_triangles(f, 0));
  TS_TRY(place_triangles(f, 1));
  ts_inside_joins joins;
  ts_inside_graph graph;
  TS_TRY(join_pieces(&graph, &joins, f));
  TS_TRY(ts_inside_collect(out, &graph));
  return check_closed(f, out);
}

ts_status ts_inside_find(ts_inside *out, const ts_elastic_pair *pair) {
  finder f = {.pair = pair, .near_m = 4 * TS_ELASTIC_FLUSH * pair->size_m};
  *out = (ts_inside){.part_count = 0};
  TS_TRY(ts_arena_create(&f.scratch));
  ts_status status = find(out, &f);
  ts_arena_destroy(f.scratch);
  return status;
}

/// The first piece that is of this triangle or a later one.
static size_t first_piece_of(const ts_inside *inside, int body, uint32_t triangle) {
  size_t low = 0, high = inside->piece_count[body];
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (inside->pieces[body][middle].triangle < triangle)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

size_t ts_inside_piece_count(const ts_inside *inside, int body, uint32_t triangle) {
  return first_piece_of(inside, body, triangle + 1) - first_piece_of(inside, body, triangle);
}

uint32_t ts_inside_part_at(const ts_inside *inside, const ts_elastic_pair *pair, int body,
                           uint32_t triangle, ts_vec3 point) {
  const ts_inside_piece *pieces = inside->pieces[body];
  for (size_t i = first_piece_of(inside, body, triangle);
       i < inside->piece_count[body] && pieces[i].triangle == triangle; i++)
    if (ts_inside_piece_holds(&pieces[i], pair->body[body].normals[triangle], point,
                              TS_ELASTIC_JOIN * pair->size_m))
      return pieces[i].part;
  return TS_NO_PART;
}
