// SPDX-License-Identifier: MIT
#include "cases/scene_file/scene_file_ground.h"

#include "base/status.h"
#include "cases/scene/ground.h"
#include "geometry/files/heights.h"

/// A length above 0; 0, to be chosen, where there is none.
static ts_status read_chosen(double *out, const ts_node *node, const char *key,
                             ts_scene_unit unit) {
  *out = 0;
  return ts_node_member(node, key).value ? ts_scene_unit_read_length(out, node, key, unit) : TS_OK;
}

static ts_status read_plane(ts_scene *scene, const char *name, const ts_node *node,
                            ts_scene_unit unit) {
  static const char *const keys[] = {"extent", "thickness", NULL};
  TS_TRY(ts_node_check_object(node, keys));
  double extent_m, thickness_m;
  int32_t index;
  TS_TRY(read_chosen(&extent_m, node, "extent", unit));
  TS_TRY(read_chosen(&thickness_m, node, "thickness", unit));
  return ts_node_fail_detail(node, ts_scene_add_plane(&index, scene, name, extent_m, thickness_m));
}

static ts_status read_surface(ts_scene *scene, ts_scene_folder *folder, const char *name,
                              const ts_node *node, ts_scene_unit unit) {
  static const char *const keys[] = {"file", "thickness", NULL};
  ts_node file = *node;
  double thickness_m = 0;
  if (!json_is_string(node->value)) {
    TS_TRY(ts_node_check_object(node, keys));
    file = ts_node_member(node, "file");
    TS_TRY(read_chosen(&thickness_m, node, "thickness", unit));
  }
  ts_scene_triangles t;
  TS_TRY(ts_scene_folder_read_mesh(&t, folder, &file, unit));
  const ts_open_mesh surface = {t.vertex_count, t.vertices, t.triangle_count, t.triangles};
  int32_t index;
  ts_status status = ts_scene_add_surface(&index, scene, name, &surface, thickness_m);
  return ts_scene_fail_triangles(&file, &t, name, status);
}

// ---- height fields ------------------------------------------------------------------------------

/// How far apart heights are, along x and z: given, or from the size of the whole.
static ts_status read_spacing(ts_heightfield *out, const ts_node *node, ts_scene_unit unit) {
  ts_node size = ts_node_member(node, "size"), spacing = ts_node_member(node, "spacing");
  if (size.value && spacing.value)
    return ts_node_fail(node, "has a size and a spacing; give one of them");
  const ts_node *given = spacing.value ? &spacing : &size;
  double lengths[2];
  TS_TRY(ts_node_numbers(lengths, given, 2));
  if (!(lengths[0] > 0) || !(lengths[1] > 0))
    return ts_node_fail(given, "is [%g, %g]; give two numbers above 0, along x and z", lengths[0],
                        lengths[1]);
  bool is_size = !spacing.value;
  double x_m = ts_scene_unit_metres(unit, lengths[0]), z_m = ts_scene_unit_metres(unit, lengths[1]);
  out->spacing_x_m = is_size ? x_m / (double)(out->column_count - 1) : x_m;
  out->spacing_z_m = is_size ? z_m / (double)(out->row_count - 1) : z_m;
  return TS_OK;
}

/// Levels of a picture become heights, from `base` for black up to `height` more for white; numbers
/// are heights.
static ts_status read_levels(ts_heights *heights, const ts_node *node, ts_scene_unit unit) {
  ts_node height = ts_node_member(node, "height"), base = ts_node_member(node, "base");
  double black = 0, range = 1;
  if (!heights->is_picture && (height.value || base.value))
    return ts_node_fail(height.value ? &height : &base,
                        "belongs to a picture, whose levels it makes heights; the numbers of a "
                        ".csv are heights");
  if (heights->is_picture) {
    TS_TRY(ts_node_number(&range, &height));
    if (!(range > 0))
      return ts_node_fail(&height,
                          "is %.17g; give a number above 0, how much higher white is than "
                          "black",
                          range);
  }
  if (base.value)
    TS_TRY(ts_node_number(&black, &base));
  for (size_t i = 0; i < heights->row_count * heights->column_count; i++)
    heights->values[i] = ts_scene_unit_metres(unit, black + range * heights->values[i]);
  return TS_OK;
}

static ts_status read_heightfield(ts_scene *scene, ts_scene_folder *folder, const char *name,
                                  const ts_node *node, ts_scene_unit unit) {
  static const char *const keys[] = {"file", "size",      "spacing", "height",
                                     "base", "thickness", NULL};
  TS_TRY(ts_node_check_object(node, keys));
  ts_node file = ts_node_member(node, "file");
  const char *file_name;
  char *bytes;
  size_t count;
  TS_TRY(ts_scene_folder_read_file(&bytes, &count, &file_name, folder, &file));
  ts_heights heights;
  TS_TRY(ts_node_fail_detail(&file, ts_heights_parse(&heights, folder->scratch, file_name, bytes,
                                                     count, TS_GROUND_HEIGHTS_MAX)));
  if (heights.row_count < 2 || heights.column_count < 2)
    return ts_node_fail(&file,
                        "%.200s: has %zu row%s of %zu height%s; give two rows and two columns at "
                        "least",
                        file_name, heights.row_count, heights.row_count == 1 ? "" : "s",
                        heights.column_count, heights.column_count == 1 ? "" : "s");
  TS_TRY(read_levels(&heights, node, unit));
  ts_heightfield field = {.row_count = heights.row_count,
                          .column_count = heights.column_count,
                          .heights_m = heights.values};
  TS_TRY(read_spacing(&field, node, unit));
  double thickness_m;
  int32_t index;
  TS_TRY(read_chosen(&thickness_m, node, "thickness", unit));
  return ts_node_fail_detail(node,
                             ts_scene_add_heightfield(&index, scene, name, &field, thickness_m));
}

ts_status ts_scene_read_ground(ts_scene *scene, ts_scene_folder *folder, int32_t kind,
                               const char *name, const ts_node *node, ts_scene_unit unit) {
  switch (kind) {
  case TS_GEOMETRY_PLANE:
    return read_plane(scene, name, node, unit);
  case TS_GEOMETRY_HEIGHTFIELD:
    return read_heightfield(scene, folder, name, node, unit);
  default:
    return read_surface(scene, folder, name, node, unit);
  }
}
