// SPDX-License-Identifier: MIT
#include "geometry/mesh/patches.h"

#include "base/key_sort.h"
#include "base/status.h"
#include "geometry/tolerances.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

/// What is filled while the patches are found; the arrays that the result keeps, not const yet.
typedef struct builder {
  ts_arena *arena;
  const ts_mesh *mesh;
  double flat_m;
  bool joins; ///< patches that lie in the plane of a larger one beside them
  uint32_t *patch_of;
  ts_patch *patches;
  size_t patch_count;
  ts_patch_edge *edges;
  size_t edge_count;
  uint32_t *next_at;   ///< [vertex_count] the border half-edge that goes on from a vertex
  uint8_t *ends_edge;  ///< [vertex_count] an edge ends here
  uint32_t *corner_of; ///< [vertex_count]
  ts_patch_corner *corners;
  size_t corner_count;
} builder;

static uint32_t next_corner(uint32_t half_edge) {
  return half_edge % 3 == 2 ? half_edge - 2 : half_edge + 1;
}

static uint32_t start_vertex(const ts_mesh *mesh, uint32_t half_edge) {
  return mesh->triangles[half_edge / 3][half_edge % 3];
}

static uint32_t end_vertex(const ts_mesh *mesh, uint32_t half_edge) {
  return start_vertex(mesh, next_corner(half_edge));
}

/// Twice the area along the normal.
static ts_vec3 area_vector(const ts_mesh *mesh, uint32_t t) {
  ts_vec3 a = mesh->vertices[mesh->triangles[t][0]];
  return ts_vec3_cross(ts_vec3_sub(mesh->vertices[mesh->triangles[t][1]], a),
                       ts_vec3_sub(mesh->vertices[mesh->triangles[t][2]], a));
}

/// A patch, to be sorted by falling area.
typedef struct seed {
  double area;
  uint32_t index;
} seed;

static int compare_seeds(const void *left, const void *right) {
  const seed *l = left, *r = right;
  if (l->area != r->area)
    return l->area > r->area ? -1 : 1;
  return (l->index > r->index) - (l->index < r->index);
}

/// Falls as the area, which is not negative, grows: sorts as compare_seeds() does what is in the
/// order of the indices.
static uint64_t key_of(double area) {
  uint64_t bits;
  memcpy(&bits, &area, sizeof bits);
  return ~bits;
}

static bool joins(const builder *b, uint32_t triangle, ts_vec3 normal, ts_vec3 base) {
  const uint32_t *corners = b->mesh->triangles[triangle];
  for (int i = 0; i < 3; i++) {
    ts_vec3 from_seed = ts_vec3_sub(b->mesh->vertices[corners[i]], base);
    if (fabs(ts_vec3_dot(normal, from_seed)) > b->flat_m)
      return false;
  }
  return ts_vec3_dot(ts_vec3_unit(area_vector(b->mesh, triangle)), normal) > TS_PATCH_FOLD_COSINE;
}

/// Gives all triangles that the seed reaches to its patch; `stack` holds triangle_count.
static void flood(builder *b, uint32_t seed_triangle, uint32_t *stack) {
  const ts_mesh *mesh = b->mesh;
  uint32_t patch = (uint32_t)b->patch_count++;
  ts_vec3 normal = ts_vec3_unit(area_vector(mesh, seed_triangle));
  ts_vec3 base = mesh->vertices[mesh->triangles[seed_triangle][0]];
  size_t waiting = 0;
  stack[waiting++] = seed_triangle;
  b->patch_of[seed_triangle] = patch;
  while (waiting) {
    uint32_t t = stack[--waiting];
    b->patches[patch].triangle_count++;
    for (uint32_t h = 3 * t; h < 3 * t + 3; h++) {
      uint32_t beside = mesh->edge_twin[h] / 3;
      if (b->patch_of[beside] != NONE || !joins(b, beside, normal, base))
        continue;
      b->patch_of[beside] = patch;
      stack[waiting++] = beside;
    }
  }
}

