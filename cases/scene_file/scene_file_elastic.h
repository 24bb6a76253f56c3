// SPDX-License-Identifier: MIT
/// The elastic data of the bodies of a scene file.
#ifndef TS_CASES_SCENE_FILE_ELASTIC_H
#define TS_CASES_SCENE_FILE_ELASTIC_H

#include "cases/scene/scene.h"
#include "cases/scene_file/json_node.h"

#include <stdio.h>

/// Reads `elastic` of the body `node`, which the scene has already; nothing where it has none. Its
/// shape, `shape_node`, is filled by TetGen where it has no tets. `*nodes` counts the nodes of all
/// deformable bodies so far. TS_E_INPUT with the place: as ts_scene_make_deformable; a shape that
/// cannot be filled; more than TS_SCENE_FILE_NODES_MAX nodes.
ts_status ts_scene_file_read_elastic(size_t *nodes, ts_scene *scene, int32_t body,
                                     const ts_node *node, const ts_node *shape_node);

/// Writes the value of `elastic`.
void ts_scene_file_put_elastic(FILE *file, const ts_elastic *elastic);

#endif
