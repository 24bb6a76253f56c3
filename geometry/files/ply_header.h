// SPDX-License-Identifier: MIT
/// The header of a PLY file: what its rows hold.
#ifndef TS_GEOMETRY_PLY_HEADER_H
#define TS_GEOMETRY_PLY_HEADER_H

#include "base/arena.h"
#include "geometry/files/mesh_text.h"

typedef enum ts_ply_type {
  TS_PLY_NONE = 0,
  TS_PLY_I8,
  TS_PLY_U8,
  TS_PLY_I16,
  TS_PLY_U16,
  TS_PLY_I32,
  TS_PLY_U32,
  TS_PLY_F32,
  TS_PLY_F64
} ts_ply_type;

/// What a property is to us.
typedef enum ts_ply_role { TS_PLY_X, TS_PLY_Y, TS_PLY_Z, TS_PLY_CORNERS, TS_PLY_OTHER } ts_ply_role;

typedef struct ts_ply_property {
  ts_ply_role role;
  ts_ply_type count_type; ///< of a list: of what counts its entries; else TS_PLY_NONE
  ts_ply_type type;       ///< of a value
} ts_ply_property;

typedef struct ts_ply_element {
  char name[32]; ///< for messages
  uint64_t row_count;
  size_t property_count, property_capacity;
  ts_ply_property *properties;
} ts_ply_element;

typedef struct ts_ply_header {
  bool is_text, is_big;
  size_t element_count, element_capacity;
  ts_ply_element *elements;
} ts_ply_header;

/// Reads the header, and leaves `text` at the first byte of the rows. In the arena. Exactly one
/// element has the roles x, y and z, and exactly one has corners. TS_E_INPUT, with path and line:
/// see ts_ply_parse().
ts_status ts_ply_read_header(ts_ply_header *out, ts_arena *arena, ts_mesh_text *text);

#endif
