// SPDX-License-Identifier: MIT
/// Whether a method keeps the relations on one case: a cell in a process of its own.
#ifndef TS_HARNESS_RELATE_CELL_H
#define TS_HARNESS_RELATE_CELL_H

#include "harness/isolation/kept.h"
#include "harness/plan/plan.h"
#include "harness/relations/relation_compare.h"

/// What was found of one relation; over its variants the largest.
typedef struct ts_relation_finding {
  ts_outcome outcome;
  const char *reason; ///< of an outcome that is not ok; else ""
  ts_relation_difference difference;
  size_t worst_variant; ///< that of the worst pair
} ts_relation_finding;

typedef struct ts_relate_cell {
  const ts_cell *cell;
  bool is_wanted[TS_RELATION_COUNT];
} ts_relate_cell;

/// The largest distance of a difference either way; NaN when nothing was measured.
double ts_relation_distance(const ts_relation_difference *difference);

/// Starts a cell (borrowed until its end) in a process of its own, as ts_kept_start().
ts_status ts_relate_start(ts_kept **out, const ts_relate_cell *cell, const ts_limits *limits);

/// The findings of a cell that has ended, `out` [TS_RELATION_COUNT], of which those that are wanted
/// are set; reasons are in the arena. A method that crashes, hangs or eats all memory loses the
/// relation in which it did and those after it, which have that outcome. TS_E_IO when a limit of
/// this machine has ended the cell; TS_E_MEMORY.
ts_status ts_relate_collect(ts_relation_finding *out, ts_arena *arena, const ts_relate_cell *cell,
                            const ts_kept *kept);

/// The contacts of a method on a scene, with its own surroundings restored; the status of the
/// method. In the arena.
ts_status ts_relate_contacts(ts_scene_contacts *out, ts_arena *arena, const ts_scene *scene,
                             const ts_method *method, const double *method_values);

#endif
