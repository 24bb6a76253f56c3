// SPDX-License-Identifier: MIT
#include "cases/scene/other_meshes.h"

#include "base/random.h"
#include "base/status.h"
#include "geometry/tolerances.h"

#include <string.h>

// Of the random numbers of a seed; cases/case.c has the first ones.
enum { STREAM_MESHES = 3 };

// Share of the flat edges that are turned and of the triangles that are cut in three.
static const double turned_share = 0.5, cut_share = 0.25;

// Of the area of two triangles, what each of them has at least after their edge has turned. Slivers
// would turn over when a method erodes the body.
static const double turned_area_min = 0.2;

// Smallest height, over the longest edge, of a triangle that is cut in three.
static const double cut_height_min = 0.25;

// Least weight of a corner for the vertex inside a triangle, before they are made to add up to 1.
static const double corner_weight_min = 0.2;

/// A mesh under construction.
typedef struct draft {
  ts_vec3 *vertices; ///< room for one more a triangle
  size_t vertex_count;
  uint32_t (*triangles)[3]; ///< room for two more a triangle
  size_t triangle_count;
} draft;

/// A whole number below `count`.
static uint32_t below(ts_random *random, size_t count) {
  return (uint32_t)(ts_random_unit(random) * (double)count);
}

/// 0, 1, ... `count` - 1 in random order; NULL when out of memory.
static uint32_t *shuffled(ts_arena *arena, size_t count, ts_random *random) {
  uint32_t *out = ts_arena_array(arena, count, sizeof *out);
  for (size_t i = 0; out && i < count; i++) {
    uint32_t k = below(random, i + 1);
    out[i] = out[k];
    out[k] = (uint32_t)i;
  }
  return out;
}

static bool is_thin(const ts_vec3 *v, const uint32_t triangle[3]) {
  ts_vec3 a = v[triangle[0]], b = v[triangle[1]], c = v[triangle[2]];
  double longest_m =
      fmax(ts_vec3_distance(a, b), fmax(ts_vec3_distance(b, c), ts_vec3_distance(c, a)));
  double twice_m2 = ts_vec3_norm(ts_vec3_cross(ts_vec3_sub(b, a), ts_vec3_sub(c, a)));
  return !(twice_m2 >= cut_height_min * longest_m * longest_m);
}

static ts_vec3 area_vector(const ts_vec3 *v, uint32_t a, uint32_t b, uint32_t c) {
  return ts_vec3_cross(ts_vec3_sub(v[b], v[a]), ts_vec3_sub(v[c], v[a]));
}

/// Whether the triangles p q r and q p s are one flat quadrilateral that has its other diagonal
/// inside, too.
static bool can_turn(const ts_vec3 *v, uint32_t p, uint32_t q, uint32_t r, uint32_t s) {
  ts_vec3 one = area_vector(v, p, q, r), other = area_vector(v, q, p, s);
  ts_vec3 sum = ts_vec3_add(one, other), normal = ts_vec3_unit(sum);
  double lengths = ts_vec3_norm(one) * ts_vec3_norm(other);
  if (!(ts_vec3_dot(one, other) > 0) ||
      !(ts_vec3_norm(ts_vec3_cross(one, other)) <= TS_SAME_PLANE_SINE * lengths))
    return false;
  double least = turned_area_min * ts_vec3_norm(sum);
  return ts_vec3_dot(area_vector(v, p, s, r), normal) > least &&
         ts_vec3_dot(area_vector(v, s, q, r), normal) > least;
}

/// Turns flat edges, at most one a triangle.
static ts_status turn_edges(draft *out, ts_arena *scratch, const ts_mesh *mesh, ts_random *random) {
  size_t count = 3 * mesh->triangle_count;
  uint32_t *order = shuffled(scratch, count, random);
  bool *has_turned = ts_arena_array(scratch, mesh->triangle_count, sizeof *has_turned);
  if (!order || !has_turned)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++) {
    uint32_t h = order[i], twin = mesh->edge_twin[h], t = h / 3, u = twin / 3;
    if (twin < h || has_turned[t] || has_turned[u])
      continue;
    uint32_t p = mesh->triangles[t][h % 3], q = mesh->triangles[t][(h + 1) % 3];
    uint32_t r = mesh->triangles[t][(h + 2) % 3], s = mesh->triangles[u][(twin + 2) % 3];
    if (!can_turn(mesh->vertices, p, q, r, s) || ts_random_unit(random) >= turned_share)
      continue;
    memcpy(out->triangles[t], (const uint32_t[3]){p, s, r}, sizeof out->triangles[t]);
    memcpy(out->triangles[u], (const uint32_t[3]){s, q, r}, sizeof out->triangles[u]);
    has_turned[t] = has_turned[u] = true;
  }
  return TS_OK;
}

