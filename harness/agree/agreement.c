// SPDX-License-Identifier: MIT
#include "harness/agree/agreement.h"

#include "base/array.h"
#include "base/status.h"
#include "cases/truth/motion_truth.h"
#include "geometry/aabb.h"
#include "geometry/twist/wrench_distance.h"
#include "harness/view/row_scene.h"
#include "reports/rows/outcome.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NO_ROW SIZE_MAX

/// The rows that are to agree: those of one case with all its parameters, one for each method.
typedef struct subject {
  const ts_record *record; ///< one of them
  size_t *rows;            ///< [methods]; NO_ROW: the method has none
} subject;

/// The contacts of a method between the two bodies that are looked at.
typedef struct entry {
  size_t method;
  const ts_pair_contacts *pair;
} entry;

typedef struct comparison {
  ts_arena *arena, *scratch; ///< for the result; of one subject
  const ts_plot_source *source;
  const ts_record *records;
  const ts_row_contacts *contacts;
  const json_t *context;
  size_t count; ///< methods
  subject *subjects;
  size_t subject_count, capacity;
  ts_agreement *out;
  ts_agreement_cell *cells; ///< [count][count]; `distance` is a sum over cases
  double *sums;             ///< [count][count] over the pairs of the subject
  size_t *pair_counts;      ///< likewise
  ts_wrench_set *sets;      ///< [count] of the pair
} comparison;

bool ts_agreement_takes(const ts_record *record) {
  return ts_record_is_ok(record) && record->step == 0;
}

// ---- the rows that are to agree ----------------------------------------------------------------

/// The subject of the row among those from `first` on, a new one if there is none. `hint` is where
/// it is likely to be: the rows of each method are in the same order.
static ts_status find_subject(size_t *out, comparison *c, size_t first, size_t hint, size_t row) {
  const ts_record *record = &c->records[row];
  size_t count = c->subject_count - first;
  for (size_t i = 0; i < count; i++) {
    *out = first + (hint + i) % count;
    if (strcmp(c->subjects[*out].record->case_parameters, record->case_parameters) == 0)
      return TS_OK;
  }
  *out = c->subject_count;
  TS_TRY(TS_ARENA_GROW(c->subjects, c->capacity, c->subject_count, 1, c->arena));
  size_t *rows = ts_arena_array(c->arena, c->count, sizeof *rows);
  if (!rows)
    return TS_E_MEMORY;
  for (size_t i = 0; i < c->count; i++)
    rows[i] = NO_ROW;
  c->subjects[c->subject_count++] = (subject){.record = record, .rows = rows};
  return TS_OK;
}

/// Rows of a method that differ in what it is scored by only have the same contacts, and the first
/// counts.
static ts_status find_subjects(comparison *c) {
  for (size_t place = 0; place < c->source->cases.count; place++) {
    size_t first = c->subject_count;
    for (size_t method = 0; method < c->count; method++) {
      ts_plot_cell cell = ts_plot_cell_of(c->source, place, method);
      for (size_t i = 0; i < cell.count; i++) {
        size_t at, row = cell.rows[i];
        if (!ts_agreement_takes(&c->records[row]))
          continue;
        TS_TRY(find_subject(&at, c, first, i, row));
        if (c->subjects[at].rows[method] == NO_ROW)
          c->subjects[at].rows[method] = row;
      }
    }
  }
  return TS_OK;
}

// ---- one pair of bodies ------------------------------------------------------------------------

/// Where the bodies are not at hand.
static ts_twist_frame frame_of_box(ts_aabb box) {
  double length_m = 0.5 * ts_vec3_distance(box.low, box.high);
  bool has_points = box.low.x <= box.high.x;
  return (ts_twist_frame){.axes = ts_quat_identity(),
                          .centre = has_points ? ts_aabb_centre(box) : (ts_vec3){0, 0, 0},
                          // Of contacts in one place no arm is left, whatever the length.
                          .length_m = has_points && length_m > 0 ? length_m : 1};
}

static ts_twist_frame find_frame(const ts_scene *scene, const entry *entries, size_t count) {
  int32_t a = entries[0].pair->body_a, b = entries[0].pair->body_b;
  ts_aabb box = ts_aabb_empty();
  for (size_t i = 0; i < count; i++)
    box = ts_contact_points_box(box, entries[i].pair->contacts, entries[i].pair->count);
  return scene && (size_t)b < scene->body_count ? ts_motion_frame_or_box(scene, a, b, box)
                                                : frame_of_box(box);
}

static void take_worse(ts_disagreement *worst, const ts_disagreement *other) {
  if (!(other->distance <= worst->distance) && !isnan(other->distance))
    *worst = *other;
}

