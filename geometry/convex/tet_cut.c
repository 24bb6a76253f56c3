// SPDX-License-Identifier: MIT
#include "geometry/convex/tet_cut.h"

#include "base/array.h"
#include "base/status.h"
#include "geometry/tet.h"
#include "geometry/vec3.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

double ts_plane_height(ts_plane plane, ts_vec3 point) {
  return ts_vec3_dot(plane.normal, point) - plane.offset_m;
}

static double volume_of(const uint32_t tet[4], const ts_tet_points *points) {
  const ts_vec3 corners[4] = {points->at[tet[0]], points->at[tet[1]], points->at[tet[2]],
                              points->at[tet[3]]};
  return ts_tet_volume(corners);
}

double ts_tet_set_volume(const ts_tet_set *set, const ts_tet_points *points) {
  double sum = 0;
  for (size_t i = 0; i < set->count; i++)
    sum += volume_of(set->tets[i], points);
  return sum;
}

ts_status ts_tet_set_points(uint32_t **out, size_t *out_count, ts_arena *arena,
                            const ts_tet_points *points, const ts_tet_set *set) {
  uint8_t *is_used = ts_arena_array(arena, points->count, sizeof *is_used);
  size_t count = 0;
  if (!is_used)
    return TS_E_MEMORY;
  for (size_t i = 0; i < 4 * set->count; i++) {
    uint8_t *used = &is_used[set->tets[i / 4][i % 4]];
    count += *used == 0;
    *used = 1;
  }
  uint32_t *all = ts_arena_array(arena, count, sizeof *all);
  if (!all)
    return TS_E_MEMORY;
  *out = all;
  *out_count = count;
  for (uint32_t p = 0; p < points->count; p++)
    if (is_used[p])
      *all++ = p;
  return TS_OK;
}

// ---- cutting ----------------------------------------------------------------------------------

/// An edge that crosses the plane, its lower point first; its own point is `points_before` plus its
/// place in the order.
typedef struct crossing {
  uint32_t low, high;
} crossing;

typedef struct cut {
  ts_arena *arena;
  ts_tet_points *points;
  const int8_t *side; ///< of points on one side of the plane: -1, 0, 1; by number
  size_t crossing_count;
  crossing *crossings;
  uint32_t first_new;
  ts_tet_set *out;
  size_t capacity[2];
} cut;

/// A face of one side of a tet: up to four points, in order around it.
typedef struct cut_face {
  int count;
  uint32_t of[4];
} cut_face;

static int compare_crossings(const void *a, const void *b) {
  const crossing *p = a, *q = b;
  return p->low != q->low ? (p->low > q->low) - (p->low < q->low)
                          : (p->high > q->high) - (p->high < q->high);
}

static crossing crossing_of(uint32_t a, uint32_t b) {
  return a < b ? (crossing){a, b} : (crossing){b, a};
}

static bool crosses(const int8_t *side, uint32_t a, uint32_t b) {
  return side[a] * side[b] < 0;
}

static ts_status find_crossings(cut *c, const ts_tet_set *set) {
  size_t capacity = 0, count = 0;
  for (size_t i = 0; i < set->count; i++)
    for (int e = 0; e < 6; e++) {
      uint32_t a = set->tets[i][ts_tet_edge_nodes[e][0]], b = set->tets[i][ts_tet_edge_nodes[e][1]];
      if (!crosses(c->side, a, b))
        continue;
      TS_TRY(TS_ARENA_GROW(c->crossings, capacity, count, 1, c->arena));
      c->crossings[count++] = crossing_of(a, b);
    }
  if (count > 0)
    qsort(c->crossings, count, sizeof *c->crossings, compare_crossings);
  for (size_t i = 0; i < count; i++)
    if (i == 0 || compare_crossings(&c->crossings[i], &c->crossings[i - 1]) != 0)
      c->crossings[c->crossing_count++] = c->crossings[i];
  return TS_OK;
}

static ts_status add_points(cut *c, ts_plane plane) {
  ts_tet_points *points = c->points;
  TS_TRY(
      TS_ARENA_GROW(points->at, points->capacity, points->count, c->crossing_count, points->arena));
  c->first_new = (uint32_t)points->count;
  for (size_t i = 0; i < c->crossing_count; i++) {
    ts_vec3 low = points->at[c->crossings[i].low], high = points->at[c->crossings[i].high];
    double at_low = ts_plane_height(plane, low), at_high = ts_plane_height(plane, high);
    points->at[points->count++] = ts_vec3_lerp(low, high, at_low / (at_low - at_high));
  }
  return TS_OK;
}

