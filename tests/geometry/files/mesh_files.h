// SPDX-License-Identifier: MIT
/// Mesh files made on the spot, as other programs write them.
#ifndef TS_TESTS_GEOMETRY_MESH_FILES_H
#define TS_TESTS_GEOMETRY_MESH_FILES_H

#include "base/arena.h"

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

/// A glTF whose nodes, from the member on, are `nodes`; its only mesh is the source.
mesh_file write_gltf_nodes(ts_arena *arena, const mesh_source *source, const char *nodes);

/// A glTF whose only mesh is the source, with its buffer in another file.
mesh_file write_gltf_uri(ts_arena *arena, const mesh_source *source, const char *uri);

/// What is in that file.
mesh_file write_gltf_buffer(ts_arena *arena, const mesh_source *source);

#endif
