// SPDX-License-Identifier: MIT
#include "cases/scene_file/scene_file_elastic.h"

#include "base/number.h"
#include "base/status.h"
#include "cases/scene/deformable.h"
#include "cases/scene_file/scene_file.h"
#include "geometry/mesh/elastic.h"
#include "geometry/mesh/tetgen.h"

#include <inttypes.h>
#include <stdio.h>

/// Fills a shape without tets, for all bodies that have it.
static ts_status fill(ts_scene *scene, ts_shape *shape, const ts_node *node) {
  if (shape->mesh->tet_count > 0)
    return TS_OK;
  ts_tetgen_options options = ts_tetgen_coarse;
  options.unit_m = scene->scale;
  ts_mesh *filled;
  ts_status status = ts_tetgen_fill(&filled, scene->arena, shape->mesh, &options);
  if (status == TS_E_INPUT || status == TS_E_UNSUPPORTED) {
    char why[512];
    snprintf(why, sizeof why, "%s", ts_status_detail());
    return ts_node_fail(node, "shape \"%.60s\" has no tets and cannot be filled: %s", shape->name,
                        why);
  }
  TS_TRY(status);
  shape->mesh = filled;
  shape->bounds_local = ts_mesh_bounds(filled);
  return TS_OK;
}

static ts_status read_numbers(ts_elastic *out, const ts_node *node) {
  const struct {
    const char *key;
    double *value;
  } members[] = {{"young_pa", &out->young_pa},
                 {"poisson", &out->poisson},
                 {"mass_damping_1_s", &out->mass_damping_1_s},
                 {"stiffness_damping_s", &out->stiffness_damping_s}};
  for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
    ts_node member = ts_node_member(node, members[i].key);
    bool has_default =
        members[i].value == &out->mass_damping_1_s || members[i].value == &out->stiffness_damping_s;
    if (member.value || !has_default)
      TS_TRY(ts_node_number(members[i].value, &member));
  }
  return ts_node_fail_detail(node, ts_elastic_check_values(out));
}

static ts_status read_listed(ts_elastic *out, ts_arena *arena, const ts_node *node,
                             const ts_shape *shape) {
  size_t count, node_count = shape->mesh->vertex_count;
  TS_TRY(ts_node_array(&count, node));
  uint32_t *clamped = ts_arena_array(arena, count, sizeof *clamped);
  if (!clamped)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++) {
    ts_node item = ts_node_item(node, i);
    TS_TRY(ts_node_index(&clamped[i], &item, node_count));
  }
  out->clamped = clamped;
  out->clamped_count = count;
  return TS_OK;
}

/// The nodes in a box, its sides too.
static ts_status read_boxed(ts_elastic *out, ts_arena *arena, const ts_node *node,
                            const ts_shape *shape) {
  static const char *const keys[] = {"box_m", NULL};
  TS_TRY(ts_node_check_object(node, keys));
  ts_node corners = ts_node_member(node, keys[0]);
  ts_vec3 *ends;
  size_t end_count, count = 0, node_count = shape->mesh->vertex_count;
  TS_TRY(ts_node_vec3s(&ends, &end_count, arena, &corners, 2));
  ts_aabb box = {.low = ends[0], .high = ends[1]};
  if (end_count != 2 ||
      !(box.low.x <= box.high.x && box.low.y <= box.high.y && box.low.z <= box.high.z))
    return ts_node_fail(&corners, "is not two corners, the lower one first along x, y and z");
  uint32_t *clamped = ts_arena_array(arena, node_count, sizeof *clamped);
  if (!clamped)
    return TS_E_MEMORY;
  for (size_t i = 0; i < node_count; i++)
    if (ts_aabb_contains(box, shape->mesh->vertices[i]))
      clamped[count++] = (uint32_t)i;
  if (count == 0)
    return ts_node_fail(&corners,
                        "holds none of the %zu nodes of shape \"%.60s\", which are between "
                        "(%g, %g, %g) and (%g, %g, %g) in its frame",
                        node_count, shape->name, shape->bounds_local.low.x,
                        shape->bounds_local.low.y, shape->bounds_local.low.z,
                        shape->bounds_local.high.x, shape->bounds_local.high.y,
                        shape->bounds_local.high.z);
  out->clamped = clamped;
  out->clamped_count = count;
  return TS_OK;
}

