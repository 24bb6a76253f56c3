// SPDX-License-Identifier: MIT
/// A picture of contacts on the wireframe of the bodies, pulled apart so that the joints are seen
/// (as Erleben 2018 shows them in Figures 10 to 20, 23 and 26), as SVG.
#ifndef TS_HARNESS_PICTURE_H
#define TS_HARNESS_PICTURE_H

#include "base/arena.h"
#include "reports/export/snapshot.h"

#include <stdio.h>

/// Writes one whole SVG document; the stream's error state tells of the writing, the result of
/// memory alone. Same snapshot, same bytes. Nothing in it has an id or a class, so that it may
/// stand in a page beside others.
///
/// Contacts and regions are drawn midway between the bodies of their pair. Kinds of contacts differ
/// by colour and by the arrow's shape. Those behind a face are pale.
ts_status ts_picture_write(FILE *file, ts_arena *arena, const ts_snapshot *snapshot);

#endif
