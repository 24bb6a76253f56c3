// SPDX-License-Identifier: MIT
#include "harness/relations/scene_variants.h"

#include "base/random.h"
#include "base/status.h"
#include "cases/scene/excluded_pairs.h"
#include "geometry/mesh/tetgen.h"

#include <string.h>

/// Makes another mesh of one of a shape's, in the arena.
typedef ts_status (*mesh_change)(ts_mesh **out, ts_arena *arena, const ts_mesh *mesh,
                                 void *context);

/// A scene with the bodies of another one, to be changed, and its shapes likewise.
static ts_status copy_scene(ts_scene **out, ts_arena *arena, const ts_scene *scene) {
  ts_scene *copy;
  TS_TRY(ts_scene_create(&copy, arena));
  copy->scale = scene->scale;
  copy->up = scene->up;
  copy->refinement = scene->refinement;
  copy->touch_relative = scene->touch_relative;
  copy->shapes = ts_arena_copy(arena, scene->shapes, scene->shape_count, sizeof *copy->shapes);
  copy->bodies = ts_arena_copy(arena, scene->bodies, scene->body_count, sizeof *copy->bodies);
  if (!copy->shapes || !copy->bodies)
    return TS_E_MEMORY;
  copy->shape_count = copy->shape_capacity = scene->shape_count;
  copy->body_count = copy->body_capacity = scene->body_count;
  copy->excluded = scene->excluded;
  copy->excluded_count = scene->excluded_count;
  *out = copy;
  return TS_OK;
}

/// Changes the mesh of a shape, and its convex pieces.
static ts_status change_shape(ts_shape *shape, ts_arena *arena, mesh_change change, void *context) {
  ts_mesh *changed;
  TS_TRY(change(&changed, arena, shape->mesh, context));
  shape->mesh = changed;
  shape->bounds_local = ts_mesh_bounds(changed);
  shape->pieces = ts_arena_copy(arena, shape->pieces, shape->piece_count, sizeof *shape->pieces);
  if (!shape->pieces)
    return TS_E_MEMORY;
  for (size_t p = 0; p < shape->piece_count; p++) {
    TS_TRY(change(&changed, arena, shape->pieces[p], context));
    shape->pieces[p] = changed;
  }
  return TS_OK;
}

static ts_status change_shapes(ts_scene *scene, mesh_change change, void *context) {
  for (size_t i = 0; i < scene->shape_count; i++)
    TS_TRY(change_shape(&scene->shapes[i], scene->arena, change, context));
  return TS_OK;
}

// ---- order -------------------------------------------------------------------------------------

/// The pairs that never touch, by the new indices.
static ts_status order_excluded(ts_scene *out, const ts_scene *scene, const int32_t *order) {
  ts_body_pair *pairs =
      ts_arena_copy(out->arena, scene->excluded, scene->excluded_count, sizeof *pairs);
  int32_t *place = ts_arena_array(out->arena, scene->body_count, sizeof *place);
  if (!pairs || !place)
    return TS_E_MEMORY;
  for (size_t i = 0; i < scene->body_count; i++)
    place[order[i]] = (int32_t)i;
  for (size_t i = 0; i < scene->excluded_count; i++)
    pairs[i] = (ts_body_pair){place[pairs[i].body_a], place[pairs[i].body_b]};
  out->excluded = NULL;
  out->excluded_count = 0;
  return ts_scene_exclude(out, pairs, scene->excluded_count);
}

ts_status ts_scene_with_body_order(ts_scene **out, ts_arena *arena, const ts_scene *scene,
                                   const int32_t *order) {
  TS_TRY(copy_scene(out, arena, scene));
  for (size_t i = 0; i < scene->body_count; i++)
    (*out)->bodies[i] = scene->bodies[order[i]];
  return order_excluded(*out, scene, order);
}

