// SPDX-License-Identifier: MIT
#include "geometry/solid/solid_features.h"

#include "base/array.h"
#include "base/status.h"
#include "geometry/closest.h"
#include "geometry/mesh/mesh.h"
#include "geometry/polygon.h"
#include "geometry/tolerances.h"

#define PI 3.14159265358979323846

// ---- flat faces -------------------------------------------------------------------------------

typedef struct flat_list {
  ts_arena *arena;
  size_t count, capacity;
  ts_solid_flat *flats;
} flat_list;

static ts_status add_flat(flat_list *list, ts_solid_flat flat) {
  TS_TRY(TS_ARENA_GROW(list->flats, list->capacity, list->count, 1, list->arena));
  list->flats[list->count++] = flat;
  return TS_OK;
}

/// A regular polygon with sides that touch the circle, counter-clockwise about its axis.
static ts_status add_polygon(flat_list *list, ts_vec3 centre, ts_vec3 axis, double radius_m,
                             size_t count, const ts_solid_disc *disc) {
  ts_vec3 *corners = ts_arena_array(list->arena, count, sizeof *corners);
  if (!corners)
    return TS_E_MEMORY;
  ts_vec3 u, v;
  ts_vec3_tangents(&u, &v, axis);
  double corner_m = radius_m / cos(PI / (double)count);
  for (size_t i = 0; i < count; i++) {
    double angle = 2 * PI * (double)i / (double)count;
    ts_vec3 corner = ts_vec3_add_scaled(centre, corner_m * cos(angle), u);
    corners[i] = ts_vec3_add_scaled(corner, corner_m * sin(angle), v);
  }
  return add_flat(list, (ts_solid_flat){axis, count, corners, disc});
}

static bool is_in_plane(const ts_solid *solid, size_t triangle, ts_vec3 at, ts_vec3 normal,
                        double touch_m) {
  for (int i = 0; i < 3; i++) {
    ts_vec3 corner = solid->vertices[solid->mesh->triangles[triangle][i]];
    if (!(fabs(ts_vec3_dot(normal, ts_vec3_sub(corner, at))) <= touch_m))
      return false;
  }
  return true;
}

/// The face of a mesh that a triangle is of: all triangles in its plane.
static ts_status add_face(flat_list *list, const ts_solid *solid, size_t first, bool *is_done,
                          double angle_rad, double touch_m) {
  const ts_mesh *mesh = solid->mesh;
  ts_vec3 normal = ts_pose_direction(solid->pose, ts_mesh_face_normal(mesh, first));
  ts_vec3 at = solid->vertices[mesh->triangles[first][0]];
  ts_vec3 *points = ts_arena_array(list->arena, 3 * mesh->triangle_count, sizeof *points);
  if (!points)
    return TS_E_MEMORY;
  size_t count = 0;
  for (size_t t = first; t < mesh->triangle_count; t++) {
    ts_vec3 other = ts_pose_direction(solid->pose, ts_mesh_face_normal(mesh, t));
    if (is_done[t] || ts_vec3_distance(other, normal) > 2 * angle_rad ||
        !is_in_plane(solid, t, at, normal, touch_m))
      continue;
    is_done[t] = true;
    for (int i = 0; i < 3; i++)
      points[count++] = solid->vertices[mesh->triangles[t][i]];
  }
  ts_vec3 *corners = ts_arena_array(list->arena, count, sizeof *corners);
  if (!corners)
    return TS_E_MEMORY;
  ts_solid_flat flat = {.normal = normal, .corners = corners};
  TS_TRY(ts_hull_in_plane(corners, &flat.count, list->arena, points, count, normal, touch_m));
  return flat.count >= 3 ? add_flat(list, flat) : TS_OK;
}

