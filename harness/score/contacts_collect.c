// SPDX-License-Identifier: MIT
#include "harness/score/contacts_collect.h"

#include "base/array.h"
#include "base/hash.h"
#include "base/status.h"
#include "harness/plan/names.h"
#include "methods/envelope.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NO_SET SIZE_MAX

struct ts_contacts_cursor {
  const ts_contacts_source *source;
  ts_contacts_found *found;
  ts_arena *arena;
  ts_contacts_reader *reader;
  ts_body_finder *bodies;
  ts_contacts_line line;   ///< of the row that was read last
  bool has_next, has_end;  ///< `next` was read and not taken yet; there is none
  bool has_others_of_case; ///< a row of the case is not selected
  ts_contacts_visit next;
};

/// Fails with a message prefixed by file and line.
static ts_status fail_line(const ts_contacts_cursor *w, size_t line, const char *message) {
  return ts_fail(TS_E_INPUT, "%s, line %zu: %s", w->source->path, line, message);
}

static ts_status read_feature(ts_feature *out, const ts_contacts_cursor *w, const char *kind,
                              double index, size_t line) {
  out->kind = ts_contacts_feature_kind(kind);
  if (out->kind == TS_FEATURE_NONE)
    return TS_OK;
  if (!(index >= 0 && index <= UINT32_MAX))
    return fail_line(w, line, "a feature needs its index; write none for no feature");
  out->index = (uint32_t)index;
  return TS_OK;
}

static ts_status read_group(uint32_t *out, const ts_contacts_cursor *w, double group, size_t line) {
  if (isnan(group))
    return TS_OK;
  if (!(group >= 0 && group <= UINT32_MAX && group == floor(group)))
    return fail_line(w, line, "group must be a whole number; 0 for a contact without alternatives");
  *out = (uint32_t)group;
  return TS_OK;
}

static ts_status make_visit(ts_contacts_visit *out, ts_contacts_cursor *w,
                            const ts_contacts_line *line) {
  const ts_contact_row *row = &line->row;
  size_t number = line->record->line;
  *out = (ts_contacts_visit){.line = line, .reader = w->reader};
  TS_TRY(ts_body_find(&out->body_a, w->bodies, "body_a", line->body_a, number));
  TS_TRY(ts_body_find(&out->body_b, w->bodies, "body_b", line->body_b, number));
  if (out->body_a == out->body_b)
    return fail_line(w, number, "body_a and body_b are the same body");
  ts_contact c = {.point = {row->point_x_m, row->point_y_m, row->point_z_m},
                  .normal = {row->normal_x, row->normal_y, row->normal_z},
                  .gap_m = row->gap_m,
                  .area_m2 = row->area_m2};
  if (c.area_m2 < 0)
    return fail_line(w, number, "area_m2 is negative; write nan where it is unknown");
  TS_TRY(read_feature(&c.feature_a, w, row->feature_a, row->feature_a_index, number));
  TS_TRY(read_feature(&c.feature_b, w, row->feature_b, row->feature_b_index, number));
  TS_TRY(read_group(&c.group, w, row->group, number));
  if (out->body_a > out->body_b) {
    int32_t later = out->body_a;
    out->body_a = out->body_b;
    out->body_b = later;
    ts_feature feature = c.feature_a;
    c.feature_a = c.feature_b;
    c.feature_b = feature;
    c.normal = (ts_vec3){-c.normal.x, -c.normal.y, -c.normal.z};
  }
  out->contact = c;
  return TS_OK;
}

static bool is_wanted(const char *wanted, const char *text) {
  return !wanted || strcmp(wanted, text) == 0;
}

bool ts_contacts_is_of_cell(const char *wanted, const char *cell) {
  return !wanted || strncmp(wanted, cell, strlen(wanted)) == 0;
}

/// Whether a row is selected.
static bool is_selected(const ts_contacts_cursor *w, const ts_contact_row *row) {
  const ts_contacts_source *s = w->source;
  return ts_contacts_is_of_cell(s->cell, row->cell) && is_wanted(s->method, row->method) &&
         (!ts_contacts_has_column(w->reader, "case") || is_wanted(s->case_name, row->case_name)) &&
         (isnan(s->step) || row->step == s->step);
}