static ts_status find_patches(builder *b) {
  size_t count = b->mesh->triangle_count;
  b->patch_of = ts_arena_array(b->arena, count, sizeof *b->patch_of);
  b->patches = ts_arena_array(b->arena, count, sizeof *b->patches);
  if (!b->patch_of || !b->patches)
    return TS_E_MEMORY;
  ts_arena_mark mark = ts_arena_get_mark(b->arena);
  ts_key *seeds = ts_arena_array(b->arena, count, sizeof *seeds);
  ts_key *other = ts_arena_array(b->arena, count, sizeof *other);
  uint32_t *stack = ts_arena_array(b->arena, count, sizeof *stack);
  if (!seeds || !other || !stack)
    return TS_E_MEMORY;
  for (uint32_t t = 0; t < count; t++) {
    seeds[t] = (ts_key){key_of(ts_vec3_norm2(area_vector(b->mesh, t))), t};
    b->patch_of[t] = NONE;
  }
  ts_keys_sort(seeds, other, count);
  for (size_t i = 0; i < count; i++)
    if (b->patch_of[seeds[i].index] == NONE)
      flood(b, seeds[i].index, stack);
  ts_arena_rewind(b->arena, mark);
  return TS_OK;
}

/// Lists the triangles by patch, into `triangles` [triangle_count], and works out the planes.
static void measure_patches(builder *b, uint32_t *triangles) {
  const ts_mesh *mesh = b->mesh;
  uint32_t first = 0;
  for (size_t p = 0; p < b->patch_count; p++) {
    b->patches[p].first_triangle = first;
    first += b->patches[p].triangle_count;
    b->patches[p].triangle_count = 0;
    b->patches[p].normal = ts_vec3_make(0, 0, 0);
  }
  for (uint32_t t = 0; t < mesh->triangle_count; t++) {
    ts_patch *patch = &b->patches[b->patch_of[t]];
    triangles[patch->first_triangle + patch->triangle_count++] = t;
    patch->normal = ts_vec3_add(patch->normal, area_vector(mesh, t));
  }
  for (size_t p = 0; p < b->patch_count; p++) {
    ts_patch *patch = &b->patches[p];
    patch->normal = ts_vec3_unit(patch->normal);
    double weight = 0, sum = 0;
    for (uint32_t i = 0; i < patch->triangle_count; i++) {
      uint32_t t = triangles[patch->first_triangle + i];
      double area = 0.5 * ts_vec3_norm(area_vector(mesh, t));
      ts_vec3 corners = ts_vec3_add(
          ts_vec3_add(mesh->vertices[mesh->triangles[t][0]], mesh->vertices[mesh->triangles[t][1]]),
          mesh->vertices[mesh->triangles[t][2]]);
      sum += area * ts_vec3_dot(patch->normal, corners) / 3;
      weight += area;
    }
    patch->area_m2 = weight;
    patch->offset_m = sum / weight;
  }
}

// ---- patches whose seeds noise has tilted -----------------------------------------------------

/// What is needed to join patches, for one round.
typedef struct joining {
  builder *b;
  uint32_t *triangles; ///< [triangle_count] of each patch
  uint32_t *into;      ///< [patch_count] the patch that it has become part of; itself
  uint32_t *asked_by;  ///< [patch_count] the last patch that it was compared with
  uint32_t *order;     ///< [patch_count] its number afterwards
  uint32_t *stack;     ///< [patch_count]
} joining;

static bool is_thin(const builder *b, uint32_t t) {
  const uint32_t *c = b->mesh->triangles[t];
  double longest_m = 0;
  for (int i = 0; i < 3; i++)
    longest_m = fmax(longest_m,
                     ts_vec3_distance(b->mesh->vertices[c[i]], b->mesh->vertices[c[(i + 1) % 3]]));
  return ts_vec3_norm(area_vector(b->mesh, t)) <= 2 * b->flat_m * longest_m;
}

/// Whether all of a patch is in the plane of another one and not folded against it. A sliver no
/// higher than the noise may be turned over by it.
static bool lies_in(const joining *j, const ts_patch *small, const ts_patch *large) {
  const builder *b = j->b;
  bool is_folded = ts_vec3_dot(small->normal, large->normal) <= TS_PATCH_FOLD_COSINE;
  // A plane through one of its points, so that nothing is lost far from the origin.
  const uint32_t *first = b->mesh->triangles[j->triangles[large->first_triangle]];
  ts_vec3 base = b->mesh->vertices[first[0]];
  double height_m = large->offset_m - ts_vec3_dot(large->normal, base);
  for (uint32_t i = 0; i < small->triangle_count; i++) {
    uint32_t t = j->triangles[small->first_triangle + i];
    if (is_folded && !is_thin(b, t))
      return false;
    for (int k = 0; k < 3; k++) {
      ts_vec3 from_base = ts_vec3_sub(b->mesh->vertices[b->mesh->triangles[t][k]], base);
      if (!(fabs(ts_vec3_dot(large->normal, from_base) - height_m) <= b->flat_m))
        return false;
    }
  }
  return true;
}

