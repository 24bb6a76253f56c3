// SPDX-License-Identifier: MIT
#include "harness/commands/plot_contacts.h"

#include "base/array.h"
#include "base/status.h"
#include "geometry/polygon.h"
#include "harness/view/row_scene.h"
#include "reports/rows/outcome.h"
#include "reports/rows/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// A contact in a planar region.
typedef struct site {
  size_t region; ///< of the scene
  ts_vec3 point;
} site;

typedef struct reading {
  ts_arena *arena;       ///< for the results
  ts_arena *scene_arena; ///< of the current scene, reset with it
  ts_arena_mark no_scene;
  const ts_record *records;
  const bool *is_wanted; ///< [count]
  size_t count;
  const size_t *order; ///< [wanted_count] indices of the wanted ones, by cell and step
  size_t wanted_count;
  ts_plot_contacts *contacts;
  bool *is_read;  ///< [count]
  size_t current; ///< the row whose contacts are currently read; SIZE_MAX: none
  size_t *listed; ///< [count], number of contacts of each row
  const char *case_name, *case_parameters; ///< of the scene
  const ts_scene *scene;                   ///< NULL: unknown
  size_t error_count, error_capacity;
  double *errors;
  size_t site_count, site_capacity;
  site *sites;
  const char *path;
} reading;

/// Whether the regions of a row are those of its scene as built. Where the truth moved with the
/// bodies, its regions are not in the results.
static bool has_built_regions(const ts_record *record) {
  return record->step == 0 || !strstr(record->scoring_parameters, "truth=moved");
}

/// Rebuilds the scene of a row, unless it is that of the previous row. A scene that cannot be built
/// has no regions to draw.
static ts_status find_scene(reading *r, const ts_record *record) {
  if (!has_built_regions(record)) {
    r->case_name = NULL;
    r->scene = NULL;
    return TS_OK;
  }
  if (r->case_name && strcmp(r->case_name, record->case_name) == 0 &&
      strcmp(r->case_parameters, record->case_parameters) == 0)
    return TS_OK;
  r->case_name = record->case_name;
  r->case_parameters = record->case_parameters;
  r->scene = NULL;
  ts_arena_rewind(r->scene_arena, r->no_scene);
  ts_snapshot snapshot;
  const char *why;
  return ts_row_scene(&snapshot, &r->scene, &why, r->scene_arena, record, NULL);
}

static bool is_planar(const ts_scene *scene, size_t index) {
  const ts_region *region = &scene->regions[index];
  return region->kind == TS_REGION_POLYGON &&
         ts_region_needed_normals(region, TS_REFERENCE_DESIGN, ts_region_limits(scene, region)) > 0;
}

