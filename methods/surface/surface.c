// SPDX-License-Identifier: MIT
#include "methods/surface/surface.h"

#include "base/status.h"
#include "geometry/tolerances.h"

static uint32_t next_corner(uint32_t half_edge) {
  return half_edge % 3 == 2 ? half_edge - 2 : half_edge + 1;
}

static uint32_t start_vertex(const ts_mesh *mesh, uint32_t half_edge) {
  return mesh->triangles[half_edge / 3][half_edge % 3];
}

/// Lists the half-edges by their start vertex.
static void build_fans(uint32_t *fan_start, uint32_t *fan, const ts_mesh *mesh) {
  uint32_t half_edge_count = (uint32_t)(3 * mesh->triangle_count);
  for (uint32_t h = 0; h < half_edge_count; h++)
    fan_start[start_vertex(mesh, h) + 1]++;
  for (size_t v = 0; v < mesh->vertex_count; v++)
    fan_start[v + 1] += fan_start[v];
  for (uint32_t h = 0; h < half_edge_count; h++)
    fan[fan_start[start_vertex(mesh, h)]++] = h;
  // Each start has advanced to its end, which is the start of the next one.
  for (size_t v = mesh->vertex_count; v > 0; v--)
    fan_start[v] = fan_start[v - 1];
  fan_start[0] = 0;
}

static ts_status fill(ts_surface *surface, const ts_mesh *mesh) {
  ts_arena *arena = surface->arena;
  ts_vec3 *normals = ts_arena_array(arena, mesh->triangle_count, sizeof *normals);
  uint32_t *fan_start = ts_arena_array(arena, mesh->vertex_count + 1, sizeof *fan_start);
  uint32_t *fan = ts_arena_array(arena, mesh->triangle_count, 3 * sizeof *fan);
  uint32_t *places = ts_arena_array(arena, mesh->triangle_count, sizeof *places);
  if (!normals || !fan_start || !fan || !places)
    return TS_E_MEMORY;
  for (size_t t = 0; t < mesh->triangle_count; t++)
    normals[t] = ts_mesh_face_normal(mesh, t);
  build_fans(fan_start, fan, mesh);
  surface->mesh = mesh;
  surface->face_normals = normals;
  surface->fan_start = fan_start;
  surface->fan = fan;
  surface->places = places;
  TS_TRY(ts_bvh_create_for_blocks(&surface->bvh, arena, mesh));
  const uint32_t *items = ts_bvh_items(surface->bvh);
  for (uint32_t i = 0; i < mesh->triangle_count; i++)
    places[items[i]] = i;
  return TS_OK;
}

ts_status ts_surface_prepare(void **out, const ts_host *host, const ts_mesh *mesh,
                             const double *params) {
  (void)host, (void)params;
  ts_arena *arena;
  TS_TRY(ts_arena_create(&arena));
  ts_surface *surface = ts_arena_alloc(arena, sizeof *surface);
  ts_status status = TS_E_MEMORY;
  if (surface) {
    surface->arena = arena;
    status = fill(surface, mesh);
  }
  if (status != TS_OK) {
    ts_arena_destroy(arena);
    return status;
  }
  *out = surface;
  return TS_OK;
}

void ts_surface_release(void *surface) {
  if (surface)
    ts_arena_destroy(((ts_surface *)surface)->arena);
}

bool ts_surface_owns_vertex(const ts_surface *surface, uint32_t triangle, int corner) {
  uint32_t half_edge = 3 * triangle + (uint32_t)corner;
  return surface->fan[surface->fan_start[start_vertex(surface->mesh, half_edge)]] == half_edge;
}

bool ts_surface_owns_edge(const ts_surface *surface, uint32_t triangle, int corner) {
  uint32_t half_edge = 3 * triangle + (uint32_t)corner;
  return half_edge < surface->mesh->edge_twin[half_edge];
}

ts_feature ts_surface_vertex(const ts_surface *surface, uint32_t triangle, int corner) {
  return (ts_feature){TS_FEATURE_VERTEX, surface->mesh->triangles[triangle][corner]};
}

ts_feature ts_surface_edge(const ts_surface *surface, uint32_t triangle, int corner) {
  return (ts_feature){TS_FEATURE_EDGE, ts_mesh_edge_id(surface->mesh, triangle, corner)};
}

