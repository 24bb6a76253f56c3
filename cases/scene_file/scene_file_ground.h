// SPDX-License-Identifier: MIT
/// The shapes of a scene file that are ground.
#ifndef TS_CASES_SCENE_FILE_GROUND_H
#define TS_CASES_SCENE_FILE_GROUND_H

#include "cases/scene_file/scene_file_meshes.h"

/// Adds the ground of a kind of ts_geometry_kind that `node` describes, the member of a shape.
/// TS_E_INPUT: as ts_scene_add_plane(), ts_scene_add_surface(), ts_scene_add_heightfield() and
/// ts_heights_parse(); lengths that are not above 0.
ts_status ts_scene_read_ground(ts_scene *scene, ts_scene_folder *folder, int32_t kind,
                               const char *name, const ts_node *node, ts_scene_unit unit);

#endif
