// SPDX-License-Identifier: MIT
/// The data for the script of the page: every row with all its columns, and a summary of its
/// contacts.
#ifndef TS_REPORTS_HTML_DATA_H
#define TS_REPORTS_HTML_DATA_H

#include "reports/formats/format.h"
#include "reports/rows/contact_kind.h"
#include "reports/rows/contact_summary.h"
#include "reports/tables/table_axis.h"

typedef struct ts_html_rows {
  const ts_format_source *source;
  ts_axis cases, methods;
  const char **case_labels;           ///< [cases.count]
  const char **method_labels;         ///< [methods.count]
  ts_contacts_kept kept;              ///< contacts that contacts.csv has
  const ts_contact_summary *contacts; ///< [source->count]; all zero unless it has all of them
} ts_html_rows;

/// Reads the contacts and labels the rows.
ts_status ts_html_rows_make(ts_html_rows *out, ts_arena *arena, const ts_format_source *source);

/// Writes one JSON object:
/// {columns: [{name, unit, label, meaning, role, best, sign, is_count, is_text, farOff}],
///  outcomes: [{word, words, is_failure}], cases: [label], methods: [label],
///  looks: [[colour, dash, point type]] of each method, names: [unique name] of each row,
///  caseSummaries, methodSummaries: [place in texts] of each case and method,
///  tradeoff: of ts_html_put_tradeoff(), explains: [command] of each row or null,
///  rows: [[case, method, command, contacts, value...]], texts: [text],
///  contactsKept: word of ts_contacts_kept}
/// Case and method are places in their lists; commands and the values of text columns are places in
/// `texts`; contacts is null or [listed, correct, incorrect, phantom, speculative, [error...]].
ts_status ts_html_put_data(FILE *file, ts_arena *arena, const ts_html_rows *rows);

#endif
