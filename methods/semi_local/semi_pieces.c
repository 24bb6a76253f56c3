// SPDX-License-Identifier: MIT
#include "methods/semi_local/semi_pieces.h"

#include "base/status.h"
#include "geometry/polygon.h"
#include "geometry/tolerances.h"
#include "methods/semi_local/semi_corners.h"

#include <stdlib.h>

typedef struct piece_search {
  const ts_semi_pair *pair;
  double cosine;         ///< of the angle up to which patches are opposite
  ts_semi_facing facing; ///< of the last pair of patches: mostly the next piece is of the same
  bool is_facing;        ///< whether `facing` is set
  ts_semi_piece *pieces;
  size_t count, capacity;
} piece_search;

ts_semi_facing ts_semi_face_patches(const ts_semi_pair *pair, const uint32_t patches[2]) {
  uint32_t p0 = patches[0], p1 = patches[1];
  const ts_semi_side *side = pair->side;
  double reach = side[0].shape->face_reach_m[p0] + side[1].shape->face_reach_m[p1] + pair->s.snap_m;
  // Deeper in each other than either body is thick, they are the far sides of two thin ones.
  double thickness =
      ts_min(ts_semi_thickness(side[0].shape, p0), ts_semi_thickness(side[1].shape, p1)) +
      pair->s.snap_m;
  ts_semi_facing f = {.patches = {p0, p1},
                      .gap_m = ts_min(pair->s.gap_m, reach),
                      .depth_m = ts_min(ts_min(pair->s.depth_m, thickness), reach)};
  bool second = side[1].patches->patches[p1].area_m2 > side[0].patches->patches[p0].area_m2;
  f.normal = second ? ts_vec3_neg(side[1].normals[p1]) : side[0].normals[p0];
  ts_vec3_tangents(&f.u, &f.v, f.normal);
  for (int i = 0; i < 2; i++) {
    ts_vec3 normal = side[i].normals[f.patches[i]];
    double along = ts_vec3_dot(normal, f.normal);
    f.slope[i][0] = side[i].offsets_m[f.patches[i]] / along;
    f.slope[i][1] = -ts_vec3_dot(normal, f.u) / along;
    f.slope[i][2] = -ts_vec3_dot(normal, f.v) / along;
  }
  return f;
}

/// Keeps the part of a convex polygon where values[] are not below zero. Returns how many corners.
static int cut(double (*out)[2], const double (*in)[2], const double *values, int count) {
  int kept = 0;
  for (int i = 0; i < count; i++) {
    size_t k = ts_semi_corner_after((size_t)i, (size_t)count);
    if (values[i] >= 0 && kept < TS_SEMI_PIECE_CORNERS_MAX) {
      out[kept][0] = in[i][0];
      out[kept++][1] = in[i][1];
    }
    if ((values[i] >= 0) != (values[k] >= 0) && kept < TS_SEMI_PIECE_CORNERS_MAX) {
      double t = values[i] / (values[i] - values[k]);
      out[kept][0] = in[i][0] + t * (in[k][0] - in[i][0]);
      out[kept++][1] = in[i][1] + t * (in[k][1] - in[i][1]);
    }
  }
  return kept;
}

static void project(double (*out)[2], const ts_semi_side *side, uint32_t triangle,
                    const ts_semi_facing *f) {
  for (int i = 0; i < 3; i++) {
    ts_vec3 p = side->vertices[side->mesh->triangles[triangle][i]];
    out[i][0] = ts_vec3_dot(f->u, p);
    out[i][1] = ts_vec3_dot(f->v, p);
  }
}

/// Clips the piece, a triangle so far, by the other triangle and by the range of gaps.
static bool clip(ts_semi_piece *p, const ts_semi_pair *pair, const ts_semi_facing *f) {
  double clip_by[3][2], values[TS_SEMI_PIECE_CORNERS_MAX], next[TS_SEMI_PIECE_CORNERS_MAX][2];
  project(clip_by, &pair->side[1], p->triangles[1], f);
  for (int cutter = 0; cutter < 5 && p->count >= 3; cutter++) {
    bool is_all_kept = true; // as mostly
    for (int i = 0; i < p->count; i++) {
      double u = p->corners[i][0], v = p->corners[i][1];
      if (cutter == 3) {
        values[i] = f->gap_m - ts_semi_facing_gap(f, u, v);
      } else if (cutter == 4) {
        values[i] = ts_semi_facing_gap(f, u, v) + f->depth_m;
      } else {
        // Body 1 shows its other side: its triangles run clockwise.
        const double *from = clip_by[(cutter + 1) % 3], *to = clip_by[cutter];
        values[i] = (to[0] - from[0]) * (v - from[1]) - (to[1] - from[1]) * (u - from[0]);
      }
      is_all_kept &= values[i] >= 0;
    }
    if (is_all_kept)
      continue;
    int count = cut(next, (const double(*)[2])p->corners, values, p->count);
    for (int i = 0; i < count; i++) {
      p->corners[i][0] = next[i][0];
      p->corners[i][1] = next[i][1];
    }
    p->count = count;
  }
  return p->count >= 3;
}

