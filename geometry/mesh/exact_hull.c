// SPDX-License-Identifier: MIT
#include "geometry/mesh/exact_hull.h"

#include "base/array.h"
#include "base/status.h"
#include "geometry/predicates.h"
#include "geometry/vec3.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>

#define NONE UINT32_MAX

/// A face while the hull grows. `hull.corner[0]` is NONE when it is gone.
typedef struct face {
  ts_hull_face hull;
  uint32_t outside; ///< first of the points that it is to be extended to, linked by `next`
  uint32_t seen;    ///< number of the last step that removes it
} face;

/// An edge between a face that a new corner sees and `beyond`, which it does not see.
typedef struct ridge {
  uint32_t from, to, beyond;
} ridge;

typedef struct builder {
  ts_arena *arena;
  const ts_vec3 *points;
  const uint32_t *which;
  size_t count;
  uint32_t *next;     ///< [count], NONE: last of its list. Points are counted as in `which` here.
  uint32_t *starting; ///< [count], the new face whose ridge begins at a point
  face *faces;
  size_t face_count, face_capacity;
  uint32_t *visible; ///< faces that the new corner sees
  size_t visible_count, visible_capacity;
  ridge *ridges; ///< around them
  size_t ridge_count, ridge_capacity;
  uint32_t *waiting; ///< faces that may have points outside
  size_t waiting_count, waiting_capacity;
  uint32_t step;
} builder;

static ts_vec3 at(const builder *b, uint32_t point) {
  return b->points[b->which[point]];
}

static bool sees(const builder *b, uint32_t point, const ts_hull_face *f) {
  return ts_orient3d(at(b, f->corner[0]), at(b, f->corner[1]), at(b, f->corner[2]), at(b, point)) >
         0;
}

/// The point of the largest distance from the point, line or plane of the first `known` of
/// `corner`.
static uint32_t find_farthest(double *out_distance, const builder *b, const uint32_t *corner,
                              int known) {
  ts_vec3 origin = at(b, corner[0]);
  ts_vec3 u = known > 1 ? ts_vec3_unit(ts_vec3_sub(at(b, corner[1]), origin)) : (ts_vec3){0};
  ts_vec3 n = {0};
  if (known > 2)
    n = ts_vec3_unit(ts_vec3_cross(u, ts_vec3_sub(at(b, corner[2]), origin)));
  uint32_t best = 0;
  *out_distance = -1;
  for (uint32_t i = 0; i < b->count; i++) {
    ts_vec3 d = ts_vec3_sub(at(b, i), origin);
    double distance = known == 1   ? ts_vec3_norm(d)
                      : known == 2 ? ts_vec3_norm(ts_vec3_cross(u, d))
                                   : fabs(ts_vec3_dot(n, d));
    if (distance > *out_distance) {
      *out_distance = distance;
      best = i;
    }
  }
  return best;
}

/// Returns how many corners of a tetrahedron there are: the span.
static int find_tetrahedron(uint32_t corner[4], const builder *b, double flat) {
  corner[0] = 0;
  for (int known = 1; known < 4; known++) {
    double distance;
    corner[known] = find_farthest(&distance, b, corner, known);
    if (!(distance > flat))
      return known;
  }
  int side = ts_orient3d(at(b, corner[0]), at(b, corner[1]), at(b, corner[2]), at(b, corner[3]));
  if (side == 0)
    return 3;
  if (side > 0) { // the fourth is to be behind the first three
    uint32_t swapped = corner[0];
    corner[0] = corner[1];
    corner[1] = swapped;
  }
  return 4;
}

/// Gives the points of a list, but for `corner`, to the first of the new faces that each sees.
/// Those that see none are inside, and are forgotten.
static void share_out(builder *b, uint32_t list, uint32_t corner, const uint32_t *faces,
                      size_t face_count) {
  for (uint32_t point = list, next; point != NONE; point = next) {
    next = b->next[point];
    for (size_t i = 0; point != corner && i < face_count; i++) {
      face *f = &b->faces[faces[i]];
      if (!sees(b, point, &f->hull))
        continue;
      b->next[point] = f->outside;
      f->outside = point;
      break;
    }
  }
}

