// SPDX-License-Identifier: MIT
#include "cases/blocks.h"

#include "base/status.h"

#include <string.h>

// The step to the cell beyond each face of a cell.
static const int beyond[TS_FACE_COUNT][3] = {
    [TS_FACE_LEFT] = {-1, 0, 0}, [TS_FACE_RIGHT] = {1, 0, 0}, [TS_FACE_BOTTOM] = {0, -1, 0},
    [TS_FACE_TOP] = {0, 1, 0},   [TS_FACE_BACK] = {0, 0, -1}, [TS_FACE_FRONT] = {0, 0, 1},
};

/// A surface under construction. A corner of the grid becomes a vertex when the first face needs
/// it.
typedef struct cut {
  const ts_block_grid *cells;
  uint32_t *vertex_of; // [corners]; 1 more than the vertex, 0: none yet
  ts_vec3 *vertices;
  size_t vertex_count;
  uint32_t (*triangles)[3];
  size_t triangle_count;
} cut;

static size_t corner_count(const uint32_t count[3]) {
  return (size_t)(count[0] + 1) * (count[1] + 1) * (count[2] + 1);
}

size_t ts_block_corner(const uint32_t count[3], uint32_t x, uint32_t y, uint32_t z) {
  return x + (size_t)(count[0] + 1) * (y + (size_t)(count[1] + 1) * z);
}

/// Beyond the grid nothing is solid.
static bool is_solid(const ts_block_grid *cells, int64_t x, int64_t y, int64_t z) {
  const uint32_t *n = cells->count;
  if (x < 0 || y < 0 || z < 0 || x >= n[0] || y >= n[1] || z >= n[2])
    return false;
  size_t index = (size_t)x + n[0] * ((size_t)y + (size_t)n[1] * (size_t)z);
  return !cells->is_solid || cells->is_solid[index];
}

static uint32_t take_vertex(cut *out, const uint32_t cell[3], uint32_t corner) {
  size_t index = ts_block_corner(out->cells->count, cell[0] + (corner & 1),
                                 cell[1] + (corner >> 1 & 1), cell[2] + (corner >> 2 & 1));
  if (out->vertex_of[index] == 0) {
    out->vertices[out->vertex_count++] = out->cells->corners[index];
    out->vertex_of[index] = (uint32_t)out->vertex_count;
  }
  return out->vertex_of[index] - 1;
}

static void cut_face(cut *out, const uint32_t cell[3], int face) {
  uint32_t v[4];
  for (int i = 0; i < 4; i++)
    v[i] = take_vertex(out, cell, ts_hexahedron_faces[face].vertex[i]);
  for (uint32_t half = 0; half < 2; half++) {
    uint32_t *triangle = out->triangles[out->triangle_count++];
    for (uint32_t i = 0; i < 3; i++)
      triangle[i] = v[(2 * half + i) % 4];
  }
}

static void cut_faces(cut *out) {
  const uint32_t *n = out->cells->count;
  for (uint32_t z = 0; z < n[2]; z++)
    for (uint32_t y = 0; y < n[1]; y++)
      for (uint32_t x = 0; x < n[0]; x++) {
        const uint32_t cell[3] = {x, y, z};
        for (int face = 0; is_solid(out->cells, x, y, z) && face < TS_FACE_COUNT; face++) {
          const int *step = beyond[face];
          if (!is_solid(out->cells, (int64_t)x + step[0], (int64_t)y + step[1],
                        (int64_t)z + step[2]))
            cut_face(out, cell, face);
        }
      }
}

static ts_status make_cut(cut *out, ts_arena *scratch, const ts_block_grid *cells) {
  size_t corners = corner_count(cells->count);
  size_t max_count = (size_t)12 * cells->count[0] * cells->count[1] * cells->count[2];
  *out = (cut){.cells = cells,
               .vertex_of = ts_arena_array(scratch, corners, sizeof *out->vertex_of),
               .vertices = ts_arena_array(scratch, corners, sizeof *out->vertices),
               .triangles = ts_arena_array(scratch, max_count, sizeof *out->triangles)};
  if (!out->vertex_of || !out->vertices || !out->triangles)
    return TS_E_MEMORY;
  cut_faces(out);
  return TS_OK;
}

ts_status ts_shape_grid(int32_t *out, ts_scene *scene, const char *name,
                        const ts_block_grid *cells) {
  ts_arena *scratch;
  TS_TRY(ts_arena_create(&scratch));
  cut c;
  ts_status status = make_cut(&c, scratch, cells);
  if (status == TS_OK)
    status = ts_scene_add_shape(out, scene, name, c.vertices, c.vertex_count,
                                (const uint32_t(*)[3])c.triangles, c.triangle_count);
  ts_arena_destroy(scratch);
  return status;
}

ts_status ts_shape_grid_piece(ts_scene *scene, int32_t shape, const ts_block_grid *cells) {
  ts_arena *scratch;
  TS_TRY(ts_arena_create(&scratch));
  cut c;
  ts_status status = make_cut(&c, scratch, cells);
  if (status == TS_OK)
    status = ts_scene_add_piece(scene, shape, c.vertices, c.vertex_count,
                                (const uint32_t(*)[3])c.triangles, c.triangle_count);
  ts_arena_destroy(scratch);
  return status;
}

/// The cells from `low` to before `high`.
typedef struct cell_range {
  uint32_t low[3], high[3];
} cell_range;

static size_t cell_at(const uint32_t count[3], uint32_t x, uint32_t y, uint32_t z) {
  return x + (size_t)count[0] * (y + (size_t)count[1] * z);
}

