// SPDX-License-Identifier: MIT
#include "methods/semi_local/semi_close.h"

#include "base/status.h"
#include "geometry/closest.h"
#include "geometry/convex_runs.h"
#include "geometry/mat3.h"
#include "geometry/tolerances.h"

#include <stdlib.h>

// ---- blocks ------------------------------------------------------------------------------------

typedef struct block_search {
  ts_semi_memory *memory;
  uint32_t *number[2]; ///< [block_count] of each body, 1 + index in `met`; 0: not met yet
  uint32_t *met[2];
  size_t met_count[2], met_capacity[2];
  ts_semi_close_blocks *pairs;
  size_t count, capacity;
} block_search;

static ts_status list_blocks(void *context, uint32_t block_0, uint32_t block_1) {
  block_search *s = context;
  const uint32_t blocks[2] = {block_0, block_1};
  uint32_t met[2];
  TS_TRY(TS_SEMI_GROW(s->pairs, s->capacity, s->count, s->memory));
  for (int body = 0; body < 2; body++) {
    uint32_t *number = &s->number[body][blocks[body]];
    if (!*number) {
      TS_TRY(TS_SEMI_GROW(s->met[body], s->met_capacity[body], s->met_count[body], s->memory));
      s->met[body][s->met_count[body]++] = blocks[body];
      *number = (uint32_t)s->met_count[body];
    }
    met[body] = *number - 1;
  }
  s->pairs[s->count++] = (ts_semi_close_blocks){.met = {met[0], met[1]}};
  return TS_OK;
}

static ts_status find_blocks(block_search *out, const ts_semi_pair *pair) {
  const ts_semi_shape *shapes[2] = {pair->side[0].shape, pair->side[1].shape};
  *out = (block_search){.memory = pair->memory};
  for (int body = 0; body < 2; body++) {
    out->number[body] =
        ts_semi_scratch(pair->memory, shapes[body]->block_count, sizeof *out->number[body]);
    if (!out->number[body])
      return TS_E_MEMORY;
  }
  return ts_bvh_tandem(shapes[0]->surface, shapes[1]->surface, pair->other_to_frame, pair->s.snap_m,
                       list_blocks, out);
}

/// The normals of the blocks of each body that are met, from body 0 to body 1 in the frame.
static ts_status find_normals(ts_round_cone *out[2], const ts_semi_pair *pair,
                              const block_search *found) {
  for (int body = 0; body < 2; body++) {
    out[body] = ts_semi_scratch(pair->memory, found->met_count[body], sizeof *out[body]);
    if (!out[body])
      return TS_E_MEMORY;
    for (size_t i = 0; i < found->met_count[body]; i++) {
      ts_round_cone cone = pair->side[body].shape->block_normals[found->met[body][i]];
      if (body == 1)
        cone.axis = ts_vec3_neg(ts_pose_direction(pair->other_to_frame, cone.axis));
      out[body][i] = cone;
    }
  }
  return TS_OK;
}

/// Of each block of a body that is met, whether its normals are farther from any of those of the
/// blocks that it meets than a normal may be from both.
static ts_status find_apart(bool **out, const ts_semi_pair *pair, int body,
                            const block_search *found, ts_round_cone *const normals[2]) {
  size_t count = found->met_count[body];
  ts_round_cone *around = ts_semi_scratch(pair->memory, count, sizeof *around);
  *out = ts_semi_scratch(pair->memory, count, sizeof **out);
  if (!around || !*out)
    return TS_E_MEMORY;
  for (size_t i = 0; i < found->count; i++) {
    const uint32_t *met = found->pairs[i].met;
    ts_vec3 *sum = &around[met[body]].axis;
    *sum = ts_vec3_add(*sum, normals[1 - body][met[1 - body]].axis);
  }
  for (size_t i = 0; i < count; i++)
    around[i] = (ts_round_cone){ts_vec3_unit(around[i].axis), 1, 0, true};
  for (size_t i = 0; i < found->count; i++) {
    const uint32_t *met = found->pairs[i].met;
    ts_round_cone_widen(&around[met[body]], &normals[1 - body][met[1 - body]]);
  }
  const ts_semi_angle most = pair->opposite;
  for (size_t i = 0; i < count; i++)
    (*out)[i] = ts_round_cones_are_apart(&normals[body][i], &around[i], most.cosine, most.sine);
  return TS_OK;
}

