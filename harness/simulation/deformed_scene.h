// SPDX-License-Identifier: MIT
/// The scene of a world of deformable bodies: their meshes where the nodes are now.
#ifndef TS_HARNESS_DEFORMED_SCENE_H
#define TS_HARNESS_DEFORMED_SCENE_H

#include "cases/scene/scene.h"
#include "sim/soft/soft_world.h"

/// `built` as the bodies of `world` are now, in the arena. Each deformable body has a shape of its
/// own, named "block as deformed" of the body block, with vertices in the world, and the identity
/// for its pose; rigid bodies keep their shapes
/// and have the world's poses. Where the bodies touch is unknown. Tets are left out of a mesh some
/// of which are inverted: TetGen may fill it again. TS_E_INPUT, with the body, when a surface is no
/// longer one that ts_mesh_create takes.
ts_status ts_deformed_scene(ts_scene **out, ts_arena *arena, const ts_scene *built,
                            const ts_soft_world *world);

/// Makes a scene from ts_deformed_scene, or a copy of it, one that stands by itself: with rigid
/// bodies as they are now, since what they were at rest is not in it, the shapes that they have
/// alone, and names for those that have deformed ("deformed_1" of body 1). Meshes of deformed
/// bodies are copied to its arena. TS_E_MEMORY.
ts_status ts_deformed_scene_freeze(ts_scene *scene);

#endif
