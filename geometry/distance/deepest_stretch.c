// SPDX-License-Identifier: MIT
#include "geometry/distance/deepest_stretch.h"

#include "base/array.h"
#include "base/status.h"
#include "geometry/tolerances.h"

#include <stdlib.h>

enum { PIECE_CORNERS_MAX = 32 }; // 17 that are kept, cut by a polygon of 11

/// A convex piece of a patch, counter-clockwise, with the heights between which the stretch is.
typedef struct piece {
  size_t count;
  struct {
    double place_m[2], high_m, low_m;
  } corners[PIECE_CORNERS_MAX];
} piece;

typedef struct cutter {
  ts_arena *arena;
  double width_m;  ///< of what counts
  double length_m; ///< the longest stretch so far
  piece *pieces, *left;
  size_t count, capacity, left_count, left_capacity;
} cutter;

static double length_at(const piece *p, size_t corner) {
  return p->corners[corner].high_m - p->corners[corner].low_m;
}

static double longest_of(const piece *p) {
  double longest = 0;
  for (size_t i = 0; i < p->count; i++)
    longest = ts_max(longest, length_at(p, i));
  return longest;
}

/// The height over the longest edge, more or less.
static bool is_wide(const piece *p, double width_m) {
  double places[PIECE_CORNERS_MAX][2], longest = 0;
  for (size_t i = 0; i < p->count; i++) {
    const double *from = p->corners[i].place_m, *to = p->corners[(i + 1) % p->count].place_m;
    places[i][0] = from[0];
    places[i][1] = from[1];
    longest = ts_max(longest, hypot(to[0] - from[0], to[1] - from[1]));
  }
  return ts_column_area_m2((const double(*)[2])places, p->count) > width_m * longest;
}

/// The part of a piece to the left of the line from `from` to `to`, or to its right.
static piece part_beside(const piece *p, const double from[2], const double to[2], double sign) {
  piece out = {0};
  for (size_t i = 0; i < p->count; i++) {
    size_t next = (i + 1) % p->count;
    double sides[2];
    for (int k = 0; k < 2; k++) {
      const double *at = p->corners[k == 0 ? i : next].place_m;
      sides[k] =
          sign * ((to[0] - from[0]) * (at[1] - from[1]) - (to[1] - from[1]) * (at[0] - from[0]));
    }
    if (sides[0] >= 0 && out.count < PIECE_CORNERS_MAX)
      out.corners[out.count++] = p->corners[i];
    if (!((sides[0] > 0 && sides[1] < 0) || (sides[0] < 0 && sides[1] > 0)) ||
        out.count == PIECE_CORNERS_MAX)
      continue;
    double share = sides[0] / (sides[0] - sides[1]);
    for (int k = 0; k < 2; k++)
      out.corners[out.count].place_m[k] =
          p->corners[i].place_m[k] +
          share * (p->corners[next].place_m[k] - p->corners[i].place_m[k]);
    out.corners[out.count].high_m =
        p->corners[i].high_m + share * (p->corners[next].high_m - p->corners[i].high_m);
    out.corners[out.count++].low_m =
        p->corners[i].low_m + share * (p->corners[next].low_m - p->corners[i].low_m);
  }
  return out;
}

/// Keeps a piece that has a longer stretch than was found. One that has become round is halved, so
/// that there is room for the corners of further cuts.
static ts_status keep_piece(cutter *c, const piece *p) {
  if (p->count < 3 || !(longest_of(p) > c->length_m) || !is_wide(p, c->width_m))
    return TS_OK;
  TS_TRY(TS_ARENA_GROW(c->left, c->left_capacity, c->left_count, 2, c->arena));
  if (2 * p->count <= PIECE_CORNERS_MAX) {
    c->left[c->left_count++] = *p;
    return TS_OK;
  }
  piece halves[2] = {{0}, {0}};
  size_t middle = p->count / 2;
  for (size_t i = 0; i < p->count; i++) {
    if (i <= middle)
      halves[0].corners[halves[0].count++] = p->corners[i];
    if (i >= middle || i == 0)
      halves[1].corners[halves[1].count++] = p->corners[i];
  }
  c->left[c->left_count++] = halves[0];
  c->left[c->left_count++] = halves[1];
  return TS_OK;
}

/// Whether a polygon hides anything of a piece.
static bool do_overlap(const piece *p, const double (*places_m)[2], size_t count, double width_m) {
  piece shared = *p;
  for (size_t k = 0; k < count && shared.count >= 3; k++)
    shared = part_beside(&shared, places_m[k], places_m[(k + 1) % count], 1);
  return shared.count >= 3 && is_wide(&shared, width_m);
}

