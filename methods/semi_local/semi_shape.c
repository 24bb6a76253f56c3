// SPDX-License-Identifier: MIT
#include "methods/semi_local/semi_shape.h"

#include "base/status.h"
#include "geometry/mesh/body.h"
#include "geometry/tolerances.h"
#include "methods/semi_local/semi_scratch.h"

#define NOWHERE UINT32_MAX

static ts_aabb box_of(const ts_patches *patches, const ts_patch *patch) {
  const ts_mesh *mesh = patches->mesh;
  ts_aabb all = ts_aabb_empty();
  for (uint32_t i = 0; i < patch->triangle_count; i++)
    for (int k = 0; k < 3; k++) {
      uint32_t t = patches->triangles[patch->first_triangle + i];
      all = ts_aabb_add(all, mesh->vertices[mesh->triangles[t][k]]);
    }
  return all;
}

/// An upper bound of the width of a patch where it is narrowest: its extent, or its smallest height
/// when it is a triangle.
static double width_of(const ts_patches *patches, const ts_patch *patch, ts_aabb box) {
  const ts_mesh *mesh = patches->mesh;
  double extent = ts_vec3_distance(box.low, box.high);
  if (patch->triangle_count > 1)
    return extent;
  const uint32_t *c = mesh->triangles[patches->triangles[patch->first_triangle]];
  double longest = 0;
  for (int k = 0; k < 3; k++)
    longest =
        ts_max(longest, ts_vec3_distance(mesh->vertices[c[k]], mesh->vertices[c[(k + 1) % 3]]));
  return longest > 0 ? ts_min(extent, 2 * patch->area_m2 / longest) : 0;
}

/// Whether a patch is narrow enough to be a facet of a curve.
static bool is_narrow(const ts_patch *patch, ts_aabb box, double extent_m) {
  double across = patch->area_m2 * (patch->triangle_count == 1 ? 2 : 1);
  return across <= TS_SEMI_FACET_RELATIVE * extent_m * ts_vec3_distance(box.low, box.high);
}

/// How far from its plane a patch may lie on another: TS_SEMI_SLIVER_MISFITS of it fit its width,
/// and the other patch has the other half. Also lists which are narrow.
static ts_status measure_patches(ts_semi_shape *shape, bool **out_is_narrow) {
  const ts_patches *patches = shape->patches;
  size_t count = patches->patch_count;
  ts_vec3 *normals = ts_arena_array(shape->arena, count, sizeof *normals);
  double *offsets = ts_arena_array(shape->arena, count, sizeof *offsets);
  double *reaches = ts_arena_array(shape->arena, count, sizeof *reaches);
  double *thickness = ts_arena_array(shape->arena, count, sizeof *thickness);
  bool *narrow = ts_arena_array(shape->arena, count, sizeof *narrow);
  if (!normals || !offsets || !reaches || !thickness || !narrow)
    return TS_E_MEMORY;
  double extent_m = ts_aabb_extent(ts_mesh_bounds(patches->mesh));
  for (size_t p = 0; p < count; p++) {
    const ts_patch *patch = &patches->patches[p];
    ts_aabb box = box_of(patches, patch);
    normals[p] = patch->normal;
    offsets[p] = patch->offset_m;
    reaches[p] =
        0.5 * ts_min(shape->reach_m, width_of(patches, patch, box) / TS_SEMI_SLIVER_MISFITS);
    thickness[p] = -1;
    narrow[p] = is_narrow(patch, box, extent_m);
  }
  shape->normals = normals;
  shape->offsets_m = offsets;
  shape->face_reach_m = reaches;
  shape->asked->thickness_m = thickness;
  *out_is_narrow = narrow;
  return TS_OK;
}

/// Facets: narrow patches that go on, over edges by which they turn no more than alternatives of a
/// smooth surface differ, to so many others that they make a curve. In: which are narrow; out, in
/// its place: which are facets.
static ts_status find_facets(ts_semi_shape *shape, bool *is_facet) {
  const ts_patches *patches = shape->patches;
  size_t count = patches->patch_count;
  ts_arena_mark mark = ts_arena_get_mark(shape->arena);
  uint32_t *forest = ts_arena_array(shape->arena, count, sizeof *forest);
  uint32_t *sizes = ts_arena_array(shape->arena, count, sizeof *sizes);
  if (!forest || !sizes)
    return TS_E_MEMORY;
  for (uint32_t p = 0; p < count; p++)
    forest[p] = p;
  const double gentle = 2 * TS_SEMI_SMOOTH_COSINE * TS_SEMI_SMOOTH_COSINE - 1; // twice the angle
  for (size_t e = 0; e < patches->edge_count; e++) {
    const uint32_t *p = patches->edges[e].patches;
    if (is_facet[p[0]] && is_facet[p[1]] &&
        ts_vec3_dot(shape->normals[p[0]], shape->normals[p[1]]) >= gentle)
      ts_semi_forest_join(forest, p[0], p[1]);
  }
  for (uint32_t p = 0; p < count; p++)
    sizes[ts_semi_forest_root(forest, p)]++;
  for (uint32_t p = 0; p < count; p++)
    is_facet[p] &= sizes[ts_semi_forest_root(forest, p)] >= TS_SEMI_FACETS_MIN;
  ts_arena_rewind(shape->arena, mark);
  shape->is_facet = is_facet;
  return TS_OK;
}

