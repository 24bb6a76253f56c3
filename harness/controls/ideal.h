// SPDX-License-Identifier: MIT
/// The contacts that truth asks for: what the right control gives and the wrong ones spoil.
#ifndef TS_HARNESS_IDEAL_H
#define TS_HARNESS_IDEAL_H

#include "harness/controls/controls.h"

typedef struct ts_ideal {
  ts_contact *contacts; ///< [count], in the host's scratch memory
  size_t count;
  /// How many of the contacts, counted from the first, are those of the first region of the whole
  /// scene that needs any; 0 for the pairs that have not got it.
  size_t first_region_count;
  const ts_region *first_region; ///< that region; NULL for the other pairs
} ts_ideal;

/// The least contacts that represent the regions of a pair: at every vertex of every region one for
/// each normal needed, of any one that will do the first, with the true gap.
ts_status ts_ideal_contacts(ts_ideal *out, const ts_host *host, const ts_pair *pair);

#endif
