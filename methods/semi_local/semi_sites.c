// SPDX-License-Identifier: MIT
#include "methods/semi_local/semi_sites.h"

#include "base/status.h"
#include "geometry/tolerances.h"
#include "methods/semi_local/semi_run_pairs.h"

#include <stdlib.h>

/// Adds the site of a corner where more patches meet than a neighbourhood has room for.
static ts_status add_crowded(ts_semi_site_list *list, const ts_semi_neighbourhood *n,
                             const ts_patch_corner *corner, const ts_semi_near_patch *near,
                             size_t count) {
  int body = n->own_body;
  const ts_semi_side *own = &list->pair->side[body], *other = &list->pair->side[1 - body];
  ts_vec3 *normals =
      ts_semi_scratch(list->pair->memory, corner->patch_count + count, sizeof *normals);
  if (!normals)
    return TS_E_MEMORY;
  ts_vec3 *of_other = normals + corner->patch_count;
  for (uint32_t i = 0; i < corner->patch_count; i++)
    normals[i] = own->normals[own->patches->patches_of_corners[corner->first_patch + i]];
  for (size_t i = 0; i < count; i++)
    of_other[i] = other->normals[near[i].patch];
  const ts_vec3 *of_body[2] = {body == 0 ? normals : of_other, body == 0 ? of_other : normals};
  const size_t counts[2] = {body == 0 ? corner->patch_count : count,
                            body == 0 ? count : corner->patch_count};
  return ts_semi_add_crowded(list, n, of_body, counts);
}

/// How far a point is from a body, of which `near` [count] are the patches near it; 0 inside.
static double distance_outside(const ts_semi_side *side, ts_vec3 p, const ts_semi_near_patch *near,
                               size_t count, double snap_m) {
  double distance = INFINITY;
  for (size_t i = 0; i < count; i++)
    distance = ts_min(distance, near[i].distance_m);
  // Beside a ridge a point may be behind one of its faces, but not behind both.
  for (size_t i = 0; i < count; i++)
    if (near[i].distance_m <= distance + snap_m &&
        ts_vec3_dot(side->normals[near[i].patch], p) > side->offsets_m[near[i].patch])
      return distance;
  return 0;
}

/// Adds the sites of one corner, with the patches near it, `near` [count].
static ts_status add_corner(ts_semi_site_list *list, int body, uint32_t corner_index,
                            double slack_m, const ts_semi_near_patch *near, size_t count) {
  const ts_semi_pair *pair = list->pair;
  const ts_semi_side *own = &pair->side[body];
  const ts_patch_corner *corner = &own->patches->corners[corner_index];
  ts_vec3 p = own->vertices[corner->vertex];
  ts_semi_neighbourhood n;
  n.surface[0].face_count = n.surface[1].face_count = 0;
  n.witness[0] = n.witness[1] = p;
  n.own_body = body;
  n.own = (ts_feature){TS_FEATURE_VERTEX, corner->vertex};
  n.slack_m = slack_m;
  n.beside_m = distance_outside(&pair->side[1 - body], p, near, count, pair->s.snap_m);
  for (uint32_t i = 0; i < corner->patch_count; i++) {
    uint32_t patch = own->patches->patches_of_corners[corner->first_patch + i];
    const ts_patch *about = &own->patches->patches[patch];
    ts_semi_neighbourhood_add(&n, pair, body, patch,
                              own->patches->triangles[about->first_triangle]);
  }
  for (size_t i = 0; i < count; i++)
    ts_semi_neighbourhood_add(&n, pair, 1 - body, near[i].patch, near[i].triangle);
  if (corner->patch_count > TS_LOCAL_FACES_MAX || count > TS_LOCAL_FACES_MAX)
    return add_crowded(list, &n, corner, near, count);
  ts_semi_neighbourhood_link(&n, pair, body);
  ts_semi_neighbourhood_link(&n, pair, 1 - body);
  return ts_semi_add_run_pairs(list, &n);
}

// Of bodies of few patches and without valleys, as boxes are, most corners that touch lie in a
// region, with no patch near them but those around it. Their sites would all be explained by that
// region: the patches of both bodies are one run each, and the region's are among them. So such
// corners are not looked at. What follows asks for more than that takes, so that rounding does not
// matter.

/// Whether these patches, by bits, are connected over edges.
static bool are_one_run(const uint64_t *beside, uint64_t patches) {
  uint64_t run = patches & (~patches + 1), next = run; // the first
  do {
    run = next;
    for (uint64_t left = run; left; left &= left - 1)
      next |= beside[__builtin_ctzll(left)] & patches;
  } while (next != run);
  return run == patches;
}