static double edge_length(const ts_patches *patches, uint32_t e) {
  const ts_vec3 *v = patches->mesh->vertices;
  const uint32_t *ends = patches->edges[e].vertices;
  return ts_vec3_distance(v[ends[0]], v[ends[1]]);
}

/// Lists features [count] under the triangles that `under` has of each; those NOWHERE are
/// left out.
static ts_status list_under(ts_semi_listed *out, const ts_semi_shape *shape, const uint32_t *under,
                            size_t count) {
  size_t triangle_count = shape->patches->mesh->triangle_count;
  uint32_t *first = ts_arena_array(shape->arena, triangle_count + 1, sizeof *first);
  uint32_t *items = ts_arena_array(shape->arena, count, sizeof *items);
  if (!first || !items)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++)
    if (under[i] != NOWHERE)
      first[under[i]]++;
  uint32_t sum = 0;
  for (size_t t = 0; t <= triangle_count; t++) {
    sum += first[t];
    first[t] = sum; // the end, until the features are there
  }
  for (uint32_t i = (uint32_t)count; i-- > 0;)
    if (under[i] != NOWHERE)
      items[--first[under[i]]] = i;
  *out = (ts_semi_listed){first, items};
  return TS_OK;
}

static ts_semi_arc arc_between(ts_vec3 a, ts_vec3 b) {
  double quarter = ts_min(0.25 * ts_vec3_norm2(ts_vec3_add(a, b)), 1);
  return (ts_semi_arc){sqrt(quarter), sqrt(1 - quarter)};
}

/// Lists the ridges, each under the triangle of its half edge, to whose box it is added.
static ts_status list_ridges(ts_semi_shape *shape, ts_aabb *boxes, double slack, uint32_t *under) {
  const ts_patches *patches = shape->patches;
  const ts_vec3 *v = patches->mesh->vertices;
  ts_semi_arc *arcs = ts_arena_array(shape->arena, patches->edge_count, sizeof *arcs);
  if (!arcs)
    return TS_E_MEMORY;
  shape->arcs = arcs;
  for (uint32_t e = 0; e < patches->edge_count; e++) {
    const ts_patch_edge *edge = &patches->edges[e];
    under[e] = edge->is_convex ? edge->half_edge / 3 : NOWHERE;
    if (!edge->is_convex)
      continue;
    arcs[e] = arc_between(shape->normals[edge->patches[0]], shape->normals[edge->patches[1]]);
    double own = 0.5 * edge_length(patches, e) / slack; // infinite without slack
    ts_aabb ends = ts_aabb_add(ts_aabb_empty(), v[edge->vertices[0]]);
    ts_aabb box =
        ts_aabb_inflate(ts_aabb_add(ends, v[edge->vertices[1]]), 0.5 * ts_min(own, shape->reach_m));
    boxes[under[e]] = ts_aabb_join(boxes[under[e]], box);
  }
  return list_under(&shape->ridges, shape, under, patches->edge_count);
}

/// Lists the corners, each under the first of its triangles, to whose box it is added.
static ts_status list_corners(ts_semi_shape *shape, ts_aabb *boxes, uint32_t *under) {
  const ts_patches *patches = shape->patches;
  const ts_mesh *mesh = patches->mesh;
  double *reaches = ts_arena_array(shape->arena, patches->corner_count, sizeof *reaches);
  if (!reaches)
    return TS_E_MEMORY;
  for (size_t t = mesh->triangle_count; t-- > 0;)
    for (int k = 0; k < 3; k++) {
      uint32_t corner = patches->corner_of_vertex[mesh->triangles[t][k]];
      if (corner != TS_NO_CORNER)
        under[corner] = (uint32_t)t;
    }
  for (size_t i = 0; i < patches->corner_count; i++) {
    const ts_patch_corner *corner = &patches->corners[i];
    double longest = 0;
    for (uint32_t k = 0; k < corner->edge_count; k++)
      longest =
          ts_max(longest, edge_length(patches, patches->edges_of_corners[corner->first_edge + k]));
    reaches[i] = ts_min(shape->reach_m, 0.5 * longest);
    ts_vec3 at = mesh->vertices[corner->vertex];
    boxes[under[i]] = ts_aabb_join(boxes[under[i]], ts_aabb_inflate((ts_aabb){at, at}, reaches[i]));
  }
  shape->corner_reach_m = reaches;
  return list_under(&shape->corners, shape, under, patches->corner_count);
}

