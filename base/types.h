// SPDX-License-Identifier: MIT
/// Plain types that every folder and every plug-in shares. This header compiles alone as C11 and as
/// C++17 and needs nothing but the C library.
///
/// Units are SI. Frames are world unless a name ends in `_local`. Matrices do not appear.
#ifndef TS_BASE_TYPES_H
#define TS_BASE_TYPES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The result of a function. Zero is success, positive is "skipped, for a good reason", negative is
/// an error; for the latter two there is a detail line (see base/status.h, or ts_host::fail).
typedef int32_t ts_status;
enum {
  TS_OK = 0,
  TS_SKIPPED = 1,       ///< Does not apply here; the detail line says why.
  TS_E_INPUT = -1,      ///< Invalid input from a user, a file, a case or a method.
  TS_E_MEMORY = -2,     ///< Out of memory.
  TS_E_IO = -3,         ///< A file could not be read or written.
  TS_E_UNSUPPORTED = -4 ///< Valid, but this build or this method cannot do it.
};

typedef struct ts_vec3 {
  double x, y, z;
} ts_vec3;

/// Unit quaternion, w the scalar part.
typedef struct ts_quat {
  double w, x, y, z;
} ts_quat;

/// Rigid transform from a body's local frame to the world: p_world = rotate(rotation, p_local) +
/// translation.
typedef struct ts_pose {
  ts_quat rotation;
  ts_vec3 translation;
} ts_pose;

/// Motion of a body: velocity of its local origin and angular velocity, both in the world frame.
typedef struct ts_twist {
  ts_vec3 linear_m_s;
  ts_vec3 angular_rad_s;
} ts_twist;

/// What the triangles of a mesh represent.
typedef enum ts_geometry_kind {
  TS_GEOMETRY_MESH = 0,        ///< The solid inside them.
  TS_GEOMETRY_SPHERE = 1,      ///< radius_m
  TS_GEOMETRY_CAPSULE = 2,     ///< radius_m, half_length_m: between the centres of its caps
  TS_GEOMETRY_CYLINDER = 3,    ///< radius_m, half_length_m
  TS_GEOMETRY_CONE = 4,        ///< radius_m of its base at -half_length_m, apex at +half_length_m
  TS_GEOMETRY_BOX = 5,         ///< half_size_m
  TS_GEOMETRY_PLANE = 6,       ///< all that is not above y = 0
  TS_GEOMETRY_HEIGHTFIELD = 7, ///< all that is below its surface
  TS_GEOMETRY_SURFACE = 8      ///< all that is behind the outer side of its triangles
} ts_geometry_kind;

/// Their words in scene files and tables, in this order: ts_geometry_words
/// (base/geometry_kind.h).
#define TS_GEOMETRY_KIND_COUNT 9
#define TS_GEOMETRY_WORDS                                                                          \
  { "mesh", "sphere", "capsule", "cylinder", "cone", "box", "plane", "heightfield", "surface" }

/// Triangles that need not be closed, in the local frame [m]; counter-clockwise seen from the side
/// that is outside.
typedef struct ts_open_mesh {
  size_t vertex_count;
  const ts_vec3 *vertices; ///< [vertex_count]
  size_t triangle_count;
  const uint32_t (*triangles)[3]; ///< [triangle_count]
} ts_open_mesh;

/// A grid of heights along y, centred at the local origin. Vertex (row, column) of `row_count` x
/// `column_count` is at x = (column - (column_count - 1) / 2) * spacing_x_m, z = (row - (row_count
/// - 1) / 2) * spacing_z_m; each cell is cut from its corner (row, column) to (row + 1, column +
/// 1).
typedef struct ts_heightfield {
  size_t row_count, column_count; ///< 2 or more
  const double *heights_m;        ///< [row_count * column_count], row by row
  double spacing_x_m, spacing_z_m;
} ts_heightfield;

