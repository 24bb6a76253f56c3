// SPDX-License-Identifier: MIT
/// Text descriptions of cases and methods, for `describe` and `list`.
#ifndef TS_HARNESS_DESCRIBE_H
#define TS_HARNESS_DESCRIBE_H

#include "cases/scene/scene.h"
#include "methods/method.h"

/// What the contacts of a method provide: "gap, area"; "nothing" for none. NULL when out of memory.
const char *ts_describe_gives(ts_arena *arena, uint32_t gives);

/// The kinds of shapes that a method works on, "mesh, sphere, plane"; a mesh always is one. NULL
/// when out of memory.
const char *ts_describe_takes(ts_arena *arena, uint32_t takes);

/// Classification of a method: "local, surface, exact, normals from features, discrete";
/// unspecified entries are omitted, "unspecified" when all are. NULL when out of memory.
const char *ts_describe_taxonomy(ts_arena *arena, const ts_method *method);

/// The envelope that a method requests with these values: "eroded by 0.01 m (vertices), reach 0.02
/// m". A failure of the method is returned.
ts_status ts_describe_envelope(const char **out, ts_arena *arena, const ts_method *method,
                               const double *values);

/// "0.5 m2, 1 m, 2 points", without zero entries. NULL when out of memory.
const char *ts_describe_measure(ts_arena *arena, const ts_truth_totals *totals);

#endif
