// SPDX-License-Identifier: MIT
/// What a verdict makes of a contact, in one word.
#ifndef TS_REPORTS_CONTACT_KIND_H
#define TS_REPORTS_CONTACT_KIND_H

#include "reports/rows/record.h"

#include <stdbool.h>

/// The numbers are those of `kind` in contacts.vtp.
typedef enum ts_contact_kind {
  TS_KIND_CORRECT,
  TS_KIND_INCORRECT,   ///< its normal is wrong
  TS_KIND_SPECULATIVE, ///< ahead of a touch, as the surfaces are
  TS_KIND_PHANTOM,     ///< nothing truly touches there
  TS_KIND_FLIPPED,     ///< its normal points from b to a
  TS_KIND_GAP_WRONG,
  TS_KIND_SPECULATIVE_WRONG, ///< ahead of a touch, and not as the surfaces are
  TS_KIND_UNTOLD,            ///< not judged: it is unknown whether its bodies touch
  TS_KIND_COUNT
} ts_contact_kind;

/// [TS_KIND_COUNT]
extern const char *const ts_contact_kind_words[];

/// Which contacts a run writes to contacts.csv.
typedef enum ts_contacts_kept {
  TS_KEPT_ALL,
  TS_KEPT_BAD,
  TS_KEPT_NONE,
  TS_KEPT_COUNT
} ts_contacts_kept;

/// [TS_KEPT_COUNT]: "all", "bad", "none"
extern const char *const ts_contacts_kept_words[];

/// Where a contact has several faults, the worst: phantom, speculative_wrong, incorrect, flipped,
/// gap_wrong.
ts_contact_kind ts_contact_row_kind(const ts_contact_row *row);

/// Whether it is anything but correct, speculative or untold.
bool ts_contact_kind_is_fault(ts_contact_kind kind);

#endif
