// SPDX-License-Identifier: MIT
/// A deformable body of linear tetrahedra with corotational elasticity, and its implicit Euler step
/// without contacts (Saupin 2008, section 2; the law of Mueller 2004).
///
/// An element with rest positions X and positions x has the deformation gradient F, the rotation R
/// nearest to it (ts_mat3_rotation, also of inverted elements) and the forces R K (R^T x - X). K(q)
/// is the sum of R K R^T: the change of R is left out. With lumped masses M, Rayleigh damping
/// B = a M + b K(q) and the step h,
///
///   A(q) = M / h^2 + B / h + K(q),   A(q) dq = M v / h + f_external - f_internal(q).
///
/// Clamped nodes do not move and are not in A. The factor of A(q), and that of A at rest, are
/// sparse Cholesky factors by CXSparse, whose order depends on the connectivity alone.
#ifndef TS_SIM_TET_BODY_H
#define TS_SIM_TET_BODY_H

#include "geometry/mat3.h"
#include "geometry/mesh/body.h"

typedef struct ts_tet_body ts_tet_body;

/// The nodes are the vertices of `shape`'s mesh, which has tets; at rest they are where the mesh
/// has them, and the body starts at `body->pose`, undeformed, with its twist. The elastic data are
/// those of `body->elastic`. `dt_s` may be INFINITY: then A is K(q), damping does nothing, and
/// enough nodes must be clamped. Nothing is borrowed.
///
/// TS_E_INPUT, with the body, and the element, node or value named: no tets; a tet that is flat or
/// inverted (TS_TET_FLAT_RELATIVE); a node that is in no tet; Young's modulus not above 0;
/// Poisson's ratio not in [0, 0.5); damping below 0; a density not above 0; a clamped node that
/// does not exist or stands twice, a list of them without a node, or with all; numbers that are not
/// finite. TS_E_MEMORY.
ts_status ts_tet_body_create(ts_tet_body **out, const ts_shape *shape, const ts_body *body,
                             double dt_s);
void ts_tet_body_destroy(ts_tet_body *body);

size_t ts_tet_body_node_count(const ts_tet_body *body);
double ts_tet_body_mass_kg(const ts_tet_body *body); ///< of all nodes

/// World, [node_count]; borrowed, valid until the body is destroyed.
const ts_vec3 *ts_tet_body_positions(const ts_tet_body *body);
const ts_vec3 *ts_tet_body_velocities(const ts_tet_body *body);
/// Rest positions, in the frame of the mesh, and lumped masses [kg] of all nodes, clamped ones too.
const ts_vec3 *ts_tet_body_rest(const ts_tet_body *body);
const double *ts_tet_body_masses(const ts_tet_body *body);
bool ts_tet_body_is_clamped(const ts_tet_body *body, size_t node);
const ts_elastic *ts_tet_body_elastic(const ts_tet_body *body);

/// Gives all nodes [node_count] other positions and velocities, clamped ones too.
void ts_tet_body_set_state(ts_tet_body *body, const ts_vec3 *positions, const ts_vec3 *velocities);

/// A constant force [N, world] from now on at the material point that is at `point_rest` [m, frame
/// of the mesh] at rest. It goes to the nodes of the tet that holds the point, or of the nearest
/// one (the first of several), by the point's barycentric coordinates: beyond the tet some are
/// negative, so that force and moment are those of a force there. What goes to clamped nodes does
/// nothing.
void ts_tet_body_add_load(ts_tet_body *body, ts_vec3 point_rest, ts_vec3 force_n);
void ts_tet_body_clear_loads(ts_tet_body *body);

/// Elastic energy [J] at the present positions: the sum of 1/2 (R^T x - X)^T K (R^T x - X). The
/// internal forces are its gradient.
double ts_tet_body_elastic_energy(const ts_tet_body *body);

/// Finds rotations, forces and A at the present positions, and factors it. TS_E_INPUT when A is not
/// positive definite in double precision: the message names the body, and says that its mass is
/// lost beside its stiffness, with the values of both and of the step. TS_E_INPUT when forces are
/// not finite, too. TS_E_MEMORY.
ts_status ts_tet_body_linearise(ts_tet_body *body);

/// Displacements dq [node_count] of the step without contacts, by gravity and the loads, 0 at
/// clamped nodes. Requires ts_tet_body_linearise.
void ts_tet_body_free_motion(ts_vec3 *out_m, ts_tet_body *body, ts_vec3 gravity_m_s2);

/// Rotation of each node from the frame of the mesh to the world, [node_count]: that of the sum of
/// V R over the elements at it. As of ts_tet_body_linearise; borrowed.
const ts_mat3 *ts_tet_body_node_rotations(const ts_tet_body *body);

/// Internal forces and A(q) times a displacement, both [node_count] and 0 at clamped nodes, as of
/// ts_tet_body_linearise; for tests.
const ts_vec3 *ts_tet_body_internal_forces(const ts_tet_body *body);
void ts_tet_body_apply(ts_vec3 *out, const ts_tet_body *body, const ts_vec3 *displacement_m);

/// Which matrix: A(q) as of ts_tet_body_linearise, or that at rest in the frame of the mesh.
typedef enum ts_tet_factor { TS_TET_FACTOR_NOW, TS_TET_FACTOR_REST } ts_tet_factor;

/// Solves A x = b in place, [node_count]; clamped nodes have 0 afterwards. The factor at rest is
/// made when it is first asked for: TS_E_INPUT as ts_tet_body_linearise; TS_E_MEMORY.
ts_status ts_tet_body_solve(ts_vec3 *values, ts_tet_body *body, ts_tet_factor which);

/// Length of the columns of ts_tet_body_half_solve.
size_t ts_tet_body_half_length(const ts_tet_body *body);

/// y = L^-1 P b for three sparse right-hand sides b at once, with A(q) = P^T L L^T P: so that
/// b^T A^-1 c is the scalar product of two such columns. Column i of `forces` [count] is the force
/// of b_i at `nodes` [count], which are distinct. `out` [half_length] is overwritten; returns the
/// first row that may not be zero.
size_t ts_tet_body_half_solve(double (*out)[3], const ts_tet_body *body, const uint32_t *nodes,
                              const ts_mat3 *forces, size_t count);

/// The column block of C at rest for a node: for every node a the 3 x 3 block C_a,node, in the
/// frame of the mesh, [node_count]; zero for clamped nodes. Made when first asked for, kept,
/// borrowed.
/// `*out_is_new` (may be NULL) says whether it was made now. TS_E_INPUT, TS_E_MEMORY.
ts_status ts_tet_body_rest_column(const ts_mat3 **out, bool *out_is_new, ts_tet_body *body,
                                  uint32_t node);

/// Ends the step: x += displacement [node_count], v = displacement / h; clamped nodes stay.
void ts_tet_body_move(ts_tet_body *body, const ts_vec3 *displacement_m);

/// How far an elastic wave goes in a step over the length of the body at rest: h sqrt(E / rho) / L,
/// L as of ts_tet_rest_length_m.
double ts_tet_body_wave_ratio(const ts_tet_body *body);

#endif
