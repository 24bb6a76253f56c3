// SPDX-License-Identifier: MIT
#include "cases/scene/scene.h"

#include "base/array.h"
#include "base/status.h"
#include "cases/scene/ground.h"
#include "geometry/mesh/primitive.h"
#include "geometry/mesh/winding.h"
#include "geometry/tolerances.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ts_status check_fits_index(size_t count, const char *what) {
  if (count >= INT32_MAX)
    return ts_fail(TS_E_INPUT, "a scene cannot hold more than %d %s", INT32_MAX, what);
  return TS_OK;
}

ts_status ts_scene_create(ts_scene **out, ts_arena *arena) {
  ts_scene *scene = ts_arena_alloc(arena, sizeof *scene);
  if (!scene)
    return TS_E_MEMORY;
  scene->arena = arena;
  scene->scale = 1;
  scene->touch_relative = TS_POSITION_RELATIVE;
  scene->closed_relative = TS_TOUCH_RELATIVE;
  scene->up = ts_vec3_make(0, 1, 0);
  *out = scene;
  return TS_OK;
}

ts_status ts_scene_add_mesh(int32_t *out, ts_scene *scene, const char *name, const ts_mesh *mesh) {
  TS_TRY(check_fits_index(scene->shape_count, "shapes"));
  TS_TRY(TS_ARENA_GROW(scene->shapes, scene->shape_capacity, scene->shape_count, 1, scene->arena));
  char *copy = ts_arena_string(scene->arena, name);
  if (!copy)
    return TS_E_MEMORY;
  *out = (int32_t)scene->shape_count;
  scene->shapes[scene->shape_count++] =
      (ts_shape){.name = copy, .mesh = mesh, .bounds_local = ts_mesh_bounds(mesh)};
  return TS_OK;
}

ts_status ts_scene_add_shape(int32_t *out, ts_scene *scene, const char *name,
                             const ts_vec3 *vertices, size_t vertex_count,
                             const uint32_t (*triangles)[3], size_t triangle_count) {
  ts_mesh *mesh;
  TS_TRY(ts_mesh_create(&mesh, scene->arena, vertices, vertex_count, triangles, triangle_count));
  return ts_scene_add_mesh(out, scene, name, mesh);
}

ts_status ts_scene_check_room(const ts_scene *scene, size_t more) {
  size_t total = more;
  for (size_t i = 0; i < scene->shape_count; i++) {
    const ts_geometry *geometry = &scene->shapes[i].geometry;
    if (ts_geometry_is_primitive(geometry->kind))
      total += scene->shapes[i].mesh->triangle_count;
    else if (geometry->surface)
      total += TS_GROUND_TRIANGLES_EACH * geometry->surface->triangle_count;
  }
  if (total <= TS_SCENE_MADE_TRIANGLES_MAX)
    return TS_OK;
  return ts_fail(TS_E_INPUT,
                 "the primitives and the ground of the scene need %zu triangles, and may have %zu: "
                 "give a larger mesh_error, smaller ground, or one shape to several bodies",
                 total, TS_SCENE_MADE_TRIANGLES_MAX);
}

ts_status ts_scene_add_primitive(int32_t *out, ts_scene *scene, const char *name,
                                 const ts_geometry *geometry, double mesh_error_m) {
  ts_geometry g = *geometry;
  ts_hull hull;
  TS_TRY(ts_primitive_tessellate(&hull, scene->arena, &g, mesh_error_m));
  TS_TRY(ts_scene_check_room(scene, hull.triangle_count));
  TS_TRY(ts_scene_add_shape(out, scene, name, hull.vertices, hull.vertex_count,
                            (const uint32_t(*)[3])hull.triangles, hull.triangle_count));
  scene->shapes[*out].geometry = g;
  return TS_OK;
}

