// SPDX-License-Identifier: MIT
#include "cases/truth/way_out.h"

#include "base/array.h"
#include "base/status.h"
#include "geometry/convex/convex_separation.h"
#include "geometry/tolerances.h"

#include <math.h>
#include <stdlib.h>

/// Conditions that a translation can be made to meet one after the other. A shortest one is
/// determined by three; more are met where bodies fit into several corners at once.
enum { CONDITIONS_MAX = 12 };

/// Overlap up to which bodies that have been moved out have parted, over the tolerance of touch:
/// far below it, so that the places where they touch are found, and above rounding.
static const double PARTED_TOUCHES = 0.01;

/// Translations kept to see whether they are as short as the shortest.
enum { SOLUTIONS_MAX = 64 };

/// Number of pairs of pieces up to which all are looked at, and not only those that are near.
enum { FEW_PAIRS = 64 };

/// A pair of convex pieces, one of each body.
typedef struct piece_pair {
  ts_convex_pair bodies;
  size_t way_count;
  const ts_convex_way *ways; ///< within the search's limit, the longest gap first; NULL: not listed
  bool is_complete;
} piece_pair;

/// Translations t with normal . t >= depth.
typedef struct condition {
  ts_vec3 normal;
  double depth_m;
} condition;

typedef struct solution {
  ts_vec3 translation;
  double length_m;
  size_t count;
  condition of[CONDITIONS_MAX];
} solution;

typedef struct way_search {
  ts_arena *arena;
  double touch_m;
  size_t pair_count;
  piece_pair *pairs;
  double limit_m; ///< longer translations are not looked at
  size_t choices; ///< compared so far
  bool is_complete;
  size_t count;
  solution solutions[SOLUTIONS_MAX]; ///< the shortest is the first
} way_search;

static bool has_few_pairs(const ts_convex_pieces *a, const ts_convex_pieces *b) {
  return a->count <= FEW_PAIRS && b->count <= FEW_PAIRS / a->count;
}

// ---- pieces -----------------------------------------------------------------------------------

ts_status ts_convex_pieces_create(ts_convex_pieces *out, ts_arena *arena, const ts_shape *shape,
                                  const ts_bvh *triangles) {
  bool is_convex = ts_shape_is_convex(shape);
  bool are_approximate = !is_convex && shape->pieces_kind == TS_PIECES_APPROXIMATE;
  size_t count = is_convex ? 1 : are_approximate ? 0 : shape->piece_count;
  ts_surface *surfaces = ts_arena_array(arena, count, sizeof *surfaces);
  ts_aabb *boxes = ts_arena_array(arena, count, sizeof *boxes);
  if (!surfaces || !boxes)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++) {
    surfaces[i] =
        (ts_surface){is_convex ? shape->mesh : shape->pieces[i], is_convex ? triangles : NULL};
    boxes[i] = ts_mesh_bounds(surfaces[i].mesh);
  }
  *out = (ts_convex_pieces){shape->name, count, are_approximate, arena, surfaces, NULL};
  ts_bvh *bvh;
  TS_TRY(ts_bvh_create(&bvh, arena, boxes, count));
  out->boxes = bvh;
  return TS_OK;
}

/// The pieces of both bodies, and those of their vertices that have been placed.
typedef struct placing {
  way_search *s;
  const ts_convex_pieces *pieces[2];
  ts_pose to_frame[2];
  const ts_vec3 **vertices[2]; ///< [count of each] NULL: not yet
  size_t capacity;
} placing;

static ts_status place_piece(placing *p, int side, uint32_t piece) {
  if (p->vertices[side][piece])
    return TS_OK;
  ts_surface *surface = &p->pieces[side]->surfaces[piece];
  const ts_mesh *mesh = surface->mesh;
  ts_vec3 *vertices = ts_arena_array(p->s->arena, mesh->vertex_count, sizeof *vertices);
  if (!vertices)
    return TS_E_MEMORY;
  for (size_t v = 0; v < mesh->vertex_count; v++)
    vertices[v] = ts_pose_point(p->to_frame[side], mesh->vertices[v]);
  p->vertices[side][piece] = vertices;
  if (surface->bvh)
    return TS_OK;
  ts_bvh *triangles;
  TS_TRY(ts_bvh_create_for_mesh(&triangles, p->pieces[side]->arena, mesh));
  surface->bvh = triangles;
  return TS_OK;
}