static void corners_of(ts_vec3 out[3], const ts_semi_side *side, uint32_t triangle) {
  for (int i = 0; i < 3; i++)
    out[i] = side->vertices[side->mesh->triangles[triangle][i]];
}

// ---- triangles ---------------------------------------------------------------------------------

/// How a pose shows the boxes of body 1, with a margin.
typedef struct box_view {
  ts_mat3 turn, sizes; ///< of body 1 in the frame, and the magnitudes
  ts_vec3 at;
  double margin_m;
} box_view;

static box_view view_boxes(const ts_semi_pair *pair) {
  const ts_pose pose = pair->other_to_frame;
  box_view view = {.turn = ts_mat3_columns(ts_pose_direction(pose, (ts_vec3){1, 0, 0}),
                                           ts_pose_direction(pose, (ts_vec3){0, 1, 0}),
                                           ts_pose_direction(pose, (ts_vec3){0, 0, 1})),
                   .at = pose.translation};
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      view.sizes.m[i][k] = fabs(view.turn.m[i][k]);
  double largest_m = ts_vec3_norm(pose.translation);
  for (int body = 0; body < 2; body++)
    largest_m += ts_aabb_largest_coordinate(ts_bvh_bounds(pair->side[body].shape->surface));
  view.margin_m = pair->s.snap_m + TS_BOX_ROUNDING * largest_m;
  return view;
}

static ts_aabb see_box(const box_view *view, ts_aabb box) {
  ts_vec3 half = ts_mat3_apply(view->sizes, ts_vec3_scale(ts_vec3_sub(box.high, box.low), 0.5));
  ts_vec3 at = ts_vec3_add(ts_mat3_apply(view->turn, ts_aabb_centre(box)), view->at);
  return ts_aabb_inflate((ts_aabb){ts_vec3_sub(at, half), ts_vec3_add(at, half)}, view->margin_m);
}

/// The boxes of the blocks of body 1 that are met, in the frame; NULL when out of memory.
static ts_box_block *see_boxes(const ts_semi_pair *pair, const box_view *view,
                               const block_search *found) {
  const ts_semi_shape *shape = pair->side[1].shape;
  const ts_semi_listed *blocks = &shape->blocks;
  ts_box_block *seen = ts_semi_scratch(pair->memory, found->met_count[1], sizeof *seen);
  for (size_t b = 0; seen && b < found->met_count[1]; b++) {
    uint32_t block = found->met[1][b], count = blocks->first[block + 1] - blocks->first[block];
    ts_box_block_clear(&seen[b]);
    for (uint32_t i = 0; i < count; i++)
      ts_box_block_set(&seen[b], i, see_box(view, ts_box_block_get(&shape->boxes[block], i)));
  }
  return seen;
}

static ts_semi_block_boxes *measure_boxes(const ts_semi_pair *pair,
                                          const ts_semi_close_pairs *close, int body) {
  const ts_semi_side *side = &pair->side[body];
  const ts_semi_listed *blocks = &side->shape->blocks;
  ts_semi_block_boxes *out = ts_semi_scratch(pair->memory, close->met_count[body], sizeof *out);
  for (size_t b = 0; out && b < close->met_count[body]; b++) {
    uint32_t first = blocks->first[close->met[body][b]];
    uint32_t count = blocks->first[close->met[body][b] + 1] - first;
    out[b].around = ts_aabb_empty();
    ts_box_block_clear(&out[b].of);
    for (uint32_t i = 0; i < count; i++) {
      ts_vec3 v[3];
      corners_of(v, side, blocks->items[first + i]);
      ts_aabb box = ts_aabb_add(ts_aabb_add((ts_aabb){v[0], v[0]}, v[1]), v[2]);
      box = ts_aabb_inflate(box, pair->s.snap_m);
      ts_box_block_set(&out[b].of, i, box);
      out[b].around = ts_aabb_join(out[b].around, box);
    }
  }
  return out;
}

