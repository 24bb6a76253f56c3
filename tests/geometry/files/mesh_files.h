// SPDX-License-Identifier: MIT
/// Mesh files made on the spot, as other programs write them.
#ifndef TS_TESTS_GEOMETRY_MESH_FILES_H
#define TS_TESTS_GEOMETRY_MESH_FILES_H

#include "geometry/triangles.h"

typedef struct mesh_file {
  uint8_t *bytes; ///< [count], in the arena
  size_t count, capacity;
} mesh_file;

/// Vertices at floats and the triangles between them.
typedef struct mesh_source {
  size_t vertex_count, triangle_count;
  float (*vertices)[3];
  uint32_t (*triangles)[3];
} mesh_source;

mesh_source source_of_box(ts_arena *arena);
/// A torus of 10,000 triangles.
mesh_source source_of_torus(ts_arena *arena);

typedef struct file_form {
  const char *path; ///< a name of that format
  mesh_file (*write)(ts_arena *arena, const mesh_source *source);
} file_form;

#define FILE_FORM_COUNT 7
extern const file_form file_forms[FILE_FORM_COUNT];

void add_bytes(mesh_file *file, ts_arena *arena, const void *bytes, size_t count);
void add_text(mesh_file *file, ts_arena *arena, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/// A parser of a format, such as ts_ply_parse().
typedef ts_status mesh_parser(ts_triangles *out, ts_arena *arena, const char *path,
                              const char *bytes, size_t count);

/// Parses a copy that is exactly as long as the bytes: a reader that looks behind the end is caught
/// by the sanitizer.
ts_status parse_exactly(ts_triangles *out, ts_arena *arena, mesh_parser *parse, const char *path,
                        const void *bytes, size_t count);

/// Parses a text, which must be fine.
ts_triangles parse_fine(ts_arena *arena, mesh_parser *parse, const char *path, const char *text);

/// Expects that a text is refused in these words.
void expect_text_refused(ts_arena *arena, mesh_parser *parse, const char *path, const char *text,
                         const char *words);

/// A glTF whose nodes, from the member on, are `nodes`; its only mesh is the source.
mesh_file write_gltf_nodes(ts_arena *arena, const mesh_source *source, const char *nodes);

/// A glTF whose only mesh is the source, with its buffer in another file.
mesh_file write_gltf_uri(ts_arena *arena, const mesh_source *source, const char *uri);

/// What is in that file.
mesh_file write_gltf_buffer(ts_arena *arena, const mesh_source *source);

#endif
