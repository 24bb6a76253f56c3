// SPDX-License-Identifier: MIT
#include "harness/simulation/deformed_scene.h"

#include "base/status.h"

#include <stdio.h>
#include <string.h>

/// The same with the body that it is about, and what can be done: what ts_mesh_create() advises
/// after the fault is for meshes of files.
static ts_status name_body(const ts_body *body, ts_status status) {
  char fault[200];
  snprintf(fault, sizeof fault, "%s", ts_status_detail());
  fault[strcspn(fault, ":;")] = '\0';
  return ts_fail(status,
                 "body %s has deformed to a surface that no method can be given (%s): give it a "
                 "stiffer material or a finer mesh, the simulation a shorter dt_s, or use a method "
                 "with other contacts",
                 body->name, fault);
}

static ts_status deform_mesh(const ts_mesh **out, ts_arena *arena, const ts_mesh *mesh,
                             const ts_vec3 *nodes) {
  ts_mesh *moved;
  ts_arena_mark mark = ts_arena_get_mark(arena);
  ts_status status = ts_mesh_with_vertices(&moved, arena, mesh, nodes);
  if (status == TS_E_INPUT && mesh->tet_count > 0) {
    ts_arena_rewind(arena, mark);
    status = ts_mesh_create(&moved, arena, nodes, mesh->vertex_count, mesh->triangles,
                            mesh->triangle_count);
  }
  if (status == TS_OK)
    *out = moved;
  return status;
}

/// The shape that a deformable body gets: its own, unless another body has that, too, which is
/// rigid or has an earlier one's place.
static int32_t choose_shape(ts_scene *scene, size_t index) {
  int32_t shape = scene->bodies[index].shape;
  for (size_t i = 0; i < scene->body_count; i++)
    if (scene->bodies[i].shape == shape && (i < index || !scene->bodies[i].elastic))
      return (int32_t)scene->shape_count++;
  return shape;
}

static ts_status deform_body(ts_scene *scene, const ts_scene *built, size_t index,
                             const ts_vec3 *nodes) {
  ts_body *body = &scene->bodies[index];
  const ts_shape *rest = &built->shapes[body->shape];
  body->shape = choose_shape(scene, index);
  ts_shape *shape = &scene->shapes[body->shape];
  *shape = *rest;
  shape->name = ts_arena_format(scene->arena, "%s as deformed", body->name);
  if (!shape->name)
    return TS_E_MEMORY;
  shape->geometry = (ts_geometry){.struct_size = sizeof shape->geometry};
  ts_status status = deform_mesh(&shape->mesh, scene->arena, rest->mesh, nodes);
  if (status != TS_OK)
    return status == TS_E_INPUT ? name_body(body, status) : status;
  shape->bounds_local = ts_mesh_bounds(shape->mesh);
  body->pose = ts_pose_identity();
  body->twist = (ts_twist){{0, 0, 0}, {0, 0, 0}};
  return TS_OK;
}

static ts_status make_room(ts_scene *scene, const ts_scene *built) {
  scene->shape_capacity = built->shape_count + built->body_count;
  scene->shapes = ts_arena_array(scene->arena, scene->shape_capacity, sizeof *scene->shapes);
  if (!scene->shapes)
    return TS_E_MEMORY;
  for (size_t i = 0; i < built->shape_count; i++)
    scene->shapes[i] = built->shapes[i];
  return TS_OK;
}

ts_status ts_deformed_scene(ts_scene **out, ts_arena *arena, const ts_scene *built,
                            const ts_soft_world *world) {
  ts_scene *scene;
  TS_TRY(ts_scene_move(&scene, arena, built, built->bodies));
  scene->joint_count = 0;
  scene->truth_is_unknown = true;
  TS_TRY(make_room(scene, built));
  for (size_t i = 0; i < scene->body_count; i++) {
    if (ts_soft_world_tet_body(world, i))
      TS_TRY(deform_body(scene, built, i, ts_soft_world_nodes(world, i)));
    else
      scene->bodies[i].pose = ts_soft_world_pose(world, i);
  }
  *out = scene;
  return TS_OK;
}

static ts_status copy_mesh(const ts_mesh **out, ts_arena *arena, const ts_mesh *mesh) {
  ts_mesh *copy = ts_arena_copy(arena, mesh, 1, sizeof *mesh);
  if (!copy)
    return TS_E_MEMORY;
  copy->vertices = ts_arena_copy(arena, mesh->vertices, mesh->vertex_count, sizeof *mesh->vertices);
  copy->triangles =
      ts_arena_copy(arena, mesh->triangles, mesh->triangle_count, sizeof *mesh->triangles);
  copy->edge_twin =
      ts_arena_copy(arena, mesh->edge_twin, 3 * mesh->triangle_count, sizeof *mesh->edge_twin);
  copy->tets = ts_arena_copy(arena, mesh->tets, mesh->tet_count, sizeof *mesh->tets);
  copy->tet_surface =
      ts_arena_copy(arena, mesh->tet_surface, mesh->tet_count, sizeof *mesh->tet_surface);
  *out = copy;
  bool is_whole =
      copy->vertices && copy->triangles && copy->edge_twin && copy->tets && copy->tet_surface;
  return is_whole ? TS_OK : TS_E_MEMORY;
}

/// A shape of its own for a body that has deformed.
static ts_status freeze_shape(ts_shape *out, ts_arena *arena, const ts_shape *shape, size_t body) {
  *out = *shape;
  out->name = ts_arena_format(arena, "deformed_%zu", body);
  return out->name ? copy_mesh(&out->mesh, arena, shape->mesh) : TS_E_MEMORY;
}

ts_status ts_deformed_scene_freeze(ts_scene *scene) {
  ts_shape *shapes = ts_arena_array(scene->arena, scene->body_count, sizeof *shapes);
  int32_t *moved_to = ts_arena_array(scene->arena, scene->shape_count, sizeof *moved_to); // plus 1
  if (!shapes || !moved_to)
    return TS_E_MEMORY;
  int32_t count = 0;
  for (size_t i = 0; i < scene->body_count; i++) {
    ts_body *body = &scene->bodies[i];
    const ts_shape *shape = &scene->shapes[body->shape];
    int32_t *known = &moved_to[body->shape];
    if (*known == 0) {
      shapes[count] = *shape;
      if (body->elastic)
        TS_TRY(freeze_shape(&shapes[count], scene->arena, shape, i));
      *known = ++count;
    }
    body->shape = *known - 1;
    body->elastic = NULL;
  }
  scene->shapes = shapes;
  scene->shape_count = scene->shape_capacity = (size_t)count;
  return TS_OK;
}
