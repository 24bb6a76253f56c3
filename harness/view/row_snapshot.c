// SPDX-License-Identifier: MIT
#include "harness/view/row_snapshot.h"

#include "base/status.h"
#include "geometry/pose.h"
#include "harness/view/contact_faults.h"
#include "reports/rows/contacts_at_fault.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- contacts ----------------------------------------------------------------------------------

static int compare_faults(const void *a, const void *b) {
  const ts_contact_row *const *x = a, *const *y = b;
  if (ts_fault_is_worse(*x, *y))
    return -1;
  if (ts_fault_is_worse(*y, *x))
    return 1;
  return (*x > *y) - (*x < *y); // in the order of the file
}

/// Puts `room` of the sorted contacts at fault [count] first, in their order: the worst of each
/// fault in turn until there is no more room.
static ts_status share_places(const ts_contact_row **sorted, size_t count, size_t room,
                              ts_arena *arena) {
  bool *is_taken = ts_arena_array(arena, count, sizeof *is_taken);
  if (!is_taken)
    return TS_E_MEMORY;
  size_t next[TS_VIEW_CONTACT_FAULTS] = {0}, taken = 0;
  for (int fault = 0; taken < room; fault = (fault + 1) % TS_VIEW_CONTACT_FAULTS) {
    size_t *at = &next[fault];
    while (*at < count && (is_taken[*at] || !(ts_contact_faults(sorted[*at]) & 1U << fault)))
      ++*at;
    if (*at < count) {
      is_taken[*at] = true;
      taken++;
    }
  }
  for (size_t i = 0, put = 0; i < count; i++)
    if (is_taken[i])
      sorted[put++] = sorted[i];
  return TS_OK;
}

static ts_status choose_contacts(ts_row_snapshot *out, ts_arena *arena,
                                 const ts_row_details *details) {
  size_t count = details->contact_count, fault_count = 0, other_count = 0;
  const ts_contact_row **rows = ts_arena_array(arena, count, sizeof *rows);
  ts_contact_row *chosen =
      ts_arena_array(arena, TS_SNAPSHOT_FAULTS_MAX + TS_SNAPSHOT_OTHERS_MAX, sizeof *chosen);
  if (!rows || !chosen)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++)
    if (ts_contact_faults(&details->contacts[i]))
      rows[fault_count++] = &details->contacts[i];
    else
      rows[count - ++other_count] = &details->contacts[i]; // from the end, in reverse
  if (fault_count > 0)
    qsort(rows, fault_count, sizeof *rows, compare_faults);
  size_t faults = fault_count < TS_SNAPSHOT_FAULTS_MAX ? fault_count : TS_SNAPSHOT_FAULTS_MAX;
  size_t others = other_count < TS_SNAPSHOT_OTHERS_MAX ? other_count : TS_SNAPSHOT_OTHERS_MAX;
  TS_TRY(share_places(rows, fault_count, faults, arena));
  for (size_t i = 0; i < faults; i++)
    chosen[i] = *rows[i];
  for (size_t i = 0; i < others; i++)
    chosen[faults + i] = *rows[count - 1 - i * other_count / others];
  out->snapshot.contacts = chosen;
  out->snapshot.contact_count = faults + others;
  unsigned *bits = ts_arena_array(arena, faults + others, sizeof *bits);
  if (!bits)
    return TS_E_MEMORY;
  for (size_t i = 0; i < faults + others; i++)
    bits[i] = ts_contact_faults(&chosen[i]);
  out->contact_faults = bits;
  return TS_OK;
}

// ---- bodies ------------------------------------------------------------------------------------

/// The body that a row of poses names; `count` for none.
static size_t find_body(const ts_snapshot *snapshot, const char *word) {
  char *end;
  unsigned long index = strtoul(word, &end, 10);
  if (end != word && *end == '\0' && index < snapshot->body_count)
    return index;
  size_t i = 0;
  while (i < snapshot->body_count && strcmp(snapshot->bodies[i].name, word) != 0)
    i++;
  return i;
}

