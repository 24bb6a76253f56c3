// SPDX-License-Identifier: MIT
/// Scenes that are the same to any observer but not to the computer: what a good contact generator
/// must not notice.
#ifndef TS_TESTS_CONTRACT_SCENE_VARIANTS_H
#define TS_TESTS_CONTRACT_SCENE_VARIANTS_H

#include "cases/scene/scene.h"

/// The bodies in another order: body i of the new scene is body order[i] of the old one. The truth
/// is left out.
ts_scene *scene_with_body_order(ts_arena *arena, const ts_scene *scene, const int32_t *order);

/// The same bodies with the vertices, the triangles and the tets of every shape shuffled, and the
/// corners of every triangle and tet turned round, by the seed.
ts_scene *scene_with_mesh_order(ts_arena *arena, const ts_scene *scene, uint64_t seed);

/// The same bodies with every shape filled with tets, as a method that needs them would get them.
ts_scene *scene_with_tets(ts_arena *arena, const ts_scene *scene);

#endif