static bool is_larger(const builder *b, uint32_t one, uint32_t other) {
  const seed seeds[2] = {{b->patches[one].area_m2, one}, {b->patches[other].area_m2, other}};
  return compare_seeds(&seeds[0], &seeds[1]) < 0;
}

/// Takes in the smaller patches beside one that lie in its plane, and those beside them.
static bool take_in(joining *j, uint32_t large) {
  const builder *b = j->b;
  bool has_changed = false;
  size_t waiting = 0;
  j->stack[waiting++] = large;
  while (waiting) {
    const ts_patch *patch = &b->patches[j->stack[--waiting]];
    for (uint32_t h = 0; h < 3 * patch->triangle_count; h++) {
      uint32_t t = j->triangles[patch->first_triangle + h / 3];
      uint32_t beside = b->patch_of[b->mesh->edge_twin[3 * t + h % 3] / 3];
      if (j->into[beside] != beside || j->asked_by[beside] == large || !is_larger(b, large, beside))
        continue;
      j->asked_by[beside] = large;
      if (!lies_in(j, &b->patches[beside], &b->patches[large]))
        continue;
      j->into[beside] = large;
      j->stack[waiting++] = beside;
      has_changed = true;
    }
  }
  return has_changed;
}

/// Numbers the patches that are left, in their order.
static void renumber(joining *j) {
  builder *b = j->b;
  uint32_t count = 0;
  for (uint32_t p = 0; p < b->patch_count; p++)
    if (j->into[p] == p)
      j->order[p] = count++;
  for (uint32_t p = 0; p < count; p++)
    b->patches[p].triangle_count = 0;
  for (size_t t = 0; t < b->mesh->triangle_count; t++) {
    b->patch_of[t] = j->order[j->into[b->patch_of[t]]];
    b->patches[b->patch_of[t]].triangle_count++;
  }
  b->patch_count = count;
}

/// One round, with the planes of the patches before it.
static bool join_round(joining *j, seed *by_area) {
  builder *b = j->b;
  bool has_changed = false;
  measure_patches(b, j->triangles);
  for (uint32_t p = 0; p < b->patch_count; p++) {
    by_area[p] = (seed){b->patches[p].area_m2, p};
    j->into[p] = p;
    j->asked_by[p] = NONE;
  }
  qsort(by_area, b->patch_count, sizeof *by_area, compare_seeds);
  for (size_t i = 0; i < b->patch_count; i++)
    if (j->into[by_area[i].index] == by_area[i].index)
      has_changed |= take_in(j, by_area[i].index);
  if (has_changed)
    renumber(j);
  return has_changed;
}

/// The plane of a patch is known better than that of its seed. What lies in it and was missed joins
/// it, until nothing does.
static ts_status join_patches(builder *b) {
  size_t count = b->patch_count;
  ts_arena_mark mark = ts_arena_get_mark(b->arena);
  joining j = {.b = b,
               .triangles = ts_arena_array(b->arena, b->mesh->triangle_count, sizeof *j.triangles),
               .into = ts_arena_array(b->arena, count, sizeof *j.into),
               .asked_by = ts_arena_array(b->arena, count, sizeof *j.asked_by),
               .order = ts_arena_array(b->arena, count, sizeof *j.order),
               .stack = ts_arena_array(b->arena, count, sizeof *j.stack)};
  seed *by_area = ts_arena_array(b->arena, count, sizeof *by_area);
  if (!j.triangles || !j.into || !j.asked_by || !j.order || !j.stack || !by_area)
    return TS_E_MEMORY;
  while (join_round(&j, by_area))
    ;
  ts_arena_rewind(b->arena, mark);
  return TS_OK;
}

