// SPDX-License-Identifier: MIT
#include "geometry/mesh/mesh_offset.h"

#include "base/status.h"
#include "geometry/closest.h"
#include "geometry/tolerances.h"

#include <stdio.h>
#include <string.h>

/// The triangle corners around each vertex: corner 3 t + i is corner i of triangle t.
typedef struct vertex_fans {
  const ts_mesh *mesh;
  const uint32_t *starts;  ///< [vertex_count + 1], into corners
  const uint32_t *corners; ///< [3 * triangle_count]
  const ts_vec3 *normals;  ///< [triangle_count], unit
} vertex_fans;

static ts_status collect_fans(vertex_fans *out, ts_arena *arena, const ts_mesh *mesh) {
  size_t corner_count = 3 * mesh->triangle_count;
  // One entry more than the starts themselves: they are shifted by one while they are counted.
  uint32_t *starts = ts_arena_array(arena, mesh->vertex_count + 2, sizeof *starts);
  uint32_t *corners = ts_arena_array(arena, corner_count, sizeof *corners);
  ts_vec3 *normals = ts_arena_array(arena, mesh->triangle_count, sizeof *normals);
  if (!starts || !corners || !normals)
    return TS_E_MEMORY;
  for (size_t c = 0; c < corner_count; c++)
    starts[mesh->triangles[c / 3][c % 3] + 2]++;
  for (size_t v = 0; v < mesh->vertex_count; v++)
    starts[v + 2] += starts[v + 1];
  for (size_t c = 0; c < corner_count; c++)
    corners[starts[mesh->triangles[c / 3][c % 3] + 1]++] = (uint32_t)c;
  for (size_t t = 0; t < mesh->triangle_count; t++)
    normals[t] = ts_mesh_face_normal(mesh, t);
  *out = (vertex_fans){mesh, starts, corners, normals};
  return TS_OK;
}

static double corner_angle(const ts_mesh *mesh, uint32_t corner) {
  const uint32_t *v = mesh->triangles[corner / 3];
  ts_vec3 at = mesh->vertices[v[corner % 3]];
  ts_vec3 to_next = ts_vec3_sub(mesh->vertices[v[(corner + 1) % 3]], at);
  ts_vec3 to_last = ts_vec3_sub(mesh->vertices[v[(corner + 2) % 3]], at);
  return ts_vec3_angle(to_next, to_last);
}

/// How far a vertex moves, given its fan [count > 0].
typedef ts_status (*find_move)(ts_vec3 *out, const vertex_fans *fans, uint32_t vertex,
                               double distance_m);

static ts_status move_along_normal(ts_vec3 *out, const vertex_fans *fans, uint32_t vertex,
                                   double distance_m) {
  ts_vec3 sum = {0, 0, 0};
  double angles = 0;
  for (uint32_t k = fans->starts[vertex]; k < fans->starts[vertex + 1]; k++) {
    double angle = corner_angle(fans->mesh, fans->corners[k]);
    sum = ts_vec3_add_scaled(sum, angle, fans->normals[fans->corners[k] / 3]);
    angles += angle;
  }
  if (!(ts_vec3_norm(sum) > TS_VERTEX_NORMAL_LENGTH * angles))
    return ts_fail(TS_E_INPUT,
                   "vertex %u has no normal to be moved along, the faces around it cancel: give "
                   "sheets that meet there their own vertices",
                   vertex);
  *out = ts_vec3_scale(ts_vec3_unit(sum), distance_m);
  return TS_OK;
}

/// The normal in the fan with the largest part outside the span of `basis` [rank], that part in
/// `out_rest`; the first of equals.
static ts_vec3 most_independent(ts_vec3 *out_rest, const vertex_fans *fans, uint32_t vertex,
                                const ts_vec3 *basis, int rank) {
  ts_vec3 best = {0, 0, 0};
  double largest = -1;
  for (uint32_t k = fans->starts[vertex]; k < fans->starts[vertex + 1]; k++) {
    ts_vec3 normal = fans->normals[fans->corners[k] / 3], rest = normal;
    // Twice: once leaves a rounding error along the basis that is large against a small rest.
    for (int pass = 0; pass < 2; pass++)
      for (int i = 0; i < rank; i++)
        rest = ts_vec3_add_scaled(rest, -ts_vec3_dot(rest, basis[i]), basis[i]);
    double length = ts_vec3_norm(rest);
    if (length > largest) {
      largest = length;
      best = normal;
      *out_rest = rest;
    }
  }
  return best;
}

