// SPDX-License-Identifier: MIT
/// The agreement of the methods of a results folder.
#ifndef TS_HARNESS_AGREEMENT_READ_H
#define TS_HARNESS_AGREEMENT_READ_H

#include "harness/agree/agreement.h"

/// Reads the contacts of the rows that are compared from contacts.csv in `folder`, and compares
/// them (ts_agreement_make). Errors of ts_row_contacts_read().
ts_status ts_agreement_read(ts_agreement *out, ts_arena *arena, const ts_plot_source *source,
                            const ts_record *records, const char *folder, const json_t *context);

#endif
