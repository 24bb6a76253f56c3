// SPDX-License-Identifier: MIT
#include "reports/rows/contacts_at_fault.h"

#include "base/status.h"
#include "reports/rows/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct reading {
  ts_arena *arena;
  ts_fault_list *lists;
  size_t count;
} reading;

static int compare_lists(const void *a, const void *b) {
  const ts_fault_list *x = a, *y = b;
  int order = strcmp(x->cell, y->cell);
  return order != 0 ? order : (x->step > y->step) - (x->step < y->step);
}

static const char *describe(ts_arena *arena, const ts_contact_row *c) {
  const char *region = isnan(c->region) ? "" : ts_arena_format(arena, ", region %.0f", c->region);
  const char *off =
      c->correct == 0 ? ts_arena_format(arena, ", normal off by %.4g degrees", c->normal_error_deg)
                      : "";
  if (!region || !off)
    return NULL;
  if (c->correct == 0 && isnan(c->normal_error_deg))
    off = ", normal not correct";
  const char *phantom = c->phantom == 1 ? ", phantom" : "";
  return ts_arena_format(
      arena,
      "bodies %.0f and %.0f, point (%.6g, %.6g, %.6g), normal (%.6g, %.6g, %.6g), gap %.3g%s%s%s",
      c->body_a, c->body_b, c->point_x_m, c->point_y_m, c->point_z_m, c->normal_x, c->normal_y,
      c->normal_z, c->gap_m, region, off, phantom);
}

static ts_status take_contact(void *context, const void *row) {
  reading *r = context;
  const ts_contact_row *contact = row;
  ts_fault_list wanted = {.cell = contact->cell, .step = contact->step};
  ts_fault_list *list = bsearch(&wanted, r->lists, r->count, sizeof wanted, compare_lists);
  if (!list)
    return TS_OK;
  bool is_wrong = contact->correct == 0 && contact->speculative != 1;
  if (!is_wrong && contact->phantom != 1 && !list->takes_all)
    return TS_OK;
  list->fault_count++;
  if (list->line_count == TS_FAULT_LINES_MAX)
    return TS_OK;
  const char *line = describe(r->arena, contact);
  if (!line)
    return TS_E_MEMORY;
  list->lines[list->line_count++] = line;
  return TS_OK;
}

ts_status ts_contacts_at_fault(ts_fault_list *lists, size_t count, ts_arena *arena,
                               const char *path) {
  for (size_t i = 0; i < count; i++)
    lists[i].fault_count = lists[i].line_count = 0;
  qsort(lists, count, sizeof *lists, compare_lists);
  reading r = {arena, lists, count};
  return count > 0 ? ts_rows_visit(&ts_contact_rows, path, take_contact, &r) : TS_OK;
}
