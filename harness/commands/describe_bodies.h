// SPDX-License-Identifier: MIT
/// What `describe` says of bodies beyond their meshes: deformable ones and static ground.
#ifndef TS_HARNESS_DESCRIBE_BODIES_H
#define TS_HARNESS_DESCRIBE_BODIES_H

#include "cases/scene/scene.h"

/// Prints how fine and how stiff the deformable bodies of a scene are; nothing where there is none.
ts_status ts_describe_elastic(ts_arena *arena, const ts_scene *scene);

/// Prints how large the ground of a scene is, and how it is closed below; nothing where there is
/// none.
ts_status ts_describe_ground(ts_arena *arena, const ts_scene *scene);

#endif
