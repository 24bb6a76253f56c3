// SPDX-License-Identifier: MIT
/// Impulses at contacts with friction, by a proximal Gauss-Seidel method.
///
/// Each contact has four rows: the normal n, two tangents s and t, and spin about n. With u the
/// velocity of body b against body a along the four, the multipliers x [kg m/s] are a fixed point
/// of
///
///   x_n = max(0, x_n - r_n u_n),   x_f = the closest point to x_f - R u_f in the ball of radius
///   friction * x_n,                x_f = (x_s, x_t, x_spin)
///
/// (Erleben 2017, "Rigid body contact problems using proximal operators"). The spin row is n .
/// (w_b - w_a) times `spin_length_m`, so that its multiplier is an impulse too and shares the ball:
/// spin alone is held by a torque of up to spin_length_m * friction * normal force.
///
/// s and t are what ts_vec3_tangents() makes of n: (s, t, n) is right-handed, the same n gives the
/// same bits. Where n passes a plane in which two of its components are equally small, the frame
/// turns about n by a jump. Under TS_R_TANGENTS and TS_R_FRICTION motions do not depend on it.
///
/// So push contacts as points. What other responses (sim/response.h) make of them, a volume each or
/// one for a pair, hard or soft, differs in the rows alone. Soft rows are linear, as is the system
/// that they stand for (Faure 2008, Eq. 2):
///
///   x = x - r (u + soft x)
///
/// so that in the step in which bodies part, the normal multiplier may pull.
///
/// The operator that takes impulses to velocities is never formed. Velocities are kept scaled by
/// the root of the mass, so that one array of each row both gathers velocities and spreads
/// impulses.
#ifndef TS_SIM_SOLVER_H
#define TS_SIM_SOLVER_H

#include "geometry/contact_set.h"
#include "geometry/vec3.h"
#include "sim/response.h"

/// The order in which a sweep visits the contacts.
typedef enum ts_solver_order {
  TS_ORDER_GIVEN = 0,     ///< The order of the sets, and of the contacts in them.
  TS_ORDER_FORTH_BACK = 1 ///< The same, but reversed in every second sweep.
} ts_solver_order;

/// How r-factors come from the diagonal block A of a contact (4 x 4, what an impulse along one row
/// does to the velocity along another). The normal's is always 1 / A_nn.
typedef enum ts_solver_r {
  /// 1 / A_ii for each row, as the author's simulator (PROX) has it. Where the friction rows have
  /// different factors, sliding friction does not quite oppose the slip, and depends on the frame.
  TS_R_ROWS = 0,
  /// The tangents share one over the larger eigenvalue of their 2 x 2 block, spin has its own:
  /// friction opposes the slip of a contact that does not spin.
  TS_R_TANGENTS = 1,
  /// All three share one over the Frobenius norm of their 3 x 3 block: friction takes away as much
  /// energy as any in the ball can. Slow where spin_length_m is far from the size of the bodies.
  TS_R_FRICTION = 2
} ts_solver_r;

typedef struct ts_solver_params {
  double friction;       ///< Coulomb's coefficient between bodies that both move, from 0.
  double friction_fixed; ///< The same where one of the two bodies is fixed.
  double spin_length_m;  ///< From 0; 0: no friction of spin.
  int32_t sweeps;        ///< Maximum, rolled back ones included; from 0.
  /// A solve ends when the residual is no larger [kg m/s]. 0: all sweeps are made, but for those
  /// after a sweep that changed nothing, which would not either.
  double tolerance_kg_m_s;
  int32_t order;      ///< ts_solver_order
  int32_t r_strategy; ///< ts_solver_r
  /// When the residual does not shrink from one sweep to the next (of the same direction), the
  /// sweep is rolled back and every r-factor multiplied by this, until the end of the solve; above
  /// 0. 1: neither.
  double r_reduction;
  /// R-factors are not reduced below this share, and no sweep is rolled back then. 0: without end,
  /// as the author's simulator does; residuals that rise and fall on their way then freeze the
  /// solve. One half is enough for no update of a contact that sticks to raise the energy: its four
  /// rows together are up to four times as strong as each alone, and twice the right factor does
  /// no harm.
  double r_least;
  /// Start from the impulses of the solve before, turned into the new frames, for sets of a pair of
  /// bodies that had as many contacts then, contact by contact in their order. 0: start
  /// from no impulse.
  int32_t warm_start;
  /// Share of the overlap that the normal velocity is to undo in a step, 0 to 1. 0: overlap stays.
  double stabilisation;
  /// Above 0: bodies at rest are displaced, and the solve gives displacements for velocities. Each
  /// normal row asks for the one that ends its overlap, and a gap is room to move. A contact whose
  /// volume is no larger than this times the mean area of its pair's contacts stays as it is: the
  /// depth of a sliver says little, and would move bodies as much as that of all the others [m].
  double corrects_beyond_m;
  ts_response_params response;
} ts_solver_params;

