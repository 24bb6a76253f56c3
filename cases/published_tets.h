/// The tetrahedra of the published runs: for each shape of the suite the mesh that the simulator
/// PROX used (github.com/diku-dk/PROX, MIT licence, master c6be72c; the meshes of Erleben 2018).
/// They were made by TetGen too, but from surfaces in another order and rounded to single
/// precision, so that today's TetGen cuts some of them otherwise.
///
/// Kept are figures: which vertices make a tet, and where the inner points of boxes lie. The
/// surface's own vertices are those of the case, exact where the published ones are rounded to
/// 1e-6 m.
#ifndef TS_CASES_PUBLISHED_TETS_H
#define TS_CASES_PUBLISHED_TETS_H

#include "cases/scene.h"

/// Length by which PROX eroded its boxes and convex bodies [m], at scale 1.
#define TS_PUBLISHED_EROSION_M 0.01

/// By what it multiplied the bodies that it had as tet meshes, instead, about their mean vertex.
#define TS_PUBLISHED_SHRINK 0.99

typedef struct ts_published_tets {
  const char *shape;     ///< Name of the shape.
  double extent_m[3];    ///< Of the designed surface along x, y and z, at scale 1.
  double volume_m3;      ///< Of the same.
  uint32_t vertex_count; ///< Of the same; an inner point comes after them.
  bool has_inner;
  /// The inner point [m], local, at scale 1: of the body as designed and of the eroded one.
  ts_vec3 inner_designed, inner_eroded;
  bool shrinks; ///< Eroded by TS_PUBLISHED_SHRINK; else by TS_PUBLISHED_EROSION_M.
  size_t tet_count;
  const uint32_t (*tets)[4]; ///< [tet_count]; the same in both states.
} ts_published_tets;

/// All of them; `*out_count` of them.
const ts_published_tets *ts_published_tets_all(size_t *out_count);

/// The published tets of a shape, whose mesh is as designed at `scale`: those of its name, size
/// (within TS_POSITION_RELATIVE), volume and number of vertices. TS_E_INPUT and a message that
/// names the shape when there are none.
ts_status ts_published_tets_find(const ts_published_tets **out, const ts_shape *shape,
                                 double scale);

/// The published body of a shape, as designed at `scale`, in the arena: the designed one, or the
/// eroded one. An eroded box or convex body has moved its vertices by TS_PUBLISHED_EROSION_M x
/// `scale` along their angle-weighted normals; the other bodies have shrunk. Surface vertices and
/// triangles keep their order. TS_E_INPUT as above, and for what ts_mesh_set_tets refuses.
ts_status ts_published_tets_mesh(ts_mesh **out, ts_arena *arena, const ts_shape *shape,
                                 double scale, bool is_eroded);

#endif
