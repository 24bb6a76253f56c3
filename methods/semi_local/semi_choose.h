// SPDX-License-Identifier: MIT
/// Which of several normals that would do.
#ifndef TS_METHODS_SEMI_CHOOSE_H
#define TS_METHODS_SEMI_CHOOSE_H

#include "methods/semi_local/semi_pair.h"

/// Of alternatives [count] at one site: where the bodies touch, the one that their relative
/// velocity violates least; where they are apart, the one at the time of impact; where they
/// overlap, the one along which they overlap least. Of those that keep the bodies as far apart the
/// ones of elsewhere come last, since no contact comes of them. Equals go to the first.
size_t ts_semi_choose(const ts_semi_pair *pair, const ts_semi_candidate *candidates, size_t count);

/// Adds a contact for each site: its choice, or all of them with `all_alternatives`.
ts_status ts_semi_add_site_contacts(ts_semi_pair *pair);

#endif
