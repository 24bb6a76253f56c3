// SPDX-License-Identifier: MIT
/// The Delassus operator W of contacts in 3 x 3 blocks, and the contact problem on it: Signorini's
/// law for the gaps at the end of the step and Coulomb's for the displacements of the step, by
/// Gauss-Seidel (Saupin 2008, sections 2.2 and 2.3).
///
/// Contact i has the rows n, s, t. With forces f along them the displacements are
/// d_i = free_i + sum over k of W_ik f_k, where the normal component of free_i is the gap before.
#ifndef TS_SIM_DELASSUS_H
#define TS_SIM_DELASSUS_H

#include "base/arena.h"
#include "geometry/mat3.h"

#include <stdbool.h>

typedef struct ts_delassus ts_delassus;

/// The most blocks: 1.2 GB of them. That is every pair of 4,096 contacts at one body.
#define TS_DELASSUS_BLOCKS_MAX (1 << 24)

/// A row of blocks, sorted by `contacts`; its own block is among them.
typedef struct ts_delassus_row {
  size_t count, own; ///< `own`: which of the blocks is W_ii
  const uint32_t *contacts;
  const ts_mat3 *blocks;
} ts_delassus_row;

/// Zero blocks between contacts [count] that share a body: contact i is between bodies a and b of
/// bodies[i]. A body that moves under no force is -1; the others are counted from 0, and memory
/// grows with the largest. Rows of contacts without a body that moves have their own block, zero.
/// In the arena. TS_E_INPUT when there are more than TS_DELASSUS_BLOCKS_MAX blocks; TS_E_MEMORY.
ts_status ts_delassus_create(ts_delassus **out, ts_arena *arena, const int32_t (*bodies)[2],
                             size_t count);

/// Adds a block to W_ik; i and k share a body.
void ts_delassus_add(ts_delassus *w, size_t i, size_t k, const ts_mat3 *block);

ts_delassus_row ts_delassus_get_row(const ts_delassus *w, size_t i);
size_t ts_delassus_contact_count(const ts_delassus *w);
size_t ts_delassus_block_count(const ts_delassus *w);

/// Largest difference of W_ik and the transpose of W_ki, over the largest entry of W; for tests.
double ts_delassus_asymmetry(const ts_delassus *w);

typedef struct ts_delassus_params {
  int32_t sweeps;     ///< the most, from 0
  double tolerance_m; ///< ends when no contact moves by more in a sweep; 0: all sweeps are made
} ts_delassus_params;

typedef struct ts_delassus_report {
  int32_t sweeps;
  /// Largest |W_ii df_i| of the last sweep [m]: how far the contacts still moved. NaN when no sweep
  /// was made, 0 without contacts.
  double residual_m;
  /// The residual is not above the tolerance; without a sweep: none would move a contact by more.
  bool converged;
} ts_delassus_report;

/// Solves for the forces [count] in place, from where they are: 0 <= d_n, f_n >= 0, d_n f_n = 0;
/// |f_t| <= friction[i] f_n, opposite to d_t where it is that. `free_m` [count]. Contacts whose
/// normal compliance is zero get no force. Never negative normal forces, always within the cone,
/// converged or not.
///
/// A sweep goes through the contacts in their order. Each takes the normal force that closes its
/// gap, then the tangential one that, at that normal force, obeys Coulomb's law exactly: however
/// unlike the compliances along s and t are, a contact by itself needs no second sweep for them.
///
/// There may be no solution (a body squeezed between walls that do not yield): then forces grow
/// from sweep to sweep. There may be many (contacts that repeat): then only sums of forces mean
/// anything. Where friction is high and couples strongly with the normal forces, sweeps may go in
/// circles. All that is not solved is reported as not converged.
ts_delassus_report ts_delassus_solve(ts_vec3 *forces, const ts_delassus *w, const ts_vec3 *free_m,
                                     const double *friction, const ts_delassus_params *params);

#endif
