// SPDX-License-Identifier: MIT
/// The scene of a row of results, built again from its case and parameters.
#ifndef TS_HARNESS_ROW_SCENE_H
#define TS_HARNESS_ROW_SCENE_H

#include "harness/picture/cell_snapshot.h"
#include "reports/rows/record.h"

#include <jansson.h>

/// A snapshot of the scene as built, without contacts, and the scene itself; in the arena.
/// `context` is that of the results (NULL: none), which knows the scene files of the run. A file is
/// read again only where it is still there with the same content.
///
/// `*out_why`, in the arena: a sentence why there is no such scene: the case, or one of its
/// parameters, is unknown to this touchstone, or the scene file is not what it was. NULL: there is
/// one. Failures are those of memory only.
ts_status ts_row_scene(ts_snapshot *out, const ts_scene **out_scene, const char **out_why,
                       ts_arena *arena, const ts_record *record, const json_t *context);

#endif