static uint32_t point_of(const cut *c, uint32_t a, uint32_t b) {
  crossing key = crossing_of(a, b);
  const crossing *found =
      bsearch(&key, c->crossings, c->crossing_count, sizeof *c->crossings, compare_crossings);
  return c->first_new + (uint32_t)(found - c->crossings);
}

/// What of a triangle is on one side.
static cut_face clip_face(const cut *c, const uint32_t tet[4], const int nodes[3], int side) {
  cut_face face = {0};
  for (int k = 0; k < 3; k++) {
    uint32_t at = tet[nodes[k]], next = tet[nodes[(k + 1) % 3]];
    if (c->side[at] != -side)
      face.of[face.count++] = at;
    if (crosses(c->side, at, next))
      face.of[face.count++] = point_of(c, at, next);
  }
  return face;
}

/// The face in the plane: through the points on it and those of the edges that cross.
static cut_face section_of(const cut *c, const uint32_t tet[4]) {
  uint32_t behind[4], front[4];
  int behind_count = 0, front_count = 0;
  cut_face face = {0};
  for (int k = 0; k < 4; k++) {
    if (c->side[tet[k]] < 0)
      behind[behind_count++] = tet[k];
    else if (c->side[tet[k]] > 0)
      front[front_count++] = tet[k];
    else
      face.of[face.count++] = tet[k];
  }
  for (int i = 0; i < behind_count; i++)
    for (int k = 0; k < front_count; k++) // there and back, so that four points go around
      face.of[face.count++] = point_of(c, behind[i], front[i == 0 ? k : front_count - 1 - k]);
  return face;
}

static int lowest_in(const cut_face *face) {
  int lowest = 0;
  for (int k = 1; k < face->count; k++)
    if (face->of[k] < face->of[lowest])
      lowest = k;
  return lowest;
}

static ts_status add_tet(cut *c, int which, const uint32_t tet[4]) {
  ts_tet_set *out = &c->out[which];
  TS_TRY(TS_ARENA_GROW(out->tets, c->capacity[which], out->count, 1, c->arena));
  uint32_t *added = out->tets[out->count++];
  bool turned = volume_of(tet, c->points) < 0;
  for (int k = 0; k < 4; k++)
    added[k] = tet[turned && k > 1 ? 5 - k : k];
  return TS_OK;
}

/// What of a tet is on one side: from its lowest point to the faces that do not have it, each cut
/// from its own lowest point. Neighbours so cut their common face in the same way.
static ts_status add_side(cut *c, const uint32_t tet[4], int side) {
  cut_face faces[5];
  uint32_t apex = UINT32_MAX;
  for (int f = 0; f < 5; f++) {
    faces[f] = f < 4 ? clip_face(c, tet, ts_tet_face_nodes[f], side) : section_of(c, tet);
    if (faces[f].count >= 3 && faces[f].of[lowest_in(&faces[f])] < apex)
      apex = faces[f].of[lowest_in(&faces[f])];
  }
  for (int f = 0; f < 5; f++) {
    const cut_face *face = &faces[f];
    int low = lowest_in(face);
    if (face->count < 3 || face->of[low] == apex)
      continue;
    for (int k = 1; k + 1 < face->count; k++) {
      const uint32_t part[4] = {apex, face->of[low], face->of[(low + k) % face->count],
                                face->of[(low + k + 1) % face->count]};
      TS_TRY(add_tet(c, side > 0, part));
    }
  }
  return TS_OK;
}

static ts_status cut_tet(cut *c, const uint32_t tet[4], ts_plane plane) {
  bool is_behind = false, is_in_front = false;
  double height = 0;
  for (int k = 0; k < 4; k++) {
    is_behind = is_behind || c->side[tet[k]] < 0;
    is_in_front = is_in_front || c->side[tet[k]] > 0;
    height += ts_plane_height(plane, c->points->at[tet[k]]);
  }
  if (is_behind && is_in_front) {
    TS_TRY(add_side(c, tet, -1));
    return add_side(c, tet, 1);
  }
  return add_tet(c, is_in_front || (!is_behind && height > 0), tet);
}

