// SPDX-License-Identifier: MIT
/// How well the contact sets of consecutive steps hold together: what a solver's warm start and a
/// cache of contacts live on. docs/coherence.md has the measures.
#ifndef TS_HARNESS_COHERENCE_H
#define TS_HARNESS_COHERENCE_H

#include "harness/judge/judge.h"

/// The last judged step, kept for the next one, and what the steps so far have in all.
typedef struct ts_coherence ts_coherence;

/// TS_E_MEMORY.
ts_status ts_coherence_create(ts_coherence **out);
void ts_coherence_destroy(ts_coherence *coherence);

/// What one step changed, over all pairs.
typedef struct ts_coherence_step {
  /// 100 x contacts that came or went without a reason / contacts of both steps
  double churn_percent;
  double set_jump_m;            ///< largest change of a contact, or distance of an unmatched one
  double set_jump_per_m;        ///< set_jump_m of a pair over its motion, the largest
  double cone_jump;             ///< largest residual of a wrench from the other cone, 0 to 1
  double features_kept_percent; ///< matched contacts whose feature ids are the same
  /// 100 x (changes of the impulses of matched contacts + impulses of the others) / those of both
  /// steps
  double impulse_jump_percent;
  /// 100 x pairs whose contacts have not followed / pairs that have moved along the normal of one
  double stale_percent;
  int32_t jump_bodies[2]; ///< the pair with the largest set_jump_m; -1: none has moved
} ts_coherence_step;

/// What is known of the contacts of a judgement besides, in the order of its pairs.
typedef struct ts_contact_facts {
  const double *impulses; ///< of the solver, along the normals [kg m/s]; NULL: not known
  const uint64_t *ids;    ///< their keys in the generator; NULL: the ids of their features
} ts_contact_facts;

/// All steps so far. NaN where it was known in none.
typedef struct ts_coherence_run {
  double churn_percent_mean, impulse_jump_percent_mean;
  double set_jump_m_max, set_jump_per_m_max, cone_jump_max, features_kept_percent_min;
  double stale_percent_mean;
  double set_jump_step; ///< in which set_jump_m was the largest
} ts_coherence_run;

/// Compares the judgement of a step with the one before it, which it replaces; all of it is copied.
///
/// A pair's contacts are matched one to one, the closest first, where they are within
/// TS_COHERENCE_PLACE of its size plus its motion, and TS_COHERENCE_TURN_RAD, in the frame of
/// either body. A contact that comes or goes has a reason when it is not active (its gap is above
/// the tolerance of touch plus twice the envelope), when the truth of the step that lacks it needs
/// none there, or when another normal of a region where any one will do takes its place.
///
/// The contacts of a pair are stale when it has moved along their normals by more than
/// TS_POSITION_RELATIVE of its size, and yet their gaps, places and normals are the same, to
/// TS_COHERENCE_STALE of the motion. TS_E_MEMORY.
ts_status ts_coherence_next(ts_coherence *coherence, double step, const ts_judgement *judgement,
                            ts_contact_facts facts);

/// Forgets the last step: the next one does not follow it.
void ts_coherence_break(ts_coherence *coherence);

/// What the last step changed. All NaN when none was before it, `features_kept_percent` where no
/// matched contacts have ids, `impulse_jump_percent` where an impulse is not known, and
/// `stale_percent` where no pair has moved along its normals.
const ts_coherence_step *ts_coherence_last(const ts_coherence *coherence);

ts_coherence_run ts_coherence_so_far(const ts_coherence *coherence);

/// How the largest jump of a run falls with the length of its steps, where `coarse` has seen only
/// every TS_COHERENCE_COARSE th step: 1 as the length (the sets are continuous) or faster, 0 not at
/// all. Jumps up to `still_m` are none. NaN before `coarse` has compared steps.
double ts_coherence_order(const ts_coherence *fine, const ts_coherence *coarse, double still_m);

enum { TS_COHERENCE_COARSE = 8 };

#endif
