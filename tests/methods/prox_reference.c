#include "prox_reference.h"

#include "base/status.h"
#include "geometry/aabb.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { FIELDS_MAX = 40, LINE_MAX_BYTES = 2048 };

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

static bool table_next(table *t) {
  if (!gzgets(t->file, t->text, LINE_MAX_BYTES))
    return false;
  t->line++;
  t->text[strcspn(t->text, "\r\n")] = '\0';
  size_t count = 0;
  for (char *rest = t->text; rest && count < FIELDS_MAX; count++)
    t->fields[count] = strsep(&rest, ",");
  if (t->line == 1)
    t->field_count = count;
  cr_assert_eq(count, t->field_count, "%s, line %zu: %zu fields, the header has %zu", t->name,
               t->line, count, t->field_count);
  return true;
}

static void table_open(table *t, const char *name, size_t field_count, const char *first_fields) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s", TS_REFERENCE_FOLDER, name);
  *t = (table){.file = gzopen(path, "rb"), .name = name};
  cr_assert_not_null(t->file, "%s cannot be opened", path);
  cr_assert(table_next(t), "%s is empty", path);
  char start[256];
  snprintf(start, sizeof start, "%s,%s,%s", t->fields[0], t->fields[1], t->fields[2]);
  cr_assert_str_eq(start, first_fields);
  cr_assert_eq(t->field_count, field_count);
}

static void table_close(table *t) {
  cr_assert_eq(gzclose(t->file), Z_OK, "%s is damaged", t->name);
}

static double number(const table *t, size_t field) {
  char *end;
  double value = strtod(t->fields[field], &end);
  cr_assert(end != t->fields[field] && *end == '\0', "%s, line %zu: \"%s\" is no number", t->name,
            t->line, t->fields[field]);
  return value;
}

static ts_vec3 vector(const table *t, size_t field) {
  double x = number(t, field), y = number(t, field + 1), z = number(t, field + 2);
  return (ts_vec3){x, y, z};
}

static double extent(const ts_vec3 corners[4]) {
  ts_aabb box = ts_aabb_empty();
  for (int i = 0; i < 4; i++)
    box = ts_aabb_add(box, corners[i]);
  return ts_aabb_extent(box);
}

static prox_pair read_pair(const table *t) {
  prox_pair p = {.id = (int)number(t, 0), .offset_m = number(t, 2)};
  snprintf(p.family, sizeof p.family, "%s", t->fields[1]);
  for (size_t side = 0; side < 2; side++)
    for (size_t i = 0; i < 4; i++) {
      p.pair.surface[side] |= (uint8_t)((number(t, 3 + 4 * side + i) > 0 ? 1u : 0u) << i);
      p.pair.corners[side][i] = vector(t, 11 + 12 * side + 3 * i);
    }
  ts_tet_pair_set_normals(&p.pair);
  p.size_m = fmin(extent(p.pair.corners[0]), extent(p.pair.corners[1]));
  return p;
}

/// Makes room for one element more in an array of the arena; the old copy is left behind.
static void *grown(ts_arena *arena, void *array, size_t count, size_t size) {
  if (count & (count - 1))
    return array;
  void *bigger = ts_arena_array(arena, count ? 2 * count : 1, size);
  cr_assert_not_null(bigger);
  if (count)
    memcpy(bigger, array, count * size);
  return bigger;
}

static void read_pairs(prox_reference *r) {
  table t;
  table_open(&t, "tet_pairs.csv.gz", 35, "case,family,offset");
  while (table_next(&t)) {
    r->pairs = grown(r->arena, r->pairs, r->count, sizeof *r->pairs);
    r->pairs[r->count] = read_pair(&t);
    cr_assert(r->count == 0 || r->pairs[r->count - 1].id < r->pairs[r->count].id);
    r->count++;
  }
  table_close(&t);
}

/// The pair of the line at hand; lines come in the order of the pairs.
static prox_pair *pair_of_line(const prox_reference *r, size_t *at, const table *t) {
  int id = (int)number(t, 0);
  while (*at < r->count && r->pairs[*at].id < id)
    ++*at;
  cr_assert(*at < r->count && r->pairs[*at].id == id, "%s, line %zu: no pair %d", t->name, t->line,
            id);
  return &r->pairs[*at];
}

static void read_queries(prox_reference *r) {
  table t;
  table_open(&t, "tet_pair_queries.csv.gz", 17, "case,overlap,ax");
  size_t at = 0;
  while (table_next(&t)) {
    prox_pair *p = pair_of_line(r, &at, &t);
    p->overlaps = number(&t, 1) > 0;
    p->distance_m = number(&t, 8);
  }
  table_close(&t);
}