static int compare_numbers(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static int larger_first(const void *a, const void *b) {
  return compare_numbers(b, a);
}

static int compare_sites(const void *a, const void *b) {
  const site *x = a, *y = b;
  return (x->region > y->region) - (x->region < y->region);
}

/// The hull of the contact points in each planar region.
static ts_status find_areas(reading *r, ts_plot_contacts *out) {
  const ts_scene *scene = r->scene;
  double *areas = ts_arena_array(r->arena, scene->region_count, sizeof *areas);
  double *true_areas = ts_arena_array(r->arena, scene->region_count, sizeof *true_areas);
  ts_arena_mark mark = ts_arena_get_mark(r->scene_arena);
  ts_vec3 *points = ts_arena_array(r->scene_arena, r->site_count, sizeof *points);
  if (!areas || !true_areas || !points)
    return TS_E_MEMORY;
  if (r->site_count > 0)
    qsort(r->sites, r->site_count, sizeof *r->sites, compare_sites);
  for (size_t i = 0; i < r->site_count; i++)
    points[i] = r->sites[i].point;
  size_t next = 0, count = 0;
  for (size_t region = 0; region < scene->region_count; region++) {
    size_t first = next;
    while (next < r->site_count && r->sites[next].region == region)
      next++;
    if (!is_planar(scene, region))
      continue;
    ts_vec3 normal = scene->regions[region].feasible[TS_REFERENCE_DESIGN].normals[0].normal;
    TS_TRY(ts_hull_area(&areas[count], r->scene_arena, points + first, next - first, normal));
    true_areas[count++] = ts_region_measure(&scene->regions[region]);
  }
  ts_arena_rewind(r->scene_arena, mark);
  qsort(areas, count, sizeof *areas, larger_first);
  qsort(true_areas, count, sizeof *true_areas, larger_first);
  out->areas_m2 = areas;
  out->true_areas_m2 = true_areas;
  out->region_count = count;
  return TS_OK;
}

/// Stores what has been read for the current row of the summary.
static ts_status end_record(reading *r) {
  if (r->current == SIZE_MAX)
    return TS_OK;
  const ts_record *record = &r->records[r->current];
  ts_plot_contacts *out = &r->contacts[r->current];
  double *errors = ts_arena_array(r->arena, r->error_count, sizeof *errors);
  if (!errors)
    return TS_E_MEMORY;
  if (r->error_count > 0) {
    memcpy(errors, r->errors, r->error_count * sizeof *errors);
    qsort(errors, r->error_count, sizeof *errors, compare_numbers);
  }
  out->count = r->error_count;
  out->errors_deg = errors;
  TS_TRY(find_scene(r, record));
  if (r->scene)
    TS_TRY(find_areas(r, out));
  r->current = SIZE_MAX;
  r->error_count = r->site_count = 0;
  return TS_OK;
}

static int compare_identity(const ts_record *record, const char *cell, double step) {
  int order = strcmp(record->cell, cell);
  return order != 0 ? order : (record->step > step) - (record->step < step);
}

/// Index of the wanted row in the summary; SIZE_MAX when there is none.
static size_t find_record(const reading *r, const ts_contact_row *row) {
  size_t low = 0, high = r->wanted_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    int order = compare_identity(&r->records[r->order[middle]], row->cell, row->step);
    if (order == 0)
      return r->order[middle];
    if (order < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return SIZE_MAX;
}

static ts_status add_contact(reading *r, const ts_contact_row *row) {
  r->listed[r->current]++;
  if (row->speculative == 1 || isnan(row->normal_error_deg))
    return TS_OK;
  TS_TRY(TS_HEAP_GROW(r->errors, r->error_capacity, r->error_count, 1));
  r->errors[r->error_count++] = row->normal_error_deg;
  if (!r->scene || row->phantom == 1 || isnan(row->region))
    return TS_OK;
  size_t region_count;
  const ts_region *first =
      ts_scene_pair_regions(&region_count, r->scene, (int32_t)row->body_a, (int32_t)row->body_b);
  if (!(row->region >= 0 && row->region < (double)region_count))
    return TS_OK;
  TS_TRY(TS_HEAP_GROW(r->sites, r->site_capacity, r->site_count, 1));
  r->sites[r->site_count++] = (site){(size_t)(first - r->scene->regions) + (size_t)row->region,
                                     {row->point_x_m, row->point_y_m, row->point_z_m}};
  return TS_OK;
}

static ts_status visit(void *context, const void *contact) {
  reading *r = context;
  const ts_contact_row *row = contact;
  if (r->current == SIZE_MAX ||
      compare_identity(&r->records[r->current], row->cell, row->step) != 0) {
    TS_TRY(end_record(r));
    size_t index = find_record(r, row);
    if (index == SIZE_MAX)
      return TS_OK; // not wanted, or from a run that was killed before it wrote the row
    if (r->is_read[index])
      return ts_fail(TS_E_INPUT,
                     "%s: the contacts of cell %s at step %.0f are not consecutive; sort the file "
                     "by cell and step",
                     r->path, row->cell, row->step);
    r->is_read[index] = true;
    r->current = index;
    TS_TRY(find_scene(r, &r->records[index]));
  }
  return add_contact(r, row);
}

static ts_status check_complete(const reading *r) {
  for (size_t i = 0; i < r->count; i++) {
    const ts_record *record = &r->records[i];
    if (r->is_wanted[i] && (double)r->listed[i] < record->contacts_listed)
      return ts_fail(TS_E_INPUT,
                     "%s has %zu contacts of cell %s at step %.0f, but the summary counts %.0f; "
                     "the file is incomplete: run again",
                     r->path, r->listed[i], record->cell, record->step, record->contacts_listed);
  }
  return TS_OK;
}

/// Rows that are ok but have no contacts: their hulls are empty.
static ts_status add_unvisited(reading *r) {
  for (size_t i = 0; i < r->count; i++) {
    if (!r->is_wanted[i] || r->is_read[i] || !ts_record_is_ok(&r->records[i]))
      continue;
    if (r->records[i].contacts_unique != 0)
      continue; // a step of a long run whose contacts are not listed
    r->current = i;
    TS_TRY(end_record(r));
  }
  return TS_OK;
}

/// A row of the summary, for sorting.
typedef struct place {
  const ts_record *record;
  size_t index;
} place;

static int compare_places(const void *a, const void *b) {
  const place *x = a, *y = b;
  int order = compare_identity(x->record, y->record->cell, y->record->step);
  return order != 0 ? order : (x->index > y->index) - (x->index < y->index);
}

/// Sorts the wanted rows by cell and step.
static ts_status sort_records(reading *r) {
  place *places = ts_arena_array(r->arena, r->count, sizeof *places);
  size_t *order = ts_arena_array(r->arena, r->count, sizeof *order);
  if (!places || !order)
    return TS_E_MEMORY;
  for (size_t i = 0; i < r->count; i++)
    if (r->is_wanted[i])
      places[r->wanted_count++] = (place){&r->records[i], i};
  qsort(places, r->wanted_count, sizeof *places, compare_places);
  for (size_t i = 0; i < r->wanted_count; i++)
    order[i] = places[i].index;
  r->order = order;
  return TS_OK;
}

static ts_status read_all(reading *r) {
  r->contacts = ts_arena_array(r->arena, r->count, sizeof *r->contacts);
  r->is_read = ts_arena_array(r->arena, r->count, sizeof *r->is_read);
  r->listed = ts_arena_array(r->arena, r->count, sizeof *r->listed);
  if (!r->contacts || !r->is_read || !r->listed)
    return TS_E_MEMORY;
  TS_TRY(sort_records(r));
  r->no_scene = ts_arena_get_mark(r->scene_arena);
  TS_TRY(ts_rows_visit(&ts_contact_rows, r->path, visit, r));
  TS_TRY(end_record(r));
  TS_TRY(check_complete(r));
  return add_unvisited(r);
}

ts_status ts_plot_read_contacts(const ts_plot_contacts **out, ts_arena *arena,
                                const ts_record *records, const bool *is_wanted, size_t count,
                                const char *path) {
  reading r = {.arena = arena,
               .records = records,
               .is_wanted = is_wanted,
               .count = count,
               .current = SIZE_MAX,
               .path = path};
  TS_TRY(ts_arena_create(&r.scene_arena));
  ts_status status = read_all(&r);
  *out = r.contacts;
  free(r.errors);
  free(r.sites);
  ts_arena_destroy(r.scene_arena);
  return status;
}
