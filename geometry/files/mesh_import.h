// SPDX-License-Identifier: MIT
/// glTF, read by a helper program of ours that is linked with assimp.
#ifndef TS_GEOMETRY_MESH_IMPORT_H
#define TS_GEOMETRY_MESH_IMPORT_H

#include "geometry/triangles.h"

#include <stdbool.h>

/// Most bytes of a file and its buffers together.
#define TS_MESH_IMPORT_BYTES_MAX ((size_t)256 << 20)

/// Reads the file `name` that a mesh file asks for, up to its last byte; `context` is the caller's.
/// TS_E_INPUT: it may not have it.
typedef ts_status ts_mesh_import_other(char **out, size_t *out_count, void *context,
                                       const char *name);

/// Whether the name ends in .gltf or .glb, in small or capital letters.
bool ts_mesh_import_takes(const char *path);

/// Takes the triangles out of a file's bytes; arrays in the arena. `path` gives the format by its
/// ending and names the file in messages; nothing is opened. Buffers in other files are those that
/// `other` reads; NULL: none.
///
/// - All meshes of the file are one. The transforms of the nodes are applied, in double precision,
///   and a mesh that a node mirrors is turned right side out; points and lines are left out; skins,
///   morph targets and animations are not followed. Lengths are metres.
/// - Coordinates are floats in the file, and kept.
/// - Vertices at exactly equal positions (-0 is 0) are one, without a tolerance; they come in the
///   order in which triangles use them, and those that no triangle uses are left out. A triangle of
///   which two corners are then one vertex is left out, as by ts_triangles_keep_used().
///
/// TS_E_INPUT with a message that begins with `path` and says what to do: damaged or cut off; no
/// triangles; a coordinate that is not finite; an index out of range; a buffer that `other` refuses
/// or cannot be asked for; more than TS_MESH_IMPORT_BYTES_MAX, TS_IMPORT_FILES_MAX files, or than
/// the helper's memory or time allow; assimp crashes. TS_E_UNSUPPORTED when the helper is not
/// there, with the package to install; TS_E_IO when it cannot be run or is not one; TS_E_MEMORY.
/// May be called from several threads.
///
/// The helper is the program that TOUCHSTONE_IMPORT names, else touchstone-import in the folder of
/// the running program. It is asked once, and once more for each buffer in another file; each time
/// takes at least some 5 ms. Same bytes, same result.
ts_status ts_mesh_import(ts_triangles *out, ts_arena *arena, const char *path, const void *bytes,
                         size_t byte_count, ts_mesh_import_other *other, void *context);

#endif
