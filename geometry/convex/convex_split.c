// SPDX-License-Identifier: MIT
#include "geometry/convex/convex_split.h"

#include "base/array.h"
#include "base/status.h"
#include "geometry/convex/stand_out.h"
#include "geometry/convex/tet_cut.h"
#include "geometry/mesh/exact_hull.h"
#include "geometry/mesh/patches.h"
#include "geometry/tolerances.h"

#include <math.h>
#include <stdlib.h>

/// Planes that are tried for a part: more of few tets, where that costs little.
enum { PLANES_MIN = 4, PLANES_MAX = 24, TETS_PER_PLANE = 1000 };

/// A valley, or what is left of it in a part.
typedef struct valley {
  ts_vec3 ends[2];
  uint32_t edge;  ///< of the patches
  double depth_m; ///< below the hull of the part
} valley;

typedef struct part {
  ts_tet_set tets;
  size_t valley_count;
  valley *valleys; ///< those that may be in it, the deepest first once it has been looked at
  double volume_m3, hull_m3;
  bool is_convex;
  bool is_closed; ///< nothing that was tried makes it more convex
} part;

typedef struct splitter {
  ts_arena *arena;   ///< what is kept until the end
  ts_arena *scratch; ///< of trials
  const ts_mesh *solid;
  const ts_patches *patches;
  ts_tet_points points;
  double extent_m, on_m, volume_m3;
  size_t part_count, part_max;
  part *parts;           ///< [part_count]
  size_t work, work_max; ///< tets cut so far, and how many may be
  bool cuts_across;      ///< planes across valleys and between their faces are tried too
} splitter;

// ---- parts ------------------------------------------------------------------------------------

static ts_status hull_of(ts_exact_hull *out, const splitter *s, ts_arena *arena,
                         const ts_tet_set *tets) {
  uint32_t *which;
  size_t count;
  TS_TRY(ts_tet_set_points(&which, &count, arena, &s->points, tets));
  return ts_exact_hull_create(out, arena, s->points.at, which, count, 0);
}

/// What is wrong with a part: its volume in excess, and more where its hull is mostly excess, as
/// that of a thin ring is. [m3]
static double badness(const part *p) {
  double ratio = p->hull_m3 / p->volume_m3;
  return (p->hull_m3 - p->volume_m3) * ratio * ratio;
}

static double hull_volume(const splitter *s, const ts_exact_hull *hull) {
  double sum = 0;
  for (size_t f = 0; f < hull->face_count; f++) {
    const uint32_t *c = hull->faces[f].corner;
    ts_vec3 origin = s->points.at[hull->faces[0].corner[0]];
    ts_vec3 a = ts_vec3_sub(s->points.at[c[0]], origin);
    ts_vec3 b = ts_vec3_sub(s->points.at[c[1]], origin);
    sum += ts_vec3_dot(a, ts_vec3_cross(b, ts_vec3_sub(s->points.at[c[2]], origin))) / 6;
  }
  return sum;
}

/// Volumes of the parts that are connected in a set.
static ts_status measure(part **out, size_t *out_count, splitter *s, ts_arena *arena,
                         const ts_tet_set *set) {
  ts_tet_set *connected;
  TS_TRY(ts_tet_set_connected(&connected, out_count, arena, set));
  *out = ts_arena_array(arena, *out_count, sizeof **out);
  if (!*out)
    return TS_E_MEMORY;
  for (size_t i = 0; i < *out_count; i++) {
    ts_exact_hull hull;
    TS_TRY(hull_of(&hull, s, arena, &connected[i]));
    (*out)[i] = (part){.tets = connected[i],
                       .volume_m3 = ts_tet_set_volume(&connected[i], &s->points),
                       .hull_m3 = hull_volume(s, &hull)};
  }
  return TS_OK;
}