static ts_status place_patches(ts_patches *out, builder *b) {
  if (b->joins)
    TS_TRY(join_patches(b));
  uint32_t *triangles = ts_arena_array(b->arena, b->mesh->triangle_count, sizeof *triangles);
  if (!triangles)
    return TS_E_MEMORY;
  measure_patches(b, triangles);
  out->triangles = triangles;
  return TS_OK;
}

static bool is_border(const builder *b, uint32_t h) {
  return b->patch_of[h / 3] != b->patch_of[b->mesh->edge_twin[h] / 3];
}

/// Each mesh edge on a border once: from the patch of lower index.
static bool starts_here(const builder *b, uint32_t h) {
  return b->patch_of[h / 3] < b->patch_of[b->mesh->edge_twin[h] / 3];
}

/// Where borders branch or end: at vertices that have not exactly two mesh edges on borders, or
/// two of different pairs of patches.
static ts_status find_branches(builder *b) {
  const ts_mesh *mesh = b->mesh;
  b->next_at = ts_arena_array(b->arena, mesh->vertex_count, sizeof *b->next_at);
  b->ends_edge = ts_arena_array(b->arena, mesh->vertex_count, sizeof *b->ends_edge);
  uint8_t *degree = ts_arena_array(b->arena, mesh->vertex_count, sizeof *degree);
  if (!b->next_at || !b->ends_edge || !degree)
    return TS_E_MEMORY;
  uint32_t half_edge_count = (uint32_t)(3 * mesh->triangle_count);
  for (uint32_t h = 0; h < half_edge_count; h++) {
    if (!is_border(b, h))
      continue;
    uint32_t v = start_vertex(mesh, h);
    if (degree[v] < 3)
      degree[v]++;
    if (starts_here(b, h))
      b->next_at[v] = h;
  }
  for (uint32_t h = 0; h < half_edge_count; h++) {
    if (!is_border(b, h) || !starts_here(b, h))
      continue;
    uint32_t from = start_vertex(mesh, h), v = end_vertex(mesh, h), next = b->next_at[v];
    b->ends_edge[from] |= degree[from] != 2;
    bool goes_on = degree[v] == 2 && start_vertex(mesh, next) == v && starts_here(b, next) &&
                   b->patch_of[next / 3] == b->patch_of[h / 3] &&
                   b->patch_of[mesh->edge_twin[next] / 3] == b->patch_of[mesh->edge_twin[h] / 3];
    b->ends_edge[v] |= !goes_on;
  }
  return TS_OK;
}

static double distance_from_chord(ts_vec3 p, ts_vec3 from, ts_vec3 to) {
  ts_vec3 along = ts_vec3_sub(to, from), away = ts_vec3_sub(p, from);
  double length2 = ts_vec3_norm2(along);
  double t = length2 > 0 ? ts_vec3_dot(away, along) / length2 : 0;
  t = t < 0 ? 0 : t > 1 ? 1 : t;
  return ts_vec3_norm(ts_vec3_add_scaled(away, -t, along));
}

/// Of the half-edges chain[first] to chain[last - 1], where the border bends most; `first` when
/// it bends by no more than the tolerance anywhere. A closed chain bends somewhere.
static size_t worst_bend(const builder *b, const uint32_t *chain, size_t first, size_t last) {
  const ts_mesh *mesh = b->mesh;
  ts_vec3 from = mesh->vertices[start_vertex(mesh, chain[first])];
  ts_vec3 to = mesh->vertices[end_vertex(mesh, chain[last - 1])];
  double worst = b->flat_m;
  size_t at = first;
  for (size_t i = first + 1; i < last; i++) {
    double d = distance_from_chord(mesh->vertices[start_vertex(mesh, chain[i])], from, to);
    if (d > worst) {
      worst = d;
      at = i;
    }
  }
  return at;
}

static void add_edge(builder *b, const uint32_t *chain, size_t first, size_t last) {
  const ts_mesh *mesh = b->mesh;
  uint32_t h = chain[first];
  ts_patch_edge *edge = &b->edges[b->edge_count++];
  edge->vertices[0] = start_vertex(mesh, h);
  edge->vertices[1] = end_vertex(mesh, chain[last - 1]);
  edge->patches[0] = b->patch_of[h / 3];
  edge->patches[1] = b->patch_of[mesh->edge_twin[h] / 3];
  edge->half_edge = h;
  ts_vec3 along = ts_vec3_sub(mesh->vertices[edge->vertices[1]], mesh->vertices[edge->vertices[0]]);
  ts_vec3 turn =
      ts_vec3_cross(b->patches[edge->patches[0]].normal, b->patches[edge->patches[1]].normal);
  edge->is_convex = ts_vec3_dot(turn, along) >= 0;
  b->ends_edge[edge->vertices[0]] = b->ends_edge[edge->vertices[1]] = 1;
}