static ts_status check_choice(const ts_contacts_cursor *w) {
  const ts_contacts_source *s = w->source;
  const char *asked[] = {s->cell, s->method, isnan(s->step) ? NULL : ""};
  static const char *const columns[] = {"cell", "method", "step"};
  for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
    if (asked[i] && !ts_contacts_has_column(w->reader, columns[i]))
      return ts_fail(TS_E_INPUT, "%s has no column %s to select rows by; name no %s", s->path,
                     columns[i], columns[i]);
  return TS_OK;
}

static ts_contacts_state state_of(const ts_contact_row *row) {
  return (ts_contacts_state){row->cell, row->case_name, row->method, row->step};
}

static bool is_same_state(const ts_contacts_state *a, const ts_contacts_state *b) {
  return (a->step == b->step || (isnan(a->step) && isnan(b->step))) &&
         strcmp(a->cell, b->cell) == 0 && strcmp(a->method, b->method) == 0 &&
         strcmp(a->case_name, b->case_name) == 0;
}

ts_status ts_contacts_note_state(ts_contacts_states *states, ts_arena *arena,
                                 const ts_contacts_state *state) {
  for (size_t i = states->count; i-- > 0;)
    if (is_same_state(&states->items[i], state))
      return TS_OK;
  if (states->count == TS_CONTACTS_STATES_MAX)
    return TS_OK;
  if (!states->items)
    states->items = ts_arena_array(arena, TS_CONTACTS_STATES_MAX, sizeof *states->items);
  if (!states->items)
    return TS_E_MEMORY;
  const ts_contacts_state copy = {ts_arena_string(arena, state->cell),
                                  ts_arena_string(arena, state->case_name),
                                  ts_arena_string(arena, state->method), state->step};
  if (!copy.cell || !copy.case_name || !copy.method)
    return TS_E_MEMORY;
  states->items[states->count++] = copy;
  return TS_OK;
}

static ts_status open_cursor(ts_contacts_cursor *c) {
  const ts_contacts_source *source = c->source;
  TS_TRY(ts_body_finder_create(&c->bodies, c->arena, source->scene, source->words, source->path));
  TS_TRY(ts_contacts_reader_create(&c->reader, c->arena, source->path));
  c->found->has_cells = ts_contacts_has_column(c->reader, "cell");
  c->found->has_gaps = ts_contacts_has_column(c->reader, "gap_m");
  return check_choice(c);
}

ts_status ts_contacts_open(ts_contacts_cursor **out, ts_contacts_found *found, ts_arena *arena,
                           const ts_contacts_source *source) {
  ts_contacts_cursor *c = ts_arena_alloc(arena, sizeof *c);
  if (!c)
    return TS_E_MEMORY;
  *c = (ts_contacts_cursor){.source = source, .found = found, .arena = arena};
  *out = c;
  ts_status status = open_cursor(c);
  if (status != TS_OK)
    ts_contacts_close(c);
  return status;
}

void ts_contacts_close(ts_contacts_cursor *cursor) {
  ts_contacts_reader_destroy(cursor->reader);
  cursor->reader = NULL;
}

/// Notes the state of a row that is not selected. Those of the case that is asked for replace those
/// of other cases.
static ts_status note_other(ts_contacts_cursor *c, const ts_contact_row *row) {
  const ts_contacts_state other = state_of(row);
  bool is_of_case = is_wanted(c->source->case_name, row->case_name);
  if (is_of_case && !c->has_others_of_case)
    c->found->others.count = 0;
  c->has_others_of_case |= is_of_case;
  return is_of_case || !c->has_others_of_case
             ? ts_contacts_note_state(&c->found->others, c->arena, &other)
             : TS_OK;
}

ts_status ts_contacts_next(bool *out_found, ts_contacts_visit *out, ts_contacts_cursor *cursor) {
  for (;;) {
    ts_contacts_line line;
    TS_TRY(ts_contacts_read(out_found, &line, cursor->reader));
    if (!*out_found)
      return TS_OK;
    if (is_selected(cursor, &line.row)) {
      cursor->found->row_count++;
      cursor->line = line;
      return make_visit(out, cursor, &cursor->line);
    }
    TS_TRY(note_other(cursor, &line.row));
  }
}

