// SPDX-License-Identifier: MIT
#include "harness/judge/ahead.h"

#include "base/geometry_kind.h"
#include "base/status.h"
#include "geometry/closest.h"
#include "geometry/mesh/bvh.h"
#include "geometry/mesh/primitive_distance.h"
#include "geometry/mesh/surfaces_near.h"

#include <math.h>

struct ts_ahead {
  ts_arena *arena;
  const ts_scene *scene;
  ts_bvh **surfaces; // [shape_count], NULL: not prepared
};

/// A body where it is looked at.
typedef struct placed_body {
  int32_t index;
  ts_pose pose;
} placed_body;

/// A search among the triangles of a surface near a point, in the frame of its body.
typedef struct search {
  const ts_mesh *mesh;
  ts_vec3 near, to;
  double within_m;             // of `near`, for a triangle to be looked at
  ts_closest_on_triangle best; // the point of those triangles closest to `to`; none: INFINITY
  bool faces_it;               // the outer side of one of them does
} search;

ts_status ts_ahead_create(ts_ahead **out, ts_arena *arena, const ts_scene *scene) {
  ts_ahead *ahead = ts_arena_alloc(arena, sizeof *ahead);
  ts_bvh **surfaces = ts_arena_array(arena, scene->shape_count, sizeof *surfaces);
  if (!ahead || !surfaces)
    return TS_E_MEMORY;
  *ahead = (ts_ahead){arena, scene, surfaces};
  *out = ahead;
  return TS_OK;
}

static ts_status visit(void *context, uint32_t triangle, uint32_t unused) {
  (void)unused;
  search *s = context;
  const uint32_t *corners = s->mesh->triangles[triangle];
  const ts_vec3 vertices[3] = {s->mesh->vertices[corners[0]], s->mesh->vertices[corners[1]],
                               s->mesh->vertices[corners[2]]};
  if (ts_closest_point_triangle(s->near, vertices).distance_m > s->within_m)
    return TS_OK;
  ts_closest_on_triangle found = ts_closest_point_triangle(s->to, vertices);
  if (found.distance_m < s->best.distance_m)
    s->best = found;
  ts_vec3 outward =
      ts_vec3_cross(ts_vec3_sub(vertices[1], vertices[0]), ts_vec3_sub(vertices[2], vertices[0]));
  s->faces_it |= ts_vec3_dot(outward, ts_vec3_sub(s->to, found.point)) > 0;
  return TS_OK;
}

/// The triangles of a body, prepared at the first call.
static ts_status surface_of(ts_bvh **out, ts_ahead *ahead, int32_t body) {
  int32_t shape = ahead->scene->bodies[body].shape;
  if (!ahead->surfaces[shape])
    TS_TRY(ts_bvh_create_for_mesh(&ahead->surfaces[shape], ahead->arena,
                                  ahead->scene->shapes[shape].mesh));
  *out = ahead->surfaces[shape];
  return TS_OK;
}

/// The exact solid that a body is judged by in place of its triangles; NULL: these are exact.
static const ts_geometry *solid_of(const ts_ahead *ahead, int32_t body) {
  const ts_geometry *geometry = &ahead->scene->shapes[ahead->scene->bodies[body].shape].geometry;
  bool is_solid = ts_geometry_is_curved(geometry->kind) || geometry->kind == TS_GEOMETRY_PLANE;
  return is_solid ? geometry : NULL;
}

static const ts_mesh *mesh_of(const ts_ahead *ahead, int32_t body) {
  return ahead->scene->shapes[ahead->scene->bodies[body].shape].mesh;
}

ts_status ts_ahead_are_near(bool *out, ts_ahead *ahead, int32_t body_a, int32_t body_b,
                            double within_m) {
  const ts_body *a = &ahead->scene->bodies[body_a], *b = &ahead->scene->bodies[body_b];
  ts_bvh *surfaces[2];
  TS_TRY(surface_of(&surfaces[0], ahead, body_a));
  TS_TRY(surface_of(&surfaces[1], ahead, body_b));
  const ts_shape *shapes = ahead->scene->shapes;
  return ts_surfaces_are_near(out, (ts_surface){shapes[a->shape].mesh, surfaces[0]},
                              (ts_surface){shapes[b->shape].mesh, surfaces[1]},
                              ts_pose_relative(a->pose, b->pose), within_m);
}

