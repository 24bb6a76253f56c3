/// One cell, run in this process: scene, envelope, candidate pairs, preparation, generation,
/// timing, scoring.
#ifndef TS_HARNESS_CELL_H
#define TS_HARNESS_CELL_H

#include "geometry/contact_set.h"
#include "harness/plan.h"
#include "harness/timing.h"
#include "reports/results.h"

/// Runs a cell and leaves its rows in the arena. The result is TS_OK whenever there is a row to
/// write: a method that fails or skips is the row's outcome and reason, not an error here. Errors
/// are those of our own making: out of memory.
///
/// The contacts scored are those of the first pass. Unless `timing` asks for one repeat only, a
/// last pass after the timed ones must give the same bits, or the cell has failed. A row that is
/// not "ok" holds what was known before it ended, and no contacts and samples go with it.
ts_status ts_cell_run(ts_cell_rows *out, ts_arena *arena, const ts_cell *cell,
                      const ts_timing *timing);

/// A record with the identity of a cell, an outcome and a reason, and nothing measured.
void ts_cell_record(ts_record *out, const ts_cell *cell, const char *outcome, const char *reason);

/// The contacts a method gives for the scene, without timing or scoring: what tests and pictures
/// need. One canonical set for each candidate pair, sorted by (a, b), in the arena and not to be
/// cleared; `scene` is as built. A failure or a skip of the method is the result.
ts_status ts_cell_contacts(ts_contact_set **out, size_t *out_count, ts_arena *arena,
                           const ts_scene *scene, const ts_method *method,
                           const double *method_values);

#endif
