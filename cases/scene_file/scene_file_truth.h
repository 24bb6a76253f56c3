// SPDX-License-Identifier: MIT
/// The truth of a scene file: where its bodies touch, and the normals that are right there.
#ifndef TS_CASES_SCENE_FILE_TRUTH_H
#define TS_CASES_SCENE_FILE_TRUTH_H

#include "cases/scene/scene.h"
#include "cases/scene_file/json_node.h"

typedef struct ts_scene_name {
  const char *name;
  uint32_t index;
} ts_scene_name;

/// Names of shapes or of bodies, to be looked up.
typedef struct ts_scene_names {
  size_t count;
  ts_scene_name *sorted; ///< [count], by name
} ts_scene_names;

/// The index of what a text names; `what` it should be, for the message.
ts_status ts_scene_names_find(int32_t *out, ts_arena *arena, const ts_scene_names *among,
                              const char *what, const ts_node *node);

/// Reads "truth" and "regions" into a scene whose bodies are there.
ts_status ts_scene_file_read_truth(ts_scene *scene, const ts_scene_names *bodies,
                                   const ts_node *root);

#endif
