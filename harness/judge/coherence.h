// SPDX-License-Identifier: MIT
/// How well the contact sets of consecutive steps hold together: what a solver's warm start and a
/// cache of contacts live on. docs/coherence.md has the measures.
#ifndef TS_HARNESS_COHERENCE_H
#define TS_HARNESS_COHERENCE_H

#include "harness/judge/judge.h"

/// The last judged step, kept for the next one.
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
} ts_coherence_step;

/// Compares a judgement with the one before it, which it replaces; all of it is copied. All NaN for
/// the first one, `features_kept_percent` where no matched contacts have ids, and
/// `impulse_jump_percent` where an impulse is not known.
///
/// A pair's contacts are matched one to one, the closest first, where they are within
/// TS_COHERENCE_PLACE of its size plus its motion, and TS_COHERENCE_TURN_RAD, in the frame of
/// either body. A contact that comes or goes has a reason when it is not active (its gap is above
/// the tolerance of touch plus twice the envelope), when the truth of the step that lacks it needs
/// none there, or when another normal of a region where any one will do takes its place.
///
/// `impulses` [kg m/s] are those of all contacts, in the order of the judgement's pairs; NULL: not
/// known. TS_E_MEMORY.
ts_status ts_coherence_next(ts_coherence_step *out, ts_coherence *coherence,
                            const ts_judgement *judgement, const double *impulses);

#endif
