// SPDX-License-Identifier: MIT
/// Kinds of shapes: their words, and what they have in common.
#ifndef TS_BASE_GEOMETRY_KIND_H
#define TS_BASE_GEOMETRY_KIND_H

#include "base/types.h"

#include <stdbool.h>

extern const char *const ts_geometry_words[TS_GEOMETRY_KIND_COUNT];

/// Whether a kind is one of the solids that a few lengths describe.
static inline bool ts_geometry_is_primitive(int32_t kind) {
  return kind >= TS_GEOMETRY_SPHERE && kind <= TS_GEOMETRY_BOX;
}

/// Whether the surface of a kind is curved, so that triangles only approximate it.
static inline bool ts_geometry_is_curved(int32_t kind) {
  return kind >= TS_GEOMETRY_SPHERE && kind <= TS_GEOMETRY_CONE;
}

/// Whether a kind is ground: solid below without end, and fixed.
static inline bool ts_geometry_is_ground(int32_t kind) {
  return kind >= TS_GEOMETRY_PLANE && kind <= TS_GEOMETRY_SURFACE;
}

/// Whether a shape of a kind is one of the same kind, around the same centre, when its surface is
/// moved out or in.
static inline bool ts_geometry_has_offset(int32_t kind) {
  return ts_geometry_is_primitive(kind) && kind != TS_GEOMETRY_CONE;
}

#endif