ts_status ts_tet_set_cut(ts_tet_set out[2], ts_arena *arena, ts_tet_points *points,
                         const ts_tet_set *set, ts_plane plane, double on_m) {
  out[0] = out[1] = (ts_tet_set){0};
  int8_t *side = ts_arena_array(arena, points->count, sizeof *side);
  if (!side)
    return TS_E_MEMORY;
  for (size_t i = 0; i < 4 * set->count; i++) {
    uint32_t p = set->tets[i / 4][i % 4];
    double height = ts_plane_height(plane, points->at[p]);
    side[p] = (int8_t)((height > on_m) - (height < -on_m));
  }
  cut c = {.arena = arena, .points = points, .side = side, .out = out};
  TS_TRY(find_crossings(&c, set));
  TS_TRY(add_points(&c, plane));
  for (size_t i = 0; i < set->count; i++)
    TS_TRY(cut_tet(&c, set->tets[i], plane));
  return TS_OK;
}

// ---- connected parts --------------------------------------------------------------------------

typedef struct tet_face {
  uint32_t of[3]; ///< ascending
  uint32_t tet;
} tet_face;

static int compare_faces(const void *a, const void *b) {
  const tet_face *p = a, *q = b;
  for (int k = 0; k < 3; k++)
    if (p->of[k] != q->of[k])
      return p->of[k] < q->of[k] ? -1 : 1;
  return (p->tet > q->tet) - (p->tet < q->tet);
}

static tet_face face_of(const uint32_t tet[4], int node, uint32_t index) {
  tet_face face = {.tet = index};
  int count = 0;
  for (int k = 0; k < 4; k++) {
    if (k == node)
      continue;
    int at = count++;
    for (; at > 0 && face.of[at - 1] > tet[k]; at--)
      face.of[at] = face.of[at - 1];
    face.of[at] = tet[k];
  }
  return face;
}

/// The first tet of a part, by links that lead to lower ones.
static uint32_t root_of(uint32_t *link, uint32_t tet) {
  while (link[tet] != tet) {
    link[tet] = link[link[tet]];
    tet = link[tet];
  }
  return tet;
}

static ts_status link_tets(uint32_t *link, ts_arena *arena, const ts_tet_set *set) {
  tet_face *faces = ts_arena_array(arena, 4 * set->count, sizeof *faces);
  if (!faces)
    return TS_E_MEMORY;
  for (size_t i = 0; i < set->count; i++) {
    link[i] = (uint32_t)i;
    for (int k = 0; k < 4; k++)
      faces[4 * i + (size_t)k] = face_of(set->tets[i], k, (uint32_t)i);
  }
  if (set->count > 0)
    qsort(faces, 4 * set->count, sizeof *faces, compare_faces);
  for (size_t i = 1; i < 4 * set->count; i++) {
    const uint32_t *p = faces[i - 1].of, *q = faces[i].of;
    if (p[0] != q[0] || p[1] != q[1] || p[2] != q[2])
      continue;
    uint32_t a = root_of(link, faces[i - 1].tet), b = root_of(link, faces[i].tet);
    link[a > b ? a : b] = a > b ? b : a;
  }
  return TS_OK;
}

ts_status ts_tet_set_connected(ts_tet_set **out, size_t *out_count, ts_arena *arena,
                               const ts_tet_set *set) {
  *out = NULL;
  *out_count = 0;
  uint32_t *link = ts_arena_array(arena, set->count, sizeof *link);
  uint32_t *part = ts_arena_array(arena, set->count, sizeof *part);
  if (!link || !part)
    return TS_E_MEMORY;
  TS_TRY(link_tets(link, arena, set));
  for (uint32_t i = 0; i < set->count; i++) {
    uint32_t root = root_of(link, i);
    part[i] = root == i ? (uint32_t)(*out_count)++ : part[root];
  }
  ts_tet_set *parts = ts_arena_array(arena, *out_count, sizeof *parts);
  uint32_t(*tets)[4] = ts_arena_array(arena, set->count, sizeof *tets);
  if (!parts || !tets)
    return TS_E_MEMORY;
  for (size_t i = 0; i < set->count; i++)
    parts[part[i]].count++;
  size_t first = 0;
  for (size_t p = 0; p < *out_count; p++) {
    parts[p].tets = tets + first;
    first += parts[p].count;
    parts[p].count = 0;
  }
  for (size_t i = 0; i < set->count; i++) {
    ts_tet_set *to = &parts[part[i]];
    memcpy(to->tets[to->count++], set->tets[i], sizeof *set->tets);
  }
  *out = parts;
  return TS_OK;
}
