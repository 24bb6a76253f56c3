// SPDX-License-Identifier: MIT
/// The surface of a mesh outside of a contact zone, cut exactly at the zone's boundary: the domain
/// on which the deformer solves. It ends some way off the zone, so that a large mesh costs no more
/// than the part of it that matters. Cut triangles are triangulated, so that a boundary that
/// crosses edges anywhere is a line of vertices, and a boundary value is met exactly there.
#ifndef TS_ELASTIC_CUT_SURFACE_H
#define TS_ELASTIC_CUT_SURFACE_H

#include "elastic/deform.h"

/// A triangle laid flat: corner 0 at (0, 0), corner 1 at (x1_m, 0), corner 2 at (x2_m, y2_m).
typedef struct ts_flat_triangle {
  uint32_t corners[3]; ///< free vertices, or free_count + crossing
  double x1_m, x2_m, y2_m;
} ts_flat_triangle;

/// Arrays are in the arena. Free vertices are those of the mesh that are not in the zone, of which
/// a triangle is near enough, and that a way over such leads to from its boundary, in the order of
/// the mesh.
typedef struct ts_cut_surface {
  const ts_mesh *mesh; ///< borrowed
  size_t free_count, fixed_count;
  const uint32_t *mesh_vertices; ///< [free_count]
  const uint32_t *free_vertices; ///< [mesh vertex_count], TS_NOT_FREE where it is none
  const ts_vec3 *boundary;       ///< [fixed_count] points of the zone's boundary
  const double *alphas;          ///< [fixed_count] of them, TS_ZONE_CUT_MIN to 1 - that
  size_t triangle_count;
  ts_flat_triangle *triangles; ///< [triangle_count]
  bool goes_on;                ///< whether the mesh goes on beyond them
} ts_cut_surface;

#define TS_NOT_FREE UINT32_MAX

/// Of the ball around the points of the boundary, `reach_m` larger than it must be to hold them,
/// every triangle that has a vertex in it: all that is up to `reach_m` from the zone over the
/// surface, or in a straight line, is there. INFINITY: all.
///
/// TS_SKIPPED when the zone has no vertex, or no surface is left around it. TS_E_INPUT when the
/// crossings are not those of the zone, one for each edge with one end inside; TS_E_MEMORY.
ts_status ts_cut_surface_create(ts_cut_surface *out, ts_arena *arena, const ts_mesh *mesh,
                                const ts_deform_zone *zone, double reach_m);

#endif