static ts_status add_faces(flat_list *list, const ts_solid *solid, ts_vec3 outward,
                           double angle_rad, double touch_m) {
  const ts_mesh *mesh = solid->mesh;
  bool *is_done = ts_arena_array(list->arena, mesh->triangle_count, sizeof *is_done);
  if (!is_done)
    return TS_E_MEMORY;
  for (size_t t = 0; t < mesh->triangle_count; t++)
    if (!is_done[t] &&
        ts_vec3_distance(ts_pose_direction(solid->pose, ts_mesh_face_normal(mesh, t)), outward) <=
            angle_rad)
      TS_TRY(add_face(list, solid, t, is_done, angle_rad, touch_m));
  return TS_OK;
}

ts_status ts_solid_list_flats(ts_solid_flat **out, size_t *out_count, ts_arena *arena,
                              const ts_solid *solid, ts_vec3 outward, double angle_rad,
                              double touch_m, ts_vec3 near, double reach_m) {
  flat_list list = {.arena = arena};
  if (solid->mesh)
    TS_TRY(add_faces(&list, solid, outward, angle_rad, touch_m));
  for (size_t i = 0; i < solid->disc_count; i++) {
    const ts_solid_disc *d = &solid->discs[i];
    if (ts_vec3_distance(d->axis, outward) <= angle_rad)
      TS_TRY(add_polygon(&list, d->centre, d->axis, d->radius_m, TS_SOLID_DISC_CORNERS, d));
  }
  if (solid->is_half_space) {
    ts_vec3 normal = solid->faces[0];
    double height_m = ts_vec3_dot(normal, ts_vec3_sub(near, solid->points[0]));
    ts_vec3 centre = ts_vec3_add_scaled(near, -height_m, normal);
    TS_TRY(add_polygon(&list, centre, normal, 2 * reach_m, 4, NULL));
  }
  *out = list.flats;
  *out_count = list.count;
  return TS_OK;
}

// ---- straight lines ---------------------------------------------------------------------------

ts_status ts_solid_list_lines(ts_solid_line **out, size_t *out_count, ts_arena *arena,
                              const ts_solid *solid, ts_vec3 outward, double angle_rad,
                              double touch_m) {
  ts_solid_line *lines = ts_arena_array(arena, solid->edge_count + 1, sizeof *lines);
  if (!lines)
    return TS_E_MEMORY;
  size_t count = 0;
  double farthest_m = solid->is_half_space ? 0 : ts_solid_reach(solid, outward) - solid->round_m;
  for (size_t i = 0; i < solid->edge_count; i++) {
    const ts_vec3 *ends = solid->edges[i];
    double along_m = fmax(ts_vec3_dot(ends[0], outward), ts_vec3_dot(ends[1], outward));
    ts_vec3 along = ts_vec3_unit(ts_vec3_sub(ends[1], ends[0]));
    if (farthest_m - along_m > touch_m || fabs(ts_vec3_dot(along, outward)) > angle_rad)
      continue;
    // The line of a capsule is at right angles to its axis, not all the way along `outward`.
    ts_vec3 across = ts_solid_radial(along, outward);
    for (int k = 0; k < 2; k++)
      lines[count].ends[k] = ts_vec3_add_scaled(ends[k], solid->round_m, across);
    count++;
  }
  if (solid->has_side && fabs(ts_vec3_dot(outward, solid->axis) - solid->side_sine) <= angle_rad) {
    ts_vec3 radial = ts_solid_radial(solid->axis, outward);
    bool is_cone = solid->disc_count == 1;
    ts_vec3 low = solid->discs[0].centre,
            high = is_cone ? solid->points[0] : solid->discs[1].centre;
    lines[count].ends[0] = ts_vec3_add_scaled(low, solid->discs[0].radius_m, radial);
    lines[count++].ends[1] =
        ts_vec3_add_scaled(high, is_cone ? 0 : solid->discs[1].radius_m, radial);
  }
  *out = lines;
  *out_count = count;
  return TS_OK;
}

// ---- sharp places -----------------------------------------------------------------------------

