// SPDX-License-Identifier: MIT
/// Corners near patches and ridges near ridges: the sites of semi_local where bodies meet in less
/// than an area.
#ifndef TS_METHODS_SEMI_SITES_H
#define TS_METHODS_SEMI_SITES_H

#include "methods/semi_local/semi_pair.h"

/// Finds the sites, each with its candidates, after the regions: what a region explains is left
/// out. `slack`: as in ts_semi_settings.
ts_status ts_semi_find_sites(ts_semi_pair *pair, double slack);

/// Links sites that are one, seen from several features.
ts_status ts_semi_merge_sites(ts_semi_pair *pair);

#endif
