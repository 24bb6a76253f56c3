// SPDX-License-Identifier: MIT
/// PLY, text and binary of either byte order. Numbers are read in double precision, which holds all
/// types that PLY has.
///
/// Read are x, y and z of the element `vertex`, of any scalar type, and the list `vertex_indices`,
/// or `vertex_index`, of the element `face`. Other properties, elements and comments are passed
/// over. Faces of more than three corners are cut into triangles (ts_face_cut); those of fewer are
/// points and lines, and left out.
///
/// Vertices at exactly equal positions are one (ts_find_equal_points), since programs split them
/// where normals or colours change. A triangle of which two corners are then one is left out
/// (ts_triangles_keep_used).
#ifndef TS_GEOMETRY_PLY_H
#define TS_GEOMETRY_PLY_H

#include "geometry/triangles.h"

/// Reads a file of `count` bytes. `path` is what messages call it. TS_E_INPUT with the line of the
/// header, or the row: not PLY; a header without an end, without vertices or faces, or with an
/// unknown type; fewer rows than announced (more are passed over); a number that is invalid; a
/// corner that names no vertex, or one that is not finite; a polygon that cannot be cut; no
/// triangle. Memory grows with the file, not with what it claims. The arena also gets what is
/// needed on the way.
ts_status ts_ply_parse(ts_triangles *out, ts_arena *arena, const char *path, const char *bytes,
                       size_t count);

#endif
