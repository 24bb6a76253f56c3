// SPDX-License-Identifier: MIT
#include "tests/geometry/files/mesh_files.h"

#include "base/array.h"
#include "base/status.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RINGS 100
#define SIDES 50

void add_bytes(mesh_file *file, ts_arena *arena, const void *bytes, size_t count) {
  cr_assert_eq(TS_ARENA_GROW(file->bytes, file->capacity, file->count, count, arena), TS_OK);
  memcpy(file->bytes + file->count, bytes, count);
  file->count += count;
}

void add_text(mesh_file *file, ts_arena *arena, const char *format, ...) {
  char line[1024];
  va_list arguments;
  va_start(arguments, format);
  int count = vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  cr_assert(count >= 0 && (size_t)count < sizeof line);
  add_bytes(file, arena, line, (size_t)count);
}

mesh_source source_of_box(ts_arena *arena) {
  static const uint32_t triangles[12][3] = {{0, 2, 1}, {0, 3, 2}, {4, 5, 6}, {4, 6, 7},
                                            {0, 1, 5}, {0, 5, 4}, {1, 2, 6}, {1, 6, 5},
                                            {2, 3, 7}, {2, 7, 6}, {3, 0, 4}, {3, 4, 7}};
  mesh_source s = {.vertex_count = 8, .triangle_count = 12};
  s.vertices = ts_arena_array(arena, 8, sizeof *s.vertices);
  s.triangles = ts_arena_array(arena, 12, sizeof *s.triangles);
  for (int i = 0; i < 8; i++) {
    s.vertices[i][0] = i % 4 == 1 || i % 4 == 2 ? 0.1f : -0.3f;
    s.vertices[i][1] = i % 4 >= 2 ? 1.0f / 3 : -0.0f;
    s.vertices[i][2] = i >= 4 ? 0.7f : -1e-3f;
  }
  memcpy(s.triangles, triangles, sizeof triangles);
  return s;
}

mesh_source source_of_torus(ts_arena *arena) {
  mesh_source s = {.vertex_count = RINGS * SIDES, .triangle_count = 2 * RINGS * SIDES};
  s.vertices = ts_arena_array(arena, s.vertex_count, sizeof *s.vertices);
  s.triangles = ts_arena_array(arena, s.triangle_count, sizeof *s.triangles);
  size_t t = 0;
  for (uint32_t i = 0; i < RINGS; i++)
    for (uint32_t k = 0; k < SIDES; k++) {
      double u = 2 * M_PI * i / RINGS, v = 2 * M_PI * k / SIDES, r = 1 + 0.3 * cos(v);
      float *p = s.vertices[i * SIDES + k];
      p[0] = (float)(r * cos(u));
      p[1] = (float)(r * sin(u));
      p[2] = (float)(0.3 * sin(v));
      uint32_t a = i * SIDES + k, b = (i + 1) % RINGS * SIDES + k;
      uint32_t c = (i + 1) % RINGS * SIDES + (k + 1) % SIDES, d = i * SIDES + (k + 1) % SIDES;
      memcpy(s.triangles[t++], (uint32_t[]){a, b, c}, 12);
      memcpy(s.triangles[t++], (uint32_t[]){a, c, d}, 12);
    }
  return s;
}

static mesh_file write_stl(ts_arena *arena, const mesh_source *s) {
  mesh_file f = {0};
  add_bytes(&f, arena, (char[80]){"binary"}, 80);
  add_bytes(&f, arena, &(uint32_t){(uint32_t)s->triangle_count}, 4);
  for (size_t t = 0; t < s->triangle_count; t++) {
    add_bytes(&f, arena, (float[3]){0, 0, 0}, 12);
    for (int i = 0; i < 3; i++)
      add_bytes(&f, arena, s->vertices[s->triangles[t][i]], 12);
    add_bytes(&f, arena, (char[2]){0}, 2);
  }
  return f;
}