static ts_status check_piece(const ts_shape *shape, const ts_mesh *piece) {
  const ts_shape alone = {.mesh = piece, .bounds_local = ts_mesh_bounds(piece)};
  if (!ts_shape_is_convex(&alone))
    return ts_fail(TS_E_INPUT, "piece %zu of shape %s is not convex", shape->piece_count,
                   shape->name);
  ts_aabb box = ts_aabb_inflate(shape->bounds_local,
                                TS_CONVEX_RELATIVE * ts_aabb_extent(shape->bounds_local));
  if (!ts_aabb_contains(box, alone.bounds_local.low) ||
      !ts_aabb_contains(box, alone.bounds_local.high))
    return ts_fail(TS_E_INPUT, "piece %zu of shape %s reaches out of it", shape->piece_count,
                   shape->name);
  return TS_OK;
}

ts_status ts_scene_add_piece(ts_scene *scene, int32_t shape_index, const ts_vec3 *vertices,
                             size_t vertex_count, const uint32_t (*triangles)[3],
                             size_t triangle_count) {
  if (shape_index < 0 || (size_t)shape_index >= scene->shape_count)
    return ts_fail(TS_E_INPUT, "a piece of shape %d; add the shape first, there are %zu",
                   shape_index, scene->shape_count);
  ts_shape *shape = &scene->shapes[shape_index];
  size_t count = shape->piece_count;
  ts_mesh *mesh;
  ts_status status =
      ts_mesh_create(&mesh, scene->arena, vertices, vertex_count, triangles, triangle_count);
  if (status == TS_E_INPUT) {
    char why[512];
    snprintf(why, sizeof why, "%s", ts_status_detail());
    return ts_fail(status, "piece %zu of shape %s: %s", count, shape->name, why);
  }
  TS_TRY(status);
  TS_TRY(check_piece(shape, mesh));
  // The array is full, and doubled, whenever their number is a power of two.
  if ((count & (count - 1)) == 0) {
    const ts_mesh **grown =
        ts_arena_array(scene->arena, count == 0 ? 1 : 2 * count, sizeof(ts_mesh *));
    if (!grown)
      return TS_E_MEMORY;
    if (count > 0)
      memcpy(grown, shape->pieces, count * sizeof *grown);
    shape->pieces = grown;
  }
  shape->pieces[shape->piece_count++] = mesh;
  return TS_OK;
}

/// Approximate pieces may have their middles outside, and their volumes add up with their error.
ts_status ts_scene_check_pieces(const ts_scene *scene) {
  for (size_t i = 0; i < scene->shape_count; i++) {
    const ts_shape *shape = &scene->shapes[i];
    if (ts_shape_is_ground(shape)) // made of its pieces
      continue;
    bool is_exact = shape->pieces_kind != TS_PIECES_APPROXIMATE;
    double whole_m3 = shape->piece_count ? ts_mesh_mass_properties(shape->mesh, 1).volume_m3 : 0;
    double sum_m3 = 0;
    for (size_t p = 0; p < shape->piece_count; p++) {
      ts_mass_properties piece = ts_mesh_mass_properties(shape->pieces[p], 1);
      ts_vec3 middle = piece.centre_local;
      // One that lies beside the shape may have the volume that is missing in it.
      if (is_exact && !(ts_winding(shape->mesh, shape->mesh->vertices, middle) > 0.5))
        return ts_fail(TS_E_INPUT,
                       "piece %zu of shape %s is not inside of it: the middle of the piece, (%g, "
                       "%g, %g), is outside",
                       p, shape->name, middle.x, middle.y, middle.z);
      sum_m3 += piece.volume_m3;
    }
    double expected_m3 = whole_m3 * (1 + shape->pieces_error.volume_relative);
    if (!(fabs(sum_m3 - expected_m3) <= TS_CONVEX_RELATIVE * whole_m3))
      return ts_fail(
          TS_E_INPUT,
          "the pieces of shape %s do not fill it%s: their volumes add up to %.9g m3, and "
          "it has %.9g m3",
          shape->name, is_exact ? "" : " but for the error that is stated", sum_m3, whole_m3);
  }
  return TS_OK;
}

