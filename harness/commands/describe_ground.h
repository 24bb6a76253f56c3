// SPDX-License-Identifier: MIT
/// What `describe` says of static ground.
#ifndef TS_HARNESS_DESCRIBE_GROUND_H
#define TS_HARNESS_DESCRIBE_GROUND_H

#include "cases/scene/scene.h"

/// Prints how large the ground of a scene is, and how it is closed below; nothing where there is
/// none.
ts_status ts_describe_ground(ts_arena *arena, const ts_scene *scene);

#endif
