// SPDX-License-Identifier: MIT
/// Whether a PLY file holds all that its header announces: assimp runs for ever, crashes or makes
/// things up where it does not.
#ifndef TS_GEOMETRY_PLY_CHECK_H
#define TS_GEOMETRY_PLY_CHECK_H

#include "base/types.h"

/// Walks through the header and every row of every element of a file of `count` bytes, binary or
/// text. TS_E_INPUT with a message that begins with `path`: no PLY, a header that does not end or
/// has a type that is not known, fewer rows than announced. Rows beyond the last are no fault.
ts_status ts_ply_check(const char *path, const char *bytes, size_t count);

#endif