static void measure(ts_semi_piece *p) {
  p->low_u = p->low_v = INFINITY;
  p->high_u = p->high_v = -INFINITY;
  for (int i = 0; i < p->count; i++) {
    p->low_u = ts_min(p->low_u, p->corners[i][0]);
    p->high_u = ts_max(p->high_u, p->corners[i][0]);
    p->low_v = ts_min(p->low_v, p->corners[i][1]);
    p->high_v = ts_max(p->high_v, p->corners[i][1]);
  }
}

/// Surfaces that lie deeper in each other than either body is thick are the far sides of two thin
/// bodies.
static bool is_within_bodies(const ts_semi_pair *pair, const ts_semi_piece *p,
                             const ts_semi_facing *f) {
  double u = 0, v = 0;
  for (int i = 0; i < p->count; i++) {
    u += p->corners[i][0] / p->count;
    v += p->corners[i][1] / p->count;
  }
  double depth = -ts_semi_facing_gap(f, u, v);
  return depth <= pair->s.snap_m ||
         (depth < ts_semi_thickness(pair->side[0].shape, p->patches[0]) &&
          depth < ts_semi_thickness(pair->side[1].shape, p->patches[1]));
}

static ts_status add_piece(piece_search *s, uint32_t t0, uint32_t t1) {
  const ts_semi_pair *pair = s->pair;
  uint32_t p0 = pair->side[0].patches->patch_of[t0], p1 = pair->side[1].patches->patch_of[t1];
  if (ts_vec3_dot(pair->side[0].normals[p0], pair->side[1].normals[p1]) > -s->cosine)
    return TS_OK;
  ts_semi_piece p = {.patches = {p0, p1}, .triangles = {t0, t1}, .count = 3};
  if (!s->is_facing || s->facing.patches[0] != p0 || s->facing.patches[1] != p1) {
    s->facing = ts_semi_face_patches(pair, p.patches);
    s->is_facing = true;
  }
  project(p.corners, &pair->side[0], t0, &s->facing);
  if (!clip(&p, pair, &s->facing))
    return TS_OK;
  measure(&p);
  double extent = ts_max(p.high_u - p.low_u, p.high_v - p.low_v);
  double area = ts_polygon_area_2d((const double(*)[2])p.corners, (size_t)p.count);
  // Triangles side by side share a line.
  if (!(area > TS_SEMI_PIECE_SNAPS * pair->s.snap_m * extent) ||
      !is_within_bodies(pair, &p, &s->facing))
    return TS_OK;
  TS_TRY(TS_SEMI_GROW(s->pieces, s->capacity, s->count, pair->memory));
  s->pieces[s->count++] = p;
  return TS_OK;
}

static int compare_indices(uint32_t l, uint32_t r) {
  return (l > r) - (l < r);
}

static int compare_pieces(const void *left, const void *right) {
  const ts_semi_piece *l = left, *r = right;
  int order = compare_indices(l->patches[0], r->patches[0]);
  if (!order)
    order = compare_indices(l->patches[1], r->patches[1]);
  if (!order && l->low_u != r->low_u)
    order = l->low_u < r->low_u ? -1 : 1;
  if (!order)
    order = compare_indices(l->triangles[0], r->triangles[0]);
  return order ? order : compare_indices(l->triangles[1], r->triangles[1]);
}

ts_status ts_semi_find_pieces(ts_semi_pieces *out, const ts_semi_pair *pair,
                              const ts_semi_close_pairs *close) {
  piece_search s = {.pair = pair, .cosine = cos(pair->s.angle_rad)};
  for (size_t i = 0; i < close->block_count; i++) {
    const ts_semi_close_blocks *blocks = &close->blocks[i];
    if (!blocks->may_face)
      continue;
    const uint32_t *of_0 = ts_semi_triangles_of(pair, close, 0, blocks->met[0]);
    const uint32_t *of_1 = ts_semi_triangles_of(pair, close, 1, blocks->met[1]);
    for (uint64_t left = blocks->close; left; left &= left - 1) {
      int bit = __builtin_ctzll(left);
      TS_TRY(add_piece(&s, of_0[bit / TS_BOX_BLOCK_MOST], of_1[bit % TS_BOX_BLOCK_MOST]));
    }
  }
  if (s.count > 1)
    qsort(s.pieces, s.count, sizeof *s.pieces, compare_pieces);
  *out = (ts_semi_pieces){s.count, s.pieces};
  return TS_OK;
}
