// SPDX-License-Identifier: MIT
/// Part of stage 5 of a pair: candidates that serve several choices.
#ifndef TS_METHODS_SEMI_SHARED_H
#define TS_METHODS_SEMI_SHARED_H

#include "methods/semi_local/semi_choices.h"

/// In: choices, and of each the candidate that is chosen, an index into their candidates, or
/// SIZE_MAX for none. Out, in place: where the bodies touch, and the velocity violates others of a
/// choice as little as the chosen one, the ones with which the place needs the fewest normals.
ts_status ts_semi_share_candidates(size_t *chosen, const ts_semi_pair *pair,
                                   const ts_semi_choices *choices);

#endif