/// Gathers triangles beside each other in blocks.
static ts_status find_blocks(ts_semi_shape *shape) {
  const ts_mesh *mesh = shape->patches->mesh;
  size_t count = mesh->triangle_count;
  uint32_t *first = ts_arena_array(shape->arena, count + 1, sizeof *first);
  uint32_t *triangles = ts_arena_array(shape->arena, count, sizeof *triangles);
  uint8_t *is_taken = ts_arena_array(shape->arena, count, sizeof *is_taken);
  if (!first || !triangles || !is_taken)
    return TS_E_MEMORY;
  uint32_t listed = 0;
  for (uint32_t seed = 0; seed < count; seed++) {
    if (is_taken[seed])
      continue;
    uint32_t begin = listed;
    is_taken[seed] = 1;
    triangles[listed++] = seed;
    for (uint32_t i = begin; i < listed; i++)
      for (uint32_t h = 3 * triangles[i]; h < 3 * triangles[i] + 3; h++) {
        uint32_t beside = mesh->edge_twin[h] / 3;
        if (is_taken[beside] || listed - begin == TS_BOX_BLOCK_MOST)
          continue;
        is_taken[beside] = 1;
        triangles[listed++] = beside;
      }
    first[++shape->block_count] = listed;
  }
  shape->blocks = (ts_semi_listed){first, triangles};
  return TS_OK;
}

static void hold_patch(ts_round_cone *cone, const ts_semi_shape *shape, uint32_t patch) {
  cone->cosine = ts_min(cone->cosine, ts_vec3_dot(cone->axis, shape->normals[patch]));
}

/// A cone around the normals of all patches that triangles [count], their ridges and corners have.
static ts_round_cone find_normals(const ts_semi_shape *shape, const uint32_t *triangles,
                                  size_t count) {
  const ts_patches *patches = shape->patches;
  const ts_semi_listed *ridges = &shape->ridges, *corners = &shape->corners;
  ts_vec3 sum = {0, 0, 0};
  for (size_t i = 0; i < count; i++)
    sum = ts_vec3_add(sum, shape->normals[patches->patch_of[triangles[i]]]);
  ts_round_cone cone = {.axis = ts_vec3_unit(sum), .cosine = 1};
  for (size_t i = 0; i < count; i++) {
    uint32_t t = triangles[i];
    hold_patch(&cone, shape, patches->patch_of[t]);
    for (uint32_t k = ridges->first[t]; k < ridges->first[t + 1]; k++)
      for (int side = 0; side < 2; side++)
        hold_patch(&cone, shape, patches->edges[ridges->items[k]].patches[side]);
    for (uint32_t k = corners->first[t]; k < corners->first[t + 1]; k++) {
      const ts_patch_corner *corner = &patches->corners[corners->items[k]];
      for (uint32_t p = 0; p < corner->patch_count; p++)
        hold_patch(&cone, shape, patches->patches_of_corners[corner->first_patch + p]);
    }
  }
  cone.is_narrow = cone.cosine > 0;
  cone.sine = sqrt(ts_max(0, 1 - cone.cosine * cone.cosine));
  return cone;
}

/// Measures the blocks, from the boxes [triangle_count] of the triangles. `*out` [block_count] are
/// the boxes around them.
static ts_status measure_blocks(ts_aabb **out, ts_semi_shape *shape, const ts_aabb *of_triangles) {
  const ts_semi_listed *blocks = &shape->blocks;
  size_t block_count = shape->block_count;
  ts_aabb *around = ts_arena_array(shape->arena, block_count, sizeof *around);
  ts_box_block *boxes = ts_arena_array(shape->arena, block_count, sizeof *boxes);
  ts_round_cone *normals = ts_arena_array(shape->arena, block_count, sizeof *normals);
  if (!around || !boxes || !normals)
    return TS_E_MEMORY;
  for (size_t b = 0; b < block_count; b++) {
    const uint32_t *triangles = blocks->items + blocks->first[b];
    uint32_t count = blocks->first[b + 1] - blocks->first[b];
    around[b] = ts_aabb_empty();
    ts_box_block_clear(&boxes[b]);
    for (uint32_t i = 0; i < count; i++) {
      around[b] = ts_aabb_join(around[b], of_triangles[triangles[i]]);
      ts_box_block_set(&boxes[b], i, of_triangles[triangles[i]]);
    }
    normals[b] = find_normals(shape, triangles, count);
  }
  shape->boxes = boxes;
  shape->block_normals = normals;
  *out = around;
  return TS_OK;
}