ts_status ts_scene_add_body(int32_t *out, ts_scene *scene, const char *name, int32_t shape,
                            ts_pose pose, bool is_fixed) {
  TS_TRY(check_fits_index(scene->body_count, "bodies"));
  if (shape < 0 || (size_t)shape >= scene->shape_count)
    return ts_fail(TS_E_INPUT, "body %s has shape %d; add the shape first, there are %zu", name,
                   shape, scene->shape_count);
  if (!is_fixed && ts_shape_is_ground(&scene->shapes[shape]))
    return ts_fail(TS_E_INPUT, "body %s is a %s, which is ground and does not move: make it fixed",
                   name, ts_geometry_words[scene->shapes[shape].geometry.kind]);
  TS_TRY(TS_ARENA_GROW(scene->bodies, scene->body_capacity, scene->body_count, 1, scene->arena));
  char *copy = ts_arena_string(scene->arena, name);
  if (!copy)
    return TS_E_MEMORY;
  *out = (int32_t)scene->body_count;
  scene->bodies[scene->body_count++] = (ts_body){.name = copy,
                                                 .shape = shape,
                                                 .is_fixed = is_fixed,
                                                 .pose = pose,
                                                 .density_kg_m3 = TS_SCENE_DENSITY_KG_M3};
  return TS_OK;
}

ts_status ts_scene_add_force(ts_scene *scene, const ts_force *force) {
  int32_t body = force->body;
  if (body < 0 || (size_t)body >= scene->body_count)
    return ts_fail(TS_E_INPUT, "a force on body %d; add the body first, there are %zu", body,
                   scene->body_count);
  if (scene->bodies[body].is_fixed)
    return ts_fail(TS_E_INPUT, "a force on body %d (%s), which is fixed and does not move", body,
                   scene->bodies[body].name);
  if (!ts_vec3_is_finite(force->point_local) || !ts_vec3_is_finite(force->force_n))
    return ts_fail(TS_E_INPUT, "a force on body %d (%s) is not finite", body,
                   scene->bodies[body].name);
  TS_TRY(TS_ARENA_GROW(scene->forces, scene->force_capacity, scene->force_count, 1, scene->arena));
  scene->forces[scene->force_count++] = *force;
  return TS_OK;
}

static ts_status check_joint(const ts_scene *scene, const ts_joint *joint) {
  int32_t a = joint->body_a, b = joint->body_b;
  if (a < 0 || a >= b || (size_t)b >= scene->body_count)
    return ts_fail(TS_E_INPUT,
                   "a joint of the bodies %d and %d: both must exist (there are %zu) and the first "
                   "must be the smaller",
                   a, b, scene->body_count);
  if (joint->count_a == 0 || joint->count_b == 0)
    return ts_fail(TS_E_INPUT, "the joint of the bodies %d and %d lacks a feature's vertices", a,
                   b);
  if (joint->normal_count[TS_REFERENCE_DESIGN] == 0)
    return ts_fail(TS_E_INPUT, "the joint of the bodies %d and %d has no design normal", a, b);
  for (int r = 0; r < TS_REFERENCE_COUNT; r++)
    for (size_t i = 0; i < joint->normal_count[r]; i++)
      if (!(fabs(ts_vec3_norm(joint->normals_local[r][i]) - 1) <= TS_UNIT_NORMAL))
        return ts_fail(TS_E_INPUT, "normal %zu of the joint of the bodies %d and %d is not unit", i,
                       a, b);
  return TS_OK;
}

// Copies `count` vectors to the place at `*store`, which moves on behind them.
static const ts_vec3 *keep_vectors(ts_vec3 **store, const ts_vec3 *vectors, size_t count) {
  ts_vec3 *kept = *store;
  memcpy(kept, vectors, count * sizeof *kept);
  *store += count;
  return kept;
}

