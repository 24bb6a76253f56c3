// SPDX-License-Identifier: MIT
#include "reports/rows/contacts_at_fault.h"

#include "base/status.h"
#include "reports/rows/contact_kind.h"
#include "reports/rows/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int severity(ts_contact_kind kind) {
  static const int ranks[TS_KIND_COUNT] = {[TS_KIND_GAP_WRONG] = 1,
                                           [TS_KIND_FLIPPED] = 2,
                                           [TS_KIND_INCORRECT] = 3,
                                           [TS_KIND_SPECULATIVE_WRONG] = 4,
                                           [TS_KIND_PHANTOM] = 5};
  return ranks[kind];
}

/// How wrong it is among those of its kind; a value that is not a number is the worst.
static double error_of(const ts_contact_row *row, ts_contact_kind kind) {
  double error = kind == TS_KIND_PHANTOM     ? row->position_error_m
                 : kind == TS_KIND_INCORRECT ? row->normal_error_deg
                 : kind == TS_KIND_GAP_WRONG ? row->gap_error_m
                                             : 0;
  return isnan(error) ? (double)INFINITY : error;
}

bool ts_fault_is_worse(const ts_contact_row *a, const ts_contact_row *b) {
  ts_contact_kind x = ts_contact_row_kind(a), y = ts_contact_row_kind(b);
  return x != y ? severity(x) > severity(y) : error_of(a, x) > error_of(b, y);
}

void ts_faults_add(ts_faults *faults, const ts_contact_row *row) {
  if (!ts_contact_kind_is_fault(ts_contact_row_kind(row)))
    return;
  faults->count++;
  size_t at = faults->listed;
  while (at > 0 && ts_fault_is_worse(row, &faults->worst[at - 1]))
    at--;
  if (at == TS_FAULT_LINES_MAX)
    return;
  if (faults->listed < TS_FAULT_LINES_MAX)
    faults->listed++;
  memmove(&faults->worst[at + 1], &faults->worst[at],
          (faults->listed - at - 1) * sizeof *faults->worst);
  faults->worst[at] = *row;
}

const char *ts_fault_describe(ts_arena *arena, const ts_contact_row *c) {
  const char *region = isnan(c->region) ? "" : ts_arena_format(arena, ", region %.0f", c->region);
  const char *normal = "", *gap = "";
  if (c->correct == 0 && !(c->speculative > 0))
    normal = isnan(c->normal_error_deg)
                 ? ", normal not correct"
                 : ts_arena_format(arena, ", normal off by %.4g degrees", c->normal_error_deg);
  if (c->gap_wrong > 0)
    gap = ts_arena_format(arena, ", gap off by %.3g m", c->gap_error_m);
  if (!region || !normal || !gap)
    return NULL;
  return ts_arena_format(
      arena,
      "bodies %.0f and %.0f, point (%.6g, %.6g, %.6g), normal (%.6g, %.6g, %.6g), gap %.3g"
      "%s%s%s%s%s%s",
      c->body_a, c->body_b, c->point_x_m, c->point_y_m, c->point_z_m, c->normal_x, c->normal_y,
      c->normal_z, c->gap_m, region, normal, c->flipped > 0 ? ", flipped" : "", gap,
      c->phantom > 0 ? ", phantom" : "",
      c->speculative_wrong > 0 ? ", ahead of a touch but not as the surfaces are" : "");
}

static int compare(const char *cell, double step, const ts_fault_list *list) {
  int order = strcmp(cell, list->cell);
  return order != 0 ? order : (step > list->step) - (step < list->step);
}

static int compare_lists(const void *a, const void *b) {
  const ts_fault_list *list = a;
  return compare(list->cell, list->step, b);
}

static int compare_row(const void *row, const void *list) {
  const ts_contact_row *contact = row;
  return compare(contact->cell, contact->step, list);
}

typedef struct reading {
  ts_fault_list *lists;
  size_t count;
} reading;

static ts_status take_contact(void *context, const void *row) {
  reading *r = context;
  ts_fault_list *list = bsearch(row, r->lists, r->count, sizeof *list, compare_row);
  if (list)
    ts_faults_add(&list->faults, row);
  return TS_OK;
}

ts_status ts_contacts_at_fault(ts_fault_list *lists, size_t count, const char *path) {
  for (size_t i = 0; i < count; i++)
    lists[i].faults = (ts_faults){0};
  qsort(lists, count, sizeof *lists, compare_lists);
  reading r = {lists, count};
  return count > 0 ? ts_rows_visit(&ts_contact_rows, path, take_contact, &r) : TS_OK;
}
