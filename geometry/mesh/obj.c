// SPDX-License-Identifier: MIT
#include "geometry/mesh/obj.h"

#include "base/array.h"
#include "base/number.h"
#include "base/status.h"
#include "geometry/tolerances.h"
#include "geometry/vec3.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define WORD_MAX    512 // bytes of a number or a corner; more has no meaning
#define INDEX_MAX   ((size_t)1 << 30)
#define SHOWN_BYTES 40 // of a word, in messages

typedef struct reader {
  ts_arena *arena;
  const char *name;
  const char *at, *end;
  size_t line;
  ts_obj *out;
  size_t vertex_capacity, triangle_capacity;
  uint32_t *polygon; ///< corners of the current face, [polygon_capacity]
  size_t polygon_capacity;
} reader;

/// A word of the text, not terminated.
typedef struct word {
  const char *text;
  size_t length;
} word;

static int shown(word w) {
  return (int)(w.length < SHOWN_BYTES ? w.length : SHOWN_BYTES);
}

static bool is_line_end(char c) {
  return c == '\n' || c == '\r';
}

/// Steps over a line end of any system.
static void pass_line_end(reader *r) {
  bool is_pair = r->at[0] == '\r' && r->at + 1 < r->end && r->at[1] == '\n';
  r->at += is_pair ? 2 : 1;
  r->line++;
}

static bool is_continued(const reader *r) {
  return r->at[0] == '\\' && r->at + 1 < r->end && is_line_end(r->at[1]);
}

/// The next word of the line; false at its end, or at a comment.
static bool next_word(word *out, reader *r) {
  for (; r->at < r->end; r->at++) {
    while (r->at < r->end && is_continued(r)) {
      r->at++;
      pass_line_end(r);
    }
    if (r->at == r->end || (*r->at != ' ' && *r->at != '\t'))
      break;
  }
  if (r->at == r->end || is_line_end(*r->at) || *r->at == '#')
    return false;
  const char *begin = r->at;
  while (r->at < r->end && *r->at != ' ' && *r->at != '\t' && !is_line_end(*r->at) &&
         !is_continued(r))
    r->at++;
  *out = (word){begin, (size_t)(r->at - begin)};
  return true;
}

/// Steps to the next line, whatever is left of this one.
static void end_line(reader *r) {
  while (r->at < r->end && !is_line_end(*r->at)) {
    bool is_joined = is_continued(r);
    r->at++;
    if (is_joined)
      pass_line_end(r);
  }
  if (r->at < r->end)
    pass_line_end(r);
}

static ts_status read_number(double *out, const reader *r, word w) {
  char text[WORD_MAX];
  bool is_number = w.length < sizeof text && !memchr(w.text, '\0', w.length);
  if (is_number) {
    memcpy(text, w.text, w.length);
    text[w.length] = '\0';
    is_number = ts_number_parse(out, text) == TS_OK;
  }
  if (!is_number)
    return ts_fail(TS_E_INPUT, "%s, line %zu: \"%.*s\" is not a number", r->name, r->line, shown(w),
                   w.text);
  if (!isfinite(*out))
    return ts_fail(TS_E_INPUT, "%s, line %zu: %.*s: every coordinate must be finite", r->name,
                   r->line, shown(w), w.text);
  return TS_OK;
}

static ts_status read_vertex(reader *r) {
  double xyz[3];
  size_t line = r->line;
  word w;
  for (int i = 0; i < 3; i++) {
    if (!next_word(&w, r))
      return ts_fail(TS_E_INPUT, "%s, line %zu: a vertex has three numbers, x y z; here are %d",
                     r->name, line, i);
    TS_TRY(read_number(&xyz[i], r, w));
  }
  TS_TRY(TS_ARENA_GROW(r->out->vertices, r->vertex_capacity, r->out->vertex_count, 1, r->arena));
  if (r->out->vertex_count == INDEX_MAX)
    return ts_fail(TS_E_INPUT, "%s, line %zu: more than %zu vertices; simplify the mesh", r->name,
                   line, INDEX_MAX);
  r->out->vertices[r->out->vertex_count++] = (ts_vec3){xyz[0], xyz[1], xyz[2]};
  return TS_OK;
}