ts_status ts_scene_add_joint(ts_scene *scene, const ts_joint *joint) {
  TS_TRY(check_joint(scene, joint));
  TS_TRY(TS_ARENA_GROW(scene->joints, scene->joint_capacity, scene->joint_count, 1, scene->arena));
  size_t vector_count = joint->count_a + joint->count_b;
  for (int r = 0; r < TS_REFERENCE_COUNT; r++)
    vector_count += joint->normal_count[r];
  ts_vec3 *store = ts_arena_array(scene->arena, vector_count, sizeof *store);
  if (!store)
    return TS_E_MEMORY;
  ts_joint copy = *joint;
  copy.feature_a_local = keep_vectors(&store, joint->feature_a_local, joint->count_a);
  copy.feature_b_local = keep_vectors(&store, joint->feature_b_local, joint->count_b);
  for (int r = 0; r < TS_REFERENCE_COUNT; r++) {
    if (joint->normal_count[r] == 0) {
      copy.normal_count[r] = copy.normal_count[TS_REFERENCE_DESIGN];
      copy.normals_local[r] = copy.normals_local[TS_REFERENCE_DESIGN];
    } else {
      copy.normals_local[r] = keep_vectors(&store, joint->normals_local[r], joint->normal_count[r]);
    }
  }
  scene->joints[scene->joint_count++] = copy;
  return TS_OK;
}

static ts_status scale_mesh(const ts_mesh **mesh, ts_arena *arena, double scale) {
  size_t count = (*mesh)->vertex_count;
  ts_vec3 *vertices = ts_arena_array(arena, count, sizeof *vertices);
  if (!vertices)
    return TS_E_MEMORY;
  for (size_t v = 0; v < count; v++)
    vertices[v] = ts_vec3_scale((*mesh)->vertices[v], scale);
  ts_mesh *scaled;
  TS_TRY(ts_mesh_with_vertices(&scaled, arena, *mesh, vertices));
  *mesh = scaled;
  return TS_OK;
}

/// A primitive gets the mesh that one of that size has, so that it is the same to the bit.
static ts_status scale_primitive(ts_shape *shape, ts_arena *arena, double scale) {
  ts_geometry *g = &shape->geometry;
  ts_hull hull;
  ts_mesh *mesh;
  g->radius_m *= scale;
  g->half_length_m *= scale;
  g->half_size_m = ts_vec3_scale(g->half_size_m, scale);
  TS_TRY(ts_primitive_tessellate(&hull, arena, g, g->mesh_error_m * scale));
  TS_TRY(ts_mesh_create(&mesh, arena, hull.vertices, hull.vertex_count,
                        (const uint32_t(*)[3])hull.triangles, hull.triangle_count));
  shape->mesh = mesh;
  return TS_OK;
}

// Meshes are what is in local frames and has a size; the features of joints stay at scale 1.
static ts_status scale_shapes(ts_scene *scene, double scale) {
  for (size_t i = 0; i < scene->shape_count; i++) {
    ts_shape *shape = &scene->shapes[i];
    if (ts_shape_is_ground(shape)) {
      TS_TRY(ts_ground_scale(shape, scene->arena, scale));
      continue;
    }
    TS_TRY(ts_geometry_is_primitive(shape->geometry.kind)
               ? scale_primitive(shape, scene->arena, scale)
               : scale_mesh(&shape->mesh, scene->arena, scale));
    shape->bounds_local = ts_mesh_bounds(shape->mesh);
    shape->torus.ring_m *= scale;
    shape->torus.tube_m *= scale;
    for (size_t p = 0; p < shape->piece_count; p++)
      TS_TRY(scale_mesh(&shape->pieces[p], scene->arena, scale));
    shape->pieces_error.distance_m *= scale;
  }
  return TS_OK;
}

/// The data may be shared with other bodies, and with the scene that this one was copied from.
static ts_status scale_elastic(ts_body *body, ts_arena *arena, double scale) {
  if (!body->elastic)
    return TS_OK;
  ts_elastic *elastic = ts_arena_copy(arena, body->elastic, 1, sizeof *elastic);
  if (!elastic)
    return TS_E_MEMORY;
  elastic->young_pa *= scale * scale;
  body->elastic = elastic;
  return TS_OK;
}