/// As in the paper (Erleben 2018, section 8, and its simulator): friction 0.5, spin_length_m 1,
/// 1000 sweeps, tolerance 0, cold start, no stabilisation, sweeps in the order given, r_reduction
/// 0.9; but TS_R_TANGENTS, for isotropic friction, and r_least 0.5.
ts_solver_params ts_solver_params_default(void);

/// TS_E_INPUT and a message that names the first parameter out of its range.
ts_status ts_solver_params_check(const ts_solver_params *params);

/// The properties of a body that the solver uses, at the poses at which the contacts were found.
typedef struct ts_solver_body {
  int32_t is_fixed;          ///< Nonzero: never moves; only `centre` is read.
  double inverse_root_mass;  ///< 1 / sqrt(mass) [kg^-1/2]
  double inverse_root[3][3]; ///< B with B B^T the inverse inertia about the centre, in the world.
  ts_vec3 centre;            ///< Centre of mass, world [m].
  ts_vec3 linear_m_s;        ///< Velocity of the centre that the body would have without contacts.
  ts_vec3 angular_rad_s;     ///< The same for its angular velocity.
} ts_solver_body;

/// Statistics of a solve.
typedef struct ts_solver_report {
  size_t contact_count; ///< Contacts solved for.
  size_t ignored_count; ///< Contacts between two fixed bodies, left out.
  /// Normal rows solved for: as many as contacts, or pairs; without those that have no direction.
  size_t constraint_count;
  int32_t sweeps;    ///< Sweeps made, rolled back ones too.
  int32_t rollbacks; ///< Of these, rolled back.
  double r_scale;    ///< What the r-factors were multiplied by in the end.
  /// Largest change of any multiplier in the last sweep that was kept, over the scale of the
  /// r-factors in it [kg m/s]; 0 when there was no sweep or no contact.
  double residual_kg_m_s;
  double largest_kg_m_s; ///< Largest normal multiplier.
  /// Of an explicit penalty the largest h A sqrt(k / m) of any pair, with m the mass that its push
  /// meets: above 2 the bodies gain energy in each step. 0 otherwise.
  double explicit_ratio;
} ts_solver_report;

typedef struct ts_solver ts_solver;

/// A new solver. Use one for each world, because of warm starts.
ts_status ts_solver_create(ts_solver **out);
void ts_solver_destroy(ts_solver *solver);

/// Builds the rows of all contacts in sets [set_count] between bodies [body_count]. Normals are
/// made unit. As points and as volumes contacts push whatever their gap, which matters to
/// stabilisation only; a penalty is on those that overlap. A contact of area 0 has no volume, and
/// contacts of a pair whose pushes add up to nothing (TS_NO_PUSH) have none together: no row.
/// `dt_s` above zero, `params` checked. TS_E_INPUT for a set whose bodies are not
/// 0 <= a < b < body_count, and for a contact whose point or gap is not finite, whose normal is
/// zero or not finite, or whose area is needed and is below 0 or not finite, with the pair and the
/// contact named; TS_E_MEMORY. Either leaves no rows.
ts_status ts_solver_assemble(ts_solver *solver, const ts_solver_body *bodies, size_t body_count,
                             const ts_contact_set *sets, size_t set_count,
                             const ts_solver_params *params, double dt_s);

/// Pairs with contacts, of those assembled, that were in no solve before; fixed bodies left out.
size_t ts_solver_new_pairs(const ts_solver *solver);

/// Sweeps over the rows. Allocates nothing. The same rows in the same order give the same bits.
void ts_solver_solve(ts_solver_report *out, ts_solver *solver, const ts_solver_params *params);

/// What the impulses change in the velocity of a body: of its centre of mass, and angular. Exactly
/// zero for a fixed body and for one without a contact.
ts_twist ts_solver_change(const ts_solver *solver, const ts_solver_body *bodies, size_t body);

/// Multipliers (normal, s, t, spin) [kg m/s] of the contact with index `contact` among those of
/// all sets, left out ones included; all zero for a contact that was left out. Where the contacts
/// of a pair have one row, each has its share of that by area. Those of a viscous force are not
/// given.
void ts_solver_multipliers(double out[4], const ts_solver *solver, size_t contact);

#endif
