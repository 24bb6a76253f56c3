/// One judged pair as motions see it: which twists its truth lets through, and which its contacts
/// do.
#ifndef TS_HARNESS_PAIR_MOTION_H
#define TS_HARNESS_PAIR_MOTION_H

#include "cases/motion_truth.h"
#include "harness/judge.h"

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
  ts_twist_row *contacts;       ///< [contact_count]: those that block, normals made unit
  size_t contact_count;
  ts_twist_row *contact_wrenches; ///< [contact_count] the same, unit as wrenches
} ts_pair_motion;

/// Whether a contact blocks motions: it is not speculative, and its point and normal are finite and
/// the normal is not zero. Which way it points is taken as delivered.
bool ts_motion_counts(const ts_judged_pair *pair, size_t index);

/// `*out` and all in it are in the judgement's arena.
ts_status ts_motion_of_pair(ts_pair_motion *out, const ts_judgement *judgement,
                            const ts_judged_pair *pair);

/// Distance of each contact's wrench [pair->set->count] from the cone of the truth's wrenches
/// (ts_twist_row_residual): 0 for one that blocks nothing that is free, 1 for any where nothing
/// touches. NaN for contacts that do not count, and for all where the truth is not told.
ts_status ts_motion_residuals(double *out, const ts_judgement *judgement,
                              const ts_judged_pair *pair);

#endif
