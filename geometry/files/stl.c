// SPDX-License-Identifier: MIT
#include "geometry/files/stl.h"

#include "base/array.h"
#include "base/status.h"
#include "geometry/files/mesh_text.h"
#include "geometry/vec3.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

#define HEAD_BYTES     84 // 80 of any kind, and the number of triangles
#define TRIANGLE_BYTES 50 // a normal and three corners in floats, and two bytes of any kind
#define NORMAL_BYTES   12
#define CORNERS_MAX    ((size_t)1 << 30)

typedef struct reader {
  ts_arena *arena;
  const char *path;
  size_t corner_count, corner_capacity;
  ts_vec3 *corners; ///< three for each triangle
} reader;

// ---- binary -----------------------------------------------------------------------------------

static uint32_t read_word(const char *bytes) {
  uint32_t word = 0;
  for (int i = 0; i < 4; i++)
    word |= (uint32_t)(uint8_t)bytes[i] << 8 * i;
  return word;
}

static double read_float(const char *bytes) {
  uint32_t word = read_word(bytes);
  float value;
  memcpy(&value, &word, sizeof value);
  return (double)value;
}

static size_t announced_of(const char *bytes) {
  return read_word(bytes + HEAD_BYTES - 4);
}

/// Whether the size is that of a binary file.
static bool is_binary(const char *bytes, size_t count) {
  return count >= HEAD_BYTES && count == HEAD_BYTES + TRIANGLE_BYTES * announced_of(bytes);
}

static ts_status read_binary(reader *r, const char *bytes, size_t count) {
  if (count < HEAD_BYTES)
    return ts_fail(TS_E_INPUT,
                   "%s: it is not STL: it does not begin with \"solid\", and has %zu bytes, fewer "
                   "than the %d of a binary header",
                   r->path, count, HEAD_BYTES);
  size_t announced = announced_of(bytes), there = (count - HEAD_BYTES) / TRIANGLE_BYTES;
  if (announced > there)
    return ts_fail(TS_E_INPUT,
                   "%s: its header announces %zu triangles where the file has room for %zu: it is "
                   "cut off, damaged or not STL; write it again",
                   r->path, announced, there);
  TS_TRY(TS_ARENA_GROW(r->corners, r->corner_capacity, 0, 3 * announced, r->arena));
  for (size_t t = 0; t < announced; t++)
    for (size_t i = 0; i < 3; i++) {
      const char *at = bytes + HEAD_BYTES + TRIANGLE_BYTES * t + NORMAL_BYTES * (1 + i);
      ts_vec3 p = {read_float(at), read_float(at + 4), read_float(at + 8)};
      if (!ts_vec3_is_finite(p))
        return ts_fail(TS_E_INPUT,
                       "%s: triangle %zu: every coordinate must be finite: write the file again",
                       r->path, t);
      r->corners[r->corner_count++] = p;
    }
  return TS_OK;
}

// ---- text -------------------------------------------------------------------------------------

/// Whether a word is this one, in letters of any size.
static bool is_word(ts_word word, const char *text) {
  return word.length == strlen(text) && strncasecmp(word.text, text, word.length) == 0;
}

static ts_status fail_word(const ts_mesh_text *text, ts_word word, const char *wanted) {
  if (word.length == 0)
    return ts_fail(TS_E_INPUT,
                   "%s, line %zu: the text ends without %s: it is cut off, write it again",
                   text->path, text->line, wanted);
  return ts_fail(
      TS_E_INPUT,
      "%s, line %zu: \"%.*s\" where STL in text has %s: write it again (if it is binary, "
      "it does not have 84 bytes and 50 for each triangle)",
      text->path, text->line, ts_word_shown(word), word.text, wanted);
}

static ts_status take(ts_mesh_text *text, const char *wanted) {
  ts_word word;
  ts_mesh_text_next(&word, text);
  return is_word(word, wanted) ? TS_OK : fail_word(text, word, wanted);
}