ts_status ts_semi_boxes_of(const ts_semi_block_boxes **out, const ts_semi_pair *pair,
                           const ts_semi_close_pairs *close, int body) {
  const ts_semi_block_boxes **known = &close->boxes[body];
  if (!*known)
    *known = measure_boxes(pair, close, body);
  *out = *known;
  return *out ? TS_OK : TS_E_MEMORY;
}

ts_status ts_semi_find_close_pairs(ts_semi_close_pairs *out, const ts_semi_pair *pair) {
  block_search found;
  TS_TRY(find_blocks(&found, pair));
  ts_round_cone *normals[2];
  bool *is_apart[2];
  TS_TRY(find_normals(normals, pair, &found));
  for (int body = 0; body < 2; body++)
    TS_TRY(find_apart(&is_apart[body], pair, body, &found, normals));
  const ts_semi_shape *shapes[2] = {pair->side[0].shape, pair->side[1].shape};
  const box_view view = view_boxes(pair);
  const ts_box_block *boxes_0 = shapes[0]->boxes, *boxes_1 = see_boxes(pair, &view, &found);
  const ts_semi_block_boxes **not_yet = ts_semi_scratch(pair->memory, 2, sizeof *not_yet);
  if (!boxes_1 || !not_yet)
    return TS_E_MEMORY;
  const ts_semi_angle most = pair->opposite;
  for (size_t i = 0; i < found.count; i++) {
    ts_semi_close_blocks *blocks = &found.pairs[i];
    const uint32_t *met = blocks->met;
    if (is_apart[0][met[0]] && is_apart[1][met[1]])
      continue;
    blocks->close = ts_box_block_meet(&boxes_0[found.met[0][met[0]]], &boxes_1[met[1]]);
    blocks->may_face =
        blocks->close &&
        !ts_round_cones_are_apart(&normals[0][met[0]], &normals[1][met[1]], most.cosine, most.sine);
  }
  *out = (ts_semi_close_pairs){.met_count = {found.met_count[0], found.met_count[1]},
                               .met = {found.met[0], found.met[1]},
                               .is_apart = {is_apart[0], is_apart[1]},
                               .bounds = {ts_aabb_inflate(shapes[0]->bounds, view.margin_m),
                                          see_box(&view, shapes[1]->bounds)},
                               .boxes = not_yet,
                               .block_count = found.count,
                               .blocks = found.pairs};
  return TS_OK;
}

// ---- corners -----------------------------------------------------------------------------------

/// Whether a corner faces a patch with this normal: some patch of it does, or it could rest on it,
/// as a needle does whose sides are nearly perpendicular to the surface under it.
static bool faces(const ts_semi_side *own, const ts_patch_corner *corner, ts_vec3 normal) {
  ts_vec3 around[TS_LOCAL_FACES_MAX];
  int count = 0;
  bool may_stand = false;
  for (uint32_t i = 0; i < corner->patch_count; i++) {
    ts_vec3 n = own->normals[own->patches->patches_of_corners[corner->first_patch + i]];
    double cosine = ts_vec3_dot(n, normal);
    if (cosine < TS_SEMI_FACING_COSINE)
      return true;
    may_stand |= cosine < 0;
    if (count < TS_LOCAL_FACES_MAX)
      around[count++] = n;
  }
  return may_stand && ts_noisy_cone_sine(ts_vec3_neg(normal), around, count,
                                         TS_CONE_NOISE * TS_SEMI_CONE_RAD) < TS_SEMI_CONE_WIDE_RAD;
}

/// How far a corner may be from a triangle that matters.
static double corner_reach(const ts_semi_corner_search *search, uint32_t corner) {
  return ts_min(search->reach_m, search->own->shape->corner_reach_m[corner]) +
         search->pair->s.snap_m;
}

static double height_over(const ts_semi_side *side, uint32_t patch, ts_vec3 p) {
  return ts_vec3_dot(side->normals[patch], p) - side->offsets_m[patch];
}

/// How far a point is from a box; 0 inside.
static double distance_to_box(ts_aabb box, ts_vec3 p) {
  ts_vec3 away = ts_vec3_max(ts_vec3_sub(box.low, p), ts_vec3_sub(p, box.high));
  return ts_vec3_norm(ts_vec3_max(away, (ts_vec3){0, 0, 0}));
}