static double depth_below(const splitter *s, const ts_exact_hull *hull, const ts_plane *planes,
                          const valley *v) {
  ts_vec3 middle = ts_vec3_mid(v->ends[0], v->ends[1]);
  double depth_m[3] = {s->extent_m, s->extent_m, s->extent_m};
  for (size_t f = 0; f < hull->face_count; f++) {
    depth_m[0] = fmin(depth_m[0], -ts_plane_height(planes[f], v->ends[0]));
    depth_m[1] = fmin(depth_m[1], -ts_plane_height(planes[f], middle));
    depth_m[2] = fmin(depth_m[2], -ts_plane_height(planes[f], v->ends[1]));
  }
  return fmax(depth_m[0], fmax(depth_m[1], depth_m[2]));
}

static int compare_valleys(const void *a, const void *b) {
  const valley *p = a, *q = b;
  if (p->depth_m != q->depth_m)
    return p->depth_m > q->depth_m ? -1 : 1;
  return (p->edge > q->edge) - (p->edge < q->edge);
}

/// Finds how deep the valleys of a part are below its hull, and whether it is convex.
static ts_status look_at(splitter *s, part *p) {
  ts_arena_mark mark = ts_arena_get_mark(s->scratch);
  ts_exact_hull hull;
  TS_TRY(hull_of(&hull, s, s->scratch, &p->tets));
  ts_plane *planes = ts_arena_array(s->scratch, hull.face_count, sizeof *planes);
  if (!planes)
    return TS_E_MEMORY;
  for (size_t f = 0; f < hull.face_count; f++) {
    const uint32_t *c = hull.faces[f].corner;
    ts_vec3 at = s->points.at[c[0]];
    ts_vec3 normal = ts_vec3_unit(
        ts_vec3_cross(ts_vec3_sub(s->points.at[c[1]], at), ts_vec3_sub(s->points.at[c[2]], at)));
    planes[f] = (ts_plane){normal, ts_vec3_dot(normal, at)};
  }
  for (size_t i = 0; i < p->valley_count; i++)
    p->valleys[i].depth_m = depth_below(s, &hull, planes, &p->valleys[i]);
  if (p->valley_count > 0)
    qsort(p->valleys, p->valley_count, sizeof *p->valleys, compare_valleys);
  double excess_m3 = p->hull_m3 - p->volume_m3;
  p->is_convex =
      excess_m3 <= TS_SPLIT_EXACT_RELATIVE * p->volume_m3 &&
      (p->valley_count == 0 || p->valleys[0].depth_m <= TS_CONVEX_RELATIVE * s->extent_m);
  ts_arena_rewind(s->scratch, mark);
  return TS_OK;
}

static bool is_in_box(const valley *v, ts_aabb box) {
  return ts_aabb_overlap(ts_aabb_add(ts_aabb_add(ts_aabb_empty(), v->ends[0]), v->ends[1]), box);
}

/// Gives a part the valleys that may be in it.
static ts_status share_valleys(splitter *s, part *p, const valley *valleys, size_t count) {
  ts_aabb box = ts_aabb_empty();
  for (size_t i = 0; i < 4 * p->tets.count; i++)
    box = ts_aabb_add(box, s->points.at[p->tets.tets[i / 4][i % 4]]);
  box = ts_aabb_inflate(box, s->on_m);
  p->valleys = ts_arena_array(s->arena, count, sizeof *p->valleys);
  if (!p->valleys)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++)
    if (is_in_box(&valleys[i], box))
      p->valleys[p->valley_count++] = valleys[i];
  return look_at(s, p);
}

