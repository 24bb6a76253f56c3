// SPDX-License-Identifier: MIT
/// The motions of one judged pair: which twists the truth lets through, and which the contacts do.
#ifndef TS_HARNESS_PAIR_MOTION_H
#define TS_HARNESS_PAIR_MOTION_H

#include "cases/truth/motion_truth.h"
#include "geometry/twist/twist_block.h"
#include "harness/judge/judge.h"

/// Twist rows as unit wrenches.
typedef struct ts_wrenches {
  size_t count;
  ts_twist_row *rows; ///< [count]
} ts_wrenches;

/// All rows are in one frame (ts_motion_frame, or ts_oracle_frame). Without a region that needs a
/// contact both truths are empty: every twist is free, unless the oracle says otherwise.
typedef struct ts_pair_motion {
  ts_twist_frame frame;
  ts_twist_cone truth; ///< blocked by every feasible normal at the corners that are closed
  /// The same at all corners with one chosen normal for each region where any one is enough: no set
  /// of contacts can leave more twists free than its one normal does. The chosen one is the normal
  /// of the reference that the contacts of the region agree with best (largest sum of cosines; ties
  /// go to the first). Contacts along a normal of the reference go before those between such
  /// normals, which are another region's at the place.
  ts_twist_cone chosen;
  bool is_chosen_truth;        ///< both have the same rows, each a term: what the one blocks the
                               ///< other does not let through
  ts_wrenches chosen_wrenches; ///< the rows of `chosen`
  ts_wrenches needed_wrenches; ///< those of them at corners that are closed
  /// Speed up to which the truth leaves open whether a motion is free: TS_TWIST_SPEED, and more
  /// where an overlap leaves open where its contacts are, and by `allowed_speed`.
  double undecided_speed;
  /// What contacts of triangles may add to the speed of a unit twist, or to a unit wrench.
  double allowed_speed;
  const ts_oracle_pair *oracle; ///< replaces both; NULL: they are the truth
  /// The contacts that block, with unit normals: single_count that block on their own, then the
  /// alternatives (ts_contact::group), group by group.
  ts_twist_row *contacts; ///< [contact_count]
  size_t contact_count, single_count, group_count;
  const size_t *group_ends;       ///< [group_count] index one past the last contact of each group
  ts_twist_row *contact_wrenches; ///< [contact_count] the same, as unit wrenches
} ts_pair_motion;

/// Whether the contacts block a twist by more than `speed`: either a single one does, or all
/// of a group do.
bool ts_motion_is_blocked(const ts_pair_motion *motion, const double twist[6], double speed);

/// Whether the truth lets a twist through, or stops it; neither where it leaves that open. `index`
/// is the number of the twist in the pair's part of the sequence: the oracle knows no others.
bool ts_motion_is_truly_free(const ts_pair_motion *motion, size_t index, const double twist[6]);
bool ts_motion_is_truly_blocked(const ts_pair_motion *motion, size_t index, const double twist[6]);

/// The same of the twists of a block (geometry/twist/twist_block.h), the first of which has number
/// `index`: how many of some of them the contacts block, and which of all the truth lets through or
/// stops.
size_t ts_motion_count_blocked(const ts_pair_motion *motion, const ts_twist_block *block,
                               ts_twist_mask which, double speed);
ts_twist_mask ts_motion_truly_free(const ts_pair_motion *motion, size_t index,
                                   const ts_twist_block *block);
ts_twist_mask ts_motion_truly_blocked(const ts_pair_motion *motion, size_t index,
                                      const ts_twist_block *block);

/// `*out` and everything in it are allocated in the judgement's arena.
ts_status ts_motion_of_pair(ts_pair_motion *out, const ts_judgement *judgement,
                            const ts_judged_pair *pair);

/// Distance of each contact's wrench [pair->set->count] from the cone of the truth's wrenches
/// (ts_twist_row_residual): 0 for a contact that blocks no free motion, 1 for any contact where
/// nothing touches. NaN for contacts that do not count, for alternatives, and for all where the
/// truth is unknown.
ts_status ts_motion_residuals(double *out, const ts_judgement *judgement,
                              const ts_judged_pair *pair);

#endif
