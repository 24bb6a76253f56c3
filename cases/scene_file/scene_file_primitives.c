// SPDX-License-Identifier: MIT
#include "cases/scene_file/scene_file_primitives.h"

#include "base/geometry_kind.h"
#include "base/status.h"
#include "cases/scene_file/scene_file_ground.h"
#include "geometry/tolerances.h"

/// What belongs to a shape of triangles.
static const char *const mesh_keys[] = {"mesh",         "hull_of",        "is_conical",
                                        "tets",         "pieces",         "pieces_max",
                                        "pieces_error", "published_tets", NULL};

static ts_status read_box(ts_geometry *out, const ts_node *node, ts_scene_unit unit) {
  static const char *const keys[] = {"size", NULL};
  TS_TRY(ts_node_check_object(node, keys));
  ts_node size_node = ts_node_member(node, "size");
  ts_vec3 size;
  TS_TRY(ts_node_vec3(&size, &size_node));
  if (!(size.x > 0) || !(size.y > 0) || !(size.z > 0))
    return ts_node_fail(&size_node, "is [%g, %g, %g]; give three numbers above 0", size.x, size.y,
                        size.z);
  out->half_size_m = ts_vec3_make(0.5 * ts_scene_unit_metres(unit, size.x),
                                  0.5 * ts_scene_unit_metres(unit, size.y),
                                  0.5 * ts_scene_unit_metres(unit, size.z));
  return TS_OK;
}

/// A sphere, or a solid with an axis.
static ts_status read_round(ts_geometry *out, double *out_error_m, const ts_node *node,
                            ts_scene_unit unit) {
  static const char *const keys[] = {"radius", "length", "mesh_error", NULL};
  static const char *const sphere_keys[] = {"radius", "mesh_error", NULL};
  bool is_sphere = out->kind == TS_GEOMETRY_SPHERE;
  TS_TRY(ts_node_check_object(node, is_sphere ? sphere_keys : keys));
  TS_TRY(ts_scene_unit_read_length(&out->radius_m, node, "radius", unit));
  if (!is_sphere) {
    TS_TRY(ts_scene_unit_read_length(&out->half_length_m, node, "length", unit));
    out->half_length_m *= 0.5;
  }
  *out_error_m = TS_TESSELLATION_RELATIVE * out->radius_m;
  return ts_node_member(node, "mesh_error").value
             ? ts_scene_unit_read_length(out_error_m, node, "mesh_error", unit)
             : TS_OK;
}

static ts_status read_primitive(ts_scene *scene, int32_t kind, const char *name,
                                const ts_node *node, ts_scene_unit unit) {
  ts_geometry geometry = {.kind = kind};
  double error_m = 0;
  int32_t index;
  TS_TRY(kind == TS_GEOMETRY_BOX ? read_box(&geometry, node, unit)
                                 : read_round(&geometry, &error_m, node, unit));
  return ts_node_fail_detail(node, ts_scene_add_primitive(&index, scene, name, &geometry, error_m));
}

ts_status ts_scene_read_geometry(bool *out, ts_scene *scene, ts_scene_folder *folder,
                                 const char *name, const ts_node *node, ts_scene_unit unit) {
  int32_t found = TS_GEOMETRY_MESH;
  for (int32_t kind = TS_GEOMETRY_SPHERE; kind < TS_GEOMETRY_KIND_COUNT; kind++) {
    if (!ts_node_member(node, ts_geometry_words[kind]).value)
      continue;
    if (found != TS_GEOMETRY_MESH)
      return ts_node_fail(node, "has a %s and a %s; give one of them", ts_geometry_words[found],
                          ts_geometry_words[kind]);
    found = kind;
  }
  *out = found != TS_GEOMETRY_MESH;
  if (!*out)
    return TS_OK;
  for (const char *const *key = mesh_keys; *key; key++)
    if (ts_node_member(node, *key).value)
      return ts_node_fail(node, "is a %s and has %s, which belongs to a shape of triangles",
                          ts_geometry_words[found], *key);
  ts_node member = ts_node_member(node, ts_geometry_words[found]);
  return ts_geometry_is_ground(found)
             ? ts_scene_read_ground(scene, folder, found, name, &member, unit)
             : read_primitive(scene, found, name, &member, unit);
}