ts_status ts_contacts_walk(ts_contacts_found *found, ts_arena *arena,
                           const ts_contacts_source *source,
                           ts_status (*visit)(void *context, const ts_contacts_visit *row),
                           void *context) {
  ts_contacts_cursor *cursor;
  ts_contacts_visit row;
  TS_TRY(ts_contacts_open(&cursor, found, arena, source));
  bool is_there = true;
  ts_status status = TS_OK;
  while (status == TS_OK && is_there) {
    status = ts_contacts_next(&is_there, &row, cursor);
    if (status == TS_OK && is_there)
      status = visit(context, &row);
  }
  ts_contacts_close(cursor);
  return status;
}

/// Sets under construction, found by their pair with an open-addressing hash table.
typedef struct collection {
  ts_contacts_found *found;
  ts_arena *arena;
  const char *path;
  ts_contact_set *sets; ///< [count], in the order of their first rows
  size_t count, capacity;
  size_t *slots; ///< [slot_count], a power of two; index into `sets` or NO_SET
  size_t slot_count;
} collection;

static size_t slot_of(const collection *c, int32_t body_a, int32_t body_b) {
  uint64_t key = (uint64_t)(uint32_t)body_a << 32 | (uint32_t)body_b;
  key = (key ^ key >> 31) * UINT64_C(0x9e3779b97f4a7c15);
  size_t slot = (size_t)(key >> 20) & (c->slot_count - 1);
  while (c->slots[slot] != NO_SET &&
         (c->sets[c->slots[slot]].body_a != body_a || c->sets[c->slots[slot]].body_b != body_b))
    slot = (slot + 1) & (c->slot_count - 1);
  return slot;
}

/// Reserves space for one more set and keeps the table at most half full.
static ts_status grow(collection *c) {
  TS_TRY(TS_HEAP_GROW(c->sets, c->capacity, c->count, 1));
  if (2 * (c->count + 1) <= c->slot_count)
    return TS_OK;
  size_t slot_count = c->slot_count ? 2 * c->slot_count : 128;
  size_t *slots = malloc(slot_count * sizeof *slots);
  if (!slots)
    return ts_fail(TS_E_MEMORY, "out of memory: %zu pairs of bodies", slot_count / 2);
  free(c->slots);
  c->slots = slots;
  c->slot_count = slot_count;
  for (size_t i = 0; i < c->slot_count; i++)
    slots[i] = NO_SET;
  for (size_t i = 0; i < c->count; i++)
    slots[slot_of(c, c->sets[i].body_a, c->sets[i].body_b)] = i;
  return TS_OK;
}

/// Drops the contacts: they are of more than one state, which can only be reported as an error.
static void drop_sets(collection *c) {
  for (size_t i = 0; i < c->count; i++)
    ts_contact_set_clear(&c->sets[i]);
  free(c->sets);
  free(c->slots);
  c->sets = NULL;
  c->slots = NULL;
  c->count = c->capacity = c->slot_count = 0;
}

/// Reads the envelope of a row, which must be the same in all rows.
static ts_status note_envelope(collection *c, const ts_contacts_line *line) {
  ts_contacts_found *found = c->found;
  size_t number = line->record->line;
  int kind = line->envelope[0] == '\0' ? TS_ENVELOPE_NONE
                                       : ts_envelope_find(line->envelope, strlen(line->envelope));
  char words[80];
  if (kind < 0)
    return ts_fail(TS_E_INPUT, "%s, line %zu: envelope is \"%.40s\"; write %s", c->path, number,
                   line->envelope,
                   ts_names_choice(words, sizeof words, ts_envelope_words, TS_ENVELOPE_KIND_COUNT));
  double size_m = kind == TS_ENVELOPE_NONE ? 0 : line->envelope_m;
  if (!(size_m >= 0 && isfinite(size_m)))
    return ts_fail(TS_E_INPUT,
                   "%s, line %zu: envelope is %s, so envelope_m must give its size in metres",
                   c->path, number, line->envelope);
  if (!found->has_envelope)
    found->envelope = (ts_envelope){.kind = kind, .size_m = size_m};
  else if (found->envelope.kind != kind || found->envelope.size_m != size_m)
    return ts_fail(TS_E_INPUT,
                   "%s, line %zu: the envelope differs from that of earlier rows; score one "
                   "envelope at a time",
                   c->path, number);
  found->has_envelope = true;
  return TS_OK;
}

