// SPDX-License-Identifier: MIT
#include "methods/surface/triangle_block.h"

#include <string.h>

_Static_assert((int)TS_BLOCK_FACES == (int)TS_BVH_BLOCK_MOST, "a block of the hierarchy fits");

static uint32_t next_corner(uint32_t corner) {
  return corner % 3 == 2 ? corner - 2 : corner + 1;
}

/// Lists the edges, those that the block owns first, and the vertices that it owns.
static void list_features(ts_triangle_block *block, const ts_surface *surface,
                          ts_bvh_block triangles) {
  ts_block_edge others[TS_BLOCK_FEATURES];
  uint32_t owned_count = 0, other_count = 0, vertex_count = 0;
  for (uint32_t corner = 0; corner < 3 * block->triangle_count; corner++) {
    uint32_t half_edge = ts_triangle_block_half_edge(block, corner);
    uint32_t twin = surface->mesh->edge_twin[half_edge];
    uint32_t twin_place = surface->places[twin / 3] - triangles.first;
    bool is_id = half_edge < twin, has_twin = twin_place < block->triangle_count;
    uint32_t next = next_corner(corner);
    // Of two half-edges in the block, the one that is the id lists the edge.
    if (is_id || !has_twin) {
      uint32_t other = has_twin ? 3 * twin_place + twin % 3 : corner;
      *(is_id ? &block->edges[owned_count++] : &others[other_count++]) = (ts_block_edge){
          .half_edge_count = has_twin ? 2 : 1,
          .half_edge = {(uint8_t)corner, (uint8_t)other},
          .third = {(uint8_t)next_corner(next), (uint8_t)next_corner(next_corner(other))},
          .end = {(uint8_t)(is_id ? corner : next), (uint8_t)(is_id ? next : corner)}};
    }
    if (ts_surface_owns_vertex(surface, half_edge / 3, (int)(half_edge % 3)))
      block->vertices[vertex_count++] = (uint8_t)corner;
  }
  memcpy(block->edges + owned_count, others, other_count * sizeof *others);
  block->owned_edge_count = owned_count;
  block->edge_count = owned_count + other_count;
  block->vertex_count = vertex_count;
}

/// Which of the features that are listed belong to each face.
static void set_face_parts(ts_triangle_block *block) {
  ts_block_lanes *lanes = &block->lanes;
  memset(lanes->face_edges, 0, sizeof lanes->face_edges);
  memset(lanes->face_points, 0, sizeof lanes->face_points);
  for (uint32_t i = 0; i < block->edge_count; i++)
    for (int k = 0; k < 2; k++)
      lanes->face_edges[block->edges[i].half_edge[k] / 3] |= 1u << i;
  for (uint32_t i = 0; i < block->vertex_count; i++)
    lanes->face_points[block->vertices[i] / 3] |= 1u << i;
}

static void set_vector(float out[3][TS_BLOCK_LANES], uint32_t lane, ts_vec3 v) {
  out[0][lane] = (float)v.x;
  out[1][lane] = (float)v.y;
  out[2][lane] = (float)v.z;
}

static ts_vec3 lane_place(ts_lane_frame frame, ts_vec3 p) {
  return ts_vec3_scale(ts_vec3_sub(p, frame.origin), frame.per_m);
}

static void set_box_lanes(ts_triangle_block *block, ts_lane_frame frame) {
  ts_vec3 low = lane_place(frame, block->bounds.low), high = lane_place(frame, block->bounds.high);
  const float lows[3] = {(float)low.x, (float)low.y, (float)low.z};
  const float highs[3] = {(float)high.x, (float)high.y, (float)high.z};
  memcpy(block->lanes.low, lows, sizeof lows);
  memcpy(block->lanes.high, highs, sizeof highs);
}

static void set_edge_lanes(ts_triangle_block *block, const ts_vec3 *places) {
  ts_block_lanes *lanes = &block->lanes;
  lanes->edge_count = block->edge_count;
  for (uint32_t i = 0; i < block->edge_count; i++) {
    ts_vec3 start = places[block->edges[i].end[0]];
    ts_vec3 edge = ts_vec3_sub(places[block->edges[i].end[1]], start);
    double length = ts_vec3_norm(edge);
    ts_vec3 direction = ts_vec3_scale(edge, length > 0 ? 1 / length : 0);
    set_vector(lanes->edge_start, i, start);
    set_vector(lanes->edge, i, direction);
    lanes->edge_length[i] = (float)length;
    lanes->edge_start_along[i] = (float)ts_vec3_dot(start, direction);
    for (int k = 0; k < 2; k++)
      set_vector(lanes->edge_third[k], i, ts_vec3_sub(places[block->edges[i].third[k]], start));
  }
}

static void set_point_lanes(ts_triangle_block *block, const ts_vec3 *places) {
  ts_block_lanes *lanes = &block->lanes;
  lanes->point_count = block->vertex_count;
  for (uint32_t i = 0; i < block->vertex_count; i++)
    set_vector(lanes->point, i, places[block->vertices[i]]);
}