/// Whether a triangle is in a plane at right angles to an axis, to the bit. A vertex inside another
/// one would be off its plane by rounding, and TetGen fills such dents with tets of no volume.
static bool is_along_axes(const ts_vec3 *v, const uint32_t triangle[3]) {
  ts_vec3 a = v[triangle[0]], b = v[triangle[1]], c = v[triangle[2]];
  return (a.x == b.x && a.x == c.x) || (a.y == b.y && a.y == c.y) || (a.z == b.z && a.z == c.z);
}

/// A point inside a triangle. A coordinate that the corners have in common is that of the point,
/// exactly.
static ts_vec3 inside(const ts_vec3 *v, const uint32_t triangle[3], ts_random *random) {
  double weights[3], sum = 0;
  for (int i = 0; i < 3; i++)
    sum += weights[i] = ts_random_uniform(random, corner_weight_min, 1);
  ts_vec3 a = v[triangle[0]];
  ts_vec3 p = ts_vec3_add_scaled(a, weights[1] / sum, ts_vec3_sub(v[triangle[1]], a));
  return ts_vec3_add_scaled(p, weights[2] / sum, ts_vec3_sub(v[triangle[2]], a));
}

static void cut_triangles(draft *out, ts_random *random) {
  size_t count = out->triangle_count;
  for (size_t t = 0; t < count; t++) {
    const uint32_t *whole = out->triangles[t];
    if (!is_along_axes(out->vertices, whole) || is_thin(out->vertices, whole) ||
        ts_random_unit(random) >= cut_share)
      continue;
    uint32_t *triangle = out->triangles[t], middle = (uint32_t)out->vertex_count++;
    out->vertices[middle] = inside(out->vertices, triangle, random);
    for (int i = 1; i < 3; i++) {
      const uint32_t part[3] = {triangle[i], triangle[(i + 1) % 3], middle};
      memcpy(out->triangles[out->triangle_count++], part, sizeof part);
    }
    triangle[2] = middle;
  }
}

static ts_status reorder(ts_mesh **mesh, ts_arena *arena, ts_arena *scratch, const draft *from,
                         ts_random *random) {
  uint32_t *vertex_at = shuffled(scratch, from->vertex_count, random);
  uint32_t *triangle_at = shuffled(scratch, from->triangle_count, random);
  ts_vec3 *vertices = ts_arena_array(scratch, from->vertex_count, sizeof *vertices);
  uint32_t(*triangles)[3] = ts_arena_array(scratch, from->triangle_count, sizeof *triangles);
  if (!vertex_at || !triangle_at || !vertices || !triangles)
    return TS_E_MEMORY;
  for (size_t i = 0; i < from->vertex_count; i++)
    vertices[vertex_at[i]] = from->vertices[i];
  for (size_t i = 0; i < from->triangle_count; i++) {
    uint32_t first = below(random, 3);
    for (uint32_t k = 0; k < 3; k++)
      triangles[triangle_at[i]][k] = vertex_at[from->triangles[i][(first + k) % 3]];
  }
  return ts_mesh_create(mesh, arena, vertices, from->vertex_count, (const uint32_t(*)[3])triangles,
                        from->triangle_count);
}

static ts_status cut_otherwise(ts_mesh **out, ts_arena *arena, ts_arena *scratch,
                               const ts_mesh *mesh, ts_random *random) {
  draft d = {.vertex_count = mesh->vertex_count, .triangle_count = mesh->triangle_count};
  d.vertices = ts_arena_array(scratch, d.vertex_count + d.triangle_count, sizeof *d.vertices);
  d.triangles = ts_arena_array(scratch, 3 * d.triangle_count, sizeof *d.triangles);
  if (!d.vertices || !d.triangles)
    return TS_E_MEMORY;
  memcpy(d.vertices, mesh->vertices, d.vertex_count * sizeof *d.vertices);
  memcpy(d.triangles, mesh->triangles, d.triangle_count * sizeof *d.triangles);
  TS_TRY(turn_edges(&d, scratch, mesh, random));
  cut_triangles(&d, random);
  return reorder(out, arena, scratch, &d, random);
}

/// Another local frame: the old one's axes are along its axes, some of them reversed, so that what
/// is flat stays flat to the bit.
typedef struct frame {
  ts_vec3 of_axis[3]; ///< the old axes
  ts_vec3 of_origin;  ///< the old origin
} frame;

static ts_vec3 axis(int index, double sign) {
  return ts_vec3_make(index == 0 ? sign : 0, index == 1 ? sign : 0, index == 2 ? sign : 0);
}

static double random_sign(ts_random *random) {
  return ts_random_unit(random) < 0.5 ? -1 : 1;
}

