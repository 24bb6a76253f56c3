// SPDX-License-Identifier: MIT
#include "cases/scene_file/scene_file_meshes.h"

#include "base/file.h"
#include "base/status.h"
#include "cases/scene/published_tets.h"
#include "cases/scene_file/scene_file.h"
#include "geometry/files/points.h"
#include "geometry/mesh/hull.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/// The path of a file of the folder; `node` names it.
static ts_status find_file(char **out_path, const char **out_name, ts_scene_folder *folder,
                           const ts_node *node) {
  TS_TRY(ts_node_text(out_name, folder->scratch, node));
  return ts_node_fail_detail(node,
                             ts_file_beneath(out_path, folder->scratch, folder->path, *out_name));
}

ts_status ts_scene_folder_read_file(char **out, size_t *out_count, const char **out_name,
                                    ts_scene_folder *folder, const ts_node *node) {
  char *path;
  TS_TRY(find_file(&path, out_name, folder, node));
  return ts_node_fail_detail(
      node, ts_file_account_read(out, out_count, folder->scratch, &folder->files, path));
}

ts_status ts_scene_unit_read(ts_scene_unit *out, ts_arena *arena, const ts_node *node) {
  static const ts_scene_unit units[] = {{"m", 1, 1},    {"cm", 1, 100},    {"mm", 1, 1000},
                                        {"um", 1, 1e6}, {"in", 127, 5000}, {"ft", 381, 1250}};
  *out = units[0];
  if (!node->value)
    return TS_OK;
  const char *name;
  TS_TRY(ts_node_text(&name, arena, node));
  for (size_t i = 0; i < sizeof units / sizeof *units; i++)
    if (strcmp(name, units[i].name) == 0) {
      *out = units[i];
      return TS_OK;
    }
  return ts_node_fail(node, "is \"%.60s\"; give m, cm, mm, um, in or ft", name);
}

double ts_scene_unit_metres(ts_scene_unit unit, double length) {
  return length * unit.numerator / unit.denominator;
}

ts_status ts_scene_unit_read_length(double *out, const ts_node *node, const char *key,
                                    ts_scene_unit unit) {
  ts_node member = ts_node_member(node, key);
  double length;
  TS_TRY(ts_node_number(&length, &member));
  if (!(length > 0))
    return ts_node_fail(&member, "is %.17g; give a number above 0", length);
  *out = ts_scene_unit_metres(unit, length);
  return TS_OK;
}

static void to_metres(ts_vec3 *points, size_t count, ts_scene_unit unit) {
  for (size_t i = 0; i < count; i++)
    points[i] = ts_vec3_make(ts_scene_unit_metres(unit, points[i].x),
                             ts_scene_unit_metres(unit, points[i].y),
                             ts_scene_unit_metres(unit, points[i].z));
}

static ts_status read_triangles(ts_scene_triangles *out, ts_scene_folder *folder,
                                const ts_node *node) {
  char *path;
  TS_TRY(find_file(&path, &out->name, folder, node));
  ts_triangles read;
  TS_TRY(ts_node_fail_detail(
      node, ts_mesh_file_read(&read, folder->scratch, &folder->files, path, out->name)));
  out->vertex_count = read.vertex_count;
  out->vertices = read.vertices;
  out->triangle_count = read.triangle_count;
  out->triangles = (const uint32_t(*)[3])read.triangles;
  return TS_OK;
}

ts_status ts_scene_folder_read_mesh(ts_scene_triangles *out, ts_scene_folder *folder,
                                    const ts_node *node, ts_scene_unit unit) {
  TS_TRY(read_triangles(out, folder, node));
  to_metres(out->vertices, out->vertex_count, unit);
  return TS_OK;
}

ts_status ts_scene_fail_triangles(const ts_node *node, const ts_scene_triangles *t,
                                  const char *shape, ts_status status) {
  if (status != TS_E_INPUT)
    return status;
  char why[512];
  snprintf(why, sizeof why, "%s", ts_status_detail());
  const char *comma = t->name[0] != '\0' ? ", " : "";
  return ts_node_fail(node, "shape \"%.60s\"%s%.100s: %s", shape, comma, t->name, why);
}