static ts_status pair_pieces(void *context, uint32_t piece_a, uint32_t piece_b) {
  placing *p = context;
  way_search *s = p->s;
  TS_TRY(place_piece(p, 0, piece_a));
  TS_TRY(place_piece(p, 1, piece_b));
  TS_TRY(TS_ARENA_GROW(s->pairs, p->capacity, s->pair_count, 1, s->arena));
  s->pairs[s->pair_count++] = (piece_pair){
      .bodies = {.body = {p->pieces[0]->surfaces[piece_a], p->pieces[1]->surfaces[piece_b]},
                 .vertices = {p->vertices[0][piece_a], p->vertices[1][piece_b]},
                 .other_to_frame = p->to_frame[1],
                 .slack_m = s->touch_m}};
  return TS_OK;
}

/// The pairs of pieces that a translation of up to `within_m` can bring together: all of them,
/// where these are few.
static ts_status find_pairs(way_search *s, const ts_convex_pieces *a, const ts_convex_pieces *b,
                            ts_pose b_to_a, double within_m) {
  placing p = {.s = s, .pieces = {a, b}, .to_frame = {ts_pose_identity(), b_to_a}};
  for (int side = 0; side < 2; side++) {
    p.vertices[side] = ts_arena_array(s->arena, p.pieces[side]->count, sizeof(ts_vec3 *));
    if (!p.vertices[side])
      return TS_E_MEMORY;
  }
  if (!has_few_pairs(a, b))
    return ts_bvh_tandem(a->boxes, b->boxes, b_to_a, within_m, pair_pieces, &p);
  for (uint32_t i = 0; i < a->count; i++)
    for (uint32_t k = 0; k < b->count; k++)
      TS_TRY(pair_pieces(&p, i, k));
  return TS_OK;
}

// ---- translations -----------------------------------------------------------------------------

/// How far the pieces of a pair overlap once b has been moved, along the way that is the shortest
/// then; 0 where they have parted.
static ts_status overlap_after(double *out_m, way_search *s, const piece_pair *pair,
                               ts_vec3 translation) {
  ts_arena_mark mark = ts_arena_get_mark(s->arena);
  ts_convex_pair moved = pair->bodies;
  size_t count = moved.body[1].mesh->vertex_count;
  ts_vec3 *vertices = ts_arena_array(s->arena, count, sizeof *vertices);
  if (!vertices)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++)
    vertices[i] = ts_vec3_add(moved.vertices[1][i], translation);
  moved.vertices[1] = vertices;
  moved.other_to_frame.translation = ts_vec3_add(moved.other_to_frame.translation, translation);
  ts_convex_way way;
  bool is_largest;
  double parted_m = PARTED_TOUCHES * s->touch_m;
  TS_TRY(ts_convex_separate(&way, &is_largest, &moved, NULL, 0, parted_m));
  *out_m = way.gap_m < -parted_m ? -way.gap_m : 0;
  ts_arena_rewind(s->arena, mark);
  return TS_OK;
}

/// The deepest pair once b has been moved; NULL: all have parted.
static ts_status deepest_after(piece_pair **out, double *out_m, way_search *s,
                               ts_vec3 translation) {
  *out = NULL;
  *out_m = 0;
  for (size_t i = 0; i < s->pair_count; i++) {
    double overlap_m;
    TS_TRY(overlap_after(&overlap_m, s, &s->pairs[i], translation));
    if (overlap_m > *out_m) {
      *out_m = overlap_m;
      *out = &s->pairs[i];
    }
  }
  return TS_OK;
}

static bool meets(ts_vec3 translation, const condition *c, double within_m) {
  return ts_vec3_dot(c->normal, translation) >= c->depth_m - within_m;
}

