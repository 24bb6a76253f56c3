// SPDX-License-Identifier: MIT
/// The shapes of a scene file that are given by a few lengths.
#ifndef TS_CASES_SCENE_FILE_PRIMITIVES_H
#define TS_CASES_SCENE_FILE_PRIMITIVES_H

#include "cases/scene_file/scene_file_meshes.h"

/// Adds the primitive that a shape, `node`, has as a member (sphere, capsule, cylinder, cone or
/// box) to the scene, if it has one; `*out` says whether. TS_E_INPUT when it has two, or something
/// that belongs to a mesh beside it, or lengths that ts_primitive_tessellate() refuses.
ts_status ts_scene_read_primitive(bool *out, ts_scene *scene, const char *name, const ts_node *node,
                                  ts_scene_unit unit);

#endif
