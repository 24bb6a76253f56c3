// SPDX-License-Identifier: MIT
#include "geometry/files/ply.h"

#include "base/array.h"
#include "base/status.h"
#include "geometry/files/face_cut.h"
#include "geometry/files/ply_header.h"
#include "geometry/vec3.h"

#include <math.h>
#include <string.h>

#define VERTICES_MAX ((size_t)1 << 30)

typedef struct reader {
  ts_arena *arena;
  ts_mesh_text text; ///< what is left of the file, which may be binary
  ts_ply_header header;
  size_t vertex_count, vertex_capacity;
  ts_vec3 *vertices;
  // Faces may come before the vertices: they are cut when all is read.
  size_t face_count, face_capacity;
  size_t *face_ends; ///< [face_count] where each ends among the corners
  size_t corner_count, corner_capacity;
  uint32_t *corners;
} reader;

// ---- values -----------------------------------------------------------------------------------

static size_t size_of(ts_ply_type type) {
  static const size_t sizes[] = {
      [TS_PLY_NONE] = 0, [TS_PLY_I8] = 1,  [TS_PLY_U8] = 1,  [TS_PLY_I16] = 2, [TS_PLY_U16] = 2,
      [TS_PLY_I32] = 4,  [TS_PLY_U32] = 4, [TS_PLY_F32] = 4, [TS_PLY_F64] = 8};
  return sizes[type];
}

/// The value that has these bits.
static double value_of(uint64_t bits, ts_ply_type type) {
  uint32_t low = (uint32_t)bits;
  float single;
  double value;
  switch (type) {
  case TS_PLY_I8:
    return (int8_t)low;
  case TS_PLY_I16:
    return (int16_t)low;
  case TS_PLY_I32:
    return (int32_t)low;
  case TS_PLY_F32:
    memcpy(&single, &low, sizeof single);
    return (double)single;
  case TS_PLY_F64:
    memcpy(&value, &bits, sizeof value);
    return value;
  case TS_PLY_NONE:
  case TS_PLY_U8:
  case TS_PLY_U16:
  case TS_PLY_U32:
    break;
  }
  return low;
}

/// Takes a value of a binary file; false when it has ended.
static bool take_binary(double *out, reader *r, ts_ply_type type) {
  size_t bytes = size_of(type);
  if ((size_t)(r->text.end - r->text.at) < bytes)
    return false;
  uint64_t bits = 0;
  for (size_t i = 0; i < bytes; i++)
    bits = bits << 8 | (uint8_t)r->text.at[r->header.is_big ? i : bytes - 1 - i];
  r->text.at += bytes;
  *out = value_of(bits, type);
  return true;
}

/// Takes a value. `*has_ended` where there is none.
static ts_status take(double *out, bool *has_ended, reader *r, ts_ply_type type) {
  *out = NAN;
  if (!r->header.is_text) {
    *has_ended = !take_binary(out, r, type);
    return TS_OK;
  }
  ts_word word;
  *has_ended = !ts_mesh_text_next(&word, &r->text);
  return *has_ended ? TS_OK : ts_word_number(out, &r->text, word);
}

// ---- rows -------------------------------------------------------------------------------------

static bool is_index(double value) {
  return value >= 0 && value < UINT32_MAX && value == floor(value);
}

static ts_status fail_index(const reader *r, size_t face, double index) {
  return ts_fail(TS_E_INPUT, "%s: face %zu uses a vertex that is not there, %.17g: write it again",
                 r->text.path, face, index);
}

static ts_status keep_corner(reader *r, double index) {
  if (!is_index(index))
    return fail_index(r, r->face_count, index);
  TS_TRY(TS_ARENA_GROW(r->corners, r->corner_capacity, r->corner_count, 1, r->arena));
  r->corners[r->corner_count++] = (uint32_t)index;
  return TS_OK;
}

static ts_status take_list(bool *has_ended, reader *r, const ts_ply_property *p) {
  double count, value;
  TS_TRY(take(&count, has_ended, r, p->count_type));
  if (!*has_ended && !is_index(count))
    return ts_fail(TS_E_INPUT, "%s: a list has %.17g entries: it is damaged, write it again",
                   r->text.path, count);
  for (double i = 0; i < count && !*has_ended; i++) {
    TS_TRY(take(&value, has_ended, r, p->type));
    if (!*has_ended && p->role == TS_PLY_CORNERS)
      TS_TRY(keep_corner(r, value));
  }
  return TS_OK;
}

static ts_status end_face(reader *r) {
  TS_TRY(TS_ARENA_GROW(r->face_ends, r->face_capacity, r->face_count, 1, r->arena));
  r->face_ends[r->face_count++] = r->corner_count;
  return TS_OK;
}

static ts_status end_vertex(reader *r, const double xyz[3]) {
  if (r->vertex_count == VERTICES_MAX)
    return ts_fail(TS_E_INPUT, "%s: more than %zu vertices; simplify the mesh", r->text.path,
                   VERTICES_MAX);
  TS_TRY(TS_ARENA_GROW(r->vertices, r->vertex_capacity, r->vertex_count, 1, r->arena));
  r->vertices[r->vertex_count++] = (ts_vec3){xyz[0], xyz[1], xyz[2]};
  return TS_OK;
}

