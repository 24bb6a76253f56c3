// SPDX-License-Identifier: MIT
#include "methods/pressure/pressure_body.h"

#include "base/status.h"
#include "geometry/distance/mesh_nearest.h"
#include "geometry/mesh/body.h"
#include "geometry/tet.h"
#include "methods/pressure/pressure_split.h"

#include <math.h>

/// Of the surface alone: vertices that only tets use do not matter.
static ts_status is_convex(bool *out, ts_arena *arena, const ts_mesh *mesh) {
  bool *is_used = ts_arena_array(arena, mesh->vertex_count, sizeof *is_used);
  if (!is_used)
    return TS_E_MEMORY;
  ts_mesh surface = *mesh;
  surface.vertex_count = 0; // of which convexity takes only the number
  for (size_t i = 0; i < 3 * mesh->triangle_count; i++) {
    uint32_t v = mesh->triangles[i / 3][i % 3];
    surface.vertex_count += !is_used[v];
    is_used[v] = true;
  }
  const ts_shape shape = {.mesh = &surface, .bounds_local = ts_mesh_bounds(mesh)};
  *out = ts_shape_is_convex(&shape);
  return TS_OK;
}

/// Distances of the points from the surface, 0 on it.
static ts_status find_depths(double **out, ts_arena *arena, const ts_pressure_body *body,
                             const ts_pressure_tets *tets) {
  double *depths = ts_arena_array(arena, tets->point_count, sizeof *depths);
  if (!depths)
    return TS_E_MEMORY;
  for (size_t i = 0; i < tets->point_count; i++) {
    if (tets->on_surface[i])
      continue;
    ts_mesh_nearest nearest;
    TS_TRY(ts_mesh_find_nearest(&nearest, body->mesh, body->triangle_bvh, tets->points[i], 0));
    depths[i] = nearest.at.distance_m;
  }
  *out = depths;
  return TS_OK;
}

static ts_aabb bounds(const ts_vec3 corners[4]) {
  ts_aabb box = ts_aabb_empty();
  for (int i = 0; i < 4; i++)
    box = ts_aabb_add(box, corners[i]);
  return box;
}

/// The deepest node of any tet; points that no tet uses do not count.
static double deepest(const ts_pressure_tets *tets, const double *depths) {
  double depth_m = 0;
  for (size_t t = 0; t < tets->tet_count; t++)
    for (int i = 0; i < 4; i++)
      depth_m = ts_max(depth_m, depths[tets->tets[t][i]]);
  return depth_m;
}

static ts_status take_tets(ts_pressure_body *body, ts_arena *scratch, const ts_pressure_tets *tets,
                           const double *depths) {
  body->tet_count = tets->tet_count;
  body->flat_count = tets->flat_count;
  body->depth_m = deepest(tets, depths);
  body->tets = ts_arena_array(body->arena, tets->tet_count, sizeof *body->tets);
  ts_aabb *boxes = ts_arena_array(scratch, tets->tet_count, sizeof *boxes);
  if (!body->tets || !boxes)
    return TS_E_MEMORY;
  for (size_t t = 0; t < tets->tet_count; t++) {
    ts_pressure_tet *tet = &body->tets[t];
    bool has_pressure = false;
    for (int i = 0; i < 4; i++) {
      uint32_t node = tets->tets[t][i];
      tet->corners[i] = tets->points[node];
      tet->pressure[i] = depths[node] > 0 ? depths[node] / body->depth_m : 0;
      has_pressure |= tet->pressure[i] > 0;
    }
    tet->surface = tets->faces[t];
    body->still_count += !has_pressure;
    boxes[t] = bounds(tet->corners);
  }
  return ts_bvh_create(&body->tet_bvh, body->arena, boxes, tets->tet_count);
}

static ts_status fill(ts_pressure_body *body, ts_arena *scratch) {
  bool convex = false;
  ts_pressure_tets tets;
  double *depths;
  TS_TRY(ts_bvh_create_for_mesh(&body->triangle_bvh, body->arena, body->mesh));
  TS_TRY(is_convex(&convex, scratch, body->mesh));
  if (!convex && body->mesh->tet_count == 0)
    return ts_fail(TS_E_INPUT, "the mesh is not convex and has no tetrahedra; fill it before using "
                               "this method");
  TS_TRY(convex ? ts_pressure_fan(&tets, scratch, body->mesh)
                : ts_pressure_split(&tets, scratch, body->mesh));
  TS_TRY(find_depths(&depths, scratch, body, &tets));
  return take_tets(body, scratch, &tets, depths);
}

ts_status ts_pressure_body_create(ts_pressure_body **out, const ts_mesh *mesh) {
  ts_arena *arena, *scratch;
  TS_TRY(ts_arena_create(&arena));
  ts_status status = ts_arena_create(&scratch);
  ts_pressure_body *body = NULL;
  if (status == TS_OK) {
    body = ts_arena_alloc(arena, sizeof *body);
    status = TS_E_MEMORY;
    if (body) {
      *body = (ts_pressure_body){.arena = arena, .mesh = mesh};
      status = fill(body, scratch);
    }
    ts_arena_destroy(scratch);
  }
  if (status != TS_OK)
    ts_arena_destroy(arena);
  else
    *out = body;
  return status;
}

double ts_linear_at(const ts_linear *linear, ts_vec3 point) {
  return linear->value + ts_vec3_dot(linear->slope, ts_vec3_sub(point, linear->at));
}

bool ts_pressure_place(ts_placed_tet *out, const ts_pressure_tet *tet, ts_pose to_frame) {
  out->tet = tet;
  for (int i = 0; i < 4; i++)
    out->corners[i] = ts_pose_point(to_frame, tet->corners[i]);
  ts_vec3 slope = {0, 0, 0};
  for (int i = 0; i < 4; i++) {
    const int *f = ts_tet_face_nodes[i];
    ts_vec3 on_face = out->corners[f[0]];
    ts_vec3 normal = ts_vec3_cross(ts_vec3_sub(out->corners[f[1]], on_face),
                                   ts_vec3_sub(out->corners[f[2]], on_face));
    double volume = ts_vec3_dot(normal, ts_vec3_sub(out->corners[i], on_face)), // times 6
        length = ts_vec3_norm(normal);
    if (volume == 0 || length == 0)
      return false;
    ts_vec3 inward = ts_vec3_scale(normal, (volume < 0 ? -1 : 1) / length);
    out->heights[i] = (ts_linear){inward, on_face, 0};
    // The share of the corner in a point is 1 at the corner and 0 on the face.
    slope = ts_vec3_add_scaled(slope, tet->pressure[i] / volume, normal);
  }
  out->pressure = (ts_linear){slope, out->corners[0], tet->pressure[0]};
  return true;
}