/// The points in a list of the scene file, or in a file of their own.
static ts_status read_points(ts_vec3 **out, size_t *out_count, const char **out_name,
                             ts_scene_folder *folder, const ts_node *node) {
  if (json_is_string(node->value)) {
    char *bytes;
    size_t count;
    TS_TRY(ts_scene_folder_read_file(&bytes, &count, out_name, folder, node));
    return ts_node_fail_detail(node, ts_points_parse(out, out_count, folder->scratch, *out_name,
                                                     bytes, count, TS_HULL_POINTS_MAX));
  }
  *out_name = "";
  if (!json_is_array(node->value))
    return ts_node_fail(node, "is neither the name of a file of points nor a list of points");
  return ts_node_vec3s(out, out_count, folder->scratch, node, 0);
}

ts_status ts_scene_folder_read_hull(ts_scene_triangles *out, ts_scene_folder *folder,
                                    const ts_node *node, ts_scene_unit unit) {
  ts_vec3 *points;
  size_t count;
  TS_TRY(read_points(&points, &count, &out->name, folder, node));
  to_metres(points, count, unit); // before: rounding could make dents in a hull
  ts_hull hull;
  ts_status status = ts_hull_of_points(&hull, folder->scratch, points, count);
  if (status == TS_E_INPUT && out->name[0] != '\0') {
    char *why = ts_arena_string(folder->scratch, ts_status_detail());
    return why ? ts_node_fail(node, "%.200s: %s", out->name, why) : TS_E_MEMORY;
  }
  TS_TRY(ts_node_fail_detail(node, status));
  out->vertex_count = hull.vertex_count;
  out->vertices = hull.vertices;
  out->triangle_count = hull.triangle_count;
  out->triangles = (const uint32_t(*)[3])hull.triangles;
  return TS_OK;
}

/// Nodes in single precision; a number that has more digits is refused.
static ts_status read_nodes(const float (**out)[3], ts_arena *arena, const ts_node *node,
                            size_t count) {
  size_t given;
  TS_TRY(ts_node_array(&given, node));
  if (given != count)
    return ts_node_fail(node, "has %zu nodes; there are %zu", given, count);
  float(*nodes)[3] = ts_arena_array(arena, count, sizeof *nodes);
  if (!nodes)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++) {
    ts_node item = ts_node_item(node, i);
    double xyz[3];
    TS_TRY(ts_node_numbers(xyz, &item, 3));
    for (int k = 0; k < 3; k++) {
      bool fits = fabs(xyz[k]) <= (double)FLT_MAX;
      nodes[i][k] = fits ? (float)xyz[k] : 0;
      if (!fits || (double)nodes[i][k] != xyz[k])
        return ts_node_fail(&item, "published nodes are in single precision, and %.17g is not",
                            xyz[k]);
    }
  }
  *out = (const float(*)[3])nodes;
  return TS_OK;
}

static ts_status read_tets(const uint32_t (**out)[4], ts_arena *arena, const ts_node *node,
                           size_t count, size_t node_count) {
  size_t given;
  TS_TRY(ts_node_array(&given, node));
  if (given != count)
    return ts_node_fail(node, "has %zu tets; there are %zu", given, count);
  uint32_t(*tets)[4] = ts_arena_array(arena, count, sizeof *tets);
  if (!tets)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++) {
    ts_node item = ts_node_item(node, i);
    size_t corners;
    TS_TRY(ts_node_array(&corners, &item));
    if (corners != 4)
      return ts_node_fail(&item, "has %zu corners; a tetrahedron has 4", corners);
    for (size_t k = 0; k < 4; k++) {
      ts_node corner = ts_node_item(&item, k);
      TS_TRY(ts_node_index(&tets[i][k], &corner, node_count));
    }
  }
  *out = (const uint32_t(*)[4])tets;
  return TS_OK;
}

