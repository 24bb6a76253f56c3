// SPDX-License-Identifier: MIT
/// What a variant of a scene has changed, to look at: pictures of the contacts on the scene as
/// built, and of those of the variant brought back to it.
#ifndef TS_HARNESS_RELATE_LOOK_H
#define TS_HARNESS_RELATE_LOOK_H

#include "harness/relations/relate_cell.h"

typedef struct ts_relate_look {
  const ts_cell *cell;
  ts_relation_kind relation;
  ts_limits limits;
  const char *folder;
} ts_relate_look;

/// Writes the pictures of the variant with the largest distance into the folder, which must not
/// exist or be empty, and prints which pairs differ, and in which contacts. The method runs in a
/// process of its own. `*out_exit` is that of a method that gave nothing, which is said.
ts_status ts_relate_look_write(int *out_exit, ts_arena *arena, const ts_relate_look *look);

#endif