static void compare_sets(comparison *c, const subject *s, const entry *from, size_t to,
                         int32_t body_a, int32_t body_b, size_t method) {
  size_t farthest, cell = method * c->count + to;
  double distance = ts_wrench_set_distance(&farthest, &c->sets[method], &c->sets[to]);
  c->sums[cell] += distance;
  c->pair_counts[cell]++;
  if (!from || farthest == SIZE_MAX)
    return;
  take_worse(&c->cells[cell].worst, &(ts_disagreement){.distance = distance,
                                                       .from_row = s->rows[method],
                                                       .to_row = s->rows[to],
                                                       .body_a = body_a,
                                                       .body_b = body_b,
                                                       .contact = from->pair->contacts[farthest]});
}

/// `entries` [count] are those methods that have contacts between the two bodies.
static ts_status compare_pair(comparison *c, const subject *s, const ts_scene *scene,
                              const entry *entries, size_t count) {
  ts_arena_mark mark = ts_arena_get_mark(c->scratch);
  ts_twist_frame frame = find_frame(scene, entries, count);
  const entry **of = ts_arena_array(c->scratch, c->count, sizeof *of);
  if (!of)
    return TS_E_MEMORY;
  memset(c->sets, 0, c->count * sizeof *c->sets);
  for (size_t i = 0; i < count; i++) {
    of[entries[i].method] = &entries[i];
    TS_TRY(ts_wrench_set_make(&c->sets[entries[i].method], c->scratch, &frame,
                              entries[i].pair->contacts, entries[i].pair->count));
  }
  for (size_t from = 0; from < c->count; from++)
    for (size_t to = 0; to < c->count; to++)
      if (s->rows[from] != NO_ROW && s->rows[to] != NO_ROW && (of[from] || of[to]))
        compare_sets(c, s, of[from], to, entries[0].pair->body_a, entries[0].pair->body_b, from);
  ts_arena_rewind(c->scratch, mark);
  return TS_OK;
}

// ---- one case ----------------------------------------------------------------------------------

static int compare_entries(const void *a, const void *b) {
  const entry *x = a, *y = b;
  if (x->pair->body_a != y->pair->body_a)
    return x->pair->body_a < y->pair->body_a ? -1 : 1;
  if (x->pair->body_b != y->pair->body_b)
    return x->pair->body_b < y->pair->body_b ? -1 : 1;
  return (x->method > y->method) - (x->method < y->method);
}

/// All pairs of all methods, those of the same bodies together.
static ts_status list_entries(entry **out, size_t *out_count, comparison *c, const subject *s) {
  size_t count = 0;
  for (size_t i = 0; i < c->count; i++)
    count += s->rows[i] != NO_ROW ? c->contacts[s->rows[i]].pair_count : 0;
  entry *entries = ts_arena_array(c->scratch, count, sizeof *entries);
  if (!entries)
    return TS_E_MEMORY;
  *out = entries;
  *out_count = count;
  for (size_t i = 0; i < c->count; i++)
    for (size_t k = 0; s->rows[i] != NO_ROW && k < c->contacts[s->rows[i]].pair_count; k++)
      *entries++ = (entry){.method = i, .pair = &c->contacts[s->rows[i]].pairs[k]};
  if (count > 0)
    qsort(*out, count, sizeof **out, compare_entries);
  return TS_OK;
}

static bool is_same_pair(const entry *x, const entry *y) {
  return x->pair->body_a == y->pair->body_a && x->pair->body_b == y->pair->body_b;
}

static ts_status compare_pairs(comparison *c, const subject *s, const ts_scene *scene) {
  entry *entries;
  size_t count;
  TS_TRY(list_entries(&entries, &count, c, s));
  for (size_t first = 0, end; first < count; first = end) {
    for (end = first + 1; end < count && is_same_pair(&entries[end], &entries[first]);)
      end++;
    TS_TRY(compare_pair(c, s, scene, &entries[first], end - first));
    c->out->pair_count++;
  }
  return TS_OK;
}

static ts_status find_scene(const ts_scene **out, comparison *c, const subject *s) {
  ts_snapshot snapshot;
  const char *why;
  *out = NULL;
  TS_TRY(ts_row_scene(&snapshot, out, &why, c->scratch, s->record, c->context));
  if (!why)
    return TS_OK;
  *out = NULL;
  c->out->unbuilt_count++;
  c->out->unbuilt_why = ts_arena_string(c->arena, why);
  return c->out->unbuilt_why ? TS_OK : TS_E_MEMORY;
}

