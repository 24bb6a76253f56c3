// SPDX-License-Identifier: MIT
/// Solids of the cells of a grid, with their tets: unions of boxes.
#ifndef TS_TESTS_GEOMETRY_CELL_SOLIDS_H
#define TS_TESTS_GEOMETRY_CELL_SOLIDS_H

#include "base/status.h"
#include "geometry/mesh/mesh.h"

#include <criterion/criterion.h>
#include <stdbool.h>

enum { CELLS_SIDE = 5, CELLS_NODES = CELLS_SIDE + 1 };

typedef struct cells {
  bool is_full[CELLS_SIDE][CELLS_SIDE][CELLS_SIDE];
  double at[3][CELLS_NODES]; ///< ascending coordinates of the planes between cells
} cells;

static inline cells cells_even(void) {
  cells c = {0};
  for (int axis = 0; axis < 3; axis++)
    for (int i = 0; i < CELLS_NODES; i++)
      c.at[axis][i] = i;
  return c;
}

static inline void cells_fill(cells *c, const int low[3], const int high[3], bool is_full) {
  for (int x = low[0]; x < high[0]; x++)
    for (int y = low[1]; y < high[1]; y++)
      for (int z = low[2]; z < high[2]; z++)
        c->is_full[x][y][z] = is_full;
}

static inline bool cells_has(const cells *c, int x, int y, int z) {
  return x >= 0 && y >= 0 && z >= 0 && x < CELLS_SIDE && y < CELLS_SIDE && z < CELLS_SIDE &&
         c->is_full[x][y][z];
}

static inline uint32_t cells_node(int x, int y, int z) {
  return (uint32_t)((x * CELLS_NODES + y) * CELLS_NODES + z);
}

static inline double cells_volume(const cells *c) {
  double sum = 0;
  for (int x = 0; x < CELLS_SIDE; x++)
    for (int y = 0; y < CELLS_SIDE; y++)
      for (int z = 0; z < CELLS_SIDE; z++)
        if (c->is_full[x][y][z])
          sum += (c->at[0][x + 1] - c->at[0][x]) * (c->at[1][y + 1] - c->at[1][y]) *
                 (c->at[2][z + 1] - c->at[2][z]);
  return sum;
}

/// Whether a point is in a full cell, or no farther than `margin` from one along each axis.
static inline bool cells_hold(const cells *c, ts_vec3 p, double margin) {
  for (int x = 0; x < CELLS_SIDE; x++)
    for (int y = 0; y < CELLS_SIDE; y++)
      for (int z = 0; z < CELLS_SIDE; z++)
        if (c->is_full[x][y][z] && p.x >= c->at[0][x] - margin && p.x <= c->at[0][x + 1] + margin &&
            p.y >= c->at[1][y] - margin && p.y <= c->at[1][y + 1] + margin &&
            p.z >= c->at[2][z] - margin && p.z <= c->at[2][z + 1] + margin)
          return true;
  return false;
}

/// The six tets of a cell around its diagonal, so that neighbours meet in whole faces; a face of a
/// tet that lies in a face of the cell without a neighbour is on the surface.
static inline ts_status cells_mesh(ts_mesh **out, ts_arena *arena, const cells *c, ts_pose pose,
                                   double scale) {
  static const int orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1},
                                   {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
  static const int faces[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
  enum {
    NODES = CELLS_NODES * CELLS_NODES * CELLS_NODES,
    CELLS = CELLS_SIDE * CELLS_SIDE * CELLS_SIDE
  };
  static ts_vec3 vertices[NODES];
  static uint32_t tets[6 * CELLS][4], triangles[12 * CELLS][3], index[NODES];
  size_t tet_count = 0, triangle_count = 0;
  uint32_t vertex_count = 0;
  for (uint32_t i = 0; i < NODES; i++)
    index[i] = UINT32_MAX;
  for (int x = 0; x < CELLS_SIDE; x++)
    for (int y = 0; y < CELLS_SIDE; y++)
      for (int z = 0; z < CELLS_SIDE; z++)
        for (int t = 0; cells_has(c, x, y, z) && t < 6; t++) {
          int at[4][3] = {{x, y, z}, {x, y, z}, {x, y, z}, {x, y, z}};
          for (int k = 1; k < 4; k++)
            for (int step = 0; step < k; step++)
              at[k][orders[t][step]]++;
          uint32_t corners[4];
          for (int k = 0; k < 4; k++) {
            uint32_t node = cells_node(at[k][0], at[k][1], at[k][2]);
            if (index[node] == UINT32_MAX) {
              vertices[vertex_count] = ts_pose_point(
                  pose, ts_vec3_scale(ts_vec3_make(c->at[0][at[k][0]], c->at[1][at[k][1]],
                                                   c->at[2][at[k][2]]),
                                      scale));
              index[node] = vertex_count++;
            }
            corners[t >= 3 && k > 1 ? 5 - k : k] = index[node];
          }
          int swap = t >= 3;
          for (int k = 0; k < 4; k++)
            tets[tet_count][k] = corners[k];
          tet_count++;
          // The face without the first corner lies where the last step of the first axis ended.
          for (int f = 0; f < 4; f += 3) {
            int first = orders[t][0], last = orders[t][2];
            int beside[3] = {x, y, z};
            beside[f == 0 ? first : last] += f == 0 ? 1 : -1;
            if (cells_has(c, beside[0], beside[1], beside[2]))
              continue;
            // Opposite the first node, or opposite the last: local places after the swap.
            int opposite = f == 0 ? 0 : (swap ? 2 : 3);
            for (int k = 0; k < 3; k++)
              triangles[triangle_count][k] = corners[faces[opposite][k]];
            triangle_count++;
          }
        }
  TS_TRY(ts_mesh_create(out, arena, vertices, vertex_count, (const uint32_t(*)[3])triangles,
                        triangle_count));
  return ts_mesh_set_tets(*out, arena, (const uint32_t(*)[4])tets, tet_count);
}

#endif
