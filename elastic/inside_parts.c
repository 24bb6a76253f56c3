// SPDX-License-Identifier: MIT
#include "elastic/inside_parts.h"

#include "base/array.h"
#include "base/status.h"
#include "geometry/tolerances.h"

#include <stdlib.h>

/// Surfaces being added up, about the frame's origin.
typedef struct shell {
  double area_m2, volume_m3; ///< by the divergence theorem
  ts_vec3 area_vector_m2;
} shell;

/// A part being added up.
typedef struct sum {
  ts_inside_part part;
  ts_aabb box;
  shell shells[TS_INSIDE_GROUPS];
  double spread[2]; ///< sum of area times the square of a normal's distance from the mean
  uint32_t root;
  uint32_t *triangles[2];     ///< those of `part`, growing
  ts_inside_sheet *sheets[2]; ///< likewise
  size_t triangle_capacity[2], sheet_capacity[2];
} sum;

static shell both(const shell *x, const shell *y) {
  return (shell){x->area_m2 + y->area_m2, x->volume_m3 + y->volume_m3,
                 ts_vec3_add(x->area_vector_m2, y->area_vector_m2)};
}

static bool is_closed(const shell *of) {
  return ts_vec3_norm(of->area_vector_m2) <= TS_ELASTIC_OPEN * of->area_m2;
}

/// Whether there is no more depth in it than is for rounding to say.
static bool is_flat(const shell *of, const sum *s, double tolerance_m) {
  double volume_m3 = of->volume_m3 - ts_vec3_dot(ts_aabb_centre(s->box), of->area_vector_m2) / 3;
  return volume_m3 <= tolerance_m * of->area_m2;
}

/// Whether there is more of it than rounding leaves.
static bool has_area(const shell *of, const sum *s, double tolerance_m) {
  return of->area_m2 > tolerance_m * ts_aabb_extent(s->box);
}

/// Whether both bodies have a surface in a part.
static bool has_both(const sum *s, double tolerance_m) {
  return has_area(&s->shells[TS_INSIDE_A], s, tolerance_m) &&
         has_area(&s->shells[TS_INSIDE_B], s, tolerance_m);
}

/// Whether all surfaces lie back to back, and close off no depth. Where flush faces leave a gap
/// there is depth.
static bool is_touch(const sum *s, double tolerance_m) {
  shell cut = both(&s->shells[TS_INSIDE_A], &s->shells[TS_INSIDE_B]);
  return is_closed(&cut) && is_flat(&cut, s, tolerance_m);
}

static int compare_sums(const void *left, const void *right) {
  const sum *x = left, *y = right;
  double area_x = x->part.area_m2[0] + x->part.area_m2[1];
  double area_y = y->part.area_m2[0] + y->part.area_m2[1];
  if (area_x != area_y)
    return area_x > area_y ? -1 : 1;
  return (x->root > y->root) - (x->root < y->root);
}

static void add_to_sum(sum *s, int group, const ts_inside_piece *piece, ts_vec3 normal) {
  shell *of = &s->shells[group];
  of->area_m2 += piece->area_m2;
  of->area_vector_m2 = ts_vec3_add_scaled(of->area_vector_m2, piece->area_m2, normal);
  of->volume_m3 += piece->area_m2 * ts_vec3_dot(normal, piece->corners[0]) / 3;
  for (size_t i = 0; i < piece->corner_count; i++)
    s->box = ts_aabb_add(s->box, piece->corners[i]);
}

/// Refuses an overlap with depth in which a body has no surface, or both only where they lie back
/// to back: the other faces around it are flush.
static ts_status refuse_flush(const sum *s, double tolerance_m) {
  const shell *of = s->shells;
  bool touches = has_both(s, tolerance_m);
  if (touches && !is_touch(s, tolerance_m))
    return TS_OK;
  shell around = touches ? of[TS_INSIDE_FLUSH] : both(&of[TS_INSIDE_FLUSH], &of[TS_INSIDE_B]);
  if (!has_area(&around, s, tolerance_m) || !is_closed(&around) || is_flat(&around, s, tolerance_m))
    return TS_OK;
  bool has_a = has_area(&of[TS_INSIDE_A], s, tolerance_m);
  if (touches || (!has_a && !has_area(&of[TS_INSIDE_B], s, tolerance_m)))
    return ts_fail(TS_SKIPPED,
                   "the bodies overlap where neither has a surface inside the other one: the "
                   "surfaces coincide, and no direction leads from one to the other; move the "
                   "bodies apart");
  return ts_fail(TS_SKIPPED,
                 "where the bodies overlap, body %c is inside body %c but for flush faces: no "
                 "surface of body %c faces it; move the bodies apart",
                 "ba"[has_a], "ab"[has_a], "ab"[has_a]);
}

/// Adds up the pieces of each set, by their lowest node; `place` [node_count] gets where the sum of
/// each root is.
static ts_status add_sums(sum **out, size_t *out_count, uint32_t *place, ts_inside_graph *g) {
  size_t root_count = 0, count = 0;
  for (uint32_t node = 0; node < g->node_count; node++)
    root_count += ts_inside_root(g->overlap, node) == node;
  sum *sums = ts_arena_array(g->joins->scratch, root_count, sizeof *sums);
  if (!sums)
    return TS_E_MEMORY;
  for (uint32_t node = 0; node < g->node_count; node++) {
    int group;
    uint32_t root = ts_inside_root(g->overlap, node);
    const ts_inside_piece *piece = ts_inside_node(g, node, &group);
    if (root == node) {
      place[root] = (uint32_t)count;
      sums[count++] = (sum){.box = ts_aabb_empty(), .root = root};
    }
    int body = g->joins->cutters[group]->body;
    add_to_sum(&sums[place[root]], group, piece,
               g->joins->pair->body[body].normals[piece->triangle]);
  }
  *out = sums;
  *out_count = count;
  return TS_OK;
}