static bool is_free(const cell_range *r, const uint32_t count[3], const bool *left) {
  for (uint32_t z = r->low[2]; z < r->high[2]; z++)
    for (uint32_t y = r->low[1]; y < r->high[1]; y++)
      for (uint32_t x = r->low[0]; x < r->high[0]; x++)
        if (!left[cell_at(count, x, y, z)])
          return false;
  return true;
}

/// The largest box of remaining cells, grown from one cell along x, then z, then y; removes them.
static cell_range take_box(const uint32_t from[3], const uint32_t count[3], bool *left) {
  static const int order[3] = {0, 2, 1};
  cell_range box = {{from[0], from[1], from[2]}, {from[0] + 1, from[1] + 1, from[2] + 1}};
  for (int i = 0; i < 3; i++) {
    int axis = order[i];
    for (;;) {
      cell_range next = box;
      next.low[axis] = box.high[axis];
      next.high[axis] = box.high[axis] + 1;
      if (next.high[axis] > count[axis] || !is_free(&next, count, left))
        break;
      box.high[axis]++;
    }
  }
  for (uint32_t z = box.low[2]; z < box.high[2]; z++)
    for (uint32_t y = box.low[1]; y < box.high[1]; y++)
      for (uint32_t x = box.low[0]; x < box.high[0]; x++)
        left[cell_at(count, x, y, z)] = false;
  return box;
}

static ts_status add_box_piece(ts_scene *scene, int32_t shape, const cell_range *box,
                               const double *const planes[3]) {
  ts_vec3 corners[8];
  for (uint32_t i = 0; i < 8; i++) {
    const uint32_t *from[2] = {box->low, box->high};
    corners[i] = ts_vec3_make(planes[0][from[i & 1][0]], planes[1][from[i >> 1 & 1][1]],
                              planes[2][from[i >> 2 & 1][2]]);
  }
  return ts_shape_grid_piece(scene, shape, &(ts_block_grid){{1, 1, 1}, corners, NULL});
}

static ts_status add_boxes(ts_scene *scene, int32_t shape, const uint32_t count[3],
                           const double *const planes[3], bool *left) {
  for (uint32_t y = 0; y < count[1]; y++)
    for (uint32_t z = 0; z < count[2]; z++)
      for (uint32_t x = 0; x < count[0]; x++)
        if (left[cell_at(count, x, y, z)]) {
          cell_range box = take_box((const uint32_t[3]){x, y, z}, count, left);
          TS_TRY(add_box_piece(scene, shape, &box, planes));
        }
  return TS_OK;
}

static ts_status add_blocks(int32_t *out, ts_scene *scene, ts_arena *scratch, const char *name,
                            const uint32_t count[3], const double *const planes[3],
                            const bool *solid) {
  ts_vec3 *corners = ts_arena_array(scratch, corner_count(count), sizeof *corners);
  size_t cell_count = (size_t)count[0] * count[1] * count[2];
  bool *left = ts_arena_array(scratch, cell_count, sizeof *left);
  if (!corners || !left)
    return TS_E_MEMORY;
  for (uint32_t z = 0; z <= count[2]; z++)
    for (uint32_t y = 0; y <= count[1]; y++)
      for (uint32_t x = 0; x <= count[0]; x++)
        corners[ts_block_corner(count, x, y, z)] =
            ts_vec3_make(planes[0][x], planes[1][y], planes[2][z]);
  ts_block_grid cells = {.corners = corners, .is_solid = solid};
  memcpy(cells.count, count, sizeof cells.count);
  TS_TRY(ts_shape_grid(out, scene, name, &cells));
  memcpy(left, solid, cell_count * sizeof *left);
  return add_boxes(scene, *out, count, planes, left);
}

ts_status ts_shape_blocks(int32_t *out, ts_scene *scene, const char *name, const uint32_t count[3],
                          const double *const planes[3], const bool *solid) {
  ts_arena *scratch;
  TS_TRY(ts_arena_create(&scratch));
  ts_status status = add_blocks(out, scene, scratch, name, count, planes, solid);
  ts_arena_destroy(scratch);
  return status;
}

static void rectangle(ts_vec3 out[4], ts_vec3 low, ts_vec3 high) {
  // Round the two axes that the corners differ along.
  out[0] = low;
  out[2] = high;
  if (low.x == high.x) {
    out[1] = ts_vec3_make(low.x, high.y, low.z);
    out[3] = ts_vec3_make(low.x, low.y, high.z);
  } else {
    out[1] = ts_vec3_make(high.x, low.y, low.z);
    out[3] = ts_vec3_make(low.x, high.y, high.z);
  }
}

ts_status ts_block_join_rectangle(ts_scene *scene, int32_t body_a, ts_vec3 low, ts_vec3 high,
                                  int32_t body_b, ts_hexahedron_face face, ts_vec3 normal_local) {
  ts_vec3 feature_a[4], feature_b[4];
  rectangle(feature_a, low, high);
  const ts_mesh *mesh = scene->shapes[scene->bodies[body_b].shape].mesh;
  for (int i = 0; i < 4; i++)
    feature_b[i] = mesh->vertices[ts_hexahedron_faces[face].vertex[i]];
  ts_joint joint = {.body_a = body_a,
                    .body_b = body_b,
                    .count_a = 4,
                    .count_b = 4,
                    .feature_a_local = feature_a,
                    .feature_b_local = feature_b,
                    .needs_all = true};
  joint.normal_count[TS_REFERENCE_DESIGN] = 1;
  joint.normals_local[TS_REFERENCE_DESIGN] = &normal_local;
  return ts_scene_add_joint(scene, &joint);
}
