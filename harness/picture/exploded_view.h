// SPDX-License-Identifier: MIT
/// Bodies moved away from each other across their joints, so that a picture shows what is in there.
#ifndef TS_HARNESS_EXPLODED_VIEW_H
#define TS_HARNESS_EXPLODED_VIEW_H

#include "base/arena.h"
#include "reports/export/snapshot.h"

/// How far each body is to be moved: `*out` [body_count], in the arena. Of every pair with a
/// region, b goes from a along the mean feasible normal by `gap_m`, and by what the two reach into
/// each other along it besides; where the joints of a ring ask for more than there is, in the sense
/// of least squares, and the joints on the ground give way first. Bodies without a joint stay.
ts_status ts_exploded_view(ts_vec3 **out, ts_arena *arena, const ts_snapshot *snapshot,
                           double gap_m);

/// Whether a body is so much larger than the others that it is what they stand on.
bool ts_exploded_view_is_ground(const ts_snapshot *snapshot, size_t body);

#endif
