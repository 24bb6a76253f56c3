// SPDX-License-Identifier: MIT
/// All bodies of a scene while its pairs give way: what each pair moves, and that no two of them
/// move the same.
#ifndef TS_HARNESS_DEFORM_BODIES_H
#define TS_HARNESS_DEFORM_BODIES_H

#include "harness/deform/deform_scene.h"

/// A body. Arrays are [mesh->vertex_count].
typedef struct ts_moving_body {
  const char *name;
  const ts_mesh *mesh;
  ts_pose pose;
  ts_vec3 *before, *after, *after_local; ///< world, world, frame of the mesh
  double *u, *eta;
  uint8_t *zone;
  int32_t *moved_by; ///< the number of the pair, from 1; 0: none
} ts_moving_body;

typedef struct ts_deform_bodies {
  size_t count;
  ts_moving_body *bodies; ///< [count]
} ts_deform_bodies;

/// The bodies of the scene with the meshes of `shapes` [scene->shape_count], as they are. In the
/// arena; borrows both. TS_E_MEMORY.
ts_status ts_deform_bodies_start(ts_deform_bodies *out, ts_arena *arena, const ts_scene *scene,
                                 const ts_shape *shapes);

/// TS_SKIPPED, with the pair that is in the way, when a triangle has a corner that this pair moves
/// and one that an earlier pair has moved: each keeps the volume by itself only where they are
/// apart. `pairs`: all of them, to name the bodies of that one.
ts_status ts_deform_bodies_check(const ts_deform_bodies *bodies, const ts_deform_case_pair *pairs,
                                 const ts_deform_case_pair *pair);

/// Moves both bodies of a pair as it has them; `number` is its own, from 1.
void ts_deform_bodies_move(ts_deform_bodies *bodies, const ts_deform_case_pair *pair,
                           int32_t number);

/// The bodies for files; borrows their arrays. TS_E_MEMORY.
ts_status ts_deform_bodies_show(ts_deformed_scene *out, ts_arena *arena,
                                const ts_deform_bodies *bodies);

#endif
