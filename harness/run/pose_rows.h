// SPDX-License-Identifier: MIT
/// Rows of poses.csv: where the bodies of a state are.
#ifndef TS_HARNESS_POSE_ROWS_H
#define TS_HARNESS_POSE_ROWS_H

#include "base/arena.h"
#include "cases/scene/scene.h"
#include "reports/rows/record.h"

/// A row for each body of `scene` that can move, or is not where it is in `built` [body_count]; the
/// others are as built. The identity is that of `record`, whose texts are borrowed; `time_s` is NaN
/// where it is not known. `*out` [*out_count] is in the arena.
ts_status ts_pose_rows_make(ts_pose_row **out, size_t *out_count, ts_arena *arena,
                            const ts_record *record, const ts_scene *scene, const ts_body *built,
                            double time_s);

#endif