/// What of the valleys of a part is on one side of a plane.
static ts_status cut_valleys(valley **out, size_t *out_count, splitter *s, const part *p,
                             ts_plane plane, int side) {
  *out_count = 0;
  *out = ts_arena_array(s->scratch, p->valley_count, sizeof **out);
  if (!*out)
    return TS_E_MEMORY;
  for (size_t i = 0; i < p->valley_count; i++) {
    valley v = p->valleys[i];
    double heights_m[2];
    for (int k = 0; k < 2; k++)
      heights_m[k] = side * ts_plane_height(plane, v.ends[k]);
    if (fmax(heights_m[0], heights_m[1]) < -s->on_m ||
        (fmin(heights_m[0], heights_m[1]) < -s->on_m &&
         fmax(heights_m[0], heights_m[1]) <= s->on_m))
      continue; // behind, but for an end at most
    for (int k = 0; k < 2; k++)
      if (heights_m[k] < -s->on_m)
        v.ends[k] = ts_vec3_lerp(v.ends[k], v.ends[1 - k],
                                 heights_m[k] / (heights_m[k] - heights_m[1 - k]));
    (*out)[(*out_count)++] = v;
  }
  return TS_OK;
}

// ---- planes -----------------------------------------------------------------------------------

typedef struct plane_list {
  size_t count, max;
  ts_plane of[PLANES_MAX];
} plane_list;

static void add_plane(plane_list *list, const splitter *s, ts_vec3 normal, ts_vec3 at) {
  if (list->count == list->max || !(ts_vec3_norm2(normal) > 0))
    return;
  normal = ts_vec3_unit(normal);
  for (size_t i = 0; i < list->count; i++) {
    const ts_plane *other = &list->of[i];
    double cosine = ts_vec3_dot(normal, other->normal);
    ts_vec3 difference = ts_vec3_add_scaled(normal, cosine < 0 ? 1 : -1, other->normal);
    if (ts_vec3_norm(difference) * s->extent_m <= s->on_m &&
        fabs(ts_plane_height(*other, at)) <= s->on_m)
      return;
  }
  list->of[list->count++] = (ts_plane){normal, ts_vec3_dot(normal, at)};
}

/// Through a valley: those of its faces, exact; else also the one between them, and one across.
static void add_planes_of(plane_list *list, const splitter *s, const valley *v) {
  const ts_patch_edge *edge = &s->patches->edges[v->edge];
  ts_vec3 normals[2], middle = ts_vec3_mid(v->ends[0], v->ends[1]);
  for (int k = 0; k < 2; k++) {
    const ts_patch *patch = &s->patches->patches[edge->patches[k]];
    normals[k] = patch->normal;
    double height_m = ts_vec3_dot(patch->normal, middle) - patch->offset_m;
    add_plane(list, s, patch->normal, ts_vec3_add_scaled(middle, -height_m, patch->normal));
  }
  if (!s->cuts_across)
    return;
  add_plane(list, s, ts_vec3_sub(normals[0], normals[1]), middle);
  add_plane(list, s, ts_vec3_sub(v->ends[1], v->ends[0]), middle);
}

static void list_planes(plane_list *list, const splitter *s, const part *p) {
  size_t affordable = TETS_PER_PLANE * (size_t)PLANES_MAX / (p->tets.count + 1);
  list->count = 0;
  list->max = affordable < PLANES_MIN   ? PLANES_MIN
              : affordable > PLANES_MAX ? PLANES_MAX
                                        : affordable;
  // On a curved surface the deepest valleys are all at one place.
  size_t stride = s->cuts_across ? 1 + p->valley_count / list->max : 1;
  for (size_t i = 0; i < p->valley_count && list->count < list->max; i += stride)
    add_planes_of(list, s, &p->valleys[i]);
}

// ---- splitting --------------------------------------------------------------------------------

/// The parts that a plane makes of a part, those in front of it last.
typedef struct trial {
  size_t counts[2];
  part *parts[2];
  double badness_m3;
} trial;

static ts_status try_plane(trial *out, splitter *s, ts_arena *arena, const part *p,
                           ts_plane plane) {
  *out = (trial){0};
  ts_tet_set sides[2];
  TS_TRY(ts_tet_set_cut(sides, arena, &s->points, &p->tets, plane, s->on_m));
  s->work += p->tets.count;
  for (int k = 0; k < 2; k++) {
    TS_TRY(measure(&out->parts[k], &out->counts[k], s, arena, &sides[k]));
    for (size_t i = 0; i < out->counts[k]; i++)
      out->badness_m3 += badness(&out->parts[k][i]);
  }
  return TS_OK;
}

