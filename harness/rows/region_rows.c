// SPDX-License-Identifier: MIT
#include "harness/rows/region_rows.h"

#include "base/number.h"
#include "base/status.h"

#include <stdio.h>
#include <string.h>

/// Lists of numbers in one field: "x y z;x y z".
typedef struct list {
  char *text; ///< large enough for all of it
  size_t length;
} list;

static ts_status start_list(list *out, ts_arena *arena, size_t number_count) {
  *out = (list){.text = ts_arena_array(arena, number_count + 1, TS_NUMBER_BYTES)};
  if (!out->text)
    return TS_E_MEMORY;
  out->text[0] = '\0';
  return TS_OK;
}

/// `before`: what separates the number from the one before it; '\0' for the first.
static void add_number(list *l, double number, char before) {
  if (before)
    l->text[l->length++] = before;
  char buffer[TS_NUMBER_BYTES];
  const char *text = ts_number_format(buffer, number);
  size_t length = strlen(text);
  memcpy(l->text + l->length, text, length + 1);
  l->length += length;
}

static void add_vector(list *l, ts_vec3 v) {
  add_number(l, v.x + 0.0, l->length > 0 ? ';' : '\0'); // never -0
  add_number(l, v.y + 0.0, ' ');
  add_number(l, v.z + 0.0, ' ');
}

static ts_status describe_place(ts_region_row *row, ts_arena *arena, const ts_region *region) {
  static const char *const kinds[] = {"point", "segment", "polygon"};
  row->kind = kinds[region->kind];
  list corners;
  TS_TRY(start_list(&corners, arena, 3 * region->vertex_count));
  ts_vec3 sum = {0, 0, 0};
  for (size_t i = 0; i < region->vertex_count; i++) {
    sum.x += region->vertices[i].x;
    sum.y += region->vertices[i].y;
    sum.z += region->vertices[i].z;
    add_vector(&corners, region->vertices[i]);
  }
  double share = 1.0 / (double)region->vertex_count;
  row->place_x_m = sum.x * share + 0.0;
  row->place_y_m = sum.y * share + 0.0;
  row->place_z_m = sum.z * share + 0.0;
  row->corners_m = corners.text;
  return TS_OK;
}

static ts_status describe_normals(ts_region_row *row, ts_arena *arena,
                                  const ts_feasible_set *feasible) {
  list normals, gaps;
  TS_TRY(start_list(&normals, arena, 3 * feasible->count));
  TS_TRY(start_list(&gaps, arena, feasible->count));
  for (size_t i = 0; i < feasible->count; i++) {
    add_vector(&normals, feasible->normals[i].normal);
    add_number(&gaps, feasible->normals[i].gap_m + 0.0, i > 0 ? ';' : '\0');
  }
  row->normals = normals.text;
  row->gaps_m = gaps.text;
  return TS_OK;
}

static ts_status describe_contacts(ts_region_row *row, ts_arena *arena,
                                   const ts_judgement *judgement, const ts_judged_pair *pair,
                                   size_t region) {
  list contacts;
  TS_TRY(start_list(&contacts, arena, pair->set->count));
  for (size_t i = 0; i < pair->set->count; i++)
    if (ts_judged_serves(judgement, pair, i, region))
      add_number(&contacts, (double)i, contacts.length > 0 ? ';' : '\0');
  row->contacts = contacts.text;
  return TS_OK;
}

static ts_status make_row(ts_region_row *row, ts_arena *arena, const ts_record *record,
                          const ts_judgement *judgement, const ts_judged_pair *pair, size_t index) {
  const ts_region *region = &judgement->scene->regions[index];
  ts_row_init(&ts_region_rows, row);
  row->cell = record->cell;
  row->case_name = record->case_name;
  row->method = record->method;
  row->step = record->step;
  row->body_a = region->body_a;
  row->body_b = region->body_b;
  row->region = (double)(index - pair->first_region);
  TS_TRY(describe_place(row, arena, region));
  TS_TRY(describe_normals(row, arena, &region->feasible[judgement->scoring.reference]));
  size_t needed = ts_region_needed_normals(region, judgement->scoring.reference, pair->limits);
  row->needs = needed == 0 ? "none" : region->needs_all ? "all" : "any";
  row->normals_needed = (double)needed;
  row->normals_met = needed > 0 ? (double)ts_judged_met_normals(judgement, pair, index) : 0;
  row->missed = ts_judged_misses(judgement, pair, index);
  row->contacts_missing = (double)ts_judged_missing_contacts(judgement, pair, index);
  return describe_contacts(row, arena, judgement, pair, index);
}

ts_status ts_region_rows_make(ts_region_row **out, size_t *out_count, ts_arena *arena,
                              const ts_record *record, const ts_judgement *judgement) {
  ts_region_row *rows = ts_arena_array(arena, judgement->scene->region_count, sizeof *rows);
  if (!rows)
    return TS_E_MEMORY;
  size_t count = 0;
  for (size_t p = 0; p < judgement->pair_count; p++) {
    const ts_judged_pair *pair = &judgement->pairs[p];
    for (size_t r = pair->first_region; r < pair->first_region + pair->region_count; r++)
      TS_TRY(make_row(&rows[count++], arena, record, judgement, pair, r));
  }
  *out = rows;
  *out_count = count;
  return TS_OK;
}

bool ts_region_row_is_lacking(const ts_region_row *row) {
  return row->missed > 0 || row->normals_met < row->normals_needed || row->contacts_missing > 0;
}
