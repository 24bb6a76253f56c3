// SPDX-License-Identifier: MIT
/// Makes the snapshot of one state of a cell: its scene, and with a method also the bodies as the
/// method is given them and its contacts with their verdicts.
#ifndef TS_HARNESS_CELL_SNAPSHOT_H
#define TS_HARNESS_CELL_SNAPSHOT_H

#include "base/arena.h"
#include "cases/scene/scene.h"
#include "harness/plan/plan.h"
#include "harness/run/cell_state.h"
#include "reports/export/snapshot.h"

typedef struct ts_snapshot_request {
  const ts_catalog *catalog; ///< to look names up in; NULL: all that is built in, with the controls
  const char *case_name;     ///< a full name, not a pattern
  const char *method;        ///< likewise; NULL: none
  int64_t step;              ///< as in contacts.csv: 0 (as built), 2, 3, ...; 0 without a method
  size_t set_count;
  const ts_assignment *sets; ///< as in ts_plan_request
  const char *modifiers;     ///< a chain of them (ts_modifier_chain_parse); NULL: none
  /// NULL, or called with the judged state of a method while its scene lives; an error of it is
  /// that of the snapshot.
  ts_status (*look)(void *context, const ts_cell_state *state);
  void *context;
} ts_snapshot_request;

/// What a snapshot was taken of.
typedef struct ts_snapshot_source {
  ts_scene *scene; ///< the bodies there, and where they touch as the contacts were judged
  const char *case_parameters; ///< as written in rows
  const char *scoring_sets;    ///< "--set name=value" for what the contacts were judged by that is
                               ///< not the default, each after a blank; "": nothing
} ts_snapshot_source;

/// Fails as ts_cell_snapshot() does for what a request names, and runs nothing.
ts_status ts_cell_snapshot_check(ts_arena *arena, const ts_snapshot_request *request);

/// Runs the method in this process up to the step, and stores the state there; everything is in the
/// arena. The contacts are those that `run` writes for the same cell. `out_source`: NULL when it is
/// not wanted. TS_E_INPUT, with the valid names, for unknown names and parameters; otherwise the
/// status of the method. A method of others may do anything to this process: commands call this in
/// one of its own (harness/run/kept_files.h). What `run` restores of a process is restored here,
/// too.
ts_status ts_cell_snapshot(ts_snapshot *out, ts_snapshot_source *out_source, ts_arena *arena,
                           const ts_snapshot_request *request);

/// The scene of the request as built, with the case's parameters set; runs nothing. Fails as
/// ts_cell_snapshot() does for what a request names.
ts_status ts_cell_built(ts_scene **out, ts_arena *arena, const ts_snapshot_request *request);

/// Called for each frame of a motion, which is gone when it returns; an error of it ends the
/// motion.
typedef ts_status (*ts_show_frame)(void *context, const ts_snapshot *frame);

/// As ts_cell_snapshot(), with `show` called for the state as built and after it for every
/// `every`-th step up to that of the request (from 2): with 5 for steps 6, 11, 16, ... A frame
/// needs memory of `arena` while it is shown, the scene as built until the end.
ts_status ts_cell_frames(ts_arena *arena, const ts_snapshot_request *request, int64_t every,
                         ts_show_frame show, void *context);

/// The snapshot of a state that has been scored with its contacts listed, without the surfaces that
/// the method was given. The state's texts and contacts are borrowed, the rest is in the arena;
/// nothing of its scene is needed later except the meshes. TS_E_MEMORY.
ts_status ts_snapshot_of_state(ts_snapshot *out, ts_arena *arena, const ts_cell_state *state);

/// The bodies of a cell where the contacts of a step above 1 are found, after a run up to there in
/// this process, and where they touch; in the arena.
ts_status ts_cell_scene_at(ts_scene **out, ts_arena *arena, const ts_cell *cell, int64_t step);

#endif
