// SPDX-License-Identifier: MIT
#include "harness/agree/agreement_read.h"

#include "base/status.h"

ts_status ts_agreement_read(ts_agreement *out, ts_arena *arena, const ts_plot_source *source,
                            const ts_record *records, const char *folder, const json_t *context) {
  const char *path = ts_arena_format(arena, "%s/contacts.csv", folder);
  bool *is_wanted = ts_arena_array(arena, source->count, sizeof *is_wanted);
  ts_row_contacts *contacts;
  if (!path || !is_wanted)
    return TS_E_MEMORY;
  for (size_t i = 0; i < source->count; i++)
    is_wanted[i] = ts_agreement_takes(&records[i]);
  TS_TRY(ts_row_contacts_read(&contacts, arena, records, is_wanted, source->count, path));
  return ts_agreement_make(out, arena, source, records, contacts, context);
}
