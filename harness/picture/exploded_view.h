// SPDX-License-Identifier: MIT
/// Exploded view: bodies moved apart at their joints, so that a picture shows the contacts between
/// them.
#ifndef TS_HARNESS_EXPLODED_VIEW_H
#define TS_HARNESS_EXPLODED_VIEW_H

#include "base/arena.h"
#include "reports/export/snapshot.h"

/// The shift of each body: `*out` [body_count], in the arena. For every pair with a region, b moves
/// away from a along the mean feasible normal by `gap_m` plus their overlap along it. Where the
/// shifts around a ring of joints contradict each other, they are fitted by least squares, with a
/// lower weight for joints with the ground. Bodies without a joint do not move.
ts_status ts_exploded_view(ts_vec3 **out, ts_arena *arena, const ts_snapshot *snapshot,
                           double gap_m);

/// Whether a body is so much larger than the others that it must be the ground.
bool ts_exploded_view_is_ground(const ts_snapshot *snapshot, size_t body);

#endif
