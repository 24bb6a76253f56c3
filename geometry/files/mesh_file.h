// SPDX-License-Identifier: MIT
/// Mesh files of all formats, by the ending of their names: .obj, .stl, .ply, .gltf and .glb, in
/// small or capital letters.
#ifndef TS_GEOMETRY_MESH_FILE_H
#define TS_GEOMETRY_MESH_FILE_H

#include "geometry/triangles.h"

/// The files that one scene is made of.
typedef struct ts_file_account {
  size_t bytes_left; ///< that they may still have
  uint64_t hash;     ///< of all that was read, in its order (base/hash.h)
} ts_file_account;

/// Reads a whole file, followed by a zero, as ts_file_read() does, and keeps account of it.
ts_status ts_file_account_read(char **out, size_t *out_count, ts_arena *arena,
                               ts_file_account *account, const char *path);

/// Reads the mesh file at `path`, which messages call `name`, and the buffers that it names, which
/// are in its folder or below. TS_E_INPUT: an ending that is not among those above; the file is
/// larger than the account allows; what ts_obj_parse(), ts_stl_parse(), ts_ply_parse() and
/// ts_mesh_import() refuse. The arena also gets what is needed on the way.
ts_status ts_mesh_file_read(ts_triangles *out, ts_arena *arena, ts_file_account *account,
                            const char *path, const char *name);

#endif