/// The plane through a point with a normal of any length.
static void set_plane(float planes[4][TS_BLOCK_FACES], uint32_t lane, ts_vec3 normal,
                      ts_vec3 point) {
  float length2 = (float)ts_vec3_norm2(normal), scale = length2 > 0 ? 1 / sqrtf(length2) : 0;
  planes[0][lane] = (float)normal.x * scale;
  planes[1][lane] = (float)normal.y * scale;
  planes[2][lane] = (float)normal.z * scale;
  planes[3][lane] = (float)ts_vec3_dot(normal, point) * scale;
}

static void set_face_lanes(ts_triangle_block *block, const ts_vec3 *places) {
  float(*planes)[4][TS_BLOCK_FACES] = block->lanes.face;
  block->lanes.face_count = block->triangle_count;
  for (uint32_t t = 0; t < block->triangle_count; t++) {
    const ts_vec3 *corners = places + 3 * (size_t)t;
    set_plane(planes[0], t, block->normals[t], corners[0]);
    for (int i = 0; i < 3; i++) {
      ts_vec3 edge = ts_vec3_sub(corners[(i + 1) % 3], corners[i]);
      set_plane(planes[1 + i], t, ts_vec3_cross(block->normals[t], edge), corners[i]);
      block->lanes.face_corner[i][0][t] = (float)corners[i].x;
      block->lanes.face_corner[i][1][t] = (float)corners[i].y;
      block->lanes.face_corner[i][2][t] = (float)corners[i].z;
    }
  }
}

static void set_slab(ts_triangle_block *block, const ts_vec3 *places) {
  ts_vec3 sum = {0, 0, 0};
  for (uint32_t t = 0; t < block->triangle_count; t++)
    sum = ts_vec3_add(sum, block->normals[t]);
  double length = ts_vec3_norm(sum), low = INFINITY, high = -INFINITY;
  ts_vec3 normal = ts_vec3_scale(sum, length > 0 ? 1 / length : 0);
  for (uint32_t i = 0; i < 3 * block->triangle_count; i++) {
    double height = ts_vec3_dot(normal, places[i]);
    low = ts_min(low, height);
    high = ts_max(high, height);
  }
  block->lanes.slab_normal[0] = (float)normal.x;
  block->lanes.slab_normal[1] = (float)normal.y;
  block->lanes.slab_normal[2] = (float)normal.z;
  block->lanes.slab_low = (float)low;
  block->lanes.slab_high = (float)high;
}

/// The square of the largest height of a triangle over an edge: that over its shortest one.
static double largest_height2(const ts_vec3 corners[3]) {
  ts_vec3 edges[3];
  double shortest2 = INFINITY;
  for (int i = 0; i < 3; i++) {
    edges[i] = ts_vec3_sub(corners[(i + 1) % 3], corners[i]);
    shortest2 = ts_min(shortest2, ts_vec3_norm2(edges[i]));
  }
  double area2 = ts_vec3_norm2(ts_vec3_cross(edges[0], edges[1]));
  return shortest2 > 0 ? area2 / shortest2 : 0;
}

void ts_triangle_block_place(ts_triangle_block *out, const ts_surface *surface, ts_pose to_frame,
                             ts_lane_frame lane_frame, ts_bvh_block triangles) {
  // Triangles of a block are far from each other in the mesh: all are asked for before one is used.
  for (uint32_t t = 0; t < triangles.count; t++) {
    __builtin_prefetch(surface->mesh->triangles[triangles.items[t]]);
    __builtin_prefetch(&surface->mesh->edge_twin[3 * (size_t)triangles.items[t]]);
    __builtin_prefetch(&surface->face_normals[triangles.items[t]]);
  }
  ts_vec3 places[TS_BLOCK_FEATURES]; // of the corners, as lanes have them
  double height2 = 0;
  out->triangle_count = triangles.count;
  out->bounds = ts_aabb_empty();
  for (uint32_t t = 0; t < triangles.count; t++) {
    uint32_t triangle = triangles.items[t];
    out->triangles[t] = triangle;
    out->normals[t] = ts_pose_direction(to_frame, surface->face_normals[triangle]);
    for (uint32_t i = 0; i < 3; i++) {
      ts_vec3 *corner = &out->corners[3 * t + i];
      *corner = ts_surface_placed_vertex(surface, to_frame, surface->mesh->triangles[triangle][i]);
      out->bounds = ts_aabb_add(out->bounds, *corner);
      places[3 * t + i] = lane_place(lane_frame, *corner);
    }
    height2 = ts_max(height2, largest_height2(out->corners + 3 * (size_t)t));
  }
  out->height_m = sqrt(height2);
  set_box_lanes(out, lane_frame);
  list_features(out, surface, triangles);
  set_face_parts(out);
  set_edge_lanes(out, places);
  set_point_lanes(out, places);
  set_face_lanes(out, places);
  set_slab(out, places);
}