/// Numbers the sets, without grazes, by falling area; `part_of` [node_count] gets the number of
/// each node's set.
static ts_status number_parts(sum **out, size_t *out_count, uint32_t *part_of, ts_inside_graph *g) {
  sum *sums;
  size_t count, kept = 0;
  uint32_t *place = ts_arena_array(g->joins->scratch, g->node_count, sizeof *place);
  if (!place)
    return TS_E_MEMORY;
  TS_TRY(add_sums(&sums, &count, place, g));
  for (size_t i = 0; i < count; i++) {
    for (int body = 0; body < 2; body++) {
      sums[i].part.area_m2[body] = sums[i].shells[body].area_m2;
      sums[i].part.area_vector_m2[body] = sums[i].shells[body].area_vector_m2;
    }
    TS_TRY(refuse_flush(&sums[i], g->tolerance_m));
  }
  for (size_t i = 0; i < count; i++)
    if (has_both(&sums[i], g->tolerance_m) && !is_touch(&sums[i], g->tolerance_m))
      sums[kept++] = sums[i];
  if (kept)
    qsort(sums, kept, sizeof *sums, compare_sums);
  for (size_t node = 0; node < g->node_count; node++)
    place[node] = TS_NO_PART;
  for (size_t i = 0; i < kept; i++)
    place[sums[i].root] = (uint32_t)i;
  for (uint32_t node = 0; node < g->node_count; node++)
    part_of[node] = place[ts_inside_root(g->overlap, node)];
  *out = sums;
  *out_count = kept;
  return TS_OK;
}

/// Adds the triangle of a piece, and the piece to its sheet, whose number is in `sheet_of` by root.
static ts_status list_piece(sum *s, ts_inside_graph *g, uint32_t node, uint32_t *sheet_of) {
  int body;
  ts_arena *arena = g->joins->pair->arena;
  const ts_inside_piece *piece = ts_inside_node(g, node, &body);
  size_t *triangle_count = &s->part.triangle_count[body];
  size_t *sheet_count = &s->part.sheet_count[body];
  if (*triangle_count == 0 || s->triangles[body][*triangle_count - 1] != piece->triangle) {
    TS_TRY(
        TS_ARENA_GROW(s->triangles[body], s->triangle_capacity[body], *triangle_count, 1, arena));
    s->triangles[body][(*triangle_count)++] = piece->triangle;
  }
  uint32_t root = ts_inside_root(g->surface, node);
  if (root == node) {
    TS_TRY(TS_ARENA_GROW(s->sheets[body], s->sheet_capacity[body], *sheet_count, 1, arena));
    sheet_of[root] = (uint32_t)*sheet_count;
    s->sheets[body][(*sheet_count)++] = (ts_inside_sheet){{0, 0, 0}};
  }
  ts_vec3 *vector = &s->sheets[body][sheet_of[root]].area_vector_m2;
  *vector = ts_vec3_add_scaled(*vector, piece->area_m2,
                               g->joins->pair->body[body].normals[piece->triangle]);
  return TS_OK;
}

/// The variance of each part, and what it has of triangles and sheets.
static ts_status fill_parts(sum *sums, size_t count, const uint32_t *part_of, ts_inside_graph *g) {
  uint32_t *sheet_of = ts_arena_array(g->joins->scratch, g->node_count, sizeof *sheet_of);
  if (!sheet_of)
    return TS_E_MEMORY;
  for (uint32_t node = 0; node < g->first_node[TS_INSIDE_FLUSH]; node++) {
    if (part_of[node] == TS_NO_PART)
      continue;
    int body; // whose group it is
    const ts_inside_piece *piece = ts_inside_node(g, node, &body);
    sum *s = &sums[part_of[node]];
    ts_vec3 normal = g->joins->pair->body[body].normals[piece->triangle];
    ts_vec3 mean = ts_vec3_scale(s->part.area_vector_m2[body], 1 / s->part.area_m2[body]);
    s->spread[body] += piece->area_m2 * ts_vec3_norm2(ts_vec3_sub(normal, mean));
    TS_TRY(list_piece(s, g, node, sheet_of));
  }
  for (size_t i = 0; i < count; i++)
    for (int body = 0; body < 2; body++) {
      ts_inside_part *part = &sums[i].part;
      part->variance[body] = sums[i].spread[body] / part->area_m2[body];
      part->triangles[body] = sums[i].triangles[body];
      part->sheets[body] = sums[i].sheets[body];
    }
  return TS_OK;
}

ts_status ts_inside_collect(ts_inside *out, ts_inside_graph *g) {
  uint32_t *part_of = ts_arena_array(g->joins->scratch, g->node_count, sizeof *part_of);
  sum *sums;
  if (!part_of)
    return TS_E_MEMORY;
  TS_TRY(number_parts(&sums, &out->part_count, part_of, g));
  TS_TRY(fill_parts(sums, out->part_count, part_of, g));
  ts_inside_part *parts = ts_arena_array(g->joins->pair->arena, out->part_count, sizeof *parts);
  if (!parts)
    return TS_E_MEMORY;
  for (size_t i = 0; i < out->part_count; i++)
    parts[i] = sums[i].part;
  out->parts = parts;
  for (int body = 0; body < 2; body++) {
    ts_cutter *cutter = g->joins->cutters[body];
    for (size_t i = 0; i < cutter->piece_count; i++)
      cutter->pieces[i].part = part_of[g->first_node[body] + i];
    out->piece_count[body] = cutter->piece_count;
    out->pieces[body] = cutter->pieces;
  }
  return TS_OK;
}
