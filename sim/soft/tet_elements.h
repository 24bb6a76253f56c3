// SPDX-License-Identifier: MIT
/// Linear tetrahedra with corotational elasticity, one at a time: deformation, forces, stiffness.
/// For sim/soft/ alone.
#ifndef TS_SIM_TET_ELEMENTS_H
#define TS_SIM_TET_ELEMENTS_H

#include "geometry/mat3.h"

typedef struct ts_tet_element {
  uint32_t nodes[4];
  ts_vec3 gradients[4]; ///< of the shape functions at rest [1/m]; their sum is 0
  double volume_m3;     ///< at rest
} ts_tet_element;

/// Lame's parameters of an isotropic material.
typedef struct ts_tet_law {
  double lambda_pa, mu_pa;
} ts_tet_law;

ts_tet_law ts_tet_law_make(double young_pa, double poisson);

/// `rest` [m] has the positions of all nodes; the tet has a volume above 0.
void ts_tet_element_make(ts_tet_element *out, const ts_vec3 *rest, const uint32_t nodes[4]);

/// The deformation gradient F: the derivative of positions by rest positions.
ts_mat3 ts_tet_element_deformation(const ts_tet_element *element, const ts_vec3 *positions);

/// Internal forces R K (R^T x - X) [N], the gradient of the energy, of an element with the
/// deformation gradient F and the rotation R.
void ts_tet_element_forces(ts_vec3 out[4], const ts_tet_element *element, ts_tet_law law, ts_mat3 f,
                           ts_mat3 r);

/// The energy 1/2 (R^T x - X)^T K (R^T x - X) [J] of an element with the deformation gradient F and
/// the rotation R.
double ts_tet_element_energy(const ts_tet_element *element, ts_tet_law law, ts_mat3 f, ts_mat3 r);

/// A block of R K R^T [N/m], from the gradients of its two nodes turned by R. Exactly the transpose
/// when these are swapped.
ts_mat3 ts_tet_element_stiffness(double volume_m3, ts_tet_law law, ts_vec3 row, ts_vec3 column);

#endif
