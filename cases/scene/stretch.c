// SPDX-License-Identifier: MIT
#include "cases/scene/stretch.h"

#include "base/array.h"
#include "base/status.h"

#include <string.h>

/// A linear map, symmetric, by the images of the axes.
typedef struct linear {
  ts_vec3 of_axis[3];
} linear;

static ts_vec3 times(ts_vec3 a, ts_vec3 b) {
  return ts_vec3_make(a.x * b.x, a.y * b.y, a.z * b.z);
}

/// What a stretch of the world does in the frame of a body.
static linear in_frame(ts_quat rotation, ts_vec3 factors) {
  static const ts_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  linear out;
  for (int i = 0; i < 3; i++)
    out.of_axis[i] = ts_quat_rotate(ts_quat_conjugate(rotation),
                                    times(factors, ts_quat_rotate(rotation, axes[i])));
  return out;
}

static ts_vec3 apply(const linear *map, ts_vec3 p) {
  ts_vec3 sum = ts_vec3_scale(map->of_axis[0], p.x);
  sum = ts_vec3_add_scaled(sum, p.y, map->of_axis[1]);
  return ts_vec3_add_scaled(sum, p.z, map->of_axis[2]);
}

/// No length grows by more than this factor.
static double largest_stretch(const linear *map) {
  double sum2 = 0;
  for (int i = 0; i < 3; i++)
    sum2 += ts_vec3_norm2(map->of_axis[i]);
  return sqrt(sum2);
}

static bool is_same(const linear *a, const linear *b) {
  for (int i = 0; i < 3; i++)
    if (a->of_axis[i].x != b->of_axis[i].x || a->of_axis[i].y != b->of_axis[i].y ||
        a->of_axis[i].z != b->of_axis[i].z)
      return false;
  return true;
}

static ts_status stretch_mesh(const ts_mesh **mesh, ts_arena *arena, const linear *map) {
  size_t count = (*mesh)->vertex_count;
  ts_vec3 *vertices = ts_arena_array(arena, count, sizeof *vertices);
  if (!vertices)
    return TS_E_MEMORY;
  for (size_t v = 0; v < count; v++)
    vertices[v] = apply(map, (*mesh)->vertices[v]);
  ts_mesh *stretched;
  TS_TRY(ts_mesh_with_vertices(&stretched, arena, *mesh, vertices));
  *mesh = stretched;
  return TS_OK;
}

/// Adds a stretched copy of a shape.
static ts_status add_stretched(int32_t *out, ts_scene *scene, int32_t shape, const char *name,
                               const linear *map) {
  TS_TRY(TS_ARENA_GROW(scene->shapes, scene->shape_capacity, scene->shape_count, 1, scene->arena));
  ts_shape copy = scene->shapes[shape];
  copy.name = name;
  // A stretched sphere or torus is none, and ground has other lengths: the mesh is the shape.
  copy.geometry = (ts_geometry){0};
  copy.torus = (ts_torus_radii){0};
  copy.ground = (ts_ground){0};
  copy.pieces = ts_arena_copy(scene->arena, copy.pieces, copy.piece_count, sizeof *copy.pieces);
  if (!copy.name || !copy.pieces)
    return TS_E_MEMORY;
  TS_TRY(stretch_mesh(&copy.mesh, scene->arena, map));
  copy.bounds_local = ts_mesh_bounds(copy.mesh);
  for (size_t p = 0; p < copy.piece_count; p++)
    TS_TRY(stretch_mesh(&copy.pieces[p], scene->arena, map));
  copy.pieces_error.distance_m *= largest_stretch(map);
  *out = (int32_t)scene->shape_count;
  scene->shapes[scene->shape_count++] = copy;
  return TS_OK;
}

