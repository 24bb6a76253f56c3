// SPDX-License-Identifier: MIT
/// What a world of deformable and rigid bodies is made of: for sim/soft/ alone.
#ifndef TS_SIM_SOFT_STATE_H
#define TS_SIM_SOFT_STATE_H

#include "sim/rigid_body.h"
#include "sim/soft/soft_world.h"

/// Either deformable, with `tet`, or rigid.
typedef struct ts_soft_body {
  ts_body body; ///< pose and twist: of a rigid one as it is now, else as created
  double size_m;

  ts_tet_body *tet;      ///< NULL: rigid
  ts_vec3 *nodes;        ///< [node_count] of `tet` after the free motion, as the next three
  ts_vec3 *free_m;       ///< displacements of the free motion
  ts_vec3 *correction_m; ///< and of the corrective one; the sum of both in the end
  ts_vec3 *exact_m;      ///< correction by the exact compliance, to compare

  ts_body_properties properties;
  ts_body_state state, before; ///< `before`: at the start of the step
  ts_body body_before;         ///< likewise `body`
} ts_soft_body;

struct ts_soft_world {
  ts_soft_world_params params;
  const ts_shape *shapes; ///< borrowed
  ts_arena *arena;        ///< of what is as long as the world
  ts_arena *step_arena;   ///< of what a step needs
  size_t body_count;
  ts_soft_body *bodies;   ///< [body_count]
  const ts_force *forces; ///< [force_count] borrowed
  size_t force_count;
  double *forces_n;             ///< [contacts of the last step] along the normals
  double free_ns, linearise_ns; ///< of the step that has begun
  bool is_mid_step;
};

static inline bool ts_soft_body_moves(const ts_soft_body *body) {
  return body->tet || !body->body.is_fixed;
}

#endif