static ts_status take_row(bool *has_ended, reader *r, const ts_ply_element *e) {
  double xyz[3] = {0}, value;
  bool is_vertex = false, is_face = false;
  for (size_t i = 0; i < e->property_count && !*has_ended; i++) {
    const ts_ply_property *p = &e->properties[i];
    is_face = is_face || p->role == TS_PLY_CORNERS;
    if (p->count_type) {
      TS_TRY(take_list(has_ended, r, p));
      continue;
    }
    TS_TRY(take(&value, has_ended, r, p->type));
    if (p->role <= TS_PLY_Z) {
      xyz[p->role - TS_PLY_X] = value;
      is_vertex = true;
    }
  }
  if (*has_ended)
    return TS_OK;
  if (is_vertex)
    TS_TRY(end_vertex(r, xyz));
  return is_face ? end_face(r) : TS_OK;
}

/// Room for the rows that a part of the file may hold, and no more than it announces.
static ts_status reserve(reader *r, const ts_ply_element *e) {
  size_t least = 0, left = (size_t)(r->text.end - r->text.at);
  bool is_vertex = false;
  for (size_t i = 0; i < e->property_count; i++) {
    const ts_ply_property *p = &e->properties[i];
    least += r->header.is_text ? 2 : size_of(p->count_type ? p->count_type : p->type);
    is_vertex = is_vertex || p->role <= TS_PLY_Z;
  }
  if (!is_vertex)
    return TS_OK;
  size_t most = left / least + 1;
  return TS_ARENA_GROW(r->vertices, r->vertex_capacity, 0,
                       e->row_count < most ? (size_t)e->row_count : most, r->arena);
}

static ts_status take_rows(reader *r) {
  for (size_t i = 0; i < r->header.element_count; i++) {
    const ts_ply_element *e = &r->header.elements[i];
    TS_TRY(reserve(r, e));
    for (uint64_t row = 0; row < e->row_count; row++) {
      bool has_ended = false;
      TS_TRY(take_row(&has_ended, r, e));
      if (has_ended)
        return ts_fail(TS_E_INPUT,
                       "%s: its header announces %llu rows of %s where the file has %llu: it is "
                       "cut off or damaged, write it again",
                       r->text.path, (unsigned long long)e->row_count, e->name,
                       (unsigned long long)row);
    }
  }
  return TS_OK;
}

// ---- faces ------------------------------------------------------------------------------------

/// Checks the corners of all faces, and leaves of the vertices only those that are used, in their
/// order: there may be many others.
static ts_status keep_used(reader *r) {
  uint32_t *number = ts_arena_array(r->arena, r->vertex_count, sizeof *number);
  if (!number)
    return TS_E_MEMORY;
  for (size_t face = 0, i = 0; face < r->face_count; face++)
    for (; i < r->face_ends[face]; i++) {
      uint32_t corner = r->corners[i];
      if (corner >= r->vertex_count)
        return fail_index(r, face, corner);
      if (!ts_vec3_is_finite(r->vertices[corner]))
        return ts_fail(TS_E_INPUT, "%s: vertex %u of face %zu: every coordinate must be finite",
                       r->text.path, corner, face);
      number[corner] = 1;
    }
  uint32_t kept = 0;
  for (size_t v = 0; v < r->vertex_count; v++)
    if (number[v]) {
      r->vertices[kept] = r->vertices[v];
      number[v] = kept++;
    }
  r->vertex_count = kept;
  for (size_t i = 0; i < r->corner_count; i++)
    r->corners[i] = number[r->corners[i]];
  return TS_OK;
}

/// Replaces each corner of a face by the first vertex at its place. Returns how many are left where
/// a corner is the one before.
static size_t join_corners(uint32_t *corners, size_t count, const uint32_t *first) {
  size_t kept = 0;
  for (size_t i = 0; i < count; i++)
    if (kept == 0 || corners[kept - 1] != first[corners[i]])
      corners[kept++] = first[corners[i]];
  while (kept > 1 && corners[kept - 1] == corners[0])
    kept--;
  return kept;
}

static ts_status cut_faces(ts_triangles *out, reader *r) {
  TS_TRY(keep_used(r));
  uint32_t *first = ts_arena_array(r->arena, r->vertex_count, sizeof *first);
  uint32_t(*triangles)[3] = ts_arena_array(r->arena, r->corner_count, sizeof *triangles);
  if (!first || !triangles)
    return TS_E_MEMORY;
  TS_TRY(ts_find_equal_points(first, r->arena, r->vertices, r->vertex_count));
  size_t triangle_count = 0;
  for (size_t face = 0; face < r->face_count; face++) {
    size_t begin = face > 0 ? r->face_ends[face - 1] : 0, count = r->face_ends[face] - begin;
    if (count < 3)
      continue; // a point or a line
    uint32_t *corners = r->corners + begin;
    count = join_corners(corners, count, first);
    if (count < 3)
      continue;
    ts_status status =
        ts_face_cut(triangles + triangle_count, r->arena, r->vertices, corners, count);
    if (status == TS_E_INPUT)
      return ts_fail(status, "%s: face %zu: %s", r->text.path, face, ts_status_detail());
    TS_TRY(status);
    triangle_count += count - 2;
  }
  return ts_triangles_keep_used(out, r->arena, r->vertices, r->vertex_count,
                                (const uint32_t(*)[3])triangles, triangle_count);
}

ts_status ts_ply_parse(ts_triangles *out, ts_arena *arena, const char *path, const char *bytes,
                       size_t count) {
  reader r = {.arena = arena, .text = {.path = path, .at = bytes, .end = bytes + count, .line = 1}};
  TS_TRY(ts_ply_read_header(&r.header, arena, &r.text));
  TS_TRY(take_rows(&r));
  TS_TRY(cut_faces(out, &r));
  if (out->triangle_count == 0)
    return ts_fail(TS_E_INPUT,
                   "%s: there are no triangles in it, or all have two corners at one place: write "
                   "the surface of a closed body as triangles",
                   path);
  return TS_OK;
}