/// `has_own_tets`: the numbers of the nodes are those of the file.
static ts_status read_clamped(ts_elastic *out, ts_arena *arena, const ts_node *node,
                              const ts_shape *shape, bool has_own_tets) {
  if (!node->value)
    return TS_OK;
  if (json_is_object(node->value))
    TS_TRY(read_boxed(out, arena, node, shape));
  else if (!json_is_array(node->value))
    return ts_node_fail(node, "is neither a list of nodes nor {\"box_m\": [low, high]}");
  else if (!has_own_tets)
    return ts_node_fail(node,
                        "lists nodes, and shape \"%.60s\" has no tets, so that TetGen says "
                        "which there are: give {\"box_m\": [low, high]}, or tets",
                        shape->name);
  else
    TS_TRY(read_listed(out, arena, node, shape));
  return ts_node_fail_detail(node, ts_elastic_check_clamped(out, shape->mesh->vertex_count));
}

static ts_status count_nodes(size_t *nodes, const ts_shape *shape, const ts_node *node) {
  *nodes += shape->mesh->vertex_count;
  if (*nodes <= TS_SCENE_FILE_NODES_MAX)
    return TS_OK;
  return ts_node_fail(
      node,
      "brings the nodes of deformable bodies to %zu; there may be %zu: give coarser "
      "shapes, or fewer such bodies",
      *nodes, TS_SCENE_FILE_NODES_MAX);
}

ts_status ts_scene_file_read_elastic(size_t *nodes, ts_scene *scene, int32_t index,
                                     const ts_node *node, const ts_node *shape_node) {
  static const char *const keys[] = {
      "young_pa", "poisson", "mass_damping_1_s", "stiffness_damping_s", "clamped", NULL};
  ts_node object = ts_node_member(node, "elastic");
  if (!object.value)
    return TS_OK;
  ts_node clamped = ts_node_member(&object, "clamped"), tets = ts_node_member(shape_node, "tets");
  ts_shape *shape = &scene->shapes[scene->bodies[index].shape];
  ts_elastic elastic = {0};
  TS_TRY(ts_node_check_object(&object, keys));
  TS_TRY(read_numbers(&elastic, &object));
  TS_TRY(ts_node_fail_detail(&object, ts_scene_check_can_deform(scene, index)));
  TS_TRY(fill(scene, shape, &object));
  TS_TRY(count_nodes(nodes, shape, &object));
  TS_TRY(read_clamped(&elastic, scene->arena, &clamped, shape, tets.value != NULL));
  return ts_node_fail_detail(&object, ts_scene_make_deformable(scene, index, &elastic));
}

static void put_number(FILE *file, const char *before, double value) {
  char text[TS_NUMBER_BYTES];
  fprintf(file, "%s%s", before, ts_number_format(text, value));
}

void ts_scene_file_put_elastic(FILE *file, const ts_elastic *elastic) {
  put_number(file, "{\"young_pa\": ", elastic->young_pa);
  put_number(file, ", \"poisson\": ", elastic->poisson);
  put_number(file, ",\n                 \"mass_damping_1_s\": ", elastic->mass_damping_1_s);
  put_number(file, ", \"stiffness_damping_s\": ", elastic->stiffness_damping_s);
  for (size_t i = 0; i < elastic->clamped_count; i++)
    fprintf(file, "%s%" PRIu32, i == 0 ? ",\n                 \"clamped\": [" : ", ",
            elastic->clamped[i]);
  fputs(elastic->clamped_count > 0 ? "]}" : "}", file);
}
