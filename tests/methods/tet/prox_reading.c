// SPDX-License-Identifier: MIT
/// Reads the reference. Apart from prox_reference.c, so that programs without Criterion can, too.
#include "tests/methods/tet/prox_reference.h"

#include "base/number.h"
#include "base/status.h"
#include "geometry/aabb.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

enum { FIELDS_MAX = 40, LINE_MAX_BYTES = 2048, PAIR_COUNT = 1923 };

static const char *const method_names[PROX_METHOD_COUNT] = {
    [PROX_CLOSEST_POINTS] = "closest", [PROX_INTERSECTION] = "intersection",
    [PROX_VERTEX_ONLY] = "vertex",     [PROX_CONSISTENT_VERTEX] = "consistent",
    [PROX_VOLUME_SAT] = "sat",         [PROX_SURFACE_SAT] = "restricted",
    [PROX_OPPOSING] = "opposing",      [PROX_GROWTH] = "growth",
};

/// A gzipped CSV file without quotes, read line by line.
typedef struct table {
  gzFile file;
  const char *name;
  size_t field_count;
  size_t line;
  char text[LINE_MAX_BYTES];
  char *fields[FIELDS_MAX];
} table;

static ts_status table_next(bool *out_found, table *t) {
  *out_found = gzgets(t->file, t->text, LINE_MAX_BYTES) != NULL;
  if (!*out_found)
    return TS_OK;
  t->line++;
  t->text[strcspn(t->text, "\r\n")] = '\0';
  size_t count = 0;
  for (char *rest = t->text; rest && count < FIELDS_MAX; count++)
    t->fields[count] = strsep(&rest, ",");
  if (count == t->field_count)
    return TS_OK;
  return ts_fail(TS_E_INPUT, "%s, line %zu: %zu fields, not %zu; take the file of the repository",
                 t->name, t->line, count, t->field_count);
}

static ts_status check_header(table *t, const char *first_fields) {
  bool found;
  TS_TRY(table_next(&found, t));
  char start[256] = "";
  if (found)
    snprintf(start, sizeof start, "%s,%s,%s", t->fields[0], t->fields[1], t->fields[2]);
  if (strcmp(start, first_fields) == 0)
    return TS_OK;
  return ts_fail(TS_E_INPUT,
                 "%s begins with \"%.64s\", not \"%s\"; take the file of the repository", t->name,
                 start, first_fields);
}

static ts_status number(double *out, const table *t, size_t field) {
  if (ts_number_parse(out, t->fields[field]) == TS_OK)
    return TS_OK;
  return ts_fail(TS_E_INPUT, "%s, line %zu: \"%.64s\" is not a number", t->name, t->line,
                 t->fields[field]);
}

static ts_status vector(ts_vec3 *out, const table *t, size_t field) {
  TS_TRY(number(&out->x, t, field));
  TS_TRY(number(&out->y, t, field + 1));
  return number(&out->z, t, field + 2);
}

static ts_status id_of_line(int *out, const table *t) {
  double id;
  TS_TRY(number(&id, t, 0));
  if (!(id >= 0 && id < 1e9))
    return ts_fail(TS_E_INPUT, "%s, line %zu: %g is not the number of a pair", t->name, t->line,
                   id);
  *out = (int)id;
  return TS_OK;
}

/// Takes one line into the reference; `at` is the pair of the line before.
typedef ts_status (*line_taker)(prox_reference *r, size_t *at, const table *t);

static ts_status take_lines(prox_reference *r, table *t, const char *first_fields,
                            line_taker take) {
  TS_TRY(check_header(t, first_fields));
  size_t at = 0;
  for (;;) {
    bool found;
    TS_TRY(table_next(&found, t));
    if (!found)
      return TS_OK;
    TS_TRY(take(r, &at, t));
  }
}

static ts_status read_table(prox_reference *r, const char *folder, const char *name,
                            size_t field_count, const char *first_fields, line_taker take) {
  const char *path = ts_arena_format(r->arena, "%s/%s", folder, name);
  if (!path)
    return TS_E_MEMORY;
  table t = {.file = gzopen(path, "rb"), .name = name, .field_count = field_count};
  if (!t.file)
    return ts_fail(TS_E_INPUT, "cannot open %s; it comes with the repository", path);
  ts_status status = take_lines(r, &t, first_fields, take);
  int error = Z_OK;
  gzerror(t.file, &error);
  if (gzclose(t.file) != Z_OK || error < 0)
    return ts_fail(TS_E_INPUT, "%s is damaged; take the file of the repository", path);
  return status;
}

static double extent(const ts_vec3 corners[4]) {
  ts_aabb box = ts_aabb_empty();
  for (int i = 0; i < 4; i++)
    box = ts_aabb_add(box, corners[i]);
  return ts_aabb_extent(box);
}

/// Makes room for one element more in an array of the arena; the old copy is left behind. NULL when
/// out of memory.
static void *grown(ts_arena *arena, void *array, size_t count, size_t size) {
  if (count & (count - 1))
    return array;
  void *bigger = ts_arena_array(arena, count ? 2 * count : 1, size);
  if (bigger && count)
    memcpy(bigger, array, count * size);
  return bigger;
}

