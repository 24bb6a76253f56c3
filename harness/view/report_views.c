// SPDX-License-Identifier: MIT
#include "harness/view/report_views.h"

#include "base/clock.h"
#include "base/status.h"
#include "base/terminal.h"
#include "harness/picture/exploded_view.h"
#include "harness/picture/picture.h"
#include "harness/run/progress.h"
#include "harness/view/contact_faults.h"
#include "harness/view/row_scene.h"
#include "harness/view/row_snapshot.h"
#include "reports/rows/outcome.h"

#include <math.h>
#include <stdlib.h>

/// A view takes more than this in a page, so that no more rows are read than a budget may hold.
#define VIEW_BYTES_MIN 1000.0

/// The most contacts that are read: some 300 MB of memory.
#define CONTACTS_MAX 1e6

/// Pictures for readers without JavaScript: how many, the most bytes of one, and the most triangles
/// of a scene that is drawn, since hidden lines take triangles x edges.
#define PICTURES_MAX          ((size_t)6)
#define PICTURE_BYTES_MAX     ((size_t)60000)
#define PICTURE_TRIANGLES_MAX ((size_t)4000)

/// The same gap as in pictures, relative to a body's size.
#define GAP_SIZE 0.5

#define SHOW_EVERY_NS 100000000

/// A row on the way to its view.
typedef struct candidate {
  size_t index;
  bool has_fault;
  double quality;
  double contacts;
} candidate;

typedef struct work {
  ts_arena *arena, *scene_arena, *row_arena;
  const ts_format_source *source;
  ts_views *views;
  bool *is_wanted; ///< [count]
  size_t *ranks;   ///< [count], of those wanted
  size_t wanted_count, picture_count;
  const ts_row_details *details;
  const char *over_budget; ///< why rows beyond the budget have no view
  // The scene of the row before, which most rows share.
  const ts_record *scene_of; ///< NULL: none
  const char *no_scene;      ///< why there is none
  ts_snapshot built;
  size_t scene;
  int64_t shown_ns;
} work;

// ---- which rows --------------------------------------------------------------------------------

/// Whether any column counts a fault, or a share that should be whole is not.
static bool has_fault(const ts_record *record) {
  for (size_t i = 0; i < ts_summary_rows.field_count; i++) {
    const ts_field *field = &ts_summary_rows.fields[i];
    if (field->kind != TS_FIELD_TEXT && field->role == TS_ROLE_FAULT &&
        ts_row_number(field, record) > 0)
      return true;
  }
  return record->quality_percent < 100 || record->coverage_percent < 100;
}

static int compare_candidates(const void *a, const void *b) {
  const candidate *x = a, *y = b;
  if (x->has_fault != y->has_fault)
    return x->has_fault ? -1 : 1;
  double p = isnan(x->quality) ? 101 : x->quality, q = isnan(y->quality) ? 101 : y->quality;
  if (p != q)
    return p < q ? -1 : 1;
  return (x->index > y->index) - (x->index < y->index);
}

/// Chooses the rows that are read, and ranks them.
static ts_status choose_rows(work *w, double budget_mb) {
  size_t count = w->source->count, candidate_count = 0;
  candidate *candidates = ts_arena_array(w->arena, count, sizeof *candidates);
  w->is_wanted = ts_arena_array(w->arena, count, sizeof *w->is_wanted);
  w->ranks = ts_arena_array(w->arena, count, sizeof *w->ranks);
  if (!candidates || !w->is_wanted || !w->ranks)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++) {
    const ts_record *record = &w->source->records[i];
    const char *missing = ts_row_contacts_missing(record, record->contacts_listed);
    if (ts_record_is_ok(record) && missing)
      ts_views_refuse(w->views, i, missing);
    else if (ts_record_is_ok(record))
      candidates[candidate_count++] =
          (candidate){i, has_fault(record), record->quality_percent,
                      isnan(record->contacts_listed) ? 0 : record->contacts_listed};
    else
      ts_views_refuse(w->views, i, "It was not measured, so there are no contacts to show.");
  }
  if (candidate_count > 0)
    qsort(candidates, candidate_count, sizeof *candidates, compare_candidates);
  double rows_left = budget_mb * 1e6 / VIEW_BYTES_MIN, contacts_left = CONTACTS_MAX;
  for (size_t i = 0; i < candidate_count; i++) {
    const candidate *c = &candidates[i];
    bool fits = rows_left >= 1 && c->contacts <= contacts_left;
    if (fits) {
      w->is_wanted[c->index] = true;
      w->ranks[c->index] = w->wanted_count++;
      rows_left--;
      contacts_left -= c->contacts;
    } else {
      ts_views_refuse(w->views, c->index, w->over_budget);
    }
  }
  return TS_OK;
}

