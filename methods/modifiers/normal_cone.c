// SPDX-License-Identifier: MIT
#include "methods/modifiers/normal_cone.h"

#include "base/status.h"
#include "geometry/closest.h"
#include "geometry/mesh/bvh.h"
#include "geometry/mesh/mesh.h"
#include "geometry/tolerances.h"
#include "geometry/vec3.h"

#include <math.h>
#include <string.h>

/// Most edges at a vertex that are looked at; of more, as many that lie evenly around it.
enum { FAN_MAX = 48 };

struct ts_cone_mesh {
  const ts_mesh *mesh;
  ts_bvh *bvh;
  ts_arena *arena;
  uint32_t *half_edge_from; ///< [vertex_count] one that starts there; UINT32_MAX: none
};

ts_status ts_cone_mesh_create(ts_cone_mesh **out, ts_arena *arena, const ts_mesh *mesh) {
  ts_cone_mesh *m = ts_arena_alloc(arena, sizeof *m);
  if (!m)
    return TS_E_MEMORY;
  *m = (ts_cone_mesh){.mesh = mesh,
                      .arena = arena,
                      .half_edge_from =
                          ts_arena_array(arena, mesh->vertex_count, sizeof *m->half_edge_from)};
  if (!m->half_edge_from)
    return TS_E_MEMORY;
  memset(m->half_edge_from, 0xff, mesh->vertex_count * sizeof *m->half_edge_from);
  for (size_t t = mesh->triangle_count; t-- > 0;)
    for (uint32_t i = 0; i < 3; i++)
      m->half_edge_from[mesh->triangles[t][i]] = (uint32_t)(3 * t) + i;
  TS_TRY(ts_bvh_create_for_mesh(&m->bvh, arena, mesh));
  *out = m;
  return TS_OK;
}

static void corners_of(ts_vec3 out[3], const ts_mesh *mesh, uint32_t triangle) {
  for (int i = 0; i < 3; i++)
    out[i] = mesh->vertices[mesh->triangles[triangle][i]];
}

/// The nearest of each kind so far.
typedef struct nearest {
  const ts_mesh *mesh;
  ts_vec3 point;
  double reach_m;
  double distance_m[TS_FEATURE_KIND_COUNT];
  uint32_t index[TS_FEATURE_KIND_COUNT];
  ts_feature on; ///< what the nearest point of all is on
} nearest;

static bool consider(nearest *n, int kind, uint32_t index, double distance_m) {
  if (distance_m > n->distance_m[kind] ||
      (distance_m == n->distance_m[kind] && index >= n->index[kind]))
    return false;
  n->distance_m[kind] = distance_m;
  n->index[kind] = index;
  return true;
}

static ts_status visit(void *context, uint32_t triangle, uint32_t unused) {
  nearest *n = context;
  (void)unused;
  ts_vec3 corners[3];
  corners_of(corners, n->mesh, triangle);
  ts_closest_on_triangle closest = ts_closest_point_triangle(n->point, corners);
  if (consider(n, TS_FEATURE_FACE, triangle, closest.distance_m)) {
    int i = closest.corner;
    n->on = closest.kind == TS_FEATURE_VERTEX
                ? (ts_feature){TS_FEATURE_VERTEX, n->mesh->triangles[triangle][i]}
            : closest.kind == TS_FEATURE_EDGE
                ? (ts_feature){TS_FEATURE_EDGE, ts_mesh_edge_id(n->mesh, triangle, i)}
                : (ts_feature){TS_FEATURE_FACE, triangle};
  }
  for (int i = 0; i < 3; i++) {
    ts_vec3 a = corners[i], b = corners[(i + 1) % 3];
    double t = ts_closest_point_segment(n->point, a, b);
    ts_vec3 on = ts_vec3_add_scaled(a, t, ts_vec3_sub(b, a));
    consider(n, TS_FEATURE_EDGE, ts_mesh_edge_id(n->mesh, triangle, i),
             ts_vec3_distance(on, n->point));
    consider(n, TS_FEATURE_VERTEX, n->mesh->triangles[triangle][i], ts_vec3_distance(a, n->point));
  }
  return TS_OK;
}