static frame random_frame(const ts_shape *shape, ts_random *random) {
  double reach_m = ts_aabb_extent(shape->bounds_local);
  int x = (int)below(random, 3), y = (x + 1 + (int)below(random, 2)) % 3;
  frame out = {.of_axis = {axis(x, random_sign(random))}};
  out.of_axis[1] = axis(y, random_sign(random));
  out.of_axis[2] = ts_vec3_cross(out.of_axis[0], out.of_axis[1]);
  out.of_origin.x = ts_random_uniform(random, -reach_m, reach_m);
  out.of_origin.y = ts_random_uniform(random, -reach_m, reach_m);
  out.of_origin.z = ts_random_uniform(random, -reach_m, reach_m);
  return out;
}

static ts_vec3 point_in_frame(const frame *f, ts_vec3 p) {
  ts_vec3 turned = ts_vec3_scale(f->of_axis[0], p.x); // exact: all but one term is 0
  turned = ts_vec3_add_scaled(turned, p.y, f->of_axis[1]);
  turned = ts_vec3_add_scaled(turned, p.z, f->of_axis[2]);
  return ts_vec3_add(turned, f->of_origin);
}

static ts_status in_frame(ts_mesh **mesh, ts_arena *arena, const frame *f) {
  ts_vec3 *vertices = ts_arena_array(arena, (*mesh)->vertex_count, sizeof *vertices);
  if (!vertices)
    return TS_E_MEMORY;
  for (size_t i = 0; i < (*mesh)->vertex_count; i++)
    vertices[i] = point_in_frame(f, (*mesh)->vertices[i]);
  return ts_mesh_with_vertices(mesh, arena, *mesh, vertices);
}

static ts_status change_mesh(const ts_mesh **mesh, ts_arena *arena, const frame *f,
                             ts_random *random) {
  ts_arena *scratch;
  TS_TRY(ts_arena_create(&scratch));
  ts_mesh *changed = NULL;
  ts_status status = TS_OK;
  if ((*mesh)->tet_count == 0)
    status = cut_otherwise(&changed, arena, scratch, *mesh, random);
  else if (!(changed = ts_arena_copy(arena, *mesh, 1, sizeof *changed)))
    status = TS_E_MEMORY;
  if (status == TS_OK && f)
    status = in_frame(&changed, arena, f);
  if (status == TS_OK)
    *mesh = changed;
  ts_arena_destroy(scratch);
  return status;
}

static void place(ts_body *body, const frame *f) {
  ts_pose old = {ts_quat_from_axes(f->of_axis[0], f->of_axis[1], f->of_axis[2]), f->of_origin};
  ts_pose pose = ts_pose_mul(body->pose, ts_pose_inverse(old));
  body->twist.linear_m_s = ts_twist_velocity_at(body->twist, body->pose, pose.translation);
  body->pose = pose;
}

/// The motions of an oracle are along local axes, and an exact geometry is in the local frame.
static bool keeps_frame(const ts_scene *scene, int32_t shape) {
  const ts_shape *s = &scene->shapes[shape];
  return scene->oracle || s->geometry.kind != TS_GEOMETRY_MESH || s->torus.tube_m > 0;
}

ts_status ts_scene_other_meshes(ts_scene *scene, uint64_t seed) {
  if (scene->tets == TS_TETS_PUBLISHED)
    return ts_fail(TS_E_INPUT, "the published tets belong to the meshes as designed: leave out "
                               "mesh_seed, or tets=published to have TetGen fill the bodies");
  ts_random random = ts_random_seed(seed, STREAM_MESHES);
  frame *frames = ts_arena_array(scene->arena, scene->shape_count, sizeof *frames);
  if (!frames)
    return TS_E_MEMORY;
  for (size_t i = 0; i < scene->shape_count; i++) {
    ts_shape *shape = &scene->shapes[i];
    frames[i] = random_frame(shape, &random);
    const frame *f = keeps_frame(scene, (int32_t)i) ? NULL : &frames[i];
    TS_TRY(change_mesh(&shape->mesh, scene->arena, f, &random));
    shape->bounds_local = ts_mesh_bounds(shape->mesh);
    shape->pieces =
        ts_arena_copy(scene->arena, shape->pieces, shape->piece_count, sizeof *shape->pieces);
    if (!shape->pieces)
      return TS_E_MEMORY;
    for (size_t p = 0; p < shape->piece_count; p++)
      TS_TRY(change_mesh(&shape->pieces[p], scene->arena, f, &random));
  }
  for (size_t i = 0; i < scene->body_count; i++)
    if (!keeps_frame(scene, scene->bodies[i].shape))
      place(&scene->bodies[i], &frames[scene->bodies[i].shape]);
  for (size_t i = 0; i < scene->force_count; i++) {
    ts_force *force = &scene->forces[i];
    int32_t shape = scene->bodies[force->body].shape;
    if (!keeps_frame(scene, shape))
      force->point_local = point_in_frame(&frames[shape], force->point_local);
  }
  scene->joint_count = 0;
  return TS_OK;
}
