// SPDX-License-Identifier: MIT
/// The convex pieces of a shape of a scene file.
#ifndef TS_CASES_SCENE_FILE_PIECES_H
#define TS_CASES_SCENE_FILE_PIECES_H

#include "cases/scene/scene.h"
#include "cases/scene_file/scene_file_meshes.h"

/// Reads `pieces` of the shape `node`, which the scene has already: the meshes that are given, with
/// `pieces_error` where they are approximate, or finds them ("auto"), `pieces_max` or fewer.
/// Nothing where it has none of these.
ts_status ts_scene_read_pieces(ts_scene *scene, int32_t shape, ts_scene_folder *folder,
                               const ts_node *node, ts_scene_unit unit);

#endif
