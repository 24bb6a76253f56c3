// SPDX-License-Identifier: MIT
// covers: methods/surface/triangle_block.c
#include "methods/surface/triangle_block.h"

#include "geometry/mesh/mesh.h"
#include "tests/methods/method_fixture.h"

#include <criterion/criterion.h>

static const ts_lane_frame lane_frame = {{0.25, 0.5, -0.125}, 0.125};

/// How often each feature of a mesh was in a block.
typedef struct features {
  const ts_surface *surface;
  ts_pose to_frame;
  int triangles[12], half_edges[36], owned_edges[36], vertices[8];
} features;

static void expect_near(float lane, double value) {
  cr_assert_float_eq((double)lane, value, 1e-6);
}

static ts_vec3 place_of(ts_vec3 p) {
  return ts_vec3_scale(ts_vec3_sub(p, lane_frame.origin), lane_frame.per_m);
}

static void check_edge(features *f, const ts_triangle_block *block, uint32_t index) {
  const ts_mesh *mesh = f->surface->mesh;
  const ts_block_edge *edge = &block->edges[index];
  cr_assert(edge->half_edge_count == 1 || edge->half_edge_count == 2);
  uint32_t first = ts_triangle_block_half_edge(block, edge->half_edge[0]);
  uint32_t id = ts_mesh_edge_id(mesh, first / 3, (int)(first % 3));
  cr_assert_eq(index < block->owned_edge_count, first == id);
  f->owned_edges[id] += first == id;
  for (uint32_t i = 0; i < edge->half_edge_count; i++) {
    uint32_t half_edge = ts_triangle_block_half_edge(block, edge->half_edge[i]);
    uint32_t third = ts_triangle_block_half_edge(block, edge->third[i]);
    f->half_edges[half_edge]++;
    cr_assert(half_edge == first || half_edge == mesh->edge_twin[first]);
    cr_assert(third / 3 == half_edge / 3 && third % 3 == (half_edge % 3 + 2) % 3);
  }
  ts_vec3 ends[2];
  for (uint32_t i = 0; i < 2; i++) {
    uint32_t vertex = mesh->triangles[id / 3][(id % 3 + i) % 3];
    ends[i] = ts_surface_placed_vertex(f->surface, f->to_frame, vertex);
    ts_vec3 corner = block->corners[edge->end[i]];
    cr_assert(corner.x == ends[i].x && corner.y == ends[i].y && corner.z == ends[i].z);
  }
  ts_vec3 start = place_of(ends[0]), along = ts_vec3_sub(place_of(ends[1]), start);
  expect_near(block->lanes.edge_start[1][index], start.y);
  expect_near(block->lanes.edge_length[index], ts_vec3_norm(along));
  expect_near(block->lanes.edge[2][index], ts_vec3_unit(along).z);
  expect_near(block->lanes.edge_start_along[index], ts_vec3_dot(start, ts_vec3_unit(along)));
  for (int i = 0; i < 2; i++) {
    ts_vec3 third = place_of(block->corners[edge->third[i]]);
    expect_near(block->lanes.edge_third[i][0][index], third.x - start.x);
    cr_assert(block->lanes.face_edges[edge->half_edge[i] / 3] >> index & 1);
  }
}