/// Looks at the triangles of a body within a distance of `near`, for the point closest to `to`,
/// both in the world.
static ts_status look(search *out, ts_ahead *ahead, placed_body body, ts_vec3 near, double within_m,
                      ts_vec3 to) {
  ts_bvh *surface;
  TS_TRY(surface_of(&surface, ahead, body.index));
  *out = (search){.mesh = mesh_of(ahead, body.index),
                  .near = ts_pose_point_local(body.pose, near),
                  .to = ts_pose_point_local(body.pose, to),
                  .within_m = within_m,
                  .best = {.distance_m = INFINITY}};
  return ts_bvh_near(surface, out->near, within_m, visit, out);
}

/// Distance of a point from the surface of a body; INFINITY when that is above `limit_m`.
static ts_status distance_to(double *out, ts_ahead *ahead, placed_body body, ts_vec3 point,
                             double limit_m) {
  const ts_geometry *solid = solid_of(ahead, body.index);
  if (solid) {
    ts_vec3 local = ts_pose_point_local(body.pose, point);
    double distance_m = fabs(ts_geometry_nearest(solid, local).distance_m);
    *out = distance_m <= limit_m ? distance_m : (double)INFINITY;
    return TS_OK;
  }
  search s;
  TS_TRY(look(&s, ahead, body, point, limit_m, point));
  *out = s.best.distance_m;
  return TS_OK;
}

ts_status ts_ahead_distance(double *out, ts_ahead *ahead, int32_t body, ts_vec3 point,
                            double limit_m) {
  return distance_to(out, ahead, (placed_body){body, ahead->scene->bodies[body].pose}, point,
                     limit_m);
}

/// A segment in the frame of a body, and whether it passes through the body's surface.
typedef struct passage {
  const ts_mesh *mesh;
  ts_vec3 ends[2];
  double tolerance_m; ///< up to which an end is in the plane of a triangle
  bool is_blocked;
} passage;

static ts_status visit_passage(void *context, uint32_t triangle, uint32_t unused) {
  (void)unused;
  passage *s = context;
  const uint32_t *corners = s->mesh->triangles[triangle];
  ts_vec3 along = ts_vec3_sub(s->ends[1], s->ends[0]), from_start[3];
  for (int i = 0; i < 3; i++)
    from_start[i] = ts_vec3_sub(s->mesh->vertices[corners[i]], s->ends[0]);
  ts_vec3 normal = ts_vec3_unit(ts_vec3_cross(ts_vec3_sub(from_start[1], from_start[0]),
                                              ts_vec3_sub(from_start[2], from_start[0])));
  double height_m[2] = {-ts_vec3_dot(normal, from_start[0]),
                        ts_vec3_dot(normal, along) - ts_vec3_dot(normal, from_start[0])};
  if (!(fmin(height_m[0], height_m[1]) < -s->tolerance_m) ||
      !(fmax(height_m[0], height_m[1]) > s->tolerance_m))
    return TS_OK;
  // The line turns round all three edges in one sense.
  bool is_left = false, is_right = false;
  for (int i = 0; i < 3; i++) {
    double turn = ts_vec3_dot(along, ts_vec3_cross(from_start[i], from_start[(i + 1) % 3]));
    is_left |= turn > 0;
    is_right |= turn < 0;
  }
  s->is_blocked |= !(is_left && is_right);
  return TS_OK;
}

/// One end of a segment: the surface of its body there, looked at from the other end.
typedef struct end {
  bool is_on_surface, faces_other;
  double distance_m; ///< of the surface round about from the other end
  ts_vec3 towards;   ///< unit, from the other end to its closest point; undefined at distance 0
} end;

/// All of an exact solid is looked at: it is convex.
static void look_at_solid(end *out, const ts_geometry *solid, ts_pose pose, ts_vec3 at,
                          ts_vec3 other, double within_m) {
  ts_nearest here = ts_geometry_nearest(solid, ts_pose_point_local(pose, at));
  ts_nearest from_other = ts_geometry_nearest(solid, ts_pose_point_local(pose, other));
  ts_vec3 there = ts_pose_point(pose, from_other.point);
  *out = (end){.is_on_surface = fabs(here.distance_m) <= within_m,
               .faces_other = from_other.distance_m > 0,
               .distance_m = fabs(from_other.distance_m),
               .towards = ts_vec3_unit(ts_vec3_sub(there, other))};
}

static ts_status look_at_end(end *out, ts_ahead *ahead, placed_body body, ts_vec3 at, ts_vec3 other,
                             double within_m) {
  const ts_geometry *solid = solid_of(ahead, body.index);
  if (solid) {
    look_at_solid(out, solid, body.pose, at, other, within_m);
    return TS_OK;
  }
  search s;
  TS_TRY(look(&s, ahead, body, at, within_m, other));
  ts_vec3 there = ts_pose_point(body.pose, s.best.point);
  *out = (end){.is_on_surface = isfinite(s.best.distance_m),
               .faces_other = s.faces_it,
               .distance_m = s.best.distance_m,
               .towards = ts_vec3_unit(ts_vec3_sub(there, other))};
  return TS_OK;
}

