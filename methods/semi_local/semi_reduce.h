// SPDX-License-Identifier: MIT
/// Contacts of semi_local that others imply.
#ifndef TS_METHODS_SEMI_REDUCE_H
#define TS_METHODS_SEMI_REDUCE_H

#include "methods/semi_local/semi_pair.h"

/// Drops contacts of sites that a region with their normal implies, and of those of one face and
/// one connected surface over it all but the lower hull of their gaps. n . v is linear in the
/// point, so that what is dropped blocks nothing that the rest does not; the deepest always stays.
ts_status ts_semi_reduce(ts_semi_pair *pair);

#endif
