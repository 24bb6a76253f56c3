// SPDX-License-Identifier: MIT
/// The parts of a glTF 2.0 file: arrays, meshes, materials and nodes, collected and then written as
/// one JSON document with an embedded buffer. Used by reports/export/gltf.c.
#ifndef TS_REPORTS_GLTF_PARTS_H
#define TS_REPORTS_GLTF_PARTS_H

#include "base/types.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/// A file under construction. Functions return the index of what they add; an index of -1 means
/// none.
typedef struct ts_gltf {
  FILE *buffer; ///< a memory stream
  char *bytes;
  size_t byte_count;
  json_t *views, *accessors, *materials, *meshes, *nodes, *roots;
  json_t *samplers, *channels; ///< of the one animation
  bool is_out_of_memory;       ///< If set, ts_gltf_end() fails; until then any part may be NULL.
} ts_gltf;

/// Primitive mode of a mesh, with the values of the format.
enum { TS_GLTF_POINTS = 0, TS_GLTF_LINES = 1, TS_GLTF_TRIANGLES = 4 };

/// Lengths of an arrow and a marker, relative to the size of a body.
#define TS_GLTF_ARROW_SIZE  0.2
#define TS_GLTF_MARKER_SIZE 0.04

/// Whether a file that begins with these bytes was written here: [count], of at least
/// TS_GLTF_START_BYTES unless it has fewer.
#define TS_GLTF_START_BYTES 64
bool ts_gltf_is_ours(const char *bytes, size_t count);

ts_status ts_gltf_start(ts_gltf *out);

int64_t ts_gltf_add_points(ts_gltf *g, const ts_vec3 *points, size_t count);
/// Numbers of an animation, `components` (1, 3 or 4) each: [components * count]. Bounds are told,
/// as the format wants them of times.
int64_t ts_gltf_add_reals(ts_gltf *g, const double *values, size_t count, int components);

int64_t ts_gltf_add_indices(ts_gltf *g, const uint32_t *indices, size_t count);

/// A matt, double-sided surface. An `opacity` below 1 makes it transparent.
int64_t ts_gltf_add_material(ts_gltf *g, const char *name, const uint8_t rgb[3], double opacity);

/// A mesh without normals, so that viewers use flat shading.
int64_t ts_gltf_add_mesh(ts_gltf *g, const char *name, int mode, int64_t points, int64_t indices,
                         int64_t material);

/// Gives the last mesh further positions of its points, each as displacements from the first ones:
/// accessors [count] of ts_gltf_add_points(). None of them counts until a node is animated by its
/// "weights".
void ts_gltf_add_morphs(ts_gltf *g, const int64_t *displacements, size_t count);

/// An arrow from the origin to (0, 1, 0), and an octahedron of radius 1.
int64_t ts_gltf_add_arrow(ts_gltf *g, const char *name, int64_t material);
int64_t ts_gltf_add_marker(ts_gltf *g, const char *name, int64_t material);

/// A node that has not been added to the file yet.
json_t *ts_gltf_node(ts_gltf *g, const char *name, int64_t mesh);
void ts_gltf_place(ts_gltf *g, json_t *node, ts_vec3 translation, ts_quat rotation, double scale);
int64_t ts_gltf_add_node(ts_gltf *g, json_t *node);

/// The same colour for a body in each file: neighbours in index differ.
void ts_gltf_body_colour(uint8_t rgb[3], size_t index);

/// A node with an arrow or a marker at a place; an arrow is turned along a direction, which need
/// not be unit, and is zero for a marker.
json_t *ts_gltf_arrow_node(ts_gltf *g, const char *name, int64_t mesh, ts_vec3 at, ts_vec3 along,
                           double size_m);

/// Moves a node: its "translation", "rotation", "scale" or "weights" at the times [s] of the
/// accessor `times` has the values of `values`; between them it is interpolated, or jumps.
void ts_gltf_animate(ts_gltf *g, int64_t node, const char *path, int64_t times, int64_t values,
                     bool jumps);

/// Appends the index of a node to a list of children.
void ts_gltf_adopt(ts_gltf *g, json_t *children, int64_t node);

/// Adds a node with these children (takes ownership) to the list `siblings`; does nothing without
/// children, because the format does not allow empty lists.
void ts_gltf_add_group(ts_gltf *g, const char *name, json_t *children, json_t *siblings);

/// Writes the file and frees everything, also on failure.
ts_status ts_gltf_end(FILE *file, ts_gltf *g, const char *scene_name);

#endif