/// The patches of a body whose planes are no farther than that from a point, by bits.
static uint64_t planes_near(const ts_semi_side *side, ts_vec3 p, double distance_m) {
  uint64_t near = 0;
  for (uint32_t q = 0; q < side->patches->patch_count; q++)
    if (fabs(ts_vec3_dot(side->normals[q], p) - side->offsets_m[q]) <= distance_m)
      near |= UINT64_C(1) << q;
  return near;
}

/// Whether a corner lies in a region as above.
static bool is_in_region(const ts_semi_pair *pair, int body, uint32_t corner_index,
                         const ts_semi_region *region) {
  const ts_semi_side *own = &pair->side[body], *other = &pair->side[1 - body];
  const ts_patch_corner *corner = &own->patches->corners[corner_index];
  const uint64_t *beside = other->shape->beside;
  uint32_t patch = region->patches[1 - body];
  uint64_t around = 0;
  for (uint32_t i = 0; i < corner->patch_count; i++)
    around |= UINT64_C(1) << own->patches->patches_of_corners[corner->first_patch + i];
  if (!(around >> region->patches[body] & 1))
    return false;
  ts_vec3 p = own->vertices[corner->vertex];
  double flat_m = other->patches->flat_m, half_m = 0.5 * TS_SEMI_CORNER_SNAPS * pair->s.snap_m;
  double away_m = fabs(ts_vec3_dot(other->normals[patch], p) - other->offsets_m[patch]) + flat_m;
  double reach_m =
      ts_min(ts_max(pair->s.gap_m, pair->s.depth_m), own->shape->corner_reach_m[corner_index]);
  if (away_m > half_m || reach_m < 2 * half_m)
    return false;
  away_m += ts_semi_region_distance(region, p);
  if (away_m > half_m)
    return false;
  uint64_t near = planes_near(other, p, ts_semi_slack(pair, away_m) + half_m + flat_m);
  return !(near & ~(beside[patch] | UINT64_C(1) << patch)) &&
         __builtin_popcountll(near) <= TS_LOCAL_FACES_MAX &&
         corner->patch_count <= TS_LOCAL_FACES_MAX && are_one_run(own->shape->beside, around);
}

/// Which corners of a body [corner_count] lie in regions as above; NULL where that cannot be told.
static ts_status find_explained(bool **out, const ts_semi_site_list *list, int body) {
  const ts_semi_pair *pair = list->pair;
  const ts_semi_regions *regions = list->regions;
  *out = NULL;
  if (regions->count == 0 || !pair->side[0].shape->beside || !pair->side[1].shape->beside)
    return TS_OK;
  size_t corner_count = pair->side[body].patches->corner_count;
  bool *is_explained = ts_semi_scratch(pair->memory, corner_count, sizeof *is_explained);
  if (!is_explained)
    return TS_E_MEMORY;
  for (uint32_t c = 0; c < corner_count; c++)
    for (size_t r = 0; r < regions->count && !is_explained[c]; r++)
      is_explained[c] = is_in_region(pair, body, c, &regions->regions[r]);
  *out = is_explained;
  return TS_OK;
}

/// Adds the sites of the corners of a body.
static ts_status find_corners(ts_semi_site_list *list, int body, const ts_semi_close_pairs *close) {
  ts_semi_corner_search search;
  bool *is_explained;
  TS_TRY(find_explained(&is_explained, list, body));
  TS_TRY(ts_semi_corner_search_create(&search, list->pair, body, close, is_explained));
  for (uint32_t c = 0; c < search.own->patches->corner_count; c++) {
    if (!search.last[c]) // as most
      continue;
    double slack_m;
    size_t count;
    TS_TRY(ts_semi_find_near(&count, &slack_m, &search, c));
    if (count)
      TS_TRY(add_corner(list, body, c, slack_m, search.near, count));
  }
  return TS_OK;
}

static void add_ridge(ts_semi_neighbourhood *n, const ts_semi_pair *pair, int body,
                      const ts_patch_edge *edge) {
  const ts_patches *patches = pair->side[body].patches;
  n->surface[body].face_count = 0;
  for (int i = 0; i < 2; i++)
    ts_semi_neighbourhood_add(
        n, pair, body, edge->patches[i],
        patches->triangles[patches->patches[edge->patches[i]].first_triangle]);
  n->surface[body].convex_with[0] = 2;
  n->surface[body].convex_with[1] = 1;
}