static void transform_body(ts_body *body, double scale, ts_pose motion) {
  body->pose.translation = ts_vec3_scale(body->pose.translation, scale);
  body->pose = ts_pose_mul(motion, body->pose);
  ts_twist *twist = &body->twist;
  twist->linear_m_s = ts_pose_direction(motion, ts_vec3_scale(twist->linear_m_s, scale));
  twist->angular_rad_s = ts_pose_direction(motion, twist->angular_rad_s);
}

static void transform_force(ts_force *force, double scale, ts_pose motion) {
  double scale2 = scale * scale;
  force->point_local = ts_vec3_scale(force->point_local, scale);
  force->force_n = ts_pose_direction(motion, ts_vec3_scale(force->force_n, scale2 * scale2));
}

static void transform_points(ts_vec3 *points, size_t count, double scale, ts_pose motion) {
  for (size_t i = 0; i < count; i++)
    points[i] = ts_pose_point(motion, ts_vec3_scale(points[i], scale));
}

void ts_region_transform(ts_region *region, double scale, ts_pose motion) {
  transform_points(region->vertices, region->vertex_count, scale, motion);
  for (size_t p = 0; p < region->piece_count; p++)
    transform_points(region->pieces[p].vertices, region->pieces[p].count, scale, motion);
  region->way_out = ts_pose_direction(motion, ts_vec3_scale(region->way_out, scale));
  for (int r = 0; r < TS_REFERENCE_COUNT; r++) {
    // References that agree share one array, which must move once.
    bool is_shared = false;
    for (int earlier = 0; earlier < r; earlier++)
      is_shared |= region->feasible[earlier].normals == region->feasible[r].normals;
    for (size_t i = 0; !is_shared && i < region->feasible[r].count; i++) {
      ts_feasible *feasible = &region->feasible[r].normals[i];
      feasible->normal = ts_pose_direction(motion, feasible->normal);
      feasible->gap_m *= scale;
      if (ts_vec3_norm2(feasible->gap_slope) == 0)
        continue;
      feasible->gap_slope = ts_pose_direction(motion, feasible->gap_slope);
      feasible->gap_at = ts_pose_point(motion, ts_vec3_scale(feasible->gap_at, scale));
    }
  }
}

static bool is_identity(ts_pose motion) {
  return motion.rotation.w == 1 && motion.rotation.x == 0 && motion.rotation.y == 0 &&
         motion.rotation.z == 0 && motion.translation.x == 0 && motion.translation.y == 0 &&
         motion.translation.z == 0;
}

ts_status ts_scene_transform(ts_scene *scene, double scale, ts_pose motion) {
  if (!(scale > 0) || !isfinite(scale))
    return ts_fail(TS_E_INPUT, "a scene cannot be scaled by %g; give a number above zero", scale);
  if (scale == 1 && is_identity(motion))
    return TS_OK;
  if (scale != 1)
    TS_TRY(scale_shapes(scene, scale));
  for (size_t i = 0; scale != 1 && i < scene->body_count; i++)
    TS_TRY(scale_elastic(&scene->bodies[i], scene->arena, scale));
  for (size_t i = 0; i < scene->body_count; i++)
    transform_body(&scene->bodies[i], scale, motion);
  for (size_t i = 0; i < scene->force_count; i++)
    transform_force(&scene->forces[i], scale, motion);
  for (size_t i = 0; i < scene->region_count; i++)
    ts_region_transform(&scene->regions[i], scale, motion);
  scene->scale *= scale;
  scene->up = ts_pose_direction(motion, scene->up);
  return TS_OK;
}