/// Whether a corner may be within reach of a triangle of the other body. `*out_m`: it is no closer,
/// but for rounding.
static bool may_be_near(double *out_m, const ts_semi_corner_search *search, uint32_t corner,
                        uint32_t triangle) {
  const ts_semi_side *other = search->other;
  ts_vec3 p = search->own->vertices[search->own->patches->corners[corner].vertex];
  double reach = corner_reach(search, corner);
  if (fabs(height_over(other, other->patches->patch_of[triangle], p)) > reach)
    return false;
  ts_vec3 v[3];
  corners_of(v, other, triangle);
  ts_aabb box = ts_aabb_add(ts_aabb_add((ts_aabb){v[0], v[0]}, v[1]), v[2]);
  *out_m = distance_to_box(box, p);
  return ts_aabb_contains(ts_aabb_inflate(box, reach), p);
}

/// Lists a triangle of the other body under the corners of one that it is close to.
static ts_status list_near_triangle(ts_semi_corner_search *search, uint32_t own, uint32_t other) {
  const ts_semi_listed *corners = &search->own->shape->corners;
  for (uint32_t k = corners->first[own]; k < corners->first[own + 1]; k++) {
    uint32_t corner = corners->items[k];
    double apart_m;
    if (search->is_left_out && search->is_left_out[corner])
      continue;
    if (!may_be_near(&apart_m, search, corner, other))
      continue;
    TS_TRY(TS_SEMI_GROW(search->triangles, search->capacity, search->count, search->pair->memory));
    search->triangles[search->count++] =
        (ts_semi_near_triangle){other, search->last[corner], apart_m};
    search->last[corner] = (uint32_t)search->count;
  }
  return TS_OK;
}

/// The box around what may be near a corner, larger by a snap length, so that rounding leaves out
/// nothing. Empty where it is left out, or the other body, within `bounds`, does not come near.
static ts_aabb reach_box(const ts_semi_corner_search *search, uint32_t corner, ts_aabb bounds) {
  if (search->is_left_out && search->is_left_out[corner])
    return ts_aabb_empty();
  ts_vec3 p = search->own->vertices[search->own->patches->corners[corner].vertex];
  ts_aabb box =
      ts_aabb_inflate((ts_aabb){p, p}, corner_reach(search, corner) + search->pair->s.snap_m);
  return ts_aabb_overlap(box, bounds) ? box : ts_aabb_empty();
}

/// Whether the other body comes near some corner of the blocks that are met.
static bool comes_near(const ts_semi_corner_search *search, int body,
                       const ts_semi_close_pairs *close) {
  const ts_semi_listed *blocks = &search->own->shape->blocks;
  const ts_semi_listed *corners = &search->own->shape->corners;
  for (size_t b = 0; b < close->met_count[body]; b++) {
    uint32_t block = close->met[body][b];
    for (uint32_t i = blocks->first[block]; i < blocks->first[block + 1]; i++)
      for (uint32_t t = blocks->items[i], k = corners->first[t]; k < corners->first[t + 1]; k++) {
        ts_aabb box = reach_box(search, corners->items[k], close->bounds[1 - body]);
        if (box.low.x <= box.high.x)
          return true;
      }
  }
  return false;
}

/// Of each block that is met the boxes around what may be near the corners of its triangles; NULL
/// when out of memory.
static ts_semi_block_boxes *reach_boxes(const ts_semi_corner_search *search, int body,
                                        const ts_semi_close_pairs *close) {
  const ts_semi_shape *shape = search->own->shape;
  ts_semi_block_boxes *out =
      ts_semi_scratch(search->pair->memory, close->met_count[body], sizeof *out);
  for (size_t b = 0; out && b < close->met_count[body]; b++) {
    uint32_t first = shape->blocks.first[close->met[body][b]];
    uint32_t count = shape->blocks.first[close->met[body][b] + 1] - first;
    out[b].around = ts_aabb_empty();
    ts_box_block_clear(&out[b].of);
    for (uint32_t i = 0; i < count && !close->is_apart[body][b]; i++) {
      uint32_t t = shape->blocks.items[first + i];
      ts_aabb box = ts_aabb_empty();
      for (uint32_t k = shape->corners.first[t]; k < shape->corners.first[t + 1]; k++)
        box =
            ts_aabb_join(box, reach_box(search, shape->corners.items[k], close->bounds[1 - body]));
      ts_box_block_set(&out[b].of, i, box);
      out[b].around = ts_aabb_join(out[b].around, box);
    }
  }
  return out;
}

