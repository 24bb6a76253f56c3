#include "methods/semi_shape.h"

#include "base/status.h"
#include "geometry/tolerances.h"

/// Where the look into the solid starts: the middle of a triangle.
static ts_vec3 middle(const ts_mesh *mesh, uint32_t t) {
  const uint32_t *c = mesh->triangles[t];
  ts_vec3 sum =
      ts_vec3_add(ts_vec3_add(mesh->vertices[c[0]], mesh->vertices[c[1]]), mesh->vertices[c[2]]);
  return ts_vec3_scale(sum, 1.0 / 3);
}

typedef struct probing {
  const ts_patches *patches;
  double reach_m, *thickness_m; ///< [triangle_count]
} probing;

/// How far behind the middle of triangle `from` the plane of triangle `hit` is met, where the way
/// goes through the triangle.
static ts_status probe(void *context, uint32_t from, uint32_t hit) {
  probing *p = context;
  const ts_mesh *mesh = p->patches->mesh;
  uint32_t patch = p->patches->patch_of[from];
  if (p->patches->patch_of[hit] == patch)
    return TS_OK;
  ts_vec3 way = ts_vec3_neg(p->patches->patches[patch].normal), start = middle(mesh, from);
  const uint32_t *c = mesh->triangles[hit];
  ts_vec3 v[3];
  for (int i = 0; i < 3; i++)
    v[i] = ts_vec3_sub(mesh->vertices[c[i]], start);
  ts_vec3 normal = ts_vec3_cross(ts_vec3_sub(v[1], v[0]), ts_vec3_sub(v[2], v[0]));
  double speed = ts_vec3_dot(normal, way);
  if (!(speed > 0)) // leaves the solid through the outer side of a surface
    return TS_OK;
  for (int i = 0; i < 3; i++)
    if (ts_vec3_dot(ts_vec3_cross(v[i], v[(i + 1) % 3]), way) < 0)
      return TS_OK;
  double depth = ts_vec3_dot(normal, v[0]) / speed;
  if (depth >= 0)
    p->thickness_m[from] = ts_least(p->thickness_m[from], depth);
  return TS_OK;
}

static ts_status measure_thickness(ts_semi_shape *shape, double reach_m) {
  const ts_patches *patches = shape->patches;
  const ts_mesh *mesh = patches->mesh;
  double *thickness = ts_arena_array(shape->arena, patches->patch_count, sizeof *thickness);
  if (!thickness)
    return TS_E_MEMORY;
  ts_arena_mark mark = ts_arena_get_mark(shape->arena);
  probing p = {.patches = patches, .reach_m = reach_m};
  p.thickness_m = ts_arena_array(shape->arena, mesh->triangle_count, sizeof *p.thickness_m);
  ts_aabb *ways = ts_arena_array(shape->arena, mesh->triangle_count, sizeof *ways);
  if (!p.thickness_m || !ways)
    return TS_E_MEMORY;
  for (uint32_t t = 0; t < mesh->triangle_count; t++) {
    ts_vec3 start = middle(mesh, t);
    ts_vec3 normal = patches->patches[patches->patch_of[t]].normal;
    ways[t] = ts_aabb_add(ts_aabb_add(ts_aabb_empty(), start),
                          ts_vec3_add_scaled(start, -reach_m, normal));
    p.thickness_m[t] = INFINITY;
  }
  ts_bvh *bvh;
  TS_TRY(ts_bvh_create(&bvh, shape->arena, ways, mesh->triangle_count));
  TS_TRY(ts_bvh_tandem(bvh, shape->triangles, ts_pose_identity(), 0, probe, &p));
  for (uint32_t t = 0; t < mesh->triangle_count; t++) {
    double depth = p.thickness_m[t] <= reach_m ? p.thickness_m[t] : (double)INFINITY;
    double *of_patch = &thickness[patches->patch_of[t]];
    *of_patch = ts_most(*of_patch, depth);
  }
  ts_arena_rewind(shape->arena, mark);
  shape->thickness_m = thickness;
  return TS_OK;
}

/// Of each triangle, for the patch that it belongs to.
static ts_status build_faces(ts_semi_shape *shape, double reach_m) {
  const ts_patches *patches = shape->patches;
  const ts_mesh *mesh = patches->mesh;
  ts_aabb *boxes = ts_arena_array(shape->arena, mesh->triangle_count, sizeof *boxes);
  if (!boxes)
    return TS_E_MEMORY;
  for (size_t p = 0; p < patches->patch_count; p++) {
    const ts_patch *patch = &patches->patches[p];
    const uint32_t *triangles = patches->triangles + patch->first_triangle;
    ts_aabb all = ts_aabb_empty();
    for (uint32_t i = 0; i < patch->triangle_count; i++) {
      ts_aabb box = ts_aabb_empty();
      for (int k = 0; k < 3; k++)
        box = ts_aabb_add(box, mesh->vertices[mesh->triangles[triangles[i]][k]]);
      boxes[triangles[i]] = box;
      all = ts_aabb_join(all, box);
    }
    double extent = ts_vec3_distance(all.low, all.high);
    double own = 0.5 * ts_least(reach_m, extent / TS_SEMI_SLIVER_MISFITS);
    for (uint32_t i = 0; i < patch->triangle_count; i++)
      boxes[triangles[i]] = ts_aabb_inflate(boxes[triangles[i]], own);
  }
  return ts_bvh_create(&shape->faces, shape->arena, boxes, mesh->triangle_count);
}

