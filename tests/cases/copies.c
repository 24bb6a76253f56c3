// SPDX-License-Identifier: MIT
#include "tests/cases/copies.h"

#include "base/status.h"
#include "geometry/tolerances.h"
#include "tests/geometry/random_geometry.h"

#include <criterion/criterion.h>
#include <string.h>

/// A mesh under construction.
typedef struct draft {
  ts_vec3 *vertices;
  uint32_t (*triangles)[3];
  size_t vertex_count, triangle_count;
  double thin;
  ts_random *random;
} draft;

static size_t below(ts_random *random, size_t count) {
  return (size_t)(ts_random_unit(random) * (double)count);
}

static ts_vec3 area_vector(ts_vec3 a, ts_vec3 b, ts_vec3 c) {
  return ts_vec3_cross(ts_vec3_sub(b, a), ts_vec3_sub(c, a));
}

/// Smallest height over the longest edge.
static double thinness(ts_vec3 a, ts_vec3 b, ts_vec3 c) {
  double longest_m =
      fmax(ts_vec3_distance(a, b), fmax(ts_vec3_distance(b, c), ts_vec3_distance(c, a)));
  return ts_vec3_norm(area_vector(a, b, c)) / (longest_m * longest_m);
}

/// The triangle beside the edge from a triangle's corner on, and the corner across.
static size_t beside(const draft *d, size_t triangle, size_t corner, size_t *across) {
  uint32_t from = d->triangles[triangle][corner], to = d->triangles[triangle][(corner + 1) % 3];
  for (size_t t = 0; t < d->triangle_count; t++)
    for (size_t k = 0; k < 3; k++)
      if (d->triangles[t][k] == to && d->triangles[t][(k + 1) % 3] == from) {
        *across = (k + 2) % 3;
        return t;
      }
  cr_assert_fail("an edge has one triangle");
  return 0;
}

static void add(draft *d, uint32_t a, uint32_t b, uint32_t c) {
  memcpy(d->triangles[d->triangle_count++], (const uint32_t[3]){a, b, c}, sizeof *d->triangles);
}

static void cut_face(draft *d, size_t t) {
  uint32_t c[3];
  memcpy(c, d->triangles[t], sizeof c);
  ts_vec3 v[3], middle;
  double w[3], sum = 0;
  for (int i = 0; i < 3; i++) {
    v[i] = d->vertices[c[i]];
    sum += w[i] = ts_random_uniform(d->random, 0.05, 1);
  }
  middle = ts_vec3_add_scaled(v[0], w[1] / sum, ts_vec3_sub(v[1], v[0]));
  middle = ts_vec3_add_scaled(middle, w[2] / sum, ts_vec3_sub(v[2], v[0]));
  for (int i = 0; i < 3; i++)
    if (thinness(v[i], v[(i + 1) % 3], middle) < d->thin)
      return;
  uint32_t at = (uint32_t)d->vertex_count++;
  d->vertices[at] = middle;
  add(d, c[1], c[2], at);
  add(d, c[2], c[0], at);
  d->triangles[t][2] = at;
}

static void cut_edge(draft *d, size_t t, size_t corner) {
  size_t across, u = beside(d, t, corner, &across);
  uint32_t p = d->triangles[t][corner], q = d->triangles[t][(corner + 1) % 3];
  uint32_t r = d->triangles[t][(corner + 2) % 3], s = d->triangles[u][across];
  const ts_vec3 *v = d->vertices;
  ts_vec3 middle = ts_vec3_lerp(v[p], v[q], ts_random_uniform(d->random, 0.05, 0.95));
  if (thinness(v[p], middle, v[r]) < d->thin || thinness(v[q], middle, v[r]) < d->thin ||
      thinness(v[p], middle, v[s]) < d->thin || thinness(v[q], middle, v[s]) < d->thin)
    return;
  uint32_t at = (uint32_t)d->vertex_count++;
  d->vertices[at] = middle;
  memcpy(d->triangles[t], (const uint32_t[3]){p, at, r}, sizeof *d->triangles);
  memcpy(d->triangles[u], (const uint32_t[3]){q, at, s}, sizeof *d->triangles);
  add(d, at, q, r);
  add(d, at, p, s);
}

static void turn_edge(draft *d, size_t t, size_t corner) {
  size_t across, u = beside(d, t, corner, &across);
  uint32_t p = d->triangles[t][corner], q = d->triangles[t][(corner + 1) % 3];
  uint32_t r = d->triangles[t][(corner + 2) % 3], s = d->triangles[u][across];
  const ts_vec3 *v = d->vertices;
  ts_vec3 one = area_vector(v[p], v[q], v[r]), other = area_vector(v[q], v[p], v[s]);
  double lengths = ts_vec3_norm(one) * ts_vec3_norm(other);
  ts_vec3 normal = ts_vec3_add(one, other);
  bool is_flat = ts_vec3_dot(one, other) > 0 &&
                 ts_vec3_norm(ts_vec3_cross(one, other)) <= TS_SAME_PLANE_SINE * lengths;
  if (!is_flat || thinness(v[p], v[s], v[r]) < d->thin || thinness(v[s], v[q], v[r]) < d->thin ||
      ts_vec3_dot(area_vector(v[p], v[s], v[r]), normal) <= 0 ||
      ts_vec3_dot(area_vector(v[s], v[q], v[r]), normal) <= 0)
    return;
  memcpy(d->triangles[t], (const uint32_t[3]){p, s, r}, sizeof *d->triangles);
  memcpy(d->triangles[u], (const uint32_t[3]){s, q, r}, sizeof *d->triangles);
}

