// SPDX-License-Identifier: MIT
/// A picture of contacts on the wireframe of the bodies, as SVG. It is an exploded view, so that
/// the joints are visible, like Figures 10 to 20, 23 and 26 of Erleben 2018.
#ifndef TS_HARNESS_PICTURE_H
#define TS_HARNESS_PICTURE_H

#include "base/arena.h"
#include "reports/export/snapshot.h"

#include <stdio.h>

/// Writes one complete SVG document. Write errors are left in the stream's error state; the result
/// is about memory only. Same snapshot, same bytes. No element has an id or a class, so that
/// several pictures can be embedded in one page.
///
/// Contacts and regions are drawn midway between the bodies of their pair. Kinds of contacts differ
/// in colour and in the shape of the arrow. Contacts behind a face are pale.
ts_status ts_picture_write(FILE *file, ts_arena *arena, const ts_snapshot *snapshot);

#endif