/// Whether no point round about is closer to the other end, in this direction and as far as the
/// gap.
static bool is_closest(const end *e, ts_vec3 direction, double gap_m,
                       ts_ahead_tolerance tolerance) {
  if (!(fabs(e->distance_m - gap_m) <= tolerance.position_m) || !(e->distance_m > 0))
    return false;
  // Where the surfaces are close, a tenth of the tolerance in place turns the direction, too.
  double allowed = acos(1 - fmin(tolerance.normal, 1)) + 0.1 * tolerance.position_m / e->distance_m;
  return ts_vec3_angle(direction, e->towards) <= allowed;
}

/// Whether a body is in the way from `start` to `stop`, both in the world.
static ts_status is_in_the_way(bool *out, ts_ahead *ahead, placed_body body, ts_vec3 start,
                               ts_vec3 stop, double tolerance_m) {
  const ts_geometry *solid = solid_of(ahead, body.index);
  if (solid) {
    double depth_m = ts_geometry_depth_along(solid, ts_pose_point_local(body.pose, start),
                                             ts_pose_point_local(body.pose, stop));
    *out = depth_m > tolerance_m;
    return TS_OK;
  }
  ts_bvh *surface;
  TS_TRY(surface_of(&surface, ahead, body.index));
  passage s = {
      .mesh = mesh_of(ahead, body.index),
      .ends = {ts_pose_point_local(body.pose, start), ts_pose_point_local(body.pose, stop)},
      .tolerance_m = tolerance_m};
  ts_vec3 middle = ts_vec3_scale(ts_vec3_add(s.ends[0], s.ends[1]), 0.5);
  TS_TRY(ts_bvh_near(surface, middle, ts_vec3_distance(s.ends[0], middle), visit_passage, &s));
  *out = s.is_blocked;
  return TS_OK;
}

/// Whether the segment from `start` along the normal is as ts_ahead_is_right() says.
static ts_status is_segment_right(bool *out, ts_ahead *ahead, const placed_body bodies[2],
                                  ts_vec3 start, ts_vec3 normal, double gap_m,
                                  ts_ahead_tolerance tolerance) {
  ts_vec3 stop = ts_vec3_add_scaled(start, gap_m, normal);
  end on_a, on_b;
  TS_TRY(look_at_end(&on_a, ahead, bodies[0], start, stop, tolerance.position_m));
  TS_TRY(look_at_end(&on_b, ahead, bodies[1], stop, start, tolerance.position_m));
  *out = on_a.is_on_surface && on_b.is_on_surface && on_a.faces_other && on_b.faces_other &&
         (is_closest(&on_b, normal, gap_m, tolerance) ||
          is_closest(&on_a, ts_vec3_scale(normal, -1), gap_m, tolerance));
  for (int i = 0; i < 2 && *out; i++) {
    bool is_blocked;
    TS_TRY(is_in_the_way(&is_blocked, ahead, bodies[i], start, stop, tolerance.position_m));
    *out = !is_blocked;
  }
  return TS_OK;
}

ts_status ts_ahead_is_right(bool *out, ts_ahead *ahead, int32_t body_a, int32_t body_b,
                            ts_vec3 b_moved, const ts_contact *contact,
                            ts_ahead_tolerance tolerance) {
  placed_body bodies[2] = {{body_a, ahead->scene->bodies[body_a].pose},
                           {body_b, ahead->scene->bodies[body_b].pose}};
  bodies[1].pose.translation = ts_vec3_add(bodies[1].pose.translation, b_moved);
  ts_vec3 normal = ts_vec3_unit(contact->normal);
  double gap_m = contact->gap_m, reach_m = gap_m + tolerance.position_m;
  *out = false;
  if (!isfinite(gap_m) || !ts_vec3_is_finite(contact->point) || !(ts_vec3_norm2(normal) > 0))
    return TS_OK;
  double to_a_m, to_b_m;
  TS_TRY(distance_to(&to_a_m, ahead, bodies[0], contact->point, reach_m));
  if (!isfinite(to_a_m))
    return TS_OK;
  TS_TRY(distance_to(&to_b_m, ahead, bodies[1], contact->point, reach_m));
  if (!isfinite(to_b_m))
    return TS_OK;
  // Where on its segment the point is: as far from a as a is, or as far from b.
  const double before_m[2] = {fmin(to_a_m, gap_m), fmax(gap_m - to_b_m, 0)};
  for (int i = 0; i < 2 && !*out; i++)
    TS_TRY(is_segment_right(out, ahead, bodies,
                            ts_vec3_add_scaled(contact->point, -before_m[i], normal), normal, gap_m,
                            tolerance));
  return TS_OK;
}

