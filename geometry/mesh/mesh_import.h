// SPDX-License-Identifier: MIT
/// Meshes from other programs: STL, PLY and glTF, read by a helper program of ours that is linked
/// with assimp. OBJ is not among them: geometry/mesh/obj.h reads it without loss.
#ifndef TS_GEOMETRY_MESH_IMPORT_H
#define TS_GEOMETRY_MESH_IMPORT_H

#include "base/arena.h"

#include <stdbool.h>

/// Largest file that is read [bytes]: 5 million triangles of binary STL.
#define TS_MESH_IMPORT_BYTES_MAX ((size_t)256 << 20)

/// Triangles as a file has them; not known to be closed: that is for ts_mesh_create to find out.
typedef struct ts_mesh_imported {
  size_t vertex_count;
  ts_vec3 *vertices; ///< [vertex_count], in the file's unit: metres in glTF, unknown in STL and PLY
  size_t triangle_count;
  uint32_t (*triangles)[3]; ///< [triangle_count]
  /// Triangles left out because two of their corners are one point.
  size_t collapsed_count;
} ts_mesh_imported;

/// Whether the name ends in .stl, .ply, .gltf or .glb, in small or capital letters.
bool ts_mesh_import_takes(const char *path);

/// Takes the triangles out of a file's bytes; arrays in the arena. `path` gives the format by its
/// ending and names the file in messages; nothing is opened.
///
/// - All meshes of the file are one. In glTF the transforms of the nodes are applied, in double
///   precision, and a mesh that a node mirrors is turned right side out; polygons are cut into
///   triangles; points and lines are left out; skins, morph targets and animations are not
///   followed.
/// - assimp keeps coordinates as floats: digits of a file beyond 24 bits are lost, and a coordinate
///   in text may be off by one unit in the last place of a float.
/// - Vertices at exactly equal positions (-0 is 0) are one, without a tolerance; they come in the
///   order in which triangles use them, and those that no triangle uses are left out. A triangle of
///   which two corners are then one vertex is left out: its two other edges lie on each other, so
///   that a surface that is closed with it is closed without. Other triangles stay as they are.
///
/// TS_E_INPUT with a message that begins with `path` and says what to do: damaged or cut off; no
/// triangles; a coordinate that is not finite; an index out of range; a buffer in another file;
/// more than TS_MESH_IMPORT_BYTES_MAX, or than the helper's memory or time allow; assimp crashes.
/// TS_E_UNSUPPORTED when the helper is not there, with the package to install; TS_E_IO when it
/// cannot be run or is not one; TS_E_MEMORY. May be called from several threads.
///
/// The helper is the program that TOUCHSTONE_IMPORT names, else touchstone-import in the folder of
/// the running program. A call takes at least some 5 ms. Same bytes, same result.
ts_status ts_mesh_import(ts_mesh_imported *out, ts_arena *arena, const char *path,
                         const void *bytes, size_t byte_count);

#endif
