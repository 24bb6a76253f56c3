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

/// In: regions and choices. Out, in their order: the choices without those all of whose candidates
/// another one's serve, and, where the bodies touch, without those that others at the place and
/// regions imply together (geometry/terms.h). Of equal ones the first stays. What is left blocks
/// the same motions. `out` has room for all, and may be the choices themselves.
ts_status ts_semi_drop_implied(ts_semi_choice *out, size_t *out_count, const ts_semi_pair *pair,
                               const ts_semi_regions *regions, const ts_semi_choices *choices);

#endif