/// More edges near a point are not looked at.
enum { EDGES_MAX = 192 };

/// The edges of the triangles of a body near a point, in the world.
typedef struct near_edges {
  const ts_mesh *mesh;
  ts_pose pose;
  ts_vec3 point; ///< in the frame of the body
  double within_m;
  size_t count;
  ts_vec3 ends[EDGES_MAX][2];
} near_edges;

static ts_status visit_edges(void *context, uint32_t triangle, uint32_t unused) {
  (void)unused;
  near_edges *e = context;
  const uint32_t *corners = e->mesh->triangles[triangle];
  for (int i = 0; i < 3 && e->count < EDGES_MAX; i++) {
    ts_vec3 from = e->mesh->vertices[corners[i]], to = e->mesh->vertices[corners[(i + 1) % 3]];
    double t = ts_closest_point_segment(e->point, from, to);
    if (ts_vec3_distance(e->point, ts_vec3_lerp(from, to, t)) > e->within_m)
      continue;
    e->ends[e->count][0] = ts_pose_point(e->pose, from);
    e->ends[e->count++][1] = ts_pose_point(e->pose, to);
  }
  return TS_OK;
}

static ts_status list_edges(near_edges *out, ts_ahead *ahead, placed_body body, ts_vec3 point,
                            double within_m) {
  ts_bvh *surface;
  out->count = 0;
  if (solid_of(ahead, body.index)) // has no straight edges
    return TS_OK;
  TS_TRY(surface_of(&surface, ahead, body.index));
  out->mesh = mesh_of(ahead, body.index);
  out->pose = body.pose;
  out->point = ts_pose_point_local(body.pose, point);
  out->within_m = within_m;
  return ts_bvh_near(surface, out->point, within_m, visit_edges, out);
}

ts_status ts_ahead_is_crossing(bool *out, ts_ahead *ahead, int32_t body_a, int32_t body_b,
                               ts_vec3 b_moved, const ts_contact *contact,
                               ts_ahead_tolerance tolerance, double slide_m) {
  placed_body bodies[2] = {{body_a, ahead->scene->bodies[body_a].pose},
                           {body_b, ahead->scene->bodies[body_b].pose}};
  bodies[1].pose.translation = ts_vec3_add(bodies[1].pose.translation, b_moved);
  ts_vec3 normal = ts_vec3_unit(contact->normal);
  ts_vec3 ends[2] = {contact->point, ts_vec3_add_scaled(contact->point, contact->gap_m, normal)};
  near_edges *edges = ts_arena_array(ahead->arena, 2, sizeof *edges);
  if (!edges)
    return TS_E_MEMORY;
  double within_m = slide_m + tolerance.position_m;
  for (int i = 0; i < 2; i++)
    TS_TRY(list_edges(&edges[i], ahead, bodies[i], ends[i], within_m));
  *out = false;
  for (size_t i = 0; i < edges[0].count && !*out; i++)
    for (size_t k = 0; k < edges[1].count && !*out; k++) {
      ts_closest c =
          ts_closest_segment_segment(NULL, NULL, edges[0].ends[i][0], edges[0].ends[i][1],
                                     edges[1].ends[k][0], edges[1].ends[k][1]);
      const end found = {.distance_m = c.distance_m,
                         .towards = ts_vec3_unit(ts_vec3_sub(c.on_b, c.on_a))};
      // Where they cross at a small angle, that moves by more than they slide.
      ts_vec3 along[2];
      for (int body = 0; body < 2; body++) {
        const ts_vec3 *of = edges[body].ends[body == 0 ? i : k];
        along[body] = ts_vec3_unit(ts_vec3_sub(of[1], of[0]));
      }
      double sine = ts_vec3_norm(ts_vec3_cross(along[0], along[1]));
      double off_m = tolerance.position_m + slide_m / sine;
      *out = ts_vec3_distance(c.on_a, ends[0]) <= off_m &&
             ts_vec3_distance(c.on_b, ends[1]) <= off_m &&
             is_closest(&found, normal, contact->gap_m, tolerance);
    }
  return TS_OK;
}