/// Adds a direction that is not among them; false when there is no room.
static bool add_direction(ts_vec3 *directions, size_t *count, ts_vec3 direction, double same) {
  for (size_t i = 0; i < *count; i++)
    if (ts_vec3_distance(directions[i], direction) <= same)
      return true;
  if (*count == TS_SOLID_RAYS_MAX)
    return false;
  directions[(*count)++] = direction;
  return true;
}

static void look_at_mesh(ts_solid_corner *out, const ts_solid *solid, ts_vec3 point,
                         double touch_m) {
  bool has_room = true;
  for (size_t t = 0; t < solid->mesh->triangle_count; t++) {
    ts_vec3 corners[3];
    for (int i = 0; i < 3; i++)
      corners[i] = solid->vertices[solid->mesh->triangles[t][i]];
    if (ts_closest_point_triangle(point, corners).distance_m <= touch_m)
      has_room &= add_direction(out->rays, &out->ray_count,
                                ts_pose_direction(solid->pose, ts_mesh_face_normal(solid->mesh, t)),
                                TS_SAME_NORMAL);
  }
  for (size_t i = 0; i < solid->edge_count; i++) {
    const ts_vec3 *ends = solid->edges[i];
    ts_vec3 on_edge =
        ts_vec3_lerp(ends[0], ends[1], ts_closest_point_segment(point, ends[0], ends[1]));
    if (ts_vec3_distance(on_edge, point) <= touch_m)
      has_room &= add_direction(out->edges, &out->edge_count,
                                ts_vec3_unit(ts_vec3_sub(ends[1], ends[0])), TS_SAME_NORMAL);
  }
  if (!has_room)
    out->ray_count = 0;
}

/// The normal of the side along a radial direction.
static ts_vec3 side_normal(const ts_solid *solid, ts_vec3 radial) {
  double cosine = sqrt(fmax(0, 1 - solid->side_sine * solid->side_sine));
  return ts_vec3_add_scaled(ts_vec3_scale(radial, cosine), solid->side_sine, solid->axis);
}

static void look_at_apex(ts_solid_corner *out, const ts_solid *solid) {
  ts_vec3 u, v;
  ts_vec3_tangents(&u, &v, solid->axis);
  for (int i = 0; i < TS_SOLID_APEX_RAYS; i++) {
    double angle = 2 * PI * i / TS_SOLID_APEX_RAYS;
    ts_vec3 radial = ts_vec3_add(ts_vec3_scale(u, cos(angle)), ts_vec3_scale(v, sin(angle)));
    ts_vec3 rim = ts_vec3_add_scaled(solid->discs[0].centre, solid->discs[0].radius_m, radial);
    out->rays[out->ray_count++] = side_normal(solid, radial);
    out->edges[out->edge_count++] = ts_vec3_unit(ts_vec3_sub(rim, solid->points[0]));
  }
}

void ts_solid_look_at_corner(ts_solid_corner *out, const ts_solid *solid, ts_vec3 point,
                             double touch_m) {
  out->ray_count = out->edge_count = 0;
  if (solid->mesh)
    look_at_mesh(out, solid, point, touch_m);
  if (solid->has_side && solid->point_count > 0 &&
      ts_vec3_distance(point, solid->points[0]) <= touch_m) {
    look_at_apex(out, solid);
    return;
  }
  for (size_t i = 0; i < solid->disc_count; i++) {
    const ts_solid_disc *d = &solid->discs[i];
    ts_vec3 radial = ts_solid_radial(d->axis, ts_vec3_sub(point, d->centre));
    if (ts_vec3_distance(ts_vec3_add_scaled(d->centre, d->radius_m, radial), point) > touch_m)
      continue;
    out->rays[out->ray_count++] = d->axis;
    out->rays[out->ray_count++] = side_normal(solid, radial);
    out->edges[out->edge_count++] = ts_vec3_cross(d->axis, radial);
  }
}