static void shuffle(uint32_t *out, size_t count, ts_random *random) {
  for (size_t i = 0; i < count; i++)
    out[i] = (uint32_t)i;
  for (size_t i = count; i > 1; i--) {
    size_t k = (size_t)(ts_random_u64(random) % i);
    uint32_t swap = out[i - 1];
    out[i - 1] = out[k];
    out[k] = swap;
  }
}

/// Gives a shuffled mesh the tets of the original, in another order, each seen another way round.
static ts_status shuffle_tets(ts_mesh *shuffled, ts_arena *arena, const ts_mesh *mesh,
                              const uint32_t *vertex_place, ts_random *random) {
  static const int turns[4][4] = {{0, 1, 2, 3}, {1, 0, 3, 2}, {2, 3, 0, 1}, {3, 2, 1, 0}};
  uint32_t *tet_place = ts_arena_array(arena, mesh->tet_count, sizeof *tet_place);
  uint32_t(*tets)[4] = ts_arena_array(arena, mesh->tet_count, sizeof *tets);
  if (!tet_place || !tets)
    return TS_E_MEMORY;
  shuffle(tet_place, mesh->tet_count, random);
  for (size_t t = 0; t < mesh->tet_count; t++) {
    const int *turn = turns[ts_random_u64(random) % 4];
    for (int k = 0; k < 4; k++)
      tets[tet_place[t]][k] = vertex_place[mesh->tets[t][turn[k]]];
  }
  return ts_mesh_set_tets(shuffled, arena, (const uint32_t(*)[4])tets, mesh->tet_count);
}

static ts_status shuffle_mesh(ts_mesh **out, ts_arena *arena, const ts_mesh *mesh, void *context) {
  ts_random *random = context;
  uint32_t *vertex_place = ts_arena_array(arena, mesh->vertex_count, sizeof *vertex_place);
  uint32_t *triangle_place = ts_arena_array(arena, mesh->triangle_count, sizeof *triangle_place);
  ts_vec3 *vertices = ts_arena_array(arena, mesh->vertex_count, sizeof *vertices);
  uint32_t(*triangles)[3] = ts_arena_array(arena, mesh->triangle_count, sizeof *triangles);
  if (!vertex_place || !triangle_place || !vertices || !triangles)
    return TS_E_MEMORY;
  shuffle(vertex_place, mesh->vertex_count, random);
  shuffle(triangle_place, mesh->triangle_count, random);
  for (size_t i = 0; i < mesh->vertex_count; i++)
    vertices[vertex_place[i]] = mesh->vertices[i];
  for (size_t i = 0; i < mesh->triangle_count; i++) {
    size_t turn = (size_t)(ts_random_u64(random) % 3);
    for (size_t k = 0; k < 3; k++)
      triangles[triangle_place[i]][k] = vertex_place[mesh->triangles[i][(k + turn) % 3]];
  }
  TS_TRY(ts_mesh_create(out, arena, vertices, mesh->vertex_count, (const uint32_t(*)[3])triangles,
                        mesh->triangle_count));
  return mesh->tet_count > 0 ? shuffle_tets(*out, arena, mesh, vertex_place, random) : TS_OK;
}

ts_status ts_scene_with_mesh_order(ts_scene **out, ts_arena *arena, const ts_scene *scene,
                                   uint64_t seed) {
  ts_random random = ts_random_seed(seed, 0);
  TS_TRY(copy_scene(out, arena, scene));
  return change_shapes(*out, shuffle_mesh, &random);
}

// ---- mirror ------------------------------------------------------------------------------------

ts_vec3 ts_scene_mirror(ts_vec3 v) {
  return ts_vec3_make(v.z, v.y, v.x);
}

/// Axes of rotation are mirrored and reversed: a mirror turns what goes round.
static ts_vec3 mirror_axial(ts_vec3 v) {
  return ts_vec3_neg(ts_scene_mirror(v));
}