/// The point closest to the origin of the planes of 1 to 3 conditions; false where they have none.
static bool closest_of(ts_vec3 *out, const condition *const *of, int count) {
  ts_vec3 n0 = of[0]->normal;
  if (count == 1) {
    *out = ts_vec3_scale(n0, of[0]->depth_m);
    return true;
  }
  ts_vec3 n1 = of[1]->normal, across = ts_vec3_cross(n0, n1);
  double square = ts_vec3_norm2(across);
  if (count == 3) {
    double volume = ts_vec3_dot(of[2]->normal, across);
    if (!(fabs(volume) > TS_PARALLEL_SINE))
      return false;
    ts_vec3 sum = ts_vec3_scale(ts_vec3_cross(n1, of[2]->normal), of[0]->depth_m);
    sum = ts_vec3_add_scaled(sum, of[1]->depth_m, ts_vec3_cross(of[2]->normal, n0));
    sum = ts_vec3_add_scaled(sum, of[2]->depth_m, across);
    *out = ts_vec3_scale(sum, 1 / volume);
    return true;
  }
  if (!(square > TS_PARALLEL_SINE * TS_PARALLEL_SINE))
    return false;
  ts_vec3 sum = ts_vec3_scale(ts_vec3_cross(n1, across), of[0]->depth_m);
  sum = ts_vec3_add_scaled(sum, of[1]->depth_m, ts_vec3_cross(across, n0));
  *out = ts_vec3_scale(sum, 1 / square);
  return true;
}

/// Takes a translation that meets all conditions and is shorter.
static void take_if_shorter(solution *s, bool *found, const condition *const *of, int count,
                            double rounding_m) {
  ts_vec3 t;
  if (!closest_of(&t, of, count) || (*found && ts_vec3_norm(t) >= s->length_m))
    return;
  for (size_t i = 0; i < s->count; i++)
    if (!meets(t, &s->of[i], rounding_m))
      return;
  *found = true;
  s->translation = t;
  s->length_m = ts_vec3_norm(t);
}

/// The shortest translation that meets the conditions of `s`: it is on the planes of one, two or
/// three of them. False where there is none.
static bool shorten(solution *s, double rounding_m) {
  bool found = false;
  for (size_t i = 0; i < s->count; i++) {
    take_if_shorter(s, &found, (const condition *[]){&s->of[i]}, 1, rounding_m);
    for (size_t k = i + 1; k < s->count; k++) {
      take_if_shorter(s, &found, (const condition *[]){&s->of[i], &s->of[k]}, 2, rounding_m);
      for (size_t l = k + 1; l < s->count; l++)
        take_if_shorter(s, &found, (const condition *[]){&s->of[i], &s->of[k], &s->of[l]}, 3,
                        rounding_m);
    }
  }
  return found;
}

// ---- choices ----------------------------------------------------------------------------------

static int compare_ways(const void *left, const void *right) {
  const ts_convex_way *l = left, *r = right;
  const double by[4][2] = {{-l->gap_m, -r->gap_m},
                           {l->normal.x, r->normal.x},
                           {l->normal.y, r->normal.y},
                           {l->normal.z, r->normal.z}};
  for (int i = 0; i < 4; i++)
    if (by[i][0] != by[i][1])
      return by[i][0] < by[i][1] ? -1 : 1;
  return 0;
}

static ts_status list_ways(way_search *s, piece_pair *pair) {
  ts_convex_way *ways = ts_arena_array(s->arena, TS_WAY_OUT_WAYS, sizeof *ways);
  if (!ways)
    return TS_E_MEMORY;
  TS_TRY(ts_convex_list_ways(ways, &pair->way_count, &pair->is_complete, TS_WAY_OUT_WAYS,
                             &pair->bodies, s->limit_m + s->touch_m));
  if (pair->way_count > 1)
    qsort(ways, pair->way_count, sizeof *ways, compare_ways);
  pair->ways = ways;
  return TS_OK;
}

/// How long a translation may be that is still of interest.
static double longest_m(const way_search *s) {
  return (s->count > 0 ? s->solutions[0].length_m : s->limit_m) + s->touch_m;
}

