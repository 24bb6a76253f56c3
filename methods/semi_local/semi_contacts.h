// SPDX-License-Identifier: MIT
/// Stage 5 of a pair: contacts, of regions and of choices.
#ifndef TS_METHODS_SEMI_CONTACTS_H
#define TS_METHODS_SEMI_CONTACTS_H

#include "methods/semi_local/semi_choices.h"

#define TS_SEMI_NO_CHOICE SIZE_MAX

typedef struct ts_semi_contact {
  ts_semi_candidate at;
  size_t choice;  ///< TS_SEMI_NO_CHOICE: of a region, or of an overlap
  uint32_t group; ///< as in ts_contact
} ts_semi_contact;

typedef struct ts_semi_contacts {
  size_t count;
  const ts_semi_contact *contacts; ///< [count]
  uint32_t group_count;            ///< Groups are 1 to this.
} ts_semi_contacts;

/// In: regions and choices. Out: the contacts of each region; for each choice the
/// candidate that is chosen (ts_semi_choose()), once if it is that of several, or with
/// `all_alternatives` all of them as a group.
ts_status ts_semi_find_contacts(ts_semi_contacts *out, const ts_semi_pair *pair,
                                const ts_semi_regions *regions, const ts_semi_choices *choices);

#endif
