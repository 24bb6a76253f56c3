// SPDX-License-Identifier: MIT
#include "geometry/distance/mesh_nearest.h"

#include "base/status.h"

typedef struct search {
  const ts_mesh *mesh;
  ts_vec3 from;
  double enough_m;
  ts_mesh_nearest *best;
} search;

static ts_status visit(void *context, uint32_t triangle, uint32_t none) {
  (void)none;
  search *s = context;
  const uint32_t *v = s->mesh->triangles[triangle];
  const ts_vec3 corners[3] = {s->mesh->vertices[v[0]], s->mesh->vertices[v[1]],
                              s->mesh->vertices[v[2]]};
  ts_closest_on_triangle at = ts_closest_point_triangle(s->from, corners);
  if (at.distance_m < s->best->at.distance_m)
    *s->best = (ts_mesh_nearest){at, triangle};
  return s->best->at.distance_m <= s->enough_m ? TS_SKIPPED : TS_OK;
}

ts_status ts_mesh_find_nearest(ts_mesh_nearest *out, const ts_mesh *mesh, const ts_bvh *bvh,
                               ts_vec3 from, double enough_m) {
  search s = {mesh, from, enough_m, out};
  *out = (ts_mesh_nearest){.at.distance_m = INFINITY};
  ts_status status = ts_bvh_nearest(bvh, from, &out->at.distance_m, visit, &s);
  return status == TS_SKIPPED ? TS_OK : status;
}

static double corner_angle(const ts_mesh *mesh, uint32_t half_edge) {
  const uint32_t *v = mesh->triangles[half_edge / 3];
  uint32_t i = half_edge % 3;
  ts_vec3 at = mesh->vertices[v[i]];
  return ts_vec3_angle(ts_vec3_sub(mesh->vertices[v[(i + 1) % 3]], at),
                       ts_vec3_sub(mesh->vertices[v[(i + 2) % 3]], at));
}

/// Of the faces around the start of a half-edge, as far as they are joined by edges: of sheets that
/// share a vertex only, those of one.
static ts_vec3 vertex_normal(const ts_mesh *mesh, uint32_t half_edge) {
  ts_vec3 sum = {0, 0, 0};
  uint32_t h = half_edge;
  do {
    sum = ts_vec3_add_scaled(sum, corner_angle(mesh, h), ts_mesh_face_normal(mesh, h / 3));
    h = mesh->edge_twin[3 * (h / 3) + (h % 3 + 2) % 3];
  } while (h != half_edge);
  return sum;
}

ts_vec3 ts_mesh_nearest_normal(const ts_mesh *mesh, const ts_mesh_nearest *nearest) {
  uint32_t half_edge = 3 * nearest->triangle + (uint32_t)nearest->at.corner;
  ts_vec3 normal = ts_mesh_face_normal(mesh, nearest->triangle);
  if (nearest->at.kind == TS_FEATURE_EDGE)
    return ts_vec3_add(normal, ts_mesh_face_normal(mesh, mesh->edge_twin[half_edge] / 3));
  return nearest->at.kind == TS_FEATURE_VERTEX ? vertex_normal(mesh, half_edge) : normal;
}

bool ts_mesh_is_inside_of(const ts_mesh *mesh, const ts_mesh_nearest *nearest, ts_vec3 from) {
  ts_vec3 offset = ts_vec3_sub(from, nearest->at.point);
  return ts_vec3_dot(offset, ts_mesh_nearest_normal(mesh, nearest)) < 0;
}