ts_feature ts_cone_mesh_feature(const ts_cone_mesh *m, ts_vec3 point, double near_m) {
  nearest n = {.mesh = m->mesh, .point = point};
  for (int k = 0; k < TS_FEATURE_KIND_COUNT; k++)
    n.distance_m[k] = INFINITY;
  if (ts_bvh_near(m->bvh, point, near_m, visit, &n) != TS_OK)
    return (ts_feature){TS_FEATURE_NONE, 0};
  for (int kind = TS_FEATURE_VERTEX; kind <= TS_FEATURE_FACE; kind++)
    if (n.distance_m[kind] <= near_m)
      return (ts_feature){kind, n.index[kind]};
  n.reach_m = INFINITY;
  (void)ts_bvh_nearest(m->bvh, point, &n.distance_m[TS_FEATURE_FACE], visit, &n);
  return n.on;
}

bool ts_cone_mesh_has(const ts_cone_mesh *m, ts_feature feature) {
  switch (feature.kind) {
  case TS_FEATURE_VERTEX:
    return feature.index < m->mesh->vertex_count && m->half_edge_from[feature.index] != UINT32_MAX;
  case TS_FEATURE_EDGE:
    return feature.index < 3 * m->mesh->triangle_count;
  case TS_FEATURE_FACE:
    return feature.index < m->mesh->triangle_count;
  default:
    return false;
  }
}

/// Unit, along a half-edge.
static ts_vec3 direction_of(const ts_mesh *mesh, uint32_t half_edge) {
  const uint32_t *corners = mesh->triangles[half_edge / 3];
  return ts_vec3_unit(ts_vec3_sub(mesh->vertices[corners[(half_edge % 3 + 1) % 3]],
                                  mesh->vertices[corners[half_edge % 3]]));
}

/// The next half-edge that starts where this one does.
static uint32_t next_around(const ts_mesh *mesh, uint32_t half_edge) {
  return mesh->edge_twin[half_edge - half_edge % 3 + (half_edge % 3 + 2) % 3];
}

/// Ends the part that the rays since the last one make, unless there are none or no room.
static void end_part(ts_normal_cone *cone, size_t ray_count) {
  size_t before = cone->part_count > 0 ? cone->part_ends[cone->part_count - 1] : 0;
  if (ray_count > before && cone->part_count < TS_NORMAL_CONE_RAYS)
    cone->part_ends[cone->part_count++] = (uint8_t)ray_count;
}

static size_t ray_count_of(const ts_normal_cone *cone) {
  return cone->part_count > 0 ? cone->part_ends[cone->part_count - 1] : 0;
}

/// A part of one or two rays.
static void add_part(ts_normal_cone *cone, const ts_vec3 *rays, size_t count) {
  size_t next = ray_count_of(cone);
  if (next + count > TS_NORMAL_CONE_RAYS)
    return;
  for (size_t i = 0; i < count; i++)
    cone->rays[next + i] = rays[i];
  end_part(cone, next + count);
}

/// The faces of an edge: one part when it is convex or flat, else one each.
static bool add_edge(ts_normal_cone *cone, const ts_mesh *mesh, uint32_t half_edge) {
  uint32_t twin = mesh->edge_twin[half_edge];
  const ts_vec3 normals[2] = {ts_mesh_face_normal(mesh, half_edge / 3),
                              ts_mesh_face_normal(mesh, twin / 3)};
  ts_vec3 into_right = ts_vec3_cross(normals[1], direction_of(mesh, twin));
  bool is_concave = ts_vec3_dot(normals[0], into_right) > TS_FLAT_EDGE_SINE;
  if (is_concave) {
    add_part(cone, &normals[0], 1);
    add_part(cone, &normals[1], 1);
  } else {
    add_part(cone, normals, 2);
  }
  return is_concave;
}

/// The edges at a vertex and the normals of the faces between them.
typedef struct fan {
  size_t count;
  bool is_whole; ///< these are all
  ts_vec3 edges[FAN_MAX], normals[FAN_MAX];
} fan;

static void find_fan(fan *out, const ts_mesh *mesh, uint32_t first) {
  size_t total = 0, index = 0;
  uint32_t h = first;
  do
    total++;
  while ((h = next_around(mesh, h)) != first);
  size_t stride = (total + FAN_MAX - 1) / FAN_MAX;
  out->count = 0;
  out->is_whole = stride == 1;
  do {
    if (index++ % stride == 0) {
      out->edges[out->count] = direction_of(mesh, h);
      out->normals[out->count++] = ts_mesh_face_normal(mesh, h / 3);
    }
  } while ((h = next_around(mesh, h)) != first);
}