/// The digits of an index at `text`; behind them at `*end`. False: no whole number other than 0, or
/// one that no file has.
static bool read_index(int64_t *out, const char **end, const char *text, const char *limit) {
  bool is_negative = text < limit && *text == '-';
  int64_t value = 0;
  const char *p = text + is_negative;
  const char *digits = p;
  while (p < limit && *p >= '0' && *p <= '9' && value <= (int64_t)INDEX_MAX)
    value = 10 * value + (*p++ - '0');
  *end = p;
  *out = is_negative ? -value : value;
  return p > digits && value != 0 && (p == limit || *p < '0' || *p > '9');
}

/// A corner "v", "v/vt", "v//vn" or "v/vt/vn"; only v is used, the others must be indices.
static ts_status read_corner(uint32_t *out, const reader *r, word w) {
  const char *limit = w.text + w.length, *p;
  int64_t index, other;
  bool is_good = read_index(&index, &p, w.text, limit);
  for (int slashes = 0; is_good && p < limit; slashes++) {
    is_good = slashes < 2 && *p++ == '/';
    if (slashes == 0 && p < limit && *p == '/')
      continue;
    is_good = is_good && read_index(&other, &p, p, limit);
  }
  if (!is_good)
    return ts_fail(
        TS_E_INPUT,
        "%s, line %zu: \"%.*s\" is not a corner of a face: give v, v/vt, v//vn or v/vt/vn, "
        "counted from 1, or backwards from -1",
        r->name, r->line, shown(w), w.text);
  int64_t count = (int64_t)r->out->vertex_count;
  int64_t place = index > 0 ? index - 1 : count + index;
  if (place < 0 || place >= count)
    return ts_fail(TS_E_INPUT,
                   "%s, line %zu: the face names vertex %lld, but %lld vertices precede it",
                   r->name, r->line, (long long)index, (long long)count);
  *out = (uint32_t)place;
  return TS_OK;
}

/// Twice the area of a polygon along its normal, by Newell's sum, seen from its first corner.
static ts_vec3 polygon_area(const ts_vec3 *vertices, const uint32_t *corner, size_t count) {
  ts_vec3 sum = {0, 0, 0}, first = vertices[corner[0]];
  for (size_t i = 1; i + 1 < count; i++)
    sum = ts_vec3_add(sum, ts_vec3_cross(ts_vec3_sub(vertices[corner[i]], first),
                                         ts_vec3_sub(vertices[corner[i + 1]], first)));
  return sum;
}

/// Whether a fan round the first corner is the polygon: it is planar, turns one way at every
/// corner, and once only.
static ts_status check_polygon(const reader *r, size_t line, size_t count) {
  const ts_vec3 *v = r->out->vertices;
  const uint32_t *c = r->polygon;
  ts_vec3 area = polygon_area(v, c, count), normal = ts_vec3_unit(area);
  double extent = 0, height = 0;
  bool is_convex = ts_vec3_norm2(area) > 0;
  for (size_t i = 1; i < count; i++) {
    ts_vec3 from_first = ts_vec3_sub(v[c[i]], v[c[0]]);
    extent = fmax(extent, ts_vec3_norm(from_first));
    height = fmax(height, fabs(ts_vec3_dot(from_first, normal)));
  }
  if (!(height <= TS_POLYGON_PLANAR_RELATIVE * extent))
    return ts_fail(TS_E_INPUT,
                   "%s, line %zu: the polygon is bent by %.3g of its extent %.3g, so that "
                   "triangles can be cut from it in more ways than one; give triangles",
                   r->name, line, height, extent);
  for (size_t i = 0; i < count && is_convex; i++) {
    ts_vec3 before = ts_vec3_sub(v[c[(i + 1) % count]], v[c[i]]);
    ts_vec3 after = ts_vec3_sub(v[c[(i + 2) % count]], v[c[(i + 1) % count]]);
    double turn = ts_vec3_dot(ts_vec3_cross(before, after), normal);
    is_convex = turn >= -TS_POLYGON_PLANAR_RELATIVE * extent * extent;
  }
  for (size_t i = 1; i + 1 < count && is_convex; i++) {
    ts_vec3 one = ts_vec3_sub(v[c[i]], v[c[0]]), two = ts_vec3_sub(v[c[i + 1]], v[c[0]]);
    is_convex = ts_vec3_dot(ts_vec3_cross(one, two), normal) >= 0;
  }
  if (!is_convex)
    return ts_fail(TS_E_INPUT, "%s, line %zu: the polygon is not convex; give triangles", r->name,
                   line);
  return TS_OK;
}