/// Of the planes, the one that leaves the least excess, `*out_found` false when none cuts the part
/// into few enough.
static ts_status choose_plane(ts_plane *out, bool *out_found, splitter *s, const part *p) {
  plane_list list;
  list_planes(&list, s, p);
  double best_m3 = 0;
  size_t best_count = 0;
  *out_found = false;
  for (size_t i = 0; i < list.count && s->work < s->work_max; i++) {
    ts_arena_mark mark = ts_arena_get_mark(s->scratch);
    size_t point_count = s->points.count;
    trial t;
    TS_TRY(try_plane(&t, s, s->scratch, p, list.of[i]));
    s->points.count = point_count;
    ts_arena_rewind(s->scratch, mark);
    size_t count = t.counts[0] + t.counts[1];
    double same_m3 = TS_SPLIT_EXACT_RELATIVE * p->volume_m3;
    bool is_better = !*out_found || t.badness_m3 < best_m3 - same_m3 ||
                     (t.badness_m3 <= best_m3 + same_m3 && count < best_count);
    if (t.counts[0] == 0 || t.counts[1] == 0 || s->part_count + count - 1 > s->part_max ||
        !is_better)
      continue;
    *out = list.of[i];
    *out_found = true;
    best_m3 = t.badness_m3;
    best_count = count;
  }
  return TS_OK;
}

static ts_status split(splitter *s, size_t index) {
  part p = s->parts[index];
  ts_plane plane;
  bool found;
  TS_TRY(choose_plane(&plane, &found, s, &p));
  if (!found) {
    s->parts[index].is_closed = true;
    return TS_OK;
  }
  trial t;
  TS_TRY(try_plane(&t, s, s->arena, &p, plane));
  size_t at = index; // the first takes its place
  for (int k = 0; k < 2; k++) {
    ts_arena_mark mark = ts_arena_get_mark(s->scratch);
    valley *valleys;
    size_t count;
    TS_TRY(cut_valleys(&valleys, &count, s, &p, plane, k == 0 ? -1 : 1));
    for (size_t i = 0; i < t.counts[k]; i++) {
      TS_TRY(share_valleys(s, &t.parts[k][i], valleys, count));
      s->parts[at] = t.parts[k][i];
      at = at == index ? s->part_count : at + 1;
    }
    ts_arena_rewind(s->scratch, mark);
  }
  s->part_count += t.counts[0] + t.counts[1] - 1;
  return TS_OK;
}

/// The part that is the worst of those not convex; part_count: none is left to be split.
static size_t worst_part(const splitter *s) {
  size_t worst = s->part_count;
  for (size_t i = 0; i < s->part_count; i++) {
    const part *p = &s->parts[i];
    if (!p->is_convex && !p->is_closed &&
        (worst == s->part_count || badness(p) > badness(&s->parts[worst])))
      worst = i;
  }
  return worst;
}

static ts_status start(splitter *s) {
  const ts_mesh *solid = s->solid;
  size_t valley_count = 0;
  valley *valleys = ts_arena_array(s->arena, s->patches->edge_count, sizeof *valleys);
  ts_tet_set all = {solid->tet_count,
                    ts_arena_copy(s->arena, solid->tets, solid->tet_count, sizeof *all.tets)};
  if (!valleys || !all.tets)
    return TS_E_MEMORY;
  for (size_t i = 0; i < s->patches->edge_count; i++) {
    const ts_patch_edge *edge = &s->patches->edges[i];
    if (!edge->is_convex)
      valleys[valley_count++] = (valley){
          .edge = (uint32_t)i,
          .ends = {solid->vertices[edge->vertices[0]], solid->vertices[edge->vertices[1]]}};
  }
  part *parts;
  TS_TRY(measure(&parts, &s->part_count, s, s->arena, &all));
  if (s->part_count > s->part_max)
    return ts_fail(TS_E_INPUT,
                   "has %zu separate parts, and %zu convex pieces at most are allowed: allow as "
                   "many or more, or give each part a shape of its own",
                   s->part_count, s->part_max);
  s->parts = ts_arena_array(s->arena, s->part_max, sizeof *s->parts);
  if (!s->parts)
    return TS_E_MEMORY;
  for (size_t i = 0; i < s->part_count; i++) {
    s->parts[i] = parts[i];
    s->volume_m3 += parts[i].volume_m3;
    TS_TRY(share_valleys(s, &s->parts[i], valleys, valley_count));
  }
  return TS_OK;
}