static prox_method method_named(const char *name) {
  for (int i = 0; i < PROX_METHOD_COUNT; i++)
    if (strcmp(method_names[i], name) == 0)
      return (prox_method)i;
  cr_assert_fail("the reference has contacts of an unknown method, %s", name);
  return PROX_METHOD_COUNT;
}

static void read_contacts(prox_reference *r) {
  table t;
  table_open(&t, "tet_pair_contacts.csv.gz", 10, "case,method,k");
  size_t at = 0;
  while (table_next(&t)) {
    prox_pair *p = pair_of_line(r, &at, &t);
    prox_method m = method_named(t.fields[1]);
    size_t count = p->contact_count[m];
    ts_contact *contacts = grown(r->arena, p->contacts[m], count, sizeof *contacts);
    contacts[count] = (ts_contact){
        .point = vector(&t, 3), .normal = vector(&t, 6), .gap_m = number(&t, 9), .area_m2 = NAN};
    p->contacts[m] = contacts;
    p->contact_count[m] = count + 1;
  }
  table_close(&t);
}

void prox_reference_open(prox_reference *out) {
  *out = (prox_reference){.count = 0};
  cr_assert_eq(ts_arena_create(&out->arena), TS_OK, "%s", ts_status_detail());
  read_pairs(out);
  read_queries(out);
  read_contacts(out);
  cr_assert_eq(out->count, 1923);
}

void prox_reference_close(prox_reference *reference) {
  ts_arena_destroy(reference->arena);
}

static bool near(ts_vec3 a, ts_vec3 b, double tolerance) {
  return fabs(a.x - b.x) <= tolerance && fabs(a.y - b.y) <= tolerance &&
         fabs(a.z - b.z) <= tolerance;
}

static bool holds(const ts_contact *set, size_t count, const ts_contact *c, double tolerance) {
  for (size_t i = 0; i < count; i++)
    if (near(set[i].point, c->point, tolerance) && near(set[i].normal, c->normal, tolerance) &&
        fabs(set[i].gap_m - c->gap_m) <= tolerance)
      return true;
  return false;
}

static bool all_held(const ts_contact *set, size_t count, const ts_contact *some, size_t some_count,
                     double tolerance) {
  for (size_t i = 0; i < some_count; i++)
    if (!holds(set, count, &some[i], tolerance))
      return false;
  return true;
}

bool prox_same_contacts(const ts_contact *got, size_t got_count, const ts_contact *expected,
                        size_t expected_count, double tolerance) {
  return all_held(got, got_count, expected, expected_count, tolerance) &&
         all_held(expected, expected_count, got, got_count, tolerance);
}

static void print_set(const char *what, const ts_contact *contacts, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const ts_contact *c = &contacts[i];
    fprintf(stderr, "  %s point %.12g %.12g %.12g normal %.12g %.12g %.12g gap %.12g\n", what,
            c->point.x, c->point.y, c->point.z, c->normal.x, c->normal.y, c->normal.z, c->gap_m);
  }
}

prox_agreement prox_reference_compare(const prox_reference *reference, prox_method method,
                                      ts_tet_kernel kernel, bool *disagree) {
  prox_agreement total = {.pairs = reference->count};
  bool verbose = getenv("TOUCHSTONE_PROX_VERBOSE") != NULL;
  static ts_tet_contacts got; // large, and each test has a process of its own
  for (size_t i = 0; i < reference->count; i++) {
    const prox_pair *p = &reference->pairs[i];
    const ts_contact *expected = p->contacts[method];
    size_t expected_count = p->contact_count[method];
    got.count = 0;
    kernel(&got, &p->pair, TS_PROFILE_PROX2018, p->size_m);
    bool same = prox_same_contacts(got.contacts, got.count, expected, expected_count, 1e-9);
    total.agree += same;
    total.same_count += same && got.count == expected_count;
    total.with_contacts += expected_count > 0;
    total.agree_with_contacts += same && expected_count > 0;
    if (disagree)
      disagree[i] = !same;
    if (!same && verbose) {
      fprintf(stderr, "pair %d (%s, offset %g, %s)\n", p->id, p->family, p->offset_m,
              p->overlaps ? "overlapping" : "apart");
      print_set("expected", expected, expected_count);
      print_set("got     ", got.contacts, got.count);
    }
  }
  return total;
}