static ts_status take_vertex(reader *r, ts_mesh_text *text) {
  double xyz[3];
  TS_TRY(take(text, "vertex"));
  for (int i = 0; i < 3; i++) {
    ts_word word;
    if (!ts_mesh_text_next(&word, text))
      return fail_word(text, word, "a number");
    TS_TRY(ts_word_coordinate(&xyz[i], text, word));
  }
  TS_TRY(TS_ARENA_GROW(r->corners, r->corner_capacity, r->corner_count, 1, r->arena));
  r->corners[r->corner_count++] = (ts_vec3){xyz[0], xyz[1], xyz[2]};
  return TS_OK;
}

/// What comes after "facet". The normal is passed over, whatever it is: programs write NaN for
/// triangles that they find none of.
static ts_status take_facet(reader *r, ts_mesh_text *text) {
  TS_TRY(take(text, "normal"));
  for (int i = 0; i < 3; i++) {
    ts_word word;
    if (!ts_mesh_text_next(&word, text))
      return fail_word(text, word, "a number");
  }
  TS_TRY(take(text, "outer"));
  TS_TRY(take(text, "loop"));
  for (int i = 0; i < 3; i++)
    TS_TRY(take_vertex(r, text));
  TS_TRY(take(text, "endloop")); // with a fourth vertex it would be no triangle
  return take(text, "endfacet");
}

/// What comes after "solid".
static ts_status take_solid(reader *r, ts_mesh_text *text) {
  ts_mesh_text_skip_line(text); // its name
  for (;;) {
    ts_word word;
    ts_mesh_text_next(&word, text);
    if (is_word(word, "endsolid")) {
      ts_mesh_text_skip_line(text);
      return TS_OK;
    }
    if (!is_word(word, "facet"))
      return fail_word(text, word, "facet, or endsolid");
    TS_TRY(take_facet(r, text));
  }
}

static ts_status read_text(reader *r, ts_mesh_text *text) {
  for (ts_word word; ts_mesh_text_next(&word, text);) {
    if (!is_word(word, "solid"))
      return fail_word(text, word, "solid");
    TS_TRY(take_solid(r, text));
  }
  return TS_OK;
}

/// Whether the first word is "solid".
static bool is_text(const ts_mesh_text *from) {
  ts_mesh_text text = *from;
  ts_word word;
  ts_mesh_text_next(&word, &text);
  return is_word(word, "solid");
}

// ---- both -------------------------------------------------------------------------------------

static ts_status join_corners(ts_triangles *out, const reader *r) {
  uint32_t *first = ts_arena_array(r->arena, r->corner_count, sizeof *first);
  if (!first)
    return TS_E_MEMORY;
  TS_TRY(ts_find_equal_points(first, r->arena, r->corners, r->corner_count));
  TS_TRY(ts_triangles_keep_used(out, r->arena, r->corners, r->corner_count,
                                (const uint32_t(*)[3])first, r->corner_count / 3));
  if (out->triangle_count == 0)
    return ts_fail(TS_E_INPUT,
                   "%s: all its triangles have two corners at one place: write it again", r->path);
  return TS_OK;
}

ts_status ts_stl_parse(ts_triangles *out, ts_arena *arena, const char *path, const char *bytes,
                       size_t count) {
  if (count == 0)
    return ts_fail(TS_E_INPUT, "%s: it is empty", path);
  size_t mark = count >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
  ts_mesh_text text = {.path = path, .at = bytes + mark, .end = bytes + count, .line = 1};
  reader r = {.arena = arena, .path = path};
  TS_TRY(!is_binary(bytes, count) && is_text(&text) ? read_text(&r, &text)
                                                    : read_binary(&r, bytes, count));
  if (r.corner_count == 0)
    return ts_fail(TS_E_INPUT,
                   "%s: there are no triangles in it: write the surface of a closed body as "
                   "triangles",
                   path);
  if (r.corner_count > CORNERS_MAX)
    return ts_fail(TS_E_INPUT, "%s: more than %zu corners: simplify the mesh", path, CORNERS_MAX);
  return join_corners(out, &r);
}
