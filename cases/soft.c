// SPDX-License-Identifier: MIT
#include "cases/soft.h"

#include "base/status.h"
#include "cases/scene/deformable.h"

/// The tets of a cell by its corners: at +x when bit 0 is set, at +y for bit 1, at +z for bit 2.
/// The first is between the corners of even nodes, of a cell whose corner 0 is one, and of another.
static const uint32_t cell_tets[2][5][4] = {
    {{0, 5, 3, 6}, {1, 3, 0, 5}, {2, 0, 3, 6}, {4, 5, 0, 6}, {7, 3, 5, 6}},
    {{1, 2, 4, 7}, {0, 1, 2, 4}, {3, 2, 1, 7}, {5, 1, 4, 7}, {6, 4, 2, 7}},
};

static uint32_t node_at(const uint32_t cells[3], uint32_t i, uint32_t j, uint32_t k) {
  return i + (cells[0] + 1) * (j + (cells[1] + 1) * k);
}

/// From -size / 2 to size / 2, the same on both sides of the middle.
static double along(double size_m, uint32_t index, uint32_t cells) {
  return size_m * (2 * (double)index - cells) / (2 * (double)cells);
}

static void place_nodes(ts_vec3 *out, const ts_soft_block *block) {
  const uint32_t *n = block->cells;
  for (uint32_t k = 0; k <= n[2]; k++)
    for (uint32_t j = 0; j <= n[1]; j++)
      for (uint32_t i = 0; i <= n[0]; i++) {
        ts_vec3 from_centre = {along(block->size.x, i, n[0]), along(block->size.y, j, n[1]),
                               along(block->size.z, k, n[2])};
        *out++ = ts_quat_rotate(block->rotation, ts_vec3_add(block->centre, from_centre));
      }
}

static void cut_cells(uint32_t (*out)[4], const uint32_t cells[3]) {
  for (uint32_t k = 0; k < cells[2]; k++)
    for (uint32_t j = 0; j < cells[1]; j++)
      for (uint32_t i = 0; i < cells[0]; i++)
        for (int t = 0; t < 5; t++, out++)
          for (int c = 0; c < 4; c++) {
            uint32_t corner = cell_tets[(i + j + k) % 2][t][c];
            (*out)[c] =
                node_at(cells, i + (corner & 1), j + (corner >> 1 & 1), k + (corner >> 2 & 1));
          }
}

static ts_status add_block(int32_t *out, ts_scene *scene, ts_arena *scratch, const char *name,
                           const ts_soft_block *block) {
  const uint32_t *n = block->cells;
  size_t node_count = (size_t)(n[0] + 1) * (n[1] + 1) * (n[2] + 1);
  size_t tet_count = (size_t)5 * n[0] * n[1] * n[2];
  ts_vec3 *nodes = ts_arena_array(scratch, node_count, sizeof *nodes);
  uint32_t(*tets)[4] = ts_arena_array(scratch, tet_count, sizeof *tets);
  if (!nodes || !tets)
    return TS_E_MEMORY;
  place_nodes(nodes, block);
  cut_cells(tets, n);
  return ts_scene_add_tets(out, scene, name, nodes, node_count, (const uint32_t(*)[4])tets,
                           tet_count);
}

ts_status ts_soft_add_block(int32_t *out, ts_scene *scene, const char *name,
                            const ts_soft_block *block) {
  ts_arena *scratch;
  TS_TRY(ts_arena_create(&scratch));
  ts_status status = add_block(out, scene, scratch, name, block);
  ts_arena_destroy(scratch);
  return status;
}

const ts_torus_radii ts_soft_torus = {.ring_m = 0.1, .tube_m = 0.03};

enum { SECTORS = 36, AROUND = 8, SECTION = AROUND + 1 };

static void place_section(ts_vec3 out[SECTION], double axis_rad) {
  const double turn_rad = 6.28318530717958647693;
  for (int j = 0; j < SECTION; j++) {
    double tube_rad = turn_rad * (j - 1) / AROUND, tube_m = j == 0 ? 0 : ts_soft_torus.tube_m;
    double off_axis_m = ts_soft_torus.ring_m + tube_m * cos(tube_rad);
    out[j] = ts_vec3_make(off_axis_m * cos(axis_rad), tube_m * sin(tube_rad),
                          -off_axis_m * sin(axis_rad));
  }
}

/// The prism over the middle node of a section and the nodes b < c around it, to the next section.
/// The diagonals of its sides run from the node with the lower number here to the other one there:
/// prisms that share a side agree. `next` is behind the triangle of 0, b and c, or before it where
/// b and c follow each other the other way round.
static void cut_prism(uint32_t out[3][4], uint32_t here, uint32_t next, uint32_t b, uint32_t c,
                      bool is_behind) {
  const uint32_t tets[3][4] = {{here, here + b, here + c, next + c},
                               {here, here + b, next + c, next + b},
                               {here, next, next + b, next + c}};
  for (int t = 0; t < 3; t++)
    for (int k = 0; k < 4; k++)
      out[t][k] = tets[t][is_behind && k >= 2 ? 5 - k : k];
}

ts_status ts_soft_add_torus(int32_t *out, ts_scene *scene, ts_quat rotation) {
  const double turn_rad = 6.28318530717958647693;
  ts_vec3 nodes[SECTORS * SECTION];
  uint32_t tets[SECTORS * AROUND * 3][4];
  for (uint32_t s = 0; s < SECTORS; s++) {
    uint32_t here = SECTION * s, next = SECTION * ((s + 1) % SECTORS);
    place_section(&nodes[here], turn_rad * s / SECTORS);
    for (uint32_t j = 1; j < AROUND; j++)
      cut_prism(&tets[3 * (AROUND * s + j)], here, next, j, j + 1, true);
    cut_prism(&tets[3 * AROUND * s], here, next, 1, AROUND, false);
  }
  for (size_t i = 0; i < SECTORS * SECTION; i++)
    nodes[i] = ts_quat_rotate(rotation, nodes[i]);
  return ts_scene_add_tets(out, scene, "soft_torus", nodes, SECTORS * SECTION,
                           (const uint32_t(*)[4])tets, SECTORS * AROUND * 3);
}

ts_status ts_soft_add_body(int32_t *out, ts_scene *scene, const char *name, int32_t shape,
                           ts_pose pose, const double *params, const uint32_t *clamped,
                           size_t clamped_count) {
  TS_TRY(ts_scene_add_body(out, scene, name, shape, pose, false));
  scene->bodies[*out].density_kg_m3 = TS_SOFT_DENSITY_KG_M3;
  return ts_scene_make_deformable(
      scene, *out,
      &(ts_elastic){.young_pa = params[TS_SOFT_YOUNG_PA],
                    .poisson = params[TS_SOFT_POISSON],
                    .mass_damping_1_s = params[TS_SOFT_MASS_DAMPING_1_S],
                    .stiffness_damping_s = params[TS_SOFT_STIFFNESS_DAMPING_S],
                    .clamped_count = clamped_count,
                    .clamped = clamped});
}
