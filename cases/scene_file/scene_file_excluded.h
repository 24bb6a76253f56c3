// SPDX-License-Identifier: MIT
/// Pairs of bodies of a scene file that never touch.
#ifndef TS_CASES_SCENE_FILE_EXCLUDED_H
#define TS_CASES_SCENE_FILE_EXCLUDED_H

#include "cases/scene_file/scene_file_truth.h"

/// Reads "excluded_pairs", if it is there, into a scene whose bodies are.
ts_status ts_scene_file_read_excluded(ts_scene *scene, const ts_scene_names *bodies,
                                      const ts_node *root);

#endif
