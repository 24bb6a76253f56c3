// SPDX-License-Identifier: MIT
#include "geometry/files/obj.h"

#include "base/array.h"
#include "base/number.h"
#include "base/status.h"
#include "geometry/files/face_cut.h"
#include "geometry/files/mesh_text.h"

#include <stdbool.h>
#include <string.h>

#define INDEX_MAX ((size_t)1 << 30)

typedef struct reader {
  ts_arena *arena;
  ts_mesh_text text;
  ts_triangles *out;
  size_t vertex_capacity, triangle_capacity;
  uint32_t *polygon; ///< corners of the current face, [polygon_capacity]
  size_t polygon_capacity;
} reader;

static bool is_continued(const reader *r) {
  return r->text.at[0] == '\\' && r->text.at + 1 < r->text.end && ts_is_line_end(r->text.at[1]);
}

/// The next word of the line; false at its end, or at a comment.
static bool next_word(ts_word *out, reader *r) {
  for (; r->text.at < r->text.end; r->text.at++) {
    while (r->text.at < r->text.end && is_continued(r)) {
      r->text.at++;
      ts_mesh_text_pass_line_end(&r->text);
    }
    if (r->text.at == r->text.end || (*r->text.at != ' ' && *r->text.at != '\t'))
      break;
  }
  if (r->text.at == r->text.end || ts_is_line_end(*r->text.at) || *r->text.at == '#')
    return false;
  const char *begin = r->text.at;
  while (r->text.at < r->text.end && *r->text.at != ' ' && *r->text.at != '\t' &&
         !ts_is_line_end(*r->text.at) && !is_continued(r))
    r->text.at++;
  *out = (ts_word){begin, (size_t)(r->text.at - begin)};
  return true;
}

/// Steps to the next line, whatever is left of this one.
static void end_line(reader *r) {
  while (r->text.at < r->text.end && !ts_is_line_end(*r->text.at)) {
    bool is_joined = is_continued(r);
    r->text.at++;
    if (is_joined)
      ts_mesh_text_pass_line_end(&r->text);
  }
  if (r->text.at < r->text.end)
    ts_mesh_text_pass_line_end(&r->text);
}

static ts_status read_vertex(reader *r) {
  double xyz[3];
  size_t line = r->text.line;
  ts_word w;
  for (int i = 0; i < 3; i++) {
    if (!next_word(&w, r))
      return ts_fail(TS_E_INPUT, "%s, line %zu: a vertex has three numbers, x y z; here are %d",
                     r->text.path, line, i);
    TS_TRY(ts_word_coordinate(&xyz[i], &r->text, w));
  }
  TS_TRY(TS_ARENA_GROW(r->out->vertices, r->vertex_capacity, r->out->vertex_count, 1, r->arena));
  if (r->out->vertex_count == INDEX_MAX)
    return ts_fail(TS_E_INPUT, "%s, line %zu: more than %zu vertices; simplify the mesh",
                   r->text.path, line, INDEX_MAX);
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
static ts_status read_corner(uint32_t *out, const reader *r, ts_word w) {
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
        r->text.path, r->text.line, ts_word_shown(w), w.text);
  int64_t count = (int64_t)r->out->vertex_count;
  int64_t place = index > 0 ? index - 1 : count + index;
  if (place < 0 || place >= count)
    return ts_fail(TS_E_INPUT,
                   "%s, line %zu: the face names vertex %lld, but %lld vertices precede it",
                   r->text.path, r->text.line, (long long)index, (long long)count);
  *out = (uint32_t)place;
  return TS_OK;
}

static ts_status read_face(reader *r) {
  size_t count = 0, line = r->text.line;
  for (ts_word w; next_word(&w, r); count++) {
    TS_TRY(TS_ARENA_GROW(r->polygon, r->polygon_capacity, count, 1, r->arena));
    TS_TRY(read_corner(&r->polygon[count], r, w));
  }
  if (count < 3)
    return ts_fail(TS_E_INPUT, "%s, line %zu: a face has three corners or more; here are %zu",
                   r->text.path, line, count);
  ts_triangles *out = r->out;
  TS_TRY(TS_ARENA_GROW(out->triangles, r->triangle_capacity, out->triangle_count, count - 2,
                       r->arena));
  ts_status status =
      ts_face_cut(out->triangles + out->triangle_count, r->arena, out->vertices, r->polygon, count);
  if (status == TS_E_INPUT)
    return ts_fail(status, "%s, line %zu: %s", r->text.path, line, ts_status_detail());
  out->triangle_count += count - 2;
  return status;
}

static bool is_word(ts_word w, const char *text) {
  return strlen(text) == w.length && memcmp(text, w.text, w.length) == 0;
}

/// Whether the word is irrelevant to the position of the surface.
static bool is_ignored(ts_word w) {
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
  ts_word w;
  if (!next_word(&w, r))
    return TS_OK;
  if (is_word(w, "v"))
    return read_vertex(r);
  if (is_word(w, "f"))
    return read_face(r);
  if (is_ignored(w))
    return TS_OK;
  if (is_word(w, "l") || is_word(w, "p"))
    return ts_fail(TS_E_INPUT,
                   "%s, line %zu: \"%.*s\" is %s, without a surface that could touch; give "
                   "faces (f)",
                   r->text.path, r->text.line, ts_word_shown(w), w.text,
                   is_word(w, "l") ? "a line" : "points");
  return ts_fail(TS_E_INPUT,
                 "%s, line %zu: \"%.*s\" is not understood: of OBJ, vertices (v) and faces (f) are "
                 "read, and materials, groups, normals and texture coordinates passed over",
                 r->text.path, r->text.line, ts_word_shown(w), w.text);
}

ts_status ts_obj_parse(ts_triangles *out, ts_arena *arena, const char *path, const char *text,
                       size_t count) {
  *out = (ts_triangles){.vertex_count = 0};
  reader r = {.arena = arena, .out = out};
  size_t mark = count >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
  r.text = (ts_mesh_text){.path = path, .at = text + mark, .end = text + count, .line = 1};
  while (r.text.at < r.text.end) {
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
