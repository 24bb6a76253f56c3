// SPDX-License-Identifier: MIT
/// The answer of a world to its contacts by one of the compliances: W, the forces, the correction.
/// For sim/soft/ alone.
#ifndef TS_SIM_SOFT_RESPONSE_H
#define TS_SIM_SOFT_RESPONSE_H

#include "sim/soft/soft_contacts.h"

typedef struct ts_soft_answer {
  int32_t kind;    ///< ts_compliance_kind
  ts_vec3 *forces; ///< [contact count] along (n, s, t) [N]
  const ts_delassus *w;
  ts_delassus_report solver;
  double blocks_ns, rest_ns, solve_ns; ///< of W without columns at rest; of these; of the forces
} ts_soft_answer;

/// Solves for the forces, in the arena of the step. Bodies are linearised. Nothing moves.
/// TS_E_INPUT for too many contacts, or when a system at rest cannot be solved; TS_E_MEMORY.
ts_status ts_soft_answer_make(ts_soft_answer *out, const ts_soft_world *world,
                              const ts_soft_contacts *contacts, int32_t kind);

/// The displacements [node_count] of a deformable body by these forces.
ts_status ts_soft_answer_correct(ts_vec3 *out_m, const ts_soft_world *world,
                                 const ts_soft_contacts *contacts, const ts_soft_answer *answer,
                                 size_t body);

#endif
