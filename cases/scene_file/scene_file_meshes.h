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

/// Triangles as a file has them, or of the hull of its points.
typedef struct ts_scene_triangles {
  const char *name; ///< of the file, as scene.json has it; "" for points in scene.json
  size_t vertex_count, triangle_count;
  ts_vec3 *vertices; ///< [m]
  const uint32_t (*triangles)[3];
} ts_scene_triangles;

/// A unit of length: `numerator` over `denominator` metres, both whole, so that a length is
/// multiplied and divided by numbers without rounding: 0.001 is not a double, 1000 is.
typedef struct ts_scene_unit {
  const char *name;
  double numerator, denominator;
} ts_scene_unit;

/// Reads the name of a unit: m, cm, mm, um, in or ft; metres when there is no value.
ts_status ts_scene_unit_read(ts_scene_unit *out, ts_arena *arena, const ts_node *node);

/// A length in a unit, in metres.
double ts_scene_unit_metres(ts_scene_unit unit, double length);

/// Reads the member `key` of `node`, a length above 0 in a unit, in metres.
ts_status ts_scene_unit_read_length(double *out, const ts_node *node, const char *key,
                                    ts_scene_unit unit);

/// Reads the file that `node` names, followed by a zero, and its name as it is there.
ts_status ts_scene_folder_read_file(char **out, size_t *out_count, const char **out_name,
                                    ts_scene_folder *folder, const ts_node *node);

/// Names the shape and the file in a message about triangles, of that status, that are refused.
ts_status ts_scene_fail_triangles(const ts_node *node, const ts_scene_triangles *triangles,
                                  const char *shape, ts_status status);

/// Reads the mesh file that `node` names (geometry/files/mesh_file.h).
ts_status ts_scene_folder_read_mesh(ts_scene_triangles *out, ts_scene_folder *folder,
                                    const ts_node *node, ts_scene_unit unit);

/// Makes the hull (geometry/mesh/hull.h) of the points that `node` lists, or of the file that it
/// names.
ts_status ts_scene_folder_read_hull(ts_scene_triangles *out, ts_scene_folder *folder,
                                    const ts_node *node, ts_scene_unit unit);

/// Reads the published tets of a shape, into `arena`, from the file that `node` names.
ts_status ts_scene_folder_read_tets(const ts_published_tets **out, ts_arena *arena,
                                    ts_scene_folder *folder, const ts_node *node,
                                    const ts_shape *shape);

#endif
