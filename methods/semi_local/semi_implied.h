// SPDX-License-Identifier: MIT
/// Part of stage 4 of a pair: choices that follow from others at their place.
#ifndef TS_METHODS_SEMI_IMPLIED_H
#define TS_METHODS_SEMI_IMPLIED_H

#include "methods/semi_local/semi_choices.h"

/// Whether a contact keeps the bodies apart wherever one of candidates [count] has to: at their
/// place, within TS_SEMI_CORNER_SNAPS snap lengths of one, its normal is a sum of theirs, and it is
/// as deep, so that what violates all of them violates it.
bool ts_semi_serves(const ts_semi_pair *pair, const ts_semi_candidate *contact,
                    const ts_semi_candidate *all, size_t count);

/// In: choices [*count] and the candidates that they are of. Out, in place and in their order:
/// without those all of whose candidates another one's serve. Of equal ones the first stays. What
/// is left blocks the same motions.
ts_status ts_semi_drop_implied(size_t *count, const ts_semi_pair *pair, ts_semi_choice *choices,
                               const ts_semi_candidate *candidates);

#endif