static ts_status move_bodies(ts_row_snapshot *out, ts_arena *arena, const ts_row_details *details) {
  ts_snapshot *snapshot = &out->snapshot;
  ts_snapshot_body *bodies =
      ts_arena_copy(arena, snapshot->bodies, snapshot->body_count, sizeof *bodies);
  if (!bodies)
    return TS_E_MEMORY;
  for (size_t i = 0; i < details->pose_count; i++) {
    const ts_pose_row *row = &details->poses[i];
    size_t index = find_body(snapshot, row->body);
    if (index == snapshot->body_count)
      continue;
    ts_snapshot_body *body = &bodies[index];
    body->pose = (ts_pose){{row->rotation_w, row->rotation_x, row->rotation_y, row->rotation_z},
                           {row->position_x_m, row->position_y_m, row->position_z_m}};
    const ts_mesh *mesh = body->designed.mesh;
    ts_vec3 *world = ts_arena_array(arena, mesh->vertex_count, sizeof *world);
    if (!world)
      return TS_E_MEMORY;
    for (size_t k = 0; k < mesh->vertex_count; k++)
      world[k] = ts_pose_point(body->pose, mesh->vertices[k]);
    body->designed.world = world;
  }
  snapshot->bodies = bodies;
  out->has_moved = details->pose_count > 0;
  return TS_OK;
}

// ---- regions -----------------------------------------------------------------------------------

/// The numbers in a text, separated by blanks and semicolons; `*out` is in the arena.
static ts_status read_numbers(double **out, size_t *out_count, ts_arena *arena, const char *text) {
  double *numbers = ts_arena_array(arena, strlen(text) / 2 + 1, sizeof *numbers);
  if (!numbers)
    return TS_E_MEMORY;
  size_t count = 0;
  for (char *end; *text; text = end) {
    while (*text == ' ' || *text == ';')
      text++;
    double number = strtod(text, &end);
    if (end == text)
      break;
    numbers[count++] = number;
  }
  *out = numbers;
  *out_count = count;
  return TS_OK;
}

static ts_status read_vectors(ts_vec3 **out, size_t *out_count, ts_arena *arena, const char *text) {
  double *numbers;
  size_t count;
  TS_TRY(read_numbers(&numbers, &count, arena, text));
  ts_vec3 *vectors = ts_arena_array(arena, count / 3, sizeof *vectors);
  if (!vectors)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count / 3; i++)
    vectors[i] = (ts_vec3){numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]};
  *out = vectors;
  *out_count = count / 3;
  return TS_OK;
}

/// The places of the chosen contacts that serve a region.
static ts_status find_servers(ts_snapshot_region *region, size_t *out_served, ts_arena *arena,
                              const ts_snapshot *snapshot, const ts_region_row *row) {
  double *indices;
  TS_TRY(read_numbers(&indices, out_served, arena, row->contacts));
  size_t *places = ts_arena_array(arena, *out_served, sizeof *places);
  if (!places)
    return TS_E_MEMORY;
  for (size_t i = 0; i < snapshot->contact_count; i++) {
    const ts_contact_row *contact = &snapshot->contacts[i];
    for (size_t k = 0; contact->body_a == row->body_a && contact->body_b == row->body_b &&
                       region->contact_count < *out_served && k < *out_served;
         k++)
      if (indices[k] == contact->index)
        places[region->contact_count++] = i;
  }
  region->contacts = places;
  return TS_OK;
}

static ts_status read_region(ts_snapshot_region *out, size_t *out_served, ts_arena *arena,
                             const ts_snapshot *snapshot, const ts_region_row *row) {
  *out = (ts_snapshot_region){.body_a = (int32_t)row->body_a,
                              .body_b = (int32_t)row->body_b,
                              .index = (int32_t)row->region,
                              .needs_all = strcmp(row->needs, "all") == 0,
                              .needed_count = (size_t)row->normals_needed,
                              .met_count = (size_t)row->normals_met,
                              .is_missed = row->missed > 0};
  ts_vec3 *corners, *normals;
  double *gaps;
  size_t gap_count;
  TS_TRY(read_vectors(&corners, &out->vertex_count, arena, row->corners_m));
  TS_TRY(read_vectors(&normals, &out->normal_count, arena, row->normals));
  TS_TRY(read_numbers(&gaps, &gap_count, arena, row->gaps_m));
  ts_snapshot_normal *list = ts_arena_array(arena, out->normal_count, sizeof *list);
  if (!list)
    return TS_E_MEMORY;
  for (size_t i = 0; i < out->normal_count; i++)
    list[i] = (ts_snapshot_normal){.normal = normals[i],
                                   .gap_m = i < gap_count ? gaps[i] : (double)NAN,
                                   .is_open = out->needed_count == 0};
  out->vertices = corners;
  out->normals = list;
  return find_servers(out, out_served, arena, snapshot, row);
}

