// SPDX-License-Identifier: MIT
/// The signed distance field of one shape, exact or on a grid, and where it is least on an edge or
/// a triangle. All in the local frame of the field's shape.
#ifndef TS_METHODS_SDF_FIELD_H
#define TS_METHODS_SDF_FIELD_H

#include "geometry/mesh/bvh.h"
#include "methods/sdf_samples/sdf_grid.h"

typedef struct ts_sdf_field {
  const ts_mesh *mesh;
  const ts_bvh *bvh;       ///< of the mesh's triangles
  const ts_sdf_grid *grid; ///< NULL: exact
  /// Lengths that differ by no more are equal [m]. Among nearest points at equal distances the one
  /// with the least coordinates counts, whatever the order of the mesh.
  double equal_m;
} ts_sdf_field;

typedef struct ts_sdf_value {
  double phi_m;       ///< negative inside; INFINITY where a grid does not know it
  ts_vec3 gradient;   ///< unit, outwards; zero where there is none
  ts_feature feature; ///< of the nearest point; TS_FEATURE_NONE on a grid
} ts_sdf_value;

/// On the surface of an exact field the gradient is the normal of the nearest feature.
ts_sdf_value ts_sdf_at(const ts_sdf_field *field, ts_vec3 point);

/// A point of a sample and the part of the sample that it is on.
typedef struct ts_sdf_place {
  ts_vec3 point;
  double phi_m;
  int32_t kind; ///< ts_feature_kind
  int corner;   ///< TS_FEATURE_VERTEX: which end or corner
} ts_sdf_place;

/// Where the field is least on a segment: the best of evenly spaced points, between whose
/// neighbours it is then sought by golden sections; of equal ones that nearest to the middle. A
/// second valley that is narrower than their spacing is not seen.
ts_sdf_place ts_sdf_least_on_edge(const ts_sdf_field *field, const ts_vec3 ends[2]);

/// Where the field is least on a triangle: from the best of centre and corners, the centre of
/// equals, 16 steps towards the corner that the gradient points away from, each 2 / (k + 2) of the
/// way (Macklin 2020, section 4); the best point on that path. Give the corners in an order that
/// does not depend on that of the mesh.
ts_sdf_place ts_sdf_least_on_triangle(const ts_sdf_field *field, const ts_vec3 corners[3]);

#endif