static ts_status read_state(ts_published_mesh *out, ts_arena *arena, const ts_node *root,
                            const char *key, size_t node_count, size_t tet_count) {
  static const char *const keys[] = {"nodes_at_scale_1_m", "tets", NULL};
  ts_node state = ts_node_member(root, key);
  TS_TRY(ts_node_check_object(&state, keys));
  ts_node nodes = ts_node_member(&state, keys[0]), tets = ts_node_member(&state, keys[1]);
  TS_TRY(read_nodes(&out->nodes, arena, &nodes, node_count));
  return read_tets(&out->tets, arena, &tets, tet_count, node_count);
}

static ts_status read_published(ts_published_tets *out, ts_arena *arena, const ts_node *root,
                                const ts_shape *shape) {
  static const char *const keys[] = {"schema", "version", "designed", "eroded", NULL};
  TS_TRY(ts_node_check_object(root, keys));
  ts_node schema = ts_node_member(root, "schema"), version = ts_node_member(root, "version");
  const char *name;
  double number;
  TS_TRY(ts_node_text(&name, arena, &schema));
  TS_TRY(ts_node_number(&number, &version));
  if (strcmp(name, TS_SCENE_TETS_SCHEMA) != 0 || number != TS_SCENE_TETS_VERSION)
    return ts_node_fail(&version, "is %s %g; this touchstone reads %s %d", name, number,
                        TS_SCENE_TETS_SCHEMA, TS_SCENE_TETS_VERSION);
  ts_node designed = ts_node_member(root, "designed");
  ts_node nodes = ts_node_member(&designed, "nodes_at_scale_1_m");
  ts_node tets = ts_node_member(&designed, "tets");
  size_t node_count;
  TS_TRY(ts_node_array(&node_count, &nodes));
  TS_TRY(ts_node_array(&out->tet_count, &tets));
  size_t vertex_count = shape->mesh->vertex_count;
  if (node_count < vertex_count || node_count >= UINT32_MAX || out->tet_count == 0)
    return ts_node_fail(&nodes, "has %zu nodes, and the mesh of %s %zu vertices, which come first",
                        node_count, shape->name, vertex_count);
  out->vertex_count = (uint32_t)vertex_count;
  out->node_count = (uint32_t)node_count;
  TS_TRY(read_state(&out->designed, arena, root, "designed", node_count, out->tet_count));
  return read_state(&out->eroded, arena, root, "eroded", node_count, out->tet_count);
}

/// Whether both states are bodies: checked now, where the file can be named, and not when a method
/// asks for them.
static ts_status check_published(const ts_published_tets *p, ts_arena *arena, const ts_node *root,
                                 const ts_shape *shape) {
  ts_arena_mark mark = ts_arena_get_mark(arena);
  ts_status status = TS_OK;
  for (int is_eroded = 0; is_eroded < 2 && status == TS_OK; is_eroded++) {
    const ts_mesh *mesh;
    ts_node state = ts_node_member(root, is_eroded ? "eroded" : "designed");
    status = ts_node_fail_detail(
        &state, ts_published_tets_mesh(&mesh, arena, p, shape->mesh, 1, is_eroded != 0));
  }
  ts_arena_rewind(arena, mark);
  return status;
}

ts_status ts_scene_folder_read_tets(const ts_published_tets **out, ts_arena *arena,
                                    ts_scene_folder *folder, const ts_node *node,
                                    const ts_shape *shape) {
  char *bytes, *path;
  size_t count;
  const char *name;
  TS_TRY(find_file(&path, &name, folder, node));
  TS_TRY(ts_node_fail_detail(
      node, ts_file_account_read(&bytes, &count, folder->scratch, &folder->files, path)));
  if (count > TS_SCENE_FILE_BYTES_MAX)
    return ts_node_fail(node, "has more than %zu bytes, the maximum", TS_SCENE_FILE_BYTES_MAX);
  ts_published_tets *tets = ts_arena_alloc(arena, sizeof *tets);
  if (!tets)
    return TS_E_MEMORY;
  json_t *json;
  TS_TRY(ts_node_parse(&json, path, bytes, count));
  ts_node root = {.value = json, .key = path};
  tets->shape = shape->name;
  ts_status status = read_published(tets, arena, &root, shape);
  if (status == TS_OK)
    status = check_published(tets, arena, &root, shape);
  json_decref(json);
  *out = tets;
  return status;
}
