// SPDX-License-Identifier: MIT
/// The volume of the overlap of two closed meshes without pixels: an oracle for ldi/, which it does
/// not use.
///
/// A solid is a sum of signed tets: its own where its mesh has them, else the cones over its
/// triangles from its first vertex (where the mesh winds round a point once, the signs of the cones
/// that hold the point sum to one). The overlap is the sum over pairs of tets of the signed volume
/// they share, and that is found by cutting one tet with the four planes of the other into smaller
/// tets. Nothing but heights decides where to cut, and whichever way rounding tips one, the volume
/// changes by no more than rounding: about 1e-15 of the volume of the smaller body.
#ifndef TS_TESTS_LDI_EXACT_OVERLAP_H
#define TS_TESTS_LDI_EXACT_OVERLAP_H

#include "base/status.h"
#include "geometry/aabb.h"
#include "geometry/mesh/mesh.h"
#include "geometry/pose.h"

/// A tet with its planes, ready to cut others.
typedef struct exact_tet {
  ts_vec3 corner[4];
  ts_vec3 inward[4]; ///< Normal of the face opposite corner i, not unit.
  double sign;       ///< 1 or -1; 0: flat, holds nothing.
  ts_aabb box;
} exact_tet;

typedef struct exact_body {
  const ts_mesh *mesh; ///< Borrowed.
  ts_vec3 *vertices;   ///< World [m], [mesh->vertex_count]
  exact_tet *tets;     ///< [tet_count]
  size_t tet_count;
  ts_aabb box; ///< Of all tets.
} exact_body;

/// `out` must be freed with exact_body_free, whatever comes back.
ts_status exact_body_create(exact_body *out, const ts_mesh *mesh, ts_pose pose);
void exact_body_free(exact_body *body);

/// Puts all of the body in another pose.
void exact_body_place(exact_body *body, ts_pose pose);

/// Moves a single vertex by `by` in the world, and bends the solid.
void exact_body_move_vertex(exact_body *body, size_t vertex, ts_vec3 by);

/// Volume of the overlap [m3].
double exact_overlap_volume(const exact_body *a, const exact_body *b);

#endif
