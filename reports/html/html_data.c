// SPDX-License-Identifier: MIT
#include "reports/html/html_data.h"

#include "base/hash.h"
#include "base/status.h"
#include "reports/html/html_text.h"
#include "reports/html/html_tradeoff.h"
#include "reports/plots/plot_style.h"
#include "reports/rows/context.h"
#include "reports/rows/outcome.h"
#include "reports/tables/field_text.h"
#include "reports/tables/format_text.h"

#include <string.h>

#define CURVE_POINTS ((size_t)65)        ///< per row
#define CURVE_BUDGET ((size_t)65 * 2000) ///< for all rows together, so that pages stay small

static ts_status make_labels(const char ***out, ts_arena *arena, const ts_axis *axis) {
  *out = ts_arena_array(arena, axis->count, sizeof **out);
  if (!*out)
    return TS_E_MEMORY;
  for (size_t i = 0; i < axis->count; i++) {
    (*out)[i] = ts_axis_label(arena, &axis->entries[i]);
    if (!(*out)[i])
      return TS_E_MEMORY;
  }
  return TS_OK;
}

ts_status ts_html_rows_make(ts_html_rows *out, ts_arena *arena, const ts_format_source *source) {
  *out = (ts_html_rows){.source = source};
  TS_TRY(ts_axis_of_cases(&out->cases, arena, source->records, source->count));
  TS_TRY(ts_axis_of_methods(&out->methods, arena, source->records, source->count));
  TS_TRY(make_labels(&out->case_labels, arena, &out->cases));
  TS_TRY(make_labels(&out->method_labels, arena, &out->methods));
  size_t points = source->count > 0 ? CURVE_BUDGET / source->count : 0;
  points = points > CURVE_POINTS ? CURVE_POINTS : points < 9 ? 9 : points;
  ts_contact_summary *contacts;
  out->kept = ts_context_contacts_kept(source->context);
  // Shares and curves of a part of the contacts would mislead.
  const char *folder = out->kept == TS_KEPT_ALL ? source->folder : NULL;
  TS_TRY(ts_contact_summary_read(&contacts, arena, folder, source->records, source->count, points));
  out->contacts = contacts;
  return TS_OK;
}

/// A set of texts without duplicates: the parameters of rows are long and mostly the same.
typedef struct text_table {
  const char **texts; ///< [count]
  size_t count;
  size_t *slots; ///< [slot_count], index into `texts` + 1; 0: free
  size_t slot_count;
} text_table;

/// Makes an empty set with room for `most` texts.
static ts_status start_texts(text_table *out, ts_arena *arena, size_t most) {
  out->slot_count = 16;
  while (out->slot_count < 2 * most)
    out->slot_count *= 2;
  out->texts = ts_arena_array(arena, most, sizeof *out->texts);
  out->slots = ts_arena_array(arena, out->slot_count, sizeof *out->slots);
  out->count = 0;
  return out->texts && out->slots ? TS_OK : TS_E_MEMORY;
}

static size_t place_of(text_table *table, const char *text) {
  size_t slot = ts_hash_bytes(TS_HASH_START, text, strlen(text)) & (table->slot_count - 1);
  while (table->slots[slot] > 0 && strcmp(table->texts[table->slots[slot] - 1], text) != 0)
    slot = (slot + 1) & (table->slot_count - 1);
  if (table->slots[slot] == 0) {
    table->texts[table->count++] = text;
    table->slots[slot] = table->count;
  }
  return table->slots[slot] - 1;
}

static ts_status put_and_drop(FILE *file, json_t *value, ts_status status) {
  if (status == TS_OK)
    status = ts_html_put_json(file, value);
  json_decref(value);
  return status;
}

static ts_status put_texts(FILE *file, ts_arena *arena, const char *key, const char *const *texts,
                           size_t count) {
  fprintf(file, "\"%s\":[", key);
  for (size_t i = 0; i < count; i++) {
    fputs(i > 0 ? ",\n" : "", file);
    json_t *text = ts_json_text(arena, texts[i]);
    TS_TRY(put_and_drop(file, text, text ? TS_OK : ts_fail(TS_E_MEMORY, "out of memory")));
  }
  fputs("],\n", file);
  return TS_OK;
}