/// Upper bound of how far any point of b has moved in the frame of a: the largest displacement of a
/// corner of its box, since the displacement is a convex function of the point.
static double relative_motion_m(const ts_scene *built, const ts_body *bodies, int32_t a,
                                int32_t b) {
  ts_pose before = ts_pose_relative(built->bodies[a].pose, built->bodies[b].pose);
  ts_pose now = ts_pose_relative(bodies[a].pose, bodies[b].pose);
  ts_aabb box = built->shapes[built->bodies[b].shape].bounds_local;
  double most_m = 0;
  for (unsigned i = 0; i < 8; i++) {
    ts_vec3 corner = {i & 1 ? box.high.x : box.low.x, i & 2 ? box.high.y : box.low.y,
                      i & 4 ? box.high.z : box.low.z};
    most_m =
        fmax(most_m, ts_vec3_distance(ts_pose_point(before, corner), ts_pose_point(now, corner)));
  }
  return most_m;
}

ts_status ts_scene_move(ts_scene **out, ts_arena *arena, const ts_scene *built,
                        const ts_body *bodies) {
  ts_scene *scene = ts_arena_alloc(arena, sizeof *scene);
  ts_body *moved = ts_arena_copy(arena, bodies, built->body_count, sizeof *moved);
  if (!scene || !moved)
    return TS_E_MEMORY;
  *scene = *built;
  scene->arena = arena;
  scene->bodies = moved;
  scene->body_capacity = built->body_count;
  scene->force_capacity = built->force_count; // one more is added to a copy
  scene->regions = NULL;
  scene->region_count = 0;
  scene->oracle = NULL;
  *out = scene;
  return TS_OK;
}

ts_status ts_scene_carry(ts_scene **out, ts_arena *arena, const ts_scene *built,
                         const ts_body *bodies) {
  TS_TRY(ts_scene_move(out, arena, built, bodies));
  const ts_body *moved = (*out)->bodies;
  ts_region *regions = ts_arena_array(arena, built->region_count, sizeof *regions);
  if (!regions)
    return TS_E_MEMORY;
  for (size_t i = 0; i < built->region_count; i++) {
    regions[i] = built->regions[i];
    int32_t a = regions[i].body_a;
    ts_pose motion = ts_pose_mul(moved[a].pose, ts_pose_inverse(built->bodies[a].pose));
    TS_TRY(ts_region_copy(&regions[i], arena));
    ts_region_transform(&regions[i], 1, motion);
    regions[i].place_error_m += relative_motion_m(built, moved, a, regions[i].body_b);
  }
  (*out)->regions = regions;
  (*out)->region_count = built->region_count;
  return TS_OK;
}

static int compare_unknown(const void *left, const void *right) {
  const ts_unknown_pair *l = left, *r = right;
  if (l->body_a != r->body_a)
    return l->body_a < r->body_a ? -1 : 1;
  return (l->body_b > r->body_b) - (l->body_b < r->body_b);
}

void ts_unknown_pairs_sort(ts_unknown_pair *pairs, size_t count) {
  if (count > 1)
    qsort(pairs, count, sizeof *pairs, compare_unknown);
}

const ts_region *ts_scene_pair_regions(size_t *out_count, const ts_scene *scene, int32_t body_a,
                                       int32_t body_b) {
  size_t low = 0, high = scene->region_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    const ts_region *region = &scene->regions[middle];
    if (region->body_a < body_a || (region->body_a == body_a && region->body_b < body_b))
      low = middle + 1;
    else
      high = middle;
  }
  size_t end = low;
  while (end < scene->region_count && scene->regions[end].body_a == body_a &&
         scene->regions[end].body_b == body_b)
    end++;
  *out_count = end - low;
  return end > low ? &scene->regions[low] : NULL;
}

ts_vec3 ts_scene_pair_way_out(const ts_scene *scene, int32_t body_a, int32_t body_b) {
  size_t count;
  const ts_region *regions = ts_scene_pair_regions(&count, scene, body_a, body_b);
  return count > 0 ? regions[0].way_out : ts_vec3_make(0, 0, 0);
}