/// The shortest move with normal . move = distance for every plane of the fan. The planes are taken
/// in the order of what they add to the span of the others; a plane that adds less than
/// TS_SAME_PLANE_SINE adds nothing, so that coplanar triangles count once.
static ts_status move_to_planes(ts_vec3 *out, const vertex_fans *fans, uint32_t vertex,
                                double distance_m) {
  ts_vec3 basis[3], move = {0, 0, 0};
  for (int rank = 0; rank < 3; rank++) {
    ts_vec3 rest = {0, 0, 0};
    ts_vec3 normal = most_independent(&rest, fans, vertex, basis, rank);
    double length = ts_vec3_norm(rest);
    if (length < TS_SAME_PLANE_SINE)
      break;
    basis[rank] = ts_vec3_scale(rest, 1 / length);
    double missing = distance_m - ts_vec3_dot(normal, move);
    move = ts_vec3_add_scaled(move, missing / ts_vec3_dot(normal, basis[rank]), basis[rank]);
  }
  for (uint32_t k = fans->starts[vertex]; k < fans->starts[vertex + 1]; k++) {
    ts_vec3 normal = fans->normals[fans->corners[k] / 3];
    double miss = fabs(ts_vec3_dot(normal, move) - distance_m);
    if (!(miss <= TS_OFFSET_RELATIVE * fabs(distance_m)))
      return ts_fail(TS_E_INPUT,
                     "vertex %u misses the offset plane of triangle %u by %.3g of the offset: the "
                     "planes around it have no common point; use the offset along vertex normals",
                     vertex, fans->corners[k] / 3, miss / fabs(distance_m));
  }
  *out = move;
  return TS_OK;
}

/// Refuses moved vertices with which a triangle turns over or an edge between two planes turns
/// round, as they do where the body was too thin. The volume may well stay above zero.
static ts_status check_not_inverted(const ts_vec3 *moved, const vertex_fans *fans,
                                    double distance_m) {
  const ts_mesh *mesh = fans->mesh;
  ts_mesh result = *mesh;
  result.vertices = moved;
  for (size_t t = 0; t < mesh->triangle_count; t++) {
    ts_vec3 normal = fans->normals[t];
    if (!(ts_vec3_dot(ts_mesh_face_normal(&result, t), normal) > 0))
      return ts_fail(TS_E_INPUT,
                     "triangle %zu turns over when the surface moves by %g m: the body is too thin "
                     "there; move it by less",
                     t, distance_m);
    for (int i = 0; i < 3; i++) {
      size_t twin = mesh->edge_twin[3 * t + (size_t)i];
      if (ts_vec3_norm(ts_vec3_cross(normal, fans->normals[twin / 3])) < TS_SAME_PLANE_SINE)
        continue;
      uint32_t from = mesh->triangles[t][i], to = mesh->triangles[t][(i + 1) % 3];
      ts_vec3 before = ts_vec3_sub(mesh->vertices[to], mesh->vertices[from]);
      if (!(ts_vec3_dot(before, ts_vec3_sub(moved[to], moved[from])) > 0))
        return ts_fail(TS_E_INPUT,
                       "edge %u-%u turns round when the surface moves by %g m: the body is too "
                       "thin there; move it by less",
                       from, to, distance_m);
    }
  }
  return TS_OK;
}

/// Vertices that no triangle uses, such as those inside of tets, stay where they are.
static ts_status move_vertices(ts_vec3 *moved, const vertex_fans *fans, double distance_m,
                               find_move find) {
  for (uint32_t v = 0; v < fans->mesh->vertex_count; v++) {
    ts_vec3 move = {0, 0, 0};
    if (distance_m != 0 && fans->starts[v] < fans->starts[v + 1])
      TS_TRY(find(&move, fans, v, distance_m));
    moved[v] = ts_vec3_add(fans->mesh->vertices[v], move);
  }
  return TS_OK;
}

