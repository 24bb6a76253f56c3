// SPDX-License-Identifier: MIT
#include "geometry/solid/solid.h"

#include "base/status.h"
#include "geometry/closest.h"
#include "geometry/mesh/mesh.h"
#include "geometry/mesh/primitive_distance.h"
#include "geometry/tolerances.h"

// ---- making them ------------------------------------------------------------------------------

static ts_status add_points(ts_solid *s, ts_arena *arena, const ts_vec3 *points, size_t count) {
  s->points = ts_arena_copy(arena, points, count, sizeof *points);
  s->point_count = count;
  return s->points ? TS_OK : TS_E_MEMORY;
}

static ts_status add_edge(ts_solid *s, ts_arena *arena) {
  s->edges = ts_arena_copy(arena, s->points, 2, sizeof *s->points);
  s->edge_count = 1;
  return s->edges ? TS_OK : TS_E_MEMORY;
}

static ts_status add_faces(ts_solid *s, ts_arena *arena, const ts_vec3 *normals, size_t count) {
  s->faces = ts_arena_copy(arena, normals, count, sizeof *normals);
  s->face_count = count;
  return s->faces ? TS_OK : TS_E_MEMORY;
}

static ts_status make_turned(ts_solid *s, ts_arena *arena, ts_vec3 low, ts_vec3 high) {
  const ts_geometry *g = s->geometry;
  bool is_cone = g->kind == TS_GEOMETRY_CONE;
  const ts_vec3 ends[2] = {ts_vec3_neg(s->axis), s->axis};
  s->has_side = true;
  s->side_sine = is_cone ? g->radius_m / hypot(g->radius_m, 2 * g->half_length_m) : 0;
  s->discs[0] = (ts_solid_disc){low, ends[0], g->radius_m};
  s->discs[1] = (ts_solid_disc){high, ends[1], g->radius_m};
  s->disc_count = is_cone ? 1 : 2;
  TS_TRY(add_points(s, arena, &high, is_cone ? 1 : 0));
  return add_faces(s, arena, ends, s->disc_count);
}

ts_status ts_solid_of_geometry(ts_solid *out, ts_arena *arena, const ts_geometry *geometry,
                               ts_pose pose) {
  ts_vec3 axis = ts_pose_direction(pose, ts_vec3_make(0, 1, 0)), centre = pose.translation;
  ts_vec3 ends[2] = {ts_vec3_add_scaled(centre, -geometry->half_length_m, axis),
                     ts_vec3_add_scaled(centre, geometry->half_length_m, axis)};
  *out = (ts_solid){.geometry = geometry, .pose = pose, .axis = axis};
  switch (geometry->kind) {
  case TS_GEOMETRY_SPHERE:
    out->round_m = geometry->radius_m;
    return add_points(out, arena, &centre, 1);
  case TS_GEOMETRY_CAPSULE:
    out->round_m = geometry->radius_m;
    TS_TRY(add_points(out, arena, ends, 2));
    return add_edge(out, arena);
  case TS_GEOMETRY_CYLINDER:
  case TS_GEOMETRY_CONE:
    return make_turned(out, arena, ends[0], ends[1]);
  default: // a plane
    out->is_half_space = true;
    TS_TRY(add_points(out, arena, &centre, 1));
    return add_faces(out, arena, &axis, 1);
  }
}

/// Whether a triangle is the first of its face that a neighbour could stand for.
static bool is_first_of_face(const ts_mesh *mesh, uint32_t triangle) {
  ts_vec3 normal = ts_mesh_face_normal(mesh, triangle);
  for (uint32_t h = 3 * triangle; h < 3 * triangle + 3; h++) {
    uint32_t beside = mesh->edge_twin[h] / 3;
    if (beside < triangle &&
        ts_vec3_distance(ts_mesh_face_normal(mesh, beside), normal) < TS_CONVEX_FLAT_RIDGE)
      return false;
  }
  return true;
}

static bool is_ridge(const ts_mesh *mesh, uint32_t half_edge) {
  uint32_t twin = mesh->edge_twin[half_edge];
  return half_edge < twin &&
         !(ts_vec3_distance(ts_mesh_face_normal(mesh, half_edge / 3),
                            ts_mesh_face_normal(mesh, twin / 3)) < TS_CONVEX_FLAT_RIDGE);
}

/// What is known so far of the ridges that meet at a vertex.
typedef struct vertex_ridges {
  ts_vec3 first; ///< unit, along the first one
  size_t count;
  bool is_bent; ///< they are not two halves of one line
} vertex_ridges;

static void note_ridge(vertex_ridges *at, ts_vec3 from, ts_vec3 to) {
  ts_vec3 along = ts_vec3_unit(ts_vec3_sub(to, from));
  if (at->count++ == 0)
    at->first = along;
  else // not a number: it is kept
    at->is_bent =
        at->count > 2 || !(ts_vec3_norm(ts_vec3_add(at->first, along)) < TS_CONVEX_FLAT_RIDGE);
}

static void add_ridges(ts_solid *s, ts_vec3 (*edges)[2], vertex_ridges *ridges, uint32_t triangle) {
  const ts_mesh *mesh = s->mesh;
  for (uint32_t h = 3 * triangle; h < 3 * triangle + 3; h++) {
    if (!is_ridge(mesh, h))
      continue;
    uint32_t twin = mesh->edge_twin[h];
    uint32_t ends[2] = {mesh->triangles[triangle][h % 3], mesh->triangles[twin / 3][twin % 3]};
    for (int i = 0; i < 2; i++) {
      edges[s->edge_count][i] = s->vertices[ends[i]];
      note_ridge(&ridges[ends[i]], s->vertices[ends[i]], s->vertices[ends[1 - i]]);
    }
    s->edge_count++;
  }
}