static mesh_file write_stl_text(ts_arena *arena, const mesh_source *s) {
  mesh_file f = {0};
  add_text(&f, arena, "solid made\n");
  for (size_t t = 0; t < s->triangle_count; t++) {
    add_text(&f, arena, "facet normal 0 0 0\nouter loop\n");
    for (int i = 0; i < 3; i++) {
      const float *p = s->vertices[s->triangles[t][i]];
      add_text(&f, arena, "vertex %.9g %.9g %.9g\n", p[0], p[1], p[2]);
    }
    add_text(&f, arena, "endloop\nendfacet\n");
  }
  add_text(&f, arena, "endsolid made\n");
  return f;
}

static void write_ply_head(mesh_file *f, ts_arena *arena, const char *format,
                           const mesh_source *s) {
  add_text(f, arena,
           "ply\nformat %s 1.0\nelement vertex %zu\nproperty float x\nproperty float y\n"
           "property float z\nelement face %zu\nproperty list uchar int vertex_indices\n"
           "end_header\n",
           format, s->vertex_count, s->triangle_count);
}

static void add_word(mesh_file *f, ts_arena *arena, uint32_t word, int is_big) {
  uint8_t bytes[4];
  for (int i = 0; i < 4; i++)
    bytes[is_big ? 3 - i : i] = (uint8_t)(word >> 8 * i);
  add_bytes(f, arena, bytes, 4);
}

static mesh_file write_ply_binary(ts_arena *arena, const mesh_source *s, int is_big) {
  mesh_file f = {0};
  write_ply_head(&f, arena, is_big ? "binary_big_endian" : "binary_little_endian", s);
  for (size_t v = 0; v < s->vertex_count; v++)
    for (int i = 0; i < 3; i++) {
      uint32_t word;
      memcpy(&word, &s->vertices[v][i], 4);
      add_word(&f, arena, word, is_big);
    }
  for (size_t t = 0; t < s->triangle_count; t++) {
    add_bytes(&f, arena, "\3", 1);
    for (int i = 0; i < 3; i++)
      add_word(&f, arena, s->triangles[t][i], is_big);
  }
  return f;
}

static mesh_file write_ply_little(ts_arena *arena, const mesh_source *s) {
  return write_ply_binary(arena, s, 0);
}

static mesh_file write_ply_big(ts_arena *arena, const mesh_source *s) {
  return write_ply_binary(arena, s, 1);
}

static mesh_file write_ply_text(ts_arena *arena, const mesh_source *s) {
  mesh_file f = {0};
  write_ply_head(&f, arena, "ascii", s);
  for (size_t v = 0; v < s->vertex_count; v++)
    add_text(&f, arena, "%.9g %.9g %.9g\n", s->vertices[v][0], s->vertices[v][1],
             s->vertices[v][2]);
  for (size_t t = 0; t < s->triangle_count; t++)
    add_text(&f, arena, "3 %u %u %u\n", s->triangles[t][0], s->triangles[t][1], s->triangles[t][2]);
  return f;
}

mesh_file write_gltf_buffer(ts_arena *arena, const mesh_source *s) {
  mesh_file f = {0};
  add_bytes(&f, arena, s->vertices, 12 * s->vertex_count);
  add_bytes(&f, arena, s->triangles, 12 * s->triangle_count);
  return f;
}

static void add_base64(mesh_file *f, ts_arena *arena, const mesh_file *in) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  cr_assert(in->count % 3 == 0);
  for (size_t i = 0; i < in->count; i += 3) {
    uint32_t w = (uint32_t)in->bytes[i] << 16 | (uint32_t)in->bytes[i + 1] << 8 | in->bytes[i + 2];
    add_bytes(f, arena,
              (char[4]){digits[w >> 18], digits[w >> 12 & 63], digits[w >> 6 & 63], digits[w & 63]},
              4);
  }
}