static void check_face(const ts_triangle_block *block, uint32_t index) {
  const ts_vec3 *corners = block->corners + 3 * (size_t)index;
  ts_vec3 normal = ts_vec3_unit(
      ts_vec3_cross(ts_vec3_sub(corners[1], corners[0]), ts_vec3_sub(corners[2], corners[0])));
  cr_assert_leq(ts_vec3_distance(block->normals[index], normal), 1e-14);
  cr_assert(ts_aabb_contains(block->bounds, corners[0]));
  ts_vec3 inside =
      ts_vec3_scale(ts_vec3_add(corners[0], ts_vec3_add(corners[1], corners[2])), 1.0 / 3);
  for (int i = 0; i < 3; i++) {
    ts_vec3 corner = place_of(corners[i]);
    expect_near(block->lanes.face_corner[i][2][index], corner.z);
    const float *n = block->lanes.slab_normal;
    double height = (double)n[0] * corner.x + (double)n[1] * corner.y + (double)n[2] * corner.z;
    cr_assert(height >= (double)block->lanes.slab_low - 1e-6 &&
              height <= (double)block->lanes.slab_high + 1e-6);
  }
  ts_vec3 above = place_of(ts_vec3_add_scaled(inside, 0.5, normal));
  for (int plane = 0; plane < 4; plane++) {
    const float(*p)[TS_BLOCK_FACES] = (const float(*)[TS_BLOCK_FACES])block->lanes.face[plane];
    double height = (double)p[0][index] * above.x + (double)p[1][index] * above.y +
                    (double)p[2][index] * above.z - (double)p[3][index];
    if (plane == 0)
      cr_assert_float_eq(height, 0.5 * lane_frame.per_m, 1e-6);
    else
      cr_assert_gt(height, 0.1 * lane_frame.per_m, "the middle is inside of each edge");
  }
}

static ts_status check_block(void *context, ts_bvh_block items, ts_bvh_block other) {
  (void)other;
  features *f = context;
  ts_triangle_block block;
  ts_triangle_block_place(&block, f->surface, f->to_frame, lane_frame, items);
  cr_assert_eq(block.triangle_count, items.count);
  cr_assert_eq(block.lanes.face_count, items.count);
  cr_assert_eq(block.lanes.edge_count, block.edge_count);
  cr_assert_eq(block.lanes.point_count, block.vertex_count);
  cr_assert_float_eq(block.height_m, 1, 1e-14, "over the shorter edges of half a unit square");
  for (uint32_t t = 0; t < block.triangle_count; t++) {
    f->triangles[block.triangles[t]]++;
    check_face(&block, t);
  }
  for (uint32_t i = 0; i < block.edge_count; i++)
    check_edge(f, &block, i);
  for (uint32_t i = 0; i < block.vertex_count; i++) {
    uint32_t half_edge = ts_triangle_block_half_edge(&block, block.vertices[i]);
    f->vertices[f->surface->mesh->triangles[half_edge / 3][half_edge % 3]]++;
    cr_assert(block.lanes.face_points[block.vertices[i] / 3] >> i & 1);
    expect_near(block.lanes.point[0][i], place_of(block.corners[block.vertices[i]]).x);
  }
  return TS_OK;
}

Test(methods_triangle_block, each_feature_is_owned_once_and_each_half_edge_is_in_one_block) {
  method_fixture f;
  fixture_open(&f);
  const ts_mesh *box = fixture_box(&f, ts_vec3_make(0, 0, 0), ts_vec3_make(1, 1, 1), 0, 1);
  void *surface = NULL;
  cr_assert_eq(ts_surface_prepare(&surface, &f.host, box, NULL), TS_OK);
  features all = {.surface = surface, .to_frame = fixture_motion(3, 0.5)};
  // A hierarchy of one triangle far within reach: each block is visited once.
  const ts_vec3 points[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  void *tet = NULL;
  cr_assert_eq(ts_surface_prepare(&tet, &f.host, fixture_tet(&f, points), NULL), TS_OK);
  cr_assert_eq(ts_bvh_tandem_blocks(all.surface->bvh, ((const ts_surface *)tet)->bvh,
                                    ts_pose_identity(), 100, check_block, &all),
               TS_OK);
  for (int i = 0; i < 12; i++)
    cr_assert_eq(all.triangles[i], 1);
  for (uint32_t i = 0; i < 36; i++) {
    cr_assert_eq(all.half_edges[i], 1);
    cr_assert_eq(all.owned_edges[i], i < box->edge_twin[i]);
  }
  for (int i = 0; i < 8; i++)
    cr_assert_eq(all.vertices[i], 1);
  ts_surface_release(tet);
  ts_surface_release(surface);
  fixture_close(&f);
}
