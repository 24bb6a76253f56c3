// SPDX-License-Identifier: MIT
/// The contact surfaces of pairs as polygons in the world.
#ifndef TS_HARNESS_DEFORM_FACETS_H
#define TS_HARNESS_DEFORM_FACETS_H

#include "harness/deform/deform_scene.h"

/// Sets the facets of `out`: of each pair the whole surface, then its zone. In the arena;
/// TS_E_MEMORY.
ts_status ts_deform_facets_add(ts_deformed_scene *out, ts_arena *arena,
                               const ts_deform_case_pair *pairs, size_t pair_count);

#endif