/// Vertices inside a face or along an edge are never the only farthest ones, and every direction
/// that is tried would look at all of them.
static ts_status add_corners(ts_solid *s, ts_arena *arena, const vertex_ridges *ridges) {
  size_t count = 0, vertices = s->mesh->vertex_count;
  ts_vec3 *points = ts_arena_array(arena, vertices, sizeof *points);
  if (!points)
    return TS_E_MEMORY;
  for (size_t v = 0; v < vertices; v++)
    if (ridges[v].count == 1 || ridges[v].is_bent)
      points[count++] = s->vertices[v];
  s->points = count > 0 ? points : s->vertices;
  s->point_count = count > 0 ? count : vertices;
  return TS_OK;
}

ts_status ts_solid_of_mesh(ts_solid *out, ts_arena *arena, const ts_mesh *mesh, ts_pose pose) {
  size_t triangles = mesh->triangle_count;
  ts_vec3 *vertices = ts_arena_array(arena, mesh->vertex_count, sizeof *vertices);
  ts_vec3 *faces = ts_arena_array(arena, triangles, sizeof *faces);
  ts_vec3(*edges)[2] = ts_arena_array(arena, 3 * triangles / 2, sizeof *edges);
  vertex_ridges *ridges = ts_arena_array(arena, mesh->vertex_count, sizeof *ridges);
  if (!vertices || !faces || !edges || !ridges)
    return TS_E_MEMORY;
  *out = (ts_solid){.mesh = mesh,
                    .pose = pose,
                    .vertices = vertices,
                    .edges = (const ts_vec3(*)[2])edges,
                    .faces = faces};
  for (size_t v = 0; v < mesh->vertex_count; v++)
    vertices[v] = ts_pose_point(pose, mesh->vertices[v]);
  for (uint32_t t = 0; t < triangles; t++) {
    if (is_first_of_face(mesh, t))
      faces[out->face_count++] = ts_pose_direction(pose, ts_mesh_face_normal(mesh, t));
    add_ridges(out, edges, ridges, t);
  }
  return add_corners(out, arena, ridges);
}

// ---- what they are ----------------------------------------------------------------------------

ts_vec3 ts_solid_radial(ts_vec3 axis, ts_vec3 towards) {
  ts_vec3 radial = towards, unused;
  // Again and again: of a direction along the axis rounding leaves little that is across it.
  for (int i = 0; i < 3; i++)
    radial = ts_vec3_unit(ts_vec3_add_scaled(radial, -ts_vec3_dot(radial, axis), axis));
  if (!(ts_vec3_norm2(radial) > 0.5))
    ts_vec3_tangents(&radial, &unused, axis);
  return radial;
}

static ts_vec3 farthest_of_disc(const ts_solid_disc *disc, ts_vec3 direction) {
  return ts_vec3_add_scaled(disc->centre, disc->radius_m, ts_solid_radial(disc->axis, direction));
}

double ts_solid_reach(const ts_solid *solid, ts_vec3 direction) {
  double reach_m = -INFINITY;
  for (size_t i = 0; i < solid->point_count; i++)
    reach_m = ts_max(reach_m, ts_vec3_dot(direction, solid->points[i]));
  for (size_t i = 0; i < solid->disc_count; i++) {
    const ts_solid_disc *d = &solid->discs[i];
    double sine = ts_vec3_norm(ts_vec3_cross(direction, d->axis));
    reach_m = ts_max(reach_m, ts_vec3_dot(direction, d->centre) + d->radius_m * sine);
  }
  return reach_m + solid->round_m;
}

ts_vec3 ts_solid_farthest(const ts_solid *solid, ts_vec3 direction) {
  ts_vec3 farthest = {0, 0, 0};
  double reach_m = -INFINITY;
  for (size_t i = 0; i < solid->point_count + solid->disc_count; i++) {
    ts_vec3 point = i < solid->point_count
                        ? solid->points[i]
                        : farthest_of_disc(&solid->discs[i - solid->point_count], direction);
    double along_m = ts_vec3_dot(direction, point);
    if (along_m > reach_m) {
      reach_m = along_m;
      farthest = point;
    }
  }
  return ts_vec3_add_scaled(farthest, solid->round_m, direction);
}

double ts_solid_distance(const ts_solid *solid, ts_vec3 point) {
  ts_vec3 local = ts_pose_point_local(solid->pose, point);
  if (solid->geometry)
    return ts_geometry_nearest(solid->geometry, local).distance_m;
  const ts_mesh *mesh = solid->mesh;
  double distance_m = INFINITY, above_m = -INFINITY;
  for (size_t t = 0; t < mesh->triangle_count; t++) {
    ts_vec3 corners[3];
    for (int i = 0; i < 3; i++)
      corners[i] = mesh->vertices[mesh->triangles[t][i]];
    double height_m = ts_vec3_dot(ts_mesh_face_normal(mesh, t), ts_vec3_sub(local, corners[0]));
    above_m = ts_max(above_m, height_m);
    distance_m = ts_min(distance_m, ts_closest_point_triangle(local, corners).distance_m);
  }
  return above_m > 0 ? distance_m : -distance_m;
}
