// SPDX-License-Identifier: MIT
/// Checks that a PLY file is as long as its header announces: otherwise assimp hangs, crashes or
/// invents data.
#ifndef TS_GEOMETRY_PLY_CHECK_H
#define TS_GEOMETRY_PLY_CHECK_H

#include "base/types.h"

/// Walks through the header and every row of every element of a file of `count` bytes, binary or
/// text. TS_E_INPUT with a message that begins with `path`: not PLY, a header without an end or
/// with an unknown type, fewer rows than announced. Extra rows are not an error.
ts_status ts_ply_check(const char *path, const char *bytes, size_t count);

#endif
