// SPDX-License-Identifier: MIT
/// The way out of overlaps that regions and sites do not see, because they are deep.
#ifndef TS_METHODS_SEMI_PENETRATION_H
#define TS_METHODS_SEMI_PENETRATION_H

#include "methods/semi_local/semi_contacts.h"
#include "methods/semi_local/semi_crossings.h"

/// Where the bodies overlap.
typedef struct ts_semi_penetration {
  ts_semi_crossings crossings; ///< none: no overlap, or none beyond what `found` covers
  bool is_flush;               ///< as of ts_semi_find_flush()
  bool is_inside;              ///< no crossings, and one body is all inside the other
  bool is_apart;               ///< The bodies do not overlap by more than the snap length.
} ts_semi_penetration;

/// In: the close pairs, and the contacts found so far. Out: where the surfaces cut through each
/// other by more than the snap length, or where there are no contacts at all also where bodies
/// overlap whose surfaces lie on each other wherever they meet, or one is all inside the other.
ts_status ts_semi_find_penetration(ts_semi_penetration *out, const ts_semi_pair *pair,
                                   const ts_semi_close_pairs *close, const ts_semi_contacts *found);

/// In: the penetration, and the regions and contacts found so far. Out: a contact for each
/// connected part of the overlap that has none in its box and is not between the surfaces of a
/// region, along the axis that separates the bodies there soonest: of the normals of its patches,
/// of the crosses of its ridges, and of the mean normal of the surface in it. TS_E_UNSUPPORTED,
/// with the reason, when there is no contact in the end.
ts_status ts_semi_find_ways_out(ts_semi_contacts *out, const ts_semi_pair *pair,
                                const ts_semi_penetration *penetration,
                                const ts_semi_regions *regions, const ts_semi_contacts *found);

#endif