static ts_status split_all(splitter *s) {
  TS_TRY(start(s));
  for (size_t worst = worst_part(s); worst < s->part_count && s->work < s->work_max;
       worst = worst_part(s))
    TS_TRY(split(s, worst));
  return TS_OK;
}

static bool all_convex(const splitter *s) {
  bool all = true;
  for (size_t i = 0; i < s->part_count; i++)
    all = all && s->parts[i].is_convex;
  return all;
}

static double excess_m3(const splitter *s) {
  double sum = 0;
  for (size_t i = 0; i < s->part_count; i++)
    sum += s->parts[i].hull_m3 - s->parts[i].volume_m3;
  return sum;
}

// ---- merging ----------------------------------------------------------------------------------

/// Whether two parts are convex together, as `*out`.
static ts_status are_convex(bool *out_are, part *out, splitter *s, const part *a, const part *b) {
  ts_tet_set both = {a->tets.count + b->tets.count, NULL};
  both.tets = ts_arena_array(s->arena, both.count, sizeof *both.tets);
  if (!both.tets)
    return TS_E_MEMORY;
  memcpy(both.tets, a->tets.tets, a->tets.count * sizeof *both.tets);
  memcpy(both.tets + a->tets.count, b->tets.tets, b->tets.count * sizeof *both.tets);
  ts_exact_hull hull;
  ts_arena_mark mark = ts_arena_get_mark(s->scratch);
  TS_TRY(hull_of(&hull, s, s->scratch, &both));
  *out = (part){.tets = both,
                .volume_m3 = a->volume_m3 + b->volume_m3,
                .hull_m3 = hull_volume(s, &hull),
                .valley_count = a->valley_count + b->valley_count};
  ts_arena_rewind(s->scratch, mark);
  *out_are = out->hull_m3 - out->volume_m3 <= TS_SPLIT_EXACT_RELATIVE * out->volume_m3;
  if (!*out_are)
    return TS_OK;
  out->valleys = ts_arena_array(s->arena, out->valley_count, sizeof *out->valleys);
  if (!out->valleys)
    return TS_E_MEMORY;
  memcpy(out->valleys, a->valleys, a->valley_count * sizeof *out->valleys);
  memcpy(out->valleys + a->valley_count, b->valleys, b->valley_count * sizeof *out->valleys);
  TS_TRY(look_at(s, out));
  *out_are = out->is_convex;
  return TS_OK;
}

/// Joins parts that are convex together: planes that resolve one valley may cut what needs no cut.
static ts_status merge(splitter *s) {
  for (size_t i = 0; i < s->part_count; i++)
    for (size_t k = i + 1; s->parts[i].is_convex && k < s->part_count;) {
      ts_arena_mark mark = ts_arena_get_mark(s->arena);
      bool are_convex_together;
      part both;
      TS_TRY(are_convex(&are_convex_together, &both, s, &s->parts[i], &s->parts[k]));
      if (!are_convex_together) {
        ts_arena_rewind(s->arena, mark);
        k++;
        continue;
      }
      s->parts[i] = both;
      memmove(&s->parts[k], &s->parts[k + 1], (--s->part_count - k) * sizeof *s->parts);
      k = i + 1;
    }
  return TS_OK;
}