// ---- a scene -----------------------------------------------------------------------------------

static ts_status add_scene(work *w) {
  ts_view_scene scene = {.snapshot = &w->built};
  ts_vec3 *shifts;
  TS_TRY(ts_exploded_view(&shifts, w->scene_arena, &w->built, GAP_SIZE * w->built.body_size_m));
  bool *is_ground = ts_arena_array(w->scene_arena, w->built.body_count, sizeof *is_ground);
  if (!is_ground)
    return TS_E_MEMORY;
  for (size_t i = 0; i < w->built.body_count; i++)
    is_ground[i] = ts_exploded_view_is_ground(&w->built, i);
  scene.shifts = shifts;
  scene.is_ground = is_ground;
  return ts_views_add_scene(&w->scene, w->views, w->scene_arena, &scene);
}

/// Builds the scene of a row unless it is that of the row before.
static ts_status find_scene(work *w, const ts_record *record) {
  if (w->scene_of && strcmp(w->scene_of->case_name, record->case_name) == 0 &&
      strcmp(w->scene_of->case_parameters, record->case_parameters) == 0)
    return TS_OK;
  w->scene_of = record;
  ts_arena_destroy(w->scene_arena);
  w->scene_arena = NULL;
  TS_TRY(ts_arena_create(&w->scene_arena));
  const ts_scene *scene;
  const char *why;
  TS_TRY(ts_row_scene(&w->built, &scene, &why, w->scene_arena, record, w->source->context));
  w->no_scene = why ? ts_arena_string(w->arena, why) : NULL;
  if (why)
    return w->no_scene ? TS_OK : TS_E_MEMORY;
  return add_scene(w);
}

// ---- a row -------------------------------------------------------------------------------------

static ts_status name_row(ts_view_row *out, ts_arena *arena, const ts_record *record) {
  out->title = record->step > 0
                   ? ts_arena_format(arena, "%s by %s, step %.0f", record->case_name,
                                     record->method, record->step)
                   : ts_arena_format(arena, "%s by %s", record->case_name, record->method);
  return out->title ? TS_OK : TS_E_MEMORY;
}

static size_t count_triangles(const ts_snapshot *snapshot) {
  size_t count = 0;
  for (size_t i = 0; i < snapshot->body_count; i++)
    count += snapshot->bodies[i].designed.mesh->triangle_count;
  return count;
}

/// Adds a picture of a row unless it would be large.
static ts_status add_picture(work *w, size_t index, const ts_view_row *row) {
  if (w->picture_count == PICTURES_MAX || count_triangles(row->snapshot) > PICTURE_TRIANGLES_MAX)
    return TS_OK;
  char *svg = NULL;
  size_t count = 0;
  FILE *file = open_memstream(&svg, &count);
  if (!file)
    return ts_fail(TS_E_MEMORY, "out of memory");
  ts_status status = ts_picture_write(file, w->row_arena, row->snapshot);
  bool is_whole = !ferror(file);
  if ((fclose(file) != 0 || !is_whole) && status == TS_OK)
    status = ts_fail(TS_E_MEMORY, "out of memory");
  if (status == TS_OK && count <= PICTURE_BYTES_MAX) {
    status = ts_views_add_picture(w->views, index, row->title, svg, count);
    w->picture_count++;
  }
  free(svg);
  return status;
}

/// The counts of the summary, so that the view can say how many of them it shows.
static void count_faults(ts_view_row *row, const ts_record *record, const ts_row_details *details) {
  row->fault_totals[TS_VIEW_PHANTOM] = record->phantom;
  row->fault_totals[TS_VIEW_SPECULATIVE_WRONG] = record->speculative_wrong;
  row->fault_totals[TS_VIEW_NORMAL_FLIPPED] = record->normals_flipped;
  row->fault_totals[TS_VIEW_NORMAL_INVALID] = record->normals_invalid;
  row->fault_totals[TS_VIEW_GAP_WRONG] = record->gaps_wrong;
  row->fault_totals[TS_VIEW_REGION_MISSED] = record->regions_missed;
  row->fault_totals[TS_VIEW_CONTACTS_MISSING] = record->contacts_missing;
  for (size_t i = 0; i < details->contact_count; i++) {
    const ts_contact_row *contact = &details->contacts[i];
    row->kind_totals[ts_contact_row_kind(contact)]++;
    row->fault_totals[TS_VIEW_NORMAL_INCORRECT] +=
        (ts_contact_faults(contact) >> TS_VIEW_NORMAL_INCORRECT & 1U) > 0;
  }
}

