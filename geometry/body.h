/// Bodies: a shape at a pose, in motion.
#ifndef TS_GEOMETRY_BODY_H
#define TS_GEOMETRY_BODY_H

#include "geometry/aabb.h"
#include "geometry/mesh.h"
#include "geometry/pose.h"

#include <stdbool.h>

typedef struct ts_shape {
  const char *name;
  const ts_mesh *mesh;
  ts_aabb bounds_local;
  bool is_conical; ///< A frustum of the pillar: refined more finely than other shapes.
} ts_shape;

typedef struct ts_body {
  const char *name;
  int32_t shape; ///< index into the scene's shapes
  int32_t is_fixed;
  ts_pose pose;
  ts_twist twist;
  double density_kg_m3;
} ts_body;

/// Box of the posed body's vertices, in the world.
ts_aabb ts_body_bounds(const ts_shape *shape, ts_pose pose);

/// The larger extent of the smaller body [m], by local bounds: the length that tolerances of the
/// pair are relative to.
double ts_pair_size_m(const ts_shape *a, const ts_shape *b);

#endif
