// SPDX-License-Identifier: MIT
/// One judged pair as motions see it: which twists its truth lets through, and which its contacts
/// do.
#ifndef TS_HARNESS_PAIR_MOTION_H
#define TS_HARNESS_PAIR_MOTION_H

#include "cases/truth/motion_truth.h"
#include "harness/judge/judge.h"

/// All rows are in one frame (ts_motion_frame, or ts_oracle_frame). Without a region that needs a
/// contact both truths are empty: every twist is free, unless the oracle knows better.
typedef struct ts_pair_motion {
  ts_twist_frame frame;
  ts_twist_cone truth; ///< by every feasible normal
  /// The same with one normal for each region where any one will do: no set of contacts can leave
  /// free more than its one normal does. Of the normals of the reference it is the one that the
  /// contacts of the region agree with most (largest sum of cosines; the first of equal ones).
  ts_twist_cone chosen;
  ts_twist_row *chosen_wrenches; ///< [chosen_count] the rows of `chosen`, unit
  size_t chosen_count;
  const ts_oracle_pair *oracle; ///< takes the place of both; NULL: they are the truth
  /// Those that block, normals made unit: single_count that are needed by themselves, then the
  /// alternatives (ts_contact::group), group by group.
  ts_twist_row *contacts; ///< [contact_count]
  size_t contact_count, single_count, group_count;
  const size_t *group_ends;       ///< [group_count] the contact after the last one of each group
  ts_twist_row *contact_wrenches; ///< [contact_count] the same, unit as wrenches
} ts_pair_motion;

/// Whether the contacts block a twist by more than TS_TWIST_SPEED: a single one does, or all of a
/// group.
bool ts_motion_is_blocked(const ts_pair_motion *motion, const double twist[6]);

/// `*out` and all in it are in the judgement's arena.
ts_status ts_motion_of_pair(ts_pair_motion *out, const ts_judgement *judgement,
                            const ts_judged_pair *pair);

/// Distance of each contact's wrench [pair->set->count] from the cone of the truth's wrenches
/// (ts_twist_row_residual): 0 for one that blocks nothing that is free, 1 for any where nothing
/// touches. NaN for contacts that do not count, for alternatives, and for all where the truth is
/// not told.
ts_status ts_motion_residuals(double *out, const ts_judgement *judgement,
                              const ts_judged_pair *pair);

#endif