/// Adds the means over the pairs of the subject. Of methods of which neither finds anything nothing
/// is said.
static void add_means(comparison *c, const subject *s) {
  for (size_t from = 0; from < c->count; from++)
    for (size_t to = 0; to < c->count; to++) {
      size_t cell = from * c->count + to;
      size_t pairs = c->pair_counts[cell];
      if (s->rows[from] == NO_ROW || s->rows[to] == NO_ROW || pairs == 0)
        continue;
      c->cells[cell].distance += c->sums[cell] / (double)pairs;
      c->cells[cell].pair_count += pairs;
      c->cells[cell].case_count++;
    }
}

static ts_status compare_subject(comparison *c, const subject *s) {
  const ts_scene *scene;
  memset(c->sums, 0, c->count * c->count * sizeof *c->sums);
  memset(c->pair_counts, 0, c->count * c->count * sizeof *c->pair_counts);
  size_t pairs_before = c->out->pair_count;
  TS_TRY(find_scene(&scene, c, s));
  TS_TRY(compare_pairs(c, s, scene));
  c->out->contact_case_count += c->out->pair_count > pairs_before;
  add_means(c, s);
  return TS_OK;
}

// ---- all of it ---------------------------------------------------------------------------------

static ts_status count_ok(comparison *c) {
  size_t *counts = ts_arena_array(c->arena, c->count, sizeof *counts);
  if (!counts)
    return TS_E_MEMORY;
  for (size_t i = 0; i < c->subject_count; i++)
    for (size_t k = 0; k < c->count; k++)
      counts[k] += c->subjects[i].rows[k] != NO_ROW;
  c->out->ok_counts = counts;
  c->out->case_count = c->subject_count;
  return TS_OK;
}

static ts_status start(comparison *c) {
  size_t count = c->count * c->count;
  c->cells = ts_arena_array(c->arena, count, sizeof *c->cells);
  c->sums = ts_arena_array(c->arena, count, sizeof *c->sums);
  c->pair_counts = ts_arena_array(c->arena, count, sizeof *c->pair_counts);
  c->sets = ts_arena_array(c->arena, c->count, sizeof *c->sets);
  if (!c->cells || !c->sums || !c->pair_counts || !c->sets)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++)
    c->cells[i].worst.distance = (double)NAN;
  *c->out = (ts_agreement){.count = c->count, .cells = c->cells, .worst.distance = (double)NAN};
  return TS_OK;
}

static void finish(comparison *c) {
  for (size_t i = 0; i < c->count * c->count; i++) {
    ts_agreement_cell *cell = &c->cells[i];
    cell->distance = cell->case_count > 0 ? cell->distance / (double)cell->case_count : (double)NAN;
    if (i / c->count != i % c->count)
      take_worse(&c->out->worst, &cell->worst);
  }
}

static ts_status compare_all(comparison *c) {
  TS_TRY(start(c));
  TS_TRY(find_subjects(c));
  TS_TRY(count_ok(c));
  ts_arena_mark mark = ts_arena_get_mark(c->scratch);
  for (size_t i = 0; i < c->subject_count; i++) {
    TS_TRY(compare_subject(c, &c->subjects[i]));
    ts_arena_rewind(c->scratch, mark);
  }
  finish(c);
  return TS_OK;
}

ts_status ts_agreement_make(ts_agreement *out, ts_arena *arena, const ts_plot_source *source,
                            const ts_record *records, const ts_row_contacts *contacts,
                            const json_t *context) {
  comparison c = {.arena = arena,
                  .source = source,
                  .records = records,
                  .contacts = contacts,
                  .context = context,
                  .count = source->methods.count,
                  .out = out};
  TS_TRY(ts_arena_create(&c.scratch));
  ts_status status = compare_all(&c);
  ts_arena_destroy(c.scratch);
  return status;
}

bool ts_agreement_has_any(const ts_agreement *agreement) {
  for (size_t i = 0; i < agreement->count * agreement->count; i++)
    if (i % agreement->count != i / agreement->count && agreement->cells[i].case_count > 0)
      return true;
  return false;
}

ts_status ts_agreement_plot(const ts_plot_agreement **out, ts_arena *arena,
                            const ts_agreement *agreement) {
  *out = NULL;
  if (!ts_agreement_has_any(agreement))
    return TS_OK;
  size_t count = agreement->count * agreement->count;
  double *distances = ts_arena_array(arena, count, sizeof *distances);
  ts_plot_agreement *plot = ts_arena_array(arena, 1, sizeof *plot);
  if (!distances || !plot)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++)
    distances[i] = agreement->cells[i].distance;
  *plot = (ts_plot_agreement){.distances = distances, .case_count = agreement->case_count};
  *out = plot;
  return TS_OK;
}