/// Whether no edge rises along a direction that is out of some face. In a flat fan the opposite of
/// the normal does not rise, either.
static bool is_extreme(const fan *f, ts_vec3 direction) {
  bool is_outward = false;
  for (size_t i = 0; i < f->count; i++) {
    if (ts_vec3_dot(direction, f->edges[i]) > TS_FLAT_EDGE_SINE)
      return false;
    is_outward = is_outward || ts_vec3_dot(direction, f->normals[i]) > TS_FLAT_EDGE_SINE;
  }
  return is_outward;
}

static void add_ray(ts_normal_cone *cone, size_t *count, ts_vec3 ray) {
  for (size_t i = ray_count_of(cone); i < *count; i++)
    if (ts_vec3_distance(cone->rays[i], ray) <= TS_SAME_NORMAL)
      return;
  if (*count < TS_NORMAL_CONE_RAYS)
    cone->rays[(*count)++] = ray;
}

/// All directions that no edge rises along: spanned by those across two edges.
static void add_extreme(ts_normal_cone *cone, const fan *f) {
  size_t count = ray_count_of(cone);
  for (size_t i = 0; i < f->count; i++)
    for (size_t k = 0; k < i; k++) {
      ts_vec3 across = ts_vec3_cross(f->edges[i], f->edges[k]);
      double length = ts_vec3_norm(across);
      if (!(length > TS_FLAT_EDGE_SINE))
        continue;
      for (int way = 0; way < 2; way++) {
        ts_vec3 ray = ts_vec3_scale(across, (way ? -1 : 1) / length);
        if (is_extreme(f, ray))
          add_ray(cone, &count, ray);
      }
    }
  end_part(cone, count);
}

static void add_vertex(ts_normal_cone *cone, const ts_mesh *mesh, uint32_t first) {
  ts_normal_cone around = {.part_count = 0};
  bool any_concave = false;
  fan f;
  find_fan(&f, mesh, first);
  uint32_t h = first;
  do
    any_concave = add_edge(&around, mesh, h) || any_concave;
  while ((h = next_around(mesh, h)) != first);
  if (!any_concave && !f.is_whole) { // of very many edges: normals of faces all around span it
    size_t count = 0;
    for (size_t i = 0; i < f.count; i++)
      add_ray(cone, &count, f.normals[i]);
    end_part(cone, count);
    return;
  }
  add_extreme(cone, &f);
  for (size_t p = 0, begin = 0; any_concave && p < around.part_count; p++) {
    add_part(cone, &around.rays[begin], around.part_ends[p] - begin);
    begin = around.part_ends[p];
  }
}

void ts_normal_cone_find(ts_normal_cone *out, const ts_cone_mesh *mesh, ts_feature feature) {
  out->part_count = 0;
  switch (feature.kind) {
  case TS_FEATURE_VERTEX:
    add_vertex(out, mesh->mesh, mesh->half_edge_from[feature.index]);
    break;
  case TS_FEATURE_EDGE:
    (void)add_edge(out, mesh->mesh, feature.index);
    break;
  case TS_FEATURE_FACE: {
    ts_vec3 normal = ts_mesh_face_normal(mesh->mesh, feature.index);
    add_part(out, &normal, 1);
    break;
  }
  default:
    break;
  }
}

ts_vec3 ts_normal_cone_closest(double *out_angle_rad, const ts_normal_cone *cone,
                               ts_vec3 direction) {
  ts_vec3 closest = direction;
  *out_angle_rad = INFINITY;
  for (size_t p = 0, begin = 0; p < cone->part_count; p++) {
    ts_cone_direction found =
        ts_cone_closest(direction, &cone->rays[begin], cone->part_ends[p] - begin);
    if (found.count > 0 && found.angle_rad < *out_angle_rad) {
      *out_angle_rad = found.angle_rad;
      closest = found.direction;
    }
    begin = cone->part_ends[p];
  }
  return closest;
}

size_t ts_cone_mesh_triangles(uint32_t triangles[TS_NORMAL_CONE_RAYS], const ts_cone_mesh *mesh,
                              ts_feature feature) {
  size_t count = 0;
  switch (feature.kind) {
  case TS_FEATURE_FACE:
    triangles[count++] = feature.index;
    break;
  case TS_FEATURE_EDGE:
    triangles[count++] = feature.index / 3;
    triangles[count++] = mesh->mesh->edge_twin[feature.index] / 3;
    break;
  case TS_FEATURE_VERTEX:
    for (uint32_t first = mesh->half_edge_from[feature.index], h = first;
         count == 0 || (h != first && count < TS_NORMAL_CONE_RAYS); h = next_around(mesh->mesh, h))
      triangles[count++] = h / 3;
    break;
  default:
    break;
  }
  return count;
}
