// SPDX-License-Identifier: MIT
/// Stage 6 of a pair: fewer contacts that block the same motions.
#ifndef TS_METHODS_SEMI_REDUCE_H
#define TS_METHODS_SEMI_REDUCE_H

#include "methods/semi_local/semi_contacts.h"

/// In: contacts, and the regions and choices that they are of. Out: those of them, in their order,
/// that others do not imply. Left out are contacts of choices under a region with their normal, and
/// of those of one face and one connected surface over it all but the lower hull of their gaps.
/// n . v is linear in the point, so that what is left out blocks nothing that the rest does not;
/// the deepest always stays.
ts_status ts_semi_reduce(ts_semi_contacts *out, const ts_semi_pair *pair,
                         const ts_semi_regions *regions, const ts_semi_choices *choices,
                         const ts_semi_contacts *contacts);

#endif
