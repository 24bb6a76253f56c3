// SPDX-License-Identifier: MIT
/// STL, binary and text. Text is read in double precision; binary files hold floats, which are
/// kept.
///
/// A file is binary when its size is that of the triangles that its header counts (84 + 50 n
/// bytes), whatever it begins with; else text when it begins with "solid"; else binary with
/// something behind its triangles, or cut off. Of text, words may stand in any lines, in small or
/// capital letters; all solids of a file are one. Normals, names and colours are not looked at.
///
/// STL has no indices: corners at exactly equal positions are one vertex (ts_find_equal_points),
/// and a triangle of which two corners are then one is left out (ts_triangles_keep_used).
#ifndef TS_GEOMETRY_STL_H
#define TS_GEOMETRY_STL_H

#include "geometry/triangles.h"

/// Reads a file of `count` bytes. `path` is what messages call it. TS_E_INPUT with the line, or the
/// triangle: it is cut off, or not STL; a word that is unknown or in the wrong place; a number that
/// is invalid or not finite; a facet without exactly three vertices; no triangle, or none that has
/// three corners. Memory grows with the file, not with what it claims. The arena also gets what is
/// needed on the way.
ts_status ts_stl_parse(ts_triangles *out, ts_arena *arena, const char *path, const char *bytes,
                       size_t count);

#endif