/// All of the JSON but the buffer's uri, which is at `split`.
static void add_gltf_head(mesh_file *f, ts_arena *arena, const mesh_source *s, const char *nodes) {
  add_text(f, arena, "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],");
  add_bytes(f, arena, nodes, strlen(nodes));
  add_text(f, arena,
           ",\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]}],"
           "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":%zu,\"type\":"
           "\"VEC3\",\"min\":[-9,-9,-9],\"max\":[9,9,9]},{\"bufferView\":1,\"componentType\":5125,"
           "\"count\":%zu,\"type\":\"SCALAR\"}],"
           "\"bufferViews\":[{\"buffer\":0,\"byteOffset\":0,\"byteLength\":%zu},{\"buffer\":0,"
           "\"byteOffset\":%zu,\"byteLength\":%zu}],\"buffers\":[{\"byteLength\":%zu",
           s->vertex_count, 3 * s->triangle_count, 12 * s->vertex_count, 12 * s->vertex_count,
           12 * s->triangle_count, 12 * (s->vertex_count + s->triangle_count));
}

mesh_file write_gltf_nodes(ts_arena *arena, const mesh_source *s, const char *nodes) {
  mesh_file f = {0}, buffer = write_gltf_buffer(arena, s);
  add_gltf_head(&f, arena, s, nodes);
  add_text(&f, arena, ",\"uri\":\"data:application/octet-stream;base64,");
  add_base64(&f, arena, &buffer);
  add_text(&f, arena, "\"}]}");
  return f;
}

mesh_file write_gltf_uri(ts_arena *arena, const mesh_source *s, const char *uri) {
  mesh_file f = {0};
  add_gltf_head(&f, arena, s, "\"nodes\":[{\"mesh\":0}]");
  add_text(&f, arena, ",\"uri\":\"");
  add_bytes(&f, arena, uri, strlen(uri));
  add_text(&f, arena, "\"}]}");
  return f;
}

static mesh_file write_gltf(ts_arena *arena, const mesh_source *s) {
  return write_gltf_nodes(arena, s, "\"nodes\":[{\"mesh\":0}]");
}

static mesh_file write_glb(ts_arena *arena, const mesh_source *s) {
  mesh_file json = {0}, buffer = write_gltf_buffer(arena, s), f = {0};
  add_gltf_head(&json, arena, s, "\"nodes\":[{\"mesh\":0}]");
  add_text(&json, arena, "}]}");
  while (json.count % 4 != 0)
    add_text(&json, arena, " ");
  add_bytes(&f, arena, "glTF", 4);
  add_word(&f, arena, 2, 0);
  add_word(&f, arena, (uint32_t)(12 + 8 + json.count + 8 + buffer.count), 0);
  add_word(&f, arena, (uint32_t)json.count, 0);
  add_bytes(&f, arena, "JSON", 4);
  add_bytes(&f, arena, json.bytes, json.count);
  add_word(&f, arena, (uint32_t)buffer.count, 0);
  add_bytes(&f, arena, "BIN\0", 4);
  add_bytes(&f, arena, buffer.bytes, buffer.count);
  return f;
}

const file_form file_forms[FILE_FORM_COUNT] = {
    {"binary.stl", write_stl},    {"text.STL", write_stl_text}, {"little.ply", write_ply_little},
    {"big.ply", write_ply_big},   {"text.ply", write_ply_text}, {"data.gltf", write_gltf},
    {"in/folder.glb", write_glb},
};

ts_status parse_exactly(ts_triangles *out, ts_arena *arena, mesh_parser *parse, const char *path,
                        const void *bytes, size_t count) {
  char *exact = malloc(count ? count : 1);
  memcpy(exact, bytes, count);
  ts_status status = parse(out, arena, path, exact, count);
  free(exact);
  return status;
}

ts_triangles parse_fine(ts_arena *arena, mesh_parser *parse, const char *path, const char *text) {
  ts_triangles read = {0};
  cr_assert_eq(parse_exactly(&read, arena, parse, path, text, strlen(text)), TS_OK, "%s",
               ts_status_detail());
  return read;
}

void expect_text_refused(ts_arena *arena, mesh_parser *parse, const char *path, const char *text,
                         const char *words) {
  ts_triangles read;
  cr_expect_eq(parse_exactly(&read, arena, parse, path, text, strlen(text)), TS_E_INPUT, "%s",
               words);
  cr_expect(strstr(ts_status_detail(), words), "%s: %s", words, ts_status_detail());
}