/// Whether a point of a ridge is at least `inside_m` from both ends.
static bool is_inside(const ts_vec3 ends[2], ts_vec3 p, double inside_m) {
  ts_vec3 along = ts_vec3_unit(ts_vec3_sub(ends[1], ends[0]));
  return ts_vec3_dot(along, ts_vec3_sub(p, ends[0])) >= inside_m &&
         ts_vec3_dot(along, ts_vec3_sub(ends[1], p)) >= inside_m;
}

/// Where two ridges meet, one of each body.
typedef struct ridge_meeting {
  uint32_t ridges[2];
  ts_vec3 witness[2]; ///< on each
  double slack_m;
} ridge_meeting;

typedef struct meeting_list {
  ridge_meeting *meetings;
  size_t count, capacity;
} meeting_list;

static int compare_meetings(const void *left, const void *right) {
  const ridge_meeting *l = left, *r = right;
  int i = l->ridges[0] == r->ridges[0];
  return (l->ridges[i] > r->ridges[i]) - (l->ridges[i] < r->ridges[i]);
}

/// Whether the arcs of normals of two ridges are farther from being opposite than those that keep
/// bodies apart: most pairs on surfaces that cut through each other.
static bool arcs_are_apart(const ts_semi_pair *pair, const uint32_t ridges[2]) {
  ts_vec3 sum[2];
  const ts_semi_arc *arc[2];
  for (int i = 0; i < 2; i++) {
    const ts_semi_side *side = &pair->side[i];
    const uint32_t *patches = side->patches->edges[ridges[i]].patches;
    sum[i] = ts_vec3_add(side->normals[patches[0]], side->normals[patches[1]]);
    arc[i] = &side->shape->arcs[ridges[i]];
  }
  double cosine_of_both = arc[0]->cosine * arc[1]->cosine - arc[0]->sine * arc[1]->sine;
  double sine_of_both = arc[0]->sine * arc[1]->cosine + arc[0]->cosine * arc[1]->sine;
  double cosine_of_all =
      cosine_of_both * pair->opposite.cosine - sine_of_both * pair->opposite.sine;
  double sine_of_all = sine_of_both * pair->opposite.cosine + cosine_of_both * pair->opposite.sine;
  return sine_of_all > 0 &&
         -ts_vec3_dot(sum[0], sum[1]) < 4 * arc[0]->cosine * arc[1]->cosine * cosine_of_all;
}

/// A ridge in the frame.
typedef struct seen_ridge {
  uint32_t ridge;
  ts_vec3 ends[2];
  ts_aabb box; ///< around them
} seen_ridge;

#define NO_BLOCK UINT32_MAX

/// The ridges of a block, those of a triangle one after the other.
typedef struct seen_ridges {
  uint32_t block;                        ///< NO_BLOCK: none yet
  uint32_t first[TS_BOX_BLOCK_MOST + 1]; ///< of each triangle, up to the next one's
  seen_ridge ridges[3 * TS_BOX_BLOCK_MOST];
} seen_ridges;

typedef struct ridge_search {
  const ts_semi_pair *pair;
  double reach_m;      ///< Ridges that come this close may meet.
  seen_ridges seen[2]; ///< of each body, of the last block: mostly the next pair has one of them
} ridge_search;

/// The ridges of a block of a body, unless they are in `out` already; their boxes are inflated.
static void see_ridges(seen_ridges *out, const ts_semi_side *side, uint32_t block,
                       double inflate_m) {
  if (out->block == block)
    return;
  out->block = block;
  const ts_semi_listed *blocks = &side->shape->blocks, *ridges = &side->shape->ridges;
  uint32_t first = blocks->first[block], count = 0, places = blocks->first[block + 1] - first;
  for (uint32_t i = 0; i < places; i++) {
    uint32_t t = blocks->items[first + i];
    out->first[i] = count;
    for (uint32_t k = ridges->first[t]; k < ridges->first[t + 1]; k++) {
      seen_ridge *at = &out->ridges[count++];
      at->ridge = ridges->items[k];
      for (int end = 0; end < 2; end++)
        at->ends[end] = side->vertices[side->patches->edges[at->ridge].vertices[end]];
      at->box =
          ts_aabb_inflate(ts_aabb_add((ts_aabb){at->ends[0], at->ends[0]}, at->ends[1]), inflate_m);
    }
  }
  for (uint32_t i = places; i <= TS_BOX_BLOCK_MOST; i++)
    out->first[i] = count;
}

