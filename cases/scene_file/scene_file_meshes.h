// SPDX-License-Identifier: MIT
/// The meshes and tets of a scene file: what is in files of its own beside scene.json.
#ifndef TS_CASES_SCENE_FILE_MESHES_H
#define TS_CASES_SCENE_FILE_MESHES_H

#include "cases/scene/scene.h"
#include "cases/scene_file/json_node.h"
#include "geometry/files/mesh_file.h"

#define TS_SCENE_TETS_SCHEMA  "touchstone tets"
#define TS_SCENE_TETS_VERSION 1

/// The folder of a scene, and what has been read from it.
typedef struct ts_scene_folder {
  ts_arena *scratch; ///< of what is read; emptied by the caller
  const char *path;
  ts_file_account files;
} ts_scene_folder;

/// Triangles as a file has them.
typedef struct ts_scene_triangles {
  const char *name; ///< of the file, as scene.json has it
  size_t vertex_count, triangle_count;
  const ts_vec3 *vertices;
  const uint32_t (*triangles)[3];
} ts_scene_triangles;

/// Reads the mesh file that `node` names (geometry/files/mesh_file.h).
ts_status ts_scene_folder_read_mesh(ts_scene_triangles *out, ts_scene_folder *folder,
                                    const ts_node *node);

/// Reads the published tets of a shape, into `arena`, from the file that `node` names.
ts_status ts_scene_folder_read_tets(const ts_published_tets **out, ts_arena *arena,
                                    ts_scene_folder *folder, const ts_node *node,
                                    const ts_shape *shape);

#endif