static ts_vec3 *mirror_points(ts_arena *arena, const ts_vec3 *points, size_t count) {
  ts_vec3 *out = ts_arena_array(arena, count, sizeof *out);
  for (size_t i = 0; out && i < count; i++)
    out[i] = ts_scene_mirror(points[i]);
  return out;
}

/// Triangles with the last two corners swapped, so that the outer side stays outside.
static uint32_t (*turn_triangles(ts_arena *arena, const uint32_t (*triangles)[3],
                                 size_t count))[3] {
  uint32_t(*out)[3] = ts_arena_array(arena, count, sizeof *out);
  for (size_t i = 0; out && i < count; i++) {
    out[i][0] = triangles[i][0];
    out[i][1] = triangles[i][2];
    out[i][2] = triangles[i][1];
  }
  return out;
}

static ts_status mirror_mesh(ts_mesh **out, ts_arena *arena, const ts_mesh *mesh, void *context) {
  (void)context;
  ts_vec3 *vertices = mirror_points(arena, mesh->vertices, mesh->vertex_count);
  uint32_t(*triangles)[3] = turn_triangles(arena, mesh->triangles, mesh->triangle_count);
  uint32_t(*tets)[4] = ts_arena_array(arena, mesh->tet_count, sizeof *tets);
  if (!vertices || !triangles || !tets)
    return TS_E_MEMORY;
  for (size_t t = 0; t < mesh->tet_count; t++) {
    const uint32_t *tet = mesh->tets[t];
    memcpy(tets[t], (const uint32_t[4]){tet[0], tet[1], tet[3], tet[2]}, sizeof tets[t]);
  }
  TS_TRY(ts_mesh_create(out, arena, vertices, mesh->vertex_count, (const uint32_t(*)[3])triangles,
                        mesh->triangle_count));
  return mesh->tet_count > 0
             ? ts_mesh_set_tets(*out, arena, (const uint32_t(*)[4])tets, mesh->tet_count)
             : TS_OK;
}

/// Rows become columns; the diagonal that cells are cut along stays.
static ts_status mirror_heightfield(const ts_heightfield **field, ts_arena *arena) {
  const ts_heightfield *from = *field;
  ts_heightfield *to = ts_arena_copy(arena, from, 1, sizeof *to);
  double *heights = ts_arena_array(arena, from->row_count * from->column_count, sizeof *heights);
  if (!to || !heights)
    return TS_E_MEMORY;
  to->row_count = from->column_count;
  to->column_count = from->row_count;
  to->spacing_x_m = from->spacing_z_m;
  to->spacing_z_m = from->spacing_x_m;
  for (size_t row = 0; row < to->row_count; row++)
    for (size_t column = 0; column < to->column_count; column++)
      heights[row * to->column_count + column] = from->heights_m[column * from->column_count + row];
  to->heights_m = heights;
  *field = to;
  return TS_OK;
}

static ts_status mirror_surface(const ts_open_mesh **surface, ts_arena *arena) {
  ts_open_mesh *to = ts_arena_copy(arena, *surface, 1, sizeof *to);
  if (!to)
    return TS_E_MEMORY;
  to->vertices = mirror_points(arena, to->vertices, to->vertex_count);
  to->triangles = (const uint32_t(*)[3])turn_triangles(arena, to->triangles, to->triangle_count);
  if (!to->vertices || !to->triangles)
    return TS_E_MEMORY;
  *surface = to;
  return TS_OK;
}

/// What a mesh stands for. Round shapes have the axis y, which the mirror keeps.
static ts_status mirror_geometry(ts_shape *shape, ts_arena *arena) {
  ts_geometry *g = &shape->geometry;
  g->half_size_m = ts_scene_mirror(g->half_size_m);
  shape->ground.sheet.up_local = ts_scene_mirror(shape->ground.sheet.up_local);
  if (g->heightfield)
    TS_TRY(mirror_heightfield(&g->heightfield, arena));
  return g->surface ? mirror_surface(&g->surface, arena) : TS_OK;
}

