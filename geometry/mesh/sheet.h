// SPDX-License-Identifier: MIT
/// Sheets: closed meshes whose upper side is an open surface, to the bit, and whose lower side is
/// out of the way, so that what works on closed meshes works on static ground.
#ifndef TS_GEOMETRY_SHEET_H
#define TS_GEOMETRY_SHEET_H

#include "base/arena.h"
#include "geometry/aabb.h"
#include "geometry/mesh/mesh.h"

#include <stdbool.h>

/// How a surface is closed.
typedef enum ts_sheet_form {
  TS_SHEET_CLOSED, ///< It is closed as it is.
  /// One surface: a copy of it moved against `up`, and walls along its border. It never meets
  /// itself, because all triangles face up.
  TS_SHEET_ONE,
  /// A prism below each triangle, for triangles that are not one surface (three at an edge, edges
  /// that end within others, turned neighbours).
  TS_SHEET_PRISMS,
  TS_SHEET_FORM_COUNT
} ts_sheet_form;

/// Their words in tables.
extern const char *const ts_sheet_form_words[TS_SHEET_FORM_COUNT];

typedef struct ts_sheet {
  ts_sheet_form form;
  /// Unit, local: the lower side is the upper one moved by -thickness_m * up. Zero where no
  /// direction has all triangles face it (TS_SHEET_UP_COSINE), as in a room: then each prism goes
  /// against the normal of its own triangle.
  ts_vec3 up_local;
  double thickness_m; ///< 0 of a closed surface
} ts_sheet;

/// An open surface as static ground has it: vertices at one place, to the bit, made one, those that
/// no triangle uses left out, and triangles left out that have no area (TS_DEGENERATE_TRIANGLE) or
/// are there already, `*out_dropped` of them. Copied into the arena. TS_E_INPUT with the number of
/// the triangle or the vertex: indices out of range, coordinates that are not finite; no triangle
/// left.
ts_status ts_open_mesh_clean(ts_open_mesh *out, size_t *out_dropped, ts_arena *arena,
                             const ts_open_mesh *mesh);

/// The direction that all triangles face, by TS_SHEET_UP_COSINE at least: that of the sum of their
/// areas. False, and zero, where they do not.
bool ts_open_mesh_up(ts_vec3 *out, const ts_open_mesh *mesh);

/// The farthest that any vertex is along a direction [m].
double ts_open_mesh_top(const ts_open_mesh *mesh, ts_vec3 direction);

/// Closes a clean surface. In: `thickness_m`, above 0, and `up_local`; out: the form, and the
/// thickness, which is less where the sheet would come out of the outer side of the surface
/// elsewhere, or take the room of bodies below it (ts_sheet_limit). Surfaces closer than `layer_m`
/// [m] behind each other count as one, the outer.
///
/// Time grows with n log n of n triangles, and memory with n. TS_E_INPUT with the triangles: two of
/// them meet in a ridge sharper than a right angle, and no direction has all triangles face it, so
/// that no prism behind one stays behind the other.
ts_status ts_sheet_create(ts_mesh **out, ts_sheet *sheet, ts_arena *arena, const ts_open_mesh *mesh,
                          double layer_m);

/// The prism below triangle `triangle` of a sheet that is not closed: convex, and together they
/// fill the sheet. They do not overlap where the sheet has an up.
ts_status ts_sheet_prism(ts_mesh **out, ts_arena *arena, const ts_sheet *sheet,
                         const ts_open_mesh *mesh, size_t triangle);

#endif