/// Cuts what a polygon hides off all pieces.
static ts_status cut_off(void *context, const double (*places_m)[2], size_t count) {
  cutter *c = context;
  c->left_count = 0;
  for (size_t i = 0; i < c->count; i++) {
    piece rest = c->pieces[i];
    if (!do_overlap(&rest, places_m, count, c->width_m)) {
      TS_TRY(keep_piece(c, &rest));
      continue;
    }
    for (size_t k = 0; k < count; k++) {
      const double *from = places_m[k], *to = places_m[(k + 1) % count];
      piece beside = part_beside(&rest, from, to, -1);
      TS_TRY(keep_piece(c, &beside));
      rest = part_beside(&rest, from, to, 1);
    }
  }
  piece *pieces = c->pieces;
  size_t capacity = c->capacity;
  c->pieces = c->left;
  c->count = c->left_count;
  c->capacity = c->left_capacity;
  c->left = pieces;
  c->left_capacity = capacity;
  return TS_OK;
}

ts_status ts_stretch_search_add(ts_stretch_search *search, const ts_column_patch *patch) {
  if (patch->facing_a < 0 || patch->facing_b > 0)
    return TS_OK;
  double most = 0;
  for (size_t i = 0; i < patch->count; i++)
    most = ts_max(most, patch->heights_a_m[i] - patch->heights_b_m[i]);
  if (!(most > 0))
    return TS_OK;
  TS_TRY(TS_ARENA_GROW(search->ends, search->capacity, search->count, 1, search->arena));
  search->ends[search->count++] = (ts_stretch_ends){most, patch->triangle_a, patch->triangle_b};
  return TS_OK;
}

static int longest_first(const void *left, const void *right) {
  const ts_stretch_ends *p = left, *q = right;
  if (p->most_m != q->most_m)
    return p->most_m > q->most_m ? -1 : 1;
  if (p->triangle_a != q->triangle_a)
    return p->triangle_a < q->triangle_a ? -1 : 1;
  return (p->triangle_b > q->triangle_b) - (p->triangle_b < q->triangle_b);
}

/// The first piece of a patch: all of it.
static piece whole_patch(const ts_column_patch *patch) {
  piece out = {.count = patch->count};
  for (size_t i = 0; i < patch->count; i++) {
    out.corners[i].place_m[0] = patch->places_m[i][0];
    out.corners[i].place_m[1] = patch->places_m[i][1];
    out.corners[i].high_m = patch->heights_a_m[i];
    out.corners[i].low_m = patch->heights_b_m[i];
  }
  return out;
}

/// Takes the longest stretch of a patch where it is longer than that so far.
static ts_status look_into(ts_vec3 *out_at, cutter *c, const ts_stretch_search *search,
                           const ts_stretch_ends *ends) {
  ts_column_patch patch;
  if (!ts_mesh_columns_patch(&patch, search->columns, ends->triangle_a, ends->triangle_b))
    return TS_OK;
  piece whole = whole_patch(&patch);
  c->left_count = 0;
  TS_TRY(keep_piece(c, &whole));
  if (c->left_count == 0)
    return TS_OK;
  // With no corner to cut by, what was kept becomes the pieces.
  TS_TRY(TS_ARENA_GROW(c->pieces, c->capacity, 0, c->left_count, c->arena));
  memcpy(c->pieces, c->left, c->left_count * sizeof *c->left);
  c->count = c->left_count;
  TS_TRY(ts_mesh_columns_between(search->columns, &patch, c->width_m, cut_off, c));
  for (size_t i = 0; i < c->count; i++)
    for (size_t k = 0; k < c->pieces[i].count; k++) {
      double length = length_at(&c->pieces[i], k);
      if (!(length > c->length_m))
        continue;
      c->length_m = length;
      *out_at = ts_mesh_columns_point(search->columns, c->pieces[i].corners[k].place_m,
                                      c->pieces[i].corners[k].low_m + length / 2);
    }
  return TS_OK;
}

ts_status ts_stretch_search_run(double *out_m, ts_vec3 *out_at, ts_stretch_search *search) {
  cutter c = {.arena = search->arena,
              .width_m = TS_TOUCH_RELATIVE * ts_mesh_columns_pair_size_m(search->columns)};
  *out_at = (ts_vec3){(double)NAN, (double)NAN, (double)NAN};
  if (search->count > 0)
    qsort(search->ends, search->count, sizeof *search->ends, longest_first);
  for (size_t i = 0; i < search->count && search->ends[i].most_m > c.length_m; i++)
    TS_TRY(look_into(out_at, &c, search, &search->ends[i]));
  *out_m = c.length_m;
  return TS_OK;
}
