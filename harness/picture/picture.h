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
/// Regions are drawn on both of their bodies, contacts in the gap between the bodies of their pair,
/// with a line to their place on a body. What the contacts make of a region, and kinds of contacts,
/// differ in colour and in shape. What is behind a face is pale. Of many contacts only the worst
/// are drawn, and of many bodies those with faults are named first; the caption says so. Where the
/// truth is unknown, it says that, and why.
ts_status ts_picture_write(FILE *file, ts_arena *arena, const ts_snapshot *snapshot);

#endif
