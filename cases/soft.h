// SPDX-License-Identifier: MIT
/// What the cases of the suite "soft" have in common: shapes of tets, and the parameters of what is
/// deformable. Lengths [m], at scale 1, y up.
#ifndef TS_CASES_SOFT_H
#define TS_CASES_SOFT_H

#include "cases/scene/scene.h"

/// Density of all that moves in the suite [kg/m3].
#define TS_SOFT_DENSITY_KG_M3 1000.0

/// The parameters that every case of the suite begins with, at scale 1.
typedef enum ts_soft_param {
  TS_SOFT_YOUNG_PA,
  TS_SOFT_POISSON,
  TS_SOFT_MASS_DAMPING_1_S,
  TS_SOFT_STIFFNESS_DAMPING_S,
  TS_SOFT_PARAM_COUNT
} ts_soft_param;

/// Their descriptors, with these defaults.
#define TS_SOFT_PARAMS(young_pa, mass_damping_1_s, stiffness_damping_s)                            \
  [TS_SOFT_YOUNG_PA] = {.name = "young_pa",                                                        \
                        .summary = "Young's modulus of what is deformable, at scale 1.",           \
                        .kind = TS_PARAM_REAL,                                                     \
                        .default_value = (young_pa),                                               \
                        .minimum = 1,                                                              \
                        .maximum = 1e12},                                                          \
  [TS_SOFT_POISSON] = {.name = "poisson",                                                          \
                       .summary = "Poisson's ratio of what is deformable.",                        \
                       .kind = TS_PARAM_REAL,                                                      \
                       .default_value = 0.4,                                                       \
                       .minimum = 0,                                                               \
                       .maximum = 0.499},                                                          \
  [TS_SOFT_MASS_DAMPING_1_S] = {.name = "mass_damping_1_s",                                        \
                                .summary = "Rayleigh damping a in a M + b K.",                     \
                                .kind = TS_PARAM_REAL,                                             \
                                .default_value = (mass_damping_1_s),                               \
                                .minimum = 0,                                                      \
                                .maximum = 1e6},                                                   \
  [TS_SOFT_STIFFNESS_DAMPING_S] = {.name = "stiffness_damping_s",                                  \
                                   .summary = "Rayleigh damping b in a M + b K.",                  \
                                   .kind = TS_PARAM_REAL,                                          \
                                   .default_value = (stiffness_damping_s),                         \
                                   .minimum = 0,                                                   \
                                   .maximum = 1e3}

/// A block of cells, each of five tets, whose faces are cut alternately so that neighbours agree:
/// all diagonals run between nodes (i, j, k) with i + j + k even. Node (i, j, k) has the index
/// i + (cells[0] + 1) (j + (cells[1] + 1) k).
typedef struct ts_soft_block {
  ts_vec3 centre, size;
  uint32_t cells[3]; ///< along x, y and z
  ts_quat rotation;  ///< of the whole, about the origin of the frame
} ts_soft_block;

/// Adds the shape. Nodes that mirror each other at the centre do so to the bit, as long as the
/// block is not turned and its centre is the origin.
ts_status ts_soft_add_block(int32_t *out, ts_scene *scene, const char *name,
                            const ts_soft_block *block);

/// The torus of the suite: 36 sectors of 8 prisms around a middle node, 324 nodes and 864 tets.
extern const ts_torus_radii ts_soft_torus;

/// Adds the shape "soft_torus", about y and then turned. Sector s of 0 to 35 has the nodes 9 s (the
/// middle of the tube) to 9 s + 8 (around it, from the outermost upwards), at s times 10 degrees
/// from +x counter-clockwise about y, before the turn. All sectors are cut alike.
ts_status ts_soft_add_torus(int32_t *out, ts_scene *scene, ts_quat rotation);

/// Adds a deformable body of TS_SOFT_DENSITY_KG_M3 whose `params` begin with those of the suite.
/// `clamped` [clamped_count] are nodes that do not move; NULL: none.
ts_status ts_soft_add_body(int32_t *out, ts_scene *scene, const char *name, int32_t shape,
                           ts_pose pose, const double *params, const uint32_t *clamped,
                           size_t clamped_count);

#endif
