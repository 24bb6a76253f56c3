// SPDX-License-Identifier: MIT
// A cube on a block whose top is cut so that corners of the cube meet vertices and edges inside the
// flat face.
#include "base/status.h"
#include "cases/case.h"
#include "cases/scene/shapes.h"

static const double cube_side_m = 2, block_top_y_m = 1;

enum { VERTEX_COUNT = 14, TRIANGLE_COUNT = 24 };

// In the model's frame, z up, numbered from 1 as in the reference model.
static const double model_vertices[VERTEX_COUNT][3] = {
    {-2, -2, 1}, {0, -2, 1},   {2, -2, 1},  {2, 0, 1},  {2, 2, 1},   {0, 2, 1},   {-2, 2, 1},
    {-2, 0, 1},  {-2, -2, -1}, {2, -2, -1}, {2, 2, -1}, {-2, 2, -1}, {-1, -1, 1}, {1, -1, 1},
};
static const uint32_t model_triangles[TRIANGLE_COUNT][3] = {
    // top
    {1, 2, 13},
    {1, 13, 8},
    {2, 3, 14},
    {3, 4, 14},
    {4, 5, 6},
    {6, 7, 8},
    {2, 14, 6},
    {14, 4, 6},
    {2, 6, 13},
    {13, 6, 8},
    // bottom
    {10, 9, 12},
    {10, 12, 11},
    // sides
    {1, 9, 2},
    {9, 10, 2},
    {2, 10, 3},
    {11, 12, 6},
    {11, 6, 5},
    {6, 12, 7},
    {3, 10, 4},
    {10, 11, 4},
    {11, 5, 4},
    {12, 8, 7},
    {12, 9, 8},
    {9, 1, 8},
};
static const ts_corners block_top = {4, {0, 2, 4, 6}};

static ts_status add_block(int32_t *out, ts_scene *scene) {
  ts_vec3 vertices[VERTEX_COUNT];
  uint32_t triangles[TRIANGLE_COUNT][3];
  for (int i = 0; i < VERTEX_COUNT; i++) // turned by -90 degrees about x, so that y is up
    vertices[i] = ts_vec3_make(model_vertices[i][0], model_vertices[i][2], -model_vertices[i][1]);
  for (int i = 0; i < TRIANGLE_COUNT; i++)
    for (int k = 0; k < 3; k++)
      triangles[i][k] = model_triangles[i][k] - 1;
  return ts_scene_add_shape(out, scene, "block", vertices, VERTEX_COUNT,
                            (const uint32_t(*)[3])triangles, TRIANGLE_COUNT);
}

static ts_status build(ts_scene *scene, const double *params) {
  (void)params;
  int32_t shape, block, cube;
  TS_TRY(add_block(&shape, scene));
  TS_TRY(ts_scene_add_body(&block, scene, "block", shape, ts_pose_identity(), true));
  TS_TRY(ts_shape_cube(&shape, scene, "cube", cube_side_m));
  ts_pose above = {{1, 0, 0, 0}, {0, block_top_y_m + 0.5 * cube_side_m, 0}};
  TS_TRY(ts_scene_add_body(&cube, scene, "cube", shape, above, false));
  return ts_shape_join_faces(scene, block, &block_top, cube, &ts_hexahedron_faces[TS_FACE_BOTTOM],
                             ts_vec3_make(0, 1, 0));
}

static const ts_case_range ranges[] = {
    {"perturb_m", 0, 0.3},
    {"perturb_seed", 1, 999999},
    {NULL, 0, 0},
};

const ts_case ts_case_internal_edges = {
    .name = "internal_edges",
    .suite = "erleben",
    .summary = "A cube stands on vertices and edges inside a flat face; one normal.",
    .source = "Erleben 2018, Table 4",
    .build = build,
    .ranges = ranges,
};
