// SPDX-License-Identifier: MIT
/// How a deformable body answers to contact forces: by its compliance at the state of the step, or
/// by that at rest, warped (Saupin 2008, section 3) or as it is.
///
/// With the Jacobian H of the contacts, the compliance C and the node rotations R:
///
///   exact     W = H A(q)^-1 H^T,  dq = A(q)^-1 H^T f
///   warped    H* = H R,  W = H* C0 H*^T,  dq = R C0 H*^T f,  with C0 = A^-1 at rest
///   initial   the same with R = 1: a control
#ifndef TS_SIM_COMPLIANCE_H
#define TS_SIM_COMPLIANCE_H

#include "sim/soft/tet_body.h"

/// One contact as one deformable body feels it: its point is a mean of three nodes, weighted, and
/// moves by `frame` times that of their displacements along the rows of the contact.
typedef struct ts_tet_side {
  uint32_t nodes[3]; ///< distinct where the weight is not 0
  double weights[3]; ///< sum 1
  ts_mat3 frame;     ///< rows n, s, t, world: positive for body b of the contact, negative for a
} ts_tet_side;

/// Time of the parts [ns].
typedef struct ts_compliance_times {
  double rest_ns;   ///< columns of C at rest that were not there yet, and the factor for the first
  double blocks_ns; ///< the rest of the blocks of W
} ts_compliance_times;

typedef struct ts_compliance {
  const char *name, *summary;
  /// The blocks of W between all sides [count] of one body: `out` [count * count], row by row;
  /// out[i * count + k] is the transpose of out[k * count + i] to the bit. The body is linearised.
  /// Times are added to `times`.
  ts_status (*blocks)(ts_mat3 *out, ts_compliance_times *times, ts_tet_body *body,
                      const ts_tet_side *sides, size_t count);
  /// The displacements [node_count] under forces [count] along the rows of each side.
  ts_status (*correct)(ts_vec3 *out_m, ts_tet_body *body, const ts_tet_side *sides,
                       const ts_vec3 *forces, size_t count);
} ts_compliance;

/// In this order: the values of simulation.response from TS_RESPONSE_EXACT on.
typedef enum ts_compliance_kind {
  TS_COMPLIANCE_EXACT,
  TS_COMPLIANCE_WARPED,
  TS_COMPLIANCE_INITIAL,
  TS_COMPLIANCE_COUNT
} ts_compliance_kind;

extern const ts_compliance ts_compliances[TS_COMPLIANCE_COUNT];

#endif
