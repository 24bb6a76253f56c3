// SPDX-License-Identifier: MIT
/// The contacts of a step as the bodies feel them: for sim/soft/ alone.
#ifndef TS_SIM_SOFT_CONTACTS_H
#define TS_SIM_SOFT_CONTACTS_H

#include "sim/soft/soft_state.h"

/// One contact as one rigid body feels it: its displacement there is frame (d + turn x arm).
typedef struct ts_rigid_side {
  ts_mat3 frame; ///< as of ts_tet_side
  ts_vec3 arm;   ///< from the centre of mass to the contact's point
} ts_rigid_side;

/// The contacts of one body that moves, in their order.
typedef struct ts_soft_sides {
  size_t count;
  uint32_t *contacts; ///< [count]
  ts_tet_side *tet;   ///< [count] of a deformable body; else NULL
  ts_rigid_side *rigid;
} ts_soft_sides;

typedef struct ts_soft_contacts {
  size_t count;
  size_t constraint_count; ///< of which a body moves
  int32_t (*bodies)[2];    ///< [count] -1 for a fixed one
  ts_vec3 *free_m;         ///< [count] gap, and relative displacement along s and t
  double *friction;        ///< [count]
  ts_soft_sides *sides;    ///< [body_count]
} ts_soft_contacts;

/// From the contacts of sets [set_count] at the end of the free motion; all in the arena of the
/// step. TS_E_INPUT as ts_soft_world_end_step; TS_E_MEMORY.
ts_status ts_soft_contacts_make(ts_soft_contacts *out, const ts_soft_world *world,
                                const ts_contact_set *sets, size_t set_count);

#endif