static void mirror_body(ts_body *body) {
  ts_quat r = body->pose.rotation;
  ts_vec3 axis = mirror_axial(ts_vec3_make(r.x, r.y, r.z));
  body->pose.rotation = (ts_quat){r.w, axis.x, axis.y, axis.z};
  body->pose.translation = ts_scene_mirror(body->pose.translation);
  body->twist.linear_m_s = ts_scene_mirror(body->twist.linear_m_s);
  body->twist.angular_rad_s = mirror_axial(body->twist.angular_rad_s);
}

ts_status ts_scene_mirrored(ts_scene **out, ts_arena *arena, const ts_scene *scene) {
  TS_TRY(copy_scene(out, arena, scene));
  (*out)->up = ts_scene_mirror(scene->up);
  for (size_t i = 0; i < scene->body_count; i++)
    mirror_body(&(*out)->bodies[i]);
  for (size_t i = 0; i < scene->shape_count; i++)
    TS_TRY(mirror_geometry(&(*out)->shapes[i], arena));
  return change_shapes(*out, mirror_mesh, NULL);
}

// ---- split -------------------------------------------------------------------------------------

/// In steps from one corner: a coordinate that all corners share is that of the middle, too.
static ts_vec3 middle_of(const ts_vec3 *vertices, const uint32_t triangle[3]) {
  ts_vec3 first = vertices[triangle[0]];
  ts_vec3 half = ts_vec3_add_scaled(first, 1.0 / 3, ts_vec3_sub(vertices[triangle[1]], first));
  return ts_vec3_add_scaled(half, 1.0 / 3, ts_vec3_sub(vertices[triangle[2]], first));
}

static ts_status split_mesh(ts_mesh **out, ts_arena *arena, const ts_mesh *mesh, void *context) {
  (void)context;
  size_t count = mesh->vertex_count;
  if (mesh->tet_count > 0) {
    *out = ts_arena_copy(arena, mesh, 1, sizeof **out);
    return *out ? TS_OK : TS_E_MEMORY;
  }
  ts_vec3 *vertices = ts_arena_array(arena, count + mesh->triangle_count, sizeof *vertices);
  uint32_t(*triangles)[3] = ts_arena_array(arena, 3 * mesh->triangle_count, sizeof *triangles);
  if (!vertices || !triangles)
    return TS_E_MEMORY;
  memcpy(vertices, mesh->vertices, count * sizeof *vertices);
  for (size_t t = 0; t < mesh->triangle_count; t++) {
    const uint32_t *whole = mesh->triangles[t];
    vertices[count + t] = middle_of(mesh->vertices, whole);
    for (size_t k = 0; k < 3; k++) {
      const uint32_t part[3] = {whole[k], whole[(k + 1) % 3], (uint32_t)(count + t)};
      memcpy(triangles[3 * t + k], part, sizeof part);
    }
  }
  return ts_mesh_create(out, arena, vertices, count + mesh->triangle_count,
                        (const uint32_t(*)[3])triangles, 3 * mesh->triangle_count);
}

ts_status ts_scene_with_split_triangles(ts_scene **out, ts_arena *arena, const ts_scene *scene) {
  TS_TRY(copy_scene(out, arena, scene));
  return change_shapes(*out, split_mesh, NULL);
}

// ---- tets --------------------------------------------------------------------------------------

ts_status ts_scene_with_tets(ts_scene **out, ts_arena *arena, const ts_scene *scene) {
  TS_TRY(copy_scene(out, arena, scene));
  for (size_t i = 0; i < scene->shape_count; i++) {
    ts_mesh *mesh;
    if (scene->shapes[i].mesh->tet_count > 0)
      continue;
    TS_TRY(ts_tetgen_fill(&mesh, arena, scene->shapes[i].mesh, &ts_tetgen_coarse));
    (*out)->shapes[i].mesh = mesh;
  }
  return TS_OK;
}
