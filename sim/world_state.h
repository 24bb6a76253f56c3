// SPDX-License-Identifier: MIT
/// What a world is made of: for sim/ alone.
#ifndef TS_SIM_WORLD_STATE_H
#define TS_SIM_WORLD_STATE_H

#include "sim/rigid_body.h"
#include "sim/world.h"

/// Of the position steps of a step.
typedef struct ts_position_work {
  ts_solver_body *bodies; ///< [body_count] at rest
  ts_aabb *boxes;         ///< [body_count] at their poses
  size_t *islands;        ///< [body_count] index of another body of the island, or its own
  double *shares;         ///< [body_count] of the displacement of an island, at its root
  double energy_before_j; ///< what position steps had added before the step
} ts_position_work;

struct ts_world {
  ts_world_params params;
  const ts_shape *shapes; ///< borrowed
  ts_solver *solver;
  ts_solver *position_solver; ///< NULL: the response has no position step
  const ts_force *forces;     ///< [force_count] borrowed
  size_t force_count;
  size_t body_count;
  ts_body *bodies; ///< [body_count], as all below
  ts_body_properties *properties;
  ts_body_state *states, *states_before; ///< `before`: the step that is being done
  ts_body *bodies_before;
  ts_solver_body *solver_bodies;
  ts_position_work position;
  ts_world_response response; ///< of the last step
  int32_t is_mid_step;
  int64_t step_count;
};

/// Pose and twist of a body from its state.
void ts_world_write_body(ts_world *world, size_t body);

/// What the solver needs to know of a body, moving or at rest.
void ts_world_show_solver(ts_solver_body *out, const ts_world *world, size_t body);

#endif
