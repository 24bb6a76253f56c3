// SPDX-License-Identifier: MIT
#include "geometry/files/ply_header.h"

#include "base/array.h"
#include "base/status.h"

#include <stdio.h>
#include <string.h>

#define LINE_BYTES 256 // longer ones are comments

typedef struct reader {
  ts_arena *arena;
  ts_mesh_text *text;
  ts_ply_header *out;
  size_t line; ///< the one that is looked at
} reader;

static ts_ply_type type_of(const char *name) {
  static const struct {
    const char *name;
    ts_ply_type type;
  } types[] = {{"char", TS_PLY_I8},    {"int8", TS_PLY_I8},     {"uchar", TS_PLY_U8},
               {"uint8", TS_PLY_U8},   {"short", TS_PLY_I16},   {"int16", TS_PLY_I16},
               {"ushort", TS_PLY_U16}, {"uint16", TS_PLY_U16},  {"int", TS_PLY_I32},
               {"int32", TS_PLY_I32},  {"uint", TS_PLY_U32},    {"uint32", TS_PLY_U32},
               {"float", TS_PLY_F32},  {"float32", TS_PLY_F32}, {"double", TS_PLY_F64},
               {"float64", TS_PLY_F64}};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (strcmp(name, types[i].name) == 0)
      return types[i].type;
  return TS_PLY_NONE;
}

static ts_status fail_line(const reader *r, const char *line) {
  return ts_fail(
      TS_E_INPUT,
      "%s, line %zu: \"%.60s\" is not known in a PLY header: write it again, or begin the "
      "line with comment if it is one",
      r->text->path, r->line, line);
}

/// The next line of the header, without its end, cut to what a known line has; false when the text
/// ends before it does.
static bool take_line(char out[LINE_BYTES], reader *r) {
  ts_mesh_text *text = r->text;
  const char *begin = text->at;
  r->line = text->line;
  ts_mesh_text_skip_line(text);
  if (text->at == text->end)
    return false;
  size_t length = (size_t)(text->at - begin);
  if (length >= LINE_BYTES)
    length = LINE_BYTES - 1;
  memcpy(out, begin, length);
  out[length] = '\0';
  ts_mesh_text_pass_line_end(text);
  return true;
}

static ts_ply_role role_of(const ts_ply_element *of, const ts_ply_property *p, const char *name) {
  if (strcmp(of->name, "vertex") == 0 && !p->count_type && name[1] == '\0' && *name >= 'x' &&
      *name <= 'z')
    return (ts_ply_role)(TS_PLY_X + (*name - 'x'));
  if (strcmp(of->name, "face") == 0 && p->count_type &&
      (strcmp(name, "vertex_indices") == 0 || strcmp(name, "vertex_index") == 0))
    return TS_PLY_CORNERS;
  return TS_PLY_OTHER;
}

static ts_status read_property(reader *r, const char *line) {
  char counter[16], type[16], name[32] = "";
  ts_ply_property added = {0};
  if (sscanf(line, "property list %15s %15s %31s", counter, type, name) == 3) {
    added.count_type = type_of(counter);
    added.type = added.count_type ? type_of(type) : TS_PLY_NONE;
  } else if (sscanf(line, "property %15s %31s", type, name) == 2) {
    added.type = type_of(type);
  }
  if (!added.type || r->out->element_count == 0)
    return fail_line(r, line);
  ts_ply_element *e = &r->out->elements[r->out->element_count - 1];
  added.role = role_of(e, &added, name);
  for (size_t i = 0; i < e->property_count && added.role != TS_PLY_OTHER; i++)
    if (e->properties[i].role == added.role)
      return ts_fail(TS_E_INPUT, "%s, line %zu: its faces or vertices have %s twice: leave one out",
                     r->text->path, r->line, name);
  TS_TRY(TS_ARENA_GROW(e->properties, e->property_capacity, e->property_count, 1, r->arena));
  e->properties[e->property_count++] = added;
  return TS_OK;
}

