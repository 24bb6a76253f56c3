// SPDX-License-Identifier: MIT
/// Wavefront OBJ: triangle meshes as text, in double precision, so that no bit is lost between a
/// mesh that is written and the same one read back.
///
/// Read are `v x y z` (further numbers, weights and colours, are ignored) and `f` with corners of
/// the forms v, v/vt, v//vn and v/vt/vn, counted from 1, or backwards from -1, the latest vertex.
/// Texture coordinates and normals are not looked at, nor are materials, objects, groups and
/// smoothing: all faces of a file make one mesh, vertices in the order of the file. `#` begins a
/// comment, a backslash at the end of a line continues it. A byte order mark and line ends of any
/// system are fine. Faces of more than three corners are cut into triangles (ts_face_cut).
/// Any other word (points, lines, free-form curves and surfaces) is refused.
#ifndef TS_GEOMETRY_OBJ_H
#define TS_GEOMETRY_OBJ_H

#include "geometry/triangles.h"

#include <stdio.h>

/// Reads a text of `count` bytes. `path` is what messages call it. TS_E_INPUT with the line: an
/// unknown word, a number that is invalid or not finite, fewer numbers or corners than needed, a
/// corner that names no vertex before it, a polygon that cannot be cut. Memory grows with the text,
/// not with what it claims.
ts_status ts_obj_parse(ts_triangles *out, ts_arena *arena, const char *path, const char *text,
                       size_t count);

/// Writes the vertices, all of them, and the triangles of a mesh.
void ts_obj_write(FILE *file, const ts_mesh *mesh);

#endif
