// SPDX-License-Identifier: MIT
/// Shapes of engines in place of triangles, in C and in C++: the parameter that chooses, and the
/// turn from an engine's axis to ours.
#ifndef TS_METHODS_ENGINE_SHAPES_H
#define TS_METHODS_ENGINE_SHAPES_H

#include "methods/method.h"

/// Its name, which is ts_method::takes_if: with its first choice the harness gives triangles only.
#define ENGINE_SHAPES_NAME "shapes"

static const char *const engine_shapes_choices[] = {"mesh", "native", NULL};

/// An entry of a method's `params`. In the order of ts_param's fields: C++17 has no designators.
#define ENGINE_SHAPES                                                                              \
  {                                                                                                \
    ENGINE_SHAPES_NAME,                                                                            \
        "The engine's own shapes for spheres, planes and the others that it has, or the "          \
        "triangles of all: the same bodies in one engine in both ways.",                           \
        TS_PARAM_CHOICE, 0, 1, 0, 0, engine_shapes_choices                                         \
  }

/// Bits of ts_method::takes.
#define ENGINE_TAKES_ROUND                                                                         \
  (TS_TAKES(TS_GEOMETRY_SPHERE) | TS_TAKES(TS_GEOMETRY_CAPSULE) | TS_TAKES(TS_GEOMETRY_CYLINDER))

/// The kind of what the engine was given.
static inline int32_t engine_kind(const ts_mesh *mesh) {
  return mesh->geometry ? mesh->geometry->kind : TS_GEOMETRY_MESH;
}

/// The shape of engines whose axis is z is turned by this in a body's frame: z becomes our y, and,
/// so that it is exact, y becomes x and x becomes z.
static inline ts_quat engine_turn_of_z(void) {
  ts_quat turn = {0.5, -0.5, -0.5, -0.5};
  return turn;
}

#endif
