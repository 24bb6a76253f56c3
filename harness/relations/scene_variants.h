// SPDX-License-Identifier: MIT
/// Scenes that are the same to any observer but not to the computer: what a good contact generator
/// must not notice. All without the truth, which methods do not see; names, texts and what is not
/// changed are shared with the original, the rest is in the arena. TS_E_MEMORY; refusals of meshes
/// and of TetGen are TS_E_INPUT.
#ifndef TS_HARNESS_SCENE_VARIANTS_H
#define TS_HARNESS_SCENE_VARIANTS_H

#include "cases/scene/scene.h"

/// The bodies in another order: body i of the new scene is body order[i] of the old one.
ts_status ts_scene_with_body_order(ts_scene **out, ts_arena *arena, const ts_scene *scene,
                                   const int32_t *order);

/// The same bodies with the vertices, the triangles and the tets of every shape and of its convex
/// pieces shuffled, and the corners of every triangle and tet turned round, by the seed.
ts_status ts_scene_with_mesh_order(ts_scene **out, ts_arena *arena, const ts_scene *scene,
                                   uint64_t seed);

/// The scene as a mirror shows it that swaps x and z, in the world and in every local frame. That
/// mirror rounds nothing, and primitives and height fields, whose axis is y, stay what they are.
ts_status ts_scene_mirrored(ts_scene **out, ts_arena *arena, const ts_scene *scene);

/// What that mirror makes of a point or a direction.
ts_vec3 ts_scene_mirror(ts_vec3 v);

/// The same bodies with every triangle cut into three by a vertex in its middle, so that edges stay
/// and no vertex is off them. Tets of their own are not cut: such shapes stay as they are.
ts_status ts_scene_with_split_triangles(ts_scene **out, ts_arena *arena, const ts_scene *scene);

/// The same bodies with every shape filled with tets, as a method that needs them would get them.
ts_status ts_scene_with_tets(ts_scene **out, ts_arena *arena, const ts_scene *scene);

#endif