static void cut_up(draft *d, size_t cuts) {
  for (size_t i = 0; i < 2 * cuts; i++) {
    size_t t = below(d->random, d->triangle_count), corner = below(d->random, 3);
    size_t way = below(d->random, 4);
    if (way < 2)
      turn_edge(d, t, corner);
    else if (way == 2)
      cut_edge(d, t, corner);
    else
      cut_face(d, t);
  }
}

static uint32_t *shuffled(ts_arena *arena, size_t count, ts_random *random) {
  uint32_t *out = ts_arena_array(arena, count, sizeof *out);
  cr_assert(out);
  for (size_t i = 0; i < count; i++) {
    size_t k = below(random, i + 1);
    out[i] = out[k];
    out[k] = (uint32_t)i;
  }
  return out;
}

static void reorder(draft *d, ts_arena *arena) {
  uint32_t *vertex_at = shuffled(arena, d->vertex_count, d->random);
  uint32_t *triangle_at = shuffled(arena, d->triangle_count, d->random);
  ts_vec3 *vertices = ts_arena_array(arena, d->vertex_count, sizeof *vertices);
  uint32_t(*triangles)[3] = ts_arena_array(arena, d->triangle_count, sizeof *triangles);
  cr_assert(vertices && triangles);
  for (size_t i = 0; i < d->vertex_count; i++)
    vertices[vertex_at[i]] = d->vertices[i];
  for (size_t i = 0; i < d->triangle_count; i++) {
    size_t first = below(d->random, 3);
    for (size_t k = 0; k < 3; k++)
      triangles[triangle_at[i]][k] = vertex_at[d->triangles[i][(first + k) % 3]];
  }
  d->vertices = vertices;
  d->triangles = triangles;
}

static ts_vec3 in_single(ts_vec3 p) {
  return ts_vec3_make((float)p.x, (float)p.y, (float)p.z);
}

static void copy_body(ts_scene *out, const ts_scene *scene, size_t index, ts_pose motion,
                      copy_kind kind, ts_random *random) {
  const ts_body *body = &scene->bodies[index];
  const ts_mesh *mesh = scene->shapes[body->shape].mesh;
  ts_pose pose = ts_pose_mul(motion, body->pose);
  size_t cuts = kind.cuts * mesh->triangle_count;
  draft d = {.vertex_count = mesh->vertex_count,
             .triangle_count = mesh->triangle_count,
             .thin = kind.thin,
             .random = random};
  d.vertices = ts_arena_array(out->arena, d.vertex_count + 2 * cuts, sizeof *d.vertices);
  d.triangles = ts_arena_array(out->arena, d.triangle_count + 4 * cuts, sizeof *d.triangles);
  cr_assert(d.vertices && d.triangles);
  memcpy(d.vertices, mesh->vertices, d.vertex_count * sizeof *d.vertices);
  memcpy(d.triangles, mesh->triangles, d.triangle_count * sizeof *d.triangles);
  cut_up(&d, cuts);
  reorder(&d, out->arena);
  for (size_t i = 0; kind.noise_m > 0 && i < d.vertex_count; i++)
    d.vertices[i] = ts_vec3_add(d.vertices[i], random_point(random, kind.noise_m));
  for (size_t i = 0; kind.is_rounded && i < d.vertex_count; i++)
    d.vertices[i] = in_single(ts_pose_point(pose, d.vertices[i]));
  if (kind.is_rounded)
    pose = ts_pose_identity();
  int32_t shape, added;
  cr_assert_eq(ts_scene_add_shape(&shape, out, "copy", d.vertices, d.vertex_count,
                                  (const uint32_t(*)[3])d.triangles, d.triangle_count),
               TS_OK, "%s", ts_status_detail());
  cr_assert_eq(ts_scene_add_body(&added, out, body->name, shape, pose, body->is_fixed), TS_OK);
  ts_vec3 was_at = ts_pose_point_local(motion, pose.translation);
  out->bodies[added].twist =
      (ts_twist){ts_pose_direction(motion, ts_twist_velocity_at(body->twist, body->pose, was_at)),
                 ts_pose_direction(motion, body->twist.angular_rad_s)};
}

ts_scene *copy_scene(ts_pose *out_motion, const ts_scene *scene, copy_kind kind,
                     ts_random *random) {
  ts_scene *out;
  cr_assert_eq(ts_scene_create(&out, scene->arena), TS_OK);
  out->scale = scene->scale;
  *out_motion = kind.is_turned ? random_pose(random, 0.5 * scene->scale) : ts_pose_identity();
  out_motion->translation =
      ts_vec3_add(out_motion->translation, ts_vec3_make(kind.offset_m, 0, -kind.offset_m));
  for (size_t i = 0; i < scene->body_count; i++)
    copy_body(out, scene, i, *out_motion, kind, random);
  return out;
}
