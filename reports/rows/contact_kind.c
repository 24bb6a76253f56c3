// SPDX-License-Identifier: MIT
#include "reports/rows/contact_kind.h"

#include <math.h>

const char *const ts_contact_kind_words[TS_KIND_COUNT] = {
    [TS_KIND_CORRECT] = "correct",
    [TS_KIND_INCORRECT] = "incorrect",
    [TS_KIND_SPECULATIVE] = "speculative",
    [TS_KIND_PHANTOM] = "phantom",
    [TS_KIND_FLIPPED] = "flipped",
    [TS_KIND_GAP_WRONG] = "gap_wrong",
    [TS_KIND_SPECULATIVE_WRONG] = "speculative_wrong",
    [TS_KIND_UNTOLD] = "untold",
};

const char *const ts_contacts_kept_words[TS_KEPT_COUNT] = {
    [TS_KEPT_ALL] = "all",
    [TS_KEPT_BAD] = "bad",
    [TS_KEPT_NONE] = "none",
};

// A column that a file of an older version lacks is NaN, which is not above zero.
ts_contact_kind ts_contact_row_kind(const ts_contact_row *row) {
  if (row->phantom > 0)
    return TS_KIND_PHANTOM;
  if (row->speculative > 0)
    return row->speculative_wrong > 0 ? TS_KIND_SPECULATIVE_WRONG : TS_KIND_SPECULATIVE;
  if (isnan(row->correct))
    return TS_KIND_UNTOLD;
  if (!(row->correct > 0))
    return TS_KIND_INCORRECT;
  if (row->flipped > 0)
    return TS_KIND_FLIPPED;
  return row->gap_wrong > 0 ? TS_KIND_GAP_WRONG : TS_KIND_CORRECT;
}

bool ts_contact_kind_is_fault(ts_contact_kind kind) {
  return kind != TS_KIND_CORRECT && kind != TS_KIND_SPECULATIVE && kind != TS_KIND_UNTOLD;
}
