// SPDX-License-Identifier: MIT
/// The verdict on each row of a contacts file: a copy of the file with additional columns.
#ifndef TS_HARNESS_SCORE_ROWS_H
#define TS_HARNESS_SCORE_ROWS_H

#include "harness/score/contacts_collect.h"

#include <stdio.h>

/// Reads the file of `source` again and writes the selected rows in their order, with all columns
/// unchanged. Appended, or replacing columns of the same name, are normal_error_deg, correct,
/// region, position_error_m and kind (ts_contact_kind_words), as in contacts.csv. `found` comes
/// from ts_contacts_collect() of the same source, with its rows kept. The caller checks `file` for
/// errors.
ts_status ts_score_rows_write(FILE *file, ts_arena *arena, const ts_contacts_source *source,
                              const ts_contacts_found *found, ts_envelope envelope,
                              ts_scoring scoring);

#endif