/// Keeps a translation, the shortest first, unless it is one that is kept already.
static void add_solution(way_search *s, const solution *found) {
  for (size_t i = 0; i < s->count; i++)
    if (ts_vec3_distance(s->solutions[i].translation, found->translation) <= 0.1 * s->touch_m)
      return;
  s->is_complete &= s->count < SOLUTIONS_MAX;
  if (!s->is_complete)
    return;
  s->solutions[s->count++] = *found;
  if (found->length_m < s->solutions[0].length_m) {
    s->solutions[s->count - 1] = s->solutions[0];
    s->solutions[0] = *found;
  }
}

/// Goes on from a translation: the deepest pair that is left has to part in one of its directions.
static ts_status extend(way_search *s, const solution *from) {
  piece_pair *pair;
  double overlap_m;
  TS_TRY(deepest_after(&pair, &overlap_m, s, from->translation));
  if (!pair) {
    add_solution(s, from);
    return TS_OK;
  }
  if (!pair->ways)
    TS_TRY(list_ways(s, pair));
  s->is_complete &= pair->is_complete && from->count < CONDITIONS_MAX;
  for (size_t i = 0; i < pair->way_count && from->count < CONDITIONS_MAX && s->is_complete; i++) {
    s->is_complete &= ++s->choices <= TS_WAY_OUT_CHOICES;
    solution next = *from;
    next.of[next.count++] = (condition){pair->ways[i].normal, -pair->ways[i].gap_m};
    if (shorten(&next, 0.1 * s->touch_m) && next.length_m <= longest_m(s))
      TS_TRY(extend(s, &next));
  }
  return TS_OK;
}

/// The shortest way out is as long as that of the deepest pair, or longer, and no longer than it
/// takes to part all pairs straight along the way out of one of them.
static ts_status find_bounds(double *out_least_m, double *out_most_m, way_search *s) {
  *out_least_m = 0;
  *out_most_m = INFINITY;
  for (size_t i = 0; i < s->pair_count; i++) {
    ts_convex_way way;
    bool is_largest;
    TS_TRY(ts_convex_separate(&way, &is_largest, &s->pairs[i].bodies, NULL, 0, s->touch_m));
    if (!(way.gap_m < -s->touch_m))
      continue;
    double needed_m = 0;
    for (size_t k = 0; k < s->pair_count; k++)
      needed_m = fmax(needed_m, -ts_convex_gap_along(&s->pairs[k].bodies, way.normal));
    *out_most_m = fmin(*out_most_m, needed_m);
    if (is_largest)
      *out_least_m = fmax(*out_least_m, -way.gap_m);
    else
      s->is_complete = false;
  }
  return TS_OK;
}

/// Whether a solution is another one than the best: it goes elsewhere, and parts some pair in a
/// direction in which the best does not.
static bool is_other(const way_search *s, const solution *other) {
  const solution *best = &s->solutions[0];
  double cosine = ts_vec3_dot(ts_vec3_unit(best->translation), ts_vec3_unit(other->translation));
  if (1 - cosine <= TS_NORMAL_TOLERANCE)
    return false;
  for (size_t i = 0; i < other->count; i++)
    if (!meets(best->translation, &other->of[i], s->touch_m))
      return true;
  return false;
}

static ts_status check_unique(const way_search *s) {
  ts_vec3 t = s->solutions[0].translation;
  for (size_t i = 1; i < s->count; i++) {
    ts_vec3 other = s->solutions[i].translation;
    if (s->solutions[i].length_m <= longest_m(s) && is_other(s, &s->solutions[i]))
      return ts_fail(TS_SKIPPED,
                     "two ways out are equally short, (%.4g, %.4g, %.4g) and (%.4g, %.4g, %.4g) m "
                     "in the frame of the first: which one is right is not defined",
                     t.x, t.y, t.z, other.x, other.y, other.z);
  }
  return TS_OK;
}

static ts_status search_ways(ts_vec3 *out, way_search *s) {
  double least_m, most_m;
  TS_TRY(find_bounds(&least_m, &most_m, s));
  *out = ts_vec3_make(0, 0, 0);
  if (!isfinite(most_m))
    return TS_OK;
  static const solution stay = {.count = 0};
  bool is_last = false;
  for (double limit_m = least_m; s->is_complete && s->count == 0 && !is_last; limit_m *= 2) {
    is_last = limit_m >= most_m;
    s->limit_m = fmin(limit_m, most_m);
    for (size_t i = 0; i < s->pair_count; i++)
      s->pairs[i].ways = NULL;
    TS_TRY(extend(s, &stay));
  }
  if (!s->is_complete || s->count == 0)
    return ts_fail(TS_SKIPPED, "there are too many ways out to compare");
  TS_TRY(check_unique(s));
  *out = s->solutions[0].translation;
  return TS_OK;
}

