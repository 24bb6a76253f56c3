// SPDX-License-Identifier: MIT
/// Closed triangle meshes, checked on the way in, and what is derived from them once.
#ifndef TS_GEOMETRY_MESH_H
#define TS_GEOMETRY_MESH_H

#include "base/arena.h"
#include "geometry/aabb.h"
#include "geometry/pose.h"

/// Copies vertices [vertex_count] and triangles [triangle_count] into the arena, checks them and
/// derives the half-edge twins.
///
/// Refused with TS_E_INPUT and a message that names the first bad element: no triangle; more than
/// 2^30 vertices or triangles; a coordinate that is not finite; an index out of range; a triangle
/// that repeats a vertex or is degenerate (TS_DEGENERATE_TRIANGLE); an edge with no partner (open),
/// with two partners of one direction (not oriented) or with more than two triangles (not
/// manifold); a volume that is not above zero (turned inside out, or flat:
/// TS_FLAT_VOLUME_RELATIVE). Unused vertices are kept. Sheets may share single vertices.
/// Self-intersections are not detected. Nothing is left in the arena after a refusal.
ts_status ts_mesh_create(ts_mesh **out, ts_arena *arena, const ts_vec3 *vertices,
                         size_t vertex_count, const uint32_t (*triangles)[3],
                         size_t triangle_count);

/// Fills a mesh with tetrahedra: copies tets [tet_count], checks indices and that every volume is
/// above zero (exactly), that their sum is the volume of the surface within TS_TET_FILL_RELATIVE of
/// it and that no face has more than two tets; sets the surface flags (a face that no other tet
/// shares). `mesh` must have been made by ts_mesh_create in `arena`. Tets may use vertices that no
/// triangle uses.
ts_status ts_mesh_set_tets(ts_mesh *mesh, ts_arena *arena, const uint32_t (*tets)[4],
                           size_t tet_count);

/// A copy with other vertex positions [mesh->vertex_count] and the same connectivity, tets too.
/// Checked like a new mesh.
ts_status ts_mesh_with_vertices(ts_mesh **out, ts_arena *arena, const ts_mesh *mesh,
                                const ts_vec3 *vertices);

/// Box of all vertices, unused ones too.
ts_aabb ts_mesh_bounds(const ts_mesh *mesh);

/// Outward unit normal of a triangle.
ts_vec3 ts_mesh_face_normal(const ts_mesh *mesh, size_t triangle);

/// Id of the edge from corner `corner` to the next of `triangle`: the smaller of the two
/// half-edges.
uint32_t ts_mesh_edge_id(const ts_mesh *mesh, size_t triangle, int corner);

/// Volume, centre and inertia of the solid inside a closed mesh.
typedef struct ts_mass_properties {
  double volume_m3;
  double mass_kg;
  ts_vec3 centre_local;       ///< Centre of mass [m].
  double inertia_kg_m2[3][3]; ///< About the centre of mass, axes of the local frame.
} ts_mass_properties;

/// Integrals over the signed tetrahedra spanned with the mesh's own centroid, so that a mesh far
/// from its local origin loses no digits.
ts_mass_properties ts_mesh_mass_properties(const ts_mesh *mesh, double density_kg_m3);

#endif
