// SPDX-License-Identifier: MIT
/// The verdict on each row of a file of contacts: the file again, with columns of ours.
#ifndef TS_HARNESS_SCORE_ROWS_H
#define TS_HARNESS_SCORE_ROWS_H

#include "harness/score/contacts_collect.h"

#include <stdio.h>

/// Reads the file of `source` again and writes its rows that are asked for, all columns as they
/// stand, in their order, with these in the end, or in place of columns called so:
/// normal_error_deg, correct, region, position_error_m and kind (correct, incorrect, speculative,
/// phantom; untold where the truth is not told), as in contacts.csv. `found`, by
/// ts_contacts_collect() of the same source, keeps its rows. Errors of `file` are the caller's to
/// look for.
ts_status ts_score_rows_write(FILE *file, ts_arena *arena, const ts_contacts_source *source,
                              const ts_contacts_found *found, ts_envelope envelope,
                              ts_scoring scoring);

#endif