/// The way out of the pairs of pieces that a way of up to `within_m` can bring together.
static ts_status find_within(ts_vec3 *out, const ts_convex_pieces *a, const ts_convex_pieces *b,
                             ts_pose b_to_a, double touch_m, double within_m) {
  way_search *s = calloc(1, sizeof *s);
  if (!s)
    return ts_fail(TS_E_MEMORY, "out of memory");
  s->touch_m = touch_m;
  s->is_complete = true;
  ts_status status = ts_arena_create(&s->arena);
  if (status == TS_OK)
    status = find_pairs(s, a, b, b_to_a, within_m);
  if (status == TS_OK)
    status = search_ways(out, s);
  if (s->arena)
    ts_arena_destroy(s->arena);
  free(s);
  return status;
}

ts_status ts_find_way_out(ts_vec3 *out, const ts_convex_pieces *a, const ts_convex_pieces *b,
                          ts_pose b_to_a, double touch_m) {
  if (a->count == 0 || b->count == 0) {
    const ts_convex_pieces *lacking = a->count == 0 ? a : b;
    return ts_fail(TS_E_UNSUPPORTED,
                   "the way out is known for convex bodies and for those with convex pieces, and "
                   "%s %s",
                   lacking->name,
                   lacking->are_approximate
                       ? "has approximate ones only: give pieces that fill it"
                       : "is neither: give its pieces, or \"pieces\": \"auto\"");
  }
  // More pairs only make the way longer: it is the shortest of all when it brings no others near.
  double within_m = touch_m;
  for (;;) {
    TS_TRY(find_within(out, a, b, b_to_a, touch_m, within_m));
    double needed_m = ts_vec3_norm(*out) + touch_m;
    if (needed_m <= within_m || has_few_pairs(a, b))
      return TS_OK;
    within_m = 1.5 * needed_m;
  }
}

// ---- of regions -------------------------------------------------------------------------------

/// The condition that a normal of a region makes; false when there is no room.
static bool add_condition(solution *s, const ts_feasible *feasible) {
  condition c = {feasible->normal, -feasible->gap_m};
  for (size_t i = 0; i < s->count; i++)
    if (ts_vec3_distance(s->of[i].normal, c.normal) <= TS_PARALLEL_SINE) {
      s->of[i].depth_m = fmax(s->of[i].depth_m, c.depth_m);
      return true;
    }
  if (s->count == CONDITIONS_MAX)
    return false;
  s->of[s->count++] = c;
  return true;
}

/// Of any that is right, that along which the bodies are apart, or overlap least.
static const ts_feasible *largest_gap(const ts_feasible_set *set) {
  const ts_feasible *largest = &set->normals[0];
  for (size_t i = 1; i < set->count; i++)
    if (set->normals[i].gap_m > largest->gap_m)
      largest = &set->normals[i];
  return largest;
}

ts_vec3 ts_way_out_of_regions(const ts_region *regions, size_t count) {
  solution s = {.count = 0};
  double deepest_m = 0;
  bool is_complete = true;
  for (size_t r = 0; r < count; r++) {
    const ts_feasible_set *set = &regions[r].feasible[TS_REFERENCE_FEASIBLE];
    const ts_feasible *first = regions[r].needs_all ? set->normals : largest_gap(set);
    size_t asked = regions[r].needs_all ? set->count : 1;
    for (size_t i = 0; i < asked; i++) {
      deepest_m = fmax(deepest_m, -first[i].gap_m);
      is_complete &= !(first[i].gap_m < 0) || add_condition(&s, &first[i]);
    }
  }
  bool is_found = is_complete && s.count > 0 && shorten(&s, TS_PARALLEL_SINE * deepest_m);
  return is_found ? s.translation : ts_vec3_make(0, 0, 0);
}
