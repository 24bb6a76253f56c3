// SPDX-License-Identifier: MIT
/// What `describe` says of deformable bodies.
#ifndef TS_HARNESS_DESCRIBE_ELASTIC_H
#define TS_HARNESS_DESCRIBE_ELASTIC_H

#include "cases/scene/scene.h"

/// Prints how fine and how stiff the deformable bodies of a scene are; nothing where there is none.
ts_status ts_describe_elastic(ts_arena *arena, const ts_scene *scene);

#endif
