// SPDX-License-Identifier: MIT
/// Cases and methods in words, for `describe` and `list`.
#ifndef TS_HARNESS_DESCRIBE_H
#define TS_HARNESS_DESCRIBE_H

#include "cases/scene/scene.h"
#include "methods/method.h"

/// What the contacts of a method provide: "gap, area"; "nothing" for none. NULL when memory is out.
const char *ts_describe_gives(ts_arena *arena, uint32_t gives);

/// Where a method stands in the taxonomy: "local, surface, exact, normals from features, discrete";
/// what is untold is left out, "untold" when all is. NULL when memory is out.
const char *ts_describe_taxonomy(ts_arena *arena, const ts_method *method);

/// The state a method wants its bodies in, with these values: "eroded by 0.01 m (vertices), reach
/// 0.02 m". Its failure is the result.
ts_status ts_describe_envelope(const char **out, ts_arena *arena, const ts_method *method,
                               const double *values);

/// "0.5 m2, 1 m, 2 points", without what there is none of. NULL when memory is out.
const char *ts_describe_measure(ts_arena *arena, const ts_truth_totals *totals);

#endif