/// Lists the triangles that may be near each corner. Around a corner of a block whose normals are
/// apart from all that it meets there is none that keeps the bodies apart.
static ts_status list_triangles(ts_semi_corner_search *search, int body,
                                const ts_semi_close_pairs *close) {
  if (!comes_near(search, body, close))
    return TS_OK;
  const ts_semi_block_boxes *reaches = reach_boxes(search, body, close), *others;
  if (!reaches)
    return TS_E_MEMORY;
  TS_TRY(ts_semi_boxes_of(&others, search->pair, close, 1 - body));
  for (size_t i = 0; i < close->block_count; i++) {
    const uint32_t *met = close->blocks[i].met;
    const ts_semi_block_boxes *own = &reaches[met[body]];
    const ts_semi_block_boxes *other = &others[met[1 - body]];
    if (!close->blocks[i].close || !ts_aabb_overlap(own->around, other->around))
      continue;
    uint64_t near = body == 0 ? ts_box_block_meet(&own->of, &other->of)
                              : ts_box_block_meet(&other->of, &own->of);
    const uint32_t *of[2] = {ts_semi_triangles_of(search->pair, close, 0, met[0]),
                             ts_semi_triangles_of(search->pair, close, 1, met[1])};
    for (uint64_t left = close->blocks[i].close & near; left; left &= left - 1) {
      int bit = __builtin_ctzll(left);
      const uint32_t t[2] = {of[0][bit / TS_BOX_BLOCK_MOST], of[1][bit % TS_BOX_BLOCK_MOST]};
      TS_TRY(list_near_triangle(search, t[body], t[1 - body]));
    }
  }
  return TS_OK;
}

/// Whether no triangle near a corner faces it closely enough for a normal to keep both apart: most
/// corners of curved surfaces that cut through each other.
static bool is_apart(const ts_semi_corner_search *search, uint32_t corner) {
  enum { NORMALS_MAX = 64 };
  ts_vec3 own[NORMALS_MAX], other[NORMALS_MAX];
  const ts_patches *patches = search->own->patches;
  const ts_patch_corner *about = &patches->corners[corner];
  if (about->patch_count > NORMALS_MAX)
    return false;
  for (uint32_t i = 0; i < about->patch_count; i++)
    own[i] = search->own->normals[patches->patches_of_corners[about->first_patch + i]];
  size_t count = 0;
  for (uint32_t i = search->last[corner]; i; i = search->triangles[i - 1].next) {
    if (count == NORMALS_MAX)
      return false;
    uint32_t patch = search->other->patches->patch_of[search->triangles[i - 1].triangle];
    other[count++] = search->other->normals[patch];
  }
  ts_round_cone of_own = ts_round_cone_around(own, about->patch_count);
  ts_round_cone of_other = ts_round_cone_around(other, count);
  of_other.axis = ts_vec3_neg(of_other.axis);
  return ts_round_cones_are_apart(&of_own, &of_other, search->pair->opposite.cosine,
                                  search->pair->opposite.sine);
}

static int compare_near(const void *left, const void *right) {
  const ts_semi_near_patch *l = left, *r = right;
  if (l->patch != r->patch)
    return l->patch < r->patch ? -1 : 1;
  if (l->distance_m != r->distance_m)
    return l->distance_m < r->distance_m ? -1 : 1;
  return (l->triangle > r->triangle) - (l->triangle < r->triangle);
}

static int compare_distances(const void *left, const void *right) {
  const ts_semi_near_patch *l = left, *r = right;
  if (l->distance_m != r->distance_m)
    return l->distance_m < r->distance_m ? -1 : 1;
  return compare_near(left, right);
}

