// SPDX-License-Identifier: MIT
/// Points as text: one a line, three numbers (geometry/files/number_line.h).
#ifndef TS_GEOMETRY_POINTS_H
#define TS_GEOMETRY_POINTS_H

#include "base/arena.h"
#include "base/types.h"

/// Reads a text of `count` bytes; points in the order of their lines, in the arena, in the unit of
/// the text. `name` is what messages call it. TS_E_INPUT with the line: what is not a number, or
/// not finite; more or fewer than three; more than `limit` points. Memory grows with the points.
ts_status ts_points_parse(ts_vec3 **out, size_t *out_count, ts_arena *arena, const char *name,
                          const char *text, size_t count, size_t limit);

#endif