static double edge_length(const ts_patches *patches, uint32_t e) {
  const ts_vec3 *v = patches->mesh->vertices;
  const uint32_t *ends = patches->edges[e].vertices;
  return ts_vec3_distance(v[ends[0]], v[ends[1]]);
}

static ts_status build_ridges(ts_semi_shape *shape, double reach_m, double slack) {
  const ts_patches *patches = shape->patches;
  const ts_vec3 *v = patches->mesh->vertices;
  uint32_t *ridges = ts_arena_array(shape->arena, patches->edge_count, sizeof *ridges);
  ts_aabb *boxes = ts_arena_array(shape->arena, patches->edge_count, sizeof *boxes);
  if (!ridges || !boxes)
    return TS_E_MEMORY;
  for (uint32_t e = 0; e < patches->edge_count; e++) {
    if (!patches->edges[e].is_convex)
      continue;
    const uint32_t *ends = patches->edges[e].vertices;
    double own = 0.5 * edge_length(patches, e) / slack; // infinite without slack
    ts_aabb box = ts_aabb_add(ts_aabb_add(ts_aabb_empty(), v[ends[0]]), v[ends[1]]);
    boxes[shape->ridge_count] = ts_aabb_inflate(box, 0.5 * ts_least(own, reach_m));
    ridges[shape->ridge_count++] = e;
  }
  shape->ridge_edges = ridges;
  return ts_bvh_create(&shape->ridges, shape->arena, boxes, shape->ridge_count);
}

static ts_status build_corners(ts_semi_shape *shape, double reach_m) {
  const ts_patches *patches = shape->patches;
  ts_aabb *boxes = ts_arena_array(shape->arena, patches->corner_count, sizeof *boxes);
  double *reaches = ts_arena_array(shape->arena, patches->corner_count, sizeof *reaches);
  if (!boxes || !reaches)
    return TS_E_MEMORY;
  for (size_t i = 0; i < patches->corner_count; i++) {
    const ts_patch_corner *corner = &patches->corners[i];
    double longest = 0;
    for (uint32_t k = 0; k < corner->edge_count; k++)
      longest =
          ts_most(longest, edge_length(patches, patches->edges_of_corners[corner->first_edge + k]));
    reaches[i] = ts_least(reach_m, 0.5 * longest);
    boxes[i] = ts_aabb_inflate(
        ts_aabb_add(ts_aabb_empty(), patches->mesh->vertices[corner->vertex]), reaches[i]);
  }
  shape->corner_reach_m = reaches;
  return ts_bvh_create(&shape->corners, shape->arena, boxes, patches->corner_count);
}

static ts_status fill(ts_semi_shape *shape, const ts_mesh *mesh, double flat_m, double reach_m,
                      double slack) {
  ts_patches *patches;
  TS_TRY(ts_patches_create(&patches, shape->arena, mesh, flat_m));
  shape->patches = patches;
  ts_vec3 *normals = ts_arena_array(shape->arena, patches->patch_count, sizeof *normals);
  double *offsets = ts_arena_array(shape->arena, patches->patch_count, sizeof *offsets);
  if (!normals || !offsets)
    return TS_E_MEMORY;
  for (size_t p = 0; p < patches->patch_count; p++) {
    normals[p] = patches->patches[p].normal;
    offsets[p] = patches->patches[p].offset_m;
  }
  shape->normals = normals;
  shape->offsets_m = offsets;
  TS_TRY(ts_bvh_create_for_mesh(&shape->triangles, shape->arena, mesh));
  TS_TRY(build_faces(shape, reach_m));
  TS_TRY(build_ridges(shape, reach_m, slack));
  TS_TRY(build_corners(shape, reach_m));
  return measure_thickness(shape, reach_m);
}

ts_status ts_semi_shape_create(ts_semi_shape **out, const ts_mesh *mesh, double flat_m,
                               double reach_m, double slack) {
  ts_arena *arena;
  TS_TRY(ts_arena_create(&arena));
  ts_semi_shape *shape = ts_arena_alloc(arena, sizeof *shape);
  ts_status status = TS_E_MEMORY;
  if (shape) {
    shape->arena = arena;
    status = fill(shape, mesh, flat_m, reach_m, slack);
  }
  if (status != TS_OK) {
    ts_arena_destroy(arena);
    return status;
  }
  *out = shape;
  return TS_OK;
}

void ts_semi_shape_destroy(ts_semi_shape *shape) {
  if (shape)
    ts_arena_destroy(shape->arena);
}
