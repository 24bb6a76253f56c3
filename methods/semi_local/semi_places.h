// SPDX-License-Identifier: MIT
/// Corners near patches and ridges near ridges: the places of semi_local where bodies meet in less
/// than an area.
#ifndef TS_METHODS_SEMI_PLACES_H
#define TS_METHODS_SEMI_PLACES_H

#include "methods/semi_local/semi_pair.h"

/// Finds the places, each with its candidates, after the regions: what a region explains is left
/// out. `slack`: as in ts_semi_settings.
ts_status ts_semi_find_places(ts_semi_pair *pair, double slack);

/// Links places that are one, seen from several features.
ts_status ts_semi_merge_places(ts_semi_pair *pair);

#endif