static ts_status read_element(reader *r, const char *line) {
  ts_ply_header *h = r->out;
  ts_ply_element added = {0};
  unsigned long long rows;
  if (sscanf(line, "element %31s %20llu", added.name, &rows) != 2)
    return fail_line(r, line);
  added.row_count = rows;
  for (size_t i = 0; i < h->element_count; i++)
    if (strcmp(h->elements[i].name, added.name) == 0)
      return ts_fail(TS_E_INPUT, "%s, line %zu: a second element %s: write it again", r->text->path,
                     r->line, added.name);
  TS_TRY(TS_ARENA_GROW(h->elements, h->element_capacity, h->element_count, 1, r->arena));
  h->elements[h->element_count++] = added;
  return TS_OK;
}

static ts_status read_line(reader *r, const char *line) {
  char word[32] = "";
  sscanf(line, "%31s", word);
  if (strcmp(word, "property") == 0)
    return read_property(r, line);
  if (strcmp(word, "element") == 0)
    return read_element(r, line);
  if (strcmp(word, "format") == 0) {
    if (sscanf(line, "format %31s", word) != 1)
      return fail_line(r, line);
    r->out->is_text = strcmp(word, "ascii") == 0;
    r->out->is_big = strcmp(word, "binary_big_endian") == 0;
    return r->out->is_text || r->out->is_big || strcmp(word, "binary_little_endian") == 0
               ? TS_OK
               : fail_line(r, line);
  }
  bool is_remark = strcmp(word, "comment") == 0 || strcmp(word, "obj_info") == 0 || *word == '\0';
  return is_remark ? TS_OK : fail_line(r, line);
}

static bool has_role(const ts_ply_header *h, ts_ply_role role) {
  for (size_t i = 0; i < h->element_count; i++)
    for (size_t k = 0; k < h->elements[i].property_count; k++)
      if (h->elements[i].properties[k].role == role)
        return true;
  return false;
}

static ts_status check_header(const reader *r) {
  const ts_ply_header *h = r->out;
  for (size_t i = 0; i < h->element_count; i++)
    if (h->elements[i].property_count == 0 && h->elements[i].row_count > 0)
      return ts_fail(
          TS_E_INPUT, "%s: its header announces %llu rows of %s without properties: write it again",
          r->text->path, (unsigned long long)h->elements[i].row_count, h->elements[i].name);
  if (!has_role(h, TS_PLY_X) || !has_role(h, TS_PLY_Y) || !has_role(h, TS_PLY_Z))
    return ts_fail(TS_E_INPUT,
                   "%s: its header has no element vertex with x, y and z: write it again",
                   r->text->path);
  if (!has_role(h, TS_PLY_CORNERS))
    return ts_fail(
        TS_E_INPUT,
        "%s: its header has no element face with a list vertex_indices: it is a cloud of "
        "points, or made of strips; write the surface of a closed body as triangles",
        r->text->path);
  return TS_OK;
}

ts_status ts_ply_read_header(ts_ply_header *out, ts_arena *arena, ts_mesh_text *text) {
  *out = (ts_ply_header){0};
  reader r = {.arena = arena, .text = text, .out = out};
  char line[LINE_BYTES];
  if (text->at == text->end)
    return ts_fail(TS_E_INPUT, "%s: it is empty", text->path);
  if (!take_line(line, &r) || strcmp(line, "ply") != 0)
    return ts_fail(TS_E_INPUT, "%s: it does not begin with \"ply\": is it of another format?",
                   text->path);
  while (take_line(line, &r)) {
    if (strcmp(line, "end_header") == 0)
      return check_header(&r);
    TS_TRY(read_line(&r, line));
  }
  return ts_fail(TS_E_INPUT, "%s: its header does not end: it is cut off, write it again",
                 text->path);
}
