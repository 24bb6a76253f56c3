// SPDX-License-Identifier: MIT
#include "methods/sdf_samples/sdf_shape.h"

#include "base/status.h"
#include "geometry/tolerances.h"

#include <stdbool.h>

static bool is_less(ts_vec3 p, ts_vec3 q) {
  if (p.x != q.x)
    return p.x < q.x;
  return p.y != q.y ? p.y < q.y : p.z < q.z;
}

static void sort_by_place(uint32_t *vertices, int count, const ts_mesh *mesh) {
  for (int i = 1; i < count; i++)
    for (int k = i; k > 0 && is_less(mesh->vertices[vertices[k]], mesh->vertices[vertices[k - 1]]);
         k--) {
      uint32_t swapped = vertices[k];
      vertices[k] = vertices[k - 1];
      vertices[k - 1] = swapped;
    }
}

/// The sample of a feature that starts at a corner of a triangle.
static void add_sample(ts_sdf_shape *shape, ts_feature feature, const uint32_t triangle[3],
                       int corner) {
  ts_sdf_sample *sample = &shape->samples[shape->sample_count++];
  *sample = (ts_sdf_sample){.feature = feature};
  for (int i = 0; i < feature.kind; i++)
    sample->vertices[i] = triangle[(corner + i) % 3];
  sort_by_place(sample->vertices, feature.kind, shape->mesh);
}

static void add_triangles(ts_sdf_shape *shape) {
  for (uint32_t t = 0; t < shape->mesh->triangle_count; t++)
    add_sample(shape, (ts_feature){TS_FEATURE_FACE, t}, shape->mesh->triangles[t], 0);
}

static void add_sharp_edges(ts_sdf_shape *shape) {
  const ts_mesh *mesh = shape->mesh;
  for (uint32_t h = 0; h < 3 * mesh->triangle_count; h++) {
    uint32_t twin = mesh->edge_twin[h];
    if (twin > h && ts_vec3_angle(ts_mesh_face_normal(mesh, h / 3),
                                  ts_mesh_face_normal(mesh, twin / 3)) > TS_SDF_SHARP_RAD)
      add_sample(shape, (ts_feature){TS_FEATURE_EDGE, h}, mesh->triangles[h / 3], (int)(h % 3));
  }
}

/// Those of triangles: tets have others.
static ts_status add_vertices(ts_sdf_shape *shape) {
  const ts_mesh *mesh = shape->mesh;
  bool *seen = ts_arena_array(shape->arena, mesh->vertex_count, sizeof *seen);
  if (!seen)
    return TS_E_MEMORY;
  for (uint32_t h = 0; h < 3 * mesh->triangle_count; h++) {
    uint32_t vertex = mesh->triangles[h / 3][h % 3];
    if (!seen[vertex])
      add_sample(shape, (ts_feature){TS_FEATURE_VERTEX, vertex}, mesh->triangles[h / 3],
                 (int)(h % 3));
    seen[vertex] = true;
  }
  return TS_OK;
}

static ts_status add_samples(ts_sdf_shape *shape, int32_t kind) {
  const ts_mesh *mesh = shape->mesh;
  size_t most = kind == TS_FEATURE_VERTEX ? mesh->vertex_count
                : kind == TS_FEATURE_EDGE ? 3 * mesh->triangle_count / 2
                                          : mesh->triangle_count;
  shape->samples = ts_arena_array(shape->arena, most, sizeof *shape->samples);
  if (!shape->samples)
    return TS_E_MEMORY;
  if (kind == TS_FEATURE_VERTEX)
    return add_vertices(shape);
  if (kind == TS_FEATURE_EDGE)
    add_sharp_edges(shape);
  else
    add_triangles(shape);
  return TS_OK;
}

static ts_status fill(ts_sdf_shape **out, ts_arena *arena, const ts_mesh *mesh,
                      ts_sdf_choice choice) {
  ts_sdf_shape *shape = ts_arena_alloc(arena, sizeof *shape);
  if (!shape)
    return TS_E_MEMORY;
  *shape = (ts_sdf_shape){.arena = arena, .mesh = mesh, .bounds = ts_mesh_bounds(mesh)};
  TS_TRY(add_samples(shape, choice.sample_kind));
  if (choice.cells > 0)
    TS_TRY(ts_sdf_grid_create(&shape->grid, arena, mesh, choice.cells, choice.reach_m));
  *out = shape;
  return ts_bvh_create_for_mesh(&shape->bvh, arena, mesh);
}

ts_status ts_sdf_shape_create(ts_sdf_shape **out, const ts_mesh *mesh, ts_sdf_choice choice) {
  ts_arena *arena;
  TS_TRY(ts_arena_create(&arena));
  ts_status status = fill(out, arena, mesh, choice);
  if (status != TS_OK)
    ts_arena_destroy(arena);
  return status;
}

void ts_sdf_shape_destroy(ts_sdf_shape *shape) {
  ts_arena_destroy(shape->arena);
}
