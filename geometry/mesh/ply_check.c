// SPDX-License-Identifier: MIT
#include "geometry/mesh/ply_check.h"

#include "base/status.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define PROPERTIES_MAX 64
#define ELEMENTS_MAX   16
#define LINE_BYTES     256 // of a header; longer ones are comments

typedef struct property {
  unsigned count_bytes; ///< of a list: size of what counts its entries; else 0
  unsigned bytes;       ///< size of a value
} property;

typedef struct element {
  unsigned long long row_count;
  size_t property_count;
  property properties[PROPERTIES_MAX];
} element;

typedef struct ply {
  const char *path;
  const char *next, *end; ///< what is left of the file
  bool is_text, is_big;
  size_t element_count;
  element elements[ELEMENTS_MAX];
} ply;

/// 0 for an unknown name.
static unsigned size_of_type(const char *name) {
  static const struct {
    const char *name;
    unsigned bytes;
  } types[] = {{"char", 1},  {"uchar", 1},   {"int8", 1},   {"uint8", 1},
               {"short", 2}, {"ushort", 2},  {"int16", 2},  {"uint16", 2},
               {"int", 4},   {"uint", 4},    {"int32", 4},  {"uint32", 4},
               {"float", 4}, {"float32", 4}, {"double", 8}, {"float64", 8}};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (strcmp(name, types[i].name) == 0)
      return types[i].bytes;
  return 0;
}

static ts_status fail_header(const ply *p, const char *line) {
  return ts_fail(TS_E_INPUT,
                 "%s: its header has the line \"%.60s\", which is not known: write it "
                 "again",
                 p->path, line);
}

/// Reads a line of the header, without its end; false when there is none left.
static bool take_line(char out[LINE_BYTES], ply *p) {
  const char *newline = memchr(p->next, '\n', (size_t)(p->end - p->next));
  if (!newline)
    return false;
  size_t length = (size_t)(newline - p->next);
  if (length > 0 && p->next[length - 1] == '\r')
    length--;
  if (length >= LINE_BYTES)
    length = LINE_BYTES - 1;
  memcpy(out, p->next, length);
  out[length] = '\0';
  p->next = newline + 1;
  return true;
}

static ts_status read_property(ply *p, const char *line) {
  char counter[16], type[16];
  property added = {0};
  if (sscanf(line, "property list %15s %15s", counter, type) == 2) {
    added = (property){size_of_type(counter), size_of_type(type)};
    if (!added.count_bytes)
      return fail_header(p, line);
  } else if (sscanf(line, "property %15s", type) == 1) {
    added.bytes = size_of_type(type);
  }
  element *e = p->element_count ? &p->elements[p->element_count - 1] : NULL;
  if (!added.bytes || !e || e->property_count == PROPERTIES_MAX)
    return fail_header(p, line);
  e->properties[e->property_count++] = added;
  return TS_OK;
}

static ts_status read_line(ply *p, const char *line) {
  char word[32] = "";
  sscanf(line, "%31s", word);
  if (strcmp(word, "property") == 0)
    return read_property(p, line);
  if (strcmp(word, "element") == 0) {
    element *e = &p->elements[p->element_count];
    if (p->element_count == ELEMENTS_MAX || sscanf(line, "element %*s %20llu", &e->row_count) != 1)
      return fail_header(p, line);
    p->element_count++;
    return TS_OK;
  }
  if (strcmp(word, "format") == 0) {
    if (sscanf(line, "format %31s", word) != 1)
      return fail_header(p, line);
    p->is_text = strcmp(word, "ascii") == 0;
    p->is_big = strcmp(word, "binary_big_endian") == 0;
    return p->is_text || p->is_big || strcmp(word, "binary_little_endian") == 0
               ? TS_OK
               : fail_header(p, line);
  }
  bool is_remark = strcmp(word, "comment") == 0 || strcmp(word, "obj_info") == 0 || *word == '\0';
  return is_remark ? TS_OK : fail_header(p, line);
}

static ts_status read_header(ply *p) {
  char line[LINE_BYTES];
  if (!take_line(line, p) || strcmp(line, "ply") != 0)
    return ts_fail(TS_E_INPUT, "%s: it does not begin with \"ply\": is it of another format?",
                   p->path);
  while (take_line(line, p)) {
    if (strcmp(line, "end_header") == 0)
      return TS_OK;
    TS_TRY(read_line(p, line));
  }
  return ts_fail(TS_E_INPUT, "%s: its header does not end: it is cut off, write it again", p->path);
}

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/// Takes one value of text, a whole number when it counts something; false when none is left.
static bool take_word(unsigned long long *out, ply *p) {
  while (p->next < p->end && is_blank(*p->next))
    p->next++;
  const char *begin = p->next;
  *out = 0;
  for (; p->next < p->end && !is_blank(*p->next); p->next++)
    if (*p->next >= '0' && *p->next <= '9' && *out < (1ull << 40))
      *out = 10 * *out + (unsigned long long)(*p->next - '0');
  return p->next > begin;
}

static bool take_binary(unsigned long long *out, ply *p, unsigned bytes) {
  if ((size_t)(p->end - p->next) < bytes)
    return false;
  *out = 0;
  for (unsigned i = 0; i < bytes; i++)
    *out = *out << 8 | (uint8_t)p->next[p->is_big ? i : bytes - 1 - i];
  p->next += bytes;
  return true;
}

static bool take(unsigned long long *out, ply *p, unsigned bytes) {
  return p->is_text ? take_word(out, p) : take_binary(out, p, bytes);
}

static bool take_row(ply *p, const element *e) {
  for (size_t i = 0; i < e->property_count; i++) {
    const property *q = &e->properties[i];
    unsigned long long count = 1, value;
    if (q->count_bytes && !take(&count, p, q->count_bytes))
      return false;
    for (; count > 0; count--)
      if (!take(&value, p, q->bytes))
        return false;
  }
  return true;
}

ts_status ts_ply_check(const char *path, const char *bytes, size_t count) {
  ply p = {.path = path, .next = bytes, .end = bytes + count};
  TS_TRY(read_header(&p));
  for (size_t i = 0; i < p.element_count; i++) {
    const element *e = &p.elements[i];
    // Empty rows take no bytes, and assimp would count all of them.
    if (e->property_count == 0 && e->row_count > 0)
      return ts_fail(TS_E_INPUT,
                     "%s: its header announces %llu rows without properties: it is damaged, write "
                     "it again",
                     path, e->row_count);
    for (unsigned long long row = 0; row < e->row_count; row++)
      if (!take_row(&p, e))
        return ts_fail(TS_E_INPUT,
                       "%s: its header announces %llu rows where the file has %llu: it is cut off "
                       "or damaged, write it again",
                       path, e->row_count, row);
  }
  return TS_OK;
}
