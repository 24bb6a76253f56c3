// SPDX-License-Identifier: MIT
/// What the cases of the suite "response" have in common: a slab, and blocks that lie on it.
/// Lengths [m], at scale 1, y up.
#ifndef TS_CASES_SLAB_H
#define TS_CASES_SLAB_H

#include "cases/scene/shapes.h"

/// Density of all that moves in the suite "response" [kg/m3].
#define TS_RESPONSE_DENSITY_KG_M3 1000.0

/// The block: 1 m wide and deep, half as high, 500 kg.
#define TS_BLOCK_WIDTH_M  1.0
#define TS_BLOCK_HEIGHT_M 0.5

/// Adds the fixed body "slab" of 8 x 1 x 4 m. Its top is the plane y = 0, its middle at x = z = 0.
ts_status ts_slab_add(int32_t *out_body, ts_scene *scene);

/// The same of 12 x 1 x 12 m, for what rolls away.
ts_status ts_slab_add_wide(int32_t *out_body, ts_scene *scene);

/// Adds the shape "block".
ts_status ts_slab_block(int32_t *out_shape, ts_scene *scene);

/// Adds a body that moves, of TS_RESPONSE_DENSITY_KG_M3.
ts_status ts_slab_body(int32_t *out_body, ts_scene *scene, const char *name, int32_t shape,
                       ts_pose pose);

/// Adds slab and block, the latter in the middle of the former and joined to it, face on face.
ts_status ts_slab_with_block(int32_t *out_block, ts_scene *scene);

/// Joins the top of a box and the bottom of one above it.
ts_status ts_slab_join(ts_scene *scene, int32_t lower, int32_t upper);

#endif
