// SPDX-License-Identifier: MIT
/// The contacts that the truth requires: the correct control delivers them and the wrong ones
/// corrupt them.
#ifndef TS_HARNESS_IDEAL_H
#define TS_HARNESS_IDEAL_H

#include "harness/controls/controls.h"

typedef struct ts_ideal {
  ts_contact *contacts; ///< [count], in the host's scratch memory
  size_t count;
  /// How many of the contacts, from the first on, belong to the first region of the whole scene
  /// that needs any; 0 for pairs that do not contain this region.
  size_t first_region_count;
  const ts_region *first_region; ///< that region; NULL for the other pairs
} ts_ideal;

/// The smallest set of contacts that represents the regions of a pair: at every vertex of every
/// region one contact for each normal that is not open (the first one where any normal is enough),
/// with the true gap. Where bodies have moved, vertices that are apart are ahead of a touch.
ts_status ts_ideal_contacts(ts_ideal *out, const ts_host *host, const ts_pair *pair);

#endif
