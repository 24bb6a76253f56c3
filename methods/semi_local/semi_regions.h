// SPDX-License-Identifier: MIT
/// Patches of semi_local that lie on each other.
#ifndef TS_METHODS_SEMI_REGIONS_H
#define TS_METHODS_SEMI_REGIONS_H

#include "methods/semi_local/semi_pair.h"

/// Finds the regions where patches lie on each other within the range of gaps: triangle clipped by
/// triangle, one region for each connected part of a pair of patches. Parts too narrow for their
/// misfit are left to ts_semi_find_sites(). `angle_rad`: up to which patches are opposite.
ts_status ts_semi_find_regions(ts_semi_pair *pair, double angle_rad);

/// Adds the contacts of the regions: their corners.
ts_status ts_semi_add_region_contacts(ts_semi_pair *pair);

/// Puts the contact of a region at one of its corners.
ts_semi_candidate ts_semi_region_candidate(const ts_semi_pair *pair, const ts_semi_region *region,
                                           size_t corner);

#endif