/// Whether the counts and indices of a row can be those of a region of the snapshot.
static bool is_region(const ts_snapshot *snapshot, const ts_region_row *row) {
  double count = (double)snapshot->body_count;
  return row->body_a >= 0 && row->body_a < count && row->body_b >= 0 && row->body_b < count &&
         row->region >= 0 && row->region < 1e9 && row->normals_needed >= 0 &&
         row->normals_met >= 0 && *row->corners_m;
}

static ts_status read_regions(ts_row_snapshot *out, ts_arena *arena,
                              const ts_row_details *details) {
  ts_snapshot *snapshot = &out->snapshot;
  ts_snapshot_region *regions = ts_arena_array(arena, details->region_count, sizeof *regions);
  out->served_counts = ts_arena_array(arena, details->region_count, sizeof *out->served_counts);
  out->missing_counts = ts_arena_array(arena, details->region_count, sizeof *out->missing_counts);
  if (!regions || !out->served_counts || !out->missing_counts)
    return TS_E_MEMORY;
  size_t count = 0;
  for (size_t i = 0; i < details->region_count; i++)
    if (is_region(snapshot, &details->regions[i])) {
      TS_TRY(read_region(&regions[count], &out->served_counts[count], arena, snapshot,
                         &details->regions[i]));
      out->missing_counts[count] = details->regions[i].contacts_missing;
      count += regions[count].vertex_count > 0;
    }
  snapshot->regions = regions;
  snapshot->region_count = count;
  out->has_verdicts = true;
  return TS_OK;
}

// ---- all of it ---------------------------------------------------------------------------------

/// Whether all contacts are between bodies of the scene.
static bool fits(const ts_snapshot *built, const ts_row_details *details) {
  for (size_t i = 0; i < details->contact_count; i++) {
    const ts_contact_row *c = &details->contacts[i];
    if (!(c->body_a >= 0 && c->body_a < (double)built->body_count && c->body_b >= 0 &&
          c->body_b < (double)built->body_count))
      return false;
  }
  return true;
}

const char *ts_row_contacts_missing(const ts_record *record, double listed) {
  return listed == 0 && record->contacts_unique > 0 ? "Its contacts are not in these results: the "
                                                      "run listed those of other steps, or only "
                                                      "those at fault (--contacts)."
                                                    : NULL;
}

ts_status ts_row_snapshot_make(ts_row_snapshot *out, const char **out_why, ts_arena *arena,
                               const ts_snapshot *built, const ts_record *record,
                               const ts_row_details *details) {
  *out = (ts_row_snapshot){.snapshot = *built};
  *out_why = ts_row_contacts_missing(record, (double)details->contact_count);
  if (*out_why)
    return TS_OK;
  if (!fits(built, details))
    *out_why = "Its contacts are not of the bodies that its case has now.";
  else if (record->step > 0 && record->nodes > 0)
    *out_why = "Its bodies have deformed, and where their nodes were is not in these results: "
               "touchstone export --steps shows them.";
  else if (record->step > 0 && details->pose_count == 0)
    *out_why = "Where its bodies were is not in these results: they have no poses.csv, which "
               "touchstone run writes now.";
  if (*out_why)
    return TS_OK;
  out->snapshot.method = record->method;
  out->snapshot.step = (int64_t)record->step;
  TS_TRY(choose_contacts(out, arena, details));
  if (record->step > 0)
    TS_TRY(move_bodies(out, arena, details));
  if (details->region_count > 0 || record->step > 0)
    return read_regions(out, arena, details);
  return TS_OK;
}