// ---- result -----------------------------------------------------------------------------------

static ts_status take_piece(ts_hull *out, ts_arena *arena, splitter *s, const part *p) {
  ts_arena_mark mark = ts_arena_get_mark(s->scratch);
  uint32_t *which;
  size_t count;
  TS_TRY(ts_tet_set_points(&which, &count, s->scratch, &s->points, &p->tets));
  ts_vec3 *points = ts_arena_array(s->scratch, count, sizeof *points);
  if (!points)
    return TS_E_MEMORY;
  for (size_t k = 0; k < count; k++)
    points[k] = s->points.at[which[k]];
  ts_status status = ts_hull_of_points(out, arena, points, count);
  ts_arena_rewind(s->scratch, mark);
  return status == TS_E_INPUT
             ? ts_fail(status, "a part of it is too thin for a convex piece: its points are in one "
                               "plane, up to rounding; give its pieces")
             : status;
}

static ts_status take(ts_convex_split *out, ts_arena *arena, splitter *s) {
  out->pieces = ts_arena_array(arena, s->part_count, sizeof *out->pieces);
  ts_hull *inexact = ts_arena_array(s->scratch, s->part_count, sizeof *inexact);
  size_t inexact_count = 0;
  if (!out->pieces || !inexact)
    return TS_E_MEMORY;
  for (size_t i = 0; i < s->part_count; i++) {
    TS_TRY(take_piece(&out->pieces[out->count++], arena, s, &s->parts[i]));
    if (!s->parts[i].is_convex)
      inexact[inexact_count++] = out->pieces[i];
  }
  out->is_exact = inexact_count == 0;
  if (out->is_exact)
    return TS_OK;
  out->error.volume_relative = excess_m3(s) / s->volume_m3;
  return ts_stand_out(&out->error.distance_m, s->scratch, s->solid, inexact, inexact_count,
                      TS_STAND_OUT_RELATIVE * s->extent_m);
}

static ts_status prepare(splitter *s, bool cuts_across, size_t work_max) {
  s->part_count = s->work = 0;
  s->volume_m3 = 0;
  s->cuts_across = cuts_across;
  s->work_max = work_max;
  s->points = (ts_tet_points){.arena = s->arena, .count = s->solid->vertex_count};
  TS_TRY(TS_ARENA_GROW(s->points.at, s->points.capacity, 0, s->points.count, s->arena));
  memcpy(s->points.at, s->solid->vertices, s->points.count * sizeof *s->points.at);
  return split_all(s);
}

/// First by planes of faces alone: what they fill exactly takes no other ones.
static ts_status find(ts_convex_split *out, ts_arena *arena, splitter *s) {
  ts_aabb box = ts_mesh_bounds(s->solid);
  ts_patches *patches;
  s->extent_m = ts_aabb_extent(box);
  s->on_m = TS_SPLIT_ON_RELATIVE * s->extent_m;
  TS_TRY(ts_patches_create_joined(&patches, s->arena, s->solid, 0.5 * s->on_m));
  s->patches = patches;
  TS_TRY(prepare(s, false, TS_SPLIT_WORK / 8));
  if (!all_convex(s))
    TS_TRY(prepare(s, true, TS_SPLIT_WORK));
  TS_TRY(merge(s));
  return take(out, arena, s);
}

ts_status ts_convex_split_mesh(ts_convex_split *out, ts_arena *arena, const ts_mesh *solid,
                               size_t count_max) {
  *out = (ts_convex_split){0};
  splitter s = {.solid = solid, .part_max = count_max};
  TS_TRY(ts_arena_create(&s.arena));
  ts_status status = ts_arena_create(&s.scratch);
  if (status == TS_OK) {
    status = find(out, arena, &s);
    ts_arena_destroy(s.scratch);
  }
  ts_arena_destroy(s.arena);
  return status;
}