static ts_status offset_in(ts_arena *scratch, ts_mesh **out, ts_arena *arena, const ts_mesh *mesh,
                           double distance_m, find_move find) {
  vertex_fans fans;
  TS_TRY(collect_fans(&fans, scratch, mesh));
  ts_vec3 *moved = ts_arena_array(scratch, mesh->vertex_count, sizeof *moved);
  if (!moved)
    return TS_E_MEMORY;
  TS_TRY(move_vertices(moved, &fans, distance_m, find));
  TS_TRY(check_not_inverted(moved, &fans, distance_m));
  ts_status status = ts_mesh_with_vertices(out, arena, mesh, moved);
  if (status != TS_E_INPUT)
    return status;
  char reason[512];
  snprintf(reason, sizeof reason, "%s", ts_status_detail());
  return ts_fail(status,
                 "no valid body is left when the surface moves by %g m; move it by less (%s)",
                 distance_m, reason);
}

static ts_status offset(ts_mesh **out, ts_arena *arena, const ts_mesh *mesh, double distance_m,
                        find_move find) {
  if (!isfinite(distance_m))
    return ts_fail(TS_E_INPUT, "a surface cannot be moved by %g m: give a finite offset",
                   distance_m);
  ts_arena *scratch;
  TS_TRY(ts_arena_create(&scratch));
  ts_status status = offset_in(scratch, out, arena, mesh, distance_m, find);
  ts_arena_destroy(scratch);
  return status;
}

ts_status ts_mesh_offset_vertices(ts_mesh **out, ts_arena *arena, const ts_mesh *mesh,
                                  double distance_m) {
  return offset(out, arena, mesh, distance_m, move_along_normal);
}

ts_status ts_mesh_offset_faces(ts_mesh **out, ts_arena *arena, const ts_mesh *mesh,
                               double distance_m) {
  return offset(out, arena, mesh, distance_m, move_to_planes);
}

/// What a triangle has at a point in its plane of a quantity given at its corners.
static double interpolate(const ts_vec3 corners[3], ts_vec3 p, const double values[3]) {
  ts_vec3 normal =
      ts_vec3_cross(ts_vec3_sub(corners[1], corners[0]), ts_vec3_sub(corners[2], corners[0]));
  double sum = 0;
  for (int i = 0; i < 3; i++) {
    ts_vec3 from = corners[(i + 1) % 3], to = corners[(i + 2) % 3];
    ts_vec3 part = ts_vec3_cross(ts_vec3_sub(to, from), ts_vec3_sub(p, from));
    sum += values[i] * ts_vec3_dot(part, normal);
  }
  return sum / ts_vec3_norm2(normal);
}

static double offset_along(const ts_mesh *mesh, const ts_mesh *moved, ts_vec3 point,
                           ts_vec3 outward, double least_cosine) {
  double nearest_m = INFINITY, found_m = (double)NAN;
  for (size_t t = 0; t < moved->triangle_count; t++) {
    if (!(ts_vec3_dot(ts_mesh_face_normal(moved, t), outward) > least_cosine))
      continue;
    ts_vec3 corners[3];
    double along_m[3];
    for (int i = 0; i < 3; i++) {
      uint32_t v = moved->triangles[t][i];
      corners[i] = moved->vertices[v];
      along_m[i] = ts_vec3_dot(ts_vec3_sub(corners[i], mesh->vertices[v]), outward);
    }
    ts_closest_on_triangle closest = ts_closest_point_triangle(point, corners);
    if (closest.distance_m < nearest_m) {
      nearest_m = closest.distance_m;
      found_m = interpolate(corners, closest.point, along_m);
    }
  }
  return found_m;
}

double ts_mesh_offset_along(const ts_mesh *mesh, const ts_mesh *moved, ts_vec3 point,
                            ts_vec3 outward) {
  if (moved->vertex_count < mesh->vertex_count || moved->triangle_count != mesh->triangle_count ||
      memcmp(moved->triangles, mesh->triangles, mesh->triangle_count * sizeof *mesh->triangles) !=
          0)
    return (double)NAN;
  double offset_m = offset_along(mesh, moved, point, outward, 0.5);
  return isnan(offset_m) ? offset_along(mesh, moved, point, outward, 0) : offset_m;
}