static ts_status fill_pair(prox_pair *p, const table *t) {
  TS_TRY(id_of_line(&p->id, t));
  TS_TRY(number(&p->offset_m, t, 2));
  snprintf(p->family, sizeof p->family, "%s", t->fields[1]);
  for (size_t side = 0; side < 2; side++)
    for (size_t i = 0; i < 4; i++) {
      double is_surface;
      TS_TRY(number(&is_surface, t, 3 + 4 * side + i));
      p->pair.surface[side] |= (uint8_t)((is_surface > 0 ? 1u : 0u) << i);
      TS_TRY(vector(&p->pair.corners[side][i], t, 11 + 12 * side + 3 * i));
    }
  ts_tet_pair_set_normals(&p->pair);
  p->size_m = fmin(extent(p->pair.corners[0]), extent(p->pair.corners[1]));
  return TS_OK;
}

static ts_status take_pair(prox_reference *r, size_t *at, const table *t) {
  (void)at;
  prox_pair *pairs = grown(r->arena, r->pairs, r->count, sizeof *pairs);
  if (!pairs)
    return TS_E_MEMORY;
  r->pairs = pairs;
  pairs[r->count] = (prox_pair){.id = 0};
  TS_TRY(fill_pair(&pairs[r->count], t));
  if (r->count > 0 && pairs[r->count - 1].id >= pairs[r->count].id)
    return ts_fail(TS_E_INPUT, "%s, line %zu: the numbers of the pairs do not ascend", t->name,
                   t->line);
  r->count++;
  return TS_OK;
}

/// The pair of the current line; lines are in the order of the pairs.
static ts_status pair_of_line(prox_pair **out, const prox_reference *r, size_t *at,
                              const table *t) {
  int id;
  TS_TRY(id_of_line(&id, t));
  while (*at < r->count && r->pairs[*at].id < id)
    ++*at;
  if (*at >= r->count || r->pairs[*at].id != id)
    return ts_fail(TS_E_INPUT, "%s, line %zu: there is no pair %d", t->name, t->line, id);
  *out = &r->pairs[*at];
  return TS_OK;
}

static ts_status take_query(prox_reference *r, size_t *at, const table *t) {
  prox_pair *p;
  TS_TRY(pair_of_line(&p, r, at, t));
  double overlaps;
  TS_TRY(number(&overlaps, t, 1));
  p->overlaps = overlaps > 0;
  return number(&p->distance_m, t, 8);
}

/// PROX_METHOD_COUNT when there is none of that name.
static prox_method method_named(const char *name) {
  int i = 0;
  while (i < PROX_METHOD_COUNT && strcmp(method_names[i], name) != 0)
    i++;
  return (prox_method)i;
}

static ts_status add_contact(ts_contact **contacts, size_t *count, ts_arena *arena,
                             const table *t) {
  ts_contact *bigger = grown(arena, *contacts, *count, sizeof *bigger);
  if (!bigger)
    return TS_E_MEMORY;
  *contacts = bigger;
  ts_contact *c = &bigger[(*count)++];
  *c = (ts_contact){.area_m2 = (double)NAN};
  TS_TRY(vector(&c->point, t, 3));
  TS_TRY(vector(&c->normal, t, 6));
  return number(&c->gap_m, t, 9);
}

/// The pair and the method of a line of contacts.
static ts_status find_place(prox_pair **out, prox_method *out_method, const prox_reference *r,
                            size_t *at, const table *t) {
  TS_TRY(pair_of_line(out, r, at, t));
  *out_method = method_named(t->fields[1]);
  if (*out_method != PROX_METHOD_COUNT)
    return TS_OK;
  return ts_fail(TS_E_INPUT, "%s, line %zu: contacts of an unknown method, \"%.64s\"", t->name,
                 t->line, t->fields[1]);
}

static ts_status take_contact(prox_reference *r, size_t *at, const table *t) {
  prox_pair *p;
  prox_method m;
  TS_TRY(find_place(&p, &m, r, at, t));
  return add_contact(&p->contacts[m], &p->contact_count[m], r->arena, t);
}

static ts_status take_single_contact(prox_reference *r, size_t *at, const table *t) {
  prox_pair *p;
  prox_method m;
  TS_TRY(find_place(&p, &m, r, at, t));
  return add_contact(&p->single_contacts[m], &p->single_count[m], r->arena, t);
}

static ts_status read_tables(prox_reference *r, const char *folder) {
  TS_TRY(read_table(r, folder, "tet_pairs.csv.gz", 35, "case,family,offset", take_pair));
  TS_TRY(read_table(r, folder, "tet_pair_queries.csv.gz", 17, "case,overlap,ax", take_query));
  TS_TRY(read_table(r, folder, "tet_pair_contacts.csv.gz", 10, "case,method,k", take_contact));
  TS_TRY(read_table(r, folder, "tet_pair_contacts_single.csv.gz", 10, "case,method,k",
                    take_single_contact));
  if (r->count == PAIR_COUNT)
    return TS_OK;
  return ts_fail(TS_E_INPUT, "%s has %zu pairs, not %d; take the files of the repository", folder,
                 r->count, PAIR_COUNT);
}

ts_status prox_reference_read(prox_reference *out, const char *folder) {
  *out = (prox_reference){.count = 0};
  TS_TRY(ts_arena_create(&out->arena));
  ts_status status = read_tables(out, folder);
  if (status != TS_OK)
    prox_reference_close(out);
  return status;
}

void prox_reference_close(prox_reference *reference) {
  ts_arena_destroy(reference->arena);
}