static ts_status build_surface(ts_semi_shape *shape, double slack) {
  const ts_patches *patches = shape->patches;
  const ts_mesh *mesh = patches->mesh;
  size_t feature_count = patches->edge_count + patches->corner_count;
  ts_aabb *boxes = ts_arena_array(shape->arena, mesh->triangle_count, sizeof *boxes), *of_blocks;
  uint32_t *under = ts_arena_array(shape->arena, feature_count, sizeof *under);
  if (!boxes || !under)
    return TS_E_MEMORY;
  for (size_t t = 0; t < mesh->triangle_count; t++) {
    ts_aabb box = ts_aabb_empty();
    for (int k = 0; k < 3; k++)
      box = ts_aabb_add(box, mesh->vertices[mesh->triangles[t][k]]);
    boxes[t] = ts_aabb_inflate(box, shape->face_reach_m[patches->patch_of[t]]);
  }
  TS_TRY(list_ridges(shape, boxes, slack, under));
  TS_TRY(list_corners(shape, boxes, under + patches->edge_count));
  TS_TRY(find_blocks(shape));
  TS_TRY(measure_blocks(&of_blocks, shape, boxes));
  return ts_bvh_create(&shape->surface, shape->arena, of_blocks, shape->block_count);
}

/// Notes which patches share an edge, of a shape of few without valleys.
static ts_status find_beside(ts_semi_shape *shape) {
  const ts_patches *patches = shape->patches;
  if (patches->patch_count > TS_SEMI_BESIDE_MOST)
    return TS_OK;
  uint64_t *beside = ts_arena_array(shape->arena, patches->patch_count, sizeof *beside);
  if (!beside)
    return TS_E_MEMORY;
  for (size_t e = 0; e < patches->edge_count; e++) {
    const uint32_t *p = patches->edges[e].patches;
    if (!patches->edges[e].is_convex)
      return TS_OK;
    beside[p[0]] |= UINT64_C(1) << p[1];
    beside[p[1]] |= UINT64_C(1) << p[0];
  }
  shape->beside = beside;
  return TS_OK;
}

/// Whether the patches on both sides of each edge are within the angle up to which alternatives are
/// those of a smooth surface.
static bool is_smooth(const ts_patches *patches) {
  double cosine = 2 * TS_SEMI_SMOOTH_COSINE * TS_SEMI_SMOOTH_COSINE - 1; // of twice the angle
  for (size_t e = 0; e < patches->edge_count; e++) {
    const uint32_t *p = patches->edges[e].patches;
    if (ts_vec3_dot(patches->patches[p[0]].normal, patches->patches[p[1]].normal) < cosine)
      return false;
  }
  return true;
}

static ts_status fill(ts_semi_shape *shape, const ts_mesh *mesh, double flat_m, double slack) {
  ts_patches *patches;
  TS_TRY(ts_patches_create(&patches, shape->arena, mesh, flat_m));
  shape->patches = patches;
  shape->asked = ts_arena_alloc(shape->arena, sizeof *shape->asked);
  if (!shape->asked)
    return TS_E_MEMORY;
  const ts_shape as_shape = {.mesh = mesh, .bounds_local = ts_mesh_bounds(mesh)};
  shape->is_convex = ts_shape_is_convex(&as_shape);
  shape->is_smooth = is_smooth(patches);
  bool *is_facet;
  TS_TRY(measure_patches(shape, &is_facet));
  TS_TRY(find_facets(shape, is_facet));
  TS_TRY(find_beside(shape));
  TS_TRY(build_surface(shape, slack));
  return ts_semi_covers_create(&shape->asked->covers, shape->arena, patches);
}

ts_status ts_semi_shape_create(ts_semi_shape **out, const ts_mesh *mesh, double flat_m,
                               double reach_m, double slack) {
  ts_arena *arena;
  TS_TRY(ts_arena_create(&arena));
  ts_semi_shape *shape = ts_arena_alloc(arena, sizeof *shape);
  ts_status status = TS_E_MEMORY;
  if (shape) {
    shape->arena = arena;
    shape->reach_m = reach_m;
    shape->bounds = ts_mesh_bounds(mesh);
    status = fill(shape, mesh, flat_m, slack);
  }
  if (status != TS_OK) {
    ts_arena_destroy(arena);
    return status;
  }
  *out = shape;
  return TS_OK;
}

ts_status ts_semi_shape_triangles(const ts_bvh **out, const ts_semi_shape *shape) {
  ts_bvh **known = &shape->asked->triangles;
  if (!*known)
    TS_TRY(ts_bvh_create_for_mesh(known, shape->arena, shape->patches->mesh));
  *out = *known;
  return TS_OK;
}

void ts_semi_shape_destroy(ts_semi_shape *shape) {
  if (shape)
    ts_arena_destroy(shape->arena);
}
