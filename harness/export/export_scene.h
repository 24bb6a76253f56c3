// SPDX-License-Identifier: MIT
/// The files of a moment that travels, in a bug report say: the scene with its truth there, and the
/// contacts that a method found, so that `score` repeats its verdicts.
#ifndef TS_HARNESS_EXPORT_SCENE_H
#define TS_HARNESS_EXPORT_SCENE_H

#include "cases/scene_file/scene_file.h"
#include "harness/picture/cell_snapshot.h"

#include <stdio.h>

/// The file of the contacts, beside scene.json.
#define TS_EXPORT_CONTACTS "contacts.csv"

/// scene.json first, and the files that it names; in the arena. At a later step it is another case
/// than as built, NAME_stepN.
ts_status ts_export_scene(ts_scene_part **out, size_t *out_count, ts_arena *arena, const ts_case *c,
                          const ts_snapshot *snapshot, const ts_snapshot_source *source);

/// The rows of contacts.csv as `run` writes them, of the case that the scene is; and the columns
/// that say what they were found on: envelope, envelope_m, shapes_native.
ts_status ts_export_contacts(FILE *file, ts_arena *arena, const ts_snapshot *snapshot);

/// The command that scores these contacts as a row of `run` does. NULL: out of memory.
const char *ts_export_score_command(ts_arena *arena, const char *folder,
                                    const ts_snapshot *snapshot, const ts_snapshot_source *source);

#endif