static ts_status read_face(reader *r) {
  size_t count = 0, line = r->line;
  for (word w; next_word(&w, r); count++) {
    TS_TRY(TS_ARENA_GROW(r->polygon, r->polygon_capacity, count, 1, r->arena));
    TS_TRY(read_corner(&r->polygon[count], r, w));
  }
  if (count < 3)
    return ts_fail(TS_E_INPUT, "%s, line %zu: a face has three corners or more; here are %zu",
                   r->name, line, count);
  if (count > 3)
    TS_TRY(check_polygon(r, line, count));
  for (size_t i = 1; i + 1 < count; i++) {
    ts_obj *out = r->out;
    TS_TRY(TS_ARENA_GROW(out->triangles, r->triangle_capacity, out->triangle_count, 1, r->arena));
    uint32_t *triangle = out->triangles[out->triangle_count++];
    triangle[0] = r->polygon[0];
    triangle[1] = r->polygon[i];
    triangle[2] = r->polygon[i + 1];
  }
  return TS_OK;
}

static bool is_word(word w, const char *text) {
  return strlen(text) == w.length && memcmp(text, w.text, w.length) == 0;
}

/// Whether the word is irrelevant to the position of the surface.
static bool is_ignored(word w) {
  static const char *const words[] = {"vt",         "vn",       "vp",     "o",        "g",
                                      "s",          "mg",       "bevel",  "c_interp", "d_interp",
                                      "lod",        "usemtl",   "usemap", "mtllib",   "maplib",
                                      "shadow_obj", "trace_obj"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (is_word(w, words[i]))
      return true;
  return false;
}

static ts_status read_line(reader *r) {
  word w;
  if (!next_word(&w, r))
    return TS_OK;
  if (is_word(w, "v"))
    return read_vertex(r);
  if (is_word(w, "f"))
    return read_face(r);
  if (is_ignored(w))
    return TS_OK;
  return ts_fail(TS_E_INPUT,
                 "%s, line %zu: \"%.*s\" is not understood: of OBJ, vertices (v) and faces (f) are "
                 "read, and materials, groups, normals and texture coordinates passed over",
                 r->name, r->line, shown(w), w.text);
}

ts_status ts_obj_parse(ts_obj *out, ts_arena *arena, const char *name, const char *text,
                       size_t count) {
  *out = (ts_obj){.vertex_count = 0};
  reader r = {.arena = arena, .name = name, .at = text, .end = text + count, .line = 1, .out = out};
  if (count >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
    r.at += 3;
  while (r.at < r.end) {
    TS_TRY(read_line(&r));
    end_line(&r);
  }
  return TS_OK;
}

void ts_obj_write(FILE *file, const ts_mesh *mesh) {
  char x[TS_NUMBER_BYTES], y[TS_NUMBER_BYTES], z[TS_NUMBER_BYTES];
  for (size_t i = 0; i < mesh->vertex_count; i++) {
    ts_vec3 v = mesh->vertices[i];
    fprintf(file, "v %s %s %s\n", ts_number_format(x, v.x), ts_number_format(y, v.y),
            ts_number_format(z, v.z));
  }
  for (size_t i = 0; i < mesh->triangle_count; i++) {
    const uint32_t *t = mesh->triangles[i];
    fprintf(file, "f %u %u %u\n", t[0] + 1, t[1] + 1, t[2] + 1);
  }
}
