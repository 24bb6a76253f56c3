// SPDX-License-Identifier: MIT
#include "tests/cases/scene/published_scenes.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { FIELDS_MAX = 24, LINE_MAX_BYTES = 1024 };

/// A CSV file without quotes, gzipped or not, read line by line.
typedef struct csv_lines {
  gzFile file;
  const char *name;
  size_t line, field_count;
  char text[LINE_MAX_BYTES];
  char *fields[FIELDS_MAX];
} csv_lines;

static bool next_line(csv_lines *c) {
  if (!gzgets(c->file, c->text, LINE_MAX_BYTES))
    return false;
  c->line++;
  c->text[strcspn(c->text, "\r\n")] = '\0';
  size_t count = 0;
  for (char *rest = c->text; rest; count++) {
    cr_assert_lt(count, FIELDS_MAX, "%s, line %zu has too many fields", c->name, c->line);
    c->fields[count] = strsep(&rest, ",");
  }
  cr_assert_eq(count, c->field_count, "%s, line %zu has %zu fields", c->name, c->line, count);
  return true;
}

/// Opens a file of the reference whose header starts and ends as given.
static void open_lines(csv_lines *c, const char *name, size_t field_count, const char *first,
                       const char *last) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s", TS_REFERENCE_FOLDER, name);
  *c = (csv_lines){.file = gzopen(path, "rb"), .name = name, .field_count = field_count};
  cr_assert_not_null(c->file, "%s cannot be opened", path);
  cr_assert(next_line(c), "%s is empty", path);
  cr_assert_str_eq(c->fields[0], first);
  cr_assert_str_eq(c->fields[field_count - 1], last);
}

static void close_lines(csv_lines *c) {
  cr_assert_eq(gzclose(c->file), Z_OK, "%s is damaged", c->name);
}

static double number(const csv_lines *c, size_t field) {
  char *end;
  double value = strtod(c->fields[field], &end);
  cr_assert(end != c->fields[field] && *end == '\0', "%s, line %zu: \"%s\" is not a number",
            c->name, c->line, c->fields[field]);
  return value;
}

static size_t whole(const csv_lines *c, size_t field) {
  double value = number(c, field);
  cr_assert(value >= 0 && value < 1e6 && value == floor(value), "%s, line %zu", c->name, c->line);
  return (size_t)value;
}

/// The columns that name a body, in both files.
enum { SCENE, METHOD, BODY };

static bool is_of(const published_body *body, const csv_lines *c) {
  return strcmp(body->scene, c->fields[SCENE]) == 0 && body->index == (int)whole(c, BODY) &&
         body->is_eroded == (strcmp(c->fields[METHOD], "closest") == 0);
}

static void read_bodies(published_scenes *out, ts_arena *arena) {
  enum { FIXED = 4, VERTICES = 20, TETS, SURFACE_TETS, COUNT, BODIES_MAX = 512 };
  csv_lines c;
  open_lines(&c, "scene_bodies.csv", COUNT, "scene", "nsurf_tets");
  out->bodies = ts_arena_array(arena, BODIES_MAX, sizeof *out->bodies);
  out->body_count = 0;
  while (next_line(&c)) {
    cr_assert_lt(out->body_count, BODIES_MAX);
    published_body *body = &out->bodies[out->body_count++];
    snprintf(body->scene, sizeof body->scene, "%s", c.fields[SCENE]);
    body->is_eroded = strcmp(c.fields[METHOD], "closest") == 0;
    cr_assert(body->is_eroded || strcmp(c.fields[METHOD], "opposing") == 0, "line %zu", c.line);
    body->index = (int)whole(&c, BODY);
    body->is_fixed = whole(&c, FIXED) > 0;
    body->vertex_count = whole(&c, VERTICES);
    body->vertices = ts_arena_array(arena, body->vertex_count, sizeof *body->vertices);
    for (size_t i = 0; i < body->vertex_count; i++)
      body->vertices[i].x = NAN;
    body->tet_count = whole(&c, TETS);
    body->surface_tet_count = whole(&c, SURFACE_TETS);
    body->tets = ts_arena_array(arena, body->tet_count, sizeof *body->tets);
  }
  close_lines(&c);
}

static void read_tet(published_body *body, const csv_lines *c) {
  enum { TET = 3, FLAGS = 4, POINTS = 8, NODES = 20 };
  size_t index = whole(c, TET);
  cr_assert_lt(index, body->tet_count, "line %zu", c->line);
  published_tet *tet = &body->tets[index];
  for (size_t i = 0; i < 4; i++) {
    if (whole(c, FLAGS + i) > 0)
      tet->surface |= (uint8_t)(1u << i);
    size_t node = whole(c, NODES + i);
    cr_assert_lt(node, body->vertex_count);
    tet->nodes[i] = (uint32_t)node;
    double x = number(c, POINTS + 3 * i), y = number(c, POINTS + 3 * i + 1),
           z = number(c, POINTS + 3 * i + 2);
    ts_vec3 *vertex = &body->vertices[node];
    cr_assert(isnan(vertex->x) || (vertex->x == x && vertex->y == y && vertex->z == z),
              "line %zu: vertex %zu is in two places", c->line, node);
    *vertex = (ts_vec3){x, y, z};
  }
}

/// Rows come body by body, in the order of the bodies, and tet by tet.
static void read_tets(published_scenes *out) {
  csv_lines c;
  open_lines(&c, "scene_tets.csv.gz", 24, "scene", "i3");
  for (size_t i = 0; i < out->body_count; i++) {
    published_body *body = &out->bodies[i];
    size_t surface_tets = 0;
    for (size_t t = 0; t < body->tet_count; t++) {
      cr_assert(next_line(&c) && is_of(body, &c) && whole(&c, 3) == t, "%s, line %zu", c.name,
                c.line);
      read_tet(body, &c);
      surface_tets += body->tets[t].surface != 0;
    }
    cr_assert_eq(surface_tets, body->surface_tet_count, "body %d of %s", body->index, body->scene);
    for (size_t v = 0; v < body->vertex_count; v++)
      cr_assert(!isnan(body->vertices[v].x), "body %d of %s lacks a vertex", body->index,
                body->scene);
  }
  cr_assert(!next_line(&c), "there are more tets than the bodies have");
  close_lines(&c);
}

void published_scenes_read(published_scenes *out, ts_arena *arena) {
  read_bodies(out, arena);
  read_tets(out);
}