static ts_status fill_column(json_t *column, const ts_field *field) {
  TS_TRY(ts_json_set(column, "name", json_string(field->column)));
  TS_TRY(ts_json_set(column, "unit", json_string(field->unit)));
  TS_TRY(ts_json_set(column, "label", json_string(field->label)));
  TS_TRY(ts_json_set(column, "meaning", json_string(field->meaning)));
  TS_TRY(ts_json_set(column, "role", json_string(ts_role_names[field->role])));
  TS_TRY(ts_json_set(column, "best", json_string(ts_sense_names[field->sense])));
  TS_TRY(ts_json_set(column, "sign", json_string(ts_field_unit_sign(field))));
  TS_TRY(ts_json_set(column, "is_count", json_boolean(field->kind == TS_FIELD_COUNT)));
  if (field->far_off > 0)
    TS_TRY(ts_json_set(column, "farOff", json_real(field->far_off)));
  return ts_json_set(column, "is_text", json_boolean(field->kind == TS_FIELD_TEXT));
}

static ts_status put_columns(FILE *file) {
  fputs("{\"columns\":[", file);
  for (size_t i = 0; i < ts_summary_rows.field_count; i++) {
    fputs(i > 0 ? ",\n" : "", file);
    json_t *column = json_object();
    TS_TRY(put_and_drop(file, column, fill_column(column, &ts_summary_rows.fields[i])));
  }
  fputs("],\n", file);
  return TS_OK;
}

static ts_status fill_outcome(json_t *out, const ts_outcome_facts *outcome) {
  TS_TRY(ts_json_set(out, "word", json_string(outcome->word)));
  TS_TRY(ts_json_set(out, "words", json_string(outcome->words)));
  return ts_json_set(out, "is_failure", json_boolean(outcome->is_failure));
}

static ts_status put_outcomes(FILE *file) {
  fputs("\"outcomes\":[", file);
  for (size_t i = 0; i < TS_OUTCOME_COUNT; i++) {
    fputs(i > 0 ? ",\n" : "", file);
    json_t *outcome = json_object();
    TS_TRY(put_and_drop(file, outcome, fill_outcome(outcome, &ts_outcomes[i])));
  }
  fputs("],\n", file);
  return TS_OK;
}

static ts_status fill_contacts(json_t *out, const ts_contact_summary *contacts) {
  const size_t counts[] = {contacts->listed, contacts->correct, contacts->incorrect,
                           contacts->phantom, contacts->speculative};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    TS_TRY(ts_json_append(out, json_integer((json_int_t)counts[i])));
  json_t *curve = json_array();
  TS_TRY(ts_json_append(out, curve)); // which owns it while it is filled
  for (size_t i = 0; i < contacts->curve_count; i++) {
    double error = (double)contacts->curve[i];
    TS_TRY(ts_json_append(curve, ts_json_number((double)(int64_t)(error * 1e4 + 0.5) / 1e4)));
  }
  return TS_OK;
}

static json_t *make_place(size_t place) {
  return json_integer((json_int_t)place);
}

static ts_status fill_row(json_t *out, text_table *texts, const ts_html_rows *rows, size_t i) {
  const ts_record *record = &rows->source->records[i];
  TS_TRY(ts_json_append(out, make_place(rows->cases.entry_of[i])));
  TS_TRY(ts_json_append(out, make_place(rows->methods.entry_of[i])));
  TS_TRY(ts_json_append(out, make_place(place_of(texts, rows->source->commands[i]))));
  json_t *contacts = rows->contacts[i].listed > 0 ? json_array() : json_null();
  TS_TRY(ts_json_append(out, contacts));
  if (rows->contacts[i].listed > 0)
    TS_TRY(fill_contacts(contacts, &rows->contacts[i]));
  for (size_t k = 0; k < ts_summary_rows.field_count; k++) {
    const ts_field *field = &ts_summary_rows.fields[k];
    TS_TRY(ts_json_append(out, field->kind == TS_FIELD_TEXT
                                   ? make_place(place_of(texts, ts_row_text(field, record)))
                                   : ts_json_number(ts_row_number(field, record))));
  }
  return TS_OK;
}