ts_feature ts_surface_face(uint32_t triangle) {
  return (ts_feature){TS_FEATURE_FACE, triangle};
}

/// How far a direction rises above the two faces of an edge: above either of them when the edge is
/// convex, above both when it is a valley.
static double rise_from_edge(const ts_surface *surface, uint32_t half_edge, ts_vec3 direction) {
  const ts_mesh *mesh = surface->mesh;
  uint32_t twin = mesh->edge_twin[half_edge];
  ts_vec3 normal = surface->face_normals[half_edge / 3];
  double rise = ts_vec3_dot(direction, normal);
  double rise_twin = ts_vec3_dot(direction, surface->face_normals[twin / 3]);
  ts_vec3 apex_twin = mesh->vertices[start_vertex(mesh, next_corner(next_corner(twin)))];
  ts_vec3 start = mesh->vertices[start_vertex(mesh, half_edge)];
  bool convex = ts_vec3_dot(normal, ts_vec3_sub(apex_twin, start)) <= 0;
  return convex ? fmax(rise, rise_twin) : fmin(rise, rise_twin);
}

/// Whether a direction rises above all faces around a vertex, 1, or falls below all, -1; 0:
/// neither, or not by more than rounding.
static int side_of_all_faces(const ts_surface *surface, uint32_t vertex, ts_vec3 direction,
                             double sine) {
  double low = INFINITY, high = -INFINITY;
  for (uint32_t i = surface->fan_start[vertex]; i < surface->fan_start[vertex + 1]; i++) {
    double rise = ts_vec3_dot(direction, surface->face_normals[surface->fan[i] / 3]);
    low = ts_min(low, rise);
    high = ts_max(high, rise);
  }
  return low > sine + TS_ROUNDING_RELATIVE ? 1 : high < -TS_ROUNDING_RELATIVE ? -1 : 0;
}

/// The surface around a vertex intersects the sphere of directions in a closed curve. At the point
/// of that curve closest to the direction, which lies within a face or on an edge, the normal
/// decides between outside and inside.
static double rise_from_vertex(const ts_surface *surface, uint32_t vertex, ts_vec3 direction) {
  const ts_mesh *mesh = surface->mesh;
  ts_vec3 apex = mesh->vertices[vertex];
  double best_cosine = -INFINITY, rise = 0;
  for (uint32_t i = surface->fan_start[vertex]; i < surface->fan_start[vertex + 1]; i++) {
    uint32_t h = surface->fan[i], next = next_corner(h);
    ts_vec3 normal = surface->face_normals[h / 3];
    ts_vec3 first = ts_vec3_unit(ts_vec3_sub(mesh->vertices[start_vertex(mesh, next)], apex));
    ts_vec3 second =
        ts_vec3_unit(ts_vec3_sub(mesh->vertices[start_vertex(mesh, next_corner(next))], apex));

    double cosine = ts_vec3_dot(direction, first);
    if (cosine > best_cosine) {
      ts_vec3 normal_twin = surface->face_normals[mesh->edge_twin[h] / 3];
      best_cosine = cosine;
      rise = ts_vec3_dot(direction, ts_vec3_add(normal, normal_twin));
    }
    double height = ts_vec3_dot(direction, normal);
    ts_vec3 flat = ts_vec3_add_scaled(direction, -height, normal);
    bool within = ts_vec3_dot(ts_vec3_cross(first, flat), normal) > 0 &&
                  ts_vec3_dot(ts_vec3_cross(flat, second), normal) > 0;
    cosine = ts_vec3_norm(flat);
    if (within && cosine > best_cosine) {
      best_cosine = cosine;
      rise = height;
    }
  }
  return rise;
}

bool ts_surface_is_outward(const ts_surface *surface, ts_feature feature, ts_vec3 direction,
                           double sine) {
  switch ((ts_feature_kind)feature.kind) {
  case TS_FEATURE_VERTEX: {
    int side = side_of_all_faces(surface, feature.index, direction, sine);
    return side ? side > 0 : rise_from_vertex(surface, feature.index, direction) > sine;
  }
  case TS_FEATURE_EDGE:
    return rise_from_edge(surface, feature.index, direction) > sine;
  case TS_FEATURE_FACE:
    return ts_vec3_dot(direction, surface->face_normals[feature.index]) > sine;
  case TS_FEATURE_NONE:
    break;
  }
  return false;
}