/// Cuts a chain of half-edges into straight pieces; `stack` has room for its length.
static void cut_chain(builder *b, const uint32_t *chain, size_t length, size_t *stack) {
  size_t first = 0, waiting = 0;
  stack[waiting++] = length;
  while (waiting) {
    size_t last = stack[waiting - 1], at = worst_bend(b, chain, first, last);
    if (at != first) {
      stack[waiting++] = at;
      continue;
    }
    add_edge(b, chain, first, last);
    first = last;
    waiting--;
  }
}

/// Follows the border from `h` to where it branches, or back to `h`.
static size_t follow(const builder *b, uint32_t *chain, uint8_t *is_done, uint32_t h) {
  size_t length = 0;
  for (;;) {
    chain[length++] = h;
    is_done[h] = 1;
    uint32_t v = end_vertex(b->mesh, h);
    if (b->ends_edge[v] || is_done[b->next_at[v]])
      return length;
    h = b->next_at[v];
  }
}

static ts_status find_edges(builder *b) {
  uint32_t half_edge_count = (uint32_t)(3 * b->mesh->triangle_count);
  size_t border_count = 0;
  for (uint32_t h = 0; h < half_edge_count; h++)
    border_count += starts_here(b, h);
  b->edges = ts_arena_array(b->arena, border_count, sizeof *b->edges);
  uint32_t *chain = ts_arena_array(b->arena, border_count, sizeof *chain);
  size_t *stack = ts_arena_array(b->arena, border_count + 1, sizeof *stack);
  uint8_t *is_done = ts_arena_array(b->arena, half_edge_count, sizeof *is_done);
  if (!b->edges || !chain || !stack || !is_done)
    return TS_E_MEMORY;
  // Closed loops without a branch have no start of their own: they come last, from anywhere.
  for (int loops = 0; loops < 2; loops++)
    for (uint32_t h = 0; h < half_edge_count; h++) {
      if (!starts_here(b, h) || is_done[h] || (!loops && !b->ends_edge[start_vertex(b->mesh, h)]))
        continue;
      cut_chain(b, chain, follow(b, chain, is_done, h), stack);
    }
  return TS_OK;
}

static ts_status count_corners(builder *b) {
  const ts_mesh *mesh = b->mesh;
  b->corner_of = ts_arena_array(b->arena, mesh->vertex_count, sizeof *b->corner_of);
  if (!b->corner_of)
    return TS_E_MEMORY;
  for (size_t v = 0; v < mesh->vertex_count; v++)
    b->corner_of[v] = b->ends_edge[v] ? (uint32_t)b->corner_count++ : TS_NO_CORNER;
  b->corners = ts_arena_array(b->arena, b->corner_count, sizeof *b->corners);
  if (!b->corners)
    return TS_E_MEMORY;
  for (uint32_t v = 0; v < mesh->vertex_count; v++)
    if (b->corner_of[v] != TS_NO_CORNER)
      b->corners[b->corner_of[v]].vertex = v;
  return TS_OK;
}

static int compare_indices(const void *left, const void *right) {
  const uint32_t *l = left, *r = right;
  return (*l > *r) - (*l < *r);
}

/// Sorts and drops repetitions; returns how many are left.
static uint32_t make_ascending(uint32_t *list, uint32_t count) {
  qsort(list, count, sizeof *list, compare_indices);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; i++)
    if (kept == 0 || list[kept - 1] != list[i])
      list[kept++] = list[i];
  return kept;
}