static ts_status add_view(work *w, size_t index) {
  const ts_record *record = &w->source->records[index];
  const ts_row_details *details = &w->details[index];
  TS_TRY(find_scene(w, record));
  if (w->no_scene) {
    ts_views_refuse(w->views, index, w->no_scene);
    return TS_OK;
  }
  ts_row_snapshot made;
  const char *why;
  TS_TRY(ts_row_snapshot_make(&made, &why, w->row_arena, &w->built, record, details));
  if (why) {
    ts_views_refuse(w->views, index, why);
    return TS_OK;
  }
  ts_view_row row = {.snapshot = &made.snapshot,
                     .has_moved = made.has_moved,
                     // With --contacts bad the file has fewer than the row.
                     .contact_total = record->contacts_unique > (double)details->contact_count
                                          ? (size_t)record->contacts_unique
                                          : details->contact_count,
                     .has_verdicts = made.has_verdicts,
                     .served_counts = made.served_counts,
                     .missing_counts = made.missing_counts,
                     .contact_faults = made.contact_faults,
                     .unknown_total =
                         record->pairs_unknown > 0 ? (size_t)record->pairs_unknown : 0};
  count_faults(&row, record, details);
  row.explain_command = w->source->explains[index];
  TS_TRY(name_row(&row, w->row_arena, record));
  if (w->ranks[index] < PICTURES_MAX)
    TS_TRY(add_picture(w, index, &row));
  const ts_view_place place = {.index = index,
                               .cell = record->cell,
                               .step = record->step,
                               .rank = w->ranks[index],
                               .scene = w->scene};
  return ts_views_add(w->views, w->row_arena, &place, &row);
}

// ---- all rows ----------------------------------------------------------------------------------

static void show_progress(work *w, size_t done) {
  int64_t now_ns = ts_clock_ns();
  if (now_ns - w->shown_ns < SHOW_EVERY_NS || !ts_terminal_is_capable(stderr))
    return;
  w->shown_ns = now_ns;
  fprintf(stderr, "\r\033[Kviews: %zu of %zu rows", done, w->wanted_count);
  fflush(stderr);
}

static ts_status add_views(work *w) {
  ts_row_details *details;
  TS_TRY(ts_row_details_read(&details, w->arena, w->source->folder, w->source->records,
                             w->is_wanted, w->source->count));
  w->details = details;
  size_t done = 0;
  for (size_t i = 0; i < w->source->count; i++) {
    if (!w->is_wanted[i])
      continue;
    ts_arena_mark mark = ts_arena_get_mark(w->row_arena);
    TS_TRY(add_view(w, i));
    ts_arena_rewind(w->row_arena, mark);
    show_progress(w, ++done);
  }
  return TS_OK;
}

static ts_status make_views(work *w, double budget_mb) {
  w->over_budget = ts_arena_format(
      w->arena,
      "The views of worse rows take the %.3g MB that this page has for views; more: "
      "touchstone report --views MB.",
      budget_mb);
  if (!w->over_budget)
    return TS_E_MEMORY;
  TS_TRY(ts_views_create(&w->views, w->arena, w->source->count));
  TS_TRY(choose_rows(w, budget_mb));
  TS_TRY(ts_arena_create(&w->row_arena));
  TS_TRY(add_views(w));
  return ts_views_choose(w->views, (size_t)(budget_mb * 1e6), w->over_budget);
}

ts_status ts_report_views(ts_views **out, ts_arena *arena, const ts_format_source *source,
                          double budget_mb) {
  work w = {.arena = arena, .source = source};
  ts_status status = make_views(&w, budget_mb);
  if (w.shown_ns > 0)
    fputs("\r\033[K", stderr);
  ts_arena_destroy(w.row_arena);
  ts_arena_destroy(w.scene_arena);
  *out = w.views;
  return status;
}