/// The patches near a corner, while they are being listed.
typedef struct near_list {
  const ts_patch_corner *about;
  ts_vec3 point;
  double reach_m, within_m; ///< at first; where patches count, as far as is known
  double facing_m;          ///< distance of the nearest that faces the corner
  size_t count;             ///< in search->near
} near_list;

/// Lists the patch of a triangle, unless it is too far away.
static ts_status list_patch(near_list *list, ts_semi_corner_search *search,
                            const ts_semi_near_triangle *at) {
  const ts_semi_side *other = search->other;
  uint32_t patch = other->patches->patch_of[at->triangle];
  if (at->apart_m > list->within_m + search->pair->s.snap_m || // with what rounding does
      fabs(height_over(other, patch, list->point)) > list->within_m)
    return TS_OK;
  ts_vec3 v[3];
  corners_of(v, other, at->triangle);
  double distance = ts_closest_point_triangle(list->point, v).distance_m;
  if (!(distance <= list->within_m))
    return TS_OK;
  if (distance < list->facing_m && faces(search->own, list->about, other->normals[patch])) {
    list->facing_m = distance;
    list->within_m = ts_min(list->reach_m, ts_semi_slack(search->pair, distance));
  }
  TS_TRY(TS_SEMI_GROW(search->near, search->near_capacity, list->count, search->pair->memory));
  search->near[list->count++] = (ts_semi_near_patch){patch, at->triangle, distance};
  return TS_OK;
}

/// Lists the patches near a corner that has some, into search->near: those within the slack of the
/// distance of the nearest that faces it, and maybe others. Returns that distance in `*out_m`;
/// infinite: none does.
static ts_status measure_near(double *out_m, size_t *out_count, ts_semi_corner_search *search,
                              uint32_t corner) {
  const ts_patch_corner *about = &search->own->patches->corners[corner];
  double reach_m = corner_reach(search, corner);
  near_list list = {.about = about,
                    .point = search->own->vertices[about->vertex],
                    .reach_m = reach_m,
                    .within_m = reach_m,
                    .facing_m = INFINITY};
  for (uint32_t i = search->last[corner]; i; i = search->triangles[i - 1].next)
    TS_TRY(list_patch(&list, search, &search->triangles[i - 1]));
  *out_m = list.facing_m;
  *out_count = list.count;
  return TS_OK;
}

/// Keeps of the patches near a corner [*count] those within the slack, each once, sorted; the
/// nearest first when there are too many for a neighbourhood.
static void sort_near(ts_semi_near_patch *near, size_t *count, double slack_m) {
  size_t within = 0, kept = 0;
  for (size_t i = 0; i < *count; i++)
    if (near[i].distance_m <= slack_m)
      near[within++] = near[i];
  if (within > 1)
    qsort(near, within, sizeof *near, compare_near);
  for (size_t i = 0; i < within; i++)
    if (i == 0 || near[i].patch != near[i - 1].patch)
      near[kept++] = near[i];
  if (kept > TS_LOCAL_FACES_MAX)
    qsort(near, kept, sizeof *near, compare_distances);
  *count = kept;
}

ts_status ts_semi_corner_search_create(ts_semi_corner_search *out, const ts_semi_pair *pair,
                                       int body, const ts_semi_close_pairs *close,
                                       const bool *is_left_out) {
  *out = (ts_semi_corner_search){.pair = pair,
                                 .own = &pair->side[body],
                                 .other = &pair->side[1 - body],
                                 .is_left_out = is_left_out,
                                 .reach_m = ts_max(pair->s.gap_m, pair->s.depth_m)};
  out->last = ts_semi_scratch(pair->memory, out->own->patches->corner_count, sizeof *out->last);
  return out->last ? list_triangles(out, body, close) : TS_E_MEMORY;
}

ts_status ts_semi_find_near(size_t *out_count, double *out_slack_m, ts_semi_corner_search *search,
                            uint32_t corner) {
  double distance_m;
  *out_count = 0;
  if (!search->last[corner] || is_apart(search, corner))
    return TS_OK;
  TS_TRY(measure_near(&distance_m, out_count, search, corner));
  *out_slack_m = ts_semi_slack(search->pair, distance_m);
  if (isinf(distance_m))
    *out_count = 0;
  sort_near(search->near, out_count, *out_slack_m);
  return TS_OK;
}
