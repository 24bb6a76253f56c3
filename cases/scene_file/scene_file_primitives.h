// SPDX-License-Identifier: MIT
/// The shapes of a scene file that are no meshes: primitives, given by a few lengths, and ground.
#ifndef TS_CASES_SCENE_FILE_PRIMITIVES_H
#define TS_CASES_SCENE_FILE_PRIMITIVES_H

#include "cases/scene_file/scene_file_meshes.h"

/// Adds the primitive (sphere, capsule, cylinder, cone or box) or the ground
/// (cases/scene_file/scene_file_ground.h) that a shape, `node`, has as a member to the scene, if it
/// has one; `*out` says whether. TS_E_INPUT when it has two, or something that belongs to a mesh
/// beside it, or lengths that ts_primitive_tessellate() refuses.
ts_status ts_scene_read_geometry(bool *out, ts_scene *scene, ts_scene_folder *folder,
                                 const char *name, const ts_node *node, ts_scene_unit unit);

#endif