static ts_status start(builder *b, const uint32_t corner[4]) {
  static const int corners[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
  static const uint32_t neighbours[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
  TS_TRY(TS_ARENA_GROW(b->faces, b->face_capacity, 0, 4, b->arena));
  TS_TRY(TS_ARENA_GROW(b->waiting, b->waiting_capacity, 0, 4, b->arena));
  for (uint32_t i = 0; i < 4; i++) {
    face *f = &b->faces[i];
    *f = (face){.outside = NONE};
    for (int k = 0; k < 3; k++) {
      f->hull.corner[k] = corner[corners[i][k]];
      f->hull.neighbour[k] = neighbours[i][k];
    }
    b->waiting[i] = i;
  }
  b->face_count = b->waiting_count = 4;
  for (uint32_t i = 0; i < b->count; i++)
    b->next[i] = i + 1 < b->count ? i + 1 : NONE;
  share_out(b, 0, NONE, b->waiting, 4); // a corner sees none of the faces
  return TS_OK;
}

static uint32_t farthest_outside(const builder *b, const face *f) {
  ts_vec3 origin = at(b, f->hull.corner[0]);
  ts_vec3 normal = ts_vec3_cross(ts_vec3_sub(at(b, f->hull.corner[1]), origin),
                                 ts_vec3_sub(at(b, f->hull.corner[2]), origin));
  uint32_t best = f->outside;
  double best_height = -INFINITY;
  for (uint32_t point = f->outside; point != NONE; point = b->next[point]) {
    double height = ts_vec3_dot(normal, ts_vec3_sub(at(b, point), origin));
    if (height > best_height) {
      best_height = height;
      best = point;
    }
  }
  return best;
}

/// The faces that `corner` sees, one of which is `first`, and the ridges around them.
static ts_status find_visible(builder *b, uint32_t first, uint32_t corner) {
  b->step++;
  b->visible_count = b->ridge_count = 0;
  TS_TRY(TS_ARENA_GROW(b->visible, b->visible_capacity, 0, 1, b->arena));
  b->visible[b->visible_count++] = first;
  b->faces[first].seen = b->step;
  for (size_t i = 0; i < b->visible_count; i++) {
    const ts_hull_face *f = &b->faces[b->visible[i]].hull;
    TS_TRY(TS_ARENA_GROW(b->visible, b->visible_capacity, b->visible_count, 3, b->arena));
    TS_TRY(TS_ARENA_GROW(b->ridges, b->ridge_capacity, b->ridge_count, 3, b->arena));
    for (int k = 0; k < 3; k++) {
      uint32_t beyond = f->neighbour[k];
      face *g = &b->faces[beyond];
      if (g->seen == b->step)
        continue;
      if (sees(b, corner, &g->hull)) {
        g->seen = b->step;
        b->visible[b->visible_count++] = beyond;
      } else {
        b->ridges[b->ridge_count++] = (ridge){f->corner[k], f->corner[(k + 1) % 3], beyond};
      }
    }
  }
  return TS_OK;
}

/// Takes the visible faces away. Returns the points that were outside of them, as one list.
static uint32_t remove_visible(builder *b) {
  uint32_t list = NONE;
  for (size_t i = 0; i < b->visible_count; i++) {
    face *f = &b->faces[b->visible[i]];
    for (uint32_t point = f->outside, next; point != NONE; point = next) {
      next = b->next[point];
      b->next[point] = list;
      list = point;
    }
    f->hull.corner[0] = f->outside = NONE;
  }
  return list;
}

/// Puts faces between the ridges and the corner, the first of them where faces have been taken
/// away, and stores their indices in `visible`.
static ts_status add_faces(builder *b, uint32_t corner) {
  size_t count = b->ridge_count, reused = b->visible_count < count ? b->visible_count : count;
  TS_TRY(TS_ARENA_GROW(b->faces, b->face_capacity, b->face_count, count - reused, b->arena));
  TS_TRY(TS_ARENA_GROW(b->visible, b->visible_capacity, reused, count - reused, b->arena));
  for (size_t i = reused; i < count; i++)
    b->visible[i] = (uint32_t)b->face_count++;
  b->visible_count = count;
  for (size_t i = 0; i < count; i++) {
    ridge r = b->ridges[i];
    ts_hull_face *beyond = &b->faces[r.beyond].hull;
    b->faces[b->visible[i]] =
        (face){.hull = {{r.from, r.to, corner}, {r.beyond, NONE, NONE}}, .outside = NONE};
    for (int k = 0; k < 3; k++)
      if (beyond->corner[k] == r.to)
        beyond->neighbour[k] = b->visible[i];
    b->starting[r.from] = b->visible[i];
  }
  for (size_t i = 0; i < count; i++) {
    uint32_t after = b->starting[b->ridges[i].to];
    b->faces[b->visible[i]].hull.neighbour[1] = after;
    b->faces[after].hull.neighbour[2] = b->visible[i];
  }
  return TS_OK;
}

/// Extends the hull to the point farthest outside of a face.
static ts_status extend(builder *b, uint32_t index) {
  uint32_t corner = farthest_outside(b, &b->faces[index]);
  TS_TRY(find_visible(b, index, corner));
  assert(b->ridge_count >= 3);
  uint32_t list = remove_visible(b);
  TS_TRY(add_faces(b, corner));
  share_out(b, list, corner, b->visible, b->visible_count);
  TS_TRY(
      TS_ARENA_GROW(b->waiting, b->waiting_capacity, b->waiting_count, b->visible_count, b->arena));
  for (size_t i = 0; i < b->visible_count; i++)
    if (b->faces[b->visible[i]].outside != NONE)
      b->waiting[b->waiting_count++] = b->visible[i];
  return TS_OK;
}

/// The faces that are left, their corners counted as the caller counts points.
static ts_status take_faces(ts_exact_hull *out, const builder *b) {
  uint32_t *index = ts_arena_array(b->arena, b->face_count, sizeof *index);
  if (!index)
    return TS_E_MEMORY;
  for (size_t i = 0; i < b->face_count; i++)
    if (b->faces[i].hull.corner[0] != NONE)
      index[i] = (uint32_t)out->face_count++;
  out->faces = ts_arena_array(b->arena, out->face_count, sizeof *out->faces);
  if (!out->faces)
    return TS_E_MEMORY;
  for (size_t i = 0; i < b->face_count; i++) {
    const ts_hull_face *f = &b->faces[i].hull;
    if (f->corner[0] == NONE)
      continue;
    for (int k = 0; k < 3; k++) {
      out->faces[index[i]].corner[k] = b->which[f->corner[k]];
      out->faces[index[i]].neighbour[k] = index[f->neighbour[k]];
    }
  }
  return TS_OK;
}

static ts_status build(ts_exact_hull *out, builder *b, double flat) {
  uint32_t corner[4];
  out->span = b->count > 0 ? find_tetrahedron(corner, b, flat) : 0;
  if (out->span < 4)
    return TS_OK;
  b->next = ts_arena_array(b->arena, b->count, sizeof *b->next);
  b->starting = ts_arena_array(b->arena, b->count, sizeof *b->starting);
  if (!b->next || !b->starting)
    return TS_E_MEMORY;
  TS_TRY(start(b, corner));
  // The first comes first: the last first would refine one end of the hull while all other points
  // are handed on from step to step.
  for (size_t i = 0; i < b->waiting_count; i++) {
    uint32_t index = b->waiting[i];
    if (b->faces[index].outside != NONE)
      TS_TRY(extend(b, index));
  }
  return take_faces(out, b);
}

ts_status ts_exact_hull_create(ts_exact_hull *out, ts_arena *arena, const ts_vec3 *points,
                               const uint32_t *which, size_t count, double flat) {
  *out = (ts_exact_hull){0};
  builder b = {.points = points, .which = which, .count = count, .arena = arena};
  return build(out, &b, flat);
}
