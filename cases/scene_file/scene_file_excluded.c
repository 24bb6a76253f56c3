// SPDX-License-Identifier: MIT
#include "cases/scene_file/scene_file_excluded.h"

#include "base/status.h"
#include "cases/scene/excluded_pairs.h"

static ts_status read_pair(ts_body_pair *out, ts_arena *arena, const ts_scene_names *bodies,
                           const ts_node *node) {
  size_t count;
  TS_TRY(ts_node_array(&count, node));
  if (count != 2)
    return ts_node_fail(node, "has %zu names; give two", count);
  ts_node a = ts_node_item(node, 0), b = ts_node_item(node, 1);
  TS_TRY(ts_scene_names_find(&out->body_a, arena, bodies, "body", &a));
  TS_TRY(ts_scene_names_find(&out->body_b, arena, bodies, "body", &b));
  return out->body_a != out->body_b ? TS_OK : ts_node_fail(node, "has the same body twice");
}

ts_status ts_scene_file_read_excluded(ts_scene *scene, const ts_scene_names *bodies,
                                      const ts_node *root) {
  ts_node list = ts_node_member(root, "excluded_pairs");
  size_t count;
  if (!list.value)
    return TS_OK;
  TS_TRY(ts_node_array(&count, &list));
  ts_body_pair *pairs = ts_arena_array(scene->arena, count, sizeof *pairs);
  if (!pairs)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++) {
    ts_node item = ts_node_item(&list, i);
    TS_TRY(read_pair(&pairs[i], scene->arena, bodies, &item));
  }
  return ts_scene_exclude(scene, pairs, count);
}