bool ts_contacts_takes(uint32_t *out, const char *words) {
  static const char *const kinds[] = TS_GEOMETRY_WORDS;
  *out = 0;
  while (*words) {
    size_t length = strcspn(words, "+"), kind = TS_GEOMETRY_SPHERE;
    while (kind < TS_GEOMETRY_KIND_COUNT &&
           (strlen(kinds[kind]) != length || strncmp(kinds[kind], words, length) != 0))
      kind++;
    if (kind == TS_GEOMETRY_KIND_COUNT)
      return false;
    *out |= TS_TAKES(kind);
    words += length + (words[length] == '+');
  }
  return true;
}

/// Reads the shapes of a row that its method worked on, which must be the same in all rows.
static ts_status note_shapes(collection *c, const ts_contacts_line *line) {
  ts_contacts_found *found = c->found;
  uint32_t takes;
  if (!ts_contacts_takes(&takes, line->shapes_native))
    return ts_fail(TS_E_INPUT,
                   "%s, line %zu: shapes_native is \"%.60s\"; write kinds of shapes joined by +, "
                   "such as sphere+box, or nothing when all contacts are of triangles",
                   c->path, line->record->line, line->shapes_native);
  if (found->has_takes && found->takes != takes)
    return ts_fail(
        TS_E_INPUT,
        "%s, line %zu: shapes_native differs from that of earlier rows; score one method "
        "at a time",
        c->path, line->record->line);
  found->takes = takes;
  found->has_takes = true;
  return TS_OK;
}

static ts_status add_contact(collection *c, const ts_contacts_visit *row) {
  if (ts_contacts_has_column(row->reader, "envelope"))
    TS_TRY(note_envelope(c, row->line));
  if (ts_contacts_has_column(row->reader, "shapes_native"))
    TS_TRY(note_shapes(c, row->line));
  TS_TRY(grow(c));
  size_t slot = slot_of(c, row->body_a, row->body_b);
  if (c->slots[slot] == NO_SET) {
    c->slots[slot] = c->count;
    c->sets[c->count++] = (ts_contact_set){.body_a = row->body_a, .body_b = row->body_b};
  }
  return ts_contact_set_push(&c->sets[c->slots[slot]], &row->contact, 1);
}

static ts_status take_row(void *context, const ts_contacts_visit *row) {
  collection *c = context;
  const ts_contacts_state state = state_of(&row->line->row);
  TS_TRY(ts_contacts_note_state(&c->found->states, c->arena, &state));
  if (c->found->states.count > 1) {
    drop_sets(c);
    return TS_OK;
  }
  return add_contact(c, row);
}

static int compare_sets(const void *a, const void *b) {
  const ts_contact_set *x = a, *y = b;
  if (x->body_a != y->body_a)
    return x->body_a < y->body_a ? -1 : 1;
  return (x->body_b > y->body_b) - (x->body_b < y->body_b);
}

/// Moves the contacts of a set to the arena.
static ts_status keep_contacts(ts_contact_set *out, ts_arena *arena, const ts_contact_set *set) {
  *out = *set;
  out->capacity = set->count;
  out->contacts = ts_arena_array(arena, set->count, sizeof *out->contacts);
  if (!out->contacts)
    return TS_E_MEMORY;
  memcpy(out->contacts, set->contacts, set->count * sizeof *out->contacts);
  return TS_OK;
}

static void set_gaps(ts_contact_set *set, double gap_m) {
  for (size_t i = 0; i < set->count; i++)
    set->contacts[i].gap_m = gap_m;
}

/// Sorts the set and drops its duplicates. In a file without gaps they are set to the same value
/// meanwhile, because NaN gaps would make every contact unique.
static ts_status make_canonical(ts_contact_set *set, const ts_scene *scene, ts_scoring_rule rule,
                                bool has_gaps) {
  if (!has_gaps)
    set_gaps(set, 0);
  ts_status status = TS_OK;
  if (rule == TS_RULE_PUBLISHED)
    ts_contact_set_canonicalise_prox(set);
  else
    status = ts_contact_set_canonicalise(
        set, ts_pair_size_m(&scene->shapes[scene->bodies[set->body_a].shape],
                            &scene->shapes[scene->bodies[set->body_b].shape]));
  if (!has_gaps)
    set_gaps(set, (double)NAN);
  return status;
}

