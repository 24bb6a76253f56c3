// SPDX-License-Identifier: MIT
/// Rigid bodies in the form of deformable ones: a free motion, the blocks of W, and the correction
/// by contact forces (Saupin 2008, section 2.1). For sim/soft/ alone.
#ifndef TS_SIM_SOFT_RIGID_H
#define TS_SIM_SOFT_RIGID_H

#include "sim/soft/soft_contacts.h"

/// What a constant force does in a step to velocity and angular momentum, before the free motion.
void ts_soft_rigid_push(ts_soft_body *body, const ts_soft_world_params *params,
                        const ts_force *force);

/// The free motion of a step, without drag: the angular momentum stays.
void ts_soft_rigid_move(ts_soft_body *body, const ts_soft_world_params *params);

/// Whether its pose and twist are numbers that can be computed with.
bool ts_soft_rigid_is_finite(const ts_soft_body *body);

/// The blocks of W [count * count] between the contacts of a body: h^2 J J^T, where J are the rows
/// of a contact times the root of the inverse mass matrix at the start of the step. TS_E_MEMORY.
ts_status ts_soft_rigid_blocks(ts_mat3 *out, const ts_soft_world *world, const ts_soft_body *body,
                               const ts_soft_sides *sides);

/// Ends the step with forces along the rows of all contacts. The angular momentum changes by their
/// torque about the centre after the free motion, where the contacts were found.
void ts_soft_rigid_correct(ts_soft_body *body, const ts_soft_world_params *params,
                           const ts_soft_sides *sides, const ts_vec3 *forces);

#endif
