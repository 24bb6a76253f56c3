// SPDX-License-Identifier: MIT
/// Scenes as files: scene.json with the bodies and the truth, and a mesh file a shape beside it.
/// docs/scenes.md describes the format.
///
/// A scene that is written is in its final state, as the harness runs it: scaled, moved, its noise
/// in. Numbers travel without loss, so that what is read back is the same to the bit. The torus
/// that a mesh is cut from (ts_shape::torus), which no method is judged by, stays behind.
#ifndef TS_CASES_SCENE_FILE_H
#define TS_CASES_SCENE_FILE_H

#include "cases/case.h"

#define TS_SCENE_FILE_SCHEMA  "touchstone scene"
#define TS_SCENE_FILE_VERSION 1

/// Suite of the cases that come from files.
#define TS_SCENE_FILE_SUITE "scene"

/// Largest scene.json, and largest file of tets [bytes]; read, they take up to 30 times as much.
#define TS_SCENE_FILE_BYTES_MAX  ((size_t)32 << 20)
/// Maximum numbers of shapes, of bodies and of forces.
#define TS_SCENE_FILE_SHAPES_MAX ((size_t)10000)
#define TS_SCENE_FILE_BODIES_MAX ((size_t)100000)
#define TS_SCENE_FILE_FORCES_MAX ((size_t)100000)
/// Maximum number of nodes of all deformable bodies together: each body has its own.
#define TS_SCENE_FILE_NODES_MAX  ((size_t)1000000)
/// Maximum size of all mesh files of a scene together [bytes].
#define TS_SCENE_MESH_BYTES_MAX  ((size_t)128 << 20)

/// What a file holds. The scene and all else live in the arena that it was read into.
typedef struct ts_scene_file {
  ts_scene *scene;
  const char *name, *summary, *source; ///< of the case; "" when the file has none
  const char *case_parameters; ///< as rows recorded them when it was written; "" when unknown
  const char *path;            ///< as given to ts_scene_file_open()
  uint64_t hash;               ///< Of the bytes of scene.json and of every file that it names.
} ts_scene_file;

/// Reads a scene and all files that it names, which must be in its folder or below; or a scene
/// of rigid-ipc (cases/scene_file/rigid_ipc.h).
///
/// TS_E_INPUT with a message that names the file and the place in it (line, or JSON path): not
/// JSON, another schema, a number out of range, a mesh that is refused, a path that leads out of
/// the folder, something that is not a regular file, a file beyond the limits above. TS_E_IO when a
/// file cannot be read. Memory is bounded by the limits, whatever the files hold.
ts_status ts_scene_file_open(ts_scene_file *out, ts_arena *arena, const char *path);

/// A case that builds the scene of a file, with the common parameters over it: `scale` multiplies
/// its lengths, `motion_seed` and `offset_m` move it on, `perturb_m` (at scale 1) moves bodies and
/// makes the truth unknown, `refinement` above 0 takes the place of the file's; defaults leave it
/// as it is. Borrows `file`.
ts_status ts_scene_file_case(const ts_case **out, ts_arena *arena, const ts_scene_file *file);

/// A file of a scene that is written.
typedef struct ts_scene_part {
  const char *name; ///< below the folder: "scene.json", "brick.obj"
  const char *what; ///< for people
  const char *bytes;
  size_t byte_count;
} ts_scene_part;

/// The files of a scene as built by a case, scene.json first, in the arena. Its name is from
/// `about`, and so are the other texts that are not NULL or "".
ts_status ts_scene_file_write(ts_scene_part **out, size_t *out_count, ts_arena *arena,
                              const ts_scene *scene, const ts_scene_file *about);

#endif