/// Moves the sets to the arena, canonical and sorted.
static ts_status finish(ts_contacts_found *found, collection *c, const ts_scene *scene,
                        ts_scoring_rule rule, bool keeps_rows) {
  found->set_count = c->count;
  found->sets = ts_arena_array(c->arena, c->count, sizeof *found->sets);
  found->rows = keeps_rows ? ts_arena_array(c->arena, c->count, sizeof *found->rows) : NULL;
  if (!found->sets || (keeps_rows && !found->rows))
    return TS_E_MEMORY;
  if (c->count > 0)
    qsort(c->sets, c->count, sizeof *c->sets, compare_sets);
  for (size_t i = 0; i < c->count; i++) {
    if (keeps_rows)
      TS_TRY(keep_contacts(&found->rows[i], c->arena, &c->sets[i]));
    TS_TRY(make_canonical(&c->sets[i], scene, rule, found->has_gaps));
    TS_TRY(keep_contacts(&found->sets[i], c->arena, &c->sets[i]));
    ts_contact_set_clear(&c->sets[i]);
  }
  return TS_OK;
}

ts_status ts_contacts_collect(ts_contacts_found *out, ts_arena *arena,
                              const ts_contacts_source *source, ts_scoring_rule rule,
                              bool keeps_rows) {
  *out = (ts_contacts_found){.set_count = 0};
  collection c = {.found = out, .arena = arena, .path = source->path};
  ts_status status = ts_contacts_walk(out, arena, source, take_row, &c);
  if (status == TS_OK)
    status = finish(out, &c, source->scene, rule, keeps_rows);
  drop_sets(&c);
  return status;
}

size_t ts_contacts_find_set(const ts_contacts_found *found, int32_t body_a, int32_t body_b) {
  const ts_contact_set wanted = {.body_a = body_a, .body_b = body_b};
  const ts_contact_set *set = found->set_count > 0 ? bsearch(&wanted, found->sets, found->set_count,
                                                             sizeof wanted, compare_sets)
                                                   : NULL;
  return set ? (size_t)(set - found->sets) : NO_SET;
}

// ---- one step of many -------------------------------------------------------------------------

ts_status ts_contacts_peek(const ts_contacts_visit **out, ts_contacts_cursor *cursor) {
  if (!cursor->has_next && !cursor->has_end) {
    TS_TRY(ts_contacts_next(&cursor->has_next, &cursor->next, cursor));
    cursor->has_end = !cursor->has_next;
  }
  *out = cursor->has_next ? &cursor->next : NULL;
  return TS_OK;
}

ts_status ts_contacts_note_sequence(ts_contacts_found *found, ts_arena *arena,
                                    const ts_contact_row *row) {
  ts_contacts_state state = state_of(row);
  state.step = (double)NAN;
  return ts_contacts_note_state(&found->states, arena, &state);
}

/// What a row says of its contact besides.
typedef struct row_facts {
  ts_vec3 point;
  int32_t body_a, body_b;
  double impulse_kg_m_s;
  uint64_t id;
  bool is_kept; ///< its contact is no duplicate
} row_facts;

typedef struct row_list {
  row_facts *rows; ///< [count]
  size_t count, capacity;
} row_list;

static uint64_t id_of(const char *word) {
  uint64_t hash = word[0] == '\0' ? 0 : ts_hash_bytes(TS_HASH_START, word, strlen(word));
  return hash == 0 && word[0] != '\0' ? 1 : hash;
}

/// Takes the next row, if it is of that step. Its contact has the number of its facts, from 1, in
/// `reserved`, which stays with it while duplicates are dropped.
static ts_status take_next(bool *out_taken, collection *c, row_list *list,
                           ts_contacts_cursor *cursor, double step) {
  const ts_contacts_visit *next;
  TS_TRY(ts_contacts_peek(&next, cursor));
  *out_taken = next && next->line->row.step == step;
  if (!*out_taken)
    return TS_OK;
  TS_TRY(ts_contacts_note_sequence(cursor->found, cursor->arena, &next->line->row));
  if (cursor->found->states.count > 1)
    return fail_line(cursor, next->line->record->line,
                     "contacts of another cell, case or method than before; select one with "
                     "--method or --cell");
  TS_TRY(TS_HEAP_GROW(list->rows, list->capacity, list->count, 1));
  list->rows[list->count++] = (row_facts){.point = next->contact.point,
                                          .body_a = next->body_a,
                                          .body_b = next->body_b,
                                          .impulse_kg_m_s = next->line->impulse_kg_m_s,
                                          .id = id_of(next->line->id)};
  if (list->count > UINT32_MAX)
    return ts_fail(TS_E_INPUT, "%s: too many contacts in step %g", c->path, step);
  cursor->next.contact.reserved = (uint32_t)list->count;
  cursor->has_next = false;
  return add_contact(c, &cursor->next);
}

