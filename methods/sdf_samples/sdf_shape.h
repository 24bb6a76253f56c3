// SPDX-License-Identifier: MIT
/// What the method sdf_samples prepares for a shape: its samples and its field.
#ifndef TS_METHODS_SDF_SHAPE_H
#define TS_METHODS_SDF_SHAPE_H

#include "geometry/mesh/bvh.h"
#include "methods/sdf_samples/sdf_grid.h"

/// A vertex, an edge or a triangle that is looked up in the field of the other body.
typedef struct ts_sdf_sample {
  ts_feature feature;
  uint32_t vertices[3]; ///< [1, 2 or 3 by the kind], by their coordinates, not by their indices
} ts_sdf_sample;

typedef struct ts_sdf_shape {
  ts_arena *arena;     ///< with all of it
  const ts_mesh *mesh; ///< Borrowed.
  ts_aabb bounds;
  ts_bvh *bvh;       ///< of the triangles
  ts_sdf_grid *grid; ///< NULL for an exact field
  ts_sdf_sample *samples;
  size_t sample_count;
} ts_sdf_shape;

typedef struct ts_sdf_choice {
  int32_t sample_kind; ///< ts_feature_kind; of edges those that are sharp (TS_SDF_SHARP_RAD)
  int cells;           ///< 0: exact
  double reach_m;
} ts_sdf_choice;

/// TS_E_MEMORY. The mesh must stay.
ts_status ts_sdf_shape_create(ts_sdf_shape **out, const ts_mesh *mesh, ts_sdf_choice choice);
void ts_sdf_shape_destroy(ts_sdf_shape *shape);

#endif
