// SPDX-License-Identifier: MIT
/// The matrix of a body of tets over the nodes that can move: mass and stiffness, summed up over
/// the elements in a sparse pattern that stays. For sim/soft/ alone.
#ifndef TS_SIM_TET_SYSTEM_H
#define TS_SIM_TET_SYSTEM_H

#include "geometry/sparse_factor.h"
#include "sim/soft/tet_elements.h"

/// Of a node that cannot move: it is no unknown.
#define TS_TET_CLAMPED UINT32_MAX

typedef struct ts_tet_system ts_tet_system;

/// `unknowns` has the number of each node among those that can move, from 0 to unknown_count - 1,
/// or TS_TET_CLAMPED. Row 3 u + i of the matrix is component i of unknown u. Nothing is borrowed.
/// TS_E_INPUT for a system too large for CXSparse, TS_E_MEMORY.
ts_status ts_tet_system_create(ts_tet_system **out, const ts_tet_element *elements,
                               size_t element_count, const uint32_t *unknowns,
                               size_t unknown_count);
void ts_tet_system_destroy(ts_tet_system *system);

const ts_sparse_pattern *ts_tet_system_pattern(const ts_tet_system *system);

/// Entries of the matrix that are stored.
size_t ts_tet_system_value_count(const ts_tet_system *system);

/// A matrix as a sum of masses and stiffness, each with its factor.
typedef struct ts_tet_terms {
  const double *masses; ///< [unknown_count]
  double mass_factor, stiffness_factor;
  ts_tet_law law;
} ts_tet_terms;

/// Overwrites `values` [value_count] with the matrix of the elements that the system was made of,
/// turned by `rotations` [element_count]; NULL: none is turned.
void ts_tet_system_assemble(double *values, const ts_tet_system *system,
                            const ts_tet_element *elements, const ts_mat3 *rotations,
                            const ts_tet_terms *terms);

/// The matrix times a vector, both [3 * unknown_count].
void ts_tet_system_apply(double *out, const ts_tet_system *system, const double *values,
                         const double *vector);

#endif