static int compare_ids(const void *left, const void *right) {
  uint64_t l = *(const uint64_t *)left, r = *(const uint64_t *)right;
  return (l > r) - (l < r);
}

/// Drops the ids that several contacts of a set have: they name none of them.
static ts_status drop_shared(uint64_t *ids, size_t count, ts_arena *arena) {
  uint64_t *sorted = ts_arena_copy(arena, ids, count, sizeof *sorted);
  if (!sorted)
    return TS_E_MEMORY;
  if (count > 1)
    qsort(sorted, count, sizeof *sorted, compare_ids);
  for (size_t i = 0; i < count; i++) {
    uint64_t *found = bsearch(&ids[i], sorted, count, sizeof *sorted, compare_ids);
    bool is_shared = (found > sorted && found[-1] == ids[i]) ||
                     (found + 1 < sorted + count && found[1] == ids[i]);
    ids[i] = is_shared ? 0 : ids[i];
  }
  return TS_OK;
}

/// Gives each contact the facts of its row. The impulses of duplicates go to the nearest contact
/// that is left.
static ts_status spread_facts(ts_contacts_step *out, ts_arena *arena, const row_list *list) {
  size_t total = 0, first = 0;
  for (size_t i = 0; i < out->set_count; i++)
    total += out->sets[i].count;
  out->impulses = ts_arena_array(arena, total, sizeof *out->impulses);
  out->ids = ts_arena_array(arena, total, sizeof *out->ids);
  if (!out->impulses || !out->ids)
    return TS_E_MEMORY;
  for (size_t i = 0; i < out->set_count; first += out->sets[i++].count)
    for (size_t k = 0; k < out->sets[i].count; k++) {
      ts_contact *contact = &out->sets[i].contacts[k];
      row_facts *row = &list->rows[contact->reserved - 1];
      out->impulses[first + k] = row->impulse_kg_m_s;
      out->ids[first + k] = row->id;
      row->is_kept = true;
      contact->reserved = 0;
    }
  first = 0;
  for (size_t i = 0; i < out->set_count; first += out->sets[i++].count)
    TS_TRY(drop_shared(out->ids + first, out->sets[i].count, arena));
  for (size_t r = 0; r < list->count; r++) {
    const row_facts *row = &list->rows[r];
    size_t of_set = 0, set = 0;
    if (row->is_kept)
      continue;
    while (out->sets[set].body_a != row->body_a || out->sets[set].body_b != row->body_b)
      of_set += out->sets[set++].count;
    size_t nearest = 0;
    for (size_t k = 1; k < out->sets[set].count; k++)
      if (ts_vec3_distance(out->sets[set].contacts[k].point, row->point) <
          ts_vec3_distance(out->sets[set].contacts[nearest].point, row->point))
        nearest = k;
    out->impulses[of_set + nearest] += row->impulse_kg_m_s;
  }
  return TS_OK;
}

static ts_status collect_step(ts_contacts_step *out, collection *c, row_list *list,
                              ts_contacts_cursor *cursor, double step, ts_scoring_rule rule) {
  bool is_taken;
  do
    TS_TRY(take_next(&is_taken, c, list, cursor, step));
  while (is_taken);
  ts_contacts_found found = *c->found;
  TS_TRY(finish(&found, c, cursor->source->scene, rule, false));
  out->sets = found.sets;
  out->set_count = found.set_count;
  TS_TRY(spread_facts(out, c->arena, list));
  if (!ts_contacts_has_column(cursor->reader, "id"))
    out->ids = NULL;
  return TS_OK;
}

ts_status ts_contacts_take_step(ts_contacts_step *out, ts_arena *arena, ts_contacts_cursor *cursor,
                                double step, ts_scoring_rule rule) {
  *out = (ts_contacts_step){.set_count = 0};
  collection c = {.found = cursor->found, .arena = arena, .path = cursor->source->path};
  row_list list = {.count = 0};
  ts_status status = collect_step(out, &c, &list, cursor, step, rule);
  drop_sets(&c);
  free(list.rows);
  return status;
}