/// Gives every body its stretched shape. The designed shapes are dropped.
static ts_status stretch_shapes(ts_scene *scene, const linear *maps) {
  size_t designed = scene->shape_count;
  int32_t *before = ts_arena_array(scene->arena, scene->body_count, sizeof *before);
  if (!before)
    return TS_E_MEMORY;
  for (size_t i = 0; i < scene->body_count; i++) {
    ts_body *body = &scene->bodies[i];
    before[i] = body->shape;
    size_t like = 0;
    while (like < i && !(before[like] == before[i] && is_same(&maps[like], &maps[i])))
      like++;
    if (like < i) {
      body->shape = scene->bodies[like].shape;
      continue;
    }
    size_t first = 0; // the first body of the shape, whose copy has its name
    while (before[first] != before[i])
      first++;
    const char *name = scene->shapes[before[i]].name;
    if (first < i)
      name = ts_arena_format(scene->arena, "%s_%s", name, body->name);
    TS_TRY(add_stretched(&body->shape, scene, before[i], name, &maps[i]));
  }
  scene->shape_count -= designed;
  memmove(scene->shapes, scene->shapes + designed, scene->shape_count * sizeof *scene->shapes);
  for (size_t i = 0; i < scene->body_count; i++)
    scene->bodies[i].shape -= (int32_t)designed;
  return TS_OK;
}

static ts_status stretch_points(const ts_vec3 **points, size_t count, ts_arena *arena,
                                const linear *map, bool is_unit) {
  ts_vec3 *stretched = ts_arena_array(arena, count, sizeof *stretched);
  if (!stretched)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++) {
    stretched[i] = apply(map, (*points)[i]);
    if (is_unit)
      stretched[i] = ts_vec3_unit(stretched[i]);
  }
  *points = stretched;
  return TS_OK;
}

static ts_status stretch_joint(ts_joint *joint, const ts_scene *scene, const linear *maps,
                               const linear *inverse_of_a) {
  ts_arena *arena = scene->arena;
  TS_TRY(
      stretch_points(&joint->feature_a_local, joint->count_a, arena, &maps[joint->body_a], false));
  TS_TRY(
      stretch_points(&joint->feature_b_local, joint->count_b, arena, &maps[joint->body_b], false));
  for (int r = 0; r < TS_REFERENCE_COUNT; r++)
    TS_TRY(stretch_points(&joint->normals_local[r], joint->normal_count[r], arena, inverse_of_a,
                          true));
  return TS_OK;
}

static void stretch_force(ts_force *force, const linear *map, ts_vec3 factors) {
  force->point_local = apply(map, force->point_local);
  force->force_n = ts_vec3_scale(force->force_n, factors.x * factors.y * factors.z);
}

ts_status ts_scene_stretch(ts_scene *scene, ts_vec3 factors) {
  if (factors.x == 1 && factors.y == 1 && factors.z == 1)
    return TS_OK;
  const ts_vec3 inverse = {1 / factors.x, 1 / factors.y, 1 / factors.z};
  linear *maps = ts_arena_array(scene->arena, scene->body_count, sizeof *maps);
  if (!maps)
    return TS_E_MEMORY;
  for (size_t i = 0; i < scene->body_count; i++)
    maps[i] = in_frame(scene->bodies[i].pose.rotation, factors);
  TS_TRY(stretch_shapes(scene, maps));
  for (size_t i = 0; i < scene->joint_count; i++) {
    ts_joint *joint = &scene->joints[i];
    linear inverse_of_a = in_frame(scene->bodies[joint->body_a].pose.rotation, inverse);
    TS_TRY(stretch_joint(joint, scene, maps, &inverse_of_a));
  }
  for (size_t i = 0; i < scene->force_count; i++)
    stretch_force(&scene->forces[i], &maps[scene->forces[i].body], factors);
  for (size_t i = 0; i < scene->body_count; i++) {
    ts_body *body = &scene->bodies[i];
    body->pose.translation = times(factors, body->pose.translation);
    body->twist.linear_m_s = times(factors, body->twist.linear_m_s);
  }
  if (scene->stretch_hides_truth) {
    scene->truth_is_unknown = true;
    scene->joint_count = 0;
  }
  return TS_OK;
}
