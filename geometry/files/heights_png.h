// SPDX-License-Identifier: MIT
/// Heights of a PNG picture, for geometry/files/heights.c.
#ifndef TS_GEOMETRY_HEIGHTS_PNG_H
#define TS_GEOMETRY_HEIGHTS_PNG_H

#include "geometry/files/heights.h"

/// As ts_heights_parse().
ts_status ts_heights_png_parse(ts_heights *out, ts_arena *arena, const char *name,
                               const char *bytes, size_t count, size_t limit);

#endif
