// SPDX-License-Identifier: MIT
#include "harness/agree/row_contacts.h"

#include "base/array.h"
#include "base/status.h"
#include "geometry/vec3.h"
#include "reports/rows/record_index.h"
#include "reports/rows/rows.h"

#include <math.h>
#include <stdlib.h>

/// A contact on its way, with what it is sorted by.
typedef struct listed_contact {
  int32_t body_a, body_b;
  size_t place;
  ts_contact contact;
} listed_contact;

typedef struct reading {
  ts_arena *arena;
  const char *path;
  ts_record_index index;
  const bool *is_wanted;
  ts_row_contacts *found; ///< [index.count]
  bool *is_read;          ///< [index.count]
  size_t *listed;         ///< [index.count]
  size_t current;         ///< the record that is read; TS_NO_RECORD: none that is wanted
  size_t count, capacity;
  listed_contact *contacts; ///< [count] of the current record, on the heap
} reading;

static int compare_places(const void *a, const void *b) {
  const listed_contact *x = a, *y = b;
  if (x->body_a != y->body_a)
    return x->body_a < y->body_a ? -1 : 1;
  if (x->body_b != y->body_b)
    return x->body_b < y->body_b ? -1 : 1;
  return (x->place > y->place) - (x->place < y->place);
}

/// The contacts after `first` that are of its pair.
static size_t run_length(const reading *r, size_t first) {
  size_t end = first;
  while (end < r->count && r->contacts[end].body_a == r->contacts[first].body_a &&
         r->contacts[end].body_b == r->contacts[first].body_b)
    end++;
  return end - first;
}

/// Moves the contacts of the current record to the arena, by pairs.
static ts_status end_record(reading *r) {
  if (r->current == TS_NO_RECORD || r->count == 0)
    return TS_OK;
  qsort(r->contacts, r->count, sizeof *r->contacts, compare_places);
  size_t pair_count = 0;
  for (size_t i = 0; i < r->count; i += run_length(r, i))
    pair_count++;
  ts_contact *contacts = ts_arena_array(r->arena, r->count, sizeof *contacts);
  ts_pair_contacts *pairs = ts_arena_array(r->arena, pair_count, sizeof *pairs);
  if (!contacts || !pairs)
    return TS_E_MEMORY;
  for (size_t i = 0; i < r->count; i++)
    contacts[i] = r->contacts[i].contact;
  for (size_t i = 0, k = 0; i < r->count; i += pairs[k++].count)
    pairs[k] = (ts_pair_contacts){.body_a = r->contacts[i].body_a,
                                  .body_b = r->contacts[i].body_b,
                                  .count = run_length(r, i),
                                  .contacts = &contacts[i]};
  r->found[r->current] = (ts_row_contacts){.pair_count = pair_count, .pairs = pairs};
  r->listed[r->current] = r->count;
  r->count = 0;
  return TS_OK;
}

static ts_status begin_record(reading *r, size_t record) {
  TS_TRY(end_record(r));
  r->current = record;
  if (record == TS_NO_RECORD || !r->is_wanted[record]) {
    r->current = TS_NO_RECORD;
    return TS_OK;
  }
  const ts_record *of = &r->index.records[record];
  if (r->is_read[record])
    return ts_fail(TS_E_INPUT,
                   "%s: the contacts of cell %s at step %.0f are not consecutive; sort the file by "
                   "cell and step",
                   r->path, of->cell, of->step);
  r->is_read[record] = true;
  return TS_OK;
}

static bool is_body(double index) {
  return index >= 0 && index < INT32_MAX;
}

static ts_status take_contact(void *context, const void *contact) {
  reading *r = context;
  const ts_contact_row *row = contact;
  size_t record = ts_record_index_find(&r->index, row->cell, row->step);
  if (record != r->current || record == TS_NO_RECORD)
    TS_TRY(begin_record(r, record));
  if (r->current == TS_NO_RECORD)
    return TS_OK;
  if (!is_body(row->body_a) || !is_body(row->body_b) || row->body_a == row->body_b)
    return ts_fail(TS_E_INPUT, "%s: a contact of cell %s is between bodies %g and %g; run again",
                   r->path, row->cell, row->body_a, row->body_b);
  TS_TRY(TS_HEAP_GROW(r->contacts, r->capacity, r->count, 1));
  bool is_swapped = row->body_a > row->body_b;
  ts_vec3 normal = {row->normal_x, row->normal_y, row->normal_z};
  r->contacts[r->count] = (listed_contact){
      .body_a = (int32_t)(is_swapped ? row->body_b : row->body_a),
      .body_b = (int32_t)(is_swapped ? row->body_a : row->body_b),
      .place = r->count,
      .contact = {.point = {row->point_x_m, row->point_y_m, row->point_z_m},
                  .normal = is_swapped ? ts_vec3_neg(normal) : normal,
                  .gap_m = row->gap_m,
                  .area_m2 = row->area_m2,
                  .group = row->group > 0 && row->group < UINT32_MAX ? (uint32_t)row->group : 0}};
  r->count++;
  return TS_OK;
}

static ts_status check_complete(const reading *r) {
  for (size_t i = 0; i < r->index.count; i++) {
    const ts_record *record = &r->index.records[i];
    if (r->is_wanted[i] && (double)r->listed[i] < record->contacts_listed)
      return ts_fail(TS_E_INPUT,
                     "%s has %zu contacts of cell %s at step %.0f, but the summary counts %.0f; "
                     "the file is incomplete: run again",
                     r->path, r->listed[i], record->cell, record->step, record->contacts_listed);
  }
  return TS_OK;
}

static ts_status read_all(reading *r, const ts_record *records, size_t count) {
  TS_TRY(ts_record_index_make(&r->index, r->arena, records, count));
  r->found = ts_arena_array(r->arena, count, sizeof *r->found);
  r->is_read = ts_arena_array(r->arena, count, sizeof *r->is_read);
  r->listed = ts_arena_array(r->arena, count, sizeof *r->listed);
  if (!r->found || !r->is_read || !r->listed)
    return TS_E_MEMORY;
  TS_TRY(ts_rows_visit(&ts_contact_rows, r->path, take_contact, r));
  TS_TRY(end_record(r));
  return check_complete(r);
}

ts_status ts_row_contacts_read(ts_row_contacts **out, ts_arena *arena, const ts_record *records,
                               const bool *is_wanted, size_t count, const char *path) {
  reading r = {.arena = arena, .path = path, .is_wanted = is_wanted, .current = TS_NO_RECORD};
  ts_status status = read_all(&r, records, count);
  *out = r.found;
  free(r.contacts);
  return status;
}
