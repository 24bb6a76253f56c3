// SPDX-License-Identifier: MIT
#include "cases/scene_file/scene_file_pieces.h"

#include "base/status.h"
#include "geometry/convex/convex_split.h"
#include "geometry/tolerances.h"

#include <stdio.h>
#include <string.h>

static ts_status read_given(ts_scene *scene, int32_t shape, ts_scene_folder *folder,
                            const ts_node *pieces, ts_scene_unit unit) {
  size_t count;
  TS_TRY(ts_node_array(&count, pieces));
  for (size_t i = 0; i < count; i++) {
    ts_node item = ts_node_item(pieces, i);
    ts_scene_triangles t;
    TS_TRY(ts_scene_folder_read_mesh(&t, folder, &item, unit));
    ts_status status =
        ts_scene_add_piece(scene, shape, t.vertices, t.vertex_count, t.triangles, t.triangle_count);
    TS_TRY(ts_scene_fail_triangles(&item, &t, scene->shapes[shape].name, status));
  }
  return TS_OK;
}

static ts_status read_error(ts_shape *shape, const ts_node *node) {
  static const char *const keys[] = {"volume_relative", "distance_m", NULL};
  ts_pieces_error *error = &shape->pieces_error;
  TS_TRY(ts_node_check_object(node, keys));
  ts_node volume = ts_node_member(node, keys[0]), distance = ts_node_member(node, keys[1]);
  TS_TRY(ts_node_number(&error->volume_relative, &volume));
  TS_TRY(ts_node_number(&error->distance_m, &distance));
  if (!(error->volume_relative > -1))
    return ts_node_fail(&volume,
                        "is %.17g; give what the pieces have more than the shape, over "
                        "the volume of the shape",
                        error->volume_relative);
  if (!(error->distance_m > 0))
    return ts_node_fail(&distance,
                        "is %.17g; give a number above 0, or leave pieces_error out "
                        "where the pieces fill the shape",
                        error->distance_m);
  shape->pieces_kind = TS_PIECES_APPROXIMATE;
  return TS_OK;
}

static ts_status find(ts_scene *scene, int32_t shape, const ts_node *pieces, const ts_node *max) {
  double count = TS_SPLIT_COUNT;
  if (max->value)
    TS_TRY(ts_node_number(&count, max));
  if (!(count >= 1 && count <= TS_CONVEX_SPLIT_MAX) || count != (double)(size_t)count)
    return ts_node_fail(max, "is %.17g; give a whole number from 1 to %d", count,
                        TS_CONVEX_SPLIT_MAX);
  ts_status status = ts_scene_find_pieces(scene, shape, (size_t)count);
  if (status != TS_E_INPUT && status != TS_E_UNSUPPORTED)
    return status;
  char why[512];
  snprintf(why, sizeof why, "%s", ts_status_detail());
  return ts_node_fail(pieces, "shape \"%.60s\": %s", scene->shapes[shape].name, why);
}

ts_status ts_scene_read_pieces(ts_scene *scene, int32_t shape, ts_scene_folder *folder,
                               const ts_node *node, ts_scene_unit unit) {
  ts_node pieces = ts_node_member(node, "pieces"), max = ts_node_member(node, "pieces_max");
  ts_node error = ts_node_member(node, "pieces_error");
  bool is_text = pieces.value && json_is_string(pieces.value);
  if (is_text && strcmp(json_string_value(pieces.value), "auto") != 0)
    return ts_node_fail(&pieces, "is a text other than \"auto\"; give that, or a list of meshes");
  if (max.value && !is_text)
    return ts_node_fail(&max, "belongs to \"pieces\": \"auto\"; leave it out");
  if (error.value && (is_text || !pieces.value))
    return ts_node_fail(&error, "belongs to a list of pieces; leave it out");
  if (is_text)
    return find(scene, shape, &pieces, &max);
  if (pieces.value)
    TS_TRY(read_given(scene, shape, folder, &pieces, unit));
  return error.value ? read_error(&scene->shapes[shape], &error) : TS_OK;
}
