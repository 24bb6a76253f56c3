// SPDX-License-Identifier: MIT
/// The tetrahedra of the published runs: for each shape of the suite the mesh that the simulator
/// PROX used (github.com/diku-dk/PROX, MIT licence, master c6be72c; the meshes of Erleben 2018).
/// They were made by TetGen too, but from surfaces in another order and rounded to single
/// precision, so that today's TetGen cuts some of them otherwise.
///
/// Kept are figures: which nodes make a tet, in their order, and where the nodes are, in single
/// precision, about the centre of mass and along the principal axes that the simulator had found.
#ifndef TS_CASES_PUBLISHED_TETS_H
#define TS_CASES_PUBLISHED_TETS_H

#include "cases/scene/scene.h"

/// Length by which PROX eroded its boxes and convex bodies [m], at scale 1; the bodies that it had
/// as tet meshes were shrunk to 0.99 about their mean node instead.
#define TS_PUBLISHED_EROSION_M 0.01

/// A body in one of the two states.
typedef struct ts_published_mesh {
  const float (*nodes)[3];   ///< [node_count]
  const uint32_t (*tets)[4]; ///< [tet_count]
} ts_published_mesh;

struct ts_published_tets {
  const char *shape;     ///< Name of the shape.
  double extent_m[3];    ///< Of the designed surface along x, y and z, at scale 1.
  double volume_m3;      ///< Of the same.
  uint32_t vertex_count; ///< Of the same.
  uint32_t node_count;   ///< The vertices, and an inner node for some.
  size_t tet_count;
  ts_published_mesh designed, eroded;
};

/// All of them.
extern const ts_published_tets ts_published_tets_table[];
extern const size_t ts_published_tets_count;

/// The published tets of a shape, whose mesh is as designed at `scale`: those of its name, size
/// (within TS_POSITION_RELATIVE), volume and number of vertices. TS_E_INPUT and a message that
/// names the shape when there are none.
ts_status ts_published_tets_find(const ts_published_tets **out, const ts_shape *shape,
                                 double scale);

/// The surface of the published body as designed, at scale 1, in the arena: the triangles of
/// `designed` between the published nodes.
ts_status ts_published_tets_surface(const ts_mesh **out, ts_arena *arena,
                                    const ts_published_tets *published, const ts_mesh *designed);

/// The published body at `scale`, in the arena: the designed one, or the eroded one. `surface` is
/// any mesh with the triangles of the designed one. TS_E_INPUT for what ts_mesh_set_tets refuses.
ts_status ts_published_tets_mesh(const ts_mesh **out, ts_arena *arena,
                                 const ts_published_tets *published, const ts_mesh *surface,
                                 double scale, bool is_eroded);

#endif
