#include "geometry/body.h"

ts_aabb ts_body_bounds(const ts_shape *shape, ts_pose pose) {
  ts_aabb box = ts_aabb_empty();
  for (size_t i = 0; i < shape->mesh->vertex_count; i++)
    box = ts_aabb_add(box, ts_pose_point(pose, shape->mesh->vertices[i]));
  return box;
}

double ts_pair_size_m(const ts_shape *a, const ts_shape *b) {
  return fmin(ts_aabb_extent(a->bounds_local), ts_aabb_extent(b->bounds_local));
}