/// The exact shape that a mesh represents, in the mesh's frame; its axis, where it has one, is y.
/// Those from TS_GEOMETRY_PLANE on are static ground: solid below, without end, and always fixed.
typedef struct ts_geometry {
  uint32_t struct_size;
  int32_t kind;         ///< ts_geometry_kind; the members that it does not name are 0
  double radius_m;      ///< above 0
  double half_length_m; ///< above 0
  ts_vec3 half_size_m;  ///< above 0
  const ts_heightfield *heightfield;
  const ts_open_mesh *surface; ///< of TS_GEOMETRY_SURFACE, and the triangles of a height field
  /// How far off the mesh is: no point of the surface of either is farther than this from the other
  /// (of ground: from its upper side), and no normal is turned by more. The mesh contains the
  /// shape, so that what touches the shape touches the mesh.
  double mesh_error_m, mesh_angle_rad;
} ts_geometry;

/// A closed triangle mesh, optionally filled with tetrahedra, in the local frame [m]. A borrowed
/// view: its maker owns the arrays.
///
/// Triangles are counter-clockwise seen from outside. Half-edge h = 3 t + i is the directed edge
/// from corner i to corner (i + 1) % 3 of triangle t; `edge_twin[h]` is the half-edge on the other
/// side. The id of an edge is the smaller of its two half-edges.
typedef struct ts_mesh {
  size_t vertex_count;
  const ts_vec3 *vertices; ///< [vertex_count]
  size_t triangle_count;
  const uint32_t (*triangles)[3]; ///< [triangle_count]
  const uint32_t *edge_twin;      ///< [3 * triangle_count]
  size_t tet_count;               ///< 0 when the mesh has a surface only
  const uint32_t (*tets)[4];      ///< [tet_count], positive volume
  const uint8_t *tet_surface; ///< [tet_count], bit i: the face opposite node i is on the surface
  /// What the triangles represent; NULL: the solid inside them. Since version 3 of the interface
  /// (ts_host::abi). Only methods are given one.
  const ts_geometry *geometry;
} ts_mesh;

typedef enum ts_feature_kind {
  TS_FEATURE_NONE = 0,
  TS_FEATURE_VERTEX = 1,
  TS_FEATURE_EDGE = 2,
  TS_FEATURE_FACE = 3
} ts_feature_kind;

/// Their words in columns, in this order: ts_feature_words (base/feature.h).
#define TS_FEATURE_KIND_COUNT 4
#define TS_FEATURE_WORDS                                                                           \
  { "none", "vertex", "edge", "face" }

/// The mesh feature that caused a contact: a vertex, an edge id or a triangle of the body's mesh.
typedef struct ts_feature {
  int32_t kind;   ///< ts_feature_kind
  uint32_t index; ///< 0 for TS_FEATURE_NONE
} ts_feature;

/// Where two bodies touch. Geometry only, nothing about a solver.
typedef struct ts_contact {
  ts_vec3 point;  ///< World [m], midway between the two surfaces.
  ts_vec3 normal; ///< World, unit, from body a to body b.
  double gap_m;   ///< Negative when overlapping, zero touching, positive apart.
  double area_m2; ///< Area that the contact represents; NaN when the method provides none.
  ts_feature feature_a, feature_b;
  /// Contacts of one pair with the same number above 0 are alternatives: any one of them is enough,
  /// and a motion is blocked when it violates them all. 0: needed by itself.
  uint32_t group;
  uint32_t reserved; ///< 0
} ts_contact;

typedef enum ts_param_kind {
  TS_PARAM_REAL = 0,
  TS_PARAM_INTEGER = 1,
  TS_PARAM_CHOICE = 2 ///< The value is the index into `choices`.
} ts_param_kind;

/// Describes one parameter of a case, of a method or of the scoring. Values travel as an array of
/// doubles in the order of the descriptors.
typedef struct ts_param {
  const char *name;    ///< [a-z0-9_]+, with its unit as suffix; never renamed.
  const char *summary; ///< One sentence.
  int32_t kind;        ///< ts_param_kind
  int32_t is_length;   ///< Nonzero: given for scale 1, multiplied by the case's scale before use.
  double default_value;
  double minimum, maximum;    ///< Inclusive; ignored for choices.
  const char *const *choices; ///< NULL-terminated, for TS_PARAM_CHOICE; else NULL.
} ts_param;

#ifdef __cplusplus
}
#endif

#endif