/// Of each row the command that says what is wrong with it, as a place in the texts.
static ts_status put_explains(FILE *file, text_table *texts, const ts_format_source *source) {
  if (!source->explains) {
    fputs("\"explains\":null,\n", file);
    return TS_OK;
  }
  fputs("\"explains\":[", file);
  for (size_t i = 0; i < source->count; i++)
    fprintf(file, i > 0 ? ",%zu" : "%zu", place_of(texts, source->explains[i]));
  fputs("],\n", file);
  return TS_OK;
}

/// Of each entry of an axis its summary, as a place in the texts; "" where there is none.
static void put_summaries(FILE *file, const char *key, text_table *texts, const ts_axis *axis,
                          const char *(*summary)(const char *name)) {
  fprintf(file, "\"%s\":[", key);
  for (size_t i = 0; i < axis->count; i++) {
    const char *text = summary ? summary(axis->entries[i].name) : NULL;
    fprintf(file, i > 0 ? ",%zu" : "%zu", place_of(texts, text ? text : ""));
  }
  fputs("],\n", file);
}

static ts_status put_rows(FILE *file, text_table *texts, const ts_html_rows *rows) {
  fputs("\"rows\":[\n", file);
  for (size_t i = 0; i < rows->source->count; i++) {
    fputs(i > 0 ? ",\n" : "", file);
    json_t *row = json_array();
    TS_TRY(put_and_drop(file, row, fill_row(row, texts, rows, i)));
  }
  fputs("],\n", file);
  return TS_OK;
}

/// Converts gnuplot's "(12,4)" to "12 4" in pixels; "" for a solid line.
static json_t *make_dash(const char *dash) {
  char text[64] = "";
  size_t used = 0;
  for (const char *next = dash; *next && used + 1 < sizeof text; next++)
    if (dash[0] == '(' && *next != '(' && *next != ')')
      text[used++] = *next == ',' ? ' ' : *next;
  text[used] = '\0';
  return json_string(text);
}

static ts_status fill_look(json_t *out, ts_style look) {
  TS_TRY(ts_json_append(out, json_string(look.colour)));
  TS_TRY(ts_json_append(out, make_dash(look.dash)));
  return ts_json_append(out, json_integer(look.point));
}

/// The style of each method in plots.
static ts_status put_looks(FILE *file, const ts_html_rows *rows) {
  const ts_format_source *source = rows->source;
  fputs("\"looks\":[\n", file);
  for (size_t i = 0; i < rows->methods.count; i++) {
    size_t place =
        ts_style_place(source->method_names, source->method_count, rows->methods.entries[i].name);
    fputs(i > 0 ? ",\n" : "", file);
    json_t *look = json_array();
    TS_TRY(put_and_drop(file, look, fill_look(look, ts_style_of(place))));
  }
  fputs("],\n", file);
  return TS_OK;
}

static size_t count_text_fields(void) {
  size_t count = 0;
  for (size_t i = 0; i < ts_summary_rows.field_count; i++)
    count += ts_summary_rows.fields[i].kind == TS_FIELD_TEXT;
  return count;
}

ts_status ts_html_put_data(FILE *file, ts_arena *arena, const ts_html_rows *rows) {
  text_table texts;
  TS_TRY(start_texts(&texts, arena,
                     rows->source->count * (count_text_fields() + 2) + rows->cases.count +
                         rows->methods.count + 1));
  TS_TRY(put_columns(file));
  TS_TRY(put_outcomes(file));
  TS_TRY(put_texts(file, arena, "cases", rows->case_labels, rows->cases.count));
  TS_TRY(put_texts(file, arena, "methods", rows->method_labels, rows->methods.count));
  TS_TRY(put_looks(file, rows));
  TS_TRY(put_texts(file, arena, "names", rows->source->names, rows->source->count));
  fputs("\"tradeoff\":", file);
  TS_TRY(ts_html_put_tradeoff(file, arena, rows));
  fputs(",\n", file);
  put_summaries(file, "caseSummaries", &texts, &rows->cases, rows->source->case_summary);
  put_summaries(file, "methodSummaries", &texts, &rows->methods, rows->source->method_summary);
  TS_TRY(put_explains(file, &texts, rows->source));
  TS_TRY(put_rows(file, &texts, rows)); // after which all texts are known
  TS_TRY(put_texts(file, arena, "texts", texts.texts, texts.count));
  fprintf(file, "\"contactsKept\":\"%s\"}\n", ts_contacts_kept_words[rows->kept]);
  return TS_OK;
}
