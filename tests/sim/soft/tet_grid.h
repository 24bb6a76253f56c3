// SPDX-License-Identifier: MIT
/// Blocks of cubes of five tets each, and bodies of them. Errors end the program, so that tests and
/// benchmarks share it.
#ifndef TS_TESTS_SIM_TET_GRID_H
#define TS_TESTS_SIM_TET_GRID_H

#include "sim/soft/compliance.h"

/// Cells along x, y and z, which fill a box with these corners. The diagonals alternate, so that
/// tets fit across faces. Node (i, j, k) has the index (k (y + 1) + j) (x + 1) + i.
typedef struct tet_grid {
  size_t x, y, z;
  ts_vec3 low, high;
} tet_grid;

size_t tet_grid_node(const tet_grid *grid, size_t i, size_t j, size_t k);

/// Its mesh, with tets and a closed surface.
ts_mesh *tet_grid_mesh(ts_arena *arena, const tet_grid *grid);

/// A closed mesh around any tets: its triangles are the faces that one tet has.
ts_mesh *tet_grid_around(ts_arena *arena, const ts_vec3 *vertices, size_t vertex_count,
                         const uint32_t (*tets)[4], size_t tet_count);

/// What the bodies of tests are: 1000 kg/m3, Poisson's ratio 0.4, at the origin and still.
ts_body tet_grid_body(const ts_elastic *elastic);

/// A body of the grid; what `body` says of it. With `clamps_low_z` the nodes at the low end of z
/// are clamped.
ts_tet_body *tet_grid_create(ts_arena *arena, const tet_grid *grid, const ts_body *body,
                             bool clamps_low_z, double dt_s);

/// The beam of 0.2 x 0.2 x 1 m along z, 4 x 4 x 20 cells, its end at z = 0 clamped; x is centred,
/// y goes from 0 to 0.2. Young's modulus is 1e6 Pa.
ts_tet_body *tet_grid_beam(ts_arena *arena, double dt_s);

/// A contact at one node; rows n, s, t of an identity frame unless another is given.
ts_tet_side tet_grid_side(uint32_t node);

#endif