/// Where two ridges whose boxes overlap meet between their ends. False when they do not.
static bool meet(ridge_meeting *out, const ridge_search *search, const seen_ridge *a,
                 const seen_ridge *b) {
  const ts_semi_pair *pair = search->pair;
  ts_vec3 *witness = out->witness;
  out->ridges[0] = a->ridge;
  out->ridges[1] = b->ridge;
  if (arcs_are_apart(pair, out->ridges) ||
      !ts_semi_closest_of_lines(&witness[0], &witness[1], a->ends, b->ends, pair->s.snap_m))
    return false;
  double distance = ts_vec3_distance(witness[0], witness[1]);
  out->slack_m = ts_semi_slack(pair, distance);
  return distance <= search->reach_m && is_inside(a->ends, witness[0], out->slack_m) &&
         is_inside(b->ends, witness[1], out->slack_m);
}

/// Adds where ridges of close triangles of two blocks meet.
static ts_status add_meetings(meeting_list *list, ridge_search *search,
                              const ts_semi_close_pairs *close, size_t blocks) {
  const ts_semi_pair *pair = search->pair;
  const uint32_t *met = close->blocks[blocks].met;
  seen_ridges *of_0 = &search->seen[0], *of_1 = &search->seen[1];
  // Witnesses are inside of both by more than a snap length, and rounding is less than that.
  see_ridges(of_0, &pair->side[0], close->met[0][met[0]], search->reach_m + pair->s.snap_m);
  see_ridges(of_1, &pair->side[1], close->met[1][met[1]], 0);
  for (uint64_t left = close->blocks[blocks].close; left; left &= left - 1) {
    int bit = __builtin_ctzll(left), i = bit / TS_BOX_BLOCK_MOST, j = bit % TS_BOX_BLOCK_MOST;
    for (uint32_t k = of_0->first[i]; k < of_0->first[i + 1]; k++)
      for (uint32_t l = of_1->first[j]; l < of_1->first[j + 1]; l++) {
        const seen_ridge *a = &of_0->ridges[k], *b = &of_1->ridges[l];
        ridge_meeting here;
        if (!ts_aabb_overlap(a->box, b->box) || !meet(&here, search, a, b))
          continue;
        TS_TRY(TS_SEMI_GROW(list->meetings, list->capacity, list->count, pair->memory));
        list->meetings[list->count++] = here;
      }
  }
  return TS_OK;
}

/// Lists where ridges of close triangles meet, sorted.
static ts_status list_meetings(meeting_list *out, const ts_semi_pair *pair,
                               const ts_semi_close_pairs *close) {
  ridge_search search;
  search.pair = pair;
  search.reach_m = ts_max(pair->s.gap_m, pair->s.depth_m);
  search.seen[0].block = search.seen[1].block = NO_BLOCK;
  *out = (meeting_list){.count = 0};
  for (size_t i = 0; i < close->block_count; i++)
    if (close->blocks[i].may_face)
      TS_TRY(add_meetings(out, &search, close, i));
  if (out->count > 1)
    qsort(out->meetings, out->count, sizeof *out->meetings, compare_meetings);
  return TS_OK;
}

/// Adds the sites of ridges that pass each other.
static ts_status find_ridges(ts_semi_site_list *list, const ts_semi_close_pairs *close) {
  meeting_list found;
  TS_TRY(list_meetings(&found, list->pair, close));
  for (size_t k = 0; k < found.count; k++) {
    const ridge_meeting *at = &found.meetings[k];
    ts_semi_neighbourhood n;
    n.witness[0] = at->witness[0];
    n.witness[1] = at->witness[1];
    n.slack_m = at->slack_m;
    n.own_body = -1;
    n.beside_m = 0;
    n.own = (ts_feature){TS_FEATURE_NONE, 0};
    for (int i = 0; i < 2; i++)
      add_ridge(&n, list->pair, i, &list->pair->side[i].patches->edges[at->ridges[i]]);
    TS_TRY(ts_semi_add_run_pairs(list, &n));
  }
  return TS_OK;
}

ts_status ts_semi_find_sites(ts_semi_sites *out, const ts_semi_pair *pair,
                             const ts_semi_close_pairs *close, const ts_semi_regions *regions) {
  ts_semi_site_list list = {.pair = pair, .regions = regions};
  TS_TRY(find_corners(&list, 0, close));
  TS_TRY(find_corners(&list, 1, close));
  TS_TRY(find_ridges(&list, close));
  *out = (ts_semi_sites){list.count, list.sites, list.candidate_count, list.candidates};
  return TS_OK;
}