/// The patches around each corner.
static ts_status list_patches_of_corners(ts_patches *out, builder *b) {
  const ts_mesh *mesh = b->mesh;
  uint32_t half_edge_count = (uint32_t)(3 * mesh->triangle_count), total = 0;
  uint32_t *list = ts_arena_array(b->arena, half_edge_count, sizeof *list);
  if (!list)
    return TS_E_MEMORY;
  for (uint32_t h = 0; h < half_edge_count; h++) {
    uint32_t corner = b->corner_of[start_vertex(mesh, h)];
    if (corner != TS_NO_CORNER)
      b->corners[corner].patch_count++;
  }
  for (size_t c = 0; c < b->corner_count; c++) {
    b->corners[c].first_patch = total;
    total += b->corners[c].patch_count;
    b->corners[c].patch_count = 0;
  }
  for (uint32_t h = 0; h < half_edge_count; h++) {
    uint32_t corner = b->corner_of[start_vertex(mesh, h)];
    if (corner == TS_NO_CORNER)
      continue;
    ts_patch_corner *c = &b->corners[corner];
    list[c->first_patch + c->patch_count++] = b->patch_of[h / 3];
  }
  for (size_t c = 0; c < b->corner_count; c++)
    b->corners[c].patch_count =
        make_ascending(list + b->corners[c].first_patch, b->corners[c].patch_count);
  out->patches_of_corners = list;
  return TS_OK;
}

static ts_status list_edges(ts_patches *out, builder *b) {
  uint32_t *of_patches = ts_arena_array(b->arena, b->edge_count, 2 * sizeof *of_patches);
  uint32_t *of_corners = ts_arena_array(b->arena, b->edge_count, 2 * sizeof *of_corners);
  if (!of_patches || !of_corners)
    return TS_E_MEMORY;
  for (size_t e = 0; e < b->edge_count; e++)
    for (int i = 0; i < 2; i++) {
      b->patches[b->edges[e].patches[i]].edge_count++;
      b->corners[b->corner_of[b->edges[e].vertices[i]]].edge_count++;
    }
  uint32_t total = 0;
  for (size_t p = 0; p < b->patch_count; p++) {
    b->patches[p].first_edge = total;
    total += b->patches[p].edge_count;
    b->patches[p].edge_count = 0;
  }
  total = 0;
  for (size_t c = 0; c < b->corner_count; c++) {
    b->corners[c].first_edge = total;
    total += b->corners[c].edge_count;
    b->corners[c].edge_count = 0;
  }
  for (uint32_t e = 0; e < b->edge_count; e++)
    for (int i = 0; i < 2; i++) {
      ts_patch *patch = &b->patches[b->edges[e].patches[i]];
      ts_patch_corner *corner = &b->corners[b->corner_of[b->edges[e].vertices[i]]];
      of_patches[patch->first_edge + patch->edge_count++] = e;
      of_corners[corner->first_edge + corner->edge_count++] = e;
    }
  out->edges_of_patches = of_patches;
  out->edges_of_corners = of_corners;
  return TS_OK;
}

static ts_status build(ts_patches *out, builder *b) {
  TS_TRY(find_patches(b));
  TS_TRY(place_patches(out, b));
  TS_TRY(find_branches(b));
  TS_TRY(find_edges(b));
  TS_TRY(count_corners(b));
  TS_TRY(list_patches_of_corners(out, b));
  TS_TRY(list_edges(out, b));
  out->mesh = b->mesh;
  out->flat_m = b->flat_m;
  out->patch_count = b->patch_count;
  out->edge_count = b->edge_count;
  out->corner_count = b->corner_count;
  out->patches = b->patches;
  out->edges = b->edges;
  out->corners = b->corners;
  out->patch_of = b->patch_of;
  out->corner_of_vertex = b->corner_of;
  return TS_OK;
}

static ts_status create(ts_patches **out, builder *b) {
  ts_arena_mark mark = ts_arena_get_mark(b->arena);
  ts_patches *patches = ts_arena_alloc(b->arena, sizeof *patches);
  ts_status status = patches ? build(patches, b) : TS_E_MEMORY;
  if (status != TS_OK) {
    ts_arena_rewind(b->arena, mark);
    return status;
  }
  *out = patches;
  return TS_OK;
}

ts_status ts_patches_create(ts_patches **out, ts_arena *arena, const ts_mesh *mesh, double flat_m) {
  builder b = {.arena = arena, .mesh = mesh, .flat_m = flat_m};
  return create(out, &b);
}

ts_status ts_patches_create_joined(ts_patches **out, ts_arena *arena, const ts_mesh *mesh,
                                   double flat_m) {
  builder b = {.arena = arena, .mesh = mesh, .flat_m = flat_m, .joins = true};
  return create(out, &b);
}
